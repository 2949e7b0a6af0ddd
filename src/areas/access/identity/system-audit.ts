import { sql } from 'kysely'
import { type AuditCause, insertAudits } from '../../../database/audits.ts'
import { type Db, row } from '../../../database/sql.ts'

/** Who does what a directory or a schedule asks for, in audits. */
export const SYSTEM = 'System'

/** The service itself, for somebody at this address: whoever logs in does not decide which groups a directory puts them in. */
export function bySystem(address: string | null = null): AuditCause {
  return { userId: null, userName: SYSTEM, address, requestId: null }
}

/** What happened to a record of identity. */
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

/** Records what happened to a record of identity, in the transaction in which it happened (core-api §10). */
export async function recordIdentityAudit(tx: Db, cause: AuditCause, entry: IdentityEntry): Promise<void> {
  const { type, id } = entry
  const found = await row<{ label: string }>(tx, sql`${LABELS[type]} where id = ${id}`)
  await insertAudits(tx, cause, [{ ...entry, name: found?.label ?? null }], type === 'User' ? OF_USER : {})
}

const OF_USER = {
  organizations: sql`select l.organization_id from user_organizations l where l.user_id = written.auditable_id`,
  locations: sql`select l.location_id from user_locations l where l.user_id = written.auditable_id`,
}
