import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { isMembers, membersOf, resultsOf } from '../lib/values.ts'
import { readRest } from './arguments.ts'
import { readUrl, type Target } from './commands/contexts.ts'
import type { Session } from './commands/session.ts'
import { EXIT, usage } from './failure.ts'
import { ask, askWell, fileOf } from './request.ts'
import { vendorTargetOf, withCommonFlags } from './taking.ts'

const FORM =
  'usage: millwright switch check --upstream URL --login LOGIN --password-file FILE [--upstream-ca FILE] [--server URL] [--shadow REPORT] [--import REPORT] [--secrets FILE]'

/** What keeps hosts from being switched over. */
interface Checked {
  readonly hosts: number
  /** Hosts whose documents are equal on both servers. */
  readonly equal: number
  readonly open: readonly { readonly subject: string; readonly reason: string }[]
  /** Options without which a part of the check was left out. */
  readonly unchecked: readonly string[]
}

/** How many hosts are asked for at a time, and how many with one request for names. */
const AT_ONCE = 2
const PAGE = 250

/** Options that name files of the commands before. */
const FILES = ['shadow', 'import', 'secrets'] as const

/** The exit code while something is open. */
const OPEN = 2

/**
 * Compares the documents by which the hosts of an old server are configured with those of this one, and reads what a shadow and
 * an import have found. Resolves with 2 while something is open.
 */
export async function runSwitch(session: Session, argv: readonly string[]): Promise<number> {
  const rest = readRest(argv, withCommonFlags(['upstream', 'upstream-ca', 'login', 'password-file', ...FILES]))
  session.use(rest.values)
  const readOption = (name: string) => rest.values.get(name)?.at(-1)
  const [upstream, login, file] = [readOption('upstream'), readOption('login'), readOption('password-file')]
  if (rest.words.join(' ') !== 'check' || !upstream || !login || !file) throw usage(FORM)
  const old = {
    url: readUrl(upstream),
    ca: readOption('upstream-ca'),
    login,
    token: String(fileOf('password-file', file)).replace(/\r?\n$/, ''),
  }
  const here = vendorTargetOf(session)
  const open = [
    ...readShadow(readStored('shadow', readOption('shadow'))),
    ...readRefused(readStored('import', readOption('import'))),
    ...readSecrets(readStored('secrets', readOption('secrets'))),
  ]
  const { hosts, equal, differing, strange } = await compareDocuments(session, old, here)
  const all = [...open, ...reportStrange(strange), ...differing]
  const unchecked = FILES.filter((name) => readOption(name) === undefined).map((name) => `--${name}`)
  await report(session, { hosts, equal, open: all, unchecked })
  return all.length > 0 ? OPEN : EXIT.done
}

async function report(session: Session, checked: Checked): Promise<void> {
  if (session.shape('subject').format === 'json') return session.write(`${JSON.stringify(checked, null, 2)}\n`)
  const lines = checked.open.map(({ subject, reason }) => `${subject}: ${reason}`)
  if (checked.unchecked.length > 0) lines.push(`Not checked without ${checked.unchecked.join(', ')}`)
  await session.write(
    `${[...lines, `${checked.equal} of ${checked.hosts} hosts have equal documents, ${checked.open.length} open`].join('\n')}\n`,
  )
}

