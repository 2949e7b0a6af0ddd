/** The steps of a diagnosis; each builds on what the one before it found. */
import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import { describePresentation, withChain } from './chain.ts'
import { connectTo, explainHangUp, serviceCredentialsOf } from './connecting.ts'
import type { Connection, Entry, Query, Searcher } from './connection.ts'
import type { Deadline } from './deadline.ts'
import { readText, readTexts } from './entries.ts'
import { adviceOf, DirectoryError, type DirectoryErrorCode, type StepName } from './errors.ts'
import { present } from './filter.ts'
import { askEachServer, buildPartialFinding, buildWarning, type Finding } from './finding.ts'
import { IS_GROUP } from './membership/groups.ts'
import { groupsOfPerson, meansOf } from './membership/index.ts'
import { createGroupMemory } from './membership/memory.ts'
import { normalizeDn } from './names.ts'
import { findPerson, findSomePeople, foldLogin, type Person } from './person.ts'
import { formatServer, openResolver, type Server, serversOf } from './servers.ts'
import { type DirectorySource, groupsBaseOf, loginAttributeOf, usesNetgroups } from './source.ts'
import { encryptSocket, openTcp } from './transport.ts'
import { trust } from './trust.ts'

/** The steps of a diagnosis, which build on each other; `close` closes the connection they share. */
export interface Examination {
  readonly steps: readonly { readonly name: StepName; readonly examine: () => Promise<Finding> }[]
  close(): void
}

const PAGED_RESULTS = '1.2.840.113556.1.4.319'
const TYPE_B = '1.2.840.113556.1.4.800'
const SAMPLE = 100
const SHOWN = 20
const EXPIRY_WARNING_DAYS = 14

