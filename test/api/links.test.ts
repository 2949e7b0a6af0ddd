import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { type Body, given, type Shown } from '../support/given.ts'

// docs/decisions/0014-links.md, beyond test/laws/links.test.ts, which checks lists that requests write: other lists, records
// that are sent back, audits, and searches. Two organizations with a location each.

let api: TestApi
let north: Place
let south: Place

interface Place {
  readonly keys: { readonly organization_ids: number[]; readonly location_ids: number[] }
  /** A caller of this place with all permissions. */
  readonly member: Caller
}

beforeAll(async () => {
  api = await openTestApi()
  north = await place('north')
  south = await place('south')
})
afterAll(() => api?.[Symbol.asyncDispose]())

async function place(name: string): Promise<Place> {
  const organization = await given(api.admin, 'organization', { name })
  const location = await given(api.admin, 'location', { name: `${name} of it` })
  const keys = { organization_ids: [organization.id], location_ids: [location.id] }
  const { body } = await api.admin.get('/api/permissions?per_page=all')
  return {
    keys,
    member: await api.can(
      body.results.map((permission: Shown) => String(permission.name)),
      keys,
    ),
  }
}

const make = (name: string, keys: Body = {}) => given(api.admin, name, keys)
const both = () => ({
  organization_ids: [...north.keys.organization_ids, ...south.keys.organization_ids],
  location_ids: [...north.keys.location_ids, ...south.keys.location_ids],
})

/** Yields the ids of a record's list as the administrator, the member of the north and that of the south see it. */
async function seen(path: string, key: string): Promise<readonly number[][]> {
  const of = async (caller: Caller) => {
    const { status, body } = await caller.get(path)
    if (status !== 200) throw new Error(`${path}: ${status}`)
    return body[key].map(({ id }: Shown) => id)
  }
  return [await of(api.admin), await of(north.member), await of(south.member)]
}

describe('lists that requests do not write', () => {
  test('combinations are left out where they name a template, a host group or an environment elsewhere', async () => {
    const template = await make('provisioning_template', both())
    const environment = await make('environment', both())
    const here = await make('hostgroup', north.keys)
    const there = await make('hostgroup', south.keys)
    const path = `/api/provisioning_templates/${template.id}/template_combinations`
    const bind = async (hostgroup: Shown) =>
      (await expectCreated(api.admin.post(path, { hostgroup_id: hostgroup.id, environment_id: environment.id }))).id
    const [first, second] = [await bind(here), await bind(there)]
    const third = (await expectCreated(api.admin.post(path, { environment_id: environment.id }))).id
    const expected = [
      [first, second, third],
      [first, third],
      [second, third],
    ]
    expect(await seen(`/api/provisioning_templates/${template.id}`, 'template_combinations')).toEqual(expected)
    expect(await seen(`/api/environments/${environment.id}`, 'template_combinations')).toEqual(expected)

    const back = await north.member.get(`/api/provisioning_templates/${template.id}`)
    const { status } = await north.member.put(`/api/provisioning_templates/${template.id}`, {
      provisioning_template: back.body,
    })
    expect(status).toBe(200)
    expect(await seen(`/api/provisioning_templates/${template.id}`, 'template_combinations')).toEqual(expected)
  })

  test('default templates of an operating system', async () => {
    const system = await make('operatingsystem')
    const defaults = await Promise.all(
      [north, south].map(async ({ keys }, index) => {
        const { body } = await api.admin.get('/api/template_kinds?order=id')
        const template_kind_id = body.results[index].id
        const template = await make('provisioning_template', { ...keys, template_kind_id })
        return expectCreated(
          api.admin.post(`/api/operatingsystems/${system.id}/os_default_templates`, {
            provisioning_template_id: template.id,
            template_kind_id,
          }),
        )
      }),
    )
    const [here, there] = defaults.map(({ id }) => id)
    expect(await seen(`/api/operatingsystems/${system.id}`, 'os_default_templates')).toEqual([
      expect.arrayContaining([here, there]),
      [here],
      [there],
    ])
  })

  test('subnets of a domain, environments of a class and of its parameters', async () => {
    const domain = await make('domain', both())
    const here = await make('subnet', { ...north.keys, domain_ids: [domain.id] })
    const there = await make('subnet', { ...south.keys, domain_ids: [domain.id] })
    expect(await seen(`/api/domains/${domain.id}`, 'subnets')).toEqual([[here.id, there.id], [here.id], [there.id]])

    const environments = [await make('environment', north.keys), await make('environment', south.keys)]
    const ids = environments.map(({ id }) => id)
    const configclass = await make('configclass', { environment_ids: ids })
    const parameter = await importedParameter(api, { configclass })
    const path = `/api/configclasses/${configclass.id}`
    const expected = [ids, [ids[0]], [ids[1]]]
    expect(await seen(path, 'environments')).toEqual(expected)
    expect(await seen(`${path}/smart_class_parameters/${parameter.id}`, 'environments')).toEqual(expected)
    const changed = await north.member.put(`${path}/smart_class_parameters/${parameter.id}`, {
      smart_class_parameter: { description: 'of the north' },
    })
    expect(changed.body.environments.map(({ id }: Shown) => id)).toEqual([ids[0]])
  })

  test('both kinds must hold: a member of the organization alone is shown nothing of its locations', async () => {
    const group = await make('hostgroup', north.keys)
    const configclass = await make('configclass', { hostgroup_ids: [group.id] })
    const half = await api.can(['view_configclasses'], { organization_ids: north.keys.organization_ids })
    expect((await half.get(`/api/configclasses/${configclass.id}`)).body.hostgroups).toEqual([])
  })

  test('neither the permission nor the organization that the request names narrows them', async () => {
    const group = await make('hostgroup', north.keys)
    const configclass = await make('configclass', { hostgroup_ids: [group.id] })
    const { organization_ids, location_ids } = both()
    const wide = await api.can(['view_configclasses'], { organization_ids, location_ids })
    const { body } = await wide.get(
      `/api/configclasses/${configclass.id}?organization_id=${south.keys.organization_ids[0]}`,
    )
    expect(body.hostgroups.map(({ id }: Shown) => id)).toEqual([group.id])
  })
})

