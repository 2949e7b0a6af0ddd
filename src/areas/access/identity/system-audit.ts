import { type AuditCause, type AuditPlaces, insertAudits } from '../../../database/audits.ts'
import { type Db, row, type Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/** The name in audits of what directories and schedules cause. */
const SYSTEM = 'System'

/** The service as the cause of an audit, with a client address: it is not the user who decides on groups at a login. */
export function buildSystemCause(address: string | null = null): AuditCause {
  return { userId: null, userName: SYSTEM, address, requestId: null }
}

/** An entry of an audit about a user or their tokens, a user group or an authentication source. */
export interface IdentityEntry {
  readonly action: 'create' | 'update'
  readonly type: keyof typeof LABELS
  readonly id: number
  readonly changes: Readonly<Record<string, unknown>>
  readonly comment?: string
}

const LABELS = {
  User: sql`select login as label from users`,
  Usergroup: sql`select name as label from usergroups`,
  AuthSource: sql`select name as label from auth_sources`,
  PersonalAccessToken: sql`select name as label from personal_access_tokens`,
  UserIdentity: sql`select subject as label from user_identities`,
}

/** Records an audit about one of those, in the transaction of the change (core-api §10). */
export async function recordIdentityAudit(tx: Db, cause: AuditCause, entry: IdentityEntry): Promise<void> {
  const { type, id } = entry
  const found = await row<{ label: string }>(tx, sql`${LABELS[type]} where id = ${id}`)
  await insertAudits(tx, cause, [{ ...entry, name: found?.label ?? null }], PLACES[type] ?? {})
}

const PLACES: { readonly [Type in keyof typeof LABELS]?: AuditPlaces } = {
  User: selectPlacesOf(sql`written.auditable_id`),
  PersonalAccessToken: selectPlacesOf(
    sql`(select t.user_id from personal_access_tokens t where t.id = written.auditable_id)`,
  ),
  UserIdentity: selectPlacesOf(sql`(select t.user_id from user_identities t where t.id = written.auditable_id)`),
}

function selectPlacesOf(user: Sql): AuditPlaces {
  return {
    organizations: sql`select l.organization_id from user_organizations l where l.user_id = ${user}`,
    locations: sql`select l.location_id from user_locations l where l.user_id = ${user}`,
  }
}
