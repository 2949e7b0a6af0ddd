import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { digestSecret } from './secrets.ts'
import { recordIdentityAudit } from './system-audit.ts'

/**
 * Revokes the token with this value (RFC 7009). Its holder may always do that, whatever the limits of the token. Yields whether
 * there was such a token.
 */
export function revokeByValue({ db, origin }: Pick<Context, 'db' | 'origin'>, value: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const revoked = await row<{ id: number; user_id: number; login: string }>(
      tx,
      sql`update personal_access_tokens t set revoked = true, updated_at = now() from users u
        where t.token = ${digestSecret(value)} and not t.revoked and u.id = t.user_id
        returning t.id, t.user_id, u.login`,
    )
    if (!revoked) return false
    const { address, requestId } = origin
    await recordIdentityAudit(
      tx,
      { userId: revoked.user_id, userName: revoked.login, address, requestId },
      { action: 'update', type: 'PersonalAccessToken', id: revoked.id, changes: { revoked: [false, true] } },
    )
    return true
  })
}
