import type { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Db } from './database/sql.ts'
import type { Directories } from './directory/directories.ts'
import type { Encryption } from './encryption.ts'
import { Failure } from './errors.ts'
import type { Settings } from './settings.ts'

/** One permission of somebody: the union of these conditions. An empty one means every record. */
export interface Grant {
  /** Condition in the search language of the permission's resource; null means no condition. */
  readonly search: string | null
  /** Records must belong to one of these (descendants included); null means no condition. */
  readonly organizations: readonly number[] | null
  readonly locations: readonly number[] | null
}

/** Who acts. Made by `identity/` once per login and cached; everything authorization needs without another query. */
export interface Actor {
  readonly id: number
  readonly login: string
  /** "First Last" or the login, as audits show it. */
  readonly name: string
  /** By its own flag or through a user group, however deep. */
  readonly admin: boolean
  /** The service does something for them that they may not do themselves: administration is not their own. */
  readonly lent?: boolean
  readonly disabled: boolean
  /** IANA name of the time zone that dates in searches are read in; null means UTC. */
  readonly timezone: string | null
  /** Assigned organizations with all descendants, and those that take in every user. */
  readonly organizations: readonly number[]
  readonly locations: readonly number[]
  readonly grants: ReadonlyMap<string, readonly Grant[]>
  /** A machine: its records lie in one of these places, whatever else is said of it. Absent for users. */
  readonly places?: readonly Places[]
}

/** Whoever the service itself acts as: for machines, which are no users, and by commands. Nothing limits its places. */
export const SERVICE: Actor = {
  ...{ id: 0, login: '', name: 'System', admin: true, disabled: false, timezone: null },
  ...{ organizations: [], locations: [], grants: new Map() },
}

/** Where a machine acts: in these organizations and these locations, and in what lies below them; null: in any. */
export interface Places {
  readonly organizations: readonly number[] | null
  readonly locations: readonly number[] | null
}

/** The organization and the location a request is about; null means any. */
export interface Scope {
  readonly organization: number | null
  readonly location: number | null
  /** Named by the request itself rather than taken from the session: lists then show what is linked directly. */
  readonly named: boolean
}

/** Where one organization or location lies among the others. */
export interface TreeNode {
  /** Ids of those it lies in, from the root. */
  readonly above: readonly number[]
  readonly below: readonly number[]
  /** Types whose records all belong to it. */
  readonly takesIn: readonly string[]
}

export type Tree = ReadonlyMap<number, TreeNode>

/** Both trees as they were a moment ago: as fresh as the actor, whose own places are remembered in the same way. */
export interface Trees {
  readonly organizations: Tree
  readonly locations: Tree
}

/** Number of rows per statement, with the version of the tables that it was counted at (docs/decisions/0003-exact-totals.md). */
export type CountCache = LRUCache<string, { readonly version: number; readonly count: number }>

/** Where a request came from, for audits and logs. */
export interface Origin {
  readonly requestId: string
  readonly address: string | null
  /** What the caller calls this service, with its port; absent where nobody called it. */
  readonly host?: string
  /** Whether it came by HTTPS, maybe through a trusted proxy. */
  readonly secure: boolean
  /** How the caller is known; null where nobody has to be. */
  readonly login: 'password' | 'token' | 'session' | 'delegated' | null
  /** The cookie of the session it rides on; null for all other kinds of login. */
  readonly session: string | null
}

/** Counts failed logins per client address and refuses addresses with too many (core-api §4.8). */
export interface Lockout {
  /** Throws `locked_out` for an address at the limit. Costs no statement while notifications arrive. */
  readonly check: (address: string | null) => Promise<void>
  /** Counts a failed login; the five minutes until it is forgotten start anew. */
  readonly fail: (address: string | null) => Promise<void>
}

/** What the configuration of this process says about smart proxies: nobody can change it through the API. */
export interface ProxyAccess {
  /** Who we are to proxies with https, and whom we trust; PEM. Without authorities: what this machine trusts. */
  readonly tls: { readonly certificate?: string; readonly key?: string; readonly authorities?: string }
  /** Absolute paths of the programs that configuration runs may start on this machine. */
  readonly commands: readonly string[]
}

