import { sql } from 'kysely'
import { type Db, row } from '../../../database/sql.ts'
import { type LoginRefusal, loadCandidate } from './candidates.ts'
import { syncGroups } from './group-sync.ts'
import { type Profile, refreshPerson, registerPerson } from './people.ts'
import { bySystem, recordIdentityAudit } from './system-audit.ts'

/** Somebody whom a trusted web server in front of this service has authenticated. */
export interface DelegatedUser extends Omit<Profile, 'photo'> {
  /** Groups there; null when the web server says nothing about them. */
  readonly groups: readonly string[] | null
}

/** Finds or makes the user; the id, or why there is none. */
export type AcceptDelegated = (delegated: DelegatedUser, address: string) => Promise<number | LoginRefusal>

export interface DelegatedLoginOptions {
  readonly db: Db
  /** Name of the external source that new users are made in; blank: none are made. */
  readonly sourceOfNewUsers: () => string
  /** Called when a login has changed what this process may remember of users. */
  readonly forget: () => void
}

/**
 * Login on the word of a trusted web server (core-api §4.7): users of any external source may come in; those of the source
 * for new users take over what the web server says of them and their groups.
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

/** Says nothing of why: whoever reads it is not known. */
const REFUSED: LoginRefusal = { details: 'This user may not log in through a web server.', guess: false }
const LONGEST_NAME = 60

/** The source that the setting names, made if it is missing and needed. */
async function sourceOfNewUsers(
  { db, sourceOfNewUsers }: DelegatedLoginOptions,
  needed: boolean,
): Promise<ExternalSource | undefined> {
  const name = sourceOfNewUsers().trim()
  const find = () => row<ExternalSource>(db, sql`select id, type from auth_sources where name = ${name}`)
  const found = await find()
  if (found || !needed || name === '' || [...name].length > LONGEST_NAME) return found
  return (await db.transaction().execute((tx) => insertSource(tx, name))) ?? find()
}

/** Undefined when somebody else was faster. */
async function insertSource(tx: Db, name: string): Promise<ExternalSource | undefined> {
  const source = await row<ExternalSource>(
    tx,
    sql`
      insert into auth_sources (type, name) values ('AuthSourceExternal', ${name})
      on conflict (name) do nothing returning id, type`,
  )
  if (source) {
    const entry = { action: 'create', type: 'AuthSource', id: source.id, changes: { type: source.type, name } } as const
    await recordIdentityAudit(tx, bySystem(), entry)
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
