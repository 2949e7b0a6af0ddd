import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

// Core-api §11, smart-parameters §3 and §5.4: named, typed values of hosts and of the records that hosts inherit from.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

let count = 0
const unique = () => `p${++count}`

/** Sends JSON as it is written here, so that numbers arrive unchanged. */
const raw = (method: 'POST' | 'PUT', url: string, payload: string, caller: Caller = api.admin) =>
  caller.send({ method, url, payload, headers: { 'content-type': 'application/json' } })

const common = (body: object) => expectCreated(api.admin.post('/api/common_parameters', { common_parameter: body }))

const OWNERS = {
  organization: {
    plural: 'organizations',
    key: 'organization_parameters_attributes',
    priority: 10,
    type: 'organization',
  },
  location: { plural: 'locations', key: 'location_parameters_attributes', priority: 20, type: 'location' },
  domain: { plural: 'domains', key: 'domain_parameters_attributes', priority: 30, type: 'domain' },
  subnet: { plural: 'subnets', key: 'subnet_parameters_attributes', priority: 40, type: 'subnet' },
  operatingsystem: {
    plural: 'operatingsystems',
    key: 'os_parameters_attributes',
    priority: 50,
    type: 'operating system',
  },
  hostgroup: { plural: 'hostgroups', key: 'group_parameters_attributes', priority: 60, type: 'host group' },
  host: { plural: 'hosts', key: 'host_parameters_attributes', priority: 70, type: 'host' },
} as const
type Owner = keyof typeof OWNERS
const OWNER_NAMES = Object.keys(OWNERS) as Owner[] // the keys of the constant

/** Puts a record into the first organization and location, where members see it. */
const placeOf = (owner: Owner) =>
  owner === 'host'
    ? { organization_id: 1, location_id: 1 }
    : ['organization', 'location', 'operatingsystem'].includes(owner)
      ? {}
      : { organization_ids: [1], location_ids: [1] }

/** Yields the organization and location of callers who may see a record there, or that record itself. */
const memberOf = (owner: Owner, id: number) => ({
  organization_ids: [owner === 'organization' ? id : 1],
  location_ids: [owner === 'location' ? id : 1],
})

const newOwner = async (owner: Owner, body: object = {}) => {
  const whole = { ...placeOf(owner), ...body }
  if (owner !== 'host') return given(api.admin, owner, whole)
  return expectCreated(
    api.admin.post('/api/hosts', { host: { name: `${unique()}.example.test`, managed: false, ...whole } }),
  )
}

const KEYS = [
  'priority',
  'created_at',
  'updated_at',
  'id',
  'name',
  'parameter_type',
  'associated_type',
  'hidden_value?',
  'value',
]

describe('global parameters', () => {
  test('show these keys in this order, and are found by name and by id', async () => {
    const name = unique()
    const made = await common({ name, value: 'x' })
    expect(Object.keys(made)).toEqual([
      'created_at',
      'updated_at',
      'id',
      'name',
      'parameter_type',
      'hidden_value?',
      'value',
    ])
    expect(made).toMatchObject({ name, parameter_type: 'string', 'hidden_value?': false, value: 'x' })
    for (const segment of [name, made.id]) {
      expect((await api.admin.get(`/api/common_parameters/${segment}`)).body).toEqual(made)
    }
    const { body } = await api.admin.get(`/api/common_parameters?search=${encodeURIComponent(`name="${name}"`)}`)
    expect(body.results).toEqual([made])
    const gone = (await api.admin.delete(`/api/common_parameters/${name}`)).body
    expect(gone).toMatchObject({ id: made.id, name, value: 'x', priority: 0, hidden_value: false, key_type: 'string' })
  })

  test('are not those of anything', async () => {
    const { id } = await newOwner('domain')
    const { name } = await expectCreated(
      api.admin.post(`/api/domains/${id}/parameters`, { name: unique(), value: 'x' }),
    )
    expect((await api.admin.get(`/api/common_parameters/${name}`)).status).toBe(404)
    expect((await api.admin.get(`/api/common_parameters?search=${name}`)).body.subtotal).toBe(0)
  })
})

