import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { row } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { listKept, listTaken } from '../../web/src/resources/taken.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type Body, freeNetwork, given, managedHost, type Shown, unique } from '../support/given.ts'

// Core-api §1.5 and §11.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const THERE = { organization_id: 1, location_id: 1 }
const post = (host: object) => api.admin.post('/api/hosts', { host: { managed: false, ...THERE, ...host } })
const put = (id: number, host: object) => api.admin.put(`/api/hosts/${id}`, { host })
const get = async (id: number) => (await api.admin.get(`/api/hosts/${id}`)).body
const make = (more: object = {}) => expectCreated(post({ name: `${unique('host')}.example.test`, ...more }))
const found = async (search: string, caller = api.admin) =>
  (await caller.get(`/api/hosts?per_page=all&search=${encodeURIComponent(search)}`)).body.results.map(
    ({ name }: { name: string }) => name,
  )

describe('names', () => {
  test('are full, unique and in lower case', async () => {
    expect((await make({ name: ' Web.Upper.TEST ' })).name).toBe('web.upper.test')
    expect((await post({ name: 'WEB.upper.test' })).body.error.errors).toEqual({ name: ['has already been taken'] })
  })

  test('get the domain behind them when they are short', async () => {
    const domain = await given(api.admin, 'domain', { name: `${unique('dom')}.test` })
    const host = await make({ name: unique('short'), domain_id: domain.id })
    expect(host).toMatchObject({ name: expect.stringMatching(new RegExp(`^short\\d+\\.${domain.name}$`)) })
    expect(host).toMatchObject({ domain_id: domain.id, domain_name: domain.name })
    expect(host.interfaces).toMatchObject([{ name: host.name, primary: true, provision: true, domain_id: domain.id }])
  })

  test('find the domain that they lie in', async () => {
    const domain = await given(api.admin, 'domain', { name: `${unique('dom')}.test` })
    expect(await make({ name: `a.${domain.name}` })).toMatchObject({ domain_id: domain.id })
    expect(await make({ name: `b.sub.${domain.name}` })).toMatchObject({ domain_id: null })
  })

  test('follow the domain when another one is chosen', async () => {
    const [one, other] = [
      await given(api.admin, 'domain', { name: `${unique('dom')}.test` }),
      await given(api.admin, 'domain', { name: `${unique('dom')}.test` }),
    ]
    const { id } = await make({ name: `moving.${one.name}` })
    await put(id, { domain_id: other.id })
    expect(await get(id)).toMatchObject({
      name: `moving.${other.name}`,
      domain_id: other.id,
      interfaces: [{ name: `moving.${other.name}` }],
    })
    await put(id, { name: 'renamed' })
    expect(await get(id)).toMatchObject({ name: `renamed.${other.name}`, domain_id: other.id })
  })

  test('are host names', async () => {
    const message = 'is not a host name: labels of letters, digits, hyphens and underscores, with dots between them'
    const bad = [
      'a b.test',
      '-a.test',
      'a-.test',
      'a..test',
      '.a',
      'a.',
      'ä.test',
      'a;rm',
      '$(x)',
      'a/b',
      `${'x'.repeat(64)}.test`,
    ]
    for (const name of bad) expect((await post({ name })).body.error.errors, name).toEqual({ name: [message] })
    expect((await post({})).body.error.errors).toEqual({ name: ["can't be blank"] })
    expect((await post({ name: `${'x.'.repeat(130)}test` })).status).toBe(422)
  })

  test('name hosts in paths, before ids', async () => {
    const host = await make({ name: '10-0-0-1.path.test' })
    expect((await api.admin.get('/api/hosts/10-0-0-1.path.test')).body.id).toBe(host.id)
    expect((await api.admin.get(`/api/hosts/${host.id}-anything`)).status).toBe(404)
    expect((await api.admin.get(`/api/hosts/${host.id}`)).body.name).toBe('10-0-0-1.path.test')
  })
})

