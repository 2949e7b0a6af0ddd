import { type Db, row } from '../../../database/sql.ts'
import { OpenIdError } from '../../../openid/errors.ts'
import type { Claims } from '../../../openid/provider.ts'
import { sql } from '../../../sql.ts'
import { syncGroups } from '../directories/group-sync.ts'
import { insertPerson, type Profile, refreshPerson } from '../directories/people.ts'
import { guardLogin } from '../directories/shared-names.ts'
import { isPossibleLogin } from '../identity/login-names.ts'
import { buildSystemCause, recordIdentityAudit } from '../identity/system-audit.ts'
import type { ProviderSource } from './sources.ts'

/** A person whom a provider has authenticated. */
export interface Person {
  readonly subject: string
  readonly claims: Claims
}

/** A user here, as the one that a provider knows. */
export interface Identity {
  readonly id: number
  readonly userId: number
}

/** What accepting a person needs. */
export interface AcceptOptions {
  readonly db: Db
  /** Called after a login has changed what this process remembers of users. */
  readonly forget: () => void
}

/** The most groups of a person, and the longest name of one. */
const MOST_GROUPS = 1000
const LONGEST_GROUP = 255

/** The names of the claims that a login needs. */
export function listWantedClaims({ claims, usergroupSync }: ProviderSource): readonly string[] {
  const [group = ''] = claims.groups.split('.')
  return [claims.login, claims.mail, ...(usergroupSync ? [group] : [])]
}

/**
 * Finds the user of a person at a provider, or creates one where the provider may do so. Only the subject counts: an
 * address or a login that looks the same may belong to somebody else. {@throws OpenIdError}
 */
export async function acceptPerson(
  { db, forget }: AcceptOptions,
  source: ProviderSource,
  person: Person,
  address: string,
): Promise<Identity> {
  const { id: sourceId } = source.settings
  if (person.subject.length > 255 || person.subject.includes('\0'))
    throw new OpenIdError('malformed', 'the subject is too long')
  const groups = source.usergroupSync ? readGroups(source, person.claims) : null
  const known = await loadIdentity(db, sourceId, person.subject)
  if (known?.disabled) throw new OpenIdError('disabled', `user ${known.userId} is disabled`)
  const identity = known ?? (await register(db, source, person, address))
  if (known?.isOwn && source.ontheflyRegister) {
    const profile = readProfile(source, person.claims, '')
    if (await refreshPerson(db, known.userId, profile, 'profile', address)) forget()
  }
  const membership = { userId: identity.userId, sourceId, groups: new Set(groups), compare: 'exact', address } as const
  if (groups !== null && (await syncGroups(db, membership))) forget()
  return { id: identity.id, userId: identity.userId }
}

/** Links a user who has proved both logins to a person at a provider; yields the link. {@throws OpenIdError} */
export async function linkPerson(
  db: Db,
  source: ProviderSource,
  { subject }: Person,
  user: { readonly id: number; readonly name: string; readonly address: string },
): Promise<Identity> {
  const cause = { userId: user.id, userName: user.name, address: user.address, requestId: null }
  const id = await db.transaction(async (tx) => insertIdentity(tx, source.settings.id, subject, user.id, cause))
  const known = await loadIdentity(db, source.settings.id, subject)
  if (id === null && known?.userId !== user.id)
    throw new OpenIdError('linked_already', `subject ${subject} is linked to user ${known?.userId}`)
  return { id: id ?? known?.id ?? 0, userId: user.id }
}

interface StoredIdentity extends Identity {
  readonly disabled: boolean
  /** Whether the provider is the source of the user, and not only linked. */
  readonly isOwn: boolean
}

function loadIdentity(db: Db, source: number, subject: string): Promise<StoredIdentity | undefined> {
  return row<StoredIdentity>(
    db,
    sql`
      select user_identities.id, users.id as "userId", users.disabled, users.auth_source_id = ${source} as "isOwn"
      from user_identities join users on users.id = user_identities.user_id
      where user_identities.auth_source_oidc_id = ${source} and user_identities.subject = ${subject}`,
  )
}

/** Creates the user of an unknown person, with the organizations and locations of the source. {@throws OpenIdError} */
async function register(db: Db, source: ProviderSource, person: Person, address: string): Promise<Identity> {
  if (!source.registersUnknown) throw new OpenIdError('unknown_user', `subject ${person.subject} is not linked`)
  const login = person.claims[source.claims.login]
  if (typeof login !== 'string' || login === '')
    throw new OpenIdError('no_name', `the claim ${source.claims.login} is missing`)
  if (!isPossibleLogin(login)) throw new OpenIdError('unusable_name', 'the login has characters that none may have')
  const { id: sourceId } = source.settings
  const created = await db.transaction(async (tx) => {
    if (!(await guardLogin(tx, login))) return null
    const userId = await insertPerson(tx, sourceId, readProfile(source, person.claims, login), address)
    if (userId === null) return null
    const id = await insertIdentity(tx, sourceId, person.subject, userId, buildSystemCause(address))
    if (id === null) throw new OpenIdError('name_taken', `subject ${person.subject} was linked meanwhile`)
    return { id, userId }
  })
  // Another process may have created the same person first.
  const identity = created ?? (await loadIdentity(db, sourceId, person.subject))
  if (!identity) throw new OpenIdError('name_taken', `the login ${login} of subject ${person.subject} is taken`)
  return identity
}

async function insertIdentity(
  tx: Db,
  source: number,
  subject: string,
  userId: number,
  cause: Parameters<typeof recordIdentityAudit>[1],
): Promise<number | null> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into user_identities (subject, auth_source_oidc_id, user_id) values (${subject}, ${source}, ${userId})
      on conflict do nothing returning id`,
  )
  if (!inserted) return null
  const changes = { subject, auth_source_oidc_id: source, user_id: userId }
  await recordIdentityAudit(tx, cause, { action: 'create', type: 'UserIdentity', id: inserted.id, changes })
  return inserted.id
}

function readProfile({ claims: names }: ProviderSource, claims: Claims, login: string): Profile {
  const read = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' ? value : null
  }
  return {
    login,
    firstname: read(names.firstname),
    lastname: read(names.lastname),
    mail: read(names.mail),
    photo: null,
  }
}

/**
 * Reads the groups of a person; a missing claim means none. Some providers leave the groups out when there are many, which
 * must not look like no groups. {@throws OpenIdError}
 */
function readGroups({ claims: names }: ProviderSource, claims: Claims): readonly string[] {
  const [outer = ''] = names.groups.split('.')
  const elsewhere = claims._claim_names
  if (claims.hasgroups === true || (typeof elsewhere === 'object' && elsewhere !== null && outer in elsewhere))
    throw new OpenIdError('too_many_groups', 'the provider has left the groups out, because there are too many')
  const value = claims[names.groups] ?? readPath(claims, names.groups.split('.'))
  const groups = (Array.isArray(value) ? value : [value]).filter((name) => typeof name === 'string' && name !== '')
  if (groups.length > MOST_GROUPS || groups.some((name) => name.length > LONGEST_GROUP))
    throw new OpenIdError('too_many_groups', `${groups.length} groups, or one with a long name`)
  return groups.filter((name) => !name.includes('\0'))
}

function readPath(claims: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined,
    claims,
  )
}
