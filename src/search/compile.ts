import { sql } from 'kysely'
import { all, any, type Sql } from '../database/sql.ts'
import { columnCondition, suitsFreeText, wordForYes } from './conditions.ts'
import { SearchError } from './error.ts'
import { parse } from './parse.ts'
import { MAX_COMPARISONS, type Operator, type Query } from './query.ts'
import { among, columnOf, exists, firstValue, joinedValue, tablesOf } from './relations.ts'
import type { SearchField, SearchOptions, SearchSchema } from './schema.ts'

export interface CompiledSearch {
  /** True for the records that are found; null when every record is. */
  readonly condition: Sql | null
  /** Every table the condition reads, the resource's own first. */
  readonly tables: string[]
}

export interface CompiledOrder {
  /** What stands behind `order by`; records that compare equal are left in any order. */
  readonly order: Sql
  /** The same with joins for the `from` of the statement; quicker for many rows. Absent where no other table is asked. */
  readonly joined?: { readonly joins: Sql; readonly order: Sql }
  readonly tables: string[]
}

/**
 * The condition a search puts on the records of a resource, over the alias `options.root` of its table (core-api §8).
 * {@throws SearchError} when the search cannot be understood, with the place of the condition that is wrong.
 */
export function compileSearch(schema: SearchSchema, text: string, options: SearchOptions): CompiledSearch {
  const { query, positions } = parse(text)
  const search: Search = { schema, options, positions, tables: new Set([schema.table]), comparisons: 0 }
  const empty = query.kind === 'and' && query.operands.length === 0
  return { condition: empty ? null : condition(search, query), tables: [...search.tables] }
}

/**
 * What an order like `name` or `created_at desc` means (core-api §8.7). A blank one is the resource's own, or by id.
 * {@throws SearchError} for anything but one search field and a direction.
 */
export function compileOrder(schema: SearchSchema, order: string, options: SearchOptions): CompiledOrder {
  const asked = words(order)
  const [name, direction = 'asc', ...rest] = asked.length > 0 ? asked : words(schema.order ?? '')
  if (name === undefined) return { order: sql.ref(`${options.root}.id`), tables: [schema.table] }
  const found = findField(schema, name)
  if (!found || found.key !== null) {
    throw new SearchError(`the field '${name}' in the order statement is not valid field for search`, 0)
  }
  if (!/^(asc|desc)$/i.test(direction) || rest.length > 0) {
    throw new SearchError(`an order is one field with asc or desc behind it, not '${order}'`, 0)
  }
  const { field } = found
  // Without a value is first in ascending order, last in descending order.
  const nulls = field.nullable ? sql.raw(/desc/i.test(direction) ? ' nulls last' : ' nulls first') : sql``
  const towards = sql`${sql.raw(direction.toLowerCase())}${nulls}`
  const value = field.through ? firstValue(field, options.root, towards) : columnOf(field, options.root)
  const joined = joinedValue(field, options.root)
  return {
    order: sql`${value} ${towards}`,
    ...(joined && { joined: { joins: joined.joins, order: sql`${joined.value} ${towards}` } }),
    tables: [...new Set([schema.table, ...tablesOf(field)])],
  }
}

// Blanks are the ASCII ones, as in a search.
function words(order: string): string[] {
  return order.split(/[ \t\n\v\f\r]+/).filter((word) => word !== '')
}

/** The field a name in a search means, and the key when it is `field.key`; undefined when there is none. */
export function findField(schema: SearchSchema, name: string): Found | undefined {
  const fields = fieldsOf(schema)
  const exact = fields.get(name)
  // Without a dot, the name of a key/value field is the key as well.
  if (exact) return { field: exact, key: exact.key ? name : null }
  const dot = name.indexOf('.')
  const prefixed = dot > 0 ? fields.get(name.slice(0, dot)) : undefined
  return prefixed?.key && dot < name.length - 1 ? { field: prefixed, key: name.slice(dot + 1) } : undefined
}

export interface Found {
  readonly field: SearchField
  readonly key: string | null
}

interface Search {
  readonly schema: SearchSchema
  readonly options: SearchOptions
  readonly positions: ReadonlyMap<Query, number>
  readonly tables: Set<string>
  comparisons: number
}

// A tree is never deeper than the parser allows, so this may recurse.
function condition(search: Search, query: Query): Sql {
  switch (query.kind) {
    case 'and':
      return all(query.operands.map((operand) => condition(search, operand)))
    case 'or':
      return any(query.operands.map((operand) => condition(search, operand)))
    case 'not':
      // What is unknown, because a value is missing, is not true: "not" finds it.
      return sql`(${condition(search, query.operand)}) is not true`
    default:
      return located(search.positions.get(query) ?? null, () => single(search, query))
  }
}

