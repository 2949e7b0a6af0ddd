import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'
import { expectSameByField } from '../support/refusals-by-field.ts'

// Smart-parameters §1, with the corrections in its notes.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const FLAT = '/api/smart_class_parameters'
const KEYS = [
  ...['parameter', 'id', 'configclass_id', 'override_values_count', 'description', 'override', 'parameter_type'],
  ...['hidden_value?', 'omit', 'required', 'validator_type', 'validator_rule', 'merge_overrides', 'merge_default'],
  ...['avoid_duplicates', 'override_value_order', 'created_at', 'updated_at', 'default_value', 'use_config_default'],
  'configclass_name',
]
const DEFAULT_ORDER = 'fqdn\nhostgroup\nos\ndomain'

const put = (id: number, body: Body, query = '') =>
  api.admin.put(`${FLAT}/${id}${query}`, { smart_class_parameter: body })
const get = async (id: number, query = '') => (await api.admin.get(`${FLAT}/${id}${query}`)).body
const override = (id: number, body: Body) => api.admin.post(`${FLAT}/${id}/override_values`, { override_value: body })

/** Creates a managed parameter of a type, with a default as JSON text. */
async function managed(
  parameter_type: string | null,
  default_value: string | null,
  columns: Body = {},
): Promise<Shown> {
  return importedParameter(api, {
    ...(default_value !== null && { default_value }),
    columns: { override: true, parameter_type, ...(columns as Record<string, string | boolean>) },
  })
}

async function refusal(id: number, body: Body): Promise<string> {
  const before = await get(id)
  const { status, body: said } = await put(id, body)
  expect(status).toBe(500)
  expect(Object.keys(said)).toEqual(['error'])
  expect(Object.keys(said.error)).toEqual(['message'])
  expect(said.error.message.slice(0, 19)).toBe('Validation failed: ')
  const sentences = said.error.message.slice(19)
  const byField = await api.admin.put(`${FLAT}/${id}`, { smart_class_parameter: body }, { prefer: 'errors=by-field' })
  expectSameByField(byField, sentences, [...KEYS, 'override_values'])
  expect(await get(id)).toEqual(before)
  return sentences
}

describe('shapes', () => {
  test('lists have the keys of the contract, show adds three', async () => {
    const environment = await given(api.admin, 'environment')
    const configclass = await given(api.admin, 'configclass', { environment_ids: [environment.id] })
    const { id } = await importedParameter(api, { configclass, default_value: '80' })
    const { body } = await api.admin.get(`/api/configclasses/${configclass.id}/smart_class_parameters`)
    expect(Object.keys(body.results[0])).toEqual(KEYS)
    expect(body.results[0]).toMatchObject({
      configclass_id: configclass.id,
      configclass_name: configclass.name,
      override_values_count: 0,
      override: false,
      parameter_type: null,
      'hidden_value?': false,
      omit: null,
      use_config_default: null,
      override_value_order: DEFAULT_ORDER,
      default_value: 80,
    })
    const shown = await get(id)
    expect(Object.keys(shown)).toEqual([...KEYS, 'configclass', 'environments', 'override_values'])
    expect(shown).toMatchObject({
      configclass: { id: configclass.id, name: configclass.name, module_name: configclass.module_name },
      environments: [{ id: environment.id, name: environment.name }],
      override_values: [],
    })
  })

  test('show leaves out the parent that the path or the query names', async () => {
    const environment = await given(api.admin, 'environment')
    const configclass = await given(api.admin, 'configclass', { environment_ids: [environment.id] })
    const { id } = await importedParameter(api, { configclass })
    const keys = async (path: string) => Object.keys((await api.admin.get(path)).body).slice(KEYS.length)
    const below = (parents: string) => `/api/${parents}/smart_class_parameters/${id}`
    expect(await keys(below(`configclasses/${configclass.id}`))).toEqual(['environments', 'override_values'])
    expect(await keys(below(`environments/${environment.name}`))).toEqual(['configclass', 'override_values'])
    for (const both of [
      `environments/${environment.id}/configclasses/${configclass.id}`,
      `configclasses/${configclass.name}/environments/${environment.name}`,
    ])
      expect(await keys(below(both))).toEqual(['override_values'])
    expect(await keys(`${FLAT}/${id}?configclass_id=${configclass.id}`)).toEqual(['environments', 'override_values'])
    const changed = await api.admin.put(below(`configclasses/${configclass.id}`), { description: 'x' })
    expect(changed.body).not.toHaveProperty('configclass')
  })

  test('values have the type they have, to the last digit', async () => {
    for (const [type, text] of [
      ['integer', '9007199254740993'],
      ['real', '2.0'],
      ['array', '[1,2.0,"a",null]'],
      ['hash', '{"a":{"b":2.50}}'],
      ['boolean', 'false'],
      [null, 'null'],
    ] as const) {
      const { id } = await managed(type, text)
      const { text: answered } = await api.admin.get(`${FLAT}/${id}`)
      expect(answered).toContain(`"default_value":${text},`)
    }
  })
})

