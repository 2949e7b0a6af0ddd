import type { Logger } from 'pino'
import { bufferAudits, writeAudits } from './database/audits.ts'
import { createConflict, isConflict } from './database/failures.ts'
import type { RowCounts } from './database/row-counts.ts'
import { inUndoneSavepoint } from './database/savepoints.ts'
import type { Db } from './database/sql.ts'
import type { Directories } from './directory/directories.ts'
import type { Contact } from './directory/health.ts'
import type { Encryption } from './encryption/encryption.ts'
import { rememberPairs } from './lib/lazy.ts'
import type { RelyingParty } from './openid/relying-party.ts'
import type { References } from './references/references.ts'
import type { Settings } from './settings/settings.ts'

export type { Contact }

/** One grant of a permission: all of its conditions must hold; without any it covers every record. */
export interface Grant {
  /** Condition in the search language of the permission's resource; null means no condition. */
  readonly search: string | null
  /** Records must belong to one of these (descendants included); null means no condition. */
  readonly organizations: readonly number[] | null
  readonly locations: readonly number[] | null
}

/**
 * Who acts: a user, the service or a machine, with all that authorization needs. Users are loaded by
 * `areas/access/identity` and cached.
 */
export interface Actor {
  readonly id: number
  readonly login: string
  /** The first and the last name as far as there are any, or else the login; audits show it. */
  readonly name: string
  /** By a flag of the user or of a user group that the user is in, however deep. */
  readonly admin: boolean
  /** Administrator only while the service does something on the user's behalf. */
  readonly lent?: boolean
  readonly disabled: boolean
  /** Acts by a token with limits: what users may do with their own records without a permission is not part of it. */
  readonly limited?: boolean
  /** Whether they have a second factor, and since when they are asked to set one up; null: they are not, or not yet. */
  readonly secondFactor?: { readonly has: boolean; readonly due: string | null }
  /** Names of all roles that they hold, but for the default role. */
  readonly roles?: readonly string[]
  /** IANA name of the time zone that dates in searches are read in; null means UTC. */
  readonly timezone: string | null
  /** Assigned organizations with all descendants, and those that take in every user. */
  readonly organizations: readonly number[]
  readonly locations: readonly number[]
  readonly grants: ReadonlyMap<string, readonly Grant[]>
  /** For machines and for limited tokens of administrators: the places of all their records, whatever else they may do. */
  readonly places?: readonly Places[]
}

/** The service as an actor, for commands and for machines, which are no users. No places limit it. */
export const SERVICE: Actor = {
  id: 0,
  login: '',
  name: 'System',
  admin: true,
  disabled: false,
  timezone: null,
  organizations: [],
  locations: [],
  grants: new Map(),
}

/** The organizations and locations where a machine acts, with all below them; null: all of them. */
export interface Places {
  readonly organizations: readonly number[] | null
  readonly locations: readonly number[] | null
}

/** The organization and the location a request is about; null means any. */
export interface Scope {
  readonly organization: number | null
  readonly location: number | null
  /**
   * Whether the request itself names the organization or location instead of inheriting it from the session: lists then
   * show only records linked directly, unless they are asked for what may be referred to.
   */
  readonly named: boolean
}

/** The position of an organization or location in its tree. */
export interface TreeNode {
  /** Ids of its ancestors, from the root down. */
  readonly above: readonly number[]
  readonly below: readonly number[]
  /** Types of which all records belong to it. */
  readonly takesIn: readonly string[]
}

/** The positions of all organizations, or of all locations, by id. */
export type Tree = ReadonlyMap<number, TreeNode>

/** Both trees, cached for as long as actors are, whose places are computed from them. */
export interface Trees {
  readonly organizations: Tree
  readonly locations: Tree
}

/** The rights with which a request or a task goes on, when it does more than one transaction or portion. */
export interface Standing {
  /** Whether something was begun already: the first transaction or portion follows the admission of the caller. */
  readonly progress: { begun: boolean }
  /** Finds the caller again. {@throws Failure} when the request would be refused now */
  readonly renew: () => Promise<Pick<Context, 'user' | 'trees'>>
}

/** Where a request came from, for audits and logs. */
export interface Origin {
  readonly requestId: string
  readonly address: string | null
  /** Host name and port by which the client addressed this service; absent without a request. */
  readonly host?: string
  /** The path below which the client addressed it, without a slash at its end; absent without a request. */
  readonly base?: string
  /** Whether the request came by HTTPS, maybe through a trusted proxy. */
  readonly secure: boolean
  /** How the actor proved who they are; null when that was not needed. */
  readonly login: 'password' | 'token' | 'session' | 'delegated' | 'provider' | null
  /** The session cookie of the request; null for other kinds of login. */
  readonly session: string | null
  /** The reason that the caller gives for seeing hidden values; null without one. */
  readonly reason?: string | null
}

