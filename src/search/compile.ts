import { joinAll, joinAny, type Sql, sql } from '../sql.ts'
import type { OrderKey } from './after.ts'
import { compileColumnCondition, findWordForYes, suitsFreeText } from './conditions.ts'
import { costOf, MAX_JOINED } from './cost.ts'
import { SearchError } from './error.ts'
import { parse } from './parse.ts'
import { MAX_COMPARISONS, type Operator, type Query } from './query.ts'
import { columnOf, exists, limitToAmong, selectFirstValue, selectJoinedValue, tablesOf } from './relations.ts'
import type { SearchField, SearchOptions, SearchSchema } from './schema.ts'

/** A search as SQL, with what is needed to judge its cost. */
export interface CompiledSearch {
  /** True for the records that match; null when every record does. */
  readonly condition: Sql | null
  /** Every table that the condition reads, that of the resource first. */
  readonly tables: string[]
  /** The cost for each record (cost.ts). */
  readonly cost: number
  /** The number of conditions in the search. */
  readonly conditions: number
}

/** An order as SQL. */
export interface CompiledOrder {
  /** The expressions for `order by`; records that compare equal come in any order. */
  readonly order: Sql
  /**
   * The order as joins for the `from` of the statement, which is faster for many rows. Absent where no other table is read.
   */
  readonly joined?: { readonly joins: Sql; readonly order: Sql }
  /** What the position of a record in this order is compared by. */
  readonly key: OrderKey
  readonly tables: string[]
}

/**
 * Compiles a search into a condition on the records of a resource, over the alias `options.root` of its table (core-api §8).
 * {@throws SearchError} with the position of the faulty condition
 */
export function compileSearch(schema: SearchSchema, text: string, options: SearchOptions): CompiledSearch {
  const { query, positions } = parse(text)
  const search: Search = {
    schema,
    options,
    positions,
    tables: new Set([schema.table]),
    comparisons: 0,
    cost: 0,
    joined: 0,
  }
  const empty = query.kind === 'and' && query.operands.length === 0
  const compiled = empty ? null : compileQuery(search, query)
  return { condition: compiled, tables: [...search.tables], cost: search.cost, conditions: positions.size }
}

/**
 * Compiles an order like `name` or `created_at desc` (core-api §8.7). A blank one is the resource's default, or by id.
 * {@throws SearchError} for anything but a search field and a direction
 */
export function compileOrder(
  schema: SearchSchema,
  order: string,
  options: SearchOptions,
  missing: 'first' | 'last' = 'first',
): CompiledOrder {
  if (order.length > MAX_ORDER) throw new SearchError(`An order can have at most ${MAX_ORDER} characters`, 0)
  const asked = splitWords(order)
  const [name, direction = 'asc', ...rest] = asked.length > 0 ? asked : splitWords(schema.order ?? '')
  if (name === undefined) {
    const value = sql.ref(`${options.root}.id`)
    return { order: value, key: { value, compared: value, descending: false, nulls: null }, tables: [schema.table] }
  }
  const found = findField(schema, name)
  if (!found || found.key !== null) {
    const why = found ? ': it has a value for each key' : ''
    throw new SearchError(`the field '${name}' in the order statement is not valid field for search${why}`, 0)
  }
  if (!/^(asc|desc)$/i.test(direction) || rest.length > 0) {
    throw new SearchError(`an order is one field with asc or desc behind it, not '${order}'`, 0)
  }
  const { field } = found
  // Records without a value come first in an ascending order that was asked for, last in all others.
  const descending = /desc/i.test(direction)
  const isLast = descending || missing === 'last'
  const placed = field.nullable ? sql.raw(isLast ? ' nulls last' : ' nulls first') : sql``
  const towards = sql`${sql.raw(direction.toLowerCase())}${placed}`
  const value = field.through
    ? selectFirstValue(field, options.root, towards)
    : (field.sorted?.(options.root) ?? columnOf(field, options.root))
  const joined = selectJoinedValue(field, options.root)
  const mayLack = field.nullable || field.through || field.sorted || field.expression
  // By default PostgreSQL treats null as larger than every value.
  const isBehind = field.nullable ? isLast : !descending
  const nulls = mayLack ? (isBehind ? 'last' : 'first') : null
  return {
    order: sql`${value} ${towards}`,
    key: { value, compared: joined?.value ?? value, descending, nulls },
    ...(joined && { joined: { joins: joined.joins, order: sql`${joined.value} ${towards}` } }),
    tables: [...new Set([schema.table, ...tablesOf(field)])],
  }
}

