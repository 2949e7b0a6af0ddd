import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { dayOf, type Interval, readInterval } from '../../src/search/dates.ts'
import { compileOrder, compileSearch, parseSearch, SearchError, type SearchSchema } from '../../src/search/index.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'
import { dateRule } from './date-differences.ts'
import { type Answer, isRecorded, RULES, type Rule } from './differences.ts'
import { asOriginal, readAsOriginal, type Tree } from './original.ts'
import { createTables, idsOf, NOW, type RecordedDate, type RecordedQuery, recorded, SCHEMAS } from './recorded.ts'

const queries = [...recorded<RecordedQuery>('queries'), ...recorded<RecordedQuery>('zones')]
const dates = recorded<RecordedDate>('dates')

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
  await createTables(database.db)
})
afterAll(() => database?.[Symbol.asyncDispose]())

describe('what the recorded server answered', () => {
  test('to a search, we answer too, or a rule says why not', async () => {
    const covered = new Map<string, string[]>()
    const unexplained: string[] = []
    for (const record of queries) {
      const answer = await answerTo(record)
      if (isRecorded(record, answer)) continue
      const rule = RULES.find((candidate) => candidate.covers({ record, answer }))
      if (!rule)
        unexplained.push(
          `${record.id} ${record.resource} ${JSON.stringify(record.search)} ${record.order ?? ''} -> ${shown(answer)}`,
        )
      else covered.set(rule.id, [...(covered.get(rule.id) ?? []), exampleOf(record, rule)])
    }
    expect(unexplained).toEqual([])
    const used = new Set([...covered.keys(), ...differingDates().map(({ rule }) => rule?.id)])
    expect(RULES.filter(({ id }) => !used.has(id)).map(({ id }) => id)).toEqual([])
    await expect(table(covered)).toMatchFileSnapshot('../../docs/generated/search-differences.md')
  }, 120_000)
})

describe('what the recorded server read', () => {
  test('is what its grammar says, and ours says the same unless something was forgiven', () => {
    for (const record of queries) {
      const original = readAsOriginal(record.search ?? '')
      expect([record.search, original.tree ?? original.message]).toEqual([
        record.search,
        record.ast ?? record.error?.message,
      ])
      const ours = read(record.search ?? '')
      if (original.forgiven.size === 0)
        expect([record.search, ours.tree ?? ours.message]).toEqual([record.search, original.tree ?? original.message])
    }
  })

  test('as a date or time, we read too, or a rule says why not', () => {
    expect(differingDates().filter(({ rule }) => !rule)).toEqual([])
  })
})

async function answerTo(record: RecordedQuery): Promise<Answer> {
  const schema = SCHEMAS[record.resource] as SearchSchema
  const options = { now: NOW, zone: record.zone ?? 'UTC', words: { current_user: 'olga' }, root: 'own' }
  const text = record.search ?? ''
  const { tree } = read(text)
  try {
    const { condition } = compileSearch(schema, text, options)
    const { order } = compileOrder(schema, record.order ?? '', options)
    const own = sql`${sql.table(schema.table)} as own`
    const ids = await idsOf(
      database.db,
      sql`select id from ${own} where ${condition ?? sql`true`} order by ${order}, id`,
    )
    return { tree, ids }
  } catch (error) {
    if (!(error instanceof SearchError)) throw new Error(`${record.search} failed inside`, { cause: error })
    return { tree, message: error.message }
  }
}

// Yields the tree in the recorded server's form, or the error message.
function read(text: string): { tree?: Tree; message?: string } {
  try {
    return { tree: asOriginal(parseSearch(text)) }
  } catch (error) {
    if (error instanceof SearchError) return { message: error.message }
    throw error
  }
}

function exampleOf(record: RecordedQuery, rule: Rule): string {
  return rule.id.includes('order') ? `order=${record.order}` : (record.search ?? '')
}

function differingDates() {
  return dates.flatMap((record) => {
    const { value, zone, result } = record
    const interval = readInterval(value, NOW, zone)
    const same = interval === null ? result === null : result !== null && isSame(interval, result, zone)
    return same ? [] : [{ ...record, interval, rule: dateRule(value, interval) }]
  })
}

function isSame(interval: Interval, result: NonNullable<RecordedDate['result']>, zone: string): boolean {
  const sameTime = (ours: Date, theirs: string) => ours.getTime() === Date.parse(theirs)
  return (
    sameTime(interval.from, result.from) &&
    sameTime(interval.to, result.to) &&
    interval.unit === result.span &&
    dayOf(interval.from, zone) === result.day
  )
}

function shown({ ids, message }: Answer): string {
  return message ?? `${ids?.length} found: ${ids?.slice(0, 10)}`
}

// Writes the generated page; `vitest -u` stores it.
function table(searches: ReadonlyMap<string, string[]>): string {
  const values = differingDates()
  const lines = RULES.map(({ id, sentence }) => {
    const found = searches.get(id) ?? []
    const dated = values.filter(({ rule }) => rule?.id === id)
    const example = [...found, ...dated.map(({ value }) => value)].sort((a, b) => a.length - b.length)[0] ?? ''
    return `| ${id} | ${sentence} | ${found.length} | ${dated.length} | ${code(example)} |`
  })
  const searched = RULES.reduce((sum, { id }) => sum + (searches.get(id)?.length ?? 0), 0)
  return [
    '# Where searches differ from the recorded server',
    '',
    `Of ${queries.length} recorded searches ${queries.length - searched} give the recorded tree and records or the recorded message,`,
    `of ${dates.length} recorded dates and times ${dates.length - values.length} the recorded interval. Every other one is covered by the first rule of this`,
    'table that applies to it, and each rule covers some. Generated by `npx vitest run test/search -u`.',
    '',
    '| rule | what is different | searches | dates | e.g. |',
    '|---|---|--:|--:|---|',
    ...lines,
    '',
  ].join('\n')
}

function code(text: string): string {
  return text === '' ? '' : `\`${text.replaceAll('|', '\\|').replaceAll('\n', ' ')}\``
}