describe('which parameters a list holds', () => {
  test('all that some environment has, those of a class, of an environment, of both', async () => {
    const [here, there] = [await given(api.admin, 'environment'), await given(api.admin, 'environment')]
    const both = await given(api.admin, 'configclass', { environment_ids: [here.id, there.id] })
    const one = await given(api.admin, 'configclass', { environment_ids: [there.id] })
    const nowhere = await given(api.admin, 'configclass')
    const shared = await importedParameter(api, { configclass: both })
    const alone = await importedParameter(api, { configclass: one })
    const detached = await importedParameter(api, { configclass: nowhere })
    const ids = async (path: string) =>
      (await api.admin.get(`${path}${path.includes('?') ? '&' : '?'}per_page=all`)).body.results.map(
        ({ id }: Shown) => id,
      )
    const flat = await ids(FLAT)
    expect(flat).toEqual(expect.arrayContaining([shared.id, alone.id]))
    expect(flat).not.toContain(detached.id)
    expect((await api.admin.get(`${FLAT}/${detached.id}`)).status).toBe(404)
    expect(await ids(`/api/configclasses/${both.id}/smart_class_parameters`)).toEqual([shared.id])
    expect(await ids(`/api/configclasses/${nowhere.id}/smart_class_parameters`)).toEqual([detached.id])
    expect((await ids(`/api/environments/${there.id}/smart_class_parameters`)).sort()).toEqual(
      [shared.id, alone.id].sort(),
    )
    expect(await ids(`${FLAT}?environment_id=${here.id}`)).toEqual([shared.id])
    expect(await ids(`/api/environments/${here.id}/configclasses/${one.id}/smart_class_parameters`)).toEqual([])
  })

  test('totals are those of the scope, subtotals those of the search', async () => {
    const environment = await given(api.admin, 'environment')
    const configclass = await given(api.admin, 'configclass', { environment_ids: [environment.id] })
    for (const parameter of ['alpha', 'beta', 'gamma']) await importedParameter(api, { configclass, parameter })
    const { body } = await api.admin.get(
      `/api/configclasses/${configclass.id}/smart_class_parameters?search=beta&per_page=4294967296`,
    )
    expect(body).toMatchObject({ total: 3, subtotal: 1, per_page: 4_294_967_296, search: 'beta' })
    const listed = async (order: string) =>
      (await api.admin.get(`/api/configclasses/${configclass.id}/smart_class_parameters${order}`)).body.results.map(
        ({ parameter }: Shown) => parameter,
      )
    expect(await listed('')).toEqual(['alpha', 'beta', 'gamma'])
    expect(await listed('?order=parameter%20DESC')).toEqual(['gamma', 'beta', 'alpha'])
    expect(await listed('?order=configclass')).toEqual(['alpha', 'beta', 'gamma'])
  })

  test('managed ones of all classes of a host or a host group, in its environment', async () => {
    const [here, elsewhere] = [await given(api.admin, 'environment'), await given(api.admin, 'environment')]
    const inHere = { environment_ids: [here.id] }
    const classes = await Promise.all([1, 2, 3, 4, 5].map(() => given(api.admin, 'configclass', inHere)))
    const away = await given(api.admin, 'configclass', { environment_ids: [elsewhere.id] })
    const [own, ofGroup, ofRoot, bundled, rootBundled] = classes.map(({ id }) => id)
    const bundle = await given(api.admin, 'config_group', { configclass_ids: [bundled] })
    const rootBundle = await given(api.admin, 'config_group', { configclass_ids: [rootBundled] })
    const root = await given(api.admin, 'hostgroup', {
      environment_id: here.id,
      configclass_ids: [ofRoot, away.id],
      config_group_ids: [rootBundle.id],
    })
    const group = await given(api.admin, 'hostgroup', { parent_id: root.id, configclass_ids: [ofGroup] })
    const host = await given(api.admin, 'host', {
      environment_id: here.id,
      hostgroup_id: group.id,
      configclass_ids: [own],
      config_group_ids: [bundle.id],
    })
    const parameters: Shown[] = []
    for (const configclass of [...classes, away]) {
      parameters.push(await importedParameter(api, { configclass, columns: { override: true } }))
      await importedParameter(api, { configclass })
    }
    const ids = async (path: string) =>
      (await api.admin.get(`/api/${path}/smart_class_parameters?per_page=all`)).body.results
        .map(({ id }: Shown) => id)
        .sort()
    const wanted = (...indexes: number[]) => indexes.map((index) => parameters[index]?.id).sort()
    expect(await ids(`hosts/${host.name}`)).toEqual(wanted(0, 1, 2, 3, 4))
    expect(await ids(`hostgroups/${group.id}`)).toEqual(wanted(1, 2, 4))
    const shown = await api.admin.get(`/api/hosts/${host.id}`)
    expect(shown.body.configclasses.map(({ id }: Shown) => id)).toEqual([own])
    expect(shown.body.config_groups).toMatchObject([{ id: bundle.id, name: bundle.name }])
    expect(shown.body.all_configclasses.map(({ id }: Shown) => id).sort()).toEqual(
      [own, ofGroup, ofRoot, bundled, rootBundled].sort(),
    )
    const ofHost = await api.admin.get(`/api/hosts/${host.id}/configclasses?style=list`)
    expect(ofHost.body.total).toBe(5)
    const ofRootGroup = (await api.admin.get(`/api/hostgroups/${root.id}`)).body
    expect(ofRootGroup.all_configclasses.map(({ id }: Shown) => id).sort()).toEqual([ofRoot, rootBundled].sort())
    // When both are named, only the class counts.
    const byClass = await api.admin.get(`/api/configclasses/${away.id}/smart_class_parameters?host_id=${host.id}`)
    expect(byClass.body.total).toBe(2)
    // Cached counts are invalid once classes change.
    await api.admin.put(`/api/hosts/${host.id}`, { host: { configclass_ids: [] } })
    expect((await api.admin.get(`/api/hosts/${host.id}/smart_class_parameters?per_page=1`)).body.total).toBe(4)
  })

  test('each search field finds what it says', async () => {
    const environment = await given(api.admin, 'environment')
    const configclass = await given(api.admin, 'configclass', { environment_ids: [environment.id] })
    const flags = { override: true, merge_overrides: true, merge_default: true, avoid_duplicates: true }
    const flagged = await importedParameter(api, { configclass, columns: { parameter_type: 'array', ...flags } })
    const plain = await importedParameter(api, { configclass })
    const ids = async (search: string) =>
      (await api.admin.get(`${FLAT}?search=${encodeURIComponent(search)}`)).body.results.map(({ id }: Shown) => id)
    for (const flag of Object.keys(flags)) {
      const here = `configclass_name = ${configclass.name}`
      expect([flag, await ids(`${flag} = true and ${here}`)]).toEqual([flag, [flagged.id]])
      expect([flag, await ids(`${flag} = false and ${here}`)]).toEqual([flag, [plain.id]])
    }
    expect(await ids(`key = ${plain.parameter}`)).toEqual([plain.id])
    expect(await ids(`parameter = ${plain.parameter}`)).toEqual([plain.id])
    expect((await ids(`configclass = ${configclass.name}`)).sort()).toEqual([flagged.id, plain.id].sort())
    expect((await ids(`environment = ${environment.name}`)).sort()).toEqual([flagged.id, plain.id].sort())
    expect((await ids(configclass.name)).sort()).toEqual([flagged.id, plain.id].sort())
    expect(await ids(environment.name)).toEqual([])
    expect((await api.admin.get(`${FLAT}?search=x%20%3D%201`)).body.error.message).toContain("Field 'x' not recognized")
  })
})