/** Counts failed logins per client address and refuses addresses with too many (core-api §4.8). */
export interface Lockout {
  /** Throws `locked_out` for an address at the limit. Costs no statement while notifications arrive. */
  readonly check: (address: string | null) => Promise<void>
  /** Counts a failed login, and restarts the five minutes after which the failures are forgotten. */
  readonly fail: (address: string | null) => Promise<void>
}

/** How the last contacts of this process with smart proxies ended, by their URLs. Nothing of it is stored. */
export interface ProxyContacts {
  succeeded(url: string): void
  /** `message`: the reason in a sentence for administrators, without secrets. */
  failed(url: string, message: string): void
  /** Lists the URLs without an answer at the last contact. */
  ill(): ReadonlyMap<string, Contact>
}

/** The part of the configuration about smart proxies. It cannot be changed through the API. */
export interface ProxyAccess {
  /**
   * Our client certificate for proxies, and the authorities trusted for theirs, as PEM. Default: those of the machine.
   */
  readonly tls: { readonly certificate?: string; readonly key?: string; readonly authorities?: string }
  /** Absolute paths of the programs that configuration runs may start on this machine. */
  readonly commands: readonly string[]
  readonly contacts: ProxyContacts
  /** Features that another server lists: an import sends no request to a proxy. */
  readonly told?: readonly Readonly<Record<string, unknown>>[]
}

/** All who wait in this process for changes of configuration runs; they share one channel of the database. */
export interface Followers extends Disposable {
  /** Starts to follow one run. Dispose it when nobody listens any more. */
  follow(runId: number): Follower
  /** Makes all of them check at once: the run, and whether they may still see it. */
  wake(): void
  /** The number of followers. */
  waiting(): number
}

/** Waits for changes of one run. */
export interface Follower extends Disposable {
  /**
   * Resolves with `changed` when something has or may have changed since the last call, with `timeout` after that time,
   * and with `closed` once the signal or the end of the service asks to stop.
   */
  change(timeoutMs: number, signal?: AbortSignal): Promise<'changed' | 'timeout' | 'closed'>
}

/**
 * What every function that touches the world takes first. Inside of a transaction only the inner context is usable: the
 * outer handle throws, on both databases, instead of waiting for a connection for ever.
 */
export interface Context {
  readonly db: Db
  readonly user: Actor
  readonly scope: Scope
  readonly trees: Trees
  readonly origin: Origin
  readonly settings: Settings
  readonly encryption: Encryption
  /** Counts wrong passwords of the client's address, outside of transactions. */
  readonly lockout: Lockout
  /** MiB that hashing a password takes. */
  readonly passwordMemoryMiB: number
  /** The directories that users come from; not to be asked inside of a transaction. */
  readonly directories: Directories
  /** The providers that users come from; not to be asked inside of a transaction. */
  readonly openid: RelyingParty
  /** The secrets that others keep and hidden values refer to; not to be asked inside of a transaction. */
  readonly references: References
  /** How to reach smart proxies; not to be asked inside of a transaction. */
  readonly proxies: ProxyAccess
  /** The followers of configuration runs in this process. */
  readonly followers: Followers
  /** Counts of rows, valid until one of their tables changes. */
  readonly counts: RowCounts
  readonly now: () => Date
  readonly log: Logger
  /** Warns the client, by the header Warning of the answer, of an effect that was not asked for. */
  readonly warn?: (sentence: string) => void
  /**
   * Called with a resource's name once a record is locked for a write; it throws where the request makes the write depend on
   * a state that does not hold any more, such as that of If-Match. {@throws Failure} precondition_failed
   */
  readonly beforeWrite?: ((tx: Context, resource: string) => Promise<void>) | undefined
  /** How to ask again whether the caller may go on; absent where nobody is limited, as for the service itself. */
  readonly standing?: Standing
  /** Executes an effect once the transaction has committed, or at once outside of one; never after a rollback. */
  readonly afterCommit: (effect: () => void | Promise<void>) => void
  /** Executes work once all writes here are undone; present only where they will be. It keeps its own writes. */
  readonly afterRollback?: (work: (outer: Context) => Promise<void>) => void
}

/**
 * Begins a transaction or a portion of work for the caller. Before each but the first of a request it asks again whether the
 * caller is there, enabled and permitted; that costs no statement while nobody's rights have changed
 * (docs/decisions/0049-portions.md). Whatever commits or yields more than once calls it. {@throws Failure} when the request
 * would be refused now
 */
