import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, type Shown } from '../support/given.ts'

// docs/classification.md: what a write would change, held against the node documents of every host before and after it.

let api: TestApi
let environment: Shown
let configclass: Shown
let groups: Shown[]
let hosts: Shown[]
let places: { readonly organization_ids: readonly number[]; readonly location_ids: readonly number[] }

beforeAll(async () => {
  api = await openTestApi()
  const { admin } = api
  const organization = await given(admin, 'organization')
  const location = await given(admin, 'location')
  places = { organization_ids: [organization.id], location_ids: [location.id] }
  environment = await given(admin, 'environment', places)
  const other = await given(admin, 'environment', places)
  configclass = await given(admin, 'configclass', { environment_ids: [environment.id] })
  const base = await given(admin, 'hostgroup', { name: 'Base', ...places })
  const web = await given(admin, 'hostgroup', { name: 'Web', parent_id: base.id, ...places })
  const db = await given(admin, 'hostgroup', { name: 'Db', ...places })
  groups = [base, web, db]
  await admin.post(`/api/hostgroups/${base.id}/configclass_ids`, { configclass_id: configclass.id })
  const systems = [
    await given(admin, 'operatingsystem', { name: 'Debian', major: '12', minor: '4', description: 'Bookworm' }),
    await given(admin, 'operatingsystem', { name: 'RedHat', major: '9' }),
  ]
  const domains = [await given(admin, 'domain', { name: 'lab.test', ...places })]
  const facts = [
    { hostgroup_id: base.id, operatingsystem_id: systems[0]?.id, comment: 'canary' },
    { hostgroup_id: web.id, operatingsystem_id: systems[1]?.id, build: false },
    { hostgroup_id: web.id, operatingsystem_id: systems[0]?.id, domain_id: domains[0]?.id, enabled: false },
    { hostgroup_id: db.id, operatingsystem_id: systems[0]?.id, configclass_ids: [configclass.id] },
    { hostgroup_id: db.id, operatingsystem_id: systems[0]?.id },
    { hostgroup_id: web.id, environment_id: other.id },
    { configclass_ids: [configclass.id] },
    { hostgroup_id: web.id, organization_id: null, location_id: null },
  ]
  hosts = []
  for (const [index, own] of facts.entries())
    hosts.push(
      await given(admin, 'host', {
        name: `n${index}.lab.test`,
        environment_id: environment.id,
        organization_id: organization.id,
        location_id: location.id,
        ...own,
      }),
    )
}, 60_000)
afterAll(() => api?.[Symbol.asyncDispose]())

const ALL = [
  ...['view_hosts', 'view_external_parameters', 'edit_external_parameters', 'create_external_parameters'],
  ...['destroy_external_parameters', 'edit_configclasses', 'view_hostgroups', 'edit_hostgroups', 'edit_classes'],
]

const managed = (columns: Record<string, string | boolean> = {}, default_value = '"d"') =>
  importedParameter(api, {
    configclass,
    columns: { override: true, parameter_type: 'string', ...columns },
    default_value,
  })

/** What every host is told, by name: its classes with their values, or the refusal. */
async function documents(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { id, name } of hosts) {
    const { status, text } = await api.admin.get(`/api/hosts/${id}/enc`)
    found.set(name, status === 200 ? JSON.stringify(JSON.parse(text).data.classes) : `${status} ${text}`)
  }
  return found
}

/** Everything that a write may store. */
const stored = () =>
  rows(
    api.database.db,
    sql`select table_name, sum(writes) as writes from table_changes group by table_name order by table_name`,
  )

