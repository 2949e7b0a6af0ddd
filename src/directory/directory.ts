/** One directory as the rest of the program sees it: who people are, whether a password is theirs, and in which groups they are. */
import type { SecureContext } from 'node:tls'
import { connectTo, connectToAny, ownCredentials, type Surroundings, serviceCredentials } from './connecting.ts'
import type { Connection, Searcher } from './connection.ts'
import { before, type Deadline, deadline } from './deadline.ts'
import { DirectoryError, isAccountRefusal } from './errors.ts'
import { type Breaker, circuitBreaker, type ServerHealth, serverHealth } from './health.ts'
import { groupsNamed } from './membership/groups.ts'
import { groupsOfPerson, membersOfGroup } from './membership/index.ts'
import { type GroupMemory, groupMemory } from './membership/memory.ts'
import { checkPeopleExist, findPerson, isLogin, type Person } from './person.ts'
import { type Connections, Pool } from './pool.ts'
import { openResolver, type Resolver } from './servers.ts'
import { type DirectorySource, usesOwnAccount } from './source.ts'
import { trust } from './trust.ts'

export type { Person } from './person.ts'

export interface Directory extends AsyncDisposable {
  /** The person, when the password is theirs; null for an unknown login or a wrong password. */
  authenticate(login: string, password: string): Promise<Person | null>
  /** The person with this login, null when there is none. */
  find(login: string): Promise<Person | null>
  /** The names of all groups of a person, nested ones too, in lower case. */
  groupsOf(person: Person): Promise<ReadonlySet<string>>
  /** The logins of all members of a group, nested ones too, in lower case; null when there is no such group. */
  membersOf(group: string): Promise<ReadonlySet<string> | null>
  /** Whether there is a group of this name. */
  hasGroup(name: string): Promise<boolean>
  /** Whether it could not be reached the last time it was asked. */
  isAway(): boolean
  /** Its connections now, those for searches and those for checking passwords. */
  connections(): Connections
}

export interface DirectoryOptions {
  /** For each call as a whole, waiting in line and fail-over included; 10 seconds. Six times that for lists of members. */
  readonly deadlineMs?: number
  /** Connections at most, for searches and again for checking passwords; 4. */
  readonly poolSize?: number
  /** Does each call inside of something, by the id of the source and the name of the call. */
  readonly around?: Around
  /** Milliseconds of a clock that never jumps, for what is remembered of failures and groups. */
  readonly now?: () => number
}

export type Around = <Result>(source: number, call: string, work: () => Promise<Result>) => Promise<Result>

/** Opens a directory; nothing is connected before the first question. Every call fails with DirectoryError only. */
export function openDirectory(source: DirectorySource, options: DirectoryOptions = {}): Directory {
  return new LdapDirectory(source, options)
}

const MAX_PASSWORD = 4_096
/** Nobody waits for a list of members, which may be long. */
const LIST_PATIENCE = 6
/** Of the time left, so that a connection that died unnoticed leaves enough for another one. */
const REUSED_SHARE = 0.4

