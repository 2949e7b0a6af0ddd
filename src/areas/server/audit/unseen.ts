import { rows } from '../../../database/sql.ts'
import { joinConditions, type Transform } from '../../../kernel/index.ts'
import { limitToAuditsOfSeen } from '../../../records/audited-records.ts'
import { sql } from '../../../sql.ts'

/**
 * Removes the details from audits of records that the caller may not see; author, time and kind of record remain. One
 * statement checks all audits of a page.
 */
export const withoutUnseen: Transform = async (ctx, { registry }, audits) => {
  const types = [...new Set(audits.map(({ auditable_type }) => String(auditable_type)))]
  const conditions = audits.length === 0 ? [] : limitToAuditsOfSeen(ctx, registry, types)
  if (conditions.length === 0) return audits
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from audits t where t.id = any (${audits.map(({ id }) => Number(id))}::bigint[]) and ${joinConditions(conditions)}`,
  )
  const seen = new Set(found.map(({ id }) => id))
  return audits.map((audit) => (seen.has(Number(audit.id)) ? audit : { ...audit, ...NOTHING }))
}

const NOTHING = {
  auditable_id: null,
  auditable_name: null,
  associated_type: null,
  associated_id: null,
  associated_name: null,
  audited_changes: {},
  comment: null,
}
