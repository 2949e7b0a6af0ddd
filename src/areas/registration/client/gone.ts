import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { badParameter, Failure } from '../../../errors.ts'
import type { Answer } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { selectZonedMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import type { Call } from './endpoint.ts'
import { DENIED, UUID } from './identify.ts'

/** The most deleted registrations in one answer; clients continue with a later `date`. */
const MOST_GONE = 10_000

/**
 * `GET /rhsm/deleted_consumers`: the registrations that ended since `date`, oldest first. Their organizations are not
 * stored, so only administrators may read them. {@throws Failure} bad_parameter
 */
export async function listGone(ctx: Context, { input }: Call): Promise<Answer> {
  if (!ctx.user.admin) return DENIED
  const sent = readSingle(input.query, 'date')
  const since = new Date(sent ? sent.replace(' ', '+') : 0)
  if (Number.isNaN(since.getTime())) throw badParameter('date', sent, 'must be a moment such as 2026-03-01T00:00:00Z')
  const gone = await rows(
    ctx.db,
    sql`select uuid as id, uuid as "consumerUuid", null as "consumerName", null as "ownerId", null as "ownerKey",
        null as "ownerDisplayName", null as "principalName", ${selectZonedMoment('gone_at')} as created,
        ${selectZonedMoment('gone_at')} as updated
      from gone_registrations where gone_at >= ${since.toISOString()}::timestamptz
      order by gone_at, uuid limit ${MOST_GONE}`,
  )
  return { status: 200, body: gone }
}

/**
 * `DELETE /rhsm/consumers/:uuid/deletionrecord`: forgets that a registration ended, so that requests for it get 404, no
 * longer 410. For administrators. {@throws Failure} not_found
 */
export async function forgetGone(ctx: Context, { input }: Call): Promise<Answer> {
  if (!ctx.user.admin) return DENIED
  const { uuid = '' } = input.params
  const forgotten = UUID.test(uuid)
    ? await row(ctx.db, sql`delete from gone_registrations where uuid = ${uuid}::uuid returning uuid`)
    : undefined
  if (!forgotten) throw new Failure('not_found', `Deletion record for consumer "${uuid}" not found.`)
  return { status: 204 }
}
