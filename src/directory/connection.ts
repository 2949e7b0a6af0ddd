/**
 * One connection to one server. By itself the client library reconnects after a broken connection, and then without TLS.
 * Here it gets one finished socket and never another, and each bind checks the socket first.
 */
import type { connect, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import {
  Client,
  type Entry,
  PasswordPolicyControl,
  PasswordPolicyError,
  ResultCodeError,
  SASL_MECHANISMS,
} from 'ldapts'
import { type Deadline, withinDeadline } from './deadline.ts'
import { DirectoryError, retold, type StepName } from './errors.ts'
import { wire } from './filter.ts'
import type { Filter } from './filter-tree.ts'
import { type Allowance, Framing, SMALL_ALLOWANCE, USUAL_ALLOWANCE } from './framing.ts'
import { accountRefusalOf, isRefusal, translated } from './results.ts'
import { formatServer, type Server } from './servers.ts'

export type { Entry } from 'ldapts'
export type { Allowance } from './framing.ts'

/** One search, and the step of a diagnosis that it counts for when it fails. */
export interface Query {
  readonly step: StepName
  readonly base: string
  readonly scope: 'base' | 'one' | 'sub'
  readonly filter: Filter
  readonly attributes: readonly string[]
  /** Attributes whose values are binary. */
  readonly binary?: readonly string[]
  /** The size limit of the search; reaching it is no error. */
  readonly limit?: number
  /** Reads all pages of the result. */
  readonly paged?: boolean
  readonly allowance?: Allowance
}

/** What a search has found. */
export interface Answer {
  readonly entries: readonly Entry[]
  /** Referrals to other servers in the answer, which are not followed. */
  readonly references: readonly string[]
  /**
   * Whether a size limit, of the query or the server, truncated the answer; only reliable while no other search runs on the
   * connection.
   */
  readonly cut: boolean
  /** Whether the server refused paging, so that everything was requested at once. */
  readonly unpaged: boolean
}

/** Anything that can be searched: a connection with a deadline. */
export interface Searcher {
  search(query: Query): Promise<Answer>
}

const PAGE = 500
const MAX_ENTRIES = 200_000
const SIZE_LIMIT_EXCEEDED = 4

/** Codes with which servers refuse paging; for some servers it is a size limit that only applies to paged searches. */
const PAGING_REFUSED: ReadonlySet<string> = new Set(['paging_unsupported', 'size_limit', 'unwilling'])

/** One connection to a server, encrypted or not; searches and logins on it throw {@link DirectoryError}. */
export class Connection {
  readonly server: Server
  readonly encrypted: boolean
  readonly #framing: Framing
  readonly #socket: Socket
  readonly #client: Client
  readonly #tlsAskedFor: boolean
  #anonymous = true
  #open = true

  constructor(server: Server, socket: Socket, tlsAskedFor: boolean) {
    this.server = server
    this.encrypted = isEncrypted(socket)
    this.#socket = socket
    this.#tlsAskedFor = tlsAskedFor
    this.#framing = new Framing(socket)
    this.#framing.on('error', () => {}).once('close', () => this.close())
    this.#client = new Client({ url: 'ldap://directory.invalid', createConnection: connectOnce(this.#framing) })
  }

  /** Whether the connection can still be used; after any network error it cannot. */
  get open(): boolean {
    return this.#open && !this.#framing.destroyed && !this.#socket.destroyed
  }

  /** Whether the server has not sent a single byte. */
  get silent(): boolean {
    return this.#framing.received === 0
  }

  /** Binds as the service account, or anonymously when `name` is blank. */
  async bindAccount(name: string, password: string, limit: Deadline): Promise<void> {
    const policy = new PasswordPolicyControl()
    this.#anonymous = name === ''
    try {
      await this.#bind(name, password, policy, limit)
    } catch (error) {
      if (!(error instanceof ResultCodeError)) throw this.#told(error, 'bind')
      const locked = policy.value?.error === PasswordPolicyError.AccountLocked
      const expired = policy.value?.error === PasswordPolicyError.PasswordExpired
      const code = locked ? 'account_locked' : expired ? 'account_expired' : accountRefusalOf(error, this.#anonymous)
      const detail = code === 'failed' ? `LDAP result ${error.code}` : undefined
      throw new DirectoryError(code, 'bind', { server: formatServer(this.server), detail, cause: error })
    }
  }

  /** Tells whether the server accepts this password for this entry. */
  async accepts(dn: string, password: string, limit: Deadline): Promise<boolean> {
    if (dn === '') return false
    try {
      await this.#bind(dn, password, null, limit)
      return true
    } catch (error) {
      if (isRefusal(error)) return false
      throw this.#told(error, 'bind')
    }
  }

  /** Yields a searcher that has to answer before the deadline. */
  searcher(limit: Deadline): Searcher {
    return { search: (query) => this.#search(query, limit) }
  }

  /** Closes the connection for good, with an unbind request if the server still listens. */
  close(): void {
    if (!this.#open) return
    this.#open = false
    if (!this.#framing.destroyed) this.#client.unbind().catch(() => {})
    setImmediate(() => this.#framing.destroy())
  }

  async #bind(name: string, password: string, policy: PasswordPolicyControl | null, limit: Deadline): Promise<void> {
    if (name !== '' && password === '') throw new DirectoryError('password_missing', 'bind')
    // The library interprets these names as SASL mechanisms.
    if (SASL_MECHANISMS.some((mechanism) => mechanism === name)) throw new DirectoryError('account_name', 'bind')
    this.#checkEncryption()
    this.#framing.allow(SMALL_ALLOWANCE)
    await this.#timed('bind', limit, this.#client.bind(name, password, policy ?? undefined))
  }

  async #search(query: Query, limit: Deadline): Promise<Answer> {
    this.#checkEncryption()
    if (!query.paged) return { ...(await this.#read(query, limit)), unpaged: false }
    try {
      return { ...(await this.#read(query, limit)), unpaged: false }
    } catch (error) {
      if (!(error instanceof DirectoryError) || !PAGING_REFUSED.has(error.code)) throw error
      const answer = await this.#read({ ...query, paged: false }, limit).catch(() => Promise.reject(error))
      return { ...answer, unpaged: true }
    }
  }

  async #read(query: Query, limit: Deadline): Promise<Omit<Answer, 'unpaged'>> {
    const entries: Entry[] = []
    const references: string[] = []
    const allowance = query.allowance ?? (query.scope === 'base' || query.limit ? SMALL_ALLOWANCE : USUAL_ALLOWANCE)
    try {
      this.#framing.allow(allowance)
      for await (const page of this.#pages(query, limit)) {
        entries.push(...page.searchEntries)
        references.push(...page.searchReferences)
        if (entries.length + references.length > MAX_ENTRIES) throw new DirectoryError('answer_too_large', query.step)
        this.#framing.allow(allowance)
      }
    } catch (error) {
      throw this.#told(error, query.step)
    }
    return { entries, references, cut: this.#framing.lastSearchResult === SIZE_LIMIT_EXCEEDED }
  }

  async *#pages(query: Query, limit: Deadline) {
    const options = {
      scope: query.scope,
      filter: wire(query.filter),
      attributes: [...query.attributes],
      explicitBufferAttributes: [...(query.binary ?? [])],
      sizeLimit: query.limit,
      timeLimit: Math.max(1, Math.ceil(limit.remaining() / 1000)),
    }
    if (!query.paged) {
      yield await this.#timed(query.step, limit, this.#client.search(query.base, options))
      return
    }
    const pages = this.#client.searchPaginated(query.base, { ...options, paged: { pageSize: PAGE } })
    for (;;) {
      const next = await this.#timed(query.step, limit, pages.next())
      if (next.done) return
      yield next.value
    }
  }

  /**
   * Waits for the work until the deadline, then fails and closes the connection: a late answer must not be taken for that of
   * the next request.
   */
  async #timed<T>(step: StepName, limit: Deadline, work: Promise<T>): Promise<T> {
    return withinDeadline(limit, work, () => {
      this.close()
      return new DirectoryError('timeout', step, { server: formatServer(this.server) })
    })
  }

  #checkEncryption(): void {
    if (!this.open) throw this.#framing.failure ?? new DirectoryError('closed', 'bind')
    if (this.#tlsAskedFor && !isEncrypted(this.#socket)) {
      this.close()
      throw new DirectoryError('tls_lost', 'tls', { server: formatServer(this.server) })
    }
  }

  #told(error: unknown, step: StepName): DirectoryError {
    const server = formatServer(this.server)
    const reason = this.#framing.failure
    if (error instanceof ResultCodeError) return translated(error, step, server, this.#anonymous)
    this.close()
    if (error instanceof DirectoryError && error.code === 'timeout') return error
    if (reason) return retold(reason, reason.step === 'tls' ? 'tls' : step, { server })
    if (error instanceof DirectoryError) return error
    return new DirectoryError('garbage', step, { server, cause: error }) // the message cannot be decoded
  }
}

function isEncrypted(socket: Socket): boolean {
  return socket instanceof TLSSocket && socket.encrypted && socket.authorized
}

/**
 * Yields the library's connect function for its first and only connection. The library uses only stream methods of a socket.
 */
function connectOnce(framing: Framing): typeof connect {
  let given = false
  const give = (): Socket => {
    if (given) throw new DirectoryError('closed', 'connect')
    given = true
    return framing as unknown as Socket
  }
  return give as typeof connect
}
