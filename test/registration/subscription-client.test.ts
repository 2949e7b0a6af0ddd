import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { SUBSCRIPTION_VERSION_HEADER } from '../../src/words/protocols.ts'
import { listSubscriptionPaths } from '../laws/machine-paths.ts'
import { ADMIN, openTestApi, type TestApi } from '../support/api.ts'
import { type Certificates, makeCertificates } from '../support/directories/certificates.ts'
import { newKey, newSite, type Site } from './clients.ts'
import { type KeptIdentity, type Received, SubscriptionClient } from './tls-client.ts'

// Content-api §5.4 over TLS, with the certificates that the service issues, on the listener of the service itself.

let folder: string
let certificates: Certificates
let api: TestApi
let address: string
let site: Site

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'registration-'))
  certificates = await makeCertificates(folder)
  api = await openTestApi({
    env: {
      MILLWRIGHT_TLS_CERTIFICATE: join(folder, 'server.crt'),
      MILLWRIGHT_TLS_KEY: join(folder, 'server.key'),
      MILLWRIGHT_TLS_CLIENT_CA: join(folder, 'other-ca.crt'),
    },
  })
  address = await api.listen()
  site = await newSite(api)
  await newKey(api, site, 'base', { service_level: 'Premium', max_hosts: 2 })
  await newKey(api, site, 'web', { release_version: null, purpose_role: 'web' })
  await newEnvironment(site, 'dev')
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** The name of the default view in this environment for clients: only for the Library the environment's label suffices. */
const DEV = 'dev/Default_Organization_View'

const newClient = () => new SubscriptionClient(address, certificates.ca)

test('a client registers, reads, changes, registers anew, and leaves', async () => {
  const client = newClient()
  const registered = await client.register(site.label, 'base,web', 'client.example.test')
  expect([registered.status, registered.body]).toMatchObject([200, { serviceLevel: 'Premium', role: 'web' }])
  expect(registered.headers[SUBSCRIPTION_VERSION_HEADER]).toMatch(/^\d/)
  expect((await client.own('GET')).body).toMatchObject({ uuid: client.uuid, name: 'client.example.test' })
  expect((await client.own('GET', '/certificates/serials')).body).toEqual([])
  expect((await client.own('GET', '/content_overrides')).body).toEqual([])
  expect((await client.own('PUT', '', { releaseVer: '9.4' })).status).toBe(200)
  expect((await client.own('GET', '/release')).body).toEqual({ releaseVer: '9.4' })

  const former: KeptIdentity | null = client.identity
  const uuid = client.uuid
  expect((await client.register(site.label, 'base', 'client.example.test')).status).toBe(200)
  expect(client.uuid).not.toBe(uuid)
  expect(await client.send('GET', `/consumers/${uuid}`, undefined, former)).toMatchObject({
    status: 410,
    body: { deletedId: uuid },
  })
  expect((await client.own('DELETE')).status).toBe(204)
  expect((await client.own('GET')).status).toBe(410)
  expect(client.identity).toBeNull()
})

