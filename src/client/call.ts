import { membersOf, idOf as recordId, resultsOf } from '../lib/values.ts'
import { type Command, optionsOf, type Rest, takesRecord } from './arguments.ts'
import type { Target } from './commands/contexts.ts'
import { EXIT, Failure, usage } from './failure.ts'
import type { ManifestOption } from './manifest.ts'
import { type ApiCall, ask, askWell, refusal } from './request.ts'
import { readValue } from './values.ts'

/** The request of a command, with what is needed to word its errors. */
export interface Call {
  readonly asked: ApiCall
  readonly isList: boolean
  /** The flag by which each key was given. */
  readonly flags: ReadonlyMap<string, string>
}

/**
 * Yields the flags of a command with the type of their values: '' takes none, b may take none, q takes nothing but yes or
 * no.
 */
export function flagsOf(
  { group, action }: Command,
  common: Readonly<Record<string, readonly [string, string]>>,
): Map<string, string> {
  const flags = new Map(Object.entries(common).map(([flag, [takes]]) => [flag, takes]))
  for (const [flag, , place, type] of optionsOf(action))
    flags.set(flag, type === 'b' ? (place === 'b' ? 'b' : 'q') : 'v')
  if (takesRecord(action.paths)) {
    flags.set('id', 'v')
    for (const label of labelsOf(group.label)) {
      if (flags.has(label) && action.method !== 'GET') flags.set(`new-${label}`, 'v')
      flags.set(label, 'v')
    }
  }
  return flags
}

function labelsOf(label: string | undefined): string[] {
  return [...new Set([label ?? 'name', 'name'])].map((each) => each.replaceAll('_', '-'))
}

/** Turns the command line into a request. Whatever can be known to be wrong is refused before anything is sent. */
export async function buildCall(command: Command, rest: Rest, target: Target): Promise<Call> {
  const { action, group } = command
  const options = optionsOf(action)
  const words = [...rest.words]
  const path = new Map<string, string>()
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  const flags = new Map<string, string>()
  const lookups: (() => Promise<void>)[] = []

  const record = takesRecord(action.paths) ? recordOf(command, rest, words) : null
  for (const option of options) {
    const [, key, place] = option
    const given = readGiven(option, rest, record)
    if (given === undefined) continue
    flags.set(key, `--${given.flag}`)
    const value = readValue(
      [given.flag, ...option.slice(1)] as unknown as ManifestOption,
      joinValues(option, given.values),
    )
    if (option[8] !== undefined)
      lookups.push(() => lookUp(target, option, value, organizationOf(rest, target), { path, query, body }))
    else if (place === 'p') path.set(key, String(value))
    else if (place === 'q') addQuery(query, key, String(value))
    else body[key] = value
  }
  if (record) path.set('id', record.value)
  fillFromWords(action.paths, path, words)
  if (words.length > 0)
    throw usage(`${JSON.stringify(words[0])} is not expected here; see millwright ${command.words} --help`)
  requireValues(command, options, body, flags)
  for (const look of lookups) await look()
  const chosen = choosePath(command, path)
  if (record?.value && isSought(chosen, record)) {
    path.set('id', await resolveName(command, target, chosen, record.value, organizationOf(rest, target)))
  }
  addDefaults(options, query, flags, target)
  const named = organizationOf(rest, target)
  if (chosen.startsWith('/content/') && named && !query.has('organization_id')) query.set('organization_id', named)
  const isList = action.method === 'GET' && !chosen.endsWith(':id') && options.some(([flag]) => flag === 'per-page')
  const filled = chosen.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path.get(name) ?? ''))
  const text = query.toString()
  const hasBody = action.method === 'POST' || action.method === 'PUT' || Object.keys(body).length > 0
  return {
    asked: {
      method: action.method,
      path: text ? `${filled}?${text}` : filled,
      ...(hasBody ? { body: action.wrap ? { [action.wrap]: body } : body } : {}),
      ...(action.type ? { accepts: `${action.type}, application/json;q=0.9` } : {}),
    },
    isList,
    flags: new Map(
      [...flags].concat(
        [...(group.label ? [[group.label, `--${group.label}`] satisfies [string, string]] : [])].filter(
          ([key]) => !flags.has(key),
        ),
      ),
    ),
  }
}

