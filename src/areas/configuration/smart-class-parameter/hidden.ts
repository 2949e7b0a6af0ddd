import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { type Hideable, openKept, selectKept } from '../../../encryption/hidden-values.ts'
import { joinConditions, limitToVisible, type Resource, type Row } from '../../../kernel/index.ts'
import { parseExact } from '../../../lib/lossless-json.ts'
import { readObjects } from '../../../lib/values.ts'
import type { Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'

/** The permission to see hidden values of a parameter, and to change it. */
export const EDIT = 'edit_external_parameters'

interface Secrets {
  readonly id: number
  readonly default_value: unknown
  readonly overrides: Readonly<Record<string, unknown>>
}

/**
 * Reveals the hidden values of parameters if the caller requests them and may edit the parameters (smart-parameters
 * §1.4).
 */
export async function revealParameterValues(
  ctx: Context,
  resource: Resource,
  records: readonly Row[],
  query: Input['query'],
): Promise<readonly Row[]> {
  const hidden = records.filter((record) => record['hidden_value?'] === true).map(({ id }) => Number(id))
  const secrets = await loadHiddenValues(ctx, resource, hidden, query)
  return records.map((record) => {
    const own = secrets.get(Number(record.id))
    if (!own) return record
    const overrides = readObjects(record, 'override_values')
    return {
      ...record,
      default_value: own.default_value,
      ...(overrides && {
        override_values: overrides.map((row) => ({ ...row, value: own.overrides[String(row.id)] ?? null })),
      }),
    }
  })
}

/** Loads the hidden values of parameters, by id, if the caller requests them and may edit the parameter. */
export async function loadHiddenValues(
  ctx: Context,
  resource: Resource,
  ids: readonly number[],
  query: Input['query'],
): Promise<ReadonlyMap<number, Secrets>> {
  if (ids.length === 0 || !asks(query)) return new Map()
  const found = await rows<Kept>(
    ctx.db,
    sql`select t.id, ${selectKept('smart_class_parameters', 't')} as default_value, coalesce((
        select json_object_agg(o.id, ${selectKept('override_values', 'o', sql`t.hidden_value`)} order by o.id) from override_values o where o.smart_class_parameter_id = t.id), '{}') as overrides
      from smart_class_parameters t where t.id = any (${ids}::bigint[]) and ${joinConditions(limitToVisible(ctx, resource, EDIT))}`,
  )
  return new Map(found.map((own) => [own.id, open(ctx, own)]))
}

interface Kept {
  readonly id: number
  readonly default_value: string | null
  readonly overrides: Readonly<Record<string, string | null>>
}

function open({ encryption }: Context, { id, default_value, overrides }: Kept): Secrets {
  const parse = (table: Hideable, text: string | null) => parseExact(openKept(encryption, table, text) ?? 'null')
  const values = Object.entries(overrides).map(([key, text]) => [key, parse('override_values', text)] as const)
  return {
    id,
    default_value: parse('smart_class_parameters', default_value),
    overrides: Object.fromEntries(values),
  }
}

function asks(query: Input['query']): boolean {
  return ['show_hidden', 'show_hidden_parameters'].some((name) => readSingle(query, name) === 'true')
}
