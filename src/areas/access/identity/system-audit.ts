import { sql } from 'kysely'
import { type AuditCause, insertAudits } from '../../../database/audits.ts'
import { type Db, row } from '../../../database/sql.ts'

/** The name in audits of what directories and schedules cause. */
const SYSTEM = 'System'

/** The service as the cause of an audit, with a client address: it is not the user who decides on groups at a login. */
export function buildSystemCause(address: string | null = null): AuditCause {
  return { userId: null, userName: SYSTEM, address, requestId: null }
}

/** An entry of an audit about a user, a user group or an authentication source. */
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
}

/** Records an audit about a user, a user group or an authentication source, in the transaction of the change (core-api §10). */
export async function recordIdentityAudit(tx: Db, cause: AuditCause, entry: IdentityEntry): Promise<void> {
  const { type, id } = entry
  const found = await row<{ label: string }>(tx, sql`${LABELS[type]} where id = ${id}`)
  await insertAudits(tx, cause, [{ ...entry, name: found?.label ?? null }], type === 'User' ? OF_USER : {})
}

const OF_USER = {
  organizations: sql`select l.organization_id from user_organizations l where l.user_id = written.auditable_id`,
  locations: sql`select l.location_id from user_locations l where l.user_id = written.auditable_id`,
}