export async function beginPortion<Given extends Partial<Pick<Context, 'standing'>>>(ctx: Given): Promise<Given> {
  const { standing } = ctx
  if (!standing) return ctx
  if (standing.progress.begun) return { ...ctx, ...(await standing.renew()) }
  standing.progress.begun = true
  return ctx
}

/** Yields the context with another form of its user, which it keeps when the user is found again. */
export function withUser(ctx: Context, change: (user: Actor) => Actor): Context {
  const { standing, user } = ctx
  if (!standing) return { ...ctx, user: change(user) }
  const renew = async () => {
    const now = await standing.renew()
    return { ...now, user: change(now.user) }
  }
  return { ...ctx, user: change(user), standing: { ...standing, renew } }
}

/**
 * Executes `work` in one transaction, with its own context, and then the effects that it asked for. Inside of a
 * transaction it joins that one.
 */
export async function inTransaction<Result>(ctx: Context, work: (tx: Context) => Promise<Result>): Promise<Result> {
  if (ctx.db.isTransaction) return work(ctx)
  const begun = await beginPortion(ctx)
  const effects: (() => void | Promise<void>)[] = []
  const result = await ctx.db
    .transaction(async (db) => {
      bufferAudits(db)
      const done = await work({ ...begun, db, afterCommit: (effect) => void effects.push(effect) })
      await writeAudits(db)
      return done
    })
    .catch((error: unknown) => {
      throw isConflict(error) ? createConflict(error) : error
    })
  for (const effect of effects) await effect()
  return result
}

/**
 * Executes work, yields its result and rolls back all it wrote; its effects after the commit never happen, those after the
 * rollback do. Inside of another transaction, as in a batch, only the writes of the work are undone.
 */
export function withRollback<Result>(ctx: Context, work: (tx: Context) => Promise<Result>): Promise<Result> {
  return inTransaction(ctx, async (tx) => {
    const kept: ((outer: Context) => Promise<void>)[] = []
    const inner = {
      ...tx,
      afterCommit: () => undefined,
      afterRollback: (after: (typeof kept)[number]) => void kept.push(after),
    }
    const result = await inUndoneSavepoint(tx.db, () => work(inner))
    // The work around may be rolled back, too.
    for (const after of kept) await (ctx.afterRollback ? ctx.afterRollback(after) : after(tx))
    return result
  })
}

/**
 * Yields a context in which the service acts for the caller, without the caller's limits. Audits still name the caller.
 */
export function asService(ctx: Context): Context {
  return withUser(ctx, (user) => ({ ...user, admin: true, lent: user.lent ?? !user.admin }))
}

/** Yields a context in which the service acts without scope, for records whose organization and location are stated. */
export function asTrustedService(ctx: Context): Context {
  return { ...asService(ctx), scope: { organization: null, location: null, named: false } }
}

/** Whether some role of the caller grants the permission, even if only for some records. */
export function hasPermission(ctx: Pick<Context, 'user'>, permission: string): boolean {
  return ctx.user.admin || ctx.user.grants.has(permission)
}

/** Whether some role of the caller grants the permission for all records of its type, wherever they are. */
export function holdsForAll({ user }: Pick<Context, 'user'>, permission: string): boolean {
  const isUnconditional = ({ search, organizations, locations }: Grant) => !search && !organizations && !locations
  return user.admin || (user.grants.get(permission) ?? []).some(isUnconditional)
}

/** Yields the context without organization and location. */
export function withoutScope(ctx: Context): Context {
  return { ...ctx, scope: { organization: null, location: null, named: false } }
}

/** The ids, their descendants and their ancestors, in a fixed order. */
export const familyOf = rememberPairs((tree: Tree, ids: readonly number[]): readonly number[] => {
  const family = new Set(ids)
  for (const id of ids) {
    const node = tree.get(id)
    for (const relative of node?.above ?? []) family.add(relative)
    for (const relative of node?.below ?? []) family.add(relative)
  }
  return [...family].sort((a, b) => a - b)
})

/** The ids and their descendants, in a fixed order: for records that belong to one organization or location only. */
export const withBelow = rememberPairs((tree: Tree, ids: readonly number[]): readonly number[] =>
  [...new Set(ids.flatMap((id) => [id, ...(tree.get(id)?.below ?? [])]))].sort((a, b) => a - b),
)

/** Whether one of these organizations or locations takes in all records of the type. */
export function includesAllOf(tree: Tree, ids: readonly number[], type: string): boolean {
  return ids.some((id) => tree.get(id)?.takesIn.includes(type))
}