describe('what a group hands down', () => {
  test('is taken when the host is made, where the request leaves it open', async () => {
    const [environment, other] = [await given(api.admin, 'environment'), await given(api.admin, 'environment')]
    const architecture = await given(api.admin, 'architecture')
    const network = freeNetwork()
    const subnet = await given(api.admin, 'subnet', { network })
    const domain = await given(api.admin, 'domain', { name: `${unique('dom')}.test` })
    const parent = await given(api.admin, 'hostgroup', {
      environment_id: environment.id,
      architecture_id: architecture.id,
      subnet_id: subnet.id,
      domain_id: domain.id,
      pxe_loader: 'None',
    })
    const group = await given(api.admin, 'hostgroup', { parent_id: parent.id })
    const host = await make({ name: unique('heir'), hostgroup_id: group.id })
    expect(host).toMatchObject({
      environment_id: environment.id,
      architecture_id: architecture.id,
      subnet_id: subnet.id,
      domain_id: domain.id,
      pxe_loader: 'None',
      hostgroup_name: group.name,
      hostgroup_title: group.title,
    })
    expect(host.name).toMatch(new RegExp(`\\.${domain.name}$`))
    const own = await make({ hostgroup_id: group.id, environment_id: other.id, architecture_id: null })
    expect(own).toMatchObject({ environment_id: other.id, architecture_id: architecture.id })
    // The value is a copy: later changes of the group do not affect it.
    await api.admin.put(`/api/hostgroups/${parent.id}`, { environment_id: other.id })
    expect((await get(host.id)).environment_id).toBe(environment.id)
  })

  test('is taken anew when the host moves to another group, as far as that one says something', async () => {
    const environment = await given(api.admin, 'environment')
    const architecture = await given(api.admin, 'architecture')
    const group = await given(api.admin, 'hostgroup', { environment_id: environment.id })
    const host = await make({ architecture_id: architecture.id })
    await put(host.id, { hostgroup_id: group.id })
    expect(await get(host.id)).toMatchObject({ environment_id: environment.id, architecture_id: architecture.id })
    await put(host.id, { environment_id: null })
    await put(host.id, { hostgroup_id: group.id, comment: 'the same group' })
    expect((await get(host.id)).environment_id).toBeNull()
  })

  test('is what the console says before hosts move, and what they keep where they are to', async () => {
    const kinds = ['environment', 'compute_profile', 'realm', 'architecture', 'operatingsystem', 'medium', 'domain']
    const links = async () => {
      const made = await Promise.all(kinds.map((kind) => given(api.admin, kind)))
      const proxy = await given(api.admin, 'smart_proxy')
      const own = kinds.map((kind, place) => [`${kind}_id`, made[place]?.id])
      return { ...Object.fromEntries(own), config_proxy_id: proxy.id, config_ca_proxy_id: proxy.id }
    }
    const group = async (more: Body): Promise<Shown> =>
      (await api.admin.get(`/api/hostgroups/${(await given(api.admin, 'hostgroup', more)).id}`)).body
    const above = await group({ ...(await links()), pxe_loader: 'PXELinux BIOS' })
    const groups = [above, await group({ parent_id: above.id }), await group({ environment_id: above.environment_id })]
    const keys = [...Object.keys(await links()), 'pxe_loader']
    for (const to of groups) {
      for (const begun of [{}, { ...(await links()), pxe_loader: 'Grub2 UEFI' }]) {
        const [moved, kept] = [await make(begun), await make(begun)]
        const before = await listed(moved.id)
        const taken = listTaken(to, before)
        await put(moved.id, { hostgroup_id: to.id })
        const after = await listed(moved.id)
        const changed = keys.filter((key) => after[key] !== before[key])
        expect([to.title, taken.map(({ key }) => key).sort()]).toEqual([to.title, changed.sort()])
        expect((await put(kept.id, { hostgroup_id: to.id, ...listKept(to, await listed(kept.id)) })).status).toBe(200)
        const left = await listed(kept.id)
        for (const key of keys) expect([key, left[key]]).toEqual([key, before[key]])
      }
    }
  })
})

