import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { tableSizes } from './tables.ts'

// Every bad input gets a documented 4xx that names what is wrong, and nothing is stored partially: the second part compares
// the number of rows of every table before and after each test.

let api: TestApi
let os: number
let arch: number

beforeAll(async () => {
  api = await openTestApi()
  os = (await expectCreated(api.admin.post('/api/operatingsystems', { name: 'Debian', major: '12' }))).id
  arch = (await expectCreated(api.admin.post('/api/architectures', { name: 'arm64', operatingsystem_ids: [os] }))).id
})
afterAll(() => api?.[Symbol.asyncDispose]())

function raw(
  payload: string | Buffer,
  method: 'POST' | 'PUT' | 'DELETE' | 'GET' = 'POST',
  path = '/api/architectures',
) {
  return api.admin.send({ method, url: path, headers: { 'content-type': 'application/json' }, payload })
}

const post = (architecture: unknown) => api.admin.post('/api/architectures', { architecture })
const errorsOf = ({ status, body }: Reply) => ({ status, errors: body?.error?.errors })

describe('nothing is written', () => {
  let before: Record<string, number>

  beforeEach(async () => {
    before = await tableSizes(api.database)
  })
  afterEach(async () => {
    expect(await tableSizes(api.database)).toEqual(before)
  })

  test('by a body larger than the limit (413)', async () => {
    const { status, body } = await raw(JSON.stringify({ architecture: { name: 'x'.repeat(1024 * 1024) } }))
    expect(status).toBe(413)
    expect(body.error.message).toMatch(/larger/)
  })

  test('by a huge body within the limit', async () => {
    const keys = Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index])
    const { status, errors } = errorsOf(await post(Object.fromEntries(keys)))
    expect(status).toBe(422)
    expect(errors).toEqual({ name: ["can't be blank"] })
    expect((await raw(`{"name":"${'x'.repeat(1_000_000)}"}`)).status).toBe(422)
  })

  test('by a text that is no UTF-8', async () => {
    const payload = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from('"}')])
    const { status, body } = await raw(payload)
    expect(status).toBe(400)
    expect(body.error).toMatch(/UTF-8/)
  })

  test('by JSON that is deep, cut off, or no JSON', async () => {
    const deep = (depth: number) => `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect((await raw(deep(500_000))).status).toBe(400)
    expect((await raw(deep(100))).status).toBe(400)
    expect((await raw(deep(10))).status).toBe(422)
    for (const text of ['{', '{"name":', '{"name":"x"}}', 'name=x', "{'name':'x'}", '\u0000', '{"name":"x",}', 'NaN']) {
      expect((await raw(text)).status, text).toBe(400)
    }
  })

  test('by a root that is no object', async () => {
    for (const root of ['x', 5, true, [], ['x'], 0.5]) {
      const { status, body } = await post(root)
      expect(status).toBe(400)
      expect(body.error.parameter_name).toBe('architecture')
    }
    for (const text of ['[]', '"x"', '5', 'null', 'true', '[{"name":"x"}]'])
      expect((await raw(text)).status, text).toBe(422)
  })

  test('by wrong types', async () => {
    for (const name of [{}, [], ['x'], { toString: 'x' }]) {
      expect(errorsOf(await post({ name }))).toEqual({ status: 422, errors: { name: ['must be text'] } })
    }
    expect(errorsOf(await post({ name: 'x', operatingsystem_ids: { 0: os } }))).toEqual({
      status: 422,
      errors: { operatingsystem_ids: ['must be a list of ids'] },
    })
  })

  test('by blank names', async () => {
    for (const name of ['', ' ', '\t\n', '\u00a0', '\u3000', null]) {
      expect(errorsOf(await post({ name })), JSON.stringify(name)).toEqual({
        status: 422,
        errors: { name: ["can't be blank"] },
      })
    }
  })

  test('by names of 300 characters of any script', async () => {
    for (const letter of ['x', 'ж', '漢', '😀', 'é']) {
      expect(errorsOf(await post({ name: letter.repeat(300) })), letter).toEqual({
        status: 422,
        errors: { name: ['is too long (maximum is 255 characters)'] },
      })
    }
  })

  test('by NUL characters and halves of characters, wherever a text may stand', async () => {
    for (const bad of ['a\0b', '\ud800', 'x\udc00y']) {
      const shown = JSON.stringify(bad)
      expect((await post({ name: bad })).status, `name ${shown}`).toBe(422)
      expect((await api.admin.put(`/api/architectures/${arch}`, { name: bad })).status, `new name ${shown}`).toBe(422)
      expect((await post({ name: 'x', operatingsystem_names: [bad] })).status, `names ${shown}`).toBe(422)
      expect((await post({ name: 'x', operatingsystems: [{ name: bad }] })).status, `objects ${shown}`).toBe(422)
      expect((await api.admin.post('/api/images', { image: { architecture_name: bad } })).status).toBe(422)
      expect((await api.admin.post('/api/users', { user: { login: 'x', password: `secret ${bad}` } })).status).toBe(422)
      expect((await api.admin.put('/api/settings/idle_timeout', { value: bad })).status).toBe(422)
      expect((await raw(JSON.stringify({ search: `name = "${bad}"` }), 'GET')).status, `search ${shown}`).toBeOneOf([
        200, 400,
      ])
      expect((await raw(JSON.stringify({ location_id: bad }), 'GET')).status).toBeOneOf([400, 404])
      expect((await raw(JSON.stringify({ operatingsystem_id: bad }), 'GET')).status).toBeOneOf([400, 404])
      expect((await raw(JSON.stringify({ order: bad }), 'GET')).status).toBe(400)
    }
    expect((await api.admin.get('/api/architectures?search=%00')).status).toBe(400)
    expect((await api.admin.get('/api/architectures/auto_complete_search?search=name+%3D+%00')).status).toBeOneOf([
      200, 400,
    ])
  })

  test('by 10,000 ids of which most are unknown', async () => {
    const operatingsystem_ids = Array.from({ length: 10_000 }, (_, index) => index + 1)
    const { status, text } = await post({ name: 'many', operatingsystem_ids })
    expect(status).toBe(422)
    expect(text.length).toBeLessThan(5000)
    const names = operatingsystem_ids.map(String)
    expect((await post({ name: 'many', operatingsystem_names: names })).status).toBe(422)
  })

  test('by ids that are none', async () => {
    for (const id of ['-1', '1e3', '12abc', -1, 0, 1.5, 2 ** 53, 1e300, true, {}, [], '9'.repeat(30), '\u0661']) {
      const { status, errors } = errorsOf(await post({ name: 'x', operatingsystem_ids: [id] }))
      expect(status, JSON.stringify(id)).toBe(422)
      expect(Object.keys(errors ?? {}), JSON.stringify(id)).toEqual(['operatingsystem_ids'])
    }
    expect((await post({ name: 'x', operatingsystem_ids: [2 ** 53 - 1] })).status).toBe(422)
  })

  test('by what is right but for one thing', async () => {
    expect((await post({ name: 'x', operatingsystem_ids: [os, 999] })).status).toBe(422)
    expect(
      (await api.admin.put(`/api/architectures/${arch}`, { name: 'new', operatingsystem_ids: [999] })).status,
    ).toBe(422)
    expect((await api.admin.get(`/api/architectures/${arch}`)).body).toMatchObject({
      name: 'arm64',
      operatingsystems: [{ id: os }],
    })
    expect((await post({ name: 'arm64', operatingsystem_ids: [os] })).status).toBe(422)
  })

  test('by deleting oneself or what is in use, and by loops', async () => {
    const [own, other] = [await api.admin.get('/api/current_user'), await api.admin.get('/api/roles/Viewer')]
    expect((await api.admin.delete(`/api/users/${own.body.id}`)).status).toBe(403)
    expect((await api.admin.delete(`/api/roles/${other.body.id}`)).status).toBe(422)
    expect((await api.admin.put('/api/locations/1', { parent_id: 1 })).status).toBe(422)
  })

  test('by paths and methods that are none', async () => {
    for (const path of [
      '/api/architectures/%2e%2e',
      '/api/architectures/..%2f..',
      '//nowhere//at/all',
      '/api/%00',
      '/api/architectures/1/2/3',
    ]) {
      const { status } = await api.admin.get(path)
      expect(status, path).toBeOneOf([200, 400, 404])
    }
    for (const method of ['OPTIONS', 'PATCH', 'DELETE', 'PUT'] as const) {
      expect((await api.admin.send({ method, url: '/api/architectures' })).status, method).toBe(404)
    }
  })
})

describe('unusual but right', () => {
  test('slashes that stand together are one', async () => {
    for (const path of [`/api//architectures/${arch}`, `//api/v2/architectures///${arch}//`])
      expect(await api.admin.get(path), path).toMatchObject({ status: 200, body: { id: arch } })
    expect((await api.admin.get('/api//architectures?search=name%20=%20//')).body.search).toBe('name = //')
  })

  test('10,000 times the same id is one', async () => {
    const { body } = await api.admin.put(`/api/architectures/${arch}`, { operatingsystem_ids: Array(10_000).fill(os) })
    expect(body.operatingsystems).toMatchObject([{ id: os }])
  })

  test('255 characters of any script, kept byte for byte', async () => {
    for (const letter of ['ж', '漢', '😀', '\u05d0', 'e\u0301'.normalize('NFC')]) {
      const name = letter.repeat(255)
      const { id } = await expectCreated(post({ name }))
      expect((await api.admin.get(`/api/architectures/${id}`)).body.name).toBe(name)
    }
    const decomposed = 'e\u0301'
    expect((await expectCreated(post({ name: decomposed }))).name).toBe(decomposed)
  })

  test('names that are SQL, HTML, paths or numbers', async () => {
    for (const name of [
      "';drop/**/table/**/users--",
      '<script>alert(1)</script>',
      '../../etc/passwd',
      '%s%n',
      '$1',
      '0',
      'null',
      '{}',
      '\\',
    ]) {
      const { id } = await expectCreated(post({ name }))
      expect((await api.admin.get(`/api/architectures/${id}-`)).body.name).toBe(name)
      const search = `name = "${name.replaceAll('\\', '\\\\')}"`
      const { body } = await api.admin.get(`/api/architectures?search=${encodeURIComponent(search)}`)
      expect(body.results, name).toMatchObject([{ id }])
    }
  })

  test('a byte order mark before JSON', async () => {
    expect((await raw(Buffer.from('\ufeff{"name":"marked"}'))).status).toBe(201)
  })
})
