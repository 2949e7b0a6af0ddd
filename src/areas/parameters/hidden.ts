import type { Context } from '../../context.ts'
import { row, rows, type Sql } from '../../database/sql.ts'
import { openKept, selectKept } from '../../encryption/hidden-values.ts'
import { denied } from '../../errors.ts'
import {
  findResource,
  joinConditions,
  limitToVisible,
  type Resource,
  type Row,
  type Stored,
  type Transform,
} from '../../kernel/index.ts'
import { parseExact } from '../../lib/lossless-json.ts'
import { readObjects } from '../../lib/values.ts'
import { compileColumnCondition, type SearchField } from '../../search/index.ts'
import { sql } from '../../sql.ts'
import { admitReveal, asksForHidden, recordReveals } from '../access/index.ts'

/** The permission to see hidden values of parameters. */
const REVEAL = 'reveal_params'

/** Shows hidden values to those who ask for them and may see them (core-api §2.2), which is audited. */
export const revealHidden: Transform = async (ctx, resource, records, query) => {
  if (!asksForHidden(query)) return records
  const values = await reveal(ctx, resource, records.filter(isHidden).map(idOf))
  return records.map((record) => withRevealed(record, values))
}

const LISTS = ['parameters', 'all_parameters']

/**
 * For records that show parameters: drops parameters that the caller may not view (never global ones) and reveals
 * hidden values as `revealHidden` does. No statement for most callers.
 */
export const presentParameters: Transform = async (ctx, resource, records, query) => {
  const all = records.flatMap(listParameters)
  if (all.length === 0) return records
  const parameter = parameterOf(resource.registry)
  const seen = await loadViewable(ctx, parameter, all.map(idOf))
  const values = asksForHidden(query) ? await reveal(ctx, parameter, all.filter(isHidden).map(idOf)) : new Map()
  const isShown = (row: Row) => row.associated_type === 'global' || seen === null || seen.has(idOf(row))
  return records.map((record) => {
    const lists = LISTS.flatMap((key) => {
      const list = readObjects(record, key)
      return list ? [[key, list.filter(isShown).map((row) => withRevealed(row, values))] as const] : []
    })
    return { ...record, ...Object.fromEntries(lists) }
  })
}

/** The search field for values of parameters. Hidden values are encrypted: they match for nobody (decision 0065). */
export const valueSearch: SearchField = {
  name: 'value',
  type: 'text',
  column: null,
  nullable: true,
  expression: (alias) => sql`case when not ${sql.ref(`${alias}.hidden_value`)} then ${selectValueText(alias)} end`,
  unmasked: selectValueText,
  freeOperator: 'like',
  virtual: ({ operator, value, root }, options) => {
    const condition = compileColumnCondition(PLAIN, selectValueText(root), operator, value, options)
    return sql`(not ${sql.ref(`${root}.hidden_value`)} and ${condition})`
  },
}

/** Selects the value as searches compare it: text as it is, everything else as JSON. */
export function selectValueText(alias: string): Sql {
  return sql`(${sql.ref(`${alias}.value`)} #>> '{}')`
}

/** A search field that compares the stored text of the value, whoever searches. */
export const PLAIN: SearchField = { name: 'value', type: 'text', column: 'value' }

/** Which of these parameters have hidden values that the caller may see. At most one statement; nothing is audited. */
export async function loadRevealable(
  ctx: Context,
  registry: Resource['registry'],
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  return new Set((await loadHiddenValues(ctx, parameterOf(registry), ids)).keys())
}

/**
 * Refuses to show the value of a hidden parameter from now on, unless the caller may see it, or sends another one; audits that.
 * {@throws Failure} denied
 */
export async function refuseToShow(
  ctx: Context,
  resource: Resource,
  stored: Stored & { readonly hidden_value: boolean },
  draft: { readonly hidden_value?: boolean; readonly value?: unknown },
): Promise<void> {
  if (!stored.hidden_value || draft.hidden_value !== false || draft.value !== undefined) return
  const seen = joinConditions(limitToVisible(ctx, resource, REVEAL))
  const found = await row(ctx.db, sql`select from parameters t where t.id = ${stored.id} and ${seen}`)
  if (!found) throw denied([REVEAL])
  await admitReveal(ctx, true)
  await recordReveals(ctx, resource, [stored.id])
}

/** Which of these parameters the caller may view; null: all of them. At most one statement. */
export async function loadVisibleParameters(
  ctx: Context,
  registry: Resource['registry'],
  ids: readonly number[],
): Promise<ReadonlySet<number> | null> {
  return loadViewable(ctx, parameterOf(registry), ids)
}

/** Loads the hidden values that a request asks for and the caller may see, by id, and audits that. {@throws Failure} denied */
async function reveal(ctx: Context, resource: Resource, ids: readonly number[]): Promise<Map<number, unknown>> {
  const values = await loadHiddenValues(ctx, resource, ids)
  if (values.size === 0) return values
  await admitReveal(ctx, true)
  await recordReveals(ctx, resource, [...values.keys()])
  return values
}

/** Loads the hidden values of those of these parameters that the caller may reveal, by id. */
async function loadHiddenValues(
  ctx: Context,
  resource: Resource,
  ids: readonly number[],
): Promise<Map<number, unknown>> {
  if (ids.length === 0) return new Map()
  const conditions = joinConditions(limitToVisible(ctx, resource, REVEAL))
  const found = await rows<{ id: number; value: string | null }>(
    ctx.db,
    sql`select t.id, ${selectKept('parameters', 't')} as value from parameters t where t.id = any (${ids}::bigint[]) and ${conditions}`,
  )
  const open = (value: string | null) => parseExact(openKept(ctx.encryption, 'parameters', value) ?? 'null')
  return new Map(found.map(({ id, value }) => [id, open(value)]))
}

async function loadViewable(
  ctx: Context,
  parameter: Resource,
  all: readonly number[],
): Promise<ReadonlySet<number> | null> {
  const conditions = limitToVisible(ctx, parameter, 'view_params')
  if (conditions.length === 0) return null
  const ids = [...new Set(all)]
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from parameters t where t.id = any (${ids}::bigint[]) and ${joinConditions(conditions)}`,
  )
  return new Set(found.map(({ id }) => id))
}

function parameterOf(registry: Resource['registry']): Resource {
  const parameter = findResource(registry, 'parameter')
  return parameter
}

function listParameters(record: Row): Row[] {
  return LISTS.flatMap((key) => readObjects(record, key) ?? [])
}

function withRevealed(parameter: Row, values: ReadonlyMap<number, unknown>): Row {
  const id = idOf(parameter)
  return isHidden(parameter) && values.has(id) ? { ...parameter, value: values.get(id) } : parameter
}

function isHidden(parameter: Row): boolean {
  return parameter['hidden_value?'] === true
}

function idOf(parameter: Row): number {
  return Number(parameter.id)
}