/** A host as lists show it. */
const listed = async (id: number) => (await api.admin.get(`/api/hosts?search=id=${id}`)).body.results[0]

describe('the owner', () => {
  test('is who made the host, a user or a user group', async () => {
    const host = await make()
    expect(host).toMatchObject({ owner_id: 1, owner_type: 'User', owner_name: 'Admin User' })
    const group = await given(api.admin, 'usergroup')
    await put(host.id, { owner_id: group.id, owner_type: 'Usergroup' })
    expect(await get(host.id)).toMatchObject({ owner_id: group.id, owner_type: 'Usergroup', owner_name: group.name })
    await put(host.id, { owner_id: 1, owner_type: 'User' })
    expect(await get(host.id)).toMatchObject({ owner_id: 1, owner_type: 'User' })
    await put(host.id, { owner_id: null })
    expect(await get(host.id)).toMatchObject({ owner_id: null, owner_type: null, owner_name: null })
  })

  test('exists, and is named with the type', async () => {
    const host = await make()
    expect((await put(host.id, { owner_id: 9999 })).body.error.message).toBe("Couldn't find User with 'id'=9999")
    expect((await put(host.id, { owner_id: 9999, owner_type: 'Usergroup' })).body.error.message).toBe(
      "Couldn't find Usergroup with 'id'=9999",
    )
    expect((await post({ name: 'typed.test', owner_type: 'Usergroup' })).body.error.errors).toEqual({
      owner: ['If owner type is specified, owner must be specified too.'],
    })
    expect((await put(host.id, { owner_type: 'Role' })).body.error.errors).toEqual({
      owner_type: ['is not included in the list (User, Usergroup)'],
    })
  })

  test('cannot be deleted while hosts are theirs', async () => {
    const user = await given(api.admin, 'user')
    const host = await make({ owner_id: user.id })
    expect((await api.admin.delete(`/api/users/${user.id}`)).body.error.errors).toEqual({
      base: [`${user.login} is used by ${host.name}`],
    })
  })

  test('is searched for by login, and as current_user', async () => {
    const user = await api.can(['view_hosts'], { organization_ids: [1], location_ids: [1] })
    const host = await make({ owner_id: user.id })
    expect(await found('owner = current_user', user)).toEqual([host.name])
    expect(await found(`user.login = ${user.login}`)).toEqual([host.name])
    expect(await found(`owner_id = ${user.id} and owner_type = User`)).toEqual([host.name])
  })
})

