import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, basic, openTestApi, type TestApi } from '../support/api.ts'

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

test('what is refused is refused before the first line', async () => {
  expect((await fetch(`${address}/api/models?search=nothing+%3D+1`, { headers })).status).toBe(400)
  expect((await fetch(`${address}/api/models`, { headers: { accept: headers.accept } })).status).toBe(401)
})