interface Identified {
  readonly value: string
  readonly byName: boolean
  /** The flag that named the record, which is then not sent as a value; null when a word did. */
  readonly flag: string | null
}

/** Tells whether a record has to be searched for by its name, because the path does not accept names. */
function isSought(path: string, { value, byName }: Identified): boolean {
  const looksLikeId = /^\d+(?:-|$)/.test(value)
  return path.startsWith('/content/') ? !looksLikeId || byName : byName && looksLikeId
}

/** Yields how the record is identified: by the word behind the command, by `--id`, or by its name, as `--name`. */
function recordOf({ group, action, words: title }: Command, { values }: Rest, words: string[]): Identified {
  const id = values.get('id')?.at(-1)
  if (id !== undefined) return { value: id, byName: false, flag: 'id' }
  const hasMore = words.length > 0
  if (hasMore) return { value: words.shift() ?? '', byName: false, flag: null }
  for (const label of labelsOf(group.label)) {
    const name = values.get(label)?.at(-1)
    if (name !== undefined) return { value: name, byName: true, flag: label }
  }
  const flags = ['id', ...labelsOf(group.label)].map((flag) => `--${flag}`)
  const isNeeded = action.paths.every((path) => /:id\b/.test(path))
  if (!isNeeded) return { value: '', byName: false, flag: null }
  throw usage(`name the record: millwright ${title} NAME, or ${flags.join(' or ')}`)
}

function readGiven([flag, key, place]: ManifestOption, { values }: Rest, record: Identified | null) {
  const renamed = values.get(`new-${flag}`)
  if (record && place === 'b' && renamed && flag === key.replaceAll('_', '-'))
    return { flag: `new-${flag}`, values: renamed }
  if (record?.flag === flag) return undefined
  const found = values.get(flag)
  return found && { flag, values: found }
}

function joinValues([, , , type]: ManifestOption, values: readonly string[]): string {
  if (type === 'j' && values.length > 1 && values.every((value) => value.startsWith('['))) {
    return JSON.stringify(values.flatMap((value): unknown => JSON.parse(value)))
  }
  return type.startsWith('l') ? values.join(',') : (values.at(-1) ?? '')
}

function addQuery(query: URLSearchParams, key: string, value: string): void {
  if (key === 'include') for (const each of value.split(',')) query.append('include[]', each)
  else query.set(key, value)
}

/** Yields the named organization: records of content are looked up within one. */
function organizationOf({ values }: Rest, { organization }: Target): string | undefined {
  return values.get('organization-id')?.at(-1) ?? values.get('organization')?.at(-1) ?? organization
}

interface Places {
  readonly path: Map<string, string>
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
}

async function lookUp(
  target: Target,
  option: ManifestOption,
  value: unknown,
  organization: string | undefined,
  { path, query, body }: Places,
): Promise<void> {
  const [flag, key, place] = option
  const [base = '', label = 'name'] = (option[8] ?? '').split('?')
  const ids: unknown[] = []
  for (const name of [value].flat().map(String)) ids.push(await idOf(target, { base, label, name, flag, organization }))
  if (place === 'p') path.set(key, String(ids[0]))
  else if (place === 'q') query.set(key, String(ids[0]))
  else body[key] = Array.isArray(value) ? ids : ids[0]
}

interface Sought {
  readonly base: string
  readonly label: string
  readonly name: string
  readonly flag: string
  readonly organization: string | undefined
}