/** The maximum length of an order, longer than any field with its direction. */
const MAX_ORDER = 1000

// Only ASCII blanks separate words, as in a search.
function splitWords(order: string): string[] {
  return order.split(/[ \t\n\v\f\r]+/).filter((word) => word !== '')
}

/** Finds the field that a name in a search means, with the key when it is `field.key`; undefined when there is none. */
export function findField(schema: SearchSchema, name: string): FieldMatch | undefined {
  const fields = fieldsOf(schema)
  const exact = fields.get(name)
  // Without a dot, the name of a key/value field is the key as well.
  if (exact) return { field: exact, key: exact.key ? name : null }
  const dot = name.indexOf('.')
  const prefixed = dot > 0 ? fields.get(name.slice(0, dot)) : undefined
  return prefixed?.key && dot < name.length - 1 ? { field: prefixed, key: name.slice(dot + 1) } : undefined
}

/** The field that a name means; `key` is the part after the dot, for fields of keys and values. */
export interface FieldMatch {
  readonly field: SearchField
  readonly key: string | null
}

interface Search {
  readonly schema: SearchSchema
  readonly options: SearchOptions
  readonly positions: ReadonlyMap<Query, number>
  readonly tables: Set<string>
  comparisons: number
  cost: number
  /** The number of tables that the conditions so far may add to the joins of the statement. */
  joined: number
}

// Recursion is safe here, because the parser limits the depth of trees.
function compileQuery(search: Search, query: Query): Sql {
  switch (query.kind) {
    case 'and':
      return joinAll(query.operands.map((operand) => compileQuery(search, operand)))
    case 'or':
      return joinAny(query.operands.map((operand) => compileQuery(search, operand)))
    case 'not':
      // `not` also matches records for which the condition is null because a value is missing.
      return sql`(${compileQuery(search, query.operand)}) is not true`
    default:
      return locateErrors(search.positions.get(query) ?? null, () => compileSingle(search, query))
  }
}

type Single = Exclude<Query, { readonly kind: 'and' | 'or' | 'not' }>

function compileSingle(search: Search, query: Single): Sql {
  if (query.kind === 'word') return compileFreeText(search, null, query.value)
  if (query.kind === 'compare') {
    if (query.field === null) return compileFreeText(search, query.operator, query.value)
    return compileComparison(search, requireField(search, query.field), query.operator, query.value)
  }
  const found = requireField(search, query.field)
  return query.kind === 'has' ? has(search, found) : isNull(search, found)
}

// A word alone, or a comparison without a field, matches when one of the fields of free text compares true (core-api §8.4).
function compileFreeText(search: Search, operator: Operator | null, value: string): Sql {
  const { schema, options } = search
  const named = operator === null ? findField(schema, value)?.field : undefined
  const yes = named && findWordForYes(named)
  if (named && yes) return compileComparison(search, { field: named, key: null }, 'eq', yes)
  const fields = sortTextFirst(
    schema.fields.filter((field) => suitsFreeText(field, operator, value, options)),
    operator,
    value,
  )
  if (fields.length === 0) {
    throw new SearchError(`No field is searched for '${value}' unless it is named: write field = value`)
  }
  const isOneOfMany = fields.filter(({ through }) => through).length >= MANY
  return joinAny(
    fields.map((field) =>
      compileComparison(search, { field, key: null }, operator ?? freeOperatorOf(field), value, isOneOfMany),
    ),
  )
}

/** Compares four digits without a field as text first: as a year they would match every record of that year. */
function sortTextFirst(
  fields: readonly SearchField[],
  operator: Operator | null,
  value: string,
): readonly SearchField[] {
  const others = fields.filter(({ type }) => type !== 'datetime' && type !== 'date')
  if (others.length === fields.length || !/^\d{4}$/.test(value)) return fields
  if (operator === null) return others.length > 0 ? others : fields
  const name = fields.find((field) => !others.includes(field))?.name
  throw new SearchError(
    `'${value}' may be a year or a number: name the field that is meant, such as ${name} = ${value}`,
  )
}

