import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assembleResources } from '../../src/areas/index.ts'
import { rows, type Sql } from '../../src/database/sql.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import { pageStatementOf } from '../../src/kernel/store/select.ts'
import { costOf } from '../../src/search/cost.ts'
import {
  compileOrder,
  compileSearch,
  MAX_COMPARISONS,
  MAX_CONDITIONS,
  type SearchField,
} from '../../src/search/index.ts'
import { SETTINGS } from '../../src/settings/settings.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { isInTurn, isShort } from '../support/cover.ts'
import { givenFleet } from '../support/fleet.ts'
import { resourceNamed } from '../support/given.ts'
import { seedOfRun } from '../support/seed.ts'

/** The maximum number of tables whose order the planner chooses together, including those of the page and its order. */
const MOST_IN_ONE_SPACE = 14

/**
 * The allowed factor for twice as many conditions: more than two, because the planner may find a plan that only suits few.
 */
const AT_MOST = 2.3

/**
 * The maximum number of rows that a recursion may expect: PostgreSQL reserves memory for them when the statement begins,
 * for each condition, even if no row is read.
 */
const MOST_RESERVED = 20_000

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  for (const { resource, terms } of searched)
    for (const { text } of terms)
      reserved.set(`${resource.name}: ${text('1')}`, await findReservedRows(resource, text('1')))
  await givenFleet(api, 1000)
  await sql`analyze`.execute(api.database.db)
}, 300_000)
afterAll(() => api?.[Symbol.asyncDispose]())

/** Values to compare with. */
const VALUES: Partial<Record<SearchField['type'], (which: string) => string>> = {
  text: (which) => `x${which}`,
  integer: (which) => which,
  decimal: (which) => which,
  uuid: (which) => `00000000-0000-0000-0000-${which.padStart(12, '0')}`,
  datetime: (which) => `"${which} days ago"`,
  date: (which) => `"${which} days ago"`,
}

const all = [...assembleResources().values()]
const seen = new Set<string>()
const searched = all.map((resource) => ({ name: resource.name, resource, terms: termsIn(resource) }))
const reserved = new Map<string, number>()

test('no recursion of a condition expects many rows of a new database', () => {
  expect([...reserved].filter(([, expected]) => expected > MOST_RESERVED)).toEqual([])
  expect([...reserved.values()].some((expected) => expected > 0)).toBe(true)
})

describe.each(searched)('$name', ({ resource, terms }) => {
  const inTurn = terms.filter(({ name }) => !isShort || isInTurn(`${resource.name} ${name}`))
  test.each(inTurn)('$name: twice as many conditions cost twice as much', async (term) => {
    const { some, most } = numbersOf(term)
    for (const shape of turnOf()) {
      const half = await findCost(resource, shape(term, some / 2))
      const whole = await findCost(resource, shape(term, some))
      const what = `${some} times ${shape(term, 2)}`
      expect(whole, what).toBeLessThanOrEqual(half * AT_MOST + SLACK)
      expect(await findLargestSpace(resource, shape(term, some)), what).toBeLessThanOrEqual(MOST_IN_ONE_SPACE)
    }
    const [together = () => ''] = SHAPES
    const largestSpace = await findLargestSpace(resource, together(term, most))
    expect(largestSpace, `${most} times ${term.name}`).toBeLessThanOrEqual(MOST_IN_ONE_SPACE)
  })

  test('any order joins a few tables only', async () => {
    for (const { name, key, column, expression } of resource.searchSchema.fields) {
      if (key || (column === null && !expression)) continue
      expect(await findLargestSpace(resource, '', name), name).toBeLessThanOrEqual(MOST_IN_ONE_SPACE)
    }
  })
})

/** A condition that can be repeated, and its cost. */
interface Term {
  readonly name: string
  readonly text: (which: string) => string
  readonly cost: number
  readonly comparisons: number
}

type Shape = (term: Term, many: number) => string

/** Ways to join conditions. */
const SHAPES: readonly Shape[] = [
  (term, many) => times(term, many).join(' and '),
  (term, many) => times(term, many).join(' or '),
  (term, many) => times(term, many).join(' and not '),
  (term, many) => pairs(times(term, many)).join(' and '),
  (term, many) => `not (${pairs(times(term, many)).join(' and not ')})`,
]

let turns = 0

/**
 * Yields the first shape and one of the others, which take turns: every operator and every kind of field meets each of them in
 * many terms.
 */
function turnOf(): readonly Shape[] {
  const [first, ...others] = SHAPES
  const other = others[(seedOfRun() + turns++) % others.length]
  return [first, other].filter((shape) => shape !== undefined)
}

// Without statistics of a column the first conditions may seem to cost nothing.
const SLACK = 2000

function times({ text }: Term, many: number): string[] {
  return Array.from({ length: Math.max(many, 2) }, (_, index) => text(String(index)))
}

function pairs(terms: readonly string[]): string[] {
  return terms.flatMap((term, index) => (index % 2 === 0 ? [`(${[term, terms[index + 1] ?? term].join(' or ')})`] : []))
}

/** Yields two numbers of conditions: a small one, and the maximum that the service accepts for few records. */
function numbersOf({ cost, comparisons }: Term): { some: number; most: number } {
  const limit = SETTINGS.search_comparisons_limit.default * 1_000_000
  const most = Math.floor(Math.min(MAX_CONDITIONS, MAX_COMPARISONS / comparisons, limit / FEWEST_RECORDS / cost))
  return { some: Math.min(40, most - (most % 2)), most }
}

