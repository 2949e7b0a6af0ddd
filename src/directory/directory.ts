/** One directory as the rest of the program sees it: it finds people, checks passwords and lists groups. */
import type { SecureContext } from 'node:tls'
import { type ConnectOptions, connectTo, connectToAny, ownCredentialsOf, serviceCredentialsOf } from './connecting.ts'
import type { Connection, Searcher } from './connection.ts'
import { createDeadline, type Deadline, withinDeadline } from './deadline.ts'
import { DirectoryError, isAccountRefusal } from './errors.ts'
import { type Breaker, type Contact, createCircuitBreaker, createServerHealth, type ServerHealth } from './health.ts'
import { findGroupsNamed } from './membership/groups.ts'
import { groupsOfPerson, membersOfGroup } from './membership/index.ts'
import { createGroupMemory, type GroupMemory } from './membership/memory.ts'
import { checkPeopleExist, findPerson, isLogin, type Person } from './person.ts'
import { type Connections, Pool } from './pool.ts'
import { openResolver, type Resolver } from './servers.ts'
import { type DirectorySource, usesOwnAccount } from './source.ts'
import { trust } from './trust.ts'

export type { Person } from './person.ts'

/** A directory as one source describes it. */
export interface Directory extends AsyncDisposable {
  /** Yields the person when the password is right; null for an unknown login or a wrong password. */
  authenticate(login: string, password: string): Promise<Person | null>
  /** Finds the person with this login; null when there is none. */
  find(login: string): Promise<Person | null>
  /** Yields the names of all groups of a person, nested ones too, in lower case. */
  groupsOf(person: Person): Promise<ReadonlySet<string>>
  /** Yields the logins of all members of a group, nested ones too, in lower case; null when there is no such group. */
  membersOf(group: string): Promise<ReadonlySet<string> | null>
  /** Tells whether there is a group of this name. */
  hasGroup(name: string): Promise<boolean>
  /** Tells whether the directory was unreachable when it was last used. */
  isAway(): boolean
  /** Tells how the last call ended. */
  contact(): Contact
  /** Counts its open connections: those for searches, and those for checking passwords. */
  connections(): Connections
}

/** Limits of a directory, and what surrounds its calls. */
export interface DirectoryOptions {
  /**
   * Milliseconds for each call as a whole, waiting for a connection and fail-over included; 10 seconds by default, six times
   * that for lists of members.
   */
  readonly deadlineMs?: number
  /** The maximum number of connections for searches, and again for checking passwords; 4 by default. */
  readonly poolSize?: number
  /** Wraps each call, with the id of the source and the name of the call. */
  readonly around?: CallObserver
  /** A monotonic clock in milliseconds, for what is remembered of failures and groups. */
  readonly now?: () => number
}

/** Wraps a call of a directory. */
export type CallObserver = <Result>(source: number, call: string, work: () => Promise<Result>) => Promise<Result>

/** Opens a directory; connections are made when they are needed. Calls fail only with DirectoryError. */
export function openDirectory(source: DirectorySource, options: DirectoryOptions = {}): Directory {
  return new LdapDirectory(source, options)
}

const MAX_PASSWORD = 4_096

/** How much longer a list of members may take, because it may be long and nobody waits for it. */
const LIST_PATIENCE = 6

/**
 * The share of the remaining time for a reused connection, so that enough is left for a new one when it turns out to be
 * dead.
 */
const REUSED_SHARE = 0.4

class LdapDirectory implements Directory {
  readonly #source: DirectorySource
  readonly #deadlineMs: number
  readonly #around: CallObserver
  readonly #resolver: Resolver = openResolver()
  readonly #health: ServerHealth
  readonly #breaker: Breaker
  readonly #memory: GroupMemory
  /** Connections bound as the service account, for searches; never used to check a password. */
  readonly #searchers: Pool
  /** Connections for checking passwords; never used for searches. */
  readonly #binders: Pool
  readonly #active = new Set<Promise<unknown>>()
  #context: SecureContext | null = null
  #peopleSeen = false
  #shut = false