describe('organization and location', () => {
  test('are needed by a managed host', async () => {
    const host = await make({ organization_id: null, location_id: null })
    expect(host).toMatchObject({ organization_id: null, location_id: null })
    const { body } = await put(host.id, { managed: true })
    expect(body.error.errors).toEqual({ organization_id: ["can't be blank"], location_id: ["can't be blank"] })
    const { managed: _, ...ready } = await managedHost(api.admin)
    const managed = await expectCreated(api.admin.post('/api/hosts', { host: { name: unique('managed'), ...ready } }))
    expect(managed).toMatchObject({ managed: true, organization_id: 1, location_id: 1 })
    expect((await put(managed.id, { location_id: null })).body.error.errors).toEqual({
      location_id: ["can't be blank"],
    })
  })

  test('decide who sees a host', async () => {
    const location = await given(api.admin, 'location')
    const below = await given(api.admin, 'location', { parent_id: location.id })
    const inside = await make({ location_id: below.id })
    const outside = await make()
    const user = await api.can(['view_hosts', 'edit_hosts'], { organization_ids: [1], location_ids: [location.id] })
    expect((await user.get('/api/hosts')).body.results).toMatchObject([{ id: inside.id }])
    expect((await user.get(`/api/hosts/${outside.id}`)).status).toBe(404)
    expect((await user.put(`/api/hosts/${inside.id}`, { host: { location_id: 1 } })).body.error).toMatchObject({
      message: "Couldn't find Location with 'id'=1",
    })
    expect((await api.admin.get(`/api/locations/${below.id}/hosts`)).body.results).toMatchObject([{ id: inside.id }])
  })

  test('have to suit what the host refers to', async () => {
    const [here, elsewhere] = [await given(api.admin, 'organization'), await given(api.admin, 'organization')]
    const environment = await given(api.admin, 'environment', { organization_ids: [elsewhere.id] })
    const subnet = await given(api.admin, 'subnet', { organization_ids: [elsewhere.id] })
    const refused = await post({
      name: unique('foreign'),
      organization_id: here.id,
      environment_id: environment.id,
      subnet_id: subnet.id,
    })
    expect(refused.body.error.errors).toEqual({
      environment_id: ['does not belong to the organization of the host'],
      subnet_id: ['does not belong to the organization of the host'],
    })
    const places = { organization_ids: [elsewhere.id] }
    const [domain, compute] = [
      await given(api.admin, 'domain', places),
      await given(api.admin, 'compute_resource', places),
    ]
    const kept = { environment_id: environment.id, domain_id: domain.id }
    const strict = { subnet_id: subnet.id, compute_resource_id: compute.id }
    const host = await make({ organization_id: elsewhere.id, ...kept, ...strict })
    // A host that moves keeps what was chosen for it, but for its subnets and its compute resource.
    const foreign = ['does not belong to the organization of the host']
    const moving = { organization_id: here.id }
    expect((await put(host.id, moving)).body.error.errors).toEqual({ subnet_id: foreign, compute_resource_id: foreign })
    expect((await put(host.id, { ...moving, subnet_id: null, compute_resource_id: null })).body).toMatchObject({
      ...{ ...moving, ...kept },
    })
    expect((await put(host.id, { comment: 'kept', ...moving, ...kept })).status).toBe(200)
    const other = await given(api.admin, 'domain', places)
    expect((await put(host.id, { domain_id: other.id })).body.error.errors).toEqual({ domain_id: foreign })
    const also = await make({ organization_id: elsewhere.id })
    expect((await put(also.id, { ...moving, environment_id: environment.id })).body.error.errors).toEqual({
      environment_id: foreign,
    })
  })

  test('cannot be deleted while hosts are there', async () => {
    const location = await given(api.admin, 'location')
    const host = await make({ location_id: location.id })
    expect((await api.admin.delete(`/api/locations/${location.id}`)).body.error.errors).toEqual({
      base: [`${location.title} is used by ${host.name}`],
    })
  })
})

describe('building', () => {
  test('notes when it was asked for and forgets what went wrong before', async () => {
    const host = await make()
    await sql`update hosts set build_errors = 'disk', installed_at = now() where id = ${host.id}`.execute(
      api.database.db,
    )
    const { body } = await put(host.id, { build: true })
    expect(body).toMatchObject({ build: true, build_status: 1, build_status_label: 'Pending installation' })
    expect(body.initiated_at).toMatch(/UTC$/)
    expect(body.installed_at).toBeNull()
    const { body: gone } = await api.admin.delete(`/api/hosts/${host.id}`)
    expect(gone).toMatchObject({ build: true, build_errors: null })
  })
})