const FEWEST_RECORDS = 5_000

/** Yields one field of each shape in a resource, because others produce equal SQL. */
function termsIn(resource: Resource): Term[] {
  const fields = resource.searchSchema.fields.filter((field) => {
    const { type, through = [], many, nullable, key, expression, virtual, present, leadsTo } = field
    const own = virtual || expression || present ? `${resource.table}.${field.name}` : ''
    const shape = JSON.stringify([type, through.length, many, nullable, Boolean(key), own, leadsTo?.resource])
    const isNew = !seen.has(shape)
    seen.add(shape)
    return isNew
  })
  return [...fields.flatMap(termsOf), ...freeText(resource)]
}

function termsOf(field: SearchField): Term[] {
  const name = field.key ? `${field.name}.kernel` : field.name
  const compared = VALUES[field.type]
  const term = (text: Term['text'], operator: Parameters<typeof costOf>[1]): Term => ({
    name: text('1'),
    text,
    cost: costOf(field, operator),
    comparisons: 1,
  })
  const equal = (which: string) => `${name} = ${compared?.(which) ?? Object.keys(field.values ?? {})[0] ?? 'true'}`
  const terms =
    field.name === 'parent_hostgroup' || field.type !== 'text' ? [] : [term((which) => `${name} ~ x${which}`, 'like')]
  const only = field.virtual && field.column === null // such a field only compares
  const presence = only ? [] : [term(() => `has ${name}`, 'has'), term(() => `null? ${name}`, 'null')]
  return [...terms, term(equal, 'eq'), ...presence]
}

/** Yields free text, whose words are compared with every field of free text. */
function freeText({ searchSchema }: Resource): Term[] {
  const fields = searchSchema.fields.filter(({ explicit, type }) => !explicit && type === 'text')
  if (fields.length === 0) return []
  const cost = fields.reduce((sum, field) => sum + costOf(field, 'like'), 0)
  return [{ name: 'words', text: (which) => `word${which}`, cost, comparisons: fields.length }]
}

/** Estimates the planner's cost of counting all matches, which is more stable than that of a page. */
async function findCost(resource: Resource, search: string): Promise<number> {
  return (await planOfCount(resource, search))['Total Cost']
}

/** Finds the largest number of rows that a recursion of the search expects. */
async function findReservedRows(resource: Resource, search: string): Promise<number> {
  const recursions = nodesOf(await planOfCount(resource, search)).filter(
    (node) => node['Node Type'] === 'Recursive Union',
  )
  return Math.max(0, ...recursions.map((node) => node['Plan Rows']))
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function planOfCount(resource: Resource, search: string): Promise<PlanNode> {
  const { condition } = compileSearch(schemaOf(resource), search, OPTIONS)
  return planOf(sql`select count(*) from ${sql.table(resource.table)} t where ${condition ?? sql`true`}`)
}

/** Yields the maximum number of tables whose order the planner chooses together for a page. */
async function findLargestSpace(resource: Resource, search: string, order = ''): Promise<number> {
  const schema = schemaOf(resource)
  const { condition, tables } = compileSearch(schema, search, OPTIONS)
  const statement = pageStatementOf(resource, {
    view: resource.views.list,
    conditions: condition ? [{ sql: condition, tables }] : [],
    order: compileOrder(schema, order, OPTIONS),
    limit: 20,
    offset: 0,
  })
  return spacesOf(await planOf(statement)).reduce((most, size) => Math.max(most, size), 0)
}

const OPTIONS = { now: new Date(), zone: 'UTC', root: 't', words: { current_user: 'admin' }, unlimited: () => false }

function schemaOf({ searchSchema }: Resource): typeof searchSchema {
  return { ...searchSchema, fields: searchSchema.fields.map(narrowed) }
}

/** Adds the condition of a caller who does not see all linked records. */
function narrowed(field: SearchField): SearchField {
  const { leadsTo } = field
  if (!leadsTo) return field
  const { table } = resourceNamed(leadsTo.resource)
  return {
    ...field,
    counting: (alias) =>
      sql`${sql.ref(`${alias}.${leadsTo.column}`)} in (select t.id from ${sql.table(table)} t where t.id > 0)`,
  }
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Parent Relationship'?: string
  readonly 'Relation Name'?: string
  readonly 'Total Cost': number
  readonly 'Plan Rows': number
  readonly Plans?: readonly PlanNode[]
}

async function planOf(statement: Sql): Promise<PlanNode> {
  const [found] = await rows<{ 'QUERY PLAN': unknown }>(api.database.db, sql`explain (format json) ${statement}`)
  // Exact numbers such as 1.10 become plain ones by printing and parsing.
  const [{ Plan: plan }] = JSON.parse(JSON.stringify(found?.['QUERY PLAN'])) as [{ Plan: PlanNode }]
  return plan
}

/** Counts the tables in each join space; subplans and subqueries have their own. */
function spacesOf(node: PlanNode): number[] {
  const spaces: number[] = []
  const size = (each: PlanNode): number => {
    let tables = each['Relation Name'] === undefined ? 0 : 1
    for (const part of each.Plans ?? []) {
      const isApart = ['SubPlan', 'InitPlan', 'Subquery', 'Member'].includes(part['Parent Relationship'] ?? '')
      if (isApart) spaces.push(...spacesOf(part))
      else tables += size(part)
    }
    return tables
  }
  spaces.push(size(node))
  return spaces
}
