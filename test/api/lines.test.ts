import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { ADMIN, basic, openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

let api: TestApi
let address = ''
beforeAll(async () => {
  api = await openTestApi()
  address = await api.listen()
  await sql`insert into models (name) select 'model ' || n from generate_series(1, 2500) n`.execute(api.database.db)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const headers = { authorization: basic(ADMIN.login, ADMIN.password), accept: 'application/x-ndjson' }

test('a list as lines is its pages put together, in any order and for any search', async () => {
  for (const query of [
    '',
    '?order=id+DESC',
    `?search=${encodeURIComponent('name ~ 24')}`,
    '?search=name+%3D+nothing',
  ]) {
    const answer = await fetch(`${address}/api/models${query}`, { headers })
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/x-ndjson; charset=utf-8',
    })
    const { body } = await api.admin.get(`/api/models${query}${query === '' ? '?' : '&'}per_page=all`)
    expect(await answer.text()).toBe(body.results.map((one: unknown) => `${JSON.stringify(one)}\n`).join(''))
  }
})

test('refusals come before the first line', async () => {
  expect((await fetch(`${address}/api/models?search=nothing+%3D+1`, { headers })).status).toBe(400)
  expect((await fetch(`${address}/api/models`, { headers: { accept: headers.accept } })).status).toBe(401)
})

/** The cells of a text as RFC 4180 has it: null is a cell without quotes and without text. */
function parseCsv(text: string): (string | null)[][] {
  return [...text.matchAll(/((?:"(?:[^"]|"")*"|[^,"\r\n]*)(?:,(?:"(?:[^"]|"")*"|[^,"\r\n]*))*)\r\n/g)].map(
    ([, line = '']) =>
      [...`${line},`.matchAll(/("(?:[^"]|"")*"|[^,"]*),/g)].map(([, cell = '']) =>
        cell === '' ? null : cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
      ),
  )
}

test('a list as a table has the keys of its records as columns, and every value of them', async () => {
  const named = ['a, "quoted"', 'two\nlines', '=1+1', '@home', ' blank ', 'plain']
  for (const name of named) expect((await api.admin.post('/api/models', { name, info: '' })).status).toBe(201)
  const answer = await fetch(`${address}/api/models`, { headers: { ...headers, accept: 'text/csv' } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
  const [columns = [], ...lines] = parseCsv(await answer.text())
  const { results } = (await api.admin.get('/api/models?per_page=all')).body
  expect(columns).toEqual(Object.keys(results[0]))
  const shown = (value: unknown) => {
    if (value === null) return null
    if (typeof value !== 'string') return JSON.stringify(value)
    return /^[=@]/.test(value) ? `'${value}` : value
  }
  expect(lines).toEqual(results.map((one: object) => Object.values(one).map(shown)))
})

test('nested values of a table are JSON', async () => {
  await given(api.admin, 'filter')
  const answer = await fetch(`${address}/api/filters`, { headers: { ...headers, accept: 'text/html;q=0.1, text/csv' } })
  const [columns = [], ...lines] = parseCsv(await answer.text())
  const { results } = (await api.admin.get('/api/filters?per_page=all')).body
  const nested = Object.keys(results[0]).find((key) => Array.isArray(results[0][key])) ?? ''
  expect(nested).not.toBe('')
  expect(lines.map((line) => JSON.parse(line[columns.indexOf(nested)] ?? ''))).toEqual(
    results.map((one: Record<string, unknown>) => one[nested]),
  )
})

test('all records on one page are those of its pages, however many there are, in the envelope of a page', async () => {
  const admin = { authorization: headers.authorization }
  for (const query of ['', '&order=name+DESC', `&search=${encodeURIComponent('name ~ mode')}`, '&page=3']) {
    const answer = await fetch(`${address}/api/models?per_page=all${query}`, { headers: admin })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const text = await answer.text()
    const { total, ...first } = (await api.admin.get(`/api/models?per_page=1000000${query.replace('&page=3', '')}`))
      .body
    expect(total).toBeGreaterThan(2500)
    expect(text).toBe(JSON.stringify({ total, ...first, page: query === '&page=3' ? 3 : 1, per_page: total }))
  }
  for (const query of ['per_page=all&search=nothing+%3D+1', 'per_page=all&page=none'])
    expect((await api.admin.get(`/api/models?${query}`)).status).toBe(400)
  const few = await api.admin.get(`/api/models?per_page=all&search=${encodeURIComponent('name ~ 24')}`)
  expect(few.body.per_page).toBe(few.body.total)
  expect(few.headers.etag).toMatch(/^"/)
})

const MANY = 50_000
const STEP = 1000

describe('of 50,000 records', () => {
  beforeAll(() =>
    sql`insert into models (name, info) select 'slow ' || lpad(n::text, 6, '0'), repeat('x', 1000) from generate_series(1, ${MANY}::int) n`.execute(
      api.database.db,
    ),
  )
  afterAll(async () => {
    if (api) await sql`delete from models where name like 'slow %'`.execute(api?.database.db)
  })

  test.each([
    ['lines', 'application/x-ndjson', ''],
    ['a table', 'text/csv', ''],
    ['one page', 'application/json', '&per_page=all'],
  ])('%s are read no faster than the client reads', async (_, accept, query) => {
    const path = `/api/models?order=name${query}`
    const begun = performance.now()
    expect(await countNames(await open(path, accept))).toEqual({ records: MANY, marks: [] })
    const whole = performance.now() - begun

    const answer = await open(path, accept)
    await once(answer, 'readable')
    await setTimeout(whole) // as long as reading all of it takes, if nobody waits for the reader
    // A mark behind each thousand: those that come were not read yet.
    await sql`insert into models (name) select 'slow ' || lpad(n::text, 6, '0') || ' mark' from generate_series(${STEP}::int, ${MANY}::int, ${STEP}::int) n`.execute(
      api.database.db,
    )
    const { marks } = await countNames(answer)
    await sql`delete from models where name like 'slow % mark'`.execute(api.database.db)
    // What was read and not taken waits in the service, a portion or two, and in the sockets of both sides.
    expect(marks.length).toBeGreaterThan(MANY / STEP / 2)
    expect(marks).toEqual(Array.from(marks, (_each, index) => MANY - (marks.length - 1 - index) * STEP))
  })
})

function open(path: string, accept: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${address}${path}`, { headers: { ...headers, accept } }, resolve).on('error', reject)
  })
}

/** Reads an answer to its end, and yields how many records it has and which of the marks. */
async function countNames(answer: IncomingMessage): Promise<{ records: number; marks: number[] }> {
  let records = 0
  const marks: number[] = []
  let rest = ''
  for await (const part of answer.setEncoding('utf8')) {
    const text = `${rest}${part}`
    const found = [...text.matchAll(/\bslow (\d{6})( mark)?["',]/g)]
    const last = found.at(-1)
    for (const [, number, mark] of found) mark ? marks.push(Number(number)) : records++
    rest = text.slice(Math.max(last ? last.index + last[0].length : 0, text.length - 20))
  }
  return { records, marks }
}