/** Prepares the steps of one diagnosis. `close` closes the connections that they opened. */
export function createExamination(source: DirectorySource, login: string | null, limit: Deadline): Examination {
  const resolver = openResolver()
  const attribute = loginAttributeOf(source)
  let servers: Server[] = []
  const sockets = new Map<Server, Socket>()
  let context: SecureContext | null = null
  let connection: Connection | null = null
  let rootDse: Entry | null = null
  let sample: Person | null = null

  const searcher: Searcher = { search: async (query) => (await ensureConnected()).searcher(limit).search(query) }

  return {
    steps: [
      { name: 'resolve', examine: resolve },
      { name: 'connect', examine: connect },
      { name: 'tls', examine: encrypt },
      { name: 'bind', examine: bind },
      { name: 'base_dn', examine: findBase },
      { name: 'login_attribute', examine: findLoginAttribute },
      { name: 'sample', examine: findSample },
      { name: 'groups_base', examine: findGroups },
      { name: 'membership', examine: findMembership },
    ],
    close() {
      connection?.close()
      for (const socket of sockets.values()) socket.on('error', () => {}).destroy()
    },
  }

  async function resolve(): Promise<Finding> {
    const found = await serversOf(source, limit)
    const { good, bad } = await askEachServer(found, (server) => resolver.addresses(server.host, limit))
    servers = good.map(([server]) => server)
    const details = {
      servers: good.map(([server, addresses]) => ({
        server: formatServer(server),
        addresses: addresses.map(({ address }) => address),
      })),
    }
    return buildPartialFinding(bad, `${servers.map((server) => server.host).join(', ')} can be resolved.`, details)
  }

  async function connect(): Promise<Finding> {
    const share = limit.within(limit.remaining() / 2)
    const { good, bad } = await askEachServer(servers, (server) => openTcp(server, resolver, share))
    for (const [server, socket] of good)
      sockets.set(
        server,
        socket.on('error', () => {}),
      )
    servers = good.map(([server]) => server)
    return buildPartialFinding(bad, `${servers.map(formatServer).join(', ')} accepts connections.`, {})
  }

  async function encrypt(): Promise<Finding> {
    if (source.security === 'none') {
      return {
        status: 'skipped',
        message: 'TLS is switched off: passwords cross the network readable.',
        advice: 'Switch on TLS (LDAPS, port 636) or StartTLS, if the directory offers either.',
      }
    }
    context = trust(source.caCertificate)
    const share = limit.within(limit.remaining() / 2)
    const { good, bad } = await askEachServer(servers, (server) => encryptOne(server, share))
    servers = good.map(([server]) => server)
    const chains = good.map(([server, socket]) => describePresentation(server, socket))
    for (const [, socket] of good) socket.destroy()
    const details = { servers: chains }
    const soon = chains.find(({ days_left }) => days_left < EXPIRY_WARNING_DAYS)
    if (soon && bad.length === 0) {
      const message = `The certificate of ${soon.server} expires in ${soon.days_left} days.`
      return { status: 'warning', message, advice: adviceOf('tls_expired'), details }
    }
    const [first] = chains
    return buildPartialFinding(
      bad,
      `${first?.protocol}, certificate for ${first?.chain[0]?.subject}, trusted.`,
      details,
    )
  }

  async function encryptOne(server: Server, share: Deadline): Promise<TLSSocket> {
    const socket = sockets.get(server) ?? (await openTcp(server, resolver, share))
    const encrypted = await encryptSocket(socket, server, source.security, context, share)
      .catch((error: unknown) => explainHangUp(error, source, server, resolver, limit))
      .catch(async (error: unknown) => {
        throw await withChain(error, source.security, server, resolver, limit)
      })
    if (encrypted instanceof TLSSocket) return encrypted
    throw new DirectoryError('tls_lost', 'tls', { server: formatServer(server) })
  }

  async function bind(): Promise<Finding> {
    const { name } = serviceCredentialsOf(source)
    connection = await ensureConnected()
    const root = await connection
      .searcher(limit)
      .search({
        step: 'bind',
        base: '',
        scope: 'base',
        filter: present('objectClass'),
        attributes: ['namingContexts', 'supportedControl', 'supportedCapabilities'],
      })
      .catch(passOver)
    rootDse = root?.entries[0] ?? null
    return { message: name === '' ? 'The server answers anonymous requests.' : `The server accepts ${name}.` }
  }

  async function findBase(): Promise<Finding> {
    const contexts = rootDse ? readTexts(rootDse, 'namingContexts') : []
    const found = { naming_contexts: contexts }
    try {
      const { entries } = await searcher.search(buildBaseQuery(source.baseDn, 'base_dn'))
      if (entries.length === 0) throw new DirectoryError('denied', 'base_dn', { found })
    } catch (error) {
      if (!(error instanceof DirectoryError) || error.code !== 'base_missing') throw error
      const isTop = contexts.some((name) => normalizeDn(name) === normalizeDn(source.baseDn))
      const detail = isTop
        ? source.baseDn
        : contexts.length > 0
          ? `this server holds ${contexts.join('; ')}`
          : undefined
      throw new DirectoryError(isTop ? 'denied' : 'base_missing', 'base_dn', { detail, found, cause: error })
    }
    return { message: `${source.baseDn} exists.`, details: found }
  }

  async function findLoginAttribute(): Promise<Finding> {
    const { entries, references, cut } = await searcher.search({
      ...buildBaseQuery(source.baseDn, 'login_attribute'),
      scope: 'sub',
      filter: present(attribute),
      attributes: [attribute],
      limit: 1,
    })
    const [entry] = entries
    if (!entry) {
      const code = (await explainEmptiness(references, cut)) ?? 'login_attribute_absent'
      throw new DirectoryError(code, 'login_attribute', { detail: attribute, found: withReferrals(references) })
    }
    if (!readText(entry, attribute)) throw new DirectoryError('denied', 'login_attribute', { detail: attribute })
    return { message: `Entries have the attribute ${attribute}.` }
  }

  async function findSample(): Promise<Finding> {
    const { people, references, cut } = await findSomePeople(source, searcher, { step: 'sample', limit: SAMPLE })
    const logins = people.flatMap((entry) => readTexts(entry, attribute))
    const [anybody] = logins
    const wanted = login ?? anybody
    if (wanted === undefined) {
      if (differs()) throw new DirectoryError('type_differs', 'sample', { detail: source.serverType })
      const code = (await explainEmptiness(references, cut)) ?? 'nobody'
      const detail = code === 'nobody' ? (source.filter ?? undefined) : undefined
      throw new DirectoryError(code, 'sample', { detail, found: withReferrals(references) })
    }
    sample = await findPerson(source, searcher, wanted)
    if (!sample) throw new DirectoryError('nobody', 'sample', { detail: wanted })
    const { dn, firstname, lastname, mail, photo, photoTooLarge } = sample
    const details = { dn, login: sample.login, firstname, lastname, mail, photo_bytes: photo?.length ?? null }
    const twice = findRepeated(logins)
    if (twice) return { ...buildWarning('ambiguous', twice), details }
    if (photoTooLarge) return { ...buildWarning('photo_too_large'), details }
    const absent = (['firstname', 'lastname', 'mail'] as const).filter(
      (name) => source.attributes[name] && !details[name],
    )
    if (absent.length > 0) {
      return { ...buildWarning('attribute_absent', absent.map((name) => source.attributes[name]).join(', ')), details }
    }
    return { message: `${sample.login} was found (${dn}).`, details }
  }

  async function findGroups(): Promise<Finding> {
    const base = groupsBaseOf(source)
    const { entries } = await searcher.search(buildBaseQuery(base, 'groups_base'))
    if (entries.length === 0) throw new DirectoryError('denied', 'groups_base', { detail: base })
    const kind = usesNetgroups(source) ? present('nisNetgroupTriple') : IS_GROUP
    const groups = await searcher.search({
      ...buildBaseQuery(base, 'groups_base'),
      scope: 'sub',
      filter: kind,
      attributes: ['cn'],
      limit: 1,
    })
    if (groups.entries.length === 0) return buildWarning('no_groups', base)
    return { message: `There are groups below ${base}.` }
  }

  async function findMembership(): Promise<Finding> {
    if (!sample) return { status: 'skipped', message: 'There is no sample entry.' }
    const groups = [
      ...(await groupsOfPerson(
        source,
        searcher,
        sample,
        createGroupMemory(() => 0),
      )),
    ].sort()
    const details = {
      login: sample.login,
      count: groups.length,
      // A test that names a person lists all groups of that person.
      groups: login === null ? groups.slice(0, SHOWN) : groups,
      means: meansOf(source),
    }
    if (differs()) return { ...buildWarning('type_differs', source.serverType), details }
    if (await refusesPages()) return { ...buildWarning('paging_unsupported'), details }
    const few = groups.slice(0, 5).join(', ')
    return { message: `${sample.login} is in ${groups.length} groups${few ? `: ${few}` : ''}.`, details }
  }

  /**
   * Yields the reason why a search found nothing although something may exist. Many servers add referrals to each answer:
   * these are the reason only if this server holds nothing else below the base.
   */
  async function explainEmptiness(references: readonly string[], cut: boolean): Promise<DirectoryErrorCode | null> {
    if (cut) return 'size_limit'
    if (references.length === 0) return null
    const below = await searcher.search({ ...buildBaseQuery(source.baseDn, 'sample'), scope: 'sub', limit: 2 })
    return below.cut || below.entries.length > 1 ? null : 'referral'
  }

  /** Tells whether the server is of another type than the source says; server type directory_b identifies itself. */
  function differs(): boolean {
    if (!rootDse) return false
    return readTexts(rootDse, 'supportedCapabilities').includes(TYPE_B) !== (source.serverType === 'directory_b')
  }

  async function refusesPages(): Promise<boolean> {
    const controls = rootDse ? readTexts(rootDse, 'supportedControl') : []
    if (controls.length > 0 && !controls.includes(PAGED_RESULTS)) return true
    return (await searcher.search({ ...buildBaseQuery(groupsBaseOf(source), 'membership'), paged: true })).unpaged
  }

  /** Yields the connection, or a new one after an answer that broke it. */
  async function ensureConnected(): Promise<Connection> {
    if (connection?.open) return connection
    const [server] = servers
    if (!server) throw new DirectoryError('unreachable', 'connect')
    const share = limit.within(limit.remaining() / 2)
    connection = await connectTo(source, server, serviceCredentialsOf(source), resolver, context, share)
    return connection
  }
}

/** Yields the referrals of an answer as facts of a step. */
function withReferrals(references: readonly string[]): Record<string, unknown> | undefined {
  return references.length > 0 ? { referrals: references.slice(0, SHOWN) } : undefined
}

function findRepeated(logins: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return logins.find((login) => seen.has(foldLogin(login)) || !seen.add(foldLogin(login)))
}

function buildBaseQuery(base: string, step: StepName): Query {
  return { step, base, scope: 'base', filter: present('objectClass'), attributes: ['objectClass'] }
}

/** Ignores a failure: not every server shows its root entry, and a broken connection is reported by the next step. */
function passOver(): null {
  return null
}