describe('a whole record that is put back as it was shown', () => {
  test.each(['domain', 'subnet', 'hostgroup', 'user', 'provisioning_template'])('%s', async (name) => {
    const links = {
      ...both(),
      ...(name === 'subnet' && {
        domain_ids: [(await make('domain', north.keys)).id, (await make('domain', south.keys)).id],
      }),
    }
    const { id } = await make(name, links)
    const path = `/api/${name}s/${id}`
    const before = (await api.admin.get(path)).body
    const shown = (await north.member.get(path)).body
    expect(shown.organizations).toHaveLength(1)
    const { status, text } = await north.member.put(path, { [name]: shown })
    expect({ status, text }).toMatchObject({ status: 200 })
    const { updated_at: _then, ...rest } = before
    expect((await api.admin.get(path)).body).toMatchObject(rest)
  })
})

test('audits tell the whole change by ids, to auditors of both organizations, and name only places of their own', async () => {
  const domains = [await make('domain', north.keys), await make('domain', south.keys)]
  const [here = 0, there = 0] = domains.map(({ id }) => id)
  const { id } = await make('subnet', { ...both(), domain_ids: [here, there] })
  expect((await north.member.put(`/api/subnets/${id}`, { domain_ids: [] })).status).toBe(200)
  const search = encodeURIComponent(`type = subnet and auditable_id = ${id} and action = update`)
  for (const { member, keys } of [north, south]) {
    const { body } = await member.get(`/api/audits?search=${search}`)
    expect(body.results).toMatchObject([{ audited_changes: { domain_ids: [[here, there], [there]] } }])
    expect(body.results[0].organizations.map((one: Shown) => one.id)).toEqual(keys.organization_ids)
  }
})

test('searches and completions do not tell what a list of links leaves out', async () => {
  const group = await make('hostgroup', { ...south.keys, name: 'hidden' })
  const environment = await make('environment', { ...south.keys, name: 'secret' })
  const configclass = await make('configclass', { hostgroup_ids: [group.id], environment_ids: [environment.id] })
  const template = await make('provisioning_template', both())
  const combination = { hostgroup_id: group.id, environment_id: environment.id }
  await expectCreated(api.admin.post(`/api/provisioning_templates/${template.id}/template_combinations`, combination))
  const finds = async (caller: Caller, path: string, search: string, id: number) => {
    const { body } = await caller.get(`${path}?style=list&per_page=all&search=${encodeURIComponent(search)}`)
    return body.results.some((record: Shown) => record.id === id)
  }
  const classes = ['hostgroup = hidden', 'has hostgroup', 'environment = secret', 'organization = south']
  const templates = ['hostgroup = hidden', 'environment = secret', 'hidden']
  for (const [path, id, searches] of [
    ['/api/configclasses', configclass.id, classes],
    ['/api/provisioning_templates', template.id, templates],
  ] as const)
    for (const search of searches) {
      const found = [api.admin, south.member, north.member].map((caller) => finds(caller, path, search, id))
      expect({ path, search, found: await Promise.all(found) }).toEqual({ path, search, found: [true, true, false] })
    }
  for (const [path, field] of [
    ['configclasses', 'environment'],
    ['configclasses', 'organization'],
    ['provisioning_templates', 'hostgroup'],
    ['provisioning_templates', 'environment'],
  ]) {
    const url = `/api/${path}/auto_complete_search?search=${encodeURIComponent(`${field} = `)}`
    expect((await south.member.get(url)).text).toMatch(/hidden|secret|south/)
    expect((await north.member.get(url)).text).not.toMatch(/hidden|secret|south/)
  }
})

test('conditions of permissions are about the record, whoever sees what it is linked to', async () => {
  const group = await make('hostgroup', { ...south.keys, name: 'marked' })
  const configclass = await make('configclass', { hostgroup_ids: [group.id] })
  const limited = await api.can(['view_configclasses'], { ...north.keys, search: 'hostgroup = marked' })
  const { status, body } = await limited.get(`/api/configclasses/${configclass.id}`)
  expect({ status, hostgroups: body.hostgroups }).toEqual({ status: 200, hostgroups: [] })
})
