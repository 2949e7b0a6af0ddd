import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { notFound } from '../../../errors.ts'

/**
 * How hosts of an organization get their content: all of their environment (simple content access), or that of the
 * subscriptions they have (content-api §3.2).
 */
export type AccessMode = 'org_environment' | 'entitlement'

/** The mode of an organization. Inside a transaction it stays so until its end. {@throws Failure} not_found */
export async function findAccessMode(ctx: Context, organizationId: number): Promise<AccessMode> {
  const held = ctx.db.isTransaction ? sql` for share` : sql``
  const found = await row<{ mode: AccessMode }>(
    ctx.db,
    sql`select content_access_mode as mode from organizations where id = ${organizationId}${held}`,
  )
  if (!found) throw notFound('organization', organizationId)
  return found.mode
}

/** Has a new organization give content by subscription from its beginning. */
export async function beginWithEntitlements(tx: Context, organizationId: number): Promise<void> {
  await sql`update organizations set content_access_mode = 'entitlement' where id = ${organizationId}`.execute(tx.db)
}