// From this number of tables on, the planner would evaluate each condition for every record.
const MANY = 4

function freeOperatorOf(field: SearchField): Operator {
  return field.freeOperator ?? (field.type === 'text' && !field.virtual ? 'like' : 'eq')
}

function compileComparison(
  search: Search,
  { field, key }: FieldMatch,
  operator: Operator,
  value: string,
  isOneOfMany = false,
): Sql {
  const { options } = search
  if (++search.comparisons > MAX_COMPARISONS) {
    throw new SearchError(`A search can come to at most ${MAX_COMPARISONS} comparisons: name the fields that are meant`)
  }
  spend(search, field, operator)
  const { counting } = field
  if (field.virtual) {
    const test = { operator, value, key, root: options.root, ...(counting && { counting }) }
    return compileApart(search, field, field.virtual(test, options))
  }
  const compileAbout = (column: Sql) => compileColumnCondition(field, column, operator, value, options)
  if (!field.through) return compileAbout(columnOf(field, options.root))
  return compileRelated(search, { field, key: field.key ? key : null }, compileAbout, isOneOfMany)
}

function spend(search: Search, field: SearchField, operator: Operator | 'has' | 'null'): void {
  for (const table of tablesOf(field)) search.tables.add(table)
  search.cost += costOf(field, operator)
}

/** Builds the condition that a related row exists for which `condition` holds. */
function compileRelated(
  search: Search,
  { field, key }: FieldMatch,
  condition: (column: Sql) => Sql | null,
  isOneOfMany = false,
): Sql {
  const { root } = search.options
  if (isOneOfMany && key === null) return limitToAmong(field, root, null, condition)
  return mayJoin(search, field)
    ? exists(field, root, key, condition)
    : sql`(${limitToAmong(field, root, key, condition)}) is true`
}

/**
 * Tells whether a condition about another table may become a join, which is fastest where few records match. Only the first
 * few may: each further one multiplies the planning time, and the errors of the planner's estimates multiply, too.
 */
function mayJoin(search: Search, field: SearchField): boolean {
  const may = search.joined < MAX_JOINED
  search.joined += tablesOf(field).length
  return may
}

// A condition in front of "is true" is not converted to a join.
function compileApart(search: Search, field: SearchField, condition: Sql): Sql {
  return tablesOf(field).length === 0 || mayJoin(search, field) ? condition : sql`(${condition}) is true`
}

function has(search: Search, { field: named, key }: FieldMatch): Sql {
  const field = limitToUnmasked(named)
  spend(search, field, 'has')
  const { counting, present } = field
  const { root } = search.options
  if (present) return compileApart(search, field, present({ key, root, ...(counting && { counting }) }))
  if (!field.through) return sql`${columnOf(field, root)} is not null`
  return compileRelated(search, { field, key }, (column) => (field.nullable ? sql`${column} is not null` : null))
}

// A relation counts as null when it leads nowhere or to a row without a value; a key only where its row says so.
function isNull(search: Search, { field: named, key }: FieldMatch): Sql {
  const field = limitToUnmasked(named)
  const { root } = search.options
  if (field.present) return sql`not (${has(search, { field, key })})`
  spend(search, field, 'null')
  if (!field.through) return sql`${columnOf(field, root)} is null`
  if (field.key) return compileRelated(search, { field, key }, (column) => sql`${column} is null`)
  const none = sql`not (${compileRelated(search, { field, key: null }, () => null)})`
  return field.nullable
    ? joinAny([none, compileRelated(search, { field, key: null }, (column) => sql`${column} is null`)])
    : none
}

function limitToUnmasked(field: SearchField): SearchField {
  return field.unmasked ? { ...field, expression: field.unmasked } : field
}

function requireField(search: Search, name: string): FieldMatch {
  const found = findField(search.schema, name)
  if (found) return found
  throw new SearchError(`Field '${name}' not recognized for searching!`)
}

// Errors about a field or value do not know their position; it is added here.
function locateErrors(position: number | null, compile: () => Sql): Sql {
  try {
    return compile()
  } catch (error) {
    if (error instanceof SearchError && error.position === null) throw new SearchError(error.message, position)
    throw error
  }
}

// Schemas are constants of the program, so that each is indexed once.
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
