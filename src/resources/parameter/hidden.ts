import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { rows, type Sql } from '../../database/sql.ts'
import { visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import { single } from '../../kernel/input.ts'
import type { Row } from '../../kernel/present.ts'
import type { Resource, Shown } from '../../kernel/resource.ts'
import { columnCondition, type SearchField } from '../../search/index.ts'

/** Shows hidden values to those who ask for them and may edit them (core-api §2.2). */
export const revealHidden: Shown = async (ctx, resource, records, query) => {
  if (!asksForHidden(query)) return records
  const values = await hiddenValues(ctx, resource, records.filter(isHidden).map(idOf))
  return records.map((record) => revealed(record, values))
}

const LISTS = ['parameters', 'all_parameters']

/**
 * For records that show parameters: leaves those that the caller may see, the global ones aside, and shows hidden values
 * as `revealHidden` does. At most two statements, none for most callers.
 */
export const shownParameters: Shown = async (ctx, resource, records, query) => {
  const all = records.flatMap(parametersIn)
  if (all.length === 0) return records
  const parameter = parameterOf(resource.registry)
  const seen = await viewable(ctx, parameter, all)
  const values = asksForHidden(query) ? await hiddenValues(ctx, parameter, all.filter(isHidden).map(idOf)) : new Map()
  const shown = (row: Row) => row.associated_type === 'global' || seen === null || seen.has(idOf(row))
  return records.map((record) => {
    const lists = LISTS.filter((key) => Array.isArray(record[key])).map((key) => {
      const list = record[key] as readonly Row[] // `parametersOf` and `allParametersOf` make nothing else
      return [key, list.filter(shown).map((row) => revealed(row, values))] as const
    })
    return { ...record, ...Object.fromEntries(lists) }
  })
}

/** The value in searches. Nobody finds by it what they could not be shown. */
export const valueSearch: SearchField = {
  name: 'value',
  type: 'text',
  column: null,
  nullable: true,
  expression: (alias) => sql`case when not ${sql.ref(`${alias}.hidden_value`)} then ${valueText(alias)} end`,
  freeOperator: 'like',
  virtual: ({ operator, value, root }, options) => {
    const condition = columnCondition(PLAIN, valueText(root), operator, value, options)
    return options.unlimited?.('edit_params')
      ? condition
      : sql`(not ${sql.ref(`${root}.hidden_value`)} and ${condition})`
  },
}

/** The value as a search compares it: text as it is, everything else as JSON. */
export function valueText(alias: string): Sql {
  return sql`(${sql.ref(`${alias}.value`)} #>> '{}')`
}

/** How values are compared: as text. */
export const PLAIN: SearchField = { name: 'value', type: 'text', column: 'value' }

/** Which of these parameters the caller may edit: those whose hidden values they may know. At most one statement. */
export async function editableParameters(
  ctx: Context,
  registry: Resource['registry'],
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  return new Set((await hiddenValues(ctx, parameterOf(registry), ids)).keys())
}

function asksForHidden(query: Readonly<Record<string, unknown>>): boolean {
  return ['show_hidden', 'show_hidden_parameters'].some((name) => single(query, name) === 'true')
}

/** Values of these parameters that the caller may edit, by id. */
async function hiddenValues(ctx: Context, resource: Resource, ids: readonly number[]): Promise<Map<number, unknown>> {
  if (ids.length === 0) return new Map()
  const conditions = where(visible(ctx, resource, 'edit_params'))
  const found = await rows<{ id: number; value: unknown }>(
    ctx.db,
    sql`select t.id, t.value from parameters t where t.id = any (${ids}::bigint[]) and ${conditions}`,
  )
  return new Map(found.map(({ id, value }) => [id, value]))
}

/** Ids of the parameters that the caller may see; null: all of them. */
async function viewable(ctx: Context, parameter: Resource, all: readonly Row[]): Promise<ReadonlySet<number> | null> {
  const conditions = visible(ctx, parameter, 'view_params')
  if (conditions.length === 0) return null
  const ids = [...new Set(all.map(idOf))]
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from parameters t where t.id = any (${ids}::bigint[]) and ${where(conditions)}`,
  )
  return new Set(found.map(({ id }) => id))
}

function parameterOf(registry: Resource['registry']): Resource {
  const parameter = registry.get('parameter')
  if (!parameter) throw new Error('no resource is named parameter')
  return parameter
}

function parametersIn(record: Row): Row[] {
  return LISTS.flatMap((key) => (Array.isArray(record[key]) ? (record[key] as Row[]) : [])) // as above
}

function revealed(parameter: Row, values: ReadonlyMap<number, unknown>): Row {
  const id = idOf(parameter)
  return isHidden(parameter) && values.has(id) ? { ...parameter, value: values.get(id) } : parameter
}

function isHidden(parameter: Row): boolean {
  return parameter['hidden_value?'] === true
}

function idOf(parameter: Row): number {
  return Number(parameter.id)
}