test('an identity is for its host alone, and for nothing beside', async () => {
  const [one, other] = [newClient(), newClient()]
  await one.register(site.label, 'web', 'one.example.test')
  await other.register(site.label, 'web', 'other.example.test')
  expect((await one.send('GET', `/consumers/${other.uuid}`)).status).toBe(403)
  expect((await one.send('GET', `/consumers/${one.uuid}`, undefined, null)).status).toBe(401)
  const stranger = { cert: certificates.untrusted.cert, key: certificates.untrusted.key }
  expect((await one.send('GET', `/consumers/${one.uuid}`, undefined, stranger)).status).toBe(401)
  const before = one.identity
  const renewed = await one.own('POST', '', {})
  one.identity = { cert: renewed.body.idCert.cert, key: renewed.body.idCert.key }
  expect((await one.own('GET')).status).toBe(200)
  const formerly = (method: string) =>
    one.send(method, `/consumers/${one.uuid}`, method === 'POST' ? {} : undefined, before)
  expect([(await formerly('GET')).status, (await formerly('POST')).status]).toEqual([200, 401])
  await sql`update registrations set former_until = now() where uuid = ${one.uuid}`.execute(api.database.db)
  expect((await formerly('GET')).status).toBe(401)
  expect(new X509Certificate(one.identity.cert).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
})

test.each([
  ['one environment in the path', true, ['Library']],
  ['several environments in the body', false, ['Library', DEV]],
])('a client registers with a name and a password, and %s', async (_, older, environments) => {
  const client = newClient()
  const name = `${older ? 'older' : 'newer'}.example.test`
  const { status, body } = await client.registerAs(ADMIN_LOGIN, name, environments, older)
  expect([status, body.environments.map((each: { name: string }) => each.name)]).toEqual([200, environments])
  expect((await client.own('GET')).body.name).toBe(name)
  const path = `/environments/${site.view}-${site.library}/consumers`
  expect((await client.send('POST', path, {}, null)).status).toBe(401)
  expect((await client.send('POST', '/environments/7-7/consumers', {}, ADMIN_LOGIN)).status).toBe(404)
})

test('what a registered client asks for besides', async () => {
  const client = newClient()
  const { body: status } = await client.send('GET', '/status', undefined, null)
  expect(status.managerCapabilities).toContain('multi_environment')
  for (const path of ['/status/', '//status'])
    expect(await seen(client.send('GET', path, undefined, null))).toEqual([
      200,
      { ...status, timeUTC: expect.anything() },
    ])
  await client.register(site.label, 'web', 'asking.example.test')
  const { body: resources } = await client.send('GET', '/', undefined, null)
  const found = new Map(resources.map(({ rel, href }: { rel: string; href: string }) => [rel, href]))
  expect([found.get('consumers'), found.get('pools'), found.get('guestids')]).toEqual([
    ...['/consumers', '/pools', '/consumers/:uuid/guestids'],
  ])
  const paths = listSubscriptionPaths().map(({ path }) => path.slice('/rhsm'.length).replace(/\/$/, ''))
  const served = new Set(paths.filter((path) => path !== ''))
  expect(resources.map(({ href }: { href: string }) => href).sort()).toEqual([...served].sort())
  for (const word of ['deb_package_profile', 'hypervisors', 'subscriptions', 'deleted_consumers', 'dry-run'])
    expect([...found.keys()]).toContain(word)
  const other = { contentLabel: 'not-known-here', name: 'priority', value: '5' }
  const enabled = { contentLabel: 'not-known-here', name: 'enabled', value: '1' }
  const guests = [{ guestId: 'a', attributes: { active: 1 } }, 'b']
  const packages = [{ name: 'bash', version: '5.2', release: '1', arch: 'x86_64', epoch: 0, vendor: 'V' }]
  const pairs = (await client.send('GET', `/owners/${site.label}/environments`)).body as { id: string; name: string }[]
  const idOf = (wanted: string) => ({ id: pairs.find(({ name }) => name === wanted)?.id })
  const asked: readonly [string, string, unknown, number, unknown][] = [
    ['PUT', '/content_overrides', [other, enabled], 200, [enabled, other]],
    ['GET', '/content_overrides', undefined, 200, [enabled, other]],
    ['DELETE', '/content_overrides', [{ contentLabel: 'not-known-here', name: 'enabled' }], 200, [other]],
    ['PUT', '', { environments: [idOf(DEV), idOf('Library')] }, 200, { content: expect.any(String) }],
    ['GET', '', undefined, 200, expect.objectContaining({ environments: [named(DEV), named('Library')] })],
    ['PUT', '', { environments: [] }, 400, says('environments must name one environment at least')],
    ['PUT', '', { environments: [{ id: '7-7' }] }, 404, says("Couldn't find environment '7-7'")],
    ['PUT', '', { environments: 'dev' }, 400, says(expect.stringMatching(/^environments must be a list/))],
    [
      'PUT',
      '/checkin?checkin_date=2026-03-01T00:00:00',
      undefined,
      200,
      expect.objectContaining({ uuid: client.uuid }),
    ],
    ['PUT', '/tracer', { traces: { sshd: { type: 'daemon', helper: 'restart' } } }, 200, expect.objectContaining({})],
    ['PUT', '/tracer', { traces: [] }, 400, says('traces must be an object of programs by their names')],
    ['PUT', '/profiles', [{ content_type: 'rpm', profile: packages }], 200, {}],
    ['PUT', '/packages', packages, 200, {}],
    ['PUT', '/guestids', guests, 204, undefined],
    ['GET', '/guestids/b', undefined, 200, { guestId: 'b', attributes: {} }],
    ['PUT', '/guestids/c', { attributes: { active: 0 } }, 204, undefined],
    ['DELETE', '/guestids/a', undefined, 204, undefined],
    ['DELETE', '/guestids/a', undefined, 404, says("Couldn't find guest 'a'")],
    [
      'GET',
      '/guestids',
      undefined,
      200,
      [
        { guestId: 'b', attributes: {} },
        { guestId: 'c', attributes: { active: 0 } },
      ],
    ],
    ['PUT', '', { guestIds: ['d'] }, 200, { content: expect.any(String) }],
    ['GET', '', undefined, 200, expect.objectContaining({ guestIds: [{ guestId: 'd', attributes: {} }] })],
    ['PUT', '', { guestIds: [{}] }, 400, says(expect.stringMatching(/^guestIds must be texts/))],
    ['PUT', '/certificates?lazy_regen=true', undefined, 204, undefined],
    ['DELETE', '/certificates/77', undefined, 404, says(expect.stringContaining('"77"'))],
    ['POST', '/entitlements?pool=x', undefined, 400, says(expect.stringContaining('Simple Content Access'))],
    ['GET', '/entitlements/dry-run', undefined, 200, []],
  ]
  for (const [method, below, sent, status, body] of asked)
    expect([method, below, await seen(client.own(method, below, sent))]).toEqual([method, below, [status, body]])
  const system = `/systems/${client.uuid}/deb_package_profile`
  const debian = { deb_packages: [{ name: 'bash', architecture: 'amd64', version: '5.2' }] }
  expect(await seen(client.send('PUT', system, debian))).toEqual([200, {}])
  const wrapped = { deb_package_profile: debian }
  for (const sent of [debian.deb_packages, wrapped])
    expect(await seen(client.send('PUT', system, sent))).toEqual([200, {}])
  expect(await seen(client.send('PUT', system, {}))).toEqual([400, says('deb_packages must be a list of packages')])
  await client.register(site.label, 'web', 'asking.example.test')
  expect((await client.own('GET', '/content_overrides')).body).toEqual([])
})

test('a client attaches pools, and gives them back', async () => {
  const owner = await newSite(api)
  await newKey(api, owner, 'own', { auto_attach: false })
  const pools = await newPools(owner, [
    ['Alone', 1, false, '69'],
    ['Many', 10, true, null],
    ['Gone', 5, true, null],
  ])
  const [alone, many, gone] = ['Alone', 'Many', 'Gone'].map((name) => pools.get(name) ?? '')
  const client = newClient()
  await client.register(owner.label, 'own', 'attached.example.test')
  const offered = async (query = '') => {
    const path = `/owners/${owner.label}/pools?consumer=${client.uuid}${query}`
    return (await client.send('GET', path)).body as { productName: string }[]
  }
  const names = async (query = '') => (await offered(query)).map(({ productName }) => productName)
  expect(await names()).toEqual(['Alone', 'Many'])
  expect(await names('&listall=true')).toEqual(['Alone', 'Gone', 'Many'])
  expect(await names('&matches=m*')).toEqual(['Many'])
  expect((await offered())[0]).toMatchObject({
    ...{
      id: alone,
      quantity: 1,
      consumed: 0,
      startDate: expect.stringMatching(ISO),
      endDate: expect.stringMatching(ISO),
    },
    productAttributes: expect.arrayContaining([{ name: 'multi-entitlement', value: 'no' }]),
    providedProducts: [{ productId: expect.stringContaining('69'), productName: expect.any(String) }],
  })
  const bound = (name: string, quantity: number) => [
    200,
    [expect.objectContaining({ quantity, pool: expect.objectContaining({ productName: name }), certificates: [] })],
  ]
  expect((await client.send('GET', '/pools')).body).toHaveLength(2)
  expect((await client.send('GET', `/pools?consumer=${client.uuid}&listall=true`)).body).toHaveLength(3)
  const elsewhere = '/pools?consumer=7c9b3b3e-5f0a-4a52-9a55-0d6a2f6c0001'
  expect((await client.send('GET', elsewhere)).status).toBe(403)
  expect((await client.send('GET', elsewhere, undefined, ADMIN_LOGIN)).status).toBe(404)
  expect((await client.send('GET', `/pools?consumer=${client.uuid}`, undefined, ADMIN_LOGIN)).body).toHaveLength(2)
  expect((await client.send('GET', '/pools', undefined, ADMIN_LOGIN)).status).toBe(400)
  expect((await client.send('GET', `/entitlements/${many}`)).status).toBe(404)
  expect(await seen(client.own('GET', '/entitlements/dry-run'))).toEqual([
    200,
    [{ quantity: 1, pool: expect.objectContaining({ id: alone, consumed: 0 }) }],
  ])
  expect((await client.own('GET', '/entitlements')).body).toEqual([])
  const redeemed = await client.send('POST', `/subscriptions?consumer_uuid=${client.uuid}`)
  expect(await seen(Promise.resolve(redeemed))).toEqual([400, says(expect.stringContaining('not redeemed'))])
  const asked: readonly [string, string, unknown][] = [
    ['POST', `?pool=${many}&quantity=3`, bound('Many', 3)],
    ['POST', `?pool=${many}`, bound('Many', 4)],
    ['POST', `?pool=${many}&quantity=9`, [400, says(expect.stringMatching(/^No subscriptions are available/))]],
    ['POST', `?pool=${many}&quantity=none`, [400, says(expect.stringContaining("'quantity'"))]],
    ['POST', `?pool=${gone}`, [400, says('Subscriptions for "Gone" are not valid today.')]],
    ['POST', '?pool=nothing', [404, says('Subscription pool with ID "nothing" could not be found.')]],
    ['POST', '', bound('Alone', 1)],
    ['POST', `?pool=${alone}`, [400, says(expect.stringContaining('already'))]],
    ['DELETE', `/pool/${alone}`, [204, undefined]],
    ['DELETE', `/pool/${alone}`, [404, says(expect.stringContaining('has no subscription'))]],
    ['POST', `?pool=${alone}&quantity=2`, [400, says(expect.stringMatching(/^Multi-entitlement not supported/))]],
    ['DELETE', '', [200, { deletedRecords: 1 }]],
    ['GET', '', [200, []]],
  ]
  for (const [method, below, answer] of asked)
    expect([method, below, await seen(client.own(method, `/entitlements${below}`))]).toEqual([method, below, answer])
  await client.own('POST', `/entitlements?pool=${many}`)
  const entitlement = { id: many, quantity: 1, consumer: { uuid: client.uuid } }
  expect((await client.send('GET', `/entitlements/${many}`)).body).toMatchObject(entitlement)
})

test('a reporter of virtual machines names the guests of registered hypervisors', async () => {
  const [one, other] = [newClient(), newClient()]
  await one.register(site.label, 'web', 'hypervisor.example.test')
  await other.register(site.label, 'web', 'reporter.example.test')
  const guests = [{ guestId: 'g1', state: 1, attributes: { active: 1, virtWhoType: 'esx' } }]
  const report = {
    hypervisors: [
      { hypervisorId: { hypervisorId: one.uuid }, name: 'Any', guestIds: guests, facts: {} },
      { hypervisorId: { hypervisorId: 'esx-7' }, guestIds: [] },
    ],
  }
  const of = ({ uuid }: SubscriptionClient, name: string) => ({ uuid, name: `${name}.example.test` })
  const unknown = [expect.stringMatching(/^esx-7: no registered host/)]
  const path = `/hypervisors/${site.label}?reporter_id=r`
  const reported = { state: 'FINISHED', id: expect.any(String) }
  const result = (updated: unknown[], unchanged: unknown[]) => ({
    ...reported,
    resultData: { created: [], updated, unchanged, failedUpdate: unknown },
  })
  const hypervisor = of(one, 'hypervisor')
  expect((await client('POST', path, report)).body).toMatchObject(result([hypervisor], []))
  expect((await one.own('GET', '/guestids')).body).toEqual([
    { guestId: 'g1', attributes: { active: 1, virtWhoType: 'esx' } },
  ])
  expect((await client('PUT', path, report)).body).toMatchObject(result([], [hypervisor]))
  const asText = { 'content-type': 'text/plain' }
  const sentAsText = { method: 'POST', url: `/rhsm${path}`, headers: asText, payload: JSON.stringify(report) } as const
  expect((await api.admin.send(sentAsText)).body).toMatchObject(result([], [hypervisor]))
  const older = { 'HYPERVISOR.example.test': ['g1', 'g2'], 'esx-7': [] }
  expect((await client('POST', `/hypervisors?owner=${site.label}&env=Library`, older)).body).toEqual({
    ...{ created: [], updated: [hypervisor], unchanged: [], failedUpdate: unknown },
  })
  // A host changes its own guests only, whatever it reports.
  expect((await other.send('POST', path, report)).body.resultData).toMatchObject({ updated: [], unchanged: [] })
  expect((await other.send('POST', '/hypervisors/Elsewhere', report)).status).toBe(403)
  const own = { hypervisors: [{ name: 'reporter.example.test', guestIds: ['g3'] }] }
  expect((await other.send('POST', path, own)).body.resultData).toMatchObject({ updated: [of(other, 'reporter')] })
  expect((await client('PUT', `/hypervisors/${site.label}/heartbeat?reporter_id=r`)).body).toMatchObject(reported)
  const bad = [
    ['/hypervisors', {}, /^owner must be/],
    [path, { hypervisors: 'x' }, /^hypervisors must each have/],
    [path, { hypervisors: [{ hypervisorId: 'x', guestIds: 7 }] }, /^guestIds must be a list/],
  ] as const
  for (const [to, sent, message] of bad)
    expect(await seen(client('POST', to, sent))).toEqual([400, says(expect.stringMatching(message))])
})

test('administrators read which registrations ended, and forget them', async () => {
  const one = newClient()
  await one.register(site.label, 'web', 'gone.example.test')
  const { uuid, identity } = one
  const started = new Date(Date.now() - 1000).toISOString()
  await one.own('DELETE')
  const list = async (date: string) =>
    (await client('GET', `/deleted_consumers?date=${encodeURIComponent(date)}`)).body.map(
      ({ consumerUuid }: { consumerUuid: string }) => consumerUuid,
    )
  expect(await list(started)).toContain(uuid)
  expect(await list('2999-01-01')).toEqual([])
  expect((await client('GET', '/deleted_consumers?date=soon')).status).toBe(400)
  expect((await client('DELETE', `/consumers/${uuid}/deletionrecord`)).status).toBe(204)
  expect((await one.send('GET', `/consumers/${uuid}`, undefined, identity)).status).toBe(404)
  expect((await client('DELETE', `/consumers/${uuid}/deletionrecord`)).status).toBe(404)
  expect((await client('DELETE', '/consumers/none/deletionrecord')).status).toBe(404)
  const other = await api.can(['view_hosts', 'destroy_hosts'])
  expect((await other.get('/rhsm/deleted_consumers')).status).toBe(403)
  expect((await other.delete(`/rhsm/consumers/${uuid}/deletionrecord`)).status).toBe(403)
})

const client = (method: string, path: string, body?: unknown) => newClient().send(method, path, body, ADMIN_LOGIN)
const ADMIN_LOGIN = { username: ADMIN.login, password: ADMIN.password }
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/
const named = (name: string) => expect.objectContaining({ name })
const says = (message: unknown) => ({ displayMessage: message, errors: [message] })
const seen = async (asked: Promise<Received>) => {
  const { status, body } = await asked
  return [status, body]
}

/**
 * Creates pools of an organization that requires them: name, quantity, whether several can be used, and a provided product.
 */
async function newPools(
  owner: Site,
  pools: readonly (readonly [string, number, boolean, string | null])[],
): Promise<ReadonlyMap<string, string>> {
  const { db } = api.database
  await sql`update organizations set content_access_mode = 'entitlement' where id = ${owner.id}`.execute(db)
  const ids = new Map<string, string>()
  for (const [name, quantity, several, product] of pools) {
    const begins = name === 'Gone' ? sql`now() - interval '2 years'` : sql`now() - interval '1 day'`
    const { rows } = await sql<{ id: number; cp_id: string }>`
      insert into subscriptions (organization_id, name, quantity, multi_entitlement, start_date, end_date)
      values (${owner.id}, ${name}, ${quantity}, ${several}, ${begins}, ${begins} + interval '1 year') returning id, cp_id`.execute(
      db,
    )
    ids.set(name, rows[0]?.cp_id ?? '')
    if (product)
      await sql`
        with made as (insert into products (organization_id, cp_id, name) values (${owner.id}, ${product}, 'Base') returning id)
        insert into subscription_products select ${rows[0]?.id}::bigint, id from made`.execute(db)
  }
  return ids
}

/** Creates an environment that has the default view of the site. */
async function newEnvironment({ id, library, view }: Site, name: string): Promise<void> {
  await sql`
    with made as (
      insert into lifecycle_environments (organization_id, name, label, prior_id) values (${id}, ${name}, ${name}, ${library})
      returning id)
    insert into content_view_environments (content_view_id, environment_id, content_view_version_id)
    select ${view}, made.id, l.content_view_version_id from made, content_view_environments l
    where l.content_view_id = ${view} and l.environment_id = ${library}`.execute(api.database.db)
}
