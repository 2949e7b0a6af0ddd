import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { basic, expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

// Core-api §2.5: the exact body of each error. The media type and the lock-out are in order-of-checks.test.ts and below.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

function answered({ status, body, headers }: Reply) {
  return { status, body, type: headers['content-type'] }
}

const type = 'application/json; charset=utf-8'

describe('validation', () => {
  test('on create the id is null', async () => {
    expect(answered(await api.admin.post('/api/architectures', { architecture: {} }))).toEqual({
      status: 422,
      type,
      body: { error: { id: null, errors: { name: ["can't be blank"] }, full_messages: ["Name can't be blank"] } },
    })
  })

  test('on update the id is that of the record', async () => {
    const { id } = await expectCreated(api.admin.post('/api/architectures', { name: 'arm64' }))
    expect(answered(await api.admin.put(`/api/architectures/${id}`, { name: 'arm 64' }))).toEqual({
      status: 422,
      type,
      body: {
        error: { id, errors: { name: ["can't contain spaces."] }, full_messages: ["Name can't contain spaces."] },
      },
    })
  })

  test('every wrong field is named, with one sentence per message', async () => {
    const { body } = await api.admin.post('/api/operatingsystems', { name: 'a b', major: 'x', family: 'Plan9' })
    expect(Object.keys(body.error.errors)).toEqual(['name', 'major', 'family'])
    expect(body.error.full_messages).toHaveLength(3)
  })

  test('errors about the whole record are under base, with a sentence of their own', async () => {
    const { id } = await given(api.admin, 'architecture', { name: 'used' })
    await given(api.admin, 'host', { name: 'user.example.test', architecture_id: id })
    const message = 'used is used by user.example.test'
    expect((await api.admin.delete(`/api/architectures/${id}`)).body).toEqual({
      error: { id, errors: { base: [message] }, full_messages: [message] },
    })
  })
})

describe('links', () => {
  test('one unknown id', async () => {
    expect(answered(await api.admin.post('/api/users', { user: userWith({ location_ids: [999] }) }))).toEqual({
      status: 422,
      type,
      body: { error: { message: "Couldn't find Location with 'id'=999" } },
    })
  })

  test('several ids of which some are unknown', async () => {
    const { status, body } = await api.admin.post('/api/users', { user: userWith({ location_ids: [1, 998, 999] }) })
    expect(status).toBe(422)
    expect(body.error.message).toMatch(/^Couldn't find all Locations with 'id': \(1, 998, 999\)/)
  })

  test('an unknown name, alone or in a list', async () => {
    const one = await api.admin.post('/api/images', { image: { architecture_name: 'nowhere' } })
    const list = await api.admin.post('/api/users', { user: userWith({ location_names: ['nowhere'] }) })
    expect(answered(one)).toEqual({
      status: 422,
      type,
      body: { error: { message: 'Could not find architecture with name: nowhere' } },
    })
    expect(answered(list)).toEqual({
      status: 422,
      type,
      body: { error: { message: 'Could not find location with name: nowhere' } },
    })
  })

  function userWith(more: object) {
    return { login: 'linked', mail: 'l@example.test', password: 'long enough', auth_source_id: 1, ...more }
  }
})

describe('not found', () => {
  test('a record', async () => {
    expect(answered(await api.admin.get('/api/architectures/99'))).toEqual({
      status: 404,
      type,
      body: { error: { message: "Resource architecture not found by id '99'" } },
    })
  })

  test('a parent, in the path or in the query', async () => {
    const expected = { status: 404, type, body: { message: "Operatingsystem not found by id '99'" } }
    expect(answered(await api.admin.get('/api/operatingsystems/99/architectures'))).toEqual(expected)
    expect(answered(await api.admin.get('/api/architectures?operatingsystem_id=99'))).toEqual(expected)
  })

  test('a context', async () => {
    expect(answered(await api.admin.get('/api/architectures?location_id=99'))).toEqual({
      status: 404,
      type,
      body: { message: 'Location with id 99 not found' },
    })
    expect(answered(await api.admin.get('/api/architectures?organization_id=Acme'))).toEqual({
      status: 404,
      type,
      body: { message: 'Organization with id Acme not found' },
    })
  })

  test('a path that nothing serves, with and without credentials', async () => {
    for (const caller of [api.admin, api.nobody]) {
      expect(answered(await caller.get('/api/nothing'))).toEqual({
        status: 404,
        type,
        body: { status: 404, error: 'Not Found' },
      })
      expect((await caller.post('/api/auth_source_internals', {})).body).toEqual({ status: 404, error: 'Not Found' })
    }
  })
})

describe('refused', () => {
  test('forbidden names the missing permission', async () => {
    const viewer = await api.can(['view_architectures'])
    expect(answered(await viewer.put('/api/architectures/x86_64', { name: 'mine' }))).toEqual({
      status: 403,
      type,
      body: {
        error: {
          message: 'Access denied',
          details: 'Missing one of the required permissions: edit_architectures',
          missing_permissions: ['edit_architectures'],
        },
      },
    })
  })

  test('unauthenticated, with and without a login', async () => {
    expect(answered(await api.nobody.get('/api/architectures'))).toEqual({
      status: 401,
      type,
      body: { error: { message: 'Unable to authenticate user ' } },
    })
    const wrong = api.as({ authorization: basic('admin', 'wrong') })
    expect(answered(await wrong.get('/api/architectures'))).toEqual({
      status: 401,
      type,
      body: { error: { message: 'Unable to authenticate user admin' } },
    })
  })

  test('there is no WWW-Authenticate: browsers would ask with a window of their own', async () => {
    expect((await api.nobody.get('/api/architectures')).headers).not.toHaveProperty('www-authenticate')
  })
})

describe('what cannot be understood', () => {
  test('a search field that does not exist', async () => {
    expect(answered(await api.admin.get('/api/architectures?search=foo+%3D+1'))).toEqual({
      status: 400,
      type,
      body: {
        error: {
          message: "Field 'foo' not recognized for searching!",
          class: 'ScopedSearch::QueryNotSupported',
          position: 0,
        },
      },
    })
  })

  test('an order by what cannot be searched', async () => {
    const { status, body } = await api.admin.get('/api/architectures?order=created_at')
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ class: 'ScopedSearch::QueryNotSupported' })
    expect(body.error.message).toContain("'created_at'")
  })

  test('a parameter of the wrong form', async () => {
    expect(answered(await api.admin.get('/api/architectures?page=0'))).toEqual({
      status: 400,
      type,
      body: {
        error: {
          message: `Invalid parameter 'page' value "0": must be a whole number from 1 on`,
          class: 'Apipie::ParamInvalid',
          parameter_name: 'page',
        },
      },
    })
  })

  test('malformed JSON', async () => {
    const { status, body } = await api.admin.send({
      method: 'POST',
      url: '/api/architectures',
      headers: { 'content-type': 'application/json' },
      payload: '{"name": x}',
    })
    expect(status).toBe(400)
    expect(Object.keys(body)).toEqual(['status', 'error'])
    expect(body.error).toMatch(/^There was a problem in the JSON you submitted: ./)
  })

  test('another media type', async () => {
    const send = (headers: Record<string, string>) =>
      api.admin.send({ method: 'POST', url: '/api/architectures', headers, payload: 'name=x' })
    const message = (sent: string) =>
      `Media type in 'Content-Type: ${sent}' is unsupported in API v2 for POST and PUT requests. Please use 'Content-Type: application/json'.`
    for (const sent of ['text/plain', 'application/x-www-form-urlencoded']) {
      expect(answered(await send({ 'content-type': sent }))).toEqual({
        status: 415,
        type,
        body: { error: { message: message(sent) } },
      })
    }
  })

  test('PATCH, DELETE and GET are exempt from the media type', async () => {
    const send = (method: 'PATCH' | 'DELETE' | 'GET') =>
      api.admin.send({ method, url: '/api/architectures/99', headers: { 'content-type': 'text/plain' }, payload: 'x' })
    for (const method of ['PATCH', 'DELETE', 'GET'] as const) expect((await send(method)).status).toBe(404)
  })
})

