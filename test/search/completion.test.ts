import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { rows } from '../../src/database/sql.ts'
import {
  buildValuesStatement,
  compileSearch,
  complete,
  SearchError,
  type SearchSchema,
  type Suggestion,
  type ValuesWanted,
} from '../../src/search/index.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'
import { COMPLETION_RULES } from './completion-differences.ts'
import { createTables, NOW, type RecordedCompletion, recorded, SCHEMAS } from './recorded.ts'

const completions = recorded<RecordedCompletion>('completion')

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
  await createTables(database.db)
})
afterAll(() => database?.[Symbol.asyncDispose]())

describe('completion', () => {
  test('suggests what was recorded, or a rule says why not', async () => {
    const covered = new Map<string, string[]>()
    const unexplained: unknown[] = []
    for (const record of completions) {
      const ours = await labelsOrMessage(record)
      if (JSON.stringify(ours) === JSON.stringify(record.suggestions ?? record.error?.message)) continue
      const rule = COMPLETION_RULES.find((candidate) => candidate.covers(record, ours))
      if (rule) covered.set(rule.id, [...(covered.get(rule.id) ?? []), record.prefix])
      else unexplained.push([record, ours])
    }
    expect(unexplained).toEqual([])
    expect(COMPLETION_RULES.filter(({ id }) => !covered.has(id))).toEqual([])
    await expect(table(covered)).toMatchFileSnapshot('../../docs/generated/search-completion-differences.md')
  })

  test('never suggests a value that the search then refuses', async () => {
    for (const record of completions) {
      const labels = await labelsOrMessage(record)
      // The recorded purposes are stored differently from how they are written.
      const isValue = /\S (=|!=|<) *"?\w?$/.test(record.prefix) && !record.prefix.startsWith('purpose')
      if (typeof labels === 'string' || !isValue) continue
      const { schema, options } = asking(record.resource)
      for (const label of labels) expect(() => compileSearch(schema, label, options), label).not.toThrow()
    }
  })

  test.each<readonly [string, readonly string[] | 'values']>([
    ['name (', ['= ', '!= ', '~ ', '!~ ', '^ ', '!^ ']],
    ['name (na', ['name ']],
    ['name = arm and (na', ['name ']],
    ['name = arm (na', ['name ']],
    ['name = (', []],
    ['name ~ ((', []],
    ['name ^ (', 'values'],
    ['name ^ (x86_64, ', 'values'],
    ['name !^ (x86_64 ', 'values'],
    ['name ^ (x86_64) ', ['and', 'or']],
    ['(name = arm', 'values'],
  ])('behind a parenthesis suggests what may stand there: %s', async (prefix, wanted) => {
    const { schema, options } = asking('architectures')
    const found = (await complete(schema, prefix, options)).map(({ label }) => label)
    const typed = /\w+$/.exec(prefix.replace(/\($/, ''))?.[0] ?? ''
    const items = found.map((label) => label.slice(prefix.length - typed.length + 1))
    if (wanted === 'values') {
      expect(items).not.toEqual([])
      for (const item of items) expect(item).toMatch(/^".*"$/)
    } else expect(items).toEqual(wanted)
  })

  test('splits the search before its last and or or, and marks what joins', async () => {
    const { schema, options } = asking('architectures')
    const suggestions: Suggestion[] = await complete(schema, 'name = arm and n', options)
    expect(suggestions).toEqual([
      { completed: 'name = arm', part: ' and  name ', label: 'name = arm and  name ', category: '' },
      { completed: 'name = arm', part: ' and  not', label: 'name = arm and  not', category: 'Operators' },
    ])
  })

  test('looks at a bounded number of records, however many there are', async () => {
    const { db } = database
    await sql`create table many_names (id bigint primary key, name text)`.execute(db)
    await sql`insert into many_names select n, 'name ' || n from generate_series(1, 50000) n`.execute(db)
    const field = { name: 'name', type: 'text', column: 'name' } as const
    const wanted: ValuesWanted = { field, what: 'values', key: null, typed: '', limit: 20 }
    const statement = buildValuesStatement(
      { resource: 'many_names', table: 'many_names', fields: [field] },
      wanted,
      'own',
      null,
    )
    const [plan] = await rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(db, sql`explain (analyze, format json) ${statement}`)
    await sql`drop table many_names`.execute(db)
    const read = scans(plan?.['QUERY PLAN'][0].Plan)
    expect(read).toEqual([20_000])
  })
})

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': unknown
  readonly Plans?: readonly Plan[]
}

/** Lists the numbers of rows that table scans of a plan have yielded. */
function scans(plan: Plan | undefined): number[] {
  if (!plan) return []
  const own = plan['Relation Name'] === undefined ? [] : [Number(JSON.stringify(plan['Actual Rows']))]
  return [...own, ...(plan.Plans ?? []).flatMap(scans)]
}

function asking(resource: string) {
  const schema = SCHEMAS[resource] as SearchSchema
  const values = async (wanted: ValuesWanted) => {
    const found = await rows<{ value: string | number }>(database.db, buildValuesStatement(schema, wanted, 'own', null))
    return found.map(({ value }) => value)
  }
  return { schema, options: { now: NOW, zone: 'UTC', words: { current_user: 'olga' }, root: 'own', values } }
}

async function labelsOrMessage({ resource, prefix }: RecordedCompletion): Promise<string[] | string> {
  const { schema, options } = asking(resource)
  try {
    return (await complete(schema, prefix, options)).map(({ label }) => label)
  } catch (error) {
    if (error instanceof SearchError) return error.message
    throw error
  }
}

// Writes the generated page; `vitest -u` stores it.
function table(covered: ReadonlyMap<string, string[]>): string {
  const differing = [...covered.values()].flat().length
  return [
    '# Where suggestions differ from the recorded server',
    '',
    `Of ${completions.length} recorded beginnings of a search ${completions.length - differing} get the recorded suggestions. Every other one is covered by`,
    'the first rule of this table that applies to it, and each rule covers some. Generated by `npx vitest run test/search -u`.',
    '',
    '| rule | what is different | beginnings | e.g. |',
    '|---|---|--:|---|',
    ...COMPLETION_RULES.map(({ id, sentence }) => {
      const found = covered.get(id) ?? []
      return `| ${id} | ${sentence} | ${found.length} | \`${[...found].sort((a, b) => a.length - b.length)[0]?.replaceAll('|', '\\|')}\` |`
    }),
    '',
  ].join('\n')
}
