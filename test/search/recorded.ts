import { readFileSync } from 'node:fs'
import { type Db, rows, type Sql } from '../../src/database/sql.ts'
import type { Join, SearchField, SearchSchema } from '../../src/search/index.ts'
import { sql } from '../../src/sql.ts'
import { VIRTUAL } from './virtual.ts'

/** The recorded answer to a search: the parsed tree, and the matching records or the error. */
export interface RecordedQuery {
  readonly id: string
  readonly resource: string
  readonly search: string | null
  readonly order: string | null
  readonly zone?: string
  readonly ast?: unknown
  readonly result?: { readonly ids: number[]; readonly ordered: boolean; readonly runs?: number[] }
  readonly error?: { readonly message: string; readonly class: string }
  readonly tags?: readonly string[]
}

export interface RecordedDate {
  readonly value: string
  readonly zone: string
  readonly result: { readonly from: string; readonly to: string; readonly span: string; readonly day: string } | null
}

export interface RecordedCompletion {
  readonly resource: string
  readonly prefix: string
  readonly suggestions?: string[]
  readonly error?: { readonly message: string; readonly class: string }
}

interface RecordedField {
  readonly name: string
  readonly aliases: string[]
  readonly column: string
  readonly table: string
  readonly type: 'text' | 'integer' | 'decimal' | 'datetime' | 'date' | 'enum' | 'uuid' | 'virtual'
  readonly columnType: string | null
  readonly nullable: boolean | null
  readonly explicitOnly: boolean
  readonly enum?: { readonly key: string; readonly value: string | number | boolean }[]
  readonly bits?: { readonly offset: number; readonly wordSize: number }
  readonly relation?: {
    readonly kind: 'belongsTo' | 'hasMany' | 'hasManyThrough'
    readonly table: string
    readonly foreignKey: string
    readonly through: { readonly table: string; readonly foreignKey: string; readonly targetKey: string }
  }
  readonly key?: { readonly table: string; readonly column: string; readonly foreignKey: string }
  readonly specialValues?: string[]
  readonly translation?: { readonly map: Record<string, string>; readonly else: 'same' | 'error' }
  readonly virtual?: { readonly name: string }
  readonly defaultOperator?: string
  readonly completion: { readonly listed: boolean; readonly values: string | false; readonly operators?: string[] }
  readonly defaultOrder?: string
}

interface RecordedSchema {
  readonly now: string
  readonly tables: Record<string, { columns: { name: string; type: string; nullable: boolean }[]; rows: unknown[][] }>
  readonly resources: Record<string, { table: string; fields: RecordedField[] }>
}

/** Reads the recordings of a file beside this one. */
export function recorded<Kind>(name: 'queries' | 'zones' | 'dates' | 'completion'): Kind[] {
  return text(`${name}.jsonl`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Kind) // files of our own
}

const schema = JSON.parse(text('schema.json')) as RecordedSchema

/** The time at which the recordings were made. */
export const NOW = new Date(schema.now)

/** Search schemas of the recorded resources, whose tables are in the database schema `recorded`. */
export const SCHEMAS: Readonly<Record<string, SearchSchema>> = Object.fromEntries(
  Object.entries(schema.resources).map(([resource, { table, fields }]) => [
    resource,
    { resource, table: `recorded.${table}`, fields: fields.map(fieldOf), ...defaultOrder(fields) },
  ]),
)

/** Creates the recorded tables with all their rows. */
export async function createTables(db: Db): Promise<void> {
  await sql`create schema recorded`.execute(db)
  for (const [name, { columns, rows: values }] of Object.entries(schema.tables)) {
    const table = sql.table(`recorded.${name}`)
    const definitions = columns.map(
      (column) => sql`${sql.id(column.name)} ${TYPES[column.type]}${sql.raw(column.nullable ? '' : ' not null')}`,
    )
    await sql`create table ${table} (${sql.join(definitions)}, primary key (id))`.execute(db)
    const records = values.map((row) => Object.fromEntries(columns.map((column, index) => [column.name, row[index]])))
    await sql`insert into ${table} select * from json_populate_recordset(null::${table}, ${JSON.stringify(records)}::json)`.execute(
      db,
    )
  }
}

