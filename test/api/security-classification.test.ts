import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, type Shown } from '../support/given.ts'

// Classification must not bypass write permissions, nor reveal parameters that the caller may not see.

const SECRET = 'very secret'

let api: TestApi
let configclass: Shown
let host: Shown
let places: { readonly organization_ids: number[]; readonly location_ids: number[] }

beforeAll(async () => {
  api = await openTestApi()
  const organization = await given(api.admin, 'organization')
  const location = await given(api.admin, 'location')
  places = { organization_ids: [organization.id], location_ids: [location.id] }
  const environment = await given(api.admin, 'environment', places)
  configclass = await given(api.admin, 'configclass', { environment_ids: [environment.id] })
  host = await given(api.admin, 'host', {
    ...{ name: 'n1.lab.test', environment_id: environment.id, configclass_ids: [configclass.id] },
    ...{ organization_id: organization.id, location_id: location.id },
    host_parameters_attributes: [{ name: 'key', value: SECRET }],
  })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const managed = (columns: Record<string, string> = {}) =>
  importedParameter(api, {
    configclass,
    columns: { override: true, parameter_type: 'string', ...columns },
    default_value: '"d"',
  })

/** Yields everything that a write may store, except the times at which tokens were used. */
const stored = () =>
  rows(
    api.database.db,
    sql`select table_name, sum(writes) as writes from table_changes
      where table_name not in ('users', 'personal_access_tokens') group by table_name order by table_name`,
  )

describe('in a batch, which is one transaction', () => {
  const batch = (caller: Caller, operations: object[]) => caller.post('/api/batch', { operations })

  test('a preview stores nothing, and what stands beside it is stored', async () => {
    const [parameter, beside] = [await managed(), await managed()]
    const pathOf = ({ id }: Shown) => `/api/smart_class_parameters/${id}`
    const answer = await batch(api.admin, [
      { method: 'PUT', path: pathOf(beside), body: { default_value: 'first' } },
      { method: 'PUT', path: `${pathOf(beside)}?preview=true`, body: { default_value: 'second' } },
      { method: 'PUT', path: `${pathOf(parameter)}?preview=true`, body: { default_value: 'other' } },
      {
        method: 'POST',
        path: `${pathOf(parameter)}/override_values?preview=true`,
        body: { match: `fqdn=${host.name}`, value: 'x' },
      },
      { method: 'DELETE', path: `/api/hosts/${host.id}/configclass_ids/${configclass.id}?preview=true` },
    ])
    expect(answer.status, answer.text).toBe(200)
    const previews = [1, 2, 3, 4].map(() => ({ status: 200, body: { preview: true, total: 1 } }))
    expect(answer.body.results).toMatchObject([{ status: 200 }, ...previews])
    const now = { default_value: 'd', override_values: [] }
    expect((await api.admin.get(pathOf(parameter))).body).toMatchObject(now)
    expect((await api.admin.get(pathOf(beside))).body.default_value).toBe('first')
    const own = await api.admin.get(`/api/hosts/${host.id}/configclass_ids`)
    expect(own.body.results).toEqual([configclass.id])
  })

  test('hypothetical values are not stored for callers who may only view', async () => {
    const caller = await api.can(['view_hosts', 'view_external_parameters'], places)
    await caller.get('/api/current_user') // its login is a row
    const before = await stored()
    const known = { name: host.name, attributes: { comment: 'taken over' }, parameters: { own: 'yes' } }
    const operations = [known, { facts: { kernel: 'Linux' } }].map((body) => {
      return { method: 'POST', path: '/api/hosts/what_if', body }
    })
    const answer = await batch(caller, operations)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.results).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(await stored()).toEqual(before)
    expect((await api.admin.get(`/api/hosts/${host.id}`)).body.comment).not.toBe('taken over')
  })

  test('one that fails undoes itself alone, and is told as ever', async () => {
    const parameter = await managed()
    const path = `/api/smart_class_parameters/${parameter.id}?preview=true`
    const answer = await batch(api.admin, [
      { method: 'PUT', path, body: { default_value: 'x', parameter_type: 'none' } },
      { method: 'PUT', path, body: { default_value: 'x' } },
    ])
    expect(answer.status).toBe(422)
    expect(answer.body.results).toMatchObject([{ status: 500 }, { status: 200, body: { total: 1 } }])
  })
})

describe('a preview tells nothing of parameters of hosts that the caller does not see', () => {
  const EDITING = ['view_hosts', 'view_external_parameters', 'edit_external_parameters', 'create_external_parameters']

  test.each(["<%= host_param('key') %>", "<%= @host.params['key'] %>"])('by the template %s', async (default_value) => {
    const caller = await api.can(EDITING, places)
    const path = `/api/smart_class_parameters/${(await managed()).id}?preview=true`
    const answer = await caller.put(path, { default_value })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).not.toContain(SECRET)
    const seeing = await api.can([...EDITING, 'view_params'], places)
    expect((await seeing.put(path, { default_value })).text).toContain(SECRET)
  })

  test('by guessing them in a match text', async () => {
    const caller = await api.can([...EDITING, 'edit_shared_override_values'], places)
    const parameter = await managed({ override_value_order: 'key' })
    const path = `/api/smart_class_parameters/${parameter.id}/override_values?preview=true`
    const guess = { match: `key=${SECRET}`, value: 'x' }
    expect((await caller.post(path, guess)).body).toMatchObject({ total: 0, changes: [] })
    expect((await api.admin.post(path, guess)).body).toMatchObject({ total: 1 })
  })
})

test.each(['constructor', 'toString', '__proto__'])('%s is no attribute, and a name like others', async (key) => {
  const suppose = (payload: string) =>
    api.admin.send({
      ...{ method: 'POST', url: '/api/hosts/what_if', headers: { 'content-type': 'application/json' } },
      payload,
    })
  const wrong = await suppose(`{"attributes":{"${key}":"x"}}`)
  expect(wrong.status).toBe(400)
  expect(wrong.body.error.message).toMatch(`Invalid parameter 'attributes.${key}' value "x": must be one of hostgroup,`)
  expect((await suppose(`{"facts":{"${key}":"x"},"parameters":{"${key}":{"${key}":1}}}`)).status).toBe(200)
})
