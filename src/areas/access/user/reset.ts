import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { type Resource, recordAudit } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/**
 * Ends the tokens of a user whose password somebody else has set, if `revoke_tokens_on_password_reset` is on: this takes the
 * account back from whoever had it.
 */
export async function endTokensAfterReset(ctx: Context, { registry }: Resource, user: number): Promise<void> {
  const tokens = registry.get('personal_access_token')
  if (!tokens || user === ctx.user.id || !ctx.settings.revoke_tokens_on_password_reset) return
  const revoked = await rows<{ id: number; name: string }>(
    ctx.db,
    sql`update personal_access_tokens set revoked = true, updated_at = now()
      where user_id = ${user} and not revoked returning id, name`,
  )
  for (const { id, name } of revoked)
    await recordAudit(ctx, tokens, 'update', { id, label: name }, { revoked: [false, true] })
}