describe('what a path names', () => {
  test('a parameter by id, by id and name, or by name within the class', async () => {
    const name = unique('port')
    const first = await importedParameter(api, { parameter: name })
    const second = await importedParameter(api, { parameter: name })
    const found = async (path: string) => (await api.admin.get(path)).body.id
    expect(await found(`${FLAT}/${second.id}-port`)).toBe(second.id)
    expect(await found(`${FLAT}/${name}`)).toBe(first.id)
    expect(await found(`/api/configclasses/${second.configclass_id}/smart_class_parameters/${name}`)).toBe(second.id)
  })

  test('missing records are reported in the words of the contract', async () => {
    const { id, configclass_name } = await importedParameter(api)
    const other = await given(api.admin, 'configclass')
    for (const path of [
      `${FLAT}/nothing`,
      `${FLAT}/99999999`,
      `/api/configclasses/${other.id}/smart_class_parameters/${id}`,
    ]) {
      const wanted = path.split('/').at(-1)
      const message = `Smart class parameter not found by id '${wanted}'`
      expect(await api.admin.get(path)).toMatchObject({ status: 404, body: { message } })
      expect(await api.admin.put(path, {})).toMatchObject({ status: 404, body: { message } })
    }
    expect((await api.admin.get(`${FLAT}/${id}?search=nothing`)).status).toBe(404)
    expect((await api.admin.get(`${FLAT}/${id}?search=${configclass_name}`)).status).toBe(200)
    for (const [path, word] of [
      ['configclasses', 'Configclass'],
      ['environments', 'Environment'],
      ['hosts', 'Host'],
      ['hostgroups', 'Hostgroup'],
    ]) {
      const { status, body } = await api.admin.get(`/api/${path}/gone/smart_class_parameters`)
      expect({ status, body }).toEqual({
        status: 404,
        body: { error: { message: `${word} with id 'gone' was not found` } },
      })
    }
  })
})

