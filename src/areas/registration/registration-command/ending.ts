import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { findResource, type Registry, recordAudit, type WriteWrapper } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** A registration token that is revoked before it expires. */
export interface Ended {
  readonly id: number
  readonly user_id: number
  readonly user_login: string
}

/** Deletes registration tokens, and writes an audit about each user who had some. Call it in a transaction. */
export async function endTokens(ctx: Context, registry: Registry, tokens: readonly Ended[]): Promise<void> {
  const ids = tokens.map(({ id }) => id)
  await sql`delete from registration_tokens where id = any (${ids}::bigint[])`.execute(ctx.db)
  for (const [user, theirs] of Map.groupBy(tokens, ({ user_id }) => user_id)) {
    const changes = { registration_tokens: [theirs.map(({ id }) => id), null] }
    const label = theirs[0]?.user_login ?? null
    await recordAudit(ctx, findResource(registry, 'user'), 'update', { id: user, label }, changes)
  }
}

/**
 * Ends the registration tokens of a user whose password somebody else sets, if `revoke_tokens_on_password_reset` is on, like
 * their personal access tokens. It is nested around the writes of users.
 */
export const endingAfterReset: WriteWrapper = {
  update: async (ctx, stored, draft, next, { registry }) => {
    await next(draft)
    if (draft.password === undefined || stored.id === ctx.user.id) return
    if (!ctx.settings.revoke_tokens_on_password_reset) return
    const tokens = await rows<Ended>(
      ctx.db,
      sql`select t.id, t.user_id, u.login as user_login from registration_tokens t join users u on u.id = t.user_id
        where t.user_id = ${stored.id} and t.expires_at > now() order by t.id for update of t`,
    )
    await endTokens(ctx, registry, tokens)
  },
}