describe('conflicts with what is there', () => {
  test('a location with locations inside cannot be deleted', async () => {
    const { id } = await expectCreated(api.admin.post('/api/locations', { name: 'Europe' }))
    await expectCreated(api.admin.post('/api/locations', { name: 'Berlin', parent_id: id }))
    expect(answered(await api.admin.delete(`/api/locations/${id}`))).toEqual({
      status: 409,
      type,
      body: { message: 'Cannot delete Europe because it has nested locations.' },
    })
  })

  test('an operating system in use names who uses it, but not to those who may not see them', async () => {
    const os = await expectCreated(api.admin.post('/api/operatingsystems', { name: 'Debian', major: '12' }))
    await expectCreated(
      api.admin.post('/api/images', {
        image: { name: 'web', uuid: 'w', username: 'root', architecture_name: 'x86_64', operatingsystem_id: os.id },
      }),
    )
    const message = 'Debian 12 is used by web'
    expect(answered(await api.admin.delete(`/api/operatingsystems/${os.id}`))).toEqual({
      status: 422,
      type,
      body: { error: { id: os.id, errors: { base: [message] }, full_messages: [message] } },
    })
    const blind = await api.can(['view_operatingsystems', 'destroy_operatingsystems'])
    const { body } = await blind.delete(`/api/operatingsystems/${os.id}`)
    expect(body.error.errors).toEqual({ base: ['Debian 12 is being used by a hidden Image resource'] })
  })

  test('a write that takes its record out of the reach of the writer is refused as a whole', async () => {
    const limited = await api.can(['view_architectures', 'edit_architectures', 'create_architectures'], {
      search: 'name ~ arm',
    })
    const denied = (permission: string) =>
      `You don't have permission ${permission} with attributes that you have specified or you don't have access to specified organizations or locations`
    expect(answered(await limited.post('/api/architectures', { name: 'riscv64' }))).toEqual({
      status: 422,
      type,
      body: {
        error: {
          id: null,
          errors: { base: [denied('create_architectures')] },
          full_messages: [denied('create_architectures')],
        },
      },
    })
    const { id } = await expectCreated(limited.post('/api/architectures', { name: 'armhf' }))
    expect(await limited.put(`/api/architectures/${id}`, { name: 'hf' })).toMatchObject({
      status: 422,
      body: { error: { id, errors: { base: [denied('edit_architectures')] } } },
    })
    expect((await api.admin.get('/api/architectures?search=riscv64+or+hf')).body.results).toMatchObject([
      { name: 'armhf' },
    ])
  })
})

