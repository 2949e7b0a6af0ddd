import { type Context, hasPermission } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { joinConditions, limitToVisible, type Registry } from '../../../kernel/index.ts'
import { formatTime } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'

/** The user who last set a value, by login, with its audit; `at` is a time in UTC as the database prints it. */
export interface Author {
  readonly user: string | null
  readonly action: string
  readonly at: string
  readonly audit_id: number
}

/** Authors of default values by parameter id, and of overrides by override id. */
export interface Authors {
  readonly defaults: ReadonlyMap<number, Author>
  readonly overrides: ReadonlyMap<number, Author>
}

const NO_AUTHORS: Authors = { defaults: new Map(), overrides: new Map() }

/**
 * Loads the authors of defaults and overrides of these parameters from audits that the caller may read, in one
 * statement.
 */
export async function loadAuthors(ctx: Context, registry: Registry, parameters: readonly number[]): Promise<Authors> {
  const audits = registry.get('audit')
  if (!audits || parameters.length === 0 || !hasPermission(ctx, 'view_audit_logs')) return NO_AUTHORS
  const found = await rows<Row>(
    ctx.db,
    sql`select distinct on (t.auditable_type, t.auditable_id) t.auditable_type as type, t.auditable_id as record,
        t.id as audit_id, t.user_name as "user", t.action, (t.created_at at time zone 'UTC')::text as at
      from audits t
      where (t.auditable_type = 'SmartClassParameter' and t.auditable_id = any (${parameters}::bigint[])
          and t.audited_changes ?| array['default_value', 'omit', 'override', 'parameter_type']
        or t.auditable_type = 'OverrideValue' and t.auditable_id in (
          select o.id from override_values o where o.smart_class_parameter_id = any (${parameters}::bigint[])))
        and ${joinConditions(limitToVisible(ctx, audits, 'view_audit_logs'))}
      order by t.auditable_type, t.auditable_id, t.version desc`,
  )
  const authorsOf = (type: string) =>
    new Map(
      found.flatMap(({ type: each, record, at, ...author }): [number, Author][] =>
        each === type ? [[record, { ...author, at: formatTime(at, 'view') }]] : [],
      ),
    )
  return { defaults: authorsOf('SmartClassParameter'), overrides: authorsOf('OverrideValue') }
}

interface Row extends Author {
  readonly type: string
  readonly record: number
}
