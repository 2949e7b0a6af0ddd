import { type Sql, sql } from '../sql.ts'
import { wordsOf } from './conditions.ts'
import { SearchError } from './error.ts'
import { MAX_VALUE } from './query.ts'
import { columnOf } from './relations.ts'
import type { SearchField, SearchOptions, SearchSchema } from './schema.ts'
import { isPlainWord } from './tokens.ts'
import { computeWall } from './zones.ts'

/** A question that completion has about the records: up to `limit` values of a field, or keys of a key/value field. */
export interface ValuesWanted {
  readonly field: SearchField
  readonly what: 'values' | 'keys'
  /** The key that the values must belong to. */
  readonly key: string | null
  /** What they must begin with; `*` and `%` stand for anything. */
  readonly typed: string
  readonly limit: number
}

/** What suggestions need beside the schema. */
export interface CompletionOptions extends SearchOptions {
  /** Yields the values in ascending order without repetition; `buildValuesStatement` builds the SQL for it. */
  readonly values: (wanted: ValuesWanted) => Promise<(string | number | boolean)[]>
}

/** Lists the operators offered behind a field, each with a blank behind it. */
export function operatorsOf(field: SearchField): string[] {
  return listOperatorSigns(field).map((sign) => `${sign} `)
}

/** How the operator reads a value: as it is, as a pattern, or as an item of a list. */
export type ValueUse = 'value' | 'pattern' | 'item'

/** The place of a value in a search: the field that it is compared with, and the text typed so far. */
export interface ValuePlace {
  readonly field: SearchField
  readonly key: string | null
  readonly typed: string
  readonly use: ValueUse
}

/** Lists the values offered behind an operator, quoted as the search needs them. */
export async function valuesOf({ field, key, typed, use }: ValuePlace, options: CompletionOptions): Promise<string[]> {
  const words = Object.keys(wordsOf(field))
  if (words.length > 0) return words
  if (field.type === 'datetime' || field.type === 'date') return listDateSamples(options)
  const special = (field.words ?? []).filter((word) => word.startsWith(typed))
  const limit = 20 - special.length
  const found = await options.values({ field, what: 'values', key, typed, limit })
  const usable = use === 'item' ? found.filter(isItem) : found
  return [...special, ...usable.map((value) => formatSearchValue(field, value, use))]
}

// A list has no way to write items with commas or outer blanks (core-api §8.3).
function isItem(value: string | number | boolean): boolean {
  const text = String(value)
  return text !== '' && !/,|^[ \t\n\v\f\r]|[ \t\n\v\f\r]$/.test(text)
}

/**
 * Builds the statement for {@link ValuesWanted}: the distinct values, as the column `value`, of those records (alias `root`)
 * for which `condition` is true. {@throws SearchError} for keys of a field that has none
 */
export function buildValuesStatement(
  schema: SearchSchema,
  wanted: ValuesWanted,
  root: string,
  condition: Sql | null,
): Sql {
  const { field, what, typed, limit } = wanted
  const path = [
    ...(field.through ?? []),
    ...(field.key && (what === 'keys' || wanted.key !== null) ? (field.key.through ?? []) : []),
  ]
  const aliasOf = (step: number) => (step === 0 ? root : `${root}_${step}`)
  const joins = path.map(
    (join, index) =>
      sql`join ${sql.table(join.table)} as ${sql.id(aliasOf(index + 1))} on ${sql.ref(`${aliasOf(index + 1)}.${join.column}`)} = ${sql.ref(`${aliasOf(index)}.${join.previous}`)}`,
  )
  const keyColumn = field.key && sql.ref(`${aliasOf(path.length)}.${field.key.column}`)
  if (what === 'keys' && !keyColumn) throw new SearchError(`Field '${field.name}' not recognized for searching!`)
  const column = what === 'keys' && keyColumn ? keyColumn : columnOf(field, aliasOf(field.through?.length ?? 0))
  // Longer values are not suggested, because they would fill a page and nobody types them.
  const conditions = [sql`char_length(${column}::text) <= ${MAX_VALUE}::integer`]
  if (typed !== '') conditions.push(sql`left(${column}::text, 50) like ${`${typed}%`.replace(/[*%]+/g, '%')}`)
  if (wanted.key !== null && keyColumn) conditions.push(sql`${keyColumn} = ${wanted.key}`)
  if (field.counting) conditions.push(field.counting(aliasOf(field.through?.length ?? 0)))
  if (condition) conditions.push(sql`(${condition})`)
  return sql`select distinct seen.value from (
      select ${column} as value from ${sql.table(schema.table)} as ${sql.id(root)} ${sql.join(joins, sql` `)}
      where ${sql.join(conditions, sql` and `)} limit ${MOST_LOOKED_AT}::integer
    ) seen order by 1 limit ${limit}`
}

/** The number of records among which values are looked for: sorting a million would take longer than typing. */
const MOST_LOOKED_AT = 20_000

const SIGNS = {
  virtual: ['=', '!=', '>', '<', '<=', '>=', '~', '!~', '^', '!^'],
  text: ['=', '!=', '~', '!~', '^', '!^'],
  number: ['=', '>', '<', '<=', '>=', '!=', '^', '!^'],
  time: ['=', '>', '<'],
  word: ['=', '!='],
}

function listOperatorSigns(field: SearchField): readonly string[] {
  if (field.operators) return field.operators
  if (field.virtual && field.type === 'text') return SIGNS.virtual
  switch (field.type) {
    case 'text':
      return SIGNS.text
    case 'integer':
    case 'decimal':
      return SIGNS.number
    case 'datetime':
    case 'date':
      return SIGNS.time
    default:
      return SIGNS.word
  }
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

// One example of each form of a time.
function listDateSamples({ now, zone }: CompletionOptions): string[] {
  const { year, month, day } = computeWall(now, zone)
  const computeDaysAgo = (days: number) => new Date(Date.UTC(year, month - 1, day - days))
  const weekdays = [2, 3, 4, 5].map((days) => WEEKDAYS[computeDaysAgo(days).getUTCDay()] as string)
  const week = computeDaysAgo(7)
  const date = `"${MONTHS[week.getUTCMonth()]} ${String(week.getUTCDate()).padStart(2, '0')},${week.getUTCFullYear()}"`
  const before = ['"30 minutes ago"', '"1 hour ago"', '"2 hours ago"', 'Today', 'Yesterday', 'Tomorrow']
  return [...before, ...weekdays, '"6 days ago"', date, '"2 weeks from now"']
}

// Numbers stand without quotes, unless their sign would be read as "not".
function formatSearchValue(field: SearchField, value: string | number | boolean, use: ValueUse): string {
  const plain = String(value)
  const text = use === 'pattern' ? plain.replaceAll('\\', '\\\\') : plain
  const isNumber = field.type === 'integer' || field.type === 'decimal'
  return isNumber && isPlainWord(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}