/** Previews a write, sees that it stored nothing, makes it, and sees that it changed what the preview said. */
async function proven(write: (query: string) => Promise<Reply>): Promise<Reply['body']> {
  const [before, untouched] = [await documents(), await stored()]
  const preview = await write('?preview=true')
  expect(preview.status, preview.text).toBe(200)
  expect(await stored()).toEqual(untouched)
  expect((await write('')).status).toBeLessThan(300)
  const after = await documents()
  const changed = [...after].flatMap(([name, document]) => (document === before.get(name) ? [] : [name]))
  const { changes, classes, total } = preview.body
  const said = [...changes, ...classes].flatMap((change: Shown) => change.hosts.map(({ name }: Shown) => name))
  expect([...new Set(said)].sort()).toEqual(changed)
  expect(total).toBe(changed.length)
  return preview.body
}

const at = ({ id }: Shown) => `/api/smart_class_parameters/${id}`
const names = (change: Shown): string[] => change.hosts.map(({ name }: Shown) => name)

describe('the winners of a parameter', () => {
  const winners = async (parameter: Shown, caller = api.admin) => (await caller.get(`${at(parameter)}/winners`)).body
  const found = async (search: string) =>
    (await api.admin.get(`/api/hosts?search=${encodeURIComponent(search)}`)).body.results.map(({ name }: Shown) => name)

  test('are the hosts that each explanation names, and the search of each finds them', async () => {
    const parameter = await managed({ override_value_order: 'fqdn\nhostgroup\nos' })
    for (const match of ['hostgroup=Base', 'hostgroup=Base/Web', 'os=Debian 12.4', 'fqdn=n1.lab.test'])
      await api.admin.post(`${at(parameter)}/override_values`, {
        match,
        value: match,
        omit: match === 'hostgroup=Base',
      })
    const expected = new Map<number | null, string[]>()
    for (const { id, name } of hosts) {
      const { applies, override_values } = (await api.admin.get(`${at(parameter)}/explain?host_id=${id}`)).body
      if (!applies) continue
      const chosen = override_values.find(({ fate }: Shown) => fate === 'chosen')?.id ?? null
      expected.set(chosen, [...(expected.get(chosen) ?? []), name])
    }
    const { total, default: rest, override_values } = await winners(parameter)
    const all = [{ ...rest, id: null }, ...override_values].filter((one) => one.hosts > 0)
    expect(all.length).toBeGreaterThan(3)
    expect(total).toBe([...expected.values()].flat().length)
    for (const one of all) {
      expect(await found(one.search)).toEqual(expected.get(one.id))
      expect(one.hosts).toBe(expected.get(one.id)?.length)
    }
    expect(all.map(({ id }) => id).toSorted()).toEqual([...expected.keys()].toSorted())
  })

  test('are only hosts that the caller may see, and nobody for a parameter that is not managed', async () => {
    const parameter = await managed()
    const caller = await api.can(['view_external_parameters'])
    expect(await winners(parameter, caller)).toMatchObject({ total: 0, default: { hosts: 0, search: null } })
    const other = await importedParameter(api, { configclass })
    expect(await winners(other)).toEqual({ total: 0, default: { hosts: 0, search: null }, override_values: [] })
  })

  test('of merged values are all hosts whose value holds that of the override', async () => {
    const facts = { parameter_type: 'array', merge_overrides: true, override_value_order: 'hostgroup\nos' }
    const parameter = await managed(facts, '[]')
    for (const match of ['hostgroup=Base/Web', 'os=Debian 12.4'])
      await api.admin.post(`${at(parameter)}/override_values`, { match, value: [match] })
    const { override_values } = await winners(parameter)
    const both = await Promise.all(override_values.map(({ search }: Shown) => found(search)))
    expect(both.filter((some) => some.includes('n2.lab.test')).length).toBe(2)
  })
})

