import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import {
  compileSearch,
  MAX_COMPARISONS,
  MAX_CONDITIONS,
  MAX_DEPTH,
  printSearch,
  type Query,
  type SearchField,
} from '../../src/search/index.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'
import { treeOf } from './arbitraries.ts'
import { type Model, matches, type Row } from './evaluate.ts'
import { idsOf } from './recorded.ts'

const FIELDS: readonly SearchField[] = [
  { name: 'name', type: 'text', column: 'name' },
  { name: 'note', type: 'text', column: 'note', nullable: true },
  { name: 'size', type: 'integer', column: 'size', nullable: true },
  { name: 'ready', type: 'boolean', column: 'ready', nullable: true },
  {
    name: 'part',
    type: 'text',
    column: 'label',
    nullable: true,
    many: true,
    through: [{ table: 'laws.parts', column: 'thing_id', previous: 'id' }],
  },
  {
    name: 'tag',
    type: 'text',
    column: 'value',
    nullable: true,
    many: true,
    explicit: true,
    through: [{ table: 'laws.tags', column: 'thing_id', previous: 'id' }],
    key: { column: 'key' },
  },
]

const SCHEMA = { resource: 'things', table: 'laws.things', fields: FIELDS }
const OPTIONS = { now: new Date(), zone: 'UTC', root: 't' }

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
  await sql`create schema laws`.execute(database.db)
  await sql`create table laws.things (id integer primary key, name text collate "C" not null, note text collate "C", size integer, ready boolean)`.execute(
    database.db,
  )
  await sql`create table laws.parts (thing_id integer, label text collate "C")`.execute(database.db)
  await sql`create table laws.tags (thing_id integer, key text collate "C", value text collate "C")`.execute(
    database.db,
  )
})
afterAll(() => database?.[Symbol.asyncDispose]())

const word = fc.constantFrom(
  'a',
  'A',
  'ab',
  'b',
  'ba',
  '',
  ' a',
  'ä',
  'Ä',
  '東',
  '😀',
  '10',
  '9',
  '-1',
  'x_y',
  '%',
  'a*b',
  'a\\b',
)
const label = fc.option(word)
const thing = fc.record({
  name: word,
  note: label,
  size: fc.option(fc.integer({ min: -2, max: 11 })),
  ready: fc.option(fc.boolean()),
  parts: fc.array(label, { maxLength: 3 }),
  tags: fc.array(fc.record({ key: fc.constantFrom('k', 'l.m'), value: label }), { maxLength: 3 }),
})

const field = fc.constantFrom('name', 'note', 'part', 'tag.k', 'tag.l.m')
const pattern = fc.oneof(word, fc.constantFrom('a%', '*b', '_', 'A_', 'a\\\\b', 'B', 'É'))
const number = fc.integer({ min: -2, max: 11 }).map(String)
const ordering = fc.constantFrom(
  'eq' as const,
  'ne' as const,
  'gt' as const,
  'gte' as const,
  'lt' as const,
  'lte' as const,
)
const listing = fc.constantFrom('in' as const, 'notin' as const)
const list = (item: fc.Arbitrary<string>) =>
  fc
    .array(
      item.filter((text) => text.trim() !== ''),
      { minLength: 1, maxLength: 3 },
    )
    .map((items) => items.join(','))
const compare = { kind: fc.constant('compare' as const) }

const query = treeOf(
  fc.oneof<fc.Arbitrary<Query>[]>(
    fc.record({ kind: fc.constant('word' as const), value: fc.oneof(word, fc.constant('ready')) }),
    fc.record({
      kind: fc.constantFrom('has' as const, 'null' as const),
      field: fc.oneof(field, fc.constantFrom('size', 'ready')),
    }),
    fc.record({ ...compare, operator: ordering, field, value: word }),
    fc.record({ ...compare, operator: fc.constantFrom('like' as const, 'unlike' as const), field, value: pattern }),
    fc.record({ ...compare, operator: listing, field, value: list(word) }),
    fc.record({ ...compare, operator: ordering, field: fc.constant('size'), value: number }),
    fc.record({ ...compare, operator: listing, field: fc.constant('size'), value: list(number) }),
    fc.record({
      ...compare,
      operator: fc.constantFrom('eq' as const, 'ne' as const),
      field: fc.constant('ready'),
      value: fc.constantFrom('true', 'false'),
    }),
    fc.record({
      ...compare,
      operator: fc.constantFrom('eq' as const, 'ne' as const),
      field: fc.constant(null),
      value: word,
    }),
  ),
)

test('a search finds exactly the records that an evaluator in memory finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(thing, { maxLength: 12 }),
      fc.array(query, { minLength: 10, maxLength: 10 }),
      async (things, queries) => {
        const model = await store(things)
        for (const tree of queries) {
          const { condition } = compileSearch(SCHEMA, printSearch(tree), OPTIONS)
          const found = await idsOf(
            database.db,
            sql`select id from laws.things t where ${condition ?? sql`true`} order by id`,
          )
          const expected = things.flatMap((_, id) => (matches(model, tree, { id, ...things[id] }) ? [id] : []))
          expect([printSearch(tree), found]).toEqual([printSearch(tree), expected])
        }
      },
    ),
    { numRuns: 100 },
  )
}, 60_000)

test.each([
  ['parentheses and nots', `${'not ('.repeat(MAX_DEPTH - 1)}a${')'.repeat(MAX_DEPTH - 1)}`],
  ['and and or in turn', `a${' or b and a'.repeat((MAX_DEPTH - 4) / 2)}`],
  ['words', 'a '.repeat(MAX_COMPARISONS / 3)],
  ['conditions', 'name = a or '.repeat(MAX_CONDITIONS - 1).concat('note = b')],
  ['values in a list', `size ^ (${Array.from({ length: 20_000 }, (_, size) => size).join(' ')})`],
])('the largest search of %s is no trouble for the database', async (_name, text) => {
  const { condition } = compileSearch(SCHEMA, text, OPTIONS)
  await store([{ name: 'a', note: null, size: 5, ready: null, parts: [], tags: [] }])
  await expect(idsOf(database.db, sql`select id from laws.things t where ${condition}`)).resolves.toBeInstanceOf(Array)
})

async function store(things: readonly (Row & { parts: (string | null)[]; tags: Row[] })[]): Promise<Model> {
  const parts = things.flatMap((one, thing_id) => one.parts.map((part) => ({ thing_id, label: part })))
  const tags = things.flatMap((one, thing_id) => one.tags.map((tag) => ({ thing_id, ...tag })))
  await sql`truncate laws.things, laws.parts, laws.tags`.execute(database.db)
  for (const [name, records] of Object.entries({ things: things.map((one, id) => ({ id, ...one })), parts, tags })) {
    const table = sql.table(`laws.${name}`)
    await sql`insert into ${table} select * from json_populate_recordset(null::${table}, ${JSON.stringify(records)}::json)`.execute(
      database.db,
    )
  }
  return {
    fields: FIELDS,
    related: (row, { name }, key) =>
      name === 'part'
        ? parts.filter((part) => part.thing_id === row.id)
        : tags.filter((tag) => tag.thing_id === row.id && (tag as Row).key === key),
  }
}