describe('permissions', () => {
  test('a permission to view parameters or classes opens the list, but only the former shows records', async () => {
    const { id } = await importedParameter(api)
    const seeing = await api.can(['view_external_parameters'])
    const asking = await api.can(['view_configclasses'])
    const stranger = await api.can(['view_hosts'])
    expect((await seeing.get(`${FLAT}/${id}`)).status).toBe(200)
    expect(await asking.get(FLAT)).toMatchObject({ status: 200, body: { total: 0, results: [] } })
    expect((await asking.get(`${FLAT}/${id}`)).status).toBe(404)
    expect((await stranger.get(FLAT)).body.error.missing_permissions).toEqual([
      'view_external_parameters',
      'view_configclasses',
    ])
    expect((await seeing.put(`${FLAT}/${id}`, {})).body.error.missing_permissions).toEqual([
      'edit_external_parameters',
      'edit_configclasses',
    ])
  })

  test('parents must be visible, too', async () => {
    const { configclass_id } = await importedParameter(api)
    const seeing = await api.can(['view_external_parameters'])
    expect((await seeing.get(`/api/configclasses/${configclass_id}/smart_class_parameters`)).status).toBe(404)
    const both = await api.can(['view_external_parameters', 'view_configclasses'])
    expect((await both.get(`/api/configclasses/${configclass_id}/smart_class_parameters`)).status).toBe(200)
  })

  test('a filter limits what is seen and what is changed', async () => {
    const mine = await managed('string', '"a"')
    const other = await managed('string', '"a"')
    const limited = await api.can(['view_external_parameters', 'edit_external_parameters'], {
      search: `key = ${mine.parameter}`,
    })
    expect((await limited.get(FLAT)).body.results.map(({ id }: Shown) => id)).toEqual([mine.id])
    expect((await limited.put(`${FLAT}/${mine.id}`, { description: 'x' })).status).toBe(200)
    expect((await limited.put(`${FLAT}/${other.id}`, { description: 'x' })).status).toBe(404)
  })

  test('seeing and editing are two things: nothing is saved without the second', async () => {
    const { id } = await managed('string', '"a"')
    const caller = await api.can(['view_external_parameters', 'edit_configclasses'])
    expect((await caller.put(`${FLAT}/${id}`, { description: 'x' })).status).toBe(422)
    expect((await get(id)).description).toBe(null)
  })
})

