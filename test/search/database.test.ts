import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { rows, type Sql } from '../../src/database/sql.ts'
import {
  compileOrder,
  compileSearch,
  printSearch,
  type Query,
  SearchError,
  type SearchSchema,
} from '../../src/search/index.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'
import { value } from './arbitraries.ts'
import { createTables, NOW, SCHEMAS } from './recorded.ts'

const OPTIONS = { now: NOW, zone: 'America/New_York', words: { current_user: 'olga' }, root: 'own' }

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
  await createTables(database.db)
})
afterAll(() => database?.[Symbol.asyncDispose]())

test('no value of any field is refused by the database', async () => {
  const odd = fc.constantFrom(
    '1e999',
    '-0',
    '1e-400',
    'NaN',
    '-inf',
    '99999999999999999999',
    '2147483648',
    '0001-01-02',
    '9999-12-30',
    '9999',
    '00:00',
    '\\',
    '%\\',
    '{',
    '\ud800',
  )
  const operator = fc.constantFrom(
    'eq' as const,
    'ne' as const,
    'gt' as const,
    'lte' as const,
    'like' as const,
    'unlike' as const,
    'in' as const,
    'notin' as const,
  )
  for (const schema of Object.values(SCHEMAS)) {
    const name = fc.constantFrom(...schema.fields.flatMap(({ name, key }) => (key ? [`${name}.kernel`] : [name])))
    const query: fc.Arbitrary<Query> = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('compare' as const),
          operator,
          field: name,
          value: fc.oneof(value, odd),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('has' as const, 'null' as const), field: name }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('word' as const), value: fc.oneof(value, odd) }) },
    )
    await fc.assert(
      fc.asyncProperty(query, name, async (tree, order) => {
        const statement = statementOrNull(schema, printSearch(tree), order)
        if (statement) await statement.execute(database.db)
      }),
      { numRuns: 150 },
    )
  }
}, 60_000)

describe('an index', () => {
  const architectures: SearchSchema = {
    resource: 'architectures',
    table: 'architectures',
    order: 'name',
    fields: [
      { name: 'name', type: 'text', column: 'name' },
      { name: 'id', type: 'integer', column: 'id', explicit: true },
      {
        name: 'operatingsystem_id',
        type: 'integer',
        column: 'operatingsystem_id',
        explicit: true,
        many: true,
        through: [{ table: 'architecture_operatingsystems', column: 'architecture_id', previous: 'id' }],
      },
    ],
  }
  beforeAll(async () => {
    await sql`insert into architectures (name) select 'architecture ' || n from generate_series(1, 5000) n`.execute(
      database.db,
    )
    await sql`analyze architectures`.execute(database.db)
  })

  test.each([
    ['name = "architecture 7"', 'architectures_name_key'],
    ['name ^ ("architecture 7", "architecture 8")', 'architectures_name_key'],
    ['name < "architecture 10"', 'architectures_name_key'],
    ['name ~ "ture 4999"', 'architectures_name_search_idx'],
    ['"TURE 4999"', 'architectures_name_search_idx'],
    ['id = 7', 'architectures_pkey'],
    ['id ^ (7, 8)', 'architectures_pkey'],
    ['operatingsystem_id = 7', 'architecture_operatingsystems_operatingsystem_id_idx'],
  ])('answers %s', async (search, index) => {
    const { condition } = compileSearch(architectures, search, OPTIONS)
    expect(await plan(sql`select id from architectures own where ${condition}`)).toContain(index)
  })

  test('answers the default order', async () => {
    const { order } = compileOrder(architectures, '', OPTIONS)
    expect(await plan(sql`select id from architectures own order by ${order} limit 20`)).toContain(
      'architectures_name_key',
    )
  })
})

describe('what a search reads', () => {
  const hosts = SCHEMAS.hosts as SearchSchema

  test('is named: the own table and those of its relations', () => {
    expect(compileSearch(hosts, 'has_ip = x and facts.kernel = y and has params.x', OPTIONS).tables).toEqual([
      'recorded.hosts',
      'recorded.nics',
      'recorded.fact_values',
      'recorded.fact_names',
      'recorded.param_values',
      'recorded.param_names',
    ])
    expect(compileOrder(hosts, 'hostgroup desc', OPTIONS).tables).toEqual(['recorded.hosts', 'recorded.hostgroups'])
  })

  test('is everything when nothing is asked', () => {
    expect(compileSearch(hosts, ' \t', OPTIONS)).toMatchObject({ condition: null, tables: ['recorded.hosts'] })
  })

  test('by a word of the request that means nobody is refused', () => {
    const compile = () => compileSearch(hosts, 'name = a and owner = current_user', { ...OPTIONS, words: {} })
    expect(compile).toThrow("Translation from any value to nil is not allowed, translated 'current_user'")
  })
})

function statementOrNull(schema: SearchSchema, search: string, order: string): Sql | null {
  try {
    const { condition } = compileSearch(schema, search, OPTIONS)
    return sql`select id from ${sql.table(schema.table)} own where ${condition} order by ${compileOrder(schema, orderable(schema, order), OPTIONS).order}`
  } catch (error) {
    if (error instanceof SearchError) return null
    throw error
  }
}

function orderable(schema: SearchSchema, name: string): string {
  return schema.fields.some((field) => field.name === name && field.column !== null && !field.key) ? name : ''
}

// The planner reads small tables sequentially unless that is made expensive.
async function plan(statement: Sql): Promise<string> {
  return database.db.transaction(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db)
    const lines = await rows<Record<string, string>>(db, sql`explain ${statement}`)
    return lines.flatMap((line) => Object.values(line)).join('\n')
  })
}
