import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, basic, openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

let api: TestApi
let address = ''
beforeAll(async () => {
  api = await openTestApi()
  address = await api.listen()
  await sql`insert into models (name) select 'model ' || n from generate_series(1, 2500) n`.execute(api.database.db)
})
afterAll(() => api[Symbol.asyncDispose]())

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

test('who reads slowly is not read ahead for: what is written meanwhile behind the portions that wait is in the list', async () => {
  const { db } = api.database
  await sql`insert into models (name, info) select 'slow ' || lpad(n::text, 6, '0'), repeat('x', 4000) from generate_series(1, 12000) n`.execute(
    db,
  )
  const query = `order=name&search=${encodeURIComponent('name ~ slow')}`
  const answer = await fetch(`${address}/api/models?${query}`, { headers })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  await reader?.read()
  await setTimeout(1500) // long enough to read all of it, if nobody waited for the reader
  await sql`insert into models (name) values ('slow 999999')`.execute(db)
  let text = ''
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    text = text.slice(-100) + part.value
  expect(text).toContain('slow 999999')
  await sql`delete from models where name like 'slow %'`.execute(db)
})