describe('hidden values', () => {
  test('are five asterisks, whatever they are, unless an editor asks', async () => {
    const { id } = await managed('array', '["secret"]', { hidden_value: true })
    await override(id, { match: 'os=x', value: ['deep'] })
    const masked = (body: Shown) => [body.default_value, body.override_values?.map(({ value }: Shown) => value)]
    expect(masked(await get(id))).toEqual(['*****', ['*****']])
    for (const name of ['show_hidden', 'show_hidden_parameters']) {
      expect(masked(await get(id, `?${name}=true`))).toEqual([['secret'], [['deep']]])
      expect(masked(await get(id, `?${name}=1`))).toEqual(['*****', ['*****']])
    }
    const listed = async (query: string) =>
      (await api.admin.get(`${FLAT}?search=id%3D${id}${query}`)).body.results[0].default_value
    expect([await listed(''), await listed('&show_hidden=true')]).toEqual(['*****', ['secret']])
    expect(masked((await put(id, { description: 'x' })).body)).toEqual(['*****', ['*****']])
    expect(masked((await put(id, { description: 'y', show_hidden: true })).body)).toEqual(['*****', ['*****']])
    expect(masked((await put(id, { description: 'z' }, '?show_hidden=true')).body)).toEqual([['secret'], [['deep']]])
    const viewer = await api.can(['view_external_parameters'])
    const { text } = await viewer.get(`${FLAT}/${id}?show_hidden=true`)
    expect(text).not.toMatch(/secret|deep/)
    expect(text).toContain('*****')
  })

  test('are hidden when they are null, and stay out of audits, of overrides, too', async () => {
    const { id, parameter } = await managed('string', null, { hidden_value: true })
    expect((await get(id)).default_value).toBe('*****')
    await put(id, { default_value: 'topsecret' })
    await override(id, { match: 'os=x', value: 'topsecret' })
    await api.admin.put(`${FLAT}/${id}/override_values/os=x`, { value: 'topsecret2' })
    await api.admin.delete(`${FLAT}/${id}/override_values/os=x`)
    await put(id, { hidden_value: false })
    for (const type of ['smart_class_parameter', 'override_value']) {
      const { body, text } = await api.admin.get(
        `/api/audits?per_page=all&search=${encodeURIComponent(`type = ${type}`)}`,
      )
      expect(body.results.length).toBeGreaterThan(0)
      expect(text).not.toContain('topsecret')
      expect(text).toContain(type === 'override_value' ? 'os=x' : parameter)
    }
  })

  test('are not told by what is wrong with them', async () => {
    const { id } = await managed('string', '"topsecret"', { hidden_value: true })
    await override(id, { match: 'os=x', value: 'topsecret, too', omit: true })
    const rule = { validator_type: 'list', validator_rule: 'a, b' }
    for (const body of [rule, { ...rule, hidden_value: false }, { ...rule, default_value: 'topsecret2' }])
      expect(await refusal(id, body)).toBe('Default value ***** is not one of a, b')
    await put(id, { ...rule, default_value: 'a' })
    const omitted = await api.admin.put(`${FLAT}/${id}/override_values/os=x`, { omit: false })
    expect(omitted.body.error.message).toBe('Validation failed: Value ***** is not one of a, b')
  })

  test('are not found out by those who may not edit the parameter', async () => {
    const { id } = await managed('string', '"topsecret"', { hidden_value: true })
    for (const guesser of [
      await api.can(['view_external_parameters', 'edit_configclasses']),
      await api.can(['edit_external_parameters'], { search: 'key = other', also: ['view_external_parameters'] }),
    ]) {
      const answers = new Set<string>()
      for (const query of ['', '?preview=true'])
        for (const body of [
          { validator_type: 'list', validator_rule: 'a' },
          { validator_type: 'regexp', validator_rule: '^t' },
          { validator_type: 'regexp', validator_rule: '^s' },
          { parameter_type: 'integer' },
          {},
        ])
          answers.add((await guesser.put(`${FLAT}/${id}${query}`, { smart_class_parameter: body })).text)
      expect([...answers]).toEqual([expect.stringContaining("You don't have permission edit_external_parameters")])
    }
  })

  test('an answer can be sent back: asterisks change nothing', async () => {
    const { id } = await managed('string', '"kept"', { hidden_value: true })
    await override(id, { match: 'os=x', value: 'kept, too' })
    await put(id, { default_value: '*****' })
    await api.admin.put(`${FLAT}/${id}/override_values/os=x`, { value: '*****' })
    const shown = await get(id, '?show_hidden=true')
    expect([shown.default_value, shown.override_values[0].value]).toEqual(['kept', 'kept, too'])
  })
})

const answerTo = async (url: string, payload: string) =>
  (await api.admin.send({ method: 'PUT', url, headers: { 'content-type': 'application/json' }, payload })).text
const audited = async () => (await api.admin.get('/api/audits?per_page=1&search=action!=reveal')).body.subtotal

/** Stores an override without validation, as old data may be; its parameter does not become managed. */
async function storeOverride(id: number, value: string): Promise<void> {
  await sql`insert into override_values (smart_class_parameter_id, match, value, omit)
    values (${id}, 'domain=x', ${value}::jsonb, false)`.execute(api.database.db)
}

