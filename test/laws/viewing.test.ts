import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openVendor } from '../../src/dialect/routes/vendor.ts'
import type { Route } from '../../src/requests/route.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, type Shown } from '../support/given.ts'

// A caller who may not view parameters or facts cannot read them on any route about a host: its pages, explanations,
// hypothetical values, and previews of templates and changes. Others read them there.

const PARAMETER = 'canary-parameter'
const FACT = 'canary-fact'
const CANARIES = [PARAMETER, FACT]
const HERE = { organization_ids: [1], location_ids: [1] }

let api: TestApi
let host: Shown
let segments: Readonly<Record<string, readonly (string | number)[]>>
const people = new Map<string, Caller & { readonly authorization: string }>()

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  const { admin } = api
  const environment = await given(admin, 'environment', HERE)
  const configclass = await given(admin, 'configclass', { environment_ids: [environment.id] })
  const os = await given(admin, 'operatingsystem', { name: 'Debian', major: '12' })
  const hostgroup = await given(admin, 'hostgroup', { configclass_ids: [configclass.id], ...HERE })
  host = await given(admin, 'host', {
    ...{ name: 'seen.example.test', managed: false, organization_id: 1, location_id: 1 },
    ...{ environment_id: environment.id, hostgroup_id: hostgroup.id, operatingsystem_id: os.id },
  })
  await admin.post(`/api/hosts/${host.id}/parameters`, { name: 'tier', value: PARAMETER })
  await admin.post(`/api/hostgroups/${hostgroup.id}/parameters`, { name: 'rack', value: PARAMETER })
  await admin.post('/api/hosts/facts', { name: host.name, facts: { cell: FACT, deep: { er: FACT } } })
  const columns = { override: true, parameter_type: 'string', override_value_order: 'tier\nrack\ncell\nfqdn' }
  const parameter = await importedParameter(api, { configclass, default_value: '"plain"', columns })
  const [template] = ["<%= @host.facts['cell'] %> <%= @host.params['tier'] %>"]
  await importedParameter(api, { configclass, default_value: JSON.stringify(template), columns })
  await admin.post(`/api/smart_class_parameters/${parameter.id}/override_values`, {
    ...{ match: `fqdn=${host.name}`, value: 'own' },
  })
  const text = `<%= host_param('tier') %> <%= @host.params['rack'] %> <%= @host.facts['cell'] %> <%= @host.facts_hash['deep::er'] %>`
  const provision = await given(admin, 'provisioning_template', {
    ...{ template: text, template_kind_name: 'provision', operatingsystem_ids: [os.id], ...HERE },
    template_combinations_attributes: [{ hostgroup_id: hostgroup.id }],
  })
  segments = {
    ...{ host: [host.id], hostgroup: [hostgroup.id], environment: [environment.id], configclass: [configclass.id] },
    ...{ smart_class_parameter: [parameter.id], override_value: [encodeURIComponent(`fqdn=${host.name}`)] },
    ...{ organization: [1], location: [1], operatingsystem: [os.id], kind: ['provision'], fact: [1] },
    ...{ provisioning_template: [provision.id] },
  }
  const { body } = await admin.get('/api/permissions?per_page=all')
  const all = (body.results as { name: string }[]).map(({ name }) => name)
  people.set('sighted', await api.can(all, HERE))
  // A permission to write parameters includes viewing them.
  people.set(
    'blind',
    await api.can(
      all.filter((name) => !/_(params|facts)$/.test(name)),
      HERE,
    ),
  )
}, 120_000)
afterAll(() => api?.[Symbol.asyncDispose]())

const PORTS = [
  ['the first listener', () => ({ on: (name: string): Caller => person(name), routes: api.routes })],
  [
    'the listener for existing clients',
    () => ({ on: (name: string) => api.asVendor(person(name)), routes: openVendor(api.routes).routes }),
  ],
] as const

function person(name: string) {
  const found = people.get(name)
  if (!found) throw new Error(`nobody is called ${name}`)
  return found
}

describe.each(PORTS)('on %s', (_name, port) => {
  test('reads show parameters and facts to those alone who may view them', async () => {
    const { on, routes } = port()
    const reads = routes.filter(({ method, path }) => method === 'GET' && path.includes(':'))
    const told = new Set<string>()
    const leaks: string[] = []
    for (const route of reads)
      for (const path of pathsOf(route))
        for (const query of ['', '?show_hidden=true&include=all_parameters,parameters&per_page=all']) {
          const sighted = leaksIn((await on('sighted').get(`${path}${query}`)).text)
          if (sighted.length > 0) told.add(route.id.split('.').slice(-2).join('.'))
          const blind = leaksIn((await on('blind').get(`${path}${query}`)).text)
          if (blind.length > 0) leaks.push(`${path}${query}: ${blind}`)
        }
    expect(leaks).toEqual([])
    for (const id of ['hosts.template', 'hosts.classification', 'hosts.enc', 'smart_class_parameters.explain'])
      expect([...told]).toContain(id)
  }, 120_000)

  test('so do suppositions, and previews of changes', async () => {
    const { on, routes } = port()
    const writes = routes.filter(({ path, method }) => isPreview(method, path))
    expect(writes.length).toBeGreaterThan(3)
    const told: string[] = []
    const leaks: string[] = []
    for (const { method, path: pattern, group, id } of writes)
      for (const path of pathsOf({ path: pattern, group }))
        for (const name of ['sighted', 'blind']) {
          const { status, text } = await on(name).send({
            ...{ method, url: `${path}?preview=true&show_hidden=true`, payload: JSON.stringify(bodyFor(path)) },
            headers: { 'content-type': 'application/json' },
          })
          expect(status, `${method} ${path} ${text}`).toBeLessThan(300)
          if (leaksIn(text).length === 0) continue
          if (name === 'blind') leaks.push(`${method} ${path}: ${leaksIn(text)}`)
          else told.push(id)
        }
    expect(leaks).toEqual([])
    expect(told).toContain('hosts.what_if')
  })
})

const isPreview = (method: string, path: string) =>
  (method === 'POST' && /^\/api\/hosts\/what_if$/.test(path)) ||
  (method === 'PUT' &&
    /^\/api\/smart_class_parameters\/:id$|^\/api\/smart_class_parameters\/:\w+\/override_values\/:id$/.test(path)) ||
  (method === 'DELETE' && /^\/api\/smart_class_parameters\/:\w+\/override_values\/:id$/.test(path)) ||
  (method === 'PUT' && /^\/api\/\w+classes\/:id$/.test(path))

/** Builds a body that makes the answer reveal most: the host as it is, or values from templates. */
function bodyFor(path: string) {
  if (path.endsWith('what_if')) return { name: host.name, attributes: {} }
  const value = "<%= @host.facts['cell'] %> <%= @host.params['tier'] %>"
  if (path.includes('override_values')) return { value }
  return path.includes('smart_class_parameters') ? { default_value: value } : {}
}

function leaksIn(text: string): string[] {
  return CANARIES.filter((canary) => text.includes(canary))
}

/** Lists the paths of a route with every parameter filled in; none where a record for one is missing. */
function pathsOf({ path, group }: Pick<Route, 'path' | 'group'>): string[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return names.reduce<string[]>(
    (paths, name) => {
      const kind = name === 'id' ? singularOf(group) : name.replace(/_id$/, '')
      return paths.flatMap((one) => (segments[kind] ?? []).map((segment) => one.replace(`:${name}`, String(segment))))
    },
    [path],
  )
}

function singularOf(group: string): string {
  return Object.keys(segments).find((name) => [`${name}s`, `${name}es`].includes(group)) ?? group
}