describe('secrets', () => {
  const stored = (id: number) =>
    row<Record<string, string>>(api.database.db, sql`select root_pass, otp from hosts where id = ${id}`)

  test('are hashed or encrypted, and nowhere to be read', async () => {
    const host = await make({ root_pass: 'correct horse', otp: 'battery staple' })
    const kept = await stored(host.id)
    expect(kept?.root_pass).not.toMatch(/horse|\$6\$/)
    expect((await api.admin.get(`/node/${host.name}?format=json`)).body.parameters.root_pw).toMatch(/^\$6\$/)
    expect(kept?.otp).not.toContain('battery')
    await put(host.id, { root_pass: 'another horse' })
    const audits = (await api.admin.get(`/api/audits?search=${encodeURIComponent('type = host')}`)).text
    const list = (await api.admin.get('/api/hosts')).text
    const gone = await api.admin.delete(`/api/hosts/${host.id}`)
    expect(gone.body).toMatchObject({ root_pass: '********', grub_pass: '********', otp: '********' })
    for (const text of [JSON.stringify(host), audits, list, gone.text]) expect(text).not.toMatch(/horse|battery|\$6\$/)
  })

  test('of the group or of the settings stand in for one that the host lacks', async () => {
    const group = await given(api.admin, 'hostgroup', { root_pass: 'correct horse' })
    const below = await given(api.admin, 'hostgroup', { parent_id: group.id })
    const [inGroup, alone] = [await make({ hostgroup_id: below.id }), await make()]
    expect((await api.admin.delete(`/api/hosts/${inGroup.id}`)).body.root_pass).toBe('********')
    expect((await api.admin.delete(`/api/hosts/${alone.id}`)).body).toMatchObject({ root_pass: null, grub_pass: '' })
    const setting = await api.admin.put('/api/settings/root_pass', { setting: { value: 'battery staple' } })
    expect(setting.body).toMatchObject({ value: '*****', encrypted: true, default: '' })
    expect((await api.admin.delete(`/api/hosts/${(await make()).id}`)).body.root_pass).toBe('********')
    const kept = await row<{ value: string }>(
      api.database.db,
      sql`select value #>> '{}' as value from settings where name = 'root_pass'`,
    )
    expect(kept?.value).toMatch(/^\$6\$/)
    const audits = (await api.admin.get('/api/audits?per_page=all')).text
    expect(audits).not.toMatch(/battery|\$6\$/)
    expect((await api.admin.put('/api/settings/root_pass', { setting: { value: 'short' } })).status).toBe(422)
    await api.admin.put('/api/settings/root_pass', { setting: { value: '' } })
    expect((await api.admin.delete(`/api/hosts/${(await make()).id}`)).body.root_pass).toBeNull()
  })
})

describe('lists', () => {
  test('are thin, or show parameters, when that is asked for', async () => {
    const host = await make({ host_parameters_attributes: [{ name: 'role', value: 'web' }] })
    const search = encodeURIComponent(`name = ${host.name}`)
    const list = async (more: string) => (await api.admin.get(`/api/hosts?search=${search}&${more}`)).body.results[0]
    expect(await list('thin=true')).toEqual({ id: host.id, name: host.name })
    expect(Object.keys(await list('thin=false'))).not.toContain('parameters')
    expect((await list('include=parameters')).parameters).toMatchObject([{ name: 'role', value: 'web' }])
    const both = await list('include[]=all_parameters&include[]=parameters')
    expect(both).toMatchObject({ parameters: [{ name: 'role' }], all_parameters: [{ name: 'role' }] })
  })

  test('lie below groups, environments and proxies', async () => {
    const [hostgroup, environment, proxy] = [
      await given(api.admin, 'hostgroup'),
      await given(api.admin, 'environment'),
      await given(api.admin, 'smart_proxy'),
    ]
    const host = await make({ hostgroup_id: hostgroup.id, environment_id: environment.id, config_proxy_id: proxy.id })
    const paths = [`hostgroups/${hostgroup.id}`, `environments/${environment.name}`, `smart_proxies/${proxy.id}`]
    for (const path of paths)
      expect((await api.admin.get(`/api/${path}/hosts`)).body.results, path).toMatchObject([{ id: host.id }])
  })
})

