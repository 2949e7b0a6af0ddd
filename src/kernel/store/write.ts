import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { storeOrder } from '../../database/stored-order.ts'
import { openHidden, sealHidden } from '../../encryption/hidden-values.ts'
import { notFound } from '../../errors.ts'
import { printExact } from '../../lib/lossless-json.ts'
import { sql } from '../../sql.ts'
import type { Resource } from '../definition.ts'
import type { Column, ColumnType, FoundRecord, Stored } from '../record.ts'
import { readStored, selectRow, selectWholeRow } from './select.ts'

/** Values to be stored, by field name; undefined ones are left out. */
export type Values = Readonly<Record<string, unknown>>

/** Inserts a row and its values in other tables, and yields the stored record. */
export async function insertRecord(ctx: Context, resource: Resource, given: Values): Promise<Stored> {
  const values = sealHidden(ctx, resource.columns, given)
  const own = ownColumnsOf(resource, values)
  const table = sql.table(resource.table)
  const inserted = await row<Stored>(
    ctx.db,
    own.length === 0
      ? sql`insert into ${table} as t default values returning ${selectWholeRow(resource)}`
      : sql`insert into ${table} as t (${sql.join(own.map(({ name }) => sql.ref(name)))})
          values (${sql.join(own.map(({ type, value }) => sql`${value}::${sql.raw(type)}`))}) returning ${selectWholeRow(resource)}`,
  )
  if (!inserted) throw new Error(`inserting into ${resource.table} returned nothing`)
  const isOrdered = await storeOrder(ctx.db, resource.columns, values, inserted.id)
  const isElsewhere = await storeElsewhere(ctx, resource, inserted.id, values)
  const whole = isOrdered || isElsewhere ? await readStored(ctx, resource, inserted.id) : undefined
  return whole ?? openHidden(ctx.encryption, resource.columns, inserted)
}

/** Stores values and sets `updated_at`. `before` has at least the id of the record; of one that may be hidden, all. Yields the row. */
export async function updateRecord(ctx: Context, resource: Resource, before: FoundRecord, given: Values) {
  const values = sealHidden(ctx, resource.columns, given, before)
  const assignments = ownColumnsOf(resource, values).map(
    ({ name, type, value }) => sql`${sql.ref(name)} = ${value}::${sql.raw(type)}`,
  )
  await storeOrder(ctx.db, resource.columns, values, before.id, true)
  const updated = await row<Stored>(
    ctx.db,
    sql`update ${sql.table(resource.table)} t set ${sql.join([...assignments, sql`updated_at = now()`])} where id = ${before.id}
      returning ${selectRow(resource)}`,
  )
  if (!updated) throw notFound(resource.name, before.id)
  await storeElsewhere(ctx, resource, before.id, values)
  return updated
}

/** Deletes a row, and by the foreign keys what belongs to it; a row that is not there is no error. */
export async function deleteRecord(ctx: Context, resource: Resource, id: number): Promise<void> {
  await sql`delete from ${sql.table(resource.table)} where id = ${id}`.execute(ctx.db)
}

/** Yields the `wanted` values that differ from the stored ones, by field. */
export function selectChanged(resource: Resource, stored: Stored, wanted: Values): Record<string, unknown> {
  const changed: Record<string, unknown> = {}
  for (const { name, key } of resource.stored)
    if (name in wanted && !hasSameValue(stored[key], wanted[name])) changed[name] = wanted[name]
  return changed
}

function hasSameValue(left: unknown, right: unknown): boolean {
  return printExact(left ?? null) === printExact(right ?? null)
}

/** A value as it is bound, and the type that its column has. */
interface ColumnValue extends Pick<Column, 'name' | 'type'> {
  readonly value: unknown
}

function ownColumnsOf(resource: Resource, values: Values): ColumnValue[] {
  const own: ColumnValue[] = []
  for (const { field, name, type } of resource.columns) {
    if (values[field] === undefined) continue
    own.push({ name, type, value: encode(type, values[field]) })
  }
  return own
}

function encode(type: ColumnType, value: unknown): unknown {
  return type === 'jsonb' && value !== null ? printExact(value) : value
}

async function storeElsewhere(ctx: Context, resource: Resource, id: number, values: Values): Promise<boolean> {
  const further = resource.elsewhere.filter(({ name }) => values[name] !== undefined)
  for (const { name, at, elsewhere } of further) await elsewhere.store(ctx, at, id, values[name])
  return further.length > 0
}