/** Everybody in this process who waits for something to happen in a run; all share one channel of the database. */
export interface Followers extends Disposable {
  /** Waits with one run from now on; dispose it when nobody listens any more. */
  follow(runId: number): Follower
  /** Everybody looks anew at what they wait for: whether they may, too. */
  wake(): void
  /** How many there are. */
  waiting(): number
}

/** Waits with one run. */
export interface Follower extends Disposable {
  /**
   * Resolves when something has changed since the last call or may have, when the time is over, and with `closed` once
   * the signal or the end of the service asks to stop waiting.
   */
  change(timeoutMs: number, signal?: AbortSignal): Promise<'changed' | 'timeout' | 'closed'>
}

/**
 * What everything that touches the world takes first. Inside a transaction only the inner context is usable: the outer
 * handle refuses, on both databases, instead of waiting for a connection for ever.
 */
export interface Context {
  readonly db: Db
  readonly user: Actor
  readonly scope: Scope
  readonly trees: Trees
  readonly origin: Origin
  readonly settings: Settings
  readonly encryption: Encryption
  /** Counts wrong passwords of whoever sends the request; its statements are of no transaction. */
  readonly lockout: Lockout
  /** MiB that hashing a password takes. */
  readonly passwordMemoryMiB: number
  /** The directories that users come from; nothing is asked of them inside a transaction. */
  readonly directories: Directories
  /** How smart proxies are reached; nothing is asked of them inside a transaction. */
  readonly proxies: ProxyAccess
  /** Those who wait for something to happen in a configuration run. */
  readonly followers: Followers
  /** Counts of rows that stay true until one of their tables changes. */
  readonly counts: CountCache
  readonly now: () => Date
  readonly log: Logger
  /** Tells whoever sent the request what it did beside what was asked for; the header Warning of the answer. */
  readonly warn?: (sentence: string) => void
  /** Called with the name of a resource when a record of it has been locked to be written: what is written may depend on it. */
  readonly beforeWrite?: ((tx: Context, resource: string) => Promise<void>) | undefined
  /**
   * Yields the context of the request as if it came now: for answers that go on and on, whose reader may come to lose what
   * let them in. Absent where no request asks. {@throws Failure} what would refuse it
   */
  readonly renewed?: () => Promise<Context>
  /** Runs once the surrounding transaction has committed; at once outside of one. Never runs after a rollback. */
  readonly afterCommit: (effect: () => void | Promise<void>) => void
}

/** Runs `work` in one transaction with a context of its own, and the effects it asked for after the commit. */
export async function inTransaction<Result>(ctx: Context, work: (tx: Context) => Promise<Result>): Promise<Result> {
  if (ctx.db.isTransaction) return work(ctx)
  const effects: (() => void | Promise<void>)[] = []
  const result = await ctx.db
    .transaction()
    .execute((db) => work({ ...ctx, db, afterCommit: (effect) => void effects.push(effect) }))
    .catch((error: unknown) => {
      throw isDeadlock(error) ? conflicting(error) : error
    })
  for (const effect of effects) await effect()
  return result
}

/** The refusal for whoever was ended because two transactions waited for each other, or saw what the other changed. */
function conflicting(cause: unknown): Failure {
  const message = 'Another request changed the same records at the same time, please try again'
  return new Failure('conflict', message, {}, { cause })
}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001')
}

/** Yields the context of the service at work for a request: it may write what the caller may not. Audits name the caller. */
export function asService(ctx: Context): Context {
  return { ...ctx, user: { ...ctx.user, admin: true, lent: ctx.user.lent ?? !ctx.user.admin } }
}

/** Yields the context of the service, of no organization or location: what it writes says itself where it belongs. */
export function asTrustedService(ctx: Context): Context {
  return { ...asService(ctx), scope: { organization: null, location: null, named: false } }
}
