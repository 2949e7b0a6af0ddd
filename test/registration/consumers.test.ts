import { createPrivateKey, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { ADMIN, basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { unique } from '../support/given.ts'
import { BEHIND_PROXY, clientBody, newKey, newSite, register, type Site, showing, usageOf } from './clients.ts'

// Content-api §5.2, §5.4: hosts register, are identified by their certificate, register again, and unregister.

let api: TestApi
let site: Site

beforeAll(async () => {
  api = await openTestApi({ env: BEHIND_PROXY })
  site = await newSite(api)
  await newKey(api, site, 'plain')
})
afterAll(() => api?.[Symbol.asyncDispose]())

const newName = () => `${unique('n')}.example.test`
const joined = async (body: object, keys = 'plain', further = '') => {
  const { status, body: consumer, text } = await register(api, site, keys, body, further)
  if (status !== 200) throw new Error(text)
  const as = showing(consumer.idCert.cert)
  const path = `/rhsm/consumers/${consumer.uuid}`
  return {
    ...{ consumer, as, path },
    get: (below = '') => api.nobody.get(`${path}${below}`, as),
    put: (below: string, sent: unknown) => api.nobody.put(`${path}${below}`, sent, as),
    delete: (below = '', sent?: unknown) => api.nobody.delete(`${path}${below}`, sent, as),
  }
}
const refusal = (message: string) => ({ displayMessage: message, errors: [message] })
const hostNamed = async (name: string) => (await api.admin.get(`/api/hosts/${name}`)).body

describe('a host that registers', () => {
  test('asks for what its record asked for before, where neither its keys nor its client say something', async () => {
    await newKey(api, site, 'roles', { purpose_role: 'of the key' })
    const name = newName()
    const wishes = { purpose_role: 'wished', purpose_usage: 'wished', release_version: '8', autoheal: false }
    const host = { name, managed: false, organization_id: site.id, subscription_facet_attributes: wishes }
    const { id } = await expectCreated(api.admin.post('/api/hosts', { host }))
    await joined(clientBody(name, { role: '', usage: 'of the client', autoheal: true }), 'plain,roles')
    expect(await hostNamed(name)).toMatchObject({
      id,
      subscription_facet_attributes: {
        ...{ uuid: expect.any(String), purpose_role: 'of the key', purpose_usage: 'of the client' },
        ...{ release_version: '8', autoheal: true },
      },
    })
  })

  test('has the interfaces that its facts tell of, then and whenever they tell of others', async () => {
    const name = newName()
    const told = (address: string, further: object = {}) =>
      clientBody(
        name,
        {},
        {
          'network.ipv4_address': '198.51.100.1',
          ...{ 'net.interface.lo.ipv4_address': '127.0.0.1', 'net.interface.eth1.mac_address': '52:54:00:00:30:01' },
          'net.interface.eth0.mac_address': '52:54:00:00:30:00',
          ...{ 'net.interface.eth0.ipv4_address': address, 'net.interface.eth0.ipv6_address.global': '2001:db8::30' },
          'net.interface.eth0.30.ipv4_address': '203.0.113.30',
          ...further,
        },
      )
    const interfaces = async () =>
      (await hostNamed(name)).interfaces.map((one: Record<string, unknown>) => [
        ...[one.identifier, one.primary, one.name, one.mac, one.ip, one.ip6, one.attached_to, one.tag],
      ])
    const found = (address: string) => [
      ['eth0', true, name, '52:54:00:00:30:00', address, '2001:db8::30', null, null],
      ['eth1', false, null, '52:54:00:00:30:01', null, null, null, null],
      ['eth0.30', false, null, null, '203.0.113.30', null, 'eth0', '30'],
    ]
    const { put } = await joined(told('198.51.100.1'))
    expect((await interfaces()).sort()).toEqual(found('198.51.100.1').sort())
    const bond = ['bond0', false, null, '52:54:00:00:30:09', null, null, null, null]
    const further = { 'net.interface.bond0.mac_address': '52:54:00:00:30:09' }
    expect((await put('', told('198.51.100.2', further))).status).toBe(200)
    expect((await interfaces()).sort()).toEqual([...found('198.51.100.2'), bond].sort())
    await joined(told('198.51.100.3'))
    expect((await interfaces()).sort()).toEqual([...found('198.51.100.3'), bond].sort())
  })

  test('becomes a host like one that a request makes, with an identity of its own', async () => {
    const name = newName()
    const { consumer, get } = await joined(clientBody(name.toUpperCase(), { installedProducts: [{ productId: '69' }] }))
    expect(consumer).toMatchObject({
      ...{ name, type: { label: 'system', manifest: false }, entitlementStatus: 'disabled', autoheal: true },
      owner: { key: site.label, contentAccessMode: 'org_environment' },
      environment: { id: `${site.view}-${site.library}`, name: 'Library' },
      activationKeys: [{ activationKeyName: 'plain' }],
      installedProducts: [{ productId: '69' }],
      releaseVer: { releaseVer: null },
    })
    const certificate = new X509Certificate(consumer.idCert.cert)
    expect(certificate.subject).toBe(`CN=${consumer.uuid}\nO=${site.label}`)
    expect(certificate.checkPrivateKey(createPrivateKey(consumer.idCert.key))).toBe(true)
    expect((await get()).text).toContain(`"serial":${BigInt(`0x${certificate.serialNumber}`)},`)

    const other = await expectCreated(
      api.admin.post('/api/hosts', {
        host: { name: newName(), managed: false, owner_id: null, organization_id: site.id },
      }),
    )
    const host = await hostNamed(name)
    expect(await rowsOf(host.id)).toEqual(await rowsOf(other.id))
    expect(await auditOf(host.id)).toEqual([
      ...(await auditOf(other.id)).map(({ by, ...audit }) => ({
        ...{ ...audit, by: expect.stringMatching(/System$/) },
        keys: audit.type === 'Host' ? ['activation_keys', ...audit.keys, 'registration'].sort() : audit.keys,
      })),
    ])
    const { body: facts } = await api.admin.get(`/api/hosts/${host.id}/facts`)
    expect(facts.results[name]).toMatchObject({
      'network::hostname': name.toUpperCase(),
      'memory::memtotal': '4000000',
    })
  })

  test('is found by any name that it has, the host name first, and a new one is called by its full name', async () => {
    const known = async (name: string) =>
      (await expectCreated(api.admin.post('/api/hosts', { host: { name, managed: false, organization_id: site.id } })))
        .id
    const short = newName().split('.')[0] ?? ''
    const [full, override] = [`${short}.lab.example.test`, `${short}.override.example.test`]
    const told = (machine: string, facts: object) =>
      clientBody(machine, {}, { 'network.hostname': `${short}.`, 'network.fqdn': `${full}.`, ...facts })
    const registered = async (machine: string, facts: object = { 'network.hostname-override': override }) =>
      (await joined(told(machine, facts))).consumer.name
    // Nobody knows it yet; then it is known by each of its names, the nearest one last.
    expect(await registered('first')).toBe(full)
    expect((await api.admin.delete(`/api/hosts/${full}`)).status).toBe(200)
    await known(override)
    expect(await registered('second')).toBe(override)
    await known(full)
    expect(await registered('third')).toBe(full)
    await known(short)
    expect(await registered('fourth')).toBe(short)
    expect((await register(api, site, 'plain', told('fifth', {}))).status).toBe(422)
    // What every machine is called first is no name, and that of a foreign organization's host neither.
    const [lonely, foreign] = [newName(), newName()]
    expect(await registered('sixth', { 'network.hostname': 'localhost', 'network.fqdn': lonely })).toBe(lonely)
    await expectCreated(api.admin.post('/api/hosts', { host: { name: foreign, managed: false, organization_id: 1 } }))
    const next = newName()
    expect(await registered('seventh', { 'network.hostname': foreign, 'network.fqdn': next })).toBe(next)
    const value = 'network.hostname-override'
    expect((await api.admin.put('/api/settings/register_hostname_fact', { setting: { value } })).status).toBe(200)
    const chosen = newName()
    expect(await registered('eighth', { [value]: `${chosen.toUpperCase()}.` })).toBe(chosen)
    await api.admin.put('/api/settings/register_hostname_fact', { setting: { value: '' } })
  })

  test('brings a key of its own in a signing request, and gets none then', async () => {
    const { consumer } = await joined(clientBody(newName(), { csr: CSR }))
    expect(consumer.idCert.key).toBeUndefined()
    const { publicKey } = new X509Certificate(consumer.idCert.cert)
    expect(publicKey.export({ type: 'spki', format: 'der' }).toString('base64')).toBe(CSR_KEY)
    for (const csr of [
      'none',
      7,
      CSR.replace(/\n.*\n.*\n-----END/, '\n-----END'),
      CSR.replace(/(.{20})(=*\n-----END)/, 'AAAAAAAAAAAAAAAAAAAA$2'),
    ]) {
      const { status, body } = await register(api, site, 'plain', clientBody(newName(), { csr }))
      expect([status, body.displayMessage]).toEqual([400, expect.stringMatching(/^csr /)])
    }
  })

  test.each([
    ['no facts', { facts: undefined }, /^facts must be an object/],
    ['a list of facts', { facts: [1] }, /^facts must be an object/],
    ['nested facts', { facts: { 'network.hostname': 'h', a: { b: 1 } } }, /^facts must have texts/],
    ['facts without a name', { facts: { 'network.fqdn': ' ' } }, /^facts must have network.hostname/],
    [
      'the name of every machine',
      { facts: { 'network.hostname': 'localhost.localdomain' } },
      /^facts must have the name/,
    ],
    ['a NUL in a fact', { facts: { 'network.hostname': 'h', a: '\0' } }, /^facts must be Unicode/],
    ['products that are none', { installedProducts: [{ name: 'x' }] }, /^installedProducts must be a list/],
    ['a role that is a list', { role: ['x'] }, /^role must be a text/],
    ['add-ons that are a text', { addOns: 'x' }, /^addOns must be a list/],
  ])('is refused with %s', async (_, further, message) => {
    const { status, body } = await register(api, site, 'plain', clientBody(newName(), further))
    expect([status, body.displayMessage]).toEqual([400, expect.stringMatching(message)])
  })

  test('is refused without anything being stored', async () => {
    const name = newName()
    const sent = (keys: string, body = clientBody(name)) => register(api, site, keys, body)
    const answers = [
      [await sent(''), 400, 'At least one activation key must be provided'],
      [await sent('plain,nowhere'), 404, "Couldn't find activation key 'nowhere'"],
      [await sent('plain, plain'), 404, "Couldn't find activation key ' plain'"],
      [
        await register(api, { ...site, label: 'Nobody' }, 'plain', clientBody(name)),
        404,
        // Who has no key of an organization is not told whether it exists.
        "Couldn't find activation key 'plain'",
      ],
    ] as const
    for (const [{ status, body }, code, message] of answers) {
      expect(status).toBe(code)
      expect(body).toEqual(refusal(message))
    }
    const { status, body } = await sent('plain', clientBody('bad name'))
    expect([status, body.errors.name]).toEqual([422, [expect.stringMatching(/^is not a host name/)]])
    expect((await api.admin.get(`/api/hosts/${name}`)).status).toBe(404)
  })
})

describe('keys that do not let a host in', () => {
  test('say why, and name themselves', async () => {
    const { body: location } = await api.admin.post('/api/locations', { location: { name: unique('Far') } })
    await newKey(api, site, 'off', { enabled: false })
    await newKey(api, site, 'old', { expires_at: '2020-01-01T00:00:00Z' })
    await newKey(api, site, 'far', { location_ids: [location.id] })
    await newKey(api, site, 'once', { single_use: true })
    const known = newName()
    await joined(clientBody(known))
    const refused = [
      ['off', 422, "Activation key 'off' is disabled"],
      ['plain,old', 422, "Activation key 'old' has expired"],
      ['far', 422, `Activation key 'far' is for hosts in these locations only: '${location.title}'`],
    ] as const
    for (const [keys, code, message] of refused) {
      const { status, body } = await register(api, site, keys, clientBody(known))
      expect([status, body]).toEqual([code, refusal(message)])
    }
    await joined(clientBody(newName()), 'once')
    const { status, body } = await register(api, site, 'once', clientBody(known))
    expect([status, body]).toEqual([
      409,
      refusal("Activation key 'once' is for one registration, which has taken place"),
    ])
    const { consumer } = await joined(clientBody(newName()), 'far')
    expect((await hostNamed(consumer.name)).location_id).toBe(location.id)
  })

  test('without a pair say so, and with a limit count exactly', async () => {
    await newKey(api, site, 'bare', { environment_id: null, content_view_id: null })
    expect((await register(api, site, 'bare', clientBody(newName()))).body).toEqual(
      refusal('At least one activation key must have a lifecycle environment and content view assigned to it'),
    )
    const two = await newKey(api, site, 'two', { max_hosts: 2 })
    const [first, second] = [newName(), newName()]
    await joined(clientBody(first), 'two')
    const again = await joined(clientBody(second), 'two,bare')
    const { status, body } = await register(api, site, 'two', clientBody(newName()))
    expect([status, body]).toEqual([409, refusal("Max Hosts (2) reached for activation key 'two'")])
    expect(await usageOf(api, two)).toBe(2)
    await joined(clientBody(first), 'two')
    expect(await usageOf(api, two)).toBe(2)
    expect((await again.delete()).status).toBe(204)
    expect(await usageOf(api, two)).toBe(1)
    await joined(clientBody(newName()), 'two')
  })
})

describe('a host that registers again', () => {
  test('keeps its record and its place, and gets another identity', async () => {
    await newKey(api, site, 'one', { max_hosts: 1 })
    const name = newName()
    const before = await joined(clientBody(name), 'one')
    const host = await hostNamed(name)
    const after = await joined(clientBody(name), 'one')
    expect((await hostNamed(name)).id).toBe(host.id)
    expect(after.consumer.uuid).not.toBe(before.consumer.uuid)
    expect((await after.get()).status).toBe(200)
    const { status, body } = await before.get()
    expect([status, body.deletedId]).toEqual([410, before.consumer.uuid])
  })

  test('has the DMI UUID of no host of another name', async () => {
    const system = { 'dmi.system.uuid': '4C4C4544-0044-4A10-8052-B7C04F4E3332' }
    const [former, name] = [newName(), newName()]
    const before = await joined(clientBody(former, {}, system), 'plain', '&location_id=1')
    await joined(clientBody(name))
    const sent = [clientBody(newName(), {}, system), clientBody(name, {}, system)]
    for (const body of sent) {
      const { status, body: answer } = await register(api, site, 'plain', body)
      expect([status, answer.displayMessage]).toEqual([
        422,
        expect.stringContaining('matches other registered hosts (Please unregister'),
      ])
      expect(answer.displayMessage).not.toContain(former)
    }
    expect((await before.get()).status).toBe(200)
    const registering = `/rhsm/consumers?owner=${site.label}&location_id=1`
    const refusedFor = async (caller: Caller) => (await caller.post(registering, sent[0])).body.displayMessage
    expect(await refusedFor(api.admin)).toContain(`matches other registered hosts: ${former} (`)
    const places = { organization_ids: [site.id], location_ids: [1] }
    const blind = await api.can(['create_hosts'], { also: ['view_hosts'], search: 'name ~ example', ...places })
    expect(await refusedFor(blind)).toContain(`: ${former} (`)
    const maker = await api.can(['create_hosts'], places)
    expect(await refusedFor(maker)).toContain('matches other registered hosts (Please')
  })

  test('belongs to the organization that it is in', async () => {
    const [name, other] = [newName(), await newSite(api)]
    await newKey(api, other, 'plain')
    await joined(clientBody(name))
    const { status, body } = await register(api, other, 'plain', clientBody(name))
    const { title } = (await api.admin.get(`/api/organizations/${other.id}`)).body
    expect([status, body]).toEqual([
      422,
      refusal(`Host with name ${name} is currently registered to a different org, please migrate host to ${title}.`),
    ])
  })
})

describe('who asks', () => {
  test('is a host with its present certificate, about itself', async () => {
    const [own, other] = [await joined(clientBody(newName())), await joined(clientBody(newName()))]
    expect((await own.get()).body).toMatchObject({
      uuid: own.consumer.uuid,
      idCert: { cert: own.consumer.idCert.cert },
    })
    const foreign = await api.nobody.get(other.path, own.as)
    expect([foreign.status, foreign.body]).toEqual([403, refusal('Access denied')])
    expect((await api.nobody.get(own.path)).status).toBe(401)
    expect((await api.nobody.get(own.path, { ...own.as, SSL_CLIENT_VERIFY: 'NONE' })).status).toBe(401)
    const named = { SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_S_DN: `CN=${own.consumer.uuid}` }
    expect((await api.nobody.get(own.path, named)).status).toBe(401)
    await sql`update registrations set registered_at = registered_at - interval '9 days' where uuid = ${own.consumer.uuid}`.execute(
      api.database.db,
    )
    const renewed = await api.nobody.post(own.path, {}, own.as)
    expect(renewed.body.uuid).toBe(own.consumer.uuid)
    const { created, idCert } = renewed.body
    const days = (Date.parse(idCert.serial.created) - Date.parse(created)) / 86_400_000
    expect([Math.round(days), idCert.created]).toEqual([9, idCert.serial.created])
    expect((await own.get()).status).toBe(200)
    await sql`update registrations set former_until = now() where uuid = ${own.consumer.uuid}`.execute(api.database.db)
    expect((await own.get()).status).toBe(401)
    expect((await api.nobody.get(own.path, showing(renewed.body.idCert.cert))).status).toBe(200)
    expect((await api.nobody.get('/rhsm/consumers/none', showing(renewed.body.idCert.cert))).status).toBe(403)
  })

  test('or a user who may see, change or delete the host', async () => {
    const name = newName()
    const { path } = await joined(clientBody(name), 'plain', '&location_id=1')
    const may = (permission: string, search: string) =>
      api.can([permission], { search, organization_ids: [site.id], location_ids: [1] })
    expect((await (await may('view_hosts', `name = ${name}`)).get(path)).status).toBe(200)
    expect((await (await may('view_hosts', 'name = other')).get(path)).status).toBe(404)
    expect((await (await may('view_hosts', `name = ${name}`)).put(path, {})).status).toBe(403)
    expect((await (await may('edit_hosts', `name = ${name}`)).put(path, {})).status).toBe(200)
    expect((await (await may('destroy_hosts', `name = ${name}`)).delete(path)).status).toBe(204)
    expect((await api.admin.get(path)).status).toBe(410)
    expect((await api.admin.get('/rhsm/consumers/7c9b3b3e-5f0a-4a52-9a55-0d6a2f6c0001')).status).toBe(404)
  })

  test('registers with credentials instead of keys', async () => {
    const path = `/rhsm/consumers?owner=${site.label}&location_id=1`
    expect((await api.nobody.post(path, clientBody(newName()))).status).toBe(401)
    expect(
      (await (await api.can(['view_hosts'], { location_ids: [1] })).post(path, clientBody(newName()))).status,
    ).toBe(403)
    const limited = await api.can(['create_hosts'], {
      search: 'name ~ allowed',
      organization_ids: [site.id],
      location_ids: [1],
    })
    expect((await limited.post(path, clientBody(newName()))).status).toBe(422)
    const { status, body } = await limited.post(path, clientBody(`allowed-${newName()}`))
    expect([status, body.environment.name, body.activationKeys]).toEqual([200, 'Library', []])
    expect((await hostNamed(body.name)).owner_id).toBe(limited.id)
    const outside = await api.can(['create_hosts'], { location_ids: [1] })
    expect((await outside.post(path, clientBody(newName()))).body).toEqual(
      refusal(`Couldn't find Organization '${site.label}'.`),
    )
    const pair = `${site.view}-${site.library}`
    const asking = (id: string) => api.admin.post(path, clientBody(newName(), { environments: [{ id }] }))
    expect((await asking(pair)).body.environments).toEqual([{ id: pair, name: 'Library', description: null }])
    expect((await asking('7-7')).body).toEqual(refusal("Couldn't find environment '7-7'"))
    expect((await api.admin.get('/rhsm/users/admin/owners')).body).toContainEqual(
      expect.objectContaining({ key: site.label }),
    )
    expect(
      (await api.as({ authorization: basic(ADMIN.login, 'wrong') }).post(path, clientBody(newName()))).status,
    ).toBe(401)
  })
})

describe('what clients ask later', () => {
  test('overrides are set, removed, and judged before any is stored', async () => {
    const { get, put, delete: remove } = await joined(clientBody(newName()))
    await sql`insert into contents (organization_id, name, label, content_type)
      select ${site.id}, x, x, 'yum' from unnest(array['repo-a', 'repo-b']) x on conflict do nothing`.execute(
      api.database.db,
    )
    const below = '/content_overrides'
    const [a, b] = [
      { contentLabel: 'repo-a', name: 'enabled', value: '1' },
      { contentLabel: 'repo-b', name: 'priority', value: '10' },
    ]
    expect((await put(below, [a, b])).body).toEqual([a, b])
    expect((await put(below, [{ ...a, name: 'Label' }])).body).toEqual(
      refusal('The following content properties cannot be overridden: Label'),
    )
    expect((await put(below, { value: 'none' })).status).toBe(400)
    expect((await get(below)).body).toEqual([a, b])
    expect((await remove(below, [{ contentLabel: 'repo-b' }])).body).toEqual([a])
    expect((await remove(below, [])).body).toEqual([])
  })

  test('the report of a host changes what is stored of it, and nothing else', async () => {
    const { get, put, consumer } = await joined(clientBody(newName(), { role: 'server' }))
    const { body } = await put('', {
      releaseVer: '8.4',
      usage: 'Production',
      addOns: ['x'],
      facts: { a: 1 },
      autoheal: false,
    })
    expect(body).toEqual({ content: 'Facts successfully updated.' })
    expect((await get()).body).toMatchObject({
      ...{ role: 'server', usage: 'Production', addOns: ['x'], facts: { a: 1 }, autoheal: false },
      releaseVer: { releaseVer: '8.4' },
    })
    expect((await get('/release')).body).toEqual({ releaseVer: '8.4' })
    expect((await put('', { facts: 'x' })).status).toBe(400)
    const { body: facts } = await api.admin.get(`/api/hosts/${consumer.name}/facts`)
    expect(facts.results[consumer.name]).toEqual({ a: '1' })
  })

  test('and the rest is there in the form that they read', async () => {
    const { get, put, as, consumer } = await joined(clientBody(newName()))
    expect((await api.nobody.get('/rhsm/')).body).toContainEqual({ rel: 'consumers', href: '/consumers' })
    const status = await api.nobody.get('/rhsm/status')
    expect(status.body).toMatchObject({
      result: true,
      mode: 'NORMAL',
      managerCapabilities: expect.arrayContaining(['syspurpose']),
    })
    expect((await get('/certificates/serials')).body).toEqual([])
    expect((await get('/owner')).body.key).toBe(site.label)
    expect((await get('/compliance')).body).toMatchObject({ status: 'disabled', compliant: true })
    expect((await get('/purpose_compliance')).body).toMatchObject({ status: 'disabled' })
    expect((await get('/available_releases')).body).toEqual([])
    expect((await get('/entitlements')).body).toEqual([])
    for (const report of ['/profiles', '/packages']) expect((await put(report, [])).status).toBe(200)
    expect((await api.nobody.put(`/rhsm/systems/${consumer.uuid}/enabled_repos`, {}, as)).status).toBe(200)
    const owners = `/rhsm/owners/${site.label}`
    expect((await api.nobody.get(`${owners}/environments`, as)).body).toMatchObject([{ name: 'Library' }])
    expect((await api.nobody.get(`${owners}/servicelevels`, as)).body).toEqual([])
    expect((await api.nobody.get(`${owners}/pools`, as)).body).toEqual([])
    expect((await api.nobody.get(`${owners}/system_purpose`, as)).body.systemPurposeAttributes).toMatchObject({
      roles: [],
    })
    expect((await api.nobody.get('/rhsm/owners/Elsewhere', as)).status).toBe(403)
    const content = await get('/accessible_content')
    const since = { ...as, 'if-modified-since': String(content.headers['last-modified']) }
    expect((await api.nobody.get(`/rhsm/consumers/${consumer.uuid}/accessible_content`, since)).status).toBe(304)
  })
})

test('a host that leaves is told so from then on, and stays a host unless a setting says otherwise', async () => {
  const name = newName()
  const host = await joined(clientBody(name))
  expect((await host.delete()).status).toBe(204)
  const { status, body } = await host.get()
  expect([status, body]).toEqual([
    410,
    { ...refusal(`Unit ${host.consumer.uuid} has been deleted`), deletedId: host.consumer.uuid },
  ])
  expect((await hostNamed(name)).name).toBe(name)
  await joined(clientBody(name))
  await api.admin.put('/api/settings/unregister_delete_host', { setting: { value: true } })
  const again = await joined(clientBody(name))
  expect((await again.delete()).status).toBe(204)
  expect((await api.admin.get(`/api/hosts/${name}`)).status).toBe(404)
  await api.admin.put('/api/settings/unregister_delete_host', { setting: { value: null } })
})

/** Yields all stored rows of a host and its interface, without values that must differ. */
async function rowsOf(id: number): Promise<unknown> {
  const { rows } = await sql`
    select to_jsonb(h) - '{id,name,created_at,updated_at}'::text[] as host,
      to_jsonb(i) - '{id,host_id,name,created_at,updated_at}'::text[] as interface
    from hosts h join interfaces i on i.host_id = h.id where h.id = ${id}`.execute(api.database.db)
  return rows
}

interface Audit {
  readonly type: string
  readonly action: string
  readonly keys: readonly string[]
  readonly by: string
  readonly version: number
  readonly organizations: readonly number[]
  readonly locations: readonly number[]
}

async function auditOf(host: number): Promise<Audit[]> {
  const { rows } = await sql<Audit>`
    select auditable_type as type, action, user_name as by, version,
      array(select organization_id from audit_organizations o where o.audit_id = a.id) as organizations,
      array(select location_id from audit_locations l where l.audit_id = a.id) as locations,
      array(select k collate "C" from jsonb_object_keys(audited_changes) k order by 1) as keys
    from audits a where auditable_type = 'Host' and auditable_id = ${host}
      or auditable_type = 'Interface' and auditable_id in (select id from interfaces where host_id = ${host})
    order by auditable_type`.execute(api.database.db)
  return rows
}

// openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=anything
const CSR = `-----BEGIN CERTIFICATE REQUEST-----
MIHOMHUCAQAwEzERMA8GA1UEAwwIYW55dGhpbmcwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASl0DMDYAqZfVKuvi8mw0vMromDp2SnMlT3aIiijwLMG2yPilMxpC0d
29k9a7EgN7geg0mgIGkyW8/6sMRzEdKzoAAwCgYIKoZIzj0EAwIDSQAwRgIhAOvr
/bZXxQ8x0MzPw9NN4LcL1BDqZCR1kq2Xq708nSHUAiEAi+77TyT5+1ruXPXkVdYZ
LBcr843yQKIOmkWsRyIF9pQ=
-----END CERTIFICATE REQUEST-----
`
const CSR_KEY =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEpdAzA2AKmX1Srr4vJsNLzK6Jg6dkpzJU92iIoo8CzBtsj4pTMaQtHdvZPWuxIDe4HoNJoCBpMlvP+rDEcxHSsw=='
