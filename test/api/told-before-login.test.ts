import { afterAll, beforeAll, expect, test } from 'vitest'
import { readVersion } from '../../src/version.ts'
import { openTestApi, type TestApi } from '../support/api.ts'

// Core-api §11: the public settings `login_text` and `administrator`.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const set = async (name: string, value: unknown) => {
  const { status, text } = await api.admin.put(`/api/settings/${name}`, { setting: { value } })
  expect(status, text).toBe(200)
}

test('people read the text before they log in, at /docs and in what pages of others ask', async () => {
  const read = async () => (await api.nobody.get('/api/login_text')).body
  expect(await read()).toEqual({ login_text: `Version ${readVersion()}` })
  await set('login_text', 'Members only.\n$VERSION, $VERSION <b>$&</b>')
  expect(await read()).toEqual({ login_text: `Members only.\n${readVersion()}, ${readVersion()} <b>$&</b>` })
  await set('login_text', '')
  expect(await read()).toEqual({ login_text: '' })
  expect((await api.nobody.get('/docs/app.js')).text).toContain("'api/login_text'")
})

test('the description of the API says whom to write to, once somebody has said it', async () => {
  const read = async () => (await api.nobody.get('/api/openapi.json')).body.info
  expect(await read()).not.toHaveProperty('contact')
  await set('administrator', 'root@millwright.example.test')
  expect((await read()).contact).toEqual({ name: 'Administrator', email: 'root@millwright.example.test' })
  await set('administrator', '')
  expect(await read()).not.toHaveProperty('contact')
})

test.each(['root', 'root@', 'a b@example.test', '<root@example.test>', `${'x'.repeat(250)}@example.test`])(
  '%s is no mail address',
  async (value) => {
    const { status, body } = await api.admin.put('/api/settings/administrator', { setting: { value } })
    expect([status, body.error.message]).toEqual([422, 'expected a value of type string: a mail address'])
  },
)
