import { type Sql, sql } from '../sql.ts'
import { dayOf, readInterval } from './dates.ts'
import { SearchError } from './error.ts'
import type { Operator } from './query.ts'
import type { SearchField, SearchOptions, SearchType } from './schema.ts'

/**
 * Builds the condition that a column compares true with a value: plain comparisons with bound values, so that indexes can be
 * used. A column that is null compares neither true nor false. {@throws SearchError} when the value or the operator does not
 * suit the field (core-api §8.3)
 */
export function compileColumnCondition(
  field: SearchField,
  column: Sql,
  operator: Operator,
  value: string,
  options: SearchOptions,
): Sql {
  return CONDITIONS[field.type](column, operator, translateWord(field, operator, value, options), { field, options })
}

/**
 * Tells whether a word of free text can be compared with the field: a date field only takes words that are dates (core-api
 * §8.4).
 */
export function suitsFreeText(
  field: SearchField,
  operator: Operator | null,
  value: string,
  options: SearchOptions,
): boolean {
  if (field.explicit || field.type === 'boolean' || field.type === 'choice') return false
  if (field.virtual) return true
  switch (field.type) {
    case 'text':
      return operator === null || ['eq', 'ne', 'like', 'unlike'].includes(operator)
    case 'integer':
      return /^-?\d+$/.test(value) && readInteger(value) !== null
    case 'decimal':
      return /^-?\d+(\.\d+)?$/.test(value) && readDecimal(value) !== null
    case 'uuid':
      return UUID.test(value)
    case 'datetime':
    case 'date':
      return readInterval(value, options.now, options.zone) !== null
  }
}

/** Yields the word of a boolean field that means true, for the short form `managed` of `managed = true`. */
export function findWordForYes(field: SearchField): string | null {
  const found = Object.entries(wordsOf(field)).find(([, stored]) => stored === true)
  return found ? found[0] : null
}

/** Yields the words of a field that takes only certain values, with the value that each stands for. */
export function wordsOf(field: SearchField): Readonly<Record<string, string | number | boolean>> {
  return field.values ?? (field.type === 'boolean' ? { true: true, false: false } : {})
}

interface About {
  readonly field: SearchField
  readonly options: SearchOptions
}

type Condition = (column: Sql, operator: Operator, value: string, about: About) => Sql

const CONDITIONS: Readonly<Record<SearchType, Condition>> = {
  text: compileText,
  integer: createTypedCondition('bigint', readInteger),
  decimal: createTypedCondition('numeric', readDecimal),
  uuid: createTypedCondition('uuid', readUuid),
  boolean: compileWord,
  choice: compileWord,
  datetime: compileInstant,
  date: compileDay,
}