describe('searches', () => {
  test('find hosts by what they are, by what they refer to and by their primary interface', async () => {
    const parent = await given(api.admin, 'hostgroup')
    const hostgroup = await given(api.admin, 'hostgroup', { parent_id: parent.id })
    const environment = await given(api.admin, 'environment')
    const architecture = await given(api.admin, 'architecture')
    const os = await given(api.admin, 'operatingsystem')
    const model = await given(api.admin, 'model')
    const realm = await given(api.admin, 'realm')
    const proxy = await given(api.admin, 'smart_proxy')
    const domain = await given(api.admin, 'domain', { name: `${unique('dom')}.test` })
    const network = freeNetwork()
    const subnet = await given(api.admin, 'subnet', { network })
    const ip = network.replace(/\.0$/, '.7')
    const host = await make({
      name: unique('sought'),
      hostgroup_id: hostgroup.id,
      environment_id: environment.id,
      architecture_id: architecture.id,
      operatingsystem_id: os.id,
      model_id: model.id,
      realm_id: realm.id,
      config_proxy_id: proxy.id,
      domain_id: domain.id,
      subnet_id: subnet.id,
      ip,
      mac: '52:54:00:00:00:01',
      ip6: '2001:db8::7',
      comment: 'sought and found',
      uuid: 'uuid of the sought',
      enabled: false,
      build: true,
    })
    const searches = [
      `name = ${host.name}`,
      'comment ~ "sought and"',
      'uuid = "uuid of the sought"',
      'status.enabled = false',
      'build = true and comment ~ sought',
      `hostgroup = ${hostgroup.name}`,
      `hostgroup_fullname = ${parent.name}/${hostgroup.name}`,
      `hostgroup_title ~ ${parent.name}`,
      `hostgroup_id = ${hostgroup.id}`,
      `parent_hostgroup = ${parent.name}`,
      `environment = ${environment.name}`,
      `architecture = ${architecture.name}`,
      `os = ${os.name}`,
      `os_title = "${os.title}"`,
      `os_major = ${os.major} and os_id = ${os.id}`,
      `model = ${model.name}`,
      `realm = ${realm.name}`,
      `configmaster = ${proxy.name}`,
      `config_proxy_id = ${proxy.id}`,
      `domain = ${domain.name}`,
      `domain_id = ${domain.id}`,
      `subnet = ${subnet.name}`,
      `subnet.name = ${subnet.name}`,
      `ip = ${ip}`,
      'ip6 = 2001:db8::7',
      'mac = 52:54:00:00:00:01',
      'global_status = warning and comment ~ sought',
      'organization = "Default Organization" and comment ~ sought',
      'location = "Default Location" and comment ~ sought',
      'has ip6',
      `certname = ${host.name}`,
      'installed_at < "2 days ago" or comment = "sought and found"',
    ]
    for (const search of searches) expect(await found(search), search).toEqual([host.name])
    expect(await found('parent_hostgroup = nothing')).toEqual([])
  })

  test('know primary interfaces as they are now', async () => {
    const host = await make({ mac: '52:54:00:00:00:77' })
    expect(await found('mac = 52:54:00:00:00:77')).toEqual([host.name])
    await put(host.id, { mac: '52:54:00:00:00:78' })
    expect((await api.admin.get('/api/hosts?search=mac+%3D+52:54:00:00:00:77')).body).toMatchObject({ subtotal: 0 })
  })
})