describe('trouble of the database itself', () => {
  // Appendix A of the manual of PostgreSQL: classes 08, 53, 57 without a cancelled query, 58, and pages that cannot be read.
  const CODES = [
    ...['08000', '08003', '08006', '53000', '53100', '53200', '53300', '53400', '57000', '57P01', '57P02', '57P03'],
    ...['57P04', '57P05', '58000', '58030', '58P01', '58P02', 'XX001', 'XX002'],
  ]

  test('is 503 with a time to wait and a sentence, whichever code it reports, and no fault of the service', async () => {
    const { db } = api.database
    await sql`create function report_trouble() returns trigger language plpgsql as $$
      begin raise exception 'trouble' using errcode = new.layout; end $$`.execute(db)
    await sql`create trigger zz_trouble before insert on ptables for each row when (new.name = 'trouble')
      execute function report_trouble()`.execute(db)
    const found: unknown[] = []
    for (const layout of CODES) {
      const answer = await api.admin.post('/api/ptables', { ptable: { name: 'trouble', layout } }).catch(String)
      if (typeof answer === 'string') found.push([layout, answer.split('\n', 1)[0]])
      else if (answer.status !== 503 || answer.headers['retry-after'] !== '2') found.push([layout, answer.status])
      else expect(answer.body.error.message).toMatch(/^The d.*atabase/)
    }
    expect(found).toEqual([])
    await expectCreated(api.admin.post('/api/ptables', { ptable: { name: 'no trouble', layout: '58000' } }))
  })
})