describe('an update', () => {
  test('of nothing changes nothing, nor does sending back what was read', async () => {
    const cases = [
      ['json', '"5"'],
      ['json', '"x"'],
      ['json', '{"b":[1,{}],"a":2.0}'],
      ['yaml', '"yes"'],
      ['yaml', '[]'],
      ['array', '["1"]'],
      ['real', '2.0'],
      ['integer', '12345678901234567890'],
      ['string', '" a "'],
      ['boolean', 'false'],
      ['hash', '{"b":{"c":9007199254740993},"a":2.0}'],
      ['array', '[2.0,"yes",[9007199254740993],null]'],
      ['array', '"<%= [1] %>"'],
      ['json', 'null'],
      ['', '{"a":2.0}'],
      [null, '[2.0]'],
    ] as const
    const also = [{ hidden_value: true }, { omit: true }, { override: false }]
    for (const [index, [type, value]] of cases.entries()) {
      for (const columns of [{}, also[index % also.length] ?? {}]) {
        const { id } = await managed(type, value, columns)
        await storeOverride(id, value)
        const audits = await audited()
        const path = `${FLAT}/${id}`
        const read = await api.admin.get(path)
        const said = { type, columns, text: read.text }
        const shown = await api.admin.get(`${path}?show_hidden=true`)
        for (const payload of ['{}', '{"smart_class_parameter":{}}', read.text, shown.text])
          expect({ type, columns, text: await answerTo(path, payload) }).toEqual(said)
        expect(await answerTo(path, `{"smart_class_parameter":${read.text}}`)).toBe(read.text)
        const one = await api.admin.get(`${path}/override_values/domain=x`)
        const text = await answerTo(`${path}/override_values/domain=x`, one.text)
        expect({ type, columns, text }).toEqual({ type, columns, text: one.text })
        expect({ type, columns, audits: await audited() }).toEqual({ type, columns, audits })
        expect((await api.admin.get(`${path}?show_hidden=true`)).text).toBe(shown.text)
      }
    }
  })

  test('takes every key, also by its other names, wrapped or flat, by PUT and PATCH', async () => {
    const { id } = await importedParameter(api, { default_value: '"[1]"' })
    const sent = {
      override: true,
      description: ' for people ',
      default_value: '[3, 2.0]',
      parameter_type: 'array',
      hidden_value: false,
      omit: false,
      required: 'yes',
      validator_type: '',
      merge_overrides: true,
      merge_default: 1,
      avoid_duplicates: 'true',
      path: 'FQDN\r\nos, domain\n',
    }
    const { status, body, text } = await put(id, sent)
    expect(status, text).toBe(200)
    expect(body).toMatchObject({
      override: true,
      description: 'for people',
      default_value: [3, 2],
      parameter_type: 'array',
      'hidden_value?': false,
      omit: false,
      use_config_default: false,
      required: true,
      validator_type: '',
      merge_overrides: true,
      merge_default: true,
      avoid_duplicates: true,
      override_value_order: 'fqdn\nos,domain',
    })
    expect(text).toContain('[3,2.0]')
    const patched = await api.admin.send({
      method: 'PATCH',
      url: `${FLAT}/${id}`,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({
        use_config_default: true,
        'hidden_value?': true,
        key_type: 'array',
        override_value_order: null,
      }),
    })
    expect(patched.body).toMatchObject({ omit: true, 'hidden_value?': true, override_value_order: 'fqdn\nos,domain' })
    expect((await put(id, { override_value_order: 'fqdn\nhostgroup\nos\ndomain' })).body.override_value_order).toBe(
      DEFAULT_ORDER,
    )
    expect((await put(id, { nonsense: 1, key: 'renamed', parameter: 'renamed' })).body.parameter).toMatch(/^param/)
  })

  test('follows the order of the settings as long as it has none of its own', async () => {
    const { id } = await managed('string', '"a"')
    const setting = (value: unknown) =>
      api.admin.put('/api/settings/Default_parameters_Lookup_Path', { setting: { value } })
    await setting(['fqdn', 'location'])
    try {
      expect((await get(id)).override_value_order).toBe('fqdn\nlocation')
      expect((await override(id, { match: 'location=EU', value: 'x' })).status).toBe(201)
      expect(await refusal(id, { override_value_order: DEFAULT_ORDER })).toBe('Lookup values is invalid')
    } finally {
      await setting(['fqdn', 'hostgroup', 'os', 'domain'])
    }
  })

  test('needs override for everything but the description', async () => {
    const { id } = await importedParameter(api, { default_value: '5' })
    expect(await refusal(id, { default_value: 6 })).toBe('Override must be true to edit the parameter')
    expect(await refusal(id, { required: true })).toBe('Override must be true to edit the parameter')
    expect((await put(id, { description: 'x' })).status).toBe(200)
    expect(
      (await put(id, { override: true, parameter_type: 'integer', default_value: '0x1F' })).body.default_value,
    ).toBe(31)
  })

  test('that ends the override keeps values and resets what merges', async () => {
    const flags = { merge_overrides: true, merge_default: true, avoid_duplicates: true }
    const { id } = await managed('array', '[1]', flags)
    await override(id, { match: 'os=x', value: [2] })
    const { body } = await put(id, { override: false })
    expect(body).toMatchObject({
      override: false,
      parameter_type: 'array',
      default_value: [1],
      override_values: [{ value: [2] }],
      ...Object.fromEntries(Object.keys(flags).map((flag) => [flag, false])),
    })
  })

  test('of the type casts the default and all overrides, with an audit for each', async () => {
    const { id } = await managed('string', '"1"')
    const { body: made } = await override(id, { match: 'os=x', value: '012' })
    const { body } = await put(id, { parameter_type: 'integer' })
    expect([body.default_value, body.override_values[0].value]).toEqual([1, 10])
    const audits = await api.admin.get(
      `/api/audits?search=${encodeURIComponent(`type = override_value and auditable_id = ${made.id}`)}`,
    )
    expect(audits.body.results.map(({ action, audited_changes }: Shown) => [action, audited_changes.value])).toEqual([
      ['update', ['012', 10]],
      ['create', '012'],
    ])
  })

  test('with omit takes a default as it is, and checks it when omit goes', async () => {
    const { id } = await managed('integer', '1')
    expect((await put(id, { omit: true, default_value: 'garbage' })).body.default_value).toBe('garbage')
    expect(await refusal(id, { omit: false })).toBe('Default value is invalid')
  })

  test('keeps templates as they are typed', async () => {
    const { id } = await managed('integer', '1', { validator_type: 'list', validator_rule: '1,2' })
    expect((await put(id, { default_value: '<%= 40 + 2 %>' })).body.default_value).toBe('<%= 40 + 2 %>')
  })

  test('of null clears the default', async () => {
    const { id } = await managed('json', '{"a":1}')
    expect((await put(id, { default_value: null })).body.default_value).toBe(null)
  })
})

