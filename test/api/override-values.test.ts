import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'
import { expectSameByField } from '../support/refusals-by-field.ts'

// Smart-parameters §2, with the corrections in its notes.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const FLAT = '/api/smart_class_parameters'
const KEYS = ['id', 'match', 'value', 'omit', 'use_config_default', 'created_at', 'updated_at']

const managed = (parameter_type: string | null = 'string', columns: Body = {}) =>
  importedParameter(api, {
    columns: { override: true, parameter_type, ...(columns as Record<string, string | boolean>) },
  })
const pathOf = ({ id }: Shown) => `${FLAT}/${id}/override_values`
const post = (parameter: Shown, body: Body) => api.admin.post(pathOf(parameter), { override_value: body })
const put = (parameter: Shown, id: string | number, body: Body) =>
  api.admin.put(`${pathOf(parameter)}/${encodeURIComponent(id)}`, { override_value: body })
const overridesOf = async ({ id }: Shown): Promise<Shown[]> =>
  (await api.admin.get(`${FLAT}/${id}`)).body.override_values

async function refusal(parameter: Shown, body: Body): Promise<string> {
  const before = await overridesOf(parameter)
  const { status, body: said, text } = await post(parameter, body)
  expect(status, text).toBe(500)
  expect(Object.keys(said.error)).toEqual(['message'])
  const sentences = said.error.message.replace('Validation failed: ', '')
  expectSameByField(await api.admin.post(pathOf(parameter), { override_value: body }, BY_FIELD), sentences, FIELDS)
  expect(await overridesOf(parameter)).toEqual(before)
  return sentences
}

/** What the console and other clients send that show messages at their fields. */
const BY_FIELD = { prefer: 'errors=by-field' }
const FIELDS = ['match', 'value', 'validator_rule']