describe('a preview', () => {
  test('of another default names the hosts that have it', async () => {
    const parameter = await managed()
    await api.admin.post(`${at(parameter)}/override_values`, { match: 'hostgroup=Base/Web', value: 'web' })
    const { changes } = await proven((query) =>
      api.admin.put(`${at(parameter)}${query}`, { smart_class_parameter: { default_value: 'e' } }),
    )
    expect(changes).toEqual([
      {
        ...{ id: parameter.id, parameter: parameter.parameter, configclass_id: configclass.id },
        ...{ configclass_name: configclass.name, parameter_type: 'string', required: false },
        ...{ merge_overrides: false, merge_default: false, avoid_duplicates: false },
        before: { status: 'value', value: 'd', message: null, source: 'default', matches: [] },
        after: { status: 'value', value: 'e', message: null, source: 'default', matches: [] },
        hosts: [0, 3, 6].map((index) => ({ id: hosts[index]?.id, name: hosts[index]?.name })),
      },
    ])
  })

  test('of a new, another and no override', async () => {
    const parameter = await managed()
    const path = `${at(parameter)}/override_values`
    const made = await proven((query) => api.admin.post(`${path}${query}`, { match: 'os=Debian 12.4', value: 'deb' }))
    expect(made.changes.map(names)).toEqual([['n0.lab.test', 'n2.lab.test', 'n3.lab.test']])
    const id = encodeURIComponent('os=Debian 12.4')
    const same = await proven((query) => api.admin.put(`${path}/${id}${query}`, { value: 'deb' }))
    expect(same).toEqual({ preview: true, total: 0, classes: [], changes: [] })
    await proven((query) => api.admin.put(`${path}/${id}${query}`, { match: 'hostgroup=Base', omit: true }))
    await proven((query) => api.admin.delete(`${path}/hostgroup=Base${query}`))
  })

  test('of an override that makes a parameter managed, and of its end', async () => {
    const parameter = await managed({ override: false })
    const { total } = await proven((query) =>
      api.admin.post(`${at(parameter)}/override_values${query}`, { match: 'fqdn=n0.lab.test', value: 'x' }),
    )
    expect(total).toBe(6)
    await proven((query) => api.admin.put(`${at(parameter)}${query}`, { smart_class_parameter: { override: false } }))
  })

  test('of a class that is given to a group or a host, or taken', async () => {
    const [, web, db] = groups
    const parameter = await managed({ required: true }, 'null')
    const path = `/api/hostgroups/${db?.id}/configclass_ids`
    const given = await proven((query) => api.admin.post(`${path}${query}`, { configclass_id: configclass.id }))
    expect(given.classes).toMatchObject([
      { change: 'added', configclass_id: configclass.id, hosts: [{ name: 'n4.lab.test' }] },
    ])
    expect(given.changes.map(({ after }: Shown) => after.status)).toContain('failure')
    await proven((query) => api.admin.delete(`${path}/${configclass.id}${query}`))
    const none = await proven((query) =>
      api.admin.post(`/api/hostgroups/${web?.id}/configclass_ids${query}`, { configclass_id: configclass.id }),
    )
    expect(none.total).toBe(0)
    await proven((query) => api.admin.delete(`/api/hosts/${hosts[6]?.id}/configclass_ids/${configclass.id}${query}`))
    await api.admin.put(at(parameter), { smart_class_parameter: { required: false } })
  })

  test('of templates, facts and parameters of hosts', async () => {
    await api.admin.post(`/api/hosts/${hosts[0]?.id}/parameters`, { parameter: { name: 'tier', value: 'gold' } })
    await api.admin.post('/api/hosts/facts', { name: 'n1.lab.test', facts: { kernel: 'Linux' } })
    const parameter = await managed({ override_value_order: 'tier\nkernel\ncomment\nenabled\nbuild' })
    const path = `${at(parameter)}/override_values`
    for (const [match, value] of [
      ['tier=gold', '<%= @host.name %>'],
      ['kernel=Linux', 'linux'],
      ['comment=canary', 'canary'],
      ['enabled=false', 'off'],
    ])
      await proven((query) => api.admin.post(`${path}${query}`, { match, value }))
    const templates = await managed()
    const { changes } = await proven((query) =>
      api.admin.put(`${at(templates)}${query}`, { smart_class_parameter: { default_value: '<%= @host.shortname %>' } }),
    )
    expect(changes.flatMap(names)).toHaveLength(changes.length)
    expect(changes.length).toBeGreaterThan(3)
    await proven((query) =>
      api.admin.put(`${at(templates)}${query}`, {
        smart_class_parameter: { default_value: '<%= @host.name[0, 2] %>' },
      }),
    )
    for (const default_value of ["<%= @host.facts['kernel'] %>", 'plain'])
      await proven((query) => api.admin.put(`${at(templates)}${query}`, { smart_class_parameter: { default_value } }))
  })

  test('of matchers for names of certificates', async () => {
    await api.admin.put(`/api/hosts/${hosts[0]?.id}`, { host: { certname: 'other.lab.test' } })
    const parameter = await managed({ override_value_order: 'certname' })
    const path = `${at(parameter)}/override_values`
    for (const match of ['certname=n0.lab.test', 'certname=n1.lab.test', 'certname=other.lab.test'])
      await proven((query) => api.admin.post(`${path}${query}`, { match, value: match }))
  })

  test('is validated like the write, by the same permissions', async () => {
    const parameter = await managed()
    const wrong = { smart_class_parameter: { parameter_type: 'integer', default_value: 'x' } }
    const [real, preview] = [
      await api.admin.put(at(parameter), wrong),
      await api.admin.put(`${at(parameter)}?preview=true`, wrong),
    ]
    expect([preview.status, preview.body]).toEqual([real.status, real.body])
    const override = { match: 'fqdn=nobody.test', value: 'x' }
    expect((await api.admin.post(`${at(parameter)}/override_values?preview=true`, override)).status).toBe(500)
    expect((await api.admin.put(`${at(parameter)}?preview=maybe`, {})).status).toBe(400)
    const viewer = await api.can(['view_hosts', 'view_external_parameters'], places)
    expect((await viewer.put(`${at(parameter)}?preview=true`, { smart_class_parameter: {} })).status).toBe(403)
    expect(
      (await viewer.post(`/api/hosts/${hosts[0]?.id}/configclass_ids?preview=true`, { configclass_id: 1 })).status,
    ).toBe(403)
  })

  test('names only hosts that the caller may see, and masks what is hidden', async () => {
    const parameter = await managed({ hidden_value: true }, '"top secret"')
    const body = { smart_class_parameter: { default_value: 'deep secret' } }
    const local = await api.can(ALL, places)
    const { changes, total } = (await local.put(`${at(parameter)}?preview=true`, body)).body
    expect(changes.flatMap(names)).not.toContain('n7.lab.test')
    expect([total, changes[0].before.value, changes[0].after.value]).toEqual([
      changes.flatMap(names).length,
      '*****',
      '*****',
    ])
    const all = (await api.admin.put(`${at(parameter)}?preview=true&show_hidden=true`, body)).body
    expect(all.changes.flatMap(names)).toContain('n7.lab.test')
    expect(all.changes[0].after.value).toBe('deep secret')
    const blind = await api.can(
      ALL.filter((name) => name !== 'view_hosts'),
      places,
    )
    expect((await blind.put(`${at(parameter)}?preview=true`, body)).body.total).toBe(0)
  })

  test('says what recomputing every host says, whatever is written', { timeout: 60_000 }, async () => {
    const parameter = await managed({ parameter_type: 'array', override_value_order: ORDERS[0] }, '["d"]')
    const path = `${at(parameter)}/override_values`
    const match = fc.constantFrom(
      'fqdn=n1.lab.test',
      'hostgroup=Base',
      'hostgroup=Base/Web',
      'os=Debian 12.4',
      'os=RedHat 9',
    )
    const joined = fc.constantFrom('hostgroup=Base,os=RedHat 9', 'hostgroup=Base/Web,os=Debian 12.4')
    const value = fc.constantFrom(['d'], ['a'], ['b', 'a'], [])
    const write = fc.oneof(
      fc.record({ match: fc.oneof(match, joined), value, omit: fc.boolean() }),
      fc.record({ merge_overrides: fc.boolean(), default_value: value, omit: fc.boolean() }),
      fc.record({ override_value_order: fc.constantFrom(...ORDERS) }),
      fc.record({ gone: match }),
    )
    await fc.assert(
      fc.asyncProperty(write, async (sent) => {
        const ask = async (query: string): Promise<Reply> => {
          if ('gone' in sent) return api.admin.delete(`${path}/${encodeURIComponent(sent.gone)}${query}`)
          if (!('match' in sent)) return api.admin.put(`${at(parameter)}${query}`, { smart_class_parameter: sent })
          const made = await api.admin.post(`${path}${query}`, sent)
          if (!made.text.includes('has already been taken')) return made
          return api.admin.put(`${path}/${encodeURIComponent(sent.match)}${query}`, sent)
        }
        const tried = await ask('?preview=true')
        if (tried.status >= 400) expect((await ask('')).status).toBe(tried.status)
        else await proven(ask)
      }),
      { numRuns: 12 },
    )
  })
})