/** Finds the id of the record with this name. Paths of content take ids only, so that its names are searched for. */
export async function idOf(target: Target, sought: Sought): Promise<unknown> {
  const { base, name } = sought
  if (base.startsWith('/content/')) return findByName(target, sought)
  const reply = await ask(target, { method: 'GET', path: `${base}/${encodeURIComponent(name)}` })
  if (reply.status < 400) return membersOf(reply.body).id
  if (reply.status !== 404) throw refusal(reply, target)
  throw nothingCalled(sought)
}

async function findByName(target: Target, sought: Sought): Promise<number> {
  const { base, label, name, flag, organization } = sought
  const parameters = new URLSearchParams({ search: `${label} = ${JSON.stringify(name)}`, per_page: '2' })
  if (organization) parameters.set('organization_id', organization)
  const { body } = await askWell(target, { method: 'GET', path: `${base}?${parameters}` })
  const results = resultsOf(body)
  if (results.length > 1)
    throw usage(`--${flag}: several records are named ${JSON.stringify(name)}; name the organization`)
  if (!results[0]) throw nothingCalled(sought)
  return recordId(results[0])
}

function nothingCalled({ flag, name }: Sought): Failure {
  return new Failure(EXIT.missing, `--${flag}: there is no ${JSON.stringify(name)}, or you may not see it`)
}

/** Searches for a record by a name that looks like an id, or that the path does not accept. */
async function resolveName(
  { group }: Command,
  target: Target,
  path: string,
  name: string,
  organization: string | undefined,
) {
  const base = path.slice(0, path.indexOf('/:id'))
  if (base.includes(':')) return name
  const label = group.label ?? 'name'
  return String(await findByName(target, { base, label, name, flag: label, organization }))
}

/** Uses the words that are left for missing parameters of the path, in the order of the path. */
function fillFromWords(paths: readonly string[], path: Map<string, string>, words: string[]): void {
  const [only, ...others] = paths
  if (!only || others.length > 0) return
  for (const [, name = ''] of only.matchAll(/:(\w+)/g)) {
    const word = words[0]
    if (path.has(name) || word === undefined) continue
    path.set(name, word)
    words.shift()
  }
}

/** Chooses the path of the action whose parameters are all given, and among these the one with most parameters. */
function choosePath({ action, words }: Command, path: ReadonlyMap<string, string>): string {
  const namesOf = (each: string) => [...each.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const fitting = action.paths.filter((each) => namesOf(each).every((name) => path.get(name)))
  const [best] = fitting.toSorted((a, b) => namesOf(b).length - namesOf(a).length)
  if (best) return best
  const formatFlag = (name: string) => (name === 'id' ? 'NAME' : `--${name.replace(/_id$/, '').replaceAll('_', '-')}`)
  const missing = action.paths.map((each) =>
    namesOf(each)
      .filter((name) => !path.get(name))
      .map(formatFlag)
      .join(' and '),
  )
  throw usage(`${words} needs ${missing.join(', or ')}`)
}

function requireValues(
  { words, action }: Command,
  options: readonly ManifestOption[],
  body: object,
  flags: ReadonlyMap<string, string>,
): void {
  if (action.method !== 'POST') return
  const missing = options
    .filter(
      ([, key, place, , , required]) =>
        required && place === 'b' && !/_ids?$/.test(key) && !(key in body) && !flags.has(key),
    )
    .map(([flag]) => `--${flag}`)
  if (missing.length > 0) throw usage(`${words} needs ${[...new Set(missing)].join(', ')}`)
}

/** Adds the organization and location of the context where the command line gives none. */
function addDefaults(
  options: readonly ManifestOption[],
  query: URLSearchParams,
  flags: ReadonlyMap<string, string>,
  target: Target,
): void {
  for (const kind of ['organization', 'location'] as const) {
    const isSaid = [...flags.keys()].some((key) => key.startsWith(`${kind}_`))
    const value = target[kind]
    if (value && !isSaid && options.some(([, key, place]) => key === `${kind}_id` && place === 'q'))
      query.set(`${kind}_id`, value)
  }
}
