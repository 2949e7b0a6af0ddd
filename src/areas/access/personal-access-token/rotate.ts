import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { invalid, notFound } from '../../../errors.ts'
import {
  type Action,
  limitToVisible,
  lock,
  type Resource,
  readAttributes,
  readBack,
  recordAudit,
  resolveParents,
  selectRecord,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readIdSegment } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { generateToken } from '../identity/tokens.ts'
import { refuseImpersonation } from '../role/escalation.ts'
import { validateEnd } from './expiry.ts'
import { refuseToken } from './refuse-token.ts'

const CREATING = 'create_personal_access_tokens'
const MOST_MINUTES = 10_080 // a week

const sentSchema = z.object({
  overlap_minutes: z
    .int()
    .min(0)
    .max(MOST_MINUTES)
    .optional()
    .meta({ description: 'Minutes during which the value before counts, too; 0: not at all. Default: 60.' }),
  expires_at: z.iso
    .datetime({ offset: true })
    .nullable()
    .optional()
    .meta({ description: 'New expiry time; null: never. Default: as before.' }),
})

/** Gives a token another value. The one before goes on counting for a while, so that its users can be changed one by one. */
export const rotate: Action = {
  method: 'POST',
  path: '/:id/rotate',
  name: 'rotate',
  summary: 'Give a personal access token a new value; the old one counts for a while',
  permissions: [CREATING],
  own: true,
  body: z.object({ personal_access_token: sentSchema.optional().meta({ description: 'How it is replaced.' }) }),
  adds: { token_value: z.string().meta({ description: 'The new secret. It is shown only once.' }) },
  handle: rotateToken,
}

async function rotateToken(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { draft: given, conditions } = await resolveParents(ctx, resource, input)
  await refuseToken(ctx, Number(given.user), CREATING)
  await refuseImpersonation(ctx, Number(given.user))
  const segment = readIdSegment(input)
  const visible = [...limitToVisible(ctx, resource, CREATING, true), ...conditions]
  const found = await selectRecord(ctx.db, resource, ['id', 'name'], segment, visible)
  if (!found) throw notFound(resource.name, segment)
  const id = Number(found.id)
  const { overlap_minutes = 60, expires_at } = readWish(resource, input, id)
  const { value, digest } = generateToken()
  return inTransaction(ctx, async (tx) => {
    const stored = await lock(tx, resource, id)
    if (stored.revoked) throw invalid({ base: ['A revoked token cannot be given another value'] }, id)
    const end = expires_at === undefined ? stored.expires_at : expires_at
    const errors = validateEnd(tx, end instanceof Date ? end.toISOString() : end)
    if (errors) throw invalid(errors, id)
    await rows(tx.db, sql`delete from replaced_tokens where personal_access_token_id = ${id}`)
    await rows(
      tx.db,
      sql`insert into replaced_tokens (personal_access_token_id, token, expires_at)
        select id, token, now() + make_interval(mins => ${overlap_minutes}::integer) from personal_access_tokens where id = ${id}`,
    )
    await rows(
      tx.db,
      sql`update personal_access_tokens set token = ${digest}, updated_at = now(),
          expires_at = ${expires_at === undefined ? sql`expires_at` : sql`${expires_at}::timestamptz`} where id = ${id}`,
    )
    await recordAudit(
      tx,
      resource,
      'update',
      { id, label: String(found.name) },
      { token: ['[redacted]', '[redacted]'] },
    )
    return { status: 200, body: { ...(await readBack(tx, resource, id)), token_value: value } }
  })
}

/** {@throws Failure} invalid */
function readWish(resource: Resource, { body }: Input, id: number): z.infer<typeof sentSchema> {
  const parsed = sentSchema.safeParse(readAttributes(resource, body))
  if (parsed.success) return parsed.data
  const isTime = parsed.error.issues.some(({ path }) => path[0] === 'expires_at')
  throw invalid(
    isTime
      ? { expires_at: ['must be a time, such as 2027-01-31T12:00:00Z'] }
      : { overlap_minutes: [`must be a whole number from 0 to ${MOST_MINUTES}`] },
    id,
  )
}