const SIGNS = { eq: sql`=`, ne: sql`<>`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` }

function compileText(column: Sql, operator: Operator, value: string): Sql {
  switch (operator) {
    case 'like':
      return sql`fold(${column}) like fold(${toPattern(value)})`
    case 'unlike':
      return sql`fold(${column}) not like fold(${toPattern(value)})`
    case 'in':
      return sql`${column} = any(${itemsOf(value)}::text[])`
    case 'notin':
      return sql`${column} <> all(${itemsOf(value)}::text[])`
    default:
      return sql`${column} ${SIGNS[operator]} ${value}`
  }
}

// * and % stand for any characters and anchor the pattern at both ends; without them the value may stand anywhere.
function toPattern(value: string): string {
  if (!/[*%]/.test(value)) return `%${value}%`
  const anchored = value.replace(/[*%]+/g, '%')
  let last = anchored.length
  while (anchored[last - 1] === '\\') last--
  if ((anchored.length - last) % 2 === 1) throw new SearchError(`'${value}' ends in a backslash that escapes nothing`)
  return anchored
}

function itemsOf(value: string): string[] {
  const items = value.split(',')
  while (items.at(-1) === '') items.pop()
  if (items.length === 0) throw new SearchError('Empty list of operands')
  return items.map((item) => item.replace(OUTER_BLANKS, ''))
}

// Only ASCII blanks separate words; any other is part of a value.
const OUTER_BLANKS = /^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g

// Handles numbers and other values that the database parses from text; what it could not parse is refused here.
function createTypedCondition(type: 'bigint' | 'numeric' | 'uuid', read: (text: string) => string | null): Condition {
  const cast = sql.raw(type)
  return (column, operator, value, { field }) => {
    const readItem = (item: string) => read(item) ?? refuseValue(field, item)
    switch (operator) {
      case 'like':
      case 'unlike':
        return refuseOperator(field, operator)
      case 'in':
        return sql`${column} = any(${itemsOf(value).map(readItem)}::${cast}[])`
      case 'notin':
        return sql`${column} <> all(${itemsOf(value).map(readItem)}::${cast}[])`
      default:
        return sql`${column} ${SIGNS[operator]} ${readItem(value)}::${cast}`
    }
  }
}

function compileWord(column: Sql, operator: Operator, value: string, { field }: About): Sql {
  if (field.asText && (operator === 'like' || operator === 'unlike' || operator === 'in' || operator === 'notin')) {
    return compileText(sql`(${column})::text`, operator, value)
  }
  const words = wordsOf(field)
  if (!Object.hasOwn(words, value)) {
    const known = Object.keys(words).join(', ')
    throw new SearchError(`'${nameOf(field)}' should be one of '${known}', but the query was '${value}'`)
  }
  if (operator !== 'eq' && operator !== 'ne') {
    throw new SearchError(`Operator '${operator}' not supported for '${nameOf(field)}'`)
  }
  return sql`${column} ${SIGNS[operator]} ${words[value]}`
}

function compileInstant(column: Sql, operator: Operator, value: string, about: About): Sql {
  const { from, to, unit } = intervalOf(value, operator, about)
  const start = sql`${from.toISOString()}::timestamptz`
  const end = sql`${to.toISOString()}::timestamptz`
  const days = unit === 'day' || unit === 'month' || unit === 'year'
  switch (operator) {
    case 'eq':
      return sql`(${column} >= ${start} and ${column} < ${end})`
    case 'ne':
      return sql`(${column} < ${start} or ${column} >= ${end})`
    case 'gt':
      return days ? sql`${column} >= ${end}` : sql`${column} > ${start}`
    case 'lte':
      return days ? sql`${column} < ${end}` : sql`${column} <= ${start}`
    case 'lt':
      return sql`${column} < ${start}`
    case 'gte':
      return sql`${column} >= ${start}`
    default:
      return refuseOperator(about.field, operator)
  }
}

// Compares a column of days: of a time only the day counts, a month in words means its first day, and months and years in
// ISO 8601 form are whole intervals.
function compileDay(column: Sql, operator: Operator, value: string, about: About): Sql {
  const { from, to } = intervalOf(value, operator, about)
  const day = dayOf(from, about.options.zone)
  const isWhole = /^\s*\d{4}(-\d{1,2})?\s*$/.test(value)
  const lastDay = isWhole ? dayOf(new Date(to.getTime() - 1), about.options.zone) : day
  const first = sql`${day}::date`
  const last = sql`${lastDay}::date`
  switch (operator) {
    case 'eq':
      return day === lastDay ? sql`${column} = ${first}` : sql`${column} between ${first} and ${last}`
    case 'ne':
      return day === lastDay ? sql`${column} <> ${first}` : sql`${column} not between ${first} and ${last}`
    case 'gt':
      return sql`${column} > ${last}`
    case 'lte':
      return sql`${column} <= ${last}`
    case 'lt':
      return sql`${column} < ${first}`
    case 'gte':
      return sql`${column} >= ${first}`
    default:
      return refuseOperator(about.field, operator)
  }
}

function intervalOf(value: string, operator: Operator, { field, options }: About) {
  if (operator === 'like' || operator === 'unlike' || operator === 'in' || operator === 'notin') {
    return refuseOperator(field, operator)
  }
  const interval = readInterval(value, options.now, options.zone)
  if (interval) return interval
  throw new SearchError(
    `'${value}' is no date or time: write 2026-03-31, "2026-03-31 10:30", yesterday or "3 days ago"`,
  )
}

// Special words stand for values of the request; patterns are not translated.
function translateWord(field: SearchField, operator: Operator, value: string, { words = {} }: SearchOptions): string {
  if (!field.words || operator === 'like' || operator === 'unlike') return value
  const translate = (item: string) => {
    if (!field.words?.includes(item)) return item
    const meaning = Object.hasOwn(words, item) ? words[item] : null
    if (meaning !== null && meaning !== undefined) return String(meaning)
    throw new SearchError(`Translation from any value to nil is not allowed, translated '${item}'`)
  }
  return operator === 'in' || operator === 'notin' ? itemsOf(value).map(translate).join(',') : translate(value)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

// Unlike the database, this refuses braces and hyphens in other places.
function readUuid(text: string): string | null {
  const plain = /^\{.*\}$/.test(text) ? text.slice(1, -1) : text
  return /^(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}$/i.test(plain) ? plain : null
}

function readInteger(text: string): string | null {
  const digits = /^\s*([+-]?\d{1,30})\s*$/.exec(text)?.[1]
  if (!digits) return null
  const number = BigInt(digits.replace('+', ''))
  return BigInt.asIntN(64, number) === number ? number.toString() : null
}

function readDecimal(text: string): string | null {
  if (text.length > 400) return null
  const digits = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?|nan|[+-]?inf(?:inity)?)\s*$/i.exec(text)?.[1]
  return digits ?? null
}

// Clients of this API know these messages with the name of the column.
function nameOf(field: SearchField): string {
  return field.column ?? field.name
}

function refuseValue(field: SearchField, value: string): never {
  throw new SearchError(`Value '${value}' is not valid for field '${nameOf(field)}'`)
}

function refuseOperator(field: SearchField, operator: Operator): never {
  throw new SearchError(`the operator '${operator}' is not supported for field type '${field.type}'`)
}
