import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, type Shown, unique } from '../support/given.ts'

// docs/classification.md: what can hardly be meant as it is.

let api: TestApi
let configclass: Shown
let parameter: Shown

beforeAll(async () => {
  api = await openTestApi()
  const environment = await given(api.admin, 'environment')
  configclass = await given(api.admin, 'configclass', { environment_ids: [environment.id] })
  const base = await given(api.admin, 'hostgroup', { name: unique('Base') })
  const web = await given(api.admin, 'hostgroup', { name: 'Web', parent_id: base.id })
  const system = await given(api.admin, 'operatingsystem', {
    name: 'Debian',
    major: '12',
    minor: '4',
    description: 'Book',
  })
  await given(api.admin, 'host', {
    name: 'n1.lab.test',
    environment_id: environment.id,
    hostgroup_id: web.id,
    operatingsystem_id: system.id,
  })
  parameter = await importedParameter(api, {
    configclass,
    columns: { override: true, parameter_type: 'string', override_value_order: 'hostgroup,os\nfqdn\nhostgroup\nos' },
    default_value: '"d"',
  })
  for (const match of [
    'fqdn=n1.lab.test',
    'os=Debian 12.4',
    `hostgroup=${web.title}`,
    `hostgroup=${web.title},os=Debian 12.4`,
  ])
    await api.admin.post(`/api/smart_class_parameters/${parameter.id}/override_values`, { match, value: 'x' })
  // The title changes with the parent's name, which matchers of several attributes do not follow.
  await api.admin.put(`/api/hostgroups/${base.id}`, { hostgroup: { name: 'Root' } })
  // What old databases hold, and no request could store.
  await sql`update smart_class_parameters set validator_type = 'list', validator_rule = 'x,y' where id = ${parameter.id}`.execute(
    api.database.db,
  )
})
afterAll(() => api?.[Symbol.asyncDispose]())

const lint = async (path = '/api/smart_class_parameters/lint') => (await api.admin.get(path)).body
const told = ({ results }: Shown) => results.map((one: Shown) => [one.match, one.kind, one.reason, one.suggestion])

test('matchers that renames did not reach, that never win, and values that are refused', async () => {
  const found = await lint()
  expect(found).toMatchObject({ total: 4, subtotal: 4, page: 1, per_page: 20, search: null })
  const never = 'fqdn=n1.lab.test comes before it for every host that it matches now'
  expect(told(found)).toEqual([
    [null, 'unfit', 'the default value is refused by the validator', 'set another default value'],
    ['os=Debian 12.4', 'shadowed', never, 'delete it unless such hosts are to come'],
    ['hostgroup=Root/Web', 'shadowed', never, 'delete it unless such hosts are to come'],
    [
      expect.stringMatching(/^hostgroup=Base\d+\/Web,os=Debian 12.4$/),
      'stale',
      expect.stringMatching(/^no hostgroup is called Base\d+\/Web; a rename/),
      'write hostgroup=Root/Web,os=Debian 12.4',
    ],
  ])
  expect(found.results[0]).toMatchObject({
    smart_class_parameter_id: parameter.id,
    parameter: parameter.parameter,
    configclass_id: configclass.id,
    configclass_name: configclass.name,
    override_value_id: null,
  })
})

test('is paged, searched and nested like the list of parameters, and shows what the caller may see', async () => {
  const paged = await lint('/api/smart_class_parameters/lint?per_page=2&page=2')
  expect(paged).toMatchObject({ total: 4, subtotal: 4, page: 2, per_page: 2 })
  expect(paged.results).toHaveLength(2)
  expect(await lint('/api/smart_class_parameters/lint?search=key+%3D+nothing')).toMatchObject({
    total: 4,
    subtotal: 0,
    results: [],
  })
  expect((await lint(`/api/configclasses/${configclass.id}/smart_class_parameters/lint`)).total).toBe(4)
  const other = await given(api.admin, 'configclass')
  expect((await lint(`/api/configclasses/${other.id}/smart_class_parameters/lint`)).total).toBe(0)
  const ids = async (plural: string) =>
    (await api.admin.get(`/api/${plural}?per_page=all`)).body.results.map(({ id }: { id: number }) => id)
  const everywhere = { organization_ids: await ids('organizations'), location_ids: await ids('locations') }
  const blind = await api.can(['view_external_parameters'], everywhere)
  const { body } = await blind.get('/api/smart_class_parameters/lint')
  expect(body.total).toBe(4)
  // Nothing is suggested that the caller may not see.
  expect(body.results.at(-1).suggestion).toBe('delete it')
  const limited = await api.can(['view_external_parameters'], { search: 'key = nothing' })
  expect((await limited.get('/api/smart_class_parameters/lint')).body.total).toBe(0)
  expect((await (await api.can(['view_hosts'])).get('/api/smart_class_parameters/lint')).status).toBe(403)
})
