import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'

// Core-api §10. A law (test/laws) checks that each write of each resource leaves exactly one audit.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** Yields the audits that a search matches, oldest first. */
async function found(search: string, caller: Caller = api.admin) {
  const { status, body } = await caller.get(`/api/audits?per_page=all&order=time&search=${encodeURIComponent(search)}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.results
}

const ofArchitecture = (id: number) => `type = architecture and auditable_id = ${id}`

describe('an audit', () => {
  test('has these keys in this order', async () => {
    await expectCreated(api.admin.post('/api/architectures', { name: 'keys' }))
    const { body } = await api.admin.get('/api/audits?per_page=1')
    const keys =
      'user_id user_type user_name user_login version comment associated_id associated_type remote_address associated_name created_at updated_at request_uuid id auditable_id auditable_name auditable_type action audited_changes locations organizations'
    expect(Object.keys(body.results[0]).join(' ')).toBe(keys)
    expect((await api.admin.get(`/api/audits/${body.results[0].id}`)).body).toEqual(body.results[0])
  })

  test('says who did what, from where, in which request', async () => {
    const me = (await api.admin.get('/api/current_user')).body
    const { body: created } = await api.admin.send({
      method: 'POST',
      url: '/api/architectures',
      remoteAddress: '192.0.2.7',
      headers: { 'content-type': 'application/json', 'x-request-id': 'request-1' },
      payload: '{"name":"who"}',
    })
    expect(await found('request_uuid = request-1')).toMatchObject([
      {
        user_id: me.id,
        user_type: 'User',
        user_name: 'Admin User',
        remote_address: '192.0.2.7',
        request_uuid: 'request-1',
        action: 'create',
        auditable_type: 'Architecture',
        auditable_id: created.id,
        auditable_name: 'who',
      },
    ])
  })

  test('keeps values on create and destroy, old and new ones on update, and counts versions', async () => {
    const os = await expectCreated(api.admin.post('/api/operatingsystems', { name: 'Debian', major: '12' }))
    const { id } = await expectCreated(api.admin.post('/api/architectures', { name: 'first' }))
    await api.admin.put(`/api/architectures/${id}`, { name: 'second' })
    await api.admin.put(`/api/architectures/${id}`, { operatingsystem_ids: [os.id] })
    await api.admin.put(`/api/architectures/${id}`, { name: 'second' })
    await api.admin.delete(`/api/architectures/${id}`)
    const audits = await found(ofArchitecture(id))
    expect(
      audits.map(({ version, action, audited_changes }: Record<string, unknown>) => [version, action, audited_changes]),
    ).toEqual([
      [1, 'create', { name: 'first', operatingsystem_ids: [] }],
      [2, 'update', { name: ['first', 'second'] }],
      [3, 'update', { operatingsystem_ids: [[], [os.id]] }],
      [4, 'destroy', { name: 'second', operatingsystem_ids: [os.id] }],
    ])
    expect(audits[3].auditable_name).toBe('second')
  })

  test('never shows a secret', async () => {
    const secret = 'this is a secret'
    const user = { login: 'secretive', mail: 's@example.test', password: secret, auth_source_id: 1 }
    const { id } = await expectCreated(api.admin.post('/api/users', { user }))
    await api.admin.put(`/api/users/${id}`, { password: `${secret} 2` })
    const audits = await found(`type = user and auditable_id = ${id}`)
    expect(
      audits.map(({ audited_changes }: { audited_changes: Record<string, unknown> }) => audited_changes.password),
    ).toEqual(['[redacted]', ['[redacted]', '[redacted]']])
    expect(JSON.stringify(audits)).not.toContain(secret)
  })

  test('of a token is about its user, and not made when it is merely used', async () => {
    const user = await api.can([])
    const token = await expectCreated(user.post(`/api/users/${user.id}/personal_access_tokens`, { name: 'audited' }))
    await api.as({ authorization: `Bearer ${token.token_value}` }).get('/api/status')
    await user.delete(`/api/users/${user.id}/personal_access_tokens/${token.id}`)
    const audits = await found(`type = personal_access_token and auditable_id = ${token.id}`)
    expect(audits.map(({ action }: { action: string }) => action)).toEqual(['create', 'update'])
    expect(audits[1].audited_changes).toEqual({ revoked: [false, true] })
    expect(JSON.stringify(audits)).not.toContain(token.token_value)
  })

  test('is not left by what is refused or changes nothing', async () => {
    const before = (await api.admin.get('/api/audits')).body.total
    await api.admin.post('/api/architectures', { name: 'x86_64' })
    await api.admin.put('/api/architectures/x86_64', { name: 'x86_64' })
    await api.admin.put('/api/architectures/x86_64', {})
    await api.admin.delete('/api/architectures/999')
    expect((await api.admin.get('/api/audits')).body.total).toBe(before)
  })
})

describe('the list of audits', () => {
  test('begins with the newest, and is read only', async () => {
    const { body } = await api.admin.get('/api/audits?per_page=all')
    const ids = body.results.map(({ id }: { id: number }) => id)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a))
    for (const method of ['post', 'put', 'delete'] as const) {
      expect((await api.admin[method](`/api/audits${method === 'post' ? '' : `/${ids[0]}`}`)).status).toBe(404)
    }
  })

  test('is searched by user, type, action, time, name, address and changes', async () => {
    const editor = await api.can(['view_architectures', 'create_architectures'])
    const { id } = await expectCreated(editor.post('/api/architectures', { name: 'searched' }))
    for (const search of [
      `user = ${editor.login}`,
      `username = ${editor.login} and action = create`,
      'type = architecture and auditable = searched',
      'type = architecture and auditable_name ~ searche',
      'changes ~ searched and type = architecture and time > "1 hour ago"',
      'type = architecture and searched',
      `type = architecture and auditable_id = ${id} and remote_address = 127.0.0.1`,
    ]) {
      expect(await found(search), search).toMatchObject([{ auditable_id: id, auditable_name: 'searched' }])
    }
    expect(await found('time < "2 days ago"')).toEqual([])
    expect(await found('type = architecture and user != current_user and auditable = searched')).toHaveLength(1)
    expect((await api.admin.get('/api/audits?search=type+%3D+nonsense')).status).toBe(400)
  })

  test('needs view_audit_logs', async () => {
    expect((await (await api.can([])).get('/api/audits')).status).toBe(403)
    expect((await (await api.can(['view_audit_logs'])).get('/api/audits')).status).toBe(200)
  })

  test('shows members only what is in their locations and organizations, or in none', async () => {
    const [north, south] = [
      await expectCreated(api.admin.post('/api/locations', { name: 'North' })),
      await expectCreated(api.admin.post('/api/locations', { name: 'South' })),
    ]
    const user = (login: string, location_ids: number[]) =>
      expectCreated(
        api.admin.post('/api/users', {
          user: {
            login,
            mail: 'l@example.test',
            password: 'long enough',
            auth_source_id: 1,
            location_ids,
            organization_ids: [1],
          },
        }),
      )
    await user('northern', [north.id])
    await user('southern', [south.id])
    await expectCreated(api.admin.post('/api/architectures', { name: 'anywhere' }))
    const northerner = await api.can(['view_audit_logs', 'view_users', 'view_architectures'], {
      location_ids: [north.id],
      organization_ids: [1],
    })
    const names = async (caller: Caller, query = '') => {
      const { body } = await caller.get(`/api/audits?per_page=all&search=northern+or+southern+or+anywhere${query}`)
      return [...new Set(body.results.map(({ auditable_name }: { auditable_name: string }) => auditable_name))].sort()
    }
    expect(await names(northerner)).toEqual(['anywhere', 'northern'])
    expect(await names(api.admin)).toEqual(['anywhere', 'northern', 'southern'])
    expect(await names(api.admin, `&location_id=${south.id}`)).toEqual(['anywhere', 'southern'])
    const [audit] = await found('type = user and auditable = southern')
    expect(audit.locations).toMatchObject([{ id: south.id, title: 'South' }])
    expect((await northerner.get(`/api/audits/${audit.id}`)).status).toBe(404)
  })
})

test('audits of images and default templates without places are seen by administrators only', async () => {
  const here = { organization_ids: [1], location_ids: [1] }
  const reader = await api.can(['view_audit_logs', 'view_images', 'view_operatingsystems'], here)
  const computeResource = await given(api.admin, 'compute_resource', here)
  const images = [
    await given(api.admin, 'image', { compute_resource_id: computeResource.id }),
    await given(api.admin, 'image'),
  ]
  const template = await given(api.admin, 'provisioning_template', here)
  const byDefault = await given(api.admin, 'os_default_template', { provisioning_template_id: template.id })
  const seen = async (caller: Caller) => {
    const all = await Promise.all([
      ...images.map(({ id }) => found(`type = image and auditable_id = ${id}`, caller)),
      found(`type = os_default_template and auditable_id = ${byDefault.id}`, caller),
    ])
    return all.map(({ length }) => length)
  }
  expect(await seen(reader)).toEqual([1, 1, 1])
  // As they were written before audits of such records had organizations and locations.
  const old = sql`select id from audits where auditable_type in ('Image', 'OsDefaultTemplate')`
  await sql`delete from audit_organizations where audit_id in (${old})`.execute(api.database.db)
  await sql`delete from audit_locations where audit_id in (${old})`.execute(api.database.db)
  expect(await seen(reader), 'an image of no compute resource is everybody’s').toEqual([0, 1, 0])
  expect(await seen(api.admin)).toEqual([1, 1, 1])
})

describe('of records that the reader may not see', () => {
  const PLACE = { organization_ids: [1], location_ids: [1] }
  const at = { organization_id: 1, location_id: 1, managed: false }
  let reader: Caller & { readonly authorization: string }
  let hidden: Shown
  let shown: Shown

  beforeAll(async () => {
    reader = await api.can(['view_hosts'], { ...PLACE, search: 'name ~ allowed', also: ['view_audit_logs'] })
    hidden = await given(api.admin, 'host', { ...at, name: 'forbidden.example.test', comment: 'a word of its own' })
    shown = await given(api.admin, 'host', { ...at, name: 'allowed.example.test', comment: 'seen by the reader' })
    await api.admin.put(`/api/hosts/${hidden.id}`, { host: { comment: 'another word' } })
  })

  test('only who, when and which kind are told, on both ports and in exports', async () => {
    expect((await reader.get(`/api/hosts/${hidden.id}`)).status).toBe(404)
    const ids = (await found(`type = host and auditable_id = ${hidden.id}`)).map(({ id }: Shown) => id)
    expect(ids).toHaveLength(2)
    for (const port of [reader, api.asVendor(reader)]) {
      const { body, text } = await port.get('/api/audits?per_page=all')
      expect(text).not.toMatch(/forbidden|a word of its own|another word/)
      const listed = body.results.filter(({ id }: Shown) => ids.includes(id))
      expect(listed).toMatchObject(
        ['update', 'create'].map((action) => ({
          action,
          user_name: 'Admin User',
          auditable_type: expect.stringMatching(/^Host/),
          auditable_id: null,
          auditable_name: null,
          audited_changes: {},
        })),
      )
      expect((await port.get(`/api/audits/${ids[0]}`)).body).toEqual(listed.find(({ id }: Shown) => id === ids[0]))
      expect(text).toContain('seen by the reader')
    }
    for (const type of ['text/csv', 'application/x-ndjson']) {
      const { status, text } = await api.asVendor(reader).get('/api/audits?per_page=all', { accept: type })
      expect([type, status, text.includes('seen by the reader')]).toEqual([type, 200, true])
      expect(text).not.toMatch(/forbidden|a word of its own|another word/)
    }
    expect((await api.asVendor(reader).get(`/api/hosts/${hidden.id}/audits`)).status).toBe(404)
    expect((await api.asVendor(reader).get(`/api/hosts/${shown.id}/audits`)).body.results).toMatchObject([
      { auditable_id: shown.id, audited_changes: { comment: 'seen by the reader' } },
    ])
  })

  test('no search, order or suggestion tells the rest', async () => {
    const searched = async (search: string) => (await found(search, reader)).map(({ id }: Shown) => id)
    for (const search of [
      'changes ~ "word of its own"',
      'host ~ forbidden',
      'auditable = forbidden.example.test',
      'forbidden',
    ])
      expect([search, await searched(search)]).toEqual([search, []])
    expect(await searched('changes ~ "seen by the"')).toHaveLength(1)
    const suggested = await reader.get('/api/audits/auto_complete_search?search=auditable+%3D+')
    expect(suggested.text).toContain('allowed.example.test')
    expect(suggested.text).not.toContain('forbidden')
    // By name allowed comes before forbidden, and what has no name comes first.
    const ordered = async (order: string) =>
      (await reader.get(`/api/audits?per_page=all&search=type+%3D+host&order=${order}`)).body.results.map(
        ({ auditable_name }: Shown) => auditable_name,
      )
    expect(await ordered('auditable+asc')).toEqual([null, null, 'allowed.example.test'])
    expect(await ordered('auditable+desc')).toEqual(['allowed.example.test', null, null])
  })

  test('the text of a template that the reader may not see is not told by its revisions', async () => {
    const template = await given(api.admin, 'provisioning_template', {
      ...PLACE,
      name: 'Secret template',
      template: 'secret',
    })
    const [audit] = await found(`type = provisioning_template and auditable_id = ${template.id}`)
    const path = `/api/provisioning_templates/revision?version=${audit.id}`
    const blind = await api.can(['view_provisioning_templates'], {
      ...PLACE,
      search: 'name = other',
      also: ['view_audit_logs'],
    })
    const seeing = await api.can(['view_provisioning_templates', 'view_audit_logs'], PLACE)
    expect((await seeing.get(path)).text).toBe('"secret"')
    expect((await blind.get(path)).status).toBe(404)
  })

  test('a page takes one statement more, whatever its size', async () => {
    const count = async (caller: Caller, query: string) => {
      await caller.get(`/api/audits${query}`) // fills the caches
      return (await api.counting(() => caller.get(`/api/audits${query}`))).count
    }
    const one = await count(reader, '?per_page=1')
    expect([one, await count(reader, '?per_page=50'), await count(api.admin, '?per_page=50')]).toEqual([2, 2, 1])
  })
})