describe('one override', () => {
  test('is made, shown, changed and deleted in one shape', async () => {
    const parameter = await managed('array')
    const { status, body: made } = await post(parameter, { match: 'os=Debian 12.4', value: [8080, 8081] })
    expect(status).toBe(201)
    expect(Object.keys(made)).toEqual(KEYS)
    expect(made).toMatchObject({ match: 'os=Debian 12.4', value: [8080, 8081], omit: false, use_config_default: false })
    expect((await api.admin.get(`${pathOf(parameter)}/${made.id}`)).body).toEqual(made)
    expect((await api.admin.get(`${pathOf(parameter)}/os=Debian%2012.4`)).body).toEqual(made)
    const changed = await put(parameter, 'os=Debian 12.4', { value: '["a"]', omit: true })
    expect(changed).toMatchObject({
      status: 200,
      body: { id: made.id, value: '["a"]', omit: true, use_config_default: true },
    })
    const gone = await api.admin.delete(`${pathOf(parameter)}/${made.id}`)
    expect(gone).toMatchObject({ status: 200, body: changed.body })
    expect(gone.body.created_at).toMatch(/ UTC$/)
    expect(await overridesOf(parameter)).toEqual([])
  })

  test('is listed with the others of its parameter, the oldest first', async () => {
    const parameter = await managed()
    await post(await managed(), { match: 'os=x', value: 'elsewhere' })
    for (const os of ['b', 'a', 'c']) await post(parameter, { match: `os=${os}`, value: os })
    const { body } = await api.admin.get(`${pathOf(parameter)}?per_page=2`)
    expect(body).toMatchObject({
      total: 3,
      subtotal: 3,
      page: 1,
      per_page: 2,
      search: null,
      sort: { by: null, order: null },
    })
    expect(body.results.map(({ match }: Shown) => match)).toEqual(['os=b', 'os=a'])
    expect(Object.keys(body.results[0])).toEqual(KEYS)
    expect((await overridesOf(parameter)).map(({ match }) => match)).toEqual(['os=b', 'os=a', 'os=c'])
    expect((await api.admin.get(`${FLAT}/${parameter.id}`)).body.override_values_count).toBe(3)
  })

  test('is found below every path of its parameter', async () => {
    const environment = await given(api.admin, 'environment')
    const configclass = await given(api.admin, 'configclass', { environment_ids: [environment.id] })
    const group = await given(api.admin, 'hostgroup', {
      environment_id: environment.id,
      configclass_ids: [configclass.id],
    })
    const host = await given(api.admin, 'host', { environment_id: environment.id, configclass_ids: [configclass.id] })
    const parameter = await importedParameter(api, { configclass, columns: { override: true } })
    const { id } = (await post(parameter, { match: 'os=x', value: 1 })).body
    for (const parent of [
      `configclasses/${configclass.id}`,
      `environments/${environment.name}`,
      `environments/${environment.id}/configclasses/${configclass.id}`,
      `configclasses/${configclass.name}/environments/${environment.name}`,
      `hosts/${host.name}`,
      `hostgroups/${group.id}`,
    ]) {
      const path = `/api/${parent}/smart_class_parameters/${parameter.parameter}/override_values`
      expect([path, (await api.admin.get(path)).body.results?.map((row: Shown) => row.id)]).toEqual([path, [id]])
      expect((await api.admin.put(`${path}/os=x`, { value: parent })).body.value).toBe(parent)
    }
    const away = await given(api.admin, 'configclass')
    const wrong = await api.admin.get(
      `/api/configclasses/${away.id}/smart_class_parameters/${parameter.id}/override_values`,
    )
    expect(wrong).toMatchObject({
      status: 404,
      body: { message: `Smart class parameter not found by id '${parameter.id}'` },
    })
  })

  test('turns the override of its parameter on, without looking at that', async () => {
    const parameter = await importedParameter(api, { default_value: '"abc"', columns: { parameter_type: 'integer' } })
    await post(parameter, { match: 'os=x', value: '5' })
    const { body } = await api.admin.get(`${FLAT}/${parameter.id}`)
    expect([body.override, body.default_value, body.override_values[0].value]).toEqual([true, 'abc', 5])
    const audits = await api.admin.get(
      `/api/audits?search=${encodeURIComponent(`type = smart_class_parameter and auditable_id = ${parameter.id}`)}`,
    )
    expect(audits.body.results.map(({ audited_changes }: Shown) => audited_changes)).toEqual([
      { override: [false, true] },
    ])
  })

  test('may omit its value: then anything is stored as it is', async () => {
    const parameter = await managed('integer')
    const { body } = await post(parameter, { match: 'os=x', use_config_default: true })
    expect(body).toMatchObject({ value: null, omit: true })
    expect((await put(parameter, body.id, { value: 'garbage' })).body.value).toBe('garbage')
    const refused = await put(parameter, body.id, { omit: false })
    expect(refused).toMatchObject({
      status: 500,
      body: { error: { message: 'Validation failed: Value is invalid integer' } },
    })
  })

  test('keeps what it held when only something else is sent', async () => {
    const parameter = await managed('yaml')
    const { body } = await post(parameter, { match: 'os=x', value: "'010'" })
    expect(body.value).toBe('010')
    expect((await put(parameter, body.id, { match: 'os=y' })).body).toMatchObject({ match: 'os=y', value: '010' })
    expect((await put(parameter, body.id, {})).body).toMatchObject({ match: 'os=y', value: '010' })
    expect((await put(parameter, body.id, { value: '010' })).body.value).toBe('010')
  })

  test('holds numbers to the last digit', async () => {
    const parameter = await managed('array')
    const payload = '{"override_value":{"match":"os=x","value":[2.0,12345678901234567890,{"a":1.50}]}}'
    const { text } = await api.admin.send({
      method: 'POST',
      url: pathOf(parameter),
      headers: { 'content-type': 'application/json' },
      payload,
    })
    expect(text).toContain('"value":[2.0,12345678901234567890,{"a":1.5')
  })
})

