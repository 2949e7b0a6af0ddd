import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { badParameter, Failure } from '../../../errors.ts'
import { type Action, type Resource, recordAudit } from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import { formatTooLong, NOT_STORABLE, REASON_HEADER, readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { requireFreshProof } from '../second-factor/need.ts'

const ASKING = ['show_hidden', 'show_hidden_parameters'] as const

/** The query parameters that request hidden values. */
export const HIDDEN_QUERY: NonNullable<Action['query']> = {
  ...Object.fromEntries(
    ASKING.map((name) => [
      name,
      z.string().optional().meta({ description: '`true` shows hidden values to those who may reveal them.' }),
    ]),
  ),
  reason: z.string().optional().meta({ description: 'Reason to show hidden values; audits keep it.' }),
}

/** Whether a request asks for hidden values. */
export function asksForHidden(query: Readonly<Record<string, unknown>>): boolean {
  return ASKING.some((name) => readSingle(query, name) === 'true')
}

/**
 * Whether hidden values that the caller may reveal are shown now. Without a request for them, documents that contain them show
 * them to programs only, not in sessions and not in tasks. {@throws Failure} denied for a session with an old proof of the second
 * factor, and without a reason where the settings require one
 */
export async function admitReveal(ctx: Context, isAsked: boolean): Promise<boolean> {
  const { login, reason } = ctx.origin
  if (!isAsked && (login === null || login === 'session')) return false
  await requireFreshProof(ctx)
  refuseUnfitReason(reason ?? '')
  if (ctx.settings.reveal_reason_required && !reason)
    throw new Failure('denied', 'Access denied', { details: REASON_MISSING, missingPermissions: null })
  return true
}

const LONGEST = 1000

/** {@throws Failure} bad_parameter */
function refuseUnfitReason(reason: string): void {
  if (reason.length > LONGEST) throw badParameter('reason', `${reason.slice(0, 40)}...`, formatTooLong(LONGEST))
  if (!isValidText(reason)) throw badParameter('reason', reason.toWellFormed(), NOT_STORABLE)
}

const REASON_MISSING = `Hidden values are shown with a reason only: send reason=... in the query, or the header ${REASON_HEADER}.`

/**
 * Audits that the caller sees hidden values of these records, with the reason and never the values. Without a reason, one audit an
 * hour for each record is enough: one statement then, and no transaction.
 */
export async function recordReveals(ctx: Context, resource: Resource, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const { reason: comment = null } = ctx.origin
  const write = async (outer: Context) => {
    const found = await loadToAudit(outer, resource, ids, comment !== null)
    if (found.length === 0) return
    await inTransaction(outer, async (tx) => {
      for (const { id, label } of found) await recordAudit(tx, resource, 'reveal', { id, label, comment }, {})
    })
  }
  if (ctx.afterRollback) ctx.afterRollback(write)
  else await write(ctx)
}

/** Loads the records whose reveal is audited now: all, or without a reason those that the caller has not seen for an hour. */
function loadToAudit({ db, user }: Context, resource: Resource, ids: readonly number[], hasReason: boolean) {
  const label = resource.label === undefined ? sql`null` : sql.ref(`t.${resource.label}`)
  return rows<{ id: number; label: string | null }>(
    db,
    sql`select t.id, ${label} as label from ${sql.table(resource.table)} t
      where t.id = any (${ids}::bigint[]) and (${hasReason} or not exists (select from audits a
        where a.auditable_type = ${resource.type} and a.auditable_id = t.id and a.action = 'reveal' and a.comment is null
          and a.user_id = ${user.id} and a.created_at > now() - interval '1 hour'))
      order by t.id`,
  )
}