describe('messages', () => {
  test.each([
    ['boolean', 'true', {}, { default_value: 'maybe' }, 'Default value is invalid'],
    ['string', '"abc"', {}, { validator_type: 'regexp', validator_rule: '^\\d+$' }, 'Default value is invalid'],
    ['string', '"abc"', {}, { validator_type: 'list', validator_rule: 'a, b' }, 'Default value abc is not one of a, b'],
    ['string', '"x"', {}, { merge_overrides: true }, 'Merge overrides can only be set for array or hash'],
    [
      'array',
      '[]',
      {},
      { avoid_duplicates: true },
      'Avoid duplicates can only be set for arrays that have merge_overrides set to true',
    ],
    ['array', '[]', {}, { merge_default: true }, 'Merge default can only be set when merge overrides is set'],
    [
      'string',
      '"x"',
      {},
      { merge_overrides: true, avoid_duplicates: true },
      'Merge overrides can only be set for array or hash, Avoid duplicates can only be set for arrays that have merge_overrides set to true',
    ],
    ['string', '"x"', {}, { parameter_type: 'text' }, 'Key type invalid'],
    ['string', '"x"', {}, { validator_type: 'range' }, 'Validator type invalid'],
    [
      'string',
      '"x"',
      {},
      { validator_rule: 'x'.repeat(256) },
      'Validator rule is too long (maximum is 255 characters)',
    ],
  ] as const)('%s %s %j: %j', async (type, value, columns, sent, message) => {
    const { id } = await managed(type, value, columns)
    expect(await refusal(id, sent)).toBe(message)
  })

  test('tell of overrides that do not fit any more, before or after the default', async () => {
    const { id } = await managed('string', '"5"')
    await override(id, { match: 'os=x', value: 'abc' })
    expect(await refusal(id, { parameter_type: 'integer' })).toBe('Lookup values is invalid')
    expect(await refusal(id, { parameter_type: 'boolean', default_value: 'abc' })).toBe(
      'Default value is invalid, Lookup values is invalid',
    )
    expect(await refusal(id, { validator_type: 'list', validator_rule: 'a' })).toBe(
      'Lookup values is invalid, Default value 5 is not one of a',
    )
    expect(await refusal(id, { path: 'fqdn' })).toBe('Lookup values is invalid')
  })

  test('say what is wrong with a regular expression', async () => {
    const { id } = await managed('string', '"x"')
    const message = await refusal(id, { validator_type: 'regexp', validator_rule: '(' })
    expect(message).toMatch(/^Validator rule is no regular expression: ./)
  })

  test('name a number that no database holds', async () => {
    const { id } = await managed('real', '1.5')
    const { status, body } = await api.admin.send({
      method: 'PUT',
      url: `${FLAT}/${id}`,
      headers: { 'content-type': 'application/json' },
      payload: '{"default_value":1e400}',
    })
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        status: 400,
        error:
          "There was a problem in the JSON you submitted: the number of 'default_value' must be less than 1.8e308 and take less than 1000 digits",
      },
    })
  })

  test('about keys of the wrong type are those of every resource', async () => {
    const { id } = await managed('string', '"x"')
    const { status, body } = await put(id, { override: 'maybe' })
    expect(status).toBe(422)
    expect(body.error.errors).toEqual({ override: ['must be true or false'] })
  })
})