type Single = Exclude<Query, { readonly kind: 'and' | 'or' | 'not' }>

function single(search: Search, query: Single): Sql {
  if (query.kind === 'word') return freeText(search, null, query.value)
  if (query.kind === 'compare') {
    if (query.field === null) return freeText(search, query.operator, query.value)
    return comparison(search, knownField(search, query.field), query.operator, query.value)
  }
  const found = knownField(search, query.field)
  return query.kind === 'has' ? has(search, found) : isNull(search, found)
}

// A word alone, or a comparison without a field: one of the fields of free text compares true (core-api §8.4).
function freeText(search: Search, operator: Operator | null, value: string): Sql {
  const { schema, options } = search
  const named = operator === null ? findField(schema, value)?.field : undefined
  const yes = named && !named.virtual && wordForYes(named)
  if (named && yes) return comparison(search, { field: named, key: null }, 'eq', yes)
  const fields = schema.fields.filter((field) => suitsFreeText(field, operator, value, options))
  if (fields.length === 0) {
    throw new SearchError(`No field is searched for '${value}' unless it is named: write field = value`)
  }
  const related = fields.filter(({ through }) => through).length >= MANY ? among : undefined
  return any(
    fields.map((field) => comparison(search, { field, key: null }, operator ?? freeOperator(field), value, related)),
  )
}

// With so many tables asked the planner would look into each of them for every record.
const MANY = 4

function freeOperator(field: SearchField): Operator {
  return field.freeOperator ?? (field.type === 'text' && !field.virtual ? 'like' : 'eq')
}

function comparison(
  search: Search,
  { field, key }: Found,
  operator: Operator,
  value: string,
  related: typeof among | undefined = undefined,
): Sql {
  const { options } = search
  if (++search.comparisons > MAX_COMPARISONS) {
    throw new SearchError(`A search can come to at most ${MAX_COMPARISONS} comparisons: name the fields that are meant`)
  }
  for (const table of tablesOf(field)) search.tables.add(table)
  const { counting } = field
  if (field.virtual)
    return field.virtual({ operator, value, key, root: options.root, ...(counting && { counting }) }, options)
  const about = (column: Sql) => columnCondition(field, column, operator, value, options)
  if (!field.through) return about(columnOf(field, options.root))
  return related && !field.key ? related(field, options.root, about) : exists(field, options.root, key, about)
}

function has(search: Search, { field, key }: Found): Sql {
  for (const table of tablesOf(field)) search.tables.add(table)
  const { counting, present } = field
  if (present) return present({ key, root: search.options.root, ...(counting && { counting }) })
  if (!field.through) return sql`${columnOf(field, search.options.root)} is not null`
  return exists(field, search.options.root, key, (column) => (field.nullable ? sql`${column} is not null` : null))
}

// A relation has no value when it leads nowhere or to a row without one; a key has none only where its row says so.
function isNull(search: Search, { field, key }: Found): Sql {
  for (const table of tablesOf(field)) search.tables.add(table)
  const { root } = search.options
  if (field.present) return sql`not ${has(search, { field, key })}`
  if (!field.through) return sql`${columnOf(field, root)} is null`
  const empty = exists(field, root, key, (column) => sql`${column} is null`)
  if (field.key) return empty
  const none = sql`not ${exists(field, root, null, () => null)}`
  return field.nullable ? any([none, empty]) : none
}

function knownField(search: Search, name: string): Found {
  const found = findField(search.schema, name)
  if (found) return found
  throw new SearchError(`Field '${name}' not recognized for searching!`)
}

// Messages about a field or value do not know where it stands; here it is known.
function located(position: number | null, compile: () => Sql): Sql {
  try {
    return compile()
  } catch (error) {
    if (error instanceof SearchError && error.position === null) throw new SearchError(error.message, position)
    throw error
  }
}

// Schemas are facts of the program: each is looked at once.
const indexes = new WeakMap<SearchSchema, Map<string, SearchField>>()

function fieldsOf(schema: SearchSchema): Map<string, SearchField> {
  const known = indexes.get(schema)
  if (known) return known
  const fields = new Map(
    schema.fields.flatMap((field) => [field.name, ...(field.aliases ?? [])].map((name) => [name, field])),
  )
  indexes.set(schema, fields)
  return fields
}