/** Reads a file of JSON; undefined where none is named. */
function readStored(option: (typeof FILES)[number], path: string | undefined): unknown {
  if (path === undefined) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw usage(`--${option}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Lists the requests of clients that this service refused and the old server did not, as a shadow has stored them. */
function readShadow(stored: unknown): Checked['open'] {
  if (stored === undefined) return []
  const { differences } = membersOf(stored)
  if (!Array.isArray(differences)) throw usage('--shadow: the file is no report of millwright shadow')
  return differences.filter(isMembers).map(({ route, kind, path: at, upstream, here, clients }) => ({
    subject: String(route),
    reason: [kind, at && `at ${at}`, `(there ${upstream}, here ${here})`, `for ${[clients].flat().join(', ')}`]
      .filter(Boolean)
      .join(' '),
  }))
}

/** Lists the records that the import refused, templates among them, as its report with `--json` has them. */
function readRefused(stored: unknown): Checked['open'] {
  if (stored === undefined) return []
  const { kinds } = membersOf(stored)
  if (!isMembers(kinds)) throw usage('--import: the file is no report of millwright import server --json')
  return Object.entries(kinds).flatMap(([kind, report]) =>
    [membersOf(report)['remarks'] ?? []]
      .flat()
      .filter(isMembers)
      .filter(({ outcome }) => outcome === 'refused')
      .map(({ record, reason }) => ({ subject: `${kind} ${record}`, reason: `refused: ${reason}` })),
  )
}

/** Lists the secrets and authorities that this service lacks, as it has listed them itself. */
function readSecrets(stored: unknown): Checked['open'] {
  if (stored === undefined) return []
  if (!Array.isArray(stored)) throw usage('--secrets: the file is no list of millwright import missing --json')
  return stored.filter(isMembers).map(({ kind, record, key }) => ({
    subject: `${kind} ${record}`,
    reason: WHERE_MISSING[String(key)] ?? `${key} is missing`,
  }))
}

const WHERE_MISSING: Readonly<Record<string, string>> = {
  'tls-client-ca': 'this service does not hold the authority of its certificate: configure tls-client-ca',
  authority: 'this service does not hold the authority of their certificates: millwright import authority',
}

/** Reports hosts without the identity for subscriptions that they have there. */
function reportStrange(names: readonly string[]): Checked['open'] {
  if (names.length === 0) return []
  const some = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and others' : ''}`
  return [
    {
      subject: 'subscription certificates',
      reason: `those of ${names.length} hosts are not known here (${some}): import these hosts again, or register them here`,
    },
  ]
}

async function compareDocuments(session: Session, old: Target, here: Target) {
  const differing: { subject: string; reason: string }[] = []
  const strange: string[] = []
  let [hosts, equal] = [0, 0]
  for await (const listed of listHosts(old)) {
    const waiting = [...listed]
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { name } = next
        const reason = await compareDocument(old, here, name)
        if (next.isRegistered && !(await isRegisteredHere(here, name))) strange.push(name)
        hosts++
        if (reason === null) equal++
        else differing.push({ subject: name, reason })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    await session.note(`${hosts} hosts compared`)
  }
  return {
    hosts,
    equal,
    differing: differing.toSorted((a, b) => (a.subject < b.subject ? -1 : 1)),
    strange: strange.toSorted(),
  }
}

interface ListedHost {
  readonly name: string
  /** Whether it has a certificate for subscriptions. */
  readonly isRegistered: boolean
}

/** Lists all hosts in the order of their ids, so that hosts that come and go shift no page. */
async function* listHosts(old: Target): AsyncGenerator<readonly ListedHost[]> {
  for (let after = 0; ; ) {
    const query = new URLSearchParams({
      search: `id > ${after}`,
      order: 'id ASC',
      per_page: String(PAGE),
    })
    const { body } = await askWell(old, { method: 'GET', path: `/api/hosts?${query}`, accepts: 'application/json' })
    const results = resultsOf(body)
    const last = Number(results.at(-1)?.['id'] ?? 0)
    yield results.map((one) => ({ name: String(one['name']), isRegistered: isRegistered(one) }))
    if (results.length === 0 || last <= after) return
    after = last
  }
}

function isRegistered(host: unknown): boolean {
  return typeof membersOf(membersOf(host)['subscription_facet_attributes'])['uuid'] === 'string'
}

/** Tells whether a host is registered here, or has brought its registration along. */
async function isRegisteredHere(here: Target, name: string): Promise<boolean> {
  const { status, text } = await ask(here, {
    method: 'GET',
    path: `/api/hosts/${encodeURIComponent(name)}`,
    accepts: 'application/json',
  })
  return status === 200 && isRegistered(JSON.parse(text))
}

/** Compares the documents of a host. Yields in what they differ, without values; null where they are equal. */
async function compareDocument(old: Target, here: Target, name: string): Promise<string | null> {
  const asked = { method: 'GET', path: `/api/hosts/${encodeURIComponent(name)}/enc`, accepts: 'application/json' }
  const [theirs, ours] = await Promise.all([ask(old, asked), ask(here, asked)])
  if (theirs.status !== ours.status) return `the old server answers ${theirs.status}, this one ${ours.status}`
  if (theirs.status >= 400) return `both servers answer ${ours.status}`
  const [left, right] = [readDocument(theirs.text), readDocument(ours.text)]
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted()
  const differing = keys.flatMap((key) => {
    const [a, b] = [left[key], right[key]]
    if (isDeepStrictEqual(a, b))
      return JSON.stringify(a) === JSON.stringify(b) || !isMembers(a) ? [] : [`the order of ${key}`]
    if (!isMembers(a) || !isMembers(b)) return [key]
    const inner = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    return inner.filter((each) => !isDeepStrictEqual(a[each], b[each])).map((each) => `${key}.${each}`)
  })
  return differing.length === 0 ? null : `the documents differ in ${differing.slice(0, 10).join(', ')}`
}

/** Reads a document, which some versions put under `data`. */
function readDocument(text: string): Record<string, unknown> {
  const body: unknown = JSON.parse(text)
  const { data } = membersOf(body)
  return isMembers(data) ? data : membersOf(body)
}