class LdapDirectory implements Directory {
  readonly #source: DirectorySource
  readonly #deadlineMs: number
  readonly #around: Around
  readonly #resolver: Resolver = openResolver()
  readonly #health: ServerHealth
  readonly #breaker: Breaker
  readonly #memory: GroupMemory
  /** Bound as the service account, for searches; never used to try a password. */
  readonly #searchers: Pool
  /** For trying passwords; never used to search. */
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
      now = steadyClock,
    }: DirectoryOptions,
  ) {
    this.#source = source
    this.#deadlineMs = deadlineMs
    this.#around = around
    this.#health = serverHealth(now)
    this.#memory = groupMemory(now)
    this.#searchers = new Pool(poolSize, async (limit) =>
      connectToAny(source, serviceCredentials(source), this.#surroundings(), limit),
    )
    this.#binders = new Pool(poolSize, async (limit) => connectToAny(source, null, this.#surroundings(), limit))
    this.#breaker = circuitBreaker(now, (error) => {
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
      async (searcher) => (await groupsNamed(this.#source, searcher, name, [])).length > 0,
    )
  }

  /** Lets the calls that are under way finish, for the time of one deadline. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#shut = true
    const late = () => new DirectoryError('shut', 'connect')
    await before(deadline(this.#deadlineMs), Promise.allSettled(this.#active), late).catch(() => {})
    this.#searchers[Symbol.dispose]()
    this.#binders[Symbol.dispose]()
  }

  /** Binds with the password of the person to look the person up, then as the entry found (core-api §6.3). */
  async #asThemselves(login: string, password: string, limit: Deadline): Promise<Person | null> {
    const connection = await connectToAny(
      this.#source,
      ownCredentials(this.#source, login, password),
      this.#surroundings(),
      limit,
    ).catch(refusedOrThrown)
    if (!connection) return null
    try {
      const searcher = this.#reconnecting(connection, login, password, limit)
      const person = await this.#find(login, searcher)
      if (!person) return null
      await using binder = closing(
        await connectTo(this.#source, connection.server, null, this.#resolver, this.#trust(), limit),
      )
      return (await binder.connection.accepts(person.dn, password, limit)) ? person : null
    } finally {
      connection.close()
    }
  }

  /** Nobody of this login; before anybody was ever found that might be the fault of the settings. */
  async #find(login: string, searcher: Searcher): Promise<Person | null> {
    const person = await findPerson(this.#source, searcher, login)
    if (!person && !this.#peopleSeen) await checkPeopleExist(this.#source, searcher)
    this.#peopleSeen = true
    return person
  }

  isAway(): boolean {
    return this.#breaker.isOpen()
  }

  connections(): Connections {
    const [searchers, binders] = [this.#searchers.state(), this.#binders.state()]
    return {
      idle: searchers.idle + binders.idle,
      busy: searchers.busy + binders.busy,
      waiting: searchers.waiting + binders.waiting,
    }
  }

  /** One call as a whole: its deadline, the breaker, and the end of the directory. */
  async #call<T>(call: string, work: (limit: Deadline) => Promise<T>, milliseconds = this.#deadlineMs): Promise<T> {
    if (this.#shut) throw new DirectoryError('shut', 'connect')
    this.#breaker.enter()
    const running = this.#around(this.#source.id, call, () => work(deadline(milliseconds)))
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

  /** A call that puts several questions to one connection. */
  async #asking<T>(call: string, work: (searcher: Searcher) => Promise<T>, milliseconds?: number): Promise<T> {
    return this.#call(
      call,
      (limit) => this.#on(this.#searchers, limit, (connection, share) => work(connection.searcher(share))),
      milliseconds,
    )
  }

  /** Puts each question to any connection. */
  #searcher(limit: Deadline): Searcher {
    return {
      search: (query) =>
        this.#on(this.#searchers, limit, (connection, share) => connection.searcher(share).search(query)),
    }
  }

  /** Does the work on a connection; once more on a new one when an old one turned out to be dead. */
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

  /** Searches on a connection of a person; on a new one after an answer that broke it off. */
  #reconnecting(first: Connection, login: string, password: string, limit: Deadline): Searcher {
    return {
      search: async (query) => {
        if (first.open) return first.searcher(limit).search(query)
        const credentials = ownCredentials(this.#source, login, password)
        const server = first.server
        await using next = closing(
          await connectTo(this.#source, server, credentials, this.#resolver, this.#trust(), limit),
        )
        return next.connection.searcher(limit).search(query)
      },
    }
  }

  #surroundings(): Surroundings {
    return { resolver: this.#resolver, context: this.#trust(), health: this.#health }
  }

  #trust(): SecureContext | null {
    if (this.#source.security === 'none') return null
    this.#context ??= trust(this.#source.caCertificate)
    return this.#context
  }
}

/** Servers that treat NUL as the end of a text would see an empty password, which any account accepts (RFC 4513 §5.1.2). */
function isPassword(password: string): boolean {
  return password !== '' && password.length <= MAX_PASSWORD && !password.includes('\0')
}

/** Groups that take too long to read say nothing about logins. */
function isLongList(error: unknown): boolean {
  return error instanceof DirectoryError && error.code === 'timeout' && error.step === 'membership'
}

function isDead(error: unknown): boolean {
  return error instanceof DirectoryError && (error.code === 'closed' || error.code === 'timeout')
}

/** The account of a person was refused: the password is wrong. */
function refusedOrThrown(error: unknown): null {
  if (isAccountRefusal(error)) return null
  throw error
}

function closing(connection: Connection): AsyncDisposable & { connection: Connection } {
  return { connection, [Symbol.asyncDispose]: async () => connection.close() }
}

function steadyClock(): number {
  return performance.now()
}