  constructor(
    source: DirectorySource,
    {
      deadlineMs = 10_000,
      poolSize = 4,
      around = (_source, _call, work) => work(),
      now = readSteadyClock,
    }: DirectoryOptions,
  ) {
    this.#source = source
    this.#deadlineMs = deadlineMs
    this.#around = around
    this.#health = createServerHealth(now)
    this.#memory = createGroupMemory(now)
    this.#searchers = new Pool(poolSize, async (limit) =>
      connectToAny(source, serviceCredentialsOf(source), this.#surroundings(), limit),
    )
    this.#binders = new Pool(poolSize, async (limit) => connectToAny(source, null, this.#surroundings(), limit))
    this.#breaker = createCircuitBreaker(now, (error) => {
      this.#searchers.refuse(error)
      this.#binders.refuse(error)
    })
  }

  async authenticate(login: string, password: string): Promise<Person | null> {
    if (!isLogin(login) || !isPassword(password)) return null
    if (usesOwnAccount(this.#source))
      return this.#call('authenticate', (limit) => this.#asThemselves(login, password, limit))
    return this.#call('authenticate', async (limit) => {
      const person = await this.#find(login, this.#searcher(limit))
      if (!person) return null
      const accepts = (connection: Connection, share: Deadline) => connection.accepts(person.dn, password, share)
      return (await this.#on(this.#binders, limit, accepts)) ? person : null
    })
  }

  async find(login: string): Promise<Person | null> {
    if (!isLogin(login)) return null
    return this.#call('find', (limit) => this.#find(login, this.#searcher(limit)))
  }

  async groupsOf(person: Person): Promise<ReadonlySet<string>> {
    return this.#asking('groups of', (searcher) => groupsOfPerson(this.#source, searcher, person, this.#memory))
  }

  async membersOf(group: string): Promise<ReadonlySet<string> | null> {
    const patience = this.#deadlineMs * LIST_PATIENCE
    return this.#asking('members of', (searcher) => membersOfGroup(this.#source, searcher, group), patience)
  }

  async hasGroup(name: string): Promise<boolean> {
    return this.#asking(
      'has group',
      async (searcher) => (await findGroupsNamed(this.#source, searcher, name, [])).length > 0,
    )
  }

  /** Waits for calls that are under way, at most for the time of one deadline. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#shut = true
    const late = () => new DirectoryError('shut', 'connect')
    await withinDeadline(createDeadline(this.#deadlineMs), Promise.allSettled(this.#active), late).catch(() => {})
    this.#searchers[Symbol.dispose]()
    this.#binders[Symbol.dispose]()
  }

  /** Binds with the person's own password to look the person up, then as the entry that was found (core-api §6.3). */
  async #asThemselves(login: string, password: string, limit: Deadline): Promise<Person | null> {
    const connection = await connectToAny(
      this.#source,
      ownCredentialsOf(this.#source, login, password),
      this.#surroundings(),
      limit,
    ).catch(toNullIfRefused)
    if (!connection) return null
    try {
      const searcher = this.#reconnecting(connection, login, password, limit)
      const person = await this.#find(login, searcher)
      if (!person) return null
      await using binder = withClosing(
        await connectTo(this.#source, connection.server, null, this.#resolver, this.#trust(), limit),
      )
      return (await binder.connection.accepts(person.dn, password, limit)) ? person : null
    } finally {
      connection.close()
    }
  }

  /** Finds a person. When nobody is found, and nobody ever was, it checks whether the settings are wrong. */
  async #find(login: string, searcher: Searcher): Promise<Person | null> {
    const person = await findPerson(this.#source, searcher, login)
    if (!person && !this.#peopleSeen) await checkPeopleExist(this.#source, searcher)
    this.#peopleSeen = true
    return person
  }

  isAway(): boolean {
    return this.#breaker.isOpen()
  }

  contact(): Contact {
    return this.#breaker.contact()
  }

  connections(): Connections {
    const [searchers, binders] = [this.#searchers.state(), this.#binders.state()]
    return {
      idle: searchers.idle + binders.idle,
      busy: searchers.busy + binders.busy,
      waiting: searchers.waiting + binders.waiting,
    }
  }

  /** Performs a call with its deadline and the circuit breaker; refuses it once the directory is closed. */
  async #call<T>(call: string, work: (limit: Deadline) => Promise<T>, milliseconds = this.#deadlineMs): Promise<T> {
    if (this.#shut) throw new DirectoryError('shut', 'connect')
    this.#breaker.enter()
    const running = this.#around(this.#source.id, call, () => work(createDeadline(milliseconds)))
    this.#active.add(running)
    try {
      const result = await running
      this.#breaker.succeeded()
      return result
    } catch (error) {
      if (isLongList(error)) this.#breaker.succeeded()
      else this.#breaker.failed(error)
      throw error
    } finally {
      this.#active.delete(running)
    }
  }

  /** Performs a call that makes several searches, all on one connection. */
  async #asking<T>(call: string, work: (searcher: Searcher) => Promise<T>, milliseconds?: number): Promise<T> {
    return this.#call(
      call,
      (limit) => this.#on(this.#searchers, limit, (connection, share) => work(connection.searcher(share))),
      milliseconds,
    )
  }

  /** Yields a searcher that makes each search on any connection. */
  #searcher(limit: Deadline): Searcher {
    return {
      search: (query) =>
        this.#on(this.#searchers, limit, (connection, share) => connection.searcher(share).search(query)),
    }
  }

  /** Does work on a connection, and once more on a new one when a reused one turned out to be dead. */
  async #on<T>(pool: Pool, limit: Deadline, work: (connection: Connection, share: Deadline) => Promise<T>): Promise<T> {
    const { connection, reused } = await pool.acquire(limit)
    try {
      return await work(connection, reused ? limit.within(limit.remaining() * REUSED_SHARE) : limit)
    } catch (error) {
      if (!reused || !isDead(error)) throw error
    } finally {
      pool.release(connection)
    }
    const fresh = await pool.acquire(limit, true)
    try {
      return await work(fresh.connection, limit)
    } finally {
      pool.release(fresh.connection)
    }
  }

  /** Yields a searcher on a connection of a person, which is replaced by a new one after an answer that broke it. */
  #reconnecting(first: Connection, login: string, password: string, limit: Deadline): Searcher {
    return {
      search: async (query) => {
        if (first.open) return first.searcher(limit).search(query)
        const credentials = ownCredentialsOf(this.#source, login, password)
        const server = first.server
        await using next = withClosing(
          await connectTo(this.#source, server, credentials, this.#resolver, this.#trust(), limit),
        )
        return next.connection.searcher(limit).search(query)
      },
    }
  }

  #surroundings(): ConnectOptions {
    return { resolver: this.#resolver, context: this.#trust(), health: this.#health }
  }

  #trust(): SecureContext | null {
    if (this.#source.security === 'none') return null
    this.#context ??= trust(this.#source.caCertificate)
    return this.#context
  }
}

/**
 * Refuses passwords with NUL: servers that take it as the end of a text would see an empty password, with which any bind
 * succeeds (RFC 4513 §5.1.2).
 */
function isPassword(password: string): boolean {
  return password !== '' && password.length <= MAX_PASSWORD && !password.includes('\0')
}

/** Tells whether reading a group took too long, which says nothing about logins. */
function isLongList(error: unknown): boolean {
  return error instanceof DirectoryError && error.code === 'timeout' && error.step === 'membership'
}

function isDead(error: unknown): boolean {
  return error instanceof DirectoryError && (error.code === 'closed' || error.code === 'timeout')
}

/** Yields null when the server refused the account of a person, because the password is wrong; throws other errors. */
function toNullIfRefused(error: unknown): null {
  if (isAccountRefusal(error)) return null
  throw error
}

function withClosing(connection: Connection): AsyncDisposable & { connection: Connection } {
  return { connection, [Symbol.asyncDispose]: async () => connection.close() }
}

function readSteadyClock(): number {
  return performance.now()
}