describe('there is no other way to make or remove one', () => {
  test.each(['POST', 'DELETE'] as const)('%s', async (method) => {
    const { id } = await importedParameter(api)
    const url = method === 'POST' ? FLAT : `${FLAT}/${id}`
    const { status } = await api.admin.send({
      method,
      url,
      headers: { 'content-type': 'application/json' },
      payload: '{}',
    })
    expect(status).toBe(404)
    expect((await get(id)).id).toBe(id)
  })
})

test('an environment takes the parameters with it that exist nowhere else', async () => {
  const [gone, kept] = [await given(api.admin, 'environment'), await given(api.admin, 'environment')]
  const shared = await given(api.admin, 'configclass', { environment_ids: [gone.id, kept.id] })
  const alone = await given(api.admin, 'configclass', { environment_ids: [gone.id] })
  const staying = await importedParameter(api, { configclass: shared })
  const going = await importedParameter(api, { configclass: alone })
  expect((await api.admin.delete(`/api/environments/${gone.id}`)).status).toBe(200)
  expect((await get(staying.id)).environments).toEqual([{ id: kept.id, name: kept.name }])
  const left = await sql<{ id: number }>`select id from smart_class_parameters where id = ${going.id}`.execute(
    api.database.db,
  )
  expect(left.rows).toEqual([])
})

test('a batch refuses what does not fit, keeps digits, and is no fault', async () => {
  const { id } = await managed('real', '1.5')
  const batch = (payload: string) =>
    api.admin.send({
      method: 'POST',
      url: '/api/batch',
      headers: { 'content-type': 'application/json' },
      payload: `{"operations":[{"method":"PUT","path":"${FLAT}/${id}","body":${payload}}]}`,
    })
  const { status, body } = await batch('{"default_value":"x"}')
  expect({ status, results: body.results }).toEqual({
    status: 422,
    results: [{ status: 500, body: { error: { message: 'Validation failed: Default value is invalid' } } }],
  })
  const kept = await batch('{"smart_class_parameter":{"parameter_type":"array","default_value":[2.0]}}')
  expect(kept.text).toContain('"default_value":[2.0]')
})

test('who prefers errors by field learns which overrides do not fit, in a batch and in a preview, too', async () => {
  const { id } = await managed('string', '"1"')
  for (const [match, value] of [
    ['os=x', 'text'],
    ['os=y', '7'],
    ['domain=z', 'more'],
  ])
    expect((await override(id, { match, value })).status).toBe(201)
  const smart_class_parameter = { parameter_type: 'integer' }
  const errors = { override_values: ['that do not fit: os=x; domain=z'] }
  const refused = { id, errors, full_messages: ['Override values that do not fit: os=x; domain=z'] }
  const preferring = { prefer: 'return=minimal, errors=by-field' }
  for (const query of ['', '?preview=true'])
    expect(await api.admin.put(`${FLAT}/${id}${query}`, { smart_class_parameter }, preferring)).toMatchObject({
      status: 422,
      body: { error: refused },
    })
  const operations = [{ method: 'PUT', path: `${FLAT}/${id}`, body: smart_class_parameter }]
  for (const atomic of [true, false])
    expect((await api.admin.post('/api/batch', { operations, atomic }, preferring)).body.results).toEqual([
      { status: 422, body: { error: refused } },
    ])
})

test('a value that does not fit is logged as what clients do, without the value', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  await using other = await openTestApi({ log })
  const { id } = await importedParameter(other, { columns: { override: true, parameter_type: 'integer' } })
  await other.admin.put(`${FLAT}/${id}`, { default_value: 'topsecret' })
  const told = lines.join('')
  expect(told).toContain('"status":500')
  expect(told).toContain('request refused')
  expect(told).not.toContain('"level":50')
  expect(told).not.toContain('topsecret')
})