describe('match texts', () => {
  test.each([
    [' OS = Debian 12 ', 'os=Debian 12'],
    ['os=x,', 'os=x'],
    ['os=a=b', 'os=b'],
    ['OS=x,Domain=Y.test', 'os=x,domain=Y.test'],
  ])('%j is stored as %j', async (sent, stored) => {
    const parameter = await managed('string', { override_value_order: 'os\nos,domain' })
    expect((await post(parameter, { match: sent, value: 'v' })).body.match).toBe(stored)
  })

  test.each([
    [{ value: 'xyz=10' }, "Match can't be blank, Match is invalid"],
    [{ match: 'os=', value: 'v' }, 'Match is invalid'],
    [{ match: 'foo', value: 'v' }, 'Match is invalid, Match foo does not exist in order field'],
    [{ match: 'foo=1', value: 'v' }, 'Match foo does not exist in order field'],
    [{ match: 'domain=a,os=b', value: 'v' }, 'Match domain,os does not exist in order field'],
    [{ match: '=x', value: 'v' }, 'Match is invalid, Match  does not exist in order field'],
    [{ match: 'foo', value: '' }, "Value can't be blank, Match is invalid, Match foo does not exist in order field"],
    [{ match: 'fqdn=nobody.test', value: 'v' }, 'Match fqdn=nobody.test does not match an existing host'],
    [{ match: 'hostgroup=Nowhere', value: 'v' }, 'Match hostgroup=Nowhere does not match an existing host group'],
    [{ match: 'os=x', value: '' }, "Value can't be blank"],
    [{ match: 'os=x' }, "Value can't be blank"],
    [{ match: 'os=x', value: null }, "Value can't be blank"],
  ])('%j: %s', async (body, message) => {
    expect(await refusal(await managed(), body)).toBe(message)
  })

  test.each(['=', '==', ' = ', ', ,', 'a=b,,c=d', ',fqdn=x'])('%j is invalid, and nothing worse', async (match) => {
    expect(await refusal(await managed(), { match, value: 'v' })).toMatch(/Match is invalid|Match can't be blank/)
  })

  test('of blanks are none for a required boolean, and false for another', async () => {
    const blanks = { match: 'os=x', value: ' ' }
    expect(await refusal(await managed('boolean', { required: true }), blanks)).toBe("Value can't be blank")
    expect((await post(await managed('boolean'), blanks)).body.value).toBe(false)
  })

  test('are taken once', async () => {
    const parameter = await managed()
    await post(parameter, { match: 'os=x', value: 'v' })
    expect(await refusal(parameter, { match: ' OS = x', value: 'w' })).toBe('Match has already been taken')
    expect((await post(parameter, { match: 'os=X', value: 'w' })).status).toBe(201)
    expect((await post(await managed(), { match: 'os=x', value: 'w' })).status).toBe(201)
  })

  test('name hosts and host groups that the caller sees', async () => {
    const host = await given(api.admin, 'host')
    const root = await given(api.admin, 'hostgroup')
    const group = await given(api.admin, 'hostgroup', { parent_id: root.id })
    const parameter = await managed()
    for (const match of [`fqdn=${host.name}`, `hostgroup=${group.title}`, `hostgroup=${group.name}`])
      expect([match, (await post(parameter, { match, value: 'v' })).status]).toEqual([match, 201])
    const blind = await api.can(
      ['view_external_parameters', 'create_external_parameters', 'edit_external_parameters'],
      { organization_ids: [host.organization_id], location_ids: [host.location_id] },
    )
    const other = await managed()
    const { status, body } = await blind.post(pathOf(other), { match: `fqdn=${host.name}`, value: 'v' })
    expect({ status, body }).toMatchObject({
      status: 500,
      body: { error: { message: expect.stringContaining('existing host') } },
    })
    // An existing override stays, and its value may be changed.
    expect((await blind.put(`${pathOf(parameter)}/fqdn=${host.name}`, { value: 'w' })).status).toBe(200)
  })
})

describe('values', () => {
  test.each([
    ['boolean', { value: 'maybe' }, 'Value is invalid boolean'],
    ['integer', { value: '' }, "Value can't be blank, Value is invalid integer"],
    ['hash', { value: '[1]' }, 'Value is invalid hash'],
    ['json', { value: '{a: 1}' }, 'Value is invalid json'],
  ] as const)('of %s: %j is refused', async (type, body, message) => {
    expect(await refusal(await managed(type), { match: 'os=x', ...body })).toBe(message)
  })

  test('false, an empty list and an empty map are values', async () => {
    for (const [type, value] of [
      ['boolean', false],
      ['array', []],
      ['hash', {}],
    ] as const) {
      expect((await post(await managed(type), { match: 'os=x', value })).body.value).toEqual(value)
    }
  })

  test('have to pass the validator', async () => {
    const listed = await managed('string', { validator_type: 'list', validator_rule: 'a, b' })
    expect(await refusal(listed, { match: 'os=x', value: 'c' })).toBe('Value c is not one of a, b')
    const matched = await managed('string', { validator_type: 'regexp', validator_rule: '^\\d+$' })
    expect(await refusal(matched, { match: 'os=x', value: 'c' })).toBe('Value is invalid')
    const evil = await managed('string', { validator_type: 'regexp', validator_rule: '(a+)+$' })
    expect(await refusal(evil, { match: 'os=x', value: `${'a'.repeat(5000)}!` })).toBe('Value is invalid')
  })
})

describe('what is not there', () => {
  test('is said in three forms', async () => {
    const parameter = await managed()
    const { id } = (await post(await managed(), { match: 'os=x', value: 'v' })).body
    const get = (path: string) => api.admin.get(path)
    expect(await get(`${pathOf(parameter)}/${id}`)).toMatchObject({
      status: 404,
      body: { message: `Override value not found by id '${id}'` },
    })
    expect(await get(`${pathOf(parameter)}/os=x`)).toMatchObject({
      status: 404,
      body: { error: { message: "Resource override_value not found by id 'os=x'" } },
    })
    for (const method of ['get', 'post', 'put', 'delete'] as const) {
      const path = `${FLAT}/nothing/override_values${method === 'put' || method === 'delete' ? '/1' : ''}`
      expect([method, (await api.admin[method](path)).body]).toEqual([
        method,
        { message: "Smart class parameter not found by id 'nothing'" },
      ])
    }
  })
})

describe('permissions', () => {
  test('one of several is enough, for the parameters that it is for', async () => {
    const parameter = await managed()
    const other = await managed()
    const see = 'view_external_parameters'
    for (const [permission, may] of [
      ['create_external_parameters', ['post']],
      ['edit_external_parameters', ['post', 'put', 'delete']],
      ['destroy_external_parameters', ['post', 'put', 'delete']],
    ] as const) {
      const caller = await api.can([see, permission], {
        search: `key = ${parameter.parameter}`,
        also: ['edit_shared_override_values'],
      })
      const match = `os=${unique('os')}`
      await post(parameter, { match: `${match}!`, value: 'v' })
      const tries = {
        post: await caller.post(pathOf(parameter), { match, value: 'v' }),
        put: await caller.put(`${pathOf(parameter)}/${match}!`, { value: 'w' }),
        delete: await caller.delete(`${pathOf(parameter)}/${match}!`),
      }
      for (const [what, { status }] of Object.entries(tries)) {
        const wanted = (may as readonly string[]).includes(what) ? (what === 'post' ? 201 : 200) : 403
        expect([permission, what, status]).toEqual([permission, what, wanted])
      }
      expect((await caller.post(pathOf(other), { match, value: 'v' })).status).toBe(404)
    }
    const viewer = await api.can([see])
    expect((await viewer.get(pathOf(parameter))).status).toBe(200)
    expect((await viewer.post(pathOf(parameter), {})).body.error.missing_permissions).toEqual([
      'create_external_parameters',
      'edit_external_parameters',
      'destroy_external_parameters',
    ])
    expect((await viewer.delete(`${pathOf(parameter)}/1`)).body.error.missing_permissions).toEqual([
      'edit_external_parameters',
      'destroy_external_parameters',
    ])
    const blind = await api.can(['edit_external_parameters'])
    expect((await blind.post(pathOf(parameter), { match: 'os=y', value: 'v' })).status).toBe(404)
  })
})

describe('match texts follow what they name', () => {
  const matchesOf = async (parameter: Shown) => (await overridesOf(parameter)).map(({ match }) => match)

  test('to the new name of a host, also when its interface gets one; they go with it', async () => {
    const host = await given(api.admin, 'host', { name: `${unique('a')}.example.test` })
    const parameter = await managed('string', { override_value_order: 'fqdn\nfqdn,os' })
    await post(parameter, { match: `fqdn=${host.name}`, value: 'alone' })
    await post(parameter, { match: `fqdn=${host.name},os=x`, value: 'joined' })
    const renamed = `${unique('b')}.example.test`
    await api.admin.put(`/api/hosts/${host.id}`, { host: { name: renamed } })
    expect(await matchesOf(parameter)).toEqual([`fqdn=${renamed}`, `fqdn=${host.name},os=x`])
    const again = `${unique('c')}.example.test`
    const [primary] = (await api.admin.get(`/api/hosts/${host.id}`)).body.interfaces
    await api.admin.put(`/api/hosts/${host.id}/interfaces/${primary.id}`, { interface: { name: again } })
    expect(await matchesOf(parameter)).toEqual([`fqdn=${again}`, `fqdn=${host.name},os=x`])
    expect((await api.admin.delete(`/api/hosts/${host.id}`)).status).toBe(200)
    expect(await matchesOf(parameter)).toEqual([`fqdn=${host.name},os=x`])
  })

  test.each(['hostgroup', 'organization', 'location'])(
    'to the new title of one %s and of all below it',
    async (kind) => {
      const above = await given(api.admin, kind, { name: unique('over') })
      const root = await given(api.admin, kind, { name: unique('root') })
      const child = await given(api.admin, kind, { name: unique('child'), parent_id: root.id })
      const similar = await given(api.admin, kind, { name: `${root.name}x` })
      const parameter = await managed('string', { override_value_order: `${kind}\n${kind},os` })
      const matches = [root, child, similar].map(({ title }) => `${kind}=${title}`)
      for (const match of [...matches, `${matches[0]},os=x`]) await post(parameter, { match, value: 'v' })
      const path = `/api/${kind}s/${root.id}`
      expect((await api.admin.put(path, { [kind]: { name: `${root.name}_new` } })).status).toBe(200)
      const renamed = [`${root.name}_new`, `${root.name}_new/${child.name}`, similar.title]
      expect(await matchesOf(parameter)).toEqual([...renamed.map((title) => `${kind}=${title}`), `${matches[0]},os=x`])
      expect((await api.admin.put(path, { [kind]: { parent_id: above.id } })).status).toBe(200)
      expect((await matchesOf(parameter))[1]).toBe(`${kind}=${above.name}/${root.name}_new/${child.name}`)
    },
  )

  test('but not over one that is there for the new name', async () => {
    const location = await given(api.admin, 'location', { name: unique('loc') })
    const parameter = await managed('string', { override_value_order: 'location' })
    await post(parameter, { match: `location=${location.name}`, value: 'old' })
    await post(parameter, { match: `location=${location.name}2`, value: 'prepared' })
    expect((await api.admin.put(`/api/locations/${location.id}`, { name: `${location.name}2` })).status).toBe(200)
    expect(await matchesOf(parameter)).toEqual([`location=${location.name}`, `location=${location.name}2`])
  })

  test('and go with a host group', async () => {
    const group = await given(api.admin, 'hostgroup')
    const parameter = await managed()
    const { body } = await post(parameter, { match: `hostgroup=${group.title}`, value: 'v' })
    expect((await api.admin.delete(`/api/hostgroups/${group.id}`)).status).toBe(200)
    expect(await overridesOf(parameter)).toEqual([])
    const audits = await api.admin.get(
      `/api/audits?search=${encodeURIComponent(`type = override_value and auditable_id = ${body.id} and action = destroy`)}`,
    )
    expect(audits.body.subtotal).toBe(1)
  })
})
