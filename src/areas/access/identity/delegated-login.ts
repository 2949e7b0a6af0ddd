import { type Db, row } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { type LoginRefusal, loadCandidate } from '../directories/candidates.ts'
import { syncGroups } from '../directories/group-sync.ts'
import { type Profile, refreshPerson, registerPerson } from '../directories/people.ts'
import { buildSystemCause, recordIdentityAudit } from './system-audit.ts'

/** A user whom a trusted web server in front of this service has authenticated. */
export interface DelegatedUser extends Omit<Profile, 'photo'> {
  /** The user's groups there; null when the web server does not name any. */
  readonly groups: readonly string[] | null
}

/** Finds or registers the user of a delegated login; yields the id, or why the login is refused. */
export type AcceptDelegated = (delegated: DelegatedUser, address: string) => Promise<number | LoginRefusal>

/** The dependencies of logins by trusted web servers. */
export interface DelegatedLoginOptions {
  readonly db: Db
  /** Name of the external source for new users; blank: nobody is registered. */
  readonly sourceOfNewUsers: () => string
  /** Called after a login has changed what this process remembers of users. */
  readonly forget: () => void
}

/**
 * Creates the login for users that a trusted web server vouches for (core-api §4.7). Users of any external source are
 * accepted; for those of the source for new users, profile and groups are updated from the web server.
 */
export function createDelegatedLogin(options: DelegatedLoginOptions): AcceptDelegated {
  return async (delegated, address) => {
    const person: Person = { ...delegated, photo: null }
    const known = await loadCandidate(options.db, delegated.login)
    if (known && known.authSourceType !== 'AuthSourceExternal') return REFUSED
    const source = await sourceOfNewUsers(options, known === undefined)
    if (known && source?.id !== known.authSourceId) return known.id
    if (source?.type !== 'AuthSourceExternal') return REFUSED
    return known ? update(options, source.id, known.id, person, address) : create(options, source.id, person, address)
  }
}

type Person = DelegatedUser & Profile

interface ExternalSource {
  readonly id: number
  readonly type: string
}

/** Gives no reason: the reader has not been authenticated by this service. */
const REFUSED: LoginRefusal = { details: 'This user may not log in through a web server.', guess: false }
const LONGEST_NAME = 60

/** Loads the source that the setting names; it is created if a new user needs it. */
async function sourceOfNewUsers(
  { db, sourceOfNewUsers }: DelegatedLoginOptions,
  needed: boolean,
): Promise<ExternalSource | undefined> {
  const name = sourceOfNewUsers().trim()
  const find = () => row<ExternalSource>(db, sql`select id, type from auth_sources where name = ${name}`)
  const found = await find()
  if (found || !needed || name === '' || [...name].length > LONGEST_NAME) return found
  return (await db.transaction((tx) => insertSource(tx, name))) ?? find()
}

/** Undefined when another process has inserted it first. */
async function insertSource(tx: Db, name: string): Promise<ExternalSource | undefined> {
  const source = await row<ExternalSource>(
    tx,
    sql`
      insert into auth_sources (type, name) values ('AuthSourceExternal', ${name})
      on conflict (name) do nothing returning id, type`,
  )
  if (source) {
    const entry = { action: 'create', type: 'AuthSource', id: source.id, changes: { type: source.type, name } } as const
    await recordIdentityAudit(tx, buildSystemCause(), entry)
  }
  return source
}

async function create(
  options: DelegatedLoginOptions,
  sourceId: number,
  person: Person,
  address: string,
): Promise<number | LoginRefusal> {
  const userId = await registerPerson(options.db, sourceId, person, address)
  if (typeof userId === 'string') return { details: userId, guess: false }
  await followGroups(options, sourceId, userId, person, address)
  return userId
}

async function update(
  options: DelegatedLoginOptions,
  sourceId: number,
  userId: number,
  person: Person,
  address: string,
): Promise<number> {
  if (await refreshPerson(options.db, userId, person, 'profile', address)) options.forget()
  await followGroups(options, sourceId, userId, person, address)
  return userId
}

async function followGroups(
  { db, forget }: DelegatedLoginOptions,
  sourceId: number,
  userId: number,
  { groups }: Person,
  address: string,
): Promise<void> {
  if (groups === null) return
  const membership = { userId, sourceId, groups: new Set(groups), compare: 'exact', address } as const
  if (await syncGroups(db, membership)) forget()
}