describe('permissions', () => {
  test('are shown with a host as they are for the caller', async () => {
    const host = await make()
    const there = { organization_ids: [1], location_ids: [1] }
    const viewer = await api.can(['view_hosts'], there)
    expect((await viewer.get(`/api/hosts/${host.id}`)).body.permissions).toEqual({
      view_hosts: true,
      create_hosts: false,
      edit_hosts: false,
      destroy_hosts: false,
      build_hosts: false,
      power_hosts: false,
      console_hosts: false,
      ipmi_boot_hosts: false,
      forget_status_hosts: false,
      configrun_hosts: false,
    })
    const editor = await api.can(['view_hosts', 'edit_hosts'], { ...there, search: `name = ${host.name}` })
    expect((await editor.get(`/api/hosts/${host.id}`)).body.permissions).toMatchObject({ edit_hosts: true })
  })

  test('to create are enough to create a host with its interfaces', async () => {
    const maker = await api.can(['create_hosts'], { organization_ids: [1], location_ids: [1] })
    const { status } = await maker.post('/api/hosts', {
      host: {
        ...THERE,
        name: unique('made'),
        managed: false,
        mac: '52:54:00:00:01:01',
        interfaces_attributes: [{ identifier: 'eth0' }, { mac: '52:54:00:00:01:02', identifier: 'eth1' }],
      },
    })
    expect(status).toBe(201)
  })

  test('do not let a host refer to what its author may not see', async () => {
    const elsewhere = await given(api.admin, 'organization')
    const hidden = await given(api.admin, 'environment', { organization_ids: [elsewhere.id], location_ids: [1] })
    const maker = await api.can(['create_hosts'], { organization_ids: [1], location_ids: [1] })
    const { status, body } = await maker.post('/api/hosts', {
      host: { ...THERE, name: unique('x'), environment_id: hidden.id },
    })
    expect(status).toBe(422)
    expect(body.error.message).toBe(`Couldn't find Environment with 'id'=${hidden.id}`)
  })
})

describe('bad input', () => {
  test.each([
    ['mac', 'aa:bb', 'is not a valid MAC address'],
    ['mac', 'gg:00:00:00:00:00', 'is not a valid MAC address'],
    ['ip', '300.1.1.1', 'is not an IP address'],
    ['ip6', 'fe80::1%eth0', 'is not an IP address'],
    ['provision_method', 'magic', 'is not included in the list (build, image)'],
    ['build', 'maybe', 'must be true or false'],
    ['managed', [], 'must be true or false'],
    ['hostgroup_id', 'x', 'must be an integer'],
    ['owner_id', -1, 'must be an integer'],
    ['comment', { a: 1 }, 'must be text'],
    ['uuid', 'x'.repeat(256), 'is too long (maximum is 255 characters)'],
    ['root_pass', 'short', 'is too short (minimum is 8 characters)'],
    ['interfaces_attributes', 'x', 'must be a list of objects'],
  ])('%s: %j', async (key, value, message) => {
    const { status, body } = await post({ name: unique('bad'), [key]: value })
    expect(status).toBe(422)
    expect(body.error.errors[key]).toContain(message)
  })

  test.each([
    ['hostgroup_id', 'Hostgroup'],
    ['environment_id', 'Environment'],
    ['architecture_id', 'Architecture'],
    ['operatingsystem_id', 'Operatingsystem'],
    ['medium_id', 'Medium'],
    ['ptable_id', 'Ptable'],
    ['model_id', 'Model'],
    ['realm_id', 'Realm'],
    ['compute_resource_id', 'ComputeResource'],
    ['compute_profile_id', 'ComputeProfile'],
    ['image_id', 'Image'],
    ['config_proxy_id', 'SmartProxy'],
    ['config_ca_proxy_id', 'SmartProxy'],
    ['domain_id', 'Domain'],
    ['subnet_id', 'Subnet'],
    ['subnet6_id', 'Subnet'],
    ['organization_id', 'Organization'],
    ['location_id', 'Location'],
  ])('%s of nothing', async (key, type) => {
    const { status, body } = await post({ name: unique('nothing'), [key]: 987_654 })
    expect(status).toBe(422)
    expect(body.error.message).toBe(`Couldn't find ${type} with 'id'=987654`)
  })

  test('a uuid that another host has', async () => {
    await make({ uuid: 'one of a kind' })
    expect((await post({ name: unique('twin'), uuid: 'one of a kind' })).body.error.errors).toEqual({
      uuid: ['has already been taken'],
    })
  })

  test('stores nothing when an interface is refused', async () => {
    const name = `${unique('whole')}.test`
    const { status } = await post({ name, interfaces_attributes: [{ mac: 'nonsense' }] })
    expect(status).toBe(422)
    expect((await api.admin.get(`/api/hosts/${name}`)).status).toBe(404)
  })
})
