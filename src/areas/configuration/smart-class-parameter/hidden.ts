import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { type Hideable, openKept, selectKept } from '../../../encryption/hidden-values.ts'
import { denied } from '../../../errors.ts'
import {
  type Draft,
  joinConditions,
  limitToVisible,
  type Resource,
  type Row,
  type Stored,
} from '../../../kernel/index.ts'
import { parseExact } from '../../../lib/lossless-json.ts'
import { readObjects } from '../../../lib/values.ts'
import type { Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { admitReveal, asksForHidden, recordReveals } from '../../access/index.ts'
import type { ClassParameterFields } from './fields.ts'

/** The permission to change a parameter. */
export const EDIT = 'edit_external_parameters'

/** The permission to see its hidden values, and those of its overrides. */
export const REVEAL = 'reveal_external_parameters'

interface Secrets {
  readonly id: number
  readonly default_value: unknown
  readonly overrides: Readonly<Record<string, unknown>>
}

/**
 * Reveals the hidden values of parameters if the caller requests them and may see them (smart-parameters §1.4).
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

/**
 * Loads the hidden values of parameters, by id, if the caller requests them and may see them, and audits that.
 * {@throws Failure} denied
 */
export async function loadHiddenValues(
  ctx: Context,
  resource: Resource,
  ids: readonly number[],
  query: Input['query'],
): Promise<ReadonlyMap<number, Secrets>> {
  if (ids.length === 0 || !asksForHidden(query)) return new Map()
  const found = await rows<Kept>(
    ctx.db,
    sql`select t.id, ${selectKept('smart_class_parameters', 't')} as default_value, coalesce((
        select json_object_agg(o.id, ${selectKept('override_values', 'o', sql`t.hidden_value`)} order by o.id) from override_values o where o.smart_class_parameter_id = t.id), '{}') as overrides
      from smart_class_parameters t where t.id = any (${ids}::bigint[]) and ${joinConditions(limitToVisible(ctx, resource, REVEAL))}`,
  )
  if (found.length > 0) await admitReveal(ctx, true)
  await recordReveals(
    ctx,
    resource,
    found.map(({ id }) => id),
  )
  return new Map(found.map((own) => [own.id, open(ctx, own)]))
}

/**
 * Refuses to show the hidden values of a parameter from now on, unless the caller may see them, and to test them by another type or
 * validator; audits that they are shown. {@throws Failure} denied
 */
export async function refuseToShow(
  ctx: Context,
  resource: Resource,
  stored: Stored<ClassParameterFields>,
  draft: Draft<ClassParameterFields>,
): Promise<void> {
  const isTested = TESTING.some((name) => draft[name] !== undefined && (draft[name] || null) !== (stored[name] || null))
  if (!stored.hidden_value || !(isTested || draft.hidden_value === false)) return
  const seen = joinConditions(limitToVisible(ctx, resource, REVEAL))
  const found = await row(ctx.db, sql`select from smart_class_parameters t where t.id = ${stored.id} and ${seen}`)
  if (!found) throw denied([REVEAL])
  if (draft.hidden_value !== false) return
  await admitReveal(ctx, true)
  await recordReveals(ctx, resource, [stored.id])
}

const TESTING = ['parameter_type', 'validator_type', 'validator_rule'] as const

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