describe.each(OWNER_NAMES)('parameters of one %s', (owner) => {
  const { plural, key, priority, type } = OWNERS[owner]

  test('are listed, shown, made, changed and deleted below it', async () => {
    const { id } = await newOwner(owner)
    const path = `/api/${plural}/${id}/parameters`
    const made = await expectCreated(api.admin.post(path, { parameter: { name: 'my_param', value: 'my value' } }))
    expect(Object.keys(made)).toEqual(KEYS)
    expect(made).toMatchObject({
      priority,
      associated_type: type,
      name: 'my_param',
      value: 'my value',
      parameter_type: 'string',
    })
    for (const segment of ['my_param', made.id, `${made.id}-my_param`]) {
      expect((await api.admin.get(`${path}/${segment}`)).body).toEqual(made)
    }
    expect((await api.admin.get(`${path}?organization_id=1&per_page=4294967296`)).body.results).toEqual([made])
    const changed = (await api.admin.put(`${path}/my_param`, { parameter: { name: 'special_key', value: '123' } })).body
    expect(changed).toMatchObject({ id: made.id, name: 'special_key', value: '123' })
    const gone = (await api.admin.delete(`${path}/special_key`)).body
    expect(gone).toMatchObject({
      id: made.id,
      name: 'special_key',
      value: '123',
      reference_id: id,
      priority,
      key_type: 'string',
    })
    expect(gone.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect((await api.admin.get(`${path}/${made.id}`)).status).toBe(404)
  })

  test('have names of their own: unique there, free elsewhere', async () => {
    const [one, other] = [await newOwner(owner), await newOwner(owner)]
    const post = (id: number) => api.admin.post(`/api/${plural}/${id}/parameters`, { name: 'twice', value: 'x' })
    expect([(await post(one.id)).status, (await post(other.id)).status]).toEqual([201, 201])
    const refused = await post(one.id)
    expect([refused.status, refused.body.error.errors]).toEqual([422, { name: ['has already been taken'] }])
    expect((await api.admin.get(`/api/${plural}/${other.id}/parameters/twice`)).body.priority).toBe(priority)
    const { id } = (await api.admin.get(`/api/${plural}/${one.id}/parameters/twice`)).body
    expect((await api.admin.get(`/api/${plural}/${other.id}/parameters/${id}`)).status).toBe(404)
  })

  test('all go at once, with an audit each', async () => {
    const { id } = await newOwner(owner)
    const path = `/api/${plural}/${id}/parameters`
    const made = []
    for (const name of ['a', 'b']) made.push(await expectCreated(api.admin.post(path, { name, value: 'x' })))
    const answer = await api.admin.delete(path)
    expect([answer.status, answer.body]).toEqual([200, []])
    expect((await api.admin.get(path)).body.total).toBe(0)
    for (const { id } of made) {
      const found = await api.admin.get(
        `/api/audits?search=${encodeURIComponent(`type = parameter and auditable_id = ${id} and action = destroy`)}`,
      )
      expect(found.body.subtotal).toBe(1)
    }
  })

  test(`are written with it by ${key}`, async () => {
    const { id, parameters } = await newOwner(owner, {
      [key]: [
        { name: 'b', value: 'x' },
        { name: 'a', value: '[1]', parameter_type: 'array' },
      ],
    })
    const shown = (list: { name: string; value: unknown }[]) => list.map(({ name, value }) => [name, value])
    expect(shown(parameters)).toEqual([
      ['a', [1]],
      ['b', 'x'],
    ])
    expect(Object.keys(parameters[0])).toEqual(KEYS)
    const put = async (items: unknown) => api.admin.put(`/api/${plural}/${id}`, { [owner]: { [key]: items } })
    const byName = await put([
      { name: 'a', value: '[2]' },
      { name: 'c', value: 7, parameter_type: 'integer' },
    ])
    expect(shown(byName.body.parameters)).toEqual([
      ['a', [2]],
      ['c', 7],
    ])
    const [a, c] = byName.body.parameters
    expect(a.id).toBe(parameters[0].id)
    const byId = await put({
      0: { id: c.id, name: 'z' },
      1: { name: 'c', value: 'new' },
      2: { id: a.id, _destroy: true },
    })
    expect(shown(byId.body.parameters)).toEqual([
      ['c', 'new'],
      ['z', 7],
    ])
    const word = key.replace('_attributes', '')
    const refusals: readonly [readonly object[], object][] = [
      [
        [
          { name: 'd', value: 'x' },
          { name: 'z', value: 'many' },
        ],
        { [`${word}.value`]: ['is invalid integer'] },
      ],
      [[{ name: '', value: 'x' }], { [`${word}.name`]: ["can't be blank"] }],
      [[{ name: 'd' }, { name: 'd' }], { [word]: ['Please ensure the following parameters name are unique'] }],
    ]
    for (const [items, errors] of refusals) {
      const refused = await put(items)
      expect([refused.status, refused.body.error.id, refused.body.error.errors]).toEqual([422, id, errors])
    }
    const second = [{ name: 'd' }, { name: '', value: 'x' }]
    expect((await put(second)).body.error.item).toEqual({ [key]: 1 })
    expect((await put([{ name: '' }])).body.error.full_messages).toEqual(["Name can't be blank"])
    expect(shown((await api.admin.get(`/api/${plural}/${id}`)).body.parameters)).toEqual(shown(byId.body.parameters))
    expect((await put([{ id: 999_999, value: 'x' }])).status).toBe(404)
    for (const nothing of [[], null]) {
      await put([{ name: 'a', value: 'x' }])
      expect((await put(nothing)).body.parameters).toEqual([])
    }
  })

  test('stay with it where they are not sent, and where the caller does not see them', async () => {
    const { id } = await newOwner(owner, {
      [key]: [
        { name: 'mine', value: 'x' },
        { name: 'other', value: 'y' },
      ],
    })
    const named = async () => {
      const { body } = await api.admin.get(`/api/${plural}/${id}`)
      return body.parameters.map(({ name }: { name: string }) => name)
    }
    const all = [`view_${plural}`, `edit_${plural}`]
    const limited = await api.can([...all, 'view_params'], { ...memberOf(owner, id), search: 'name ~ m' })
    for (const caller of [await api.can(all, memberOf(owner, id)), limited]) {
      expect((await caller.put(`/api/${plural}/${id}`, { [owner]: {} })).status).toBe(200)
      expect(await named()).toEqual(['mine', 'other'])
    }
    const removed = { [owner]: { [key]: [] } }
    expect((await limited.put(`/api/${plural}/${id}`, removed)).status).toBe(422)
    expect(await named()).toEqual(['mine', 'other'])
    const remover = await api.can([...all, 'view_params', 'destroy_params'], {
      ...memberOf(owner, id),
      search: 'name ~ m',
    })
    expect((await remover.put(`/api/${plural}/${id}`, removed)).status).toBe(200)
    expect(await named()).toEqual(['other'])
  })

  test('need their permissions, and the right one for it', async () => {
    const { id } = await newOwner(owner)
    const path = `/api/${plural}/${id}/parameters`
    await expectCreated(api.admin.post(path, { name: 'kept', value: 'x' }))
    const member = memberOf(owner, id)
    const params = ['view_params', 'create_params', 'edit_params', 'destroy_params']
    const viewer = await api.can(['view_params', `view_${plural}`], member)
    expect((await viewer.get(path)).body.results).toHaveLength(1)
    expect((await viewer.post(path, { name: 'new', value: 'x' })).status).toBe(403)
    const blind = await api.can(params, member)
    expect((await blind.get(path)).status).toBe(404)
    const without = await api.can([`view_${plural}`, `edit_${plural}`], member)
    for (const { status, body } of [await without.get(path), await without.delete(path)]) {
      expect([status, body.error.missing_permissions]).toEqual([
        403,
        [expect.stringMatching(/^(view|destroy)_params$/)],
      ])
    }
    const reader = await api.can([...params, `view_${plural}`], member)
    for (const answer of [
      await reader.post(path, { name: 'new', value: 'x' }),
      await reader.put(`${path}/kept`, { value: 'y' }),
      await reader.delete(`${path}/kept`),
      await reader.delete(path),
    ]) {
      expect(answer.status).toBe(404)
    }
    expect((await api.admin.get(path)).body.results).toMatchObject([{ name: 'kept', value: 'x' }])
    const editor = await api.can([...params, `view_${plural}`, `edit_${plural}`], member)
    expect((await editor.post(path, { name: 'new', value: 'x' })).status).toBe(201)
    expect((await editor.put(`${path}/kept`, { value: 'y' })).status).toBe(200)
    expect((await editor.delete(`${path}/kept`)).status).toBe(200)
    expect((await editor.delete(path)).status).toBe(200)
  })

  test('are shown in it only to those who may see parameters', async () => {
    const { id } = await newOwner(owner, {
      [key]: [
        { name: 'mine', value: 'x' },
        { name: 'other', value: 'y' },
      ],
    })
    const all = async (caller: Caller) => {
      const { body } = await caller.get(`/api/${plural}/${id}`)
      return body.parameters.map(({ name }: { name: string }) => name)
    }
    const member = memberOf(owner, id)
    expect(await all(await api.can([`view_${plural}`], member))).toEqual([])
    expect(await all(await api.can([`view_${plural}`, 'view_params'], member))).toEqual(['mine', 'other'])
    expect(
      await all(
        await api.can([`view_${plural}`, 'view_params'], {
          ...member,
          search: 'name ~ m',
        }),
      ),
    ).toEqual(['mine'])
  })

  test('go with it', async () => {
    const { id, parameters } = await newOwner(owner, { [key]: [{ name: 'x', value: 'y' }] })
    expect((await api.admin.delete(`/api/${plural}/${id}`)).status).toBe(200)
    const left = await rows(api.database.db, sql`select id from parameters where id = ${parameters[0].id}`)
    expect(left).toEqual([])
  })
})

describe('values', () => {
  // The type, the JSON that is sent, and the JSON that is shown (smart-parameters §3.1).
  test.each([
    ['string', '"as it is "', '"as it is "'],
    ['string', '42', '"42"'],
    ['string', '2.0', '"2.0"'],
    ['string', '""', '""'],
    ['boolean', '"yes"', 'true'],
    ['boolean', 'false', 'false'],
    ['integer', '"0x1F"', '31'],
    ['integer', '7', '7'],
    ['integer', '9007199254740993', '9007199254740993'],
    ['integer', '"123456789012345678901234567890"', '123456789012345678901234567890'],
    ['real', '2.0', '2.0'],
    ['real', '"2"', '2.0'],
    ['real', '1e3', '1000.0'],
    ['array', '"[1, 2.0]"', '[1,2.0]'],
    ['array', '[1,2.0,[]]', '[1,2.0,[]]'],
    ['hash', '"a: {b: 1}"', '{"a":{"b":1}}'],
    ['hash', '{"a":2.50}', '{"a":2.5}'],
    ['yaml', '"- x\\n- 5"', '["x",5]'],
    ['json', '"{\\"value2\\": \\"value2\\"}"', '{"value2":"value2"}'],
    ['json', '"9007199254740993"', '9007199254740993'],
    ['json', '[0.10,12345678901234567890]', '[0.1,12345678901234567890]'],
    ['integer', '"<%= 1 %>"', '"<%= 1 %>"'],
  ])('%s %s is %s, wherever it is shown', async (parameter_type, sent, shown) => {
    const name = unique()
    const made = await raw(
      'POST',
      '/api/common_parameters',
      `{"name":"${name}","parameter_type":"${parameter_type}","value":${sent}}`,
    )
    const tail = `"parameter_type":"${parameter_type}","hidden_value?":false,"value":${shown}}`
    expect(made.text).toContain(tail)
    expect((await api.admin.get(`/api/common_parameters/${name}`)).text).toContain(tail)
    expect((await api.admin.get(`/api/common_parameters?search=name=${name}`)).text).toContain(`"value":${shown}}]}`)
    expect((await api.admin.delete(`/api/common_parameters/${name}`)).text).toContain(`"value":${shown},`)
  })

  test('come with their numbers when they are written with their owner, too', async () => {
    const items =
      '[{"name":"r","parameter_type":"real","value":2.0},{"name":"j","parameter_type":"json","value":{"n":[1.0,9007199254740993]}}]'
    const { id } = await newOwner('hostgroup')
    const answer = await raw('PUT', `/api/hostgroups/${id}`, `{"hostgroup":{"group_parameters_attributes":${items}}}`)
    expect(answer.text).toContain('"value":{"n":[1.0,9007199254740993]}}')
    expect(answer.text).toContain('"value":2.0}')
    const [real] = answer.body.parameters.filter(({ name }: { name: string }) => name === 'r')
    const audits = await api.admin.get(
      `/api/audits?search=${encodeURIComponent(`type = parameter and auditable_id = ${real.id}`)}`,
    )
    expect(audits.text).toContain('"value":2.0')
  })

  test.each([
    ['boolean', '"maybe"'],
    ['integer', '"1.5"'],
    ['integer', '"many"'],
    ['real', '"x"'],
    ['array', '"a"'],
    ['array', '{"a":1}'],
    ['hash', '[1]'],
    ['hash', '"{\\"a\\" => 1}"'],
    ['yaml', '"[["'],
    ['json', '"{a: 1}"'],
  ])('%s %s is refused', async (parameter_type, sent) => {
    const body = `{"parameter":{"name":"${unique()}","parameter_type":"${parameter_type}","value":${sent}}}`
    const { status, body: answer } = await raw('POST', '/api/organizations/1/parameters', body)
    expect([status, answer.error.errors]).toEqual([422, { value: [`is invalid ${parameter_type}`] }])
    expect(answer.error.full_messages).toEqual([`Value is invalid ${parameter_type}`])
  })

  test('stay as they are unless they or the type are sent; another type casts what is there', async () => {
    const { id, updated_at } = await common({ name: unique(), value: '012' })
    const put = async (body: object) => (await api.admin.put(`/api/common_parameters/${id}`, body)).body
    expect(await put({ parameter_type: 'string', value: '012' })).toMatchObject({ value: '012', updated_at })
    expect(await put({ parameter_type: 'integer' })).toMatchObject({ value: 10 })
    expect(await put({ parameter_type: 'real' })).toMatchObject({ value: 10 })
    expect((await put({ parameter_type: 'array' })).error.errors).toEqual({ value: ['is invalid array'] })
    expect(await put({ parameter_type: 'string', value: 'x' })).toMatchObject({ value: 'x' })
    expect((await put({ parameter_type: 'list' })).error.errors).toHaveProperty('parameter_type')
  })

  test('of maps in another order are another value, as for the engine that reads them', async () => {
    const { id } = await common({ name: unique(), parameter_type: 'hash', value: { bb: 1, a: { d: 1, c: 2 } } })
    const search = encodeURIComponent(`type = parameter and auditable_id = ${id}`)
    await api.admin.put(`/api/common_parameters/${id}`, { value: { bb: 1, a: { d: 1, c: 2 } } })
    expect((await api.admin.get(`/api/audits?search=${search}`)).body.subtotal).toBe(1)
    await api.admin.put(`/api/common_parameters/${id}`, { value: { a: { c: 2, d: 1 }, bb: 1 } })
    expect((await api.admin.get(`/api/audits?search=${search}`)).body.subtotal).toBe(2)
  })
})

describe('names', () => {
  test.each([
    ['', "can't be blank"],
    ['two words', "can't contain spaces."],
    ['tab\tinside', "can't contain spaces."],
    ['x'.repeat(256), 'is too long (maximum is 255 characters)'],
  ])('%j is refused', async (name, message) => {
    for (const path of ['/api/common_parameters', '/api/locations/1/parameters']) {
      const { status, body } = await api.admin.post(path, { name, value: 'x' })
      expect([status, body.error.errors]).toEqual([422, { name: [message] }])
    }
  })

  test('may be changed, but not to one that is there', async () => {
    const [one, other] = [await common({ name: unique(), value: 'x' }), await common({ name: unique(), value: 'x' })]
    const put = (name: string) => api.admin.put(`/api/common_parameters/${one.id}`, { name })
    expect((await put(unique())).status).toBe(200)
    expect((await put(other.name)).body.error.errors).toEqual({ name: ['has already been taken'] })
  })
})