describe('a preview for one host', () => {
  test('shows its whole document before and after, as its own path does', async () => {
    const parameter = await managed()
    const name = String(hosts[0]?.name)
    const path = `${at(parameter)}/override_values`
    const sent = { match: `fqdn=${name}`, value: 'its own' }
    const shown = async () => (await api.admin.get(`/api/hosts/${name}/enc`)).body.data
    const [before, untouched] = [await shown(), await stored()]
    const { body } = await api.admin.post(`${path}?preview=true&preview_host_id=${name}`, sent)
    expect(await stored()).toEqual(untouched)
    expect((await api.admin.post(path, sent)).status).toBe(201)
    const after = await shown()
    expect(after).not.toEqual(before)
    expect(body.document).toEqual({
      host_id: hosts[0]?.id,
      before: { document: before, failures: [] },
      after: { document: after, failures: [] },
    })
    const required = { smart_class_parameter: { required: true, default_value: null } }
    await api.admin.delete(`${path}/${encodeURIComponent(sent.match)}`)
    const refused = await api.admin.put(`${at(parameter)}?preview=true&preview_host_id=${hosts[0]?.id}`, required)
    expect(refused.body.document.after).toEqual({ document: null, failures: [expect.any(String)] })
  })

  test('shows it only to those who see the host, with the masks of its own path', async () => {
    const [first, unseen] = [hosts[0], hosts[7]]
    const hidden = { name: 'pin', value: 'top secret', hidden_value: true }
    expect((await api.admin.post(`/api/hosts/${first?.id}/parameters`, { parameter: hidden })).status).toBe(201)
    const parameter = await managed()
    const local = await api.can([...ALL, 'view_params'], places)
    const ask = (host: unknown) =>
      local.put(`${at(parameter)}?preview=true&preview_host_id=${host}`, {
        smart_class_parameter: { default_value: 'e' },
      })
    const { before } = (await ask(first?.id)).body.document
    expect(before.document).toEqual((await local.get(`/api/hosts/${first?.id}/enc`)).body.data)
    expect(before.document.parameters.pin).toBe('*****')
    for (const host of [unseen?.id, unseen?.name, 'nowhere.lab.test', 999_999_999]) {
      const { status, text } = await ask(host)
      expect([status, text]).toEqual([404, expect.stringContaining(`Resource host not found by id '${host}'`)])
    }
  })

  test('is asked for with a preview only', async () => {
    const parameter = await managed()
    const { status, body } = await api.admin.put(`${at(parameter)}?preview_host_id=${hosts[0]?.id}`, {
      smart_class_parameter: { default_value: 'e' },
    })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('needs preview=true')])
  })
})

const ORDERS = ['fqdn\nhostgroup,os\nhostgroup\nos', 'os\nhostgroup\nhostgroup,os\nfqdn'] as const