/** Yields all rows of a recorded table as JavaScript values. */
export function tableRows(name: string): Record<string, unknown>[] {
  const { columns, rows: values } = schema.tables[name] as RecordedSchema['tables'][string]
  return values.map((row) => Object.fromEntries(columns.map((column, index) => [column.name, row[index]])))
}

/** Yields the ids that a statement selects. */
export async function idsOf(db: Db, statement: Sql): Promise<number[]> {
  return (await rows<{ id: number }>(db, statement)).map(({ id }) => id)
}

const TYPES: Readonly<Record<string, Sql>> = {
  integer: sql`integer`,
  text: sql`text collate "C"`,
  datetime: sql`timestamptz`,
  date: sql`date`,
  boolean: sql`boolean`,
  decimal: sql`numeric`,
  uuid: sql`uuid`,
}

function fieldOf(field: RecordedField): SearchField {
  const { bits, virtual, relation } = field
  const yesNo = field.enum?.every(({ value }) => typeof value === 'boolean')
  return {
    name: field.name,
    aliases: field.aliases,
    type: field.type === 'enum' ? (yesNo ? 'boolean' : 'choice') : field.type === 'virtual' ? 'text' : field.type,
    explicit: field.explicitOnly,
    hidden: !field.completion.listed,
    noCompletion: field.completion.values === false,
    ...(field.completion.operators && { operators: field.completion.operators.map((sign) => sign.trim()) }),
    column: field.columnType === null ? null : field.column,
    ...(bits && { expression: (alias: string) => word(alias, field.column, bits, yesNo === true) }),
    nullable: field.nullable ?? false,
    ...(field.enum && !yesNo && { values: Object.fromEntries(field.enum.map(({ key, value }) => [key, value])) }),
    ...(relation && { through: pathOf(relation), many: relation.kind !== 'belongsTo' }),
    ...(field.key && {
      key: { column: field.key.column, through: [step(field.key.table, 'id', field.key.foreignKey)] },
    }),
    ...(field.specialValues && { words: field.specialValues }),
    ...((virtual || field.translation?.else === 'error') && VIRTUAL[virtual?.name ?? field.name]),
    ...(field.defaultOperator === 'like' && { freeOperator: 'like' as const }),
  }
}

function pathOf(relation: NonNullable<RecordedField['relation']>): Join[] {
  if (relation.kind === 'belongsTo') return [step(relation.table, 'id', relation.foreignKey)]
  if (relation.kind === 'hasMany') return [step(relation.table, relation.foreignKey, 'id')]
  const { through } = relation
  return [step(through.table, through.foreignKey, 'id'), step(relation.table, 'id', through.targetKey)]
}

function step(table: string, column: string, previous: string): Join {
  return { table: `recorded.${table}`, column, previous }
}

// Selects a number stored in some bits of a column; a boolean field compares it with zero.
function word(alias: string, column: string, bits: { offset: number; wordSize: number }, yesNo: boolean): Sql {
  const value = sql`((${sql.ref(`${alias}.${column}`)} >> ${sql.lit(bits.offset * bits.wordSize)}) & ${sql.lit(2 ** bits.wordSize - 1)})`
  return yesNo ? sql`(${value} > 0)` : value
}

function defaultOrder(fields: readonly RecordedField[]): { order?: string } {
  const field = fields.find(({ defaultOrder }) => defaultOrder)
  return field ? { order: `${field.name} ${field.defaultOrder}` } : {}
}

function text(name: string): string {
  return readFileSync(new URL(`recorded/${name}`, import.meta.url), 'utf8')
}
