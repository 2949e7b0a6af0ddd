import type { Context } from '../../../context.ts'
import { type Condition, type Resource, ROOT } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { limitToVisibleMatch, listMatchTables } from './within-reach.ts'

/**
 * Leaves audits of overrides that the caller may see, by every match text that the audit or the override has. The
 * records that these texts name must have existed at the time of the audit, so that a name which is used again does not
 * reveal the history of its former owner.
 */
export function limitToVisibleOverrideAudits(
  ctx: Context,
  { registry }: Pick<Resource, 'registry'>,
): readonly Condition[] {
  const since = sql.ref(`${ROOT}.created_at`)
  const texts = [
    sql.ref(`${ROOT}.auditable_name`),
    sql`case when jsonb_typeof(${CHANGED}) = 'array' then ${CHANGED} ->> 0 else ${sql.ref(`${ROOT}.auditable_name`)} end`,
  ]
  const seen = texts.flatMap((text) => limitToVisibleMatch(ctx, registry, text, since) ?? [])
  const now = limitToVisibleMatch(ctx, registry, sql`o.match`)
  if (seen.length === 0 || !now) return []
  const stays = sql`not exists (select from override_values o where o.id = ${sql.ref(`${ROOT}.auditable_id`)} and not ${now})`
  return [
    {
      sql: sql`case when ${sql.ref(`${ROOT}.auditable_type`)} = 'OverrideValue' then ${sql.join([...seen, stays], sql` and `)} else true end`,
      tables: ['override_values', ...listMatchTables(registry)],
    },
  ]
}

const CHANGED = sql`(${sql.ref(`${ROOT}.audited_changes`)} -> 'match')`
