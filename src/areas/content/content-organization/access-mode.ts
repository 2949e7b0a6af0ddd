import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { notFound } from '../../../errors.ts'
import { sql } from '../../../sql.ts'

/**
 * Which content hosts of an organization get: all of their environment (simple content access), or that of their
 * subscriptions (content-api §3.2).
 */
export type AccessMode = 'org_environment' | 'entitlement'

/** Finds the mode of an organization. In a transaction it cannot change until the end. {@throws Failure} not_found */
export async function findAccessMode(ctx: Context, organizationId: number): Promise<AccessMode> {
  const held = ctx.db.isTransaction ? sql` for share` : sql``
  const found = await row<{ mode: AccessMode }>(
    ctx.db,
    sql`select content_access_mode as mode from organizations where id = ${organizationId}${held}`,
  )
  if (!found) throw notFound('organization', organizationId)
  return found.mode
}

/** Sets a new organization to content by subscription. */
export async function beginWithEntitlements(tx: Context, organizationId: number): Promise<void> {
  await sql`update organizations set content_access_mode = 'entitlement' where id = ${organizationId}`.execute(tx.db)
}
