import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

// What machines fetch during their installation: by token, by address, by name, and how an installation ends
// (docs/decisions/0025-build-tokens.md). Both ports serve equal addresses.

let api: TestApi
let os: Shown
let viewer: Caller & { authorization: string }
const HERE = { organization_ids: [1], location_ids: [1] }
const PROXY = '192.0.2.200'
const URL = 'https://millwright.example.test'

const TEXT = `pw <%= @host.root_pass %>
door <%= host_param('door') %>
town <%= host_param('town') %>
next <%= unattended_url('built') %>`

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_TRUSTED_PROXIES: PROXY, MILLWRIGHT_VENDOR_PORT: '0' } })
  await api.admin.put('/api/settings/server_url', { value: URL })
  os = await given(api.admin, 'operatingsystem', { name: 'Debian', major: '12', minor: '7' })
  await given(api.admin, 'hostgroup', { name: 'Base web', root_pass: 'of the group', ...HERE })
  const template = await given(api.admin, 'provisioning_template', {
    ...{ name: 'Install', template: TEXT, template_kind_name: 'provision', operatingsystem_ids: [os.id], ...HERE },
  })
  const body = { template_kind_name: 'provision', provisioning_template_id: template.id }
  await expectCreated(api.admin.post(`/api/operatingsystems/${os.id}/os_default_templates`, body))
  viewer = await api.can(['view_hosts', 'view_params'], HERE)
})
afterAll(() => api?.[Symbol.asyncDispose]())

let addresses = 0

function newHost(overrides: object = {}): Promise<Shown> {
  addresses += 1
  return given(api.admin, 'host', {
    ...{ name: `${unique('host')}.example.test`, organization_id: 1, location_id: 1, operatingsystem_id: os.id },
    ...{ ip: `198.51.100.${addresses}`, mac: `52:54:00:00:00:${String(addresses).padStart(2, '0')}` },
    ...{ build: true, root_pass: 'root-password', managed: false },
    host_parameters_attributes: [
      { name: 'door', value: 'behind the door', hidden_value: true },
      { name: 'town', value: 'Brno' },
    ],
    ...overrides,
  })
}

/** Yields the token of a host from one of its templates. */
async function tokenOf(host: Shown): Promise<string> {
  const { body } = await api.admin.get(`/api/hosts/${host.id}/template/provision`)
  return /token=([\w-]{43})$/.exec(body.template)?.[1] ?? ''
}

const from = (remoteAddress: string, url: string, headers: Record<string, string> = {}, caller = api.nobody) =>
  caller.send({ method: 'GET', url, remoteAddress, headers })
const fetched = (query: string, address = '203.0.113.9') => from(address, `/unattended/provision${query}`)
const shown = async (host: Shown) => (await api.admin.get(`/api/hosts/${host.id}`)).body
const lastAudit = async (host: Shown) =>
  (await api.admin.get(`/api/audits?search=type = host and auditable_id = ${host.id}&per_page=1`)).body.results[0]

describe('a machine', () => {
  test('with its token fetches all, byte for byte what people who may edit the host are shown', async () => {
    const host = await newHost()
    const token = await tokenOf(host)
    const { status, text, headers } = await fetched(`?token=${token}`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    expect(text).toMatch(/^pw \$6\$.*\ndoor behind the door\ntown Brno\n/)
    expect(text).toContain(`next ${URL}/unattended/built?token=${token}`)
    expect((await api.admin.get(`/api/hosts/${host.id}/template/provision`)).body.template).toBe(text)
    const vendor = api.asVendor({ authorization: '' })
    expect((await from('203.0.113.9', `/unattended/provision?token=${token}`, {}, vendor)).text).toBe(text)
  })

  test.each([
    ['its address', async (host: Shown) => fetched('', host.ip)],
    [
      'its address, as a trusted proxy says it',
      async (host: Shown) => from(PROXY, '/unattended/provision', { 'x-forwarded-for': host.ip }),
    ],
    [
      'its hardware address, as a trusted proxy hands it on',
      async (host: Shown) =>
        from(PROXY, '/unattended/provision', { 'x-rhn-provisioning-mac-0': `eth0 ${host.mac.toUpperCase()}` }),
    ],
    [
      'its hardware address in the query of a trusted proxy',
      async (host: Shown) => from(PROXY, `/unattended/provision?mac=${host.mac}`),
    ],
  ])('known by %s fetches what holds no secret', async (_how, ask) => {
    const { status, text } = await ask(await newHost())
    expect([status, text]).toEqual([200, `pw *****\ndoor *****\ntown Brno\nnext ${URL}/unattended/built`])
  })

  test.each([
    [
      'an address that no host has',
      async () => fetched('', '203.0.113.77'),
      404,
      'No host has an interface with the address 203.0.113.77\n',
    ],
    [
      'an address that anybody could say',
      async (host: Shown) => from('203.0.113.9', '/unattended/provision', { 'x-forwarded-for': host.ip }),
      404,
      'No host has an interface with the address 203.0.113.9\n',
    ],
    [
      'a hardware address that anybody could say',
      async (host: Shown) =>
        from('203.0.113.9', `/unattended/provision?mac=${host.mac}`, {
          'x-rhn-provisioning-mac-0': `eth0 ${host.mac}`,
        }),
      404,
      'No host has an interface with the address 203.0.113.9\n',
    ],
    [
      'a token that nobody made',
      async (host: Shown) => fetched('?token=guess', host.ip),
      404,
      'No host is being installed with this token\n',
    ],
    [
      'two tokens',
      async (host: Shown) => fetched('?token=a&token=b', host.ip),
      400,
      'Invalid parameter \'token\' value ["a","b"]: must be given once, as text\n',
    ],
    [
      'a kind that there is not',
      async (host: Shown) => from(host.ip, '/unattended/poem'),
      404,
      /^Template kind not found by id 'poem': there are /,
    ],
  ] as const)('is refused with %s', async (_what, ask, status, text) => {
    const answer = await ask(await newHost())
    expect(answer.status).toBe(status)
    expect(answer.text).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
  })

  test('that is not being installed is refused, and so is an address of two that are', async () => {
    const host = await newHost({ build: false })
    expect(await fetched('', host.ip)).toMatchObject({
      status: 409,
      text: `${host.name} does not wait to be installed: set its build to true first\n`,
    })
    const one = await newHost()
    await newHost({ ip: one.ip })
    expect(await fetched('', one.ip)).toMatchObject({
      status: 409,
      text: `Several hosts that are being installed have the address ${one.ip}\n`,
    })
  })

  test('of a host in another organization is found as well: it is a machine, not a user', async () => {
    const elsewhere = await given(api.admin, 'organization')
    const host = await newHost({ organization_id: elsewhere.id })
    expect((await fetched('', host.ip)).text).toContain('does not belong to its organization')
  })
})

describe('a token', () => {
  const rowOf = async (host: Shown) => {
    const found = await sql<{ token: string; left: number }>`
      select token, round(extract(epoch from expires_at - created_at) / 60)::integer as left from build_tokens where host_id = ${host.id}`.execute(
      api.database.db,
    )
    return found.rows[0]
  }

  test('is made when a host begins to wait, lasts as the setting says, is stored encrypted, and goes when that ends', async () => {
    const host = await newHost({ build: false })
    expect(await tokenOf(host)).toBe('')
    await api.admin.put(`/api/hosts/${host.id}`, { build: true })
    const token = await tokenOf(host)
    expect(token).toHaveLength(43)
    expect(await rowOf(host)).toMatchObject({ left: 360, token: expect.not.stringContaining(token) })
    await api.admin.put(`/api/hosts/${host.id}`, { build: true, comment: 'still' })
    expect(await tokenOf(host)).toBe(token)
    await api.admin.put(`/api/hosts/${host.id}`, { build: false })
    expect(await rowOf(host)).toBeUndefined()
    expect((await fetched(`?token=${token}`)).status).toBe(404)
  })

  test('whose time is over is refused, tells in the status, and is made anew when it is asked for again', async () => {
    const host = await newHost()
    const token = await tokenOf(host)
    await sql`update build_tokens set expires_at = now() - interval '1 minute' where host_id = ${host.id}`.execute(
      api.database.db,
    )
    expect(await fetched(`?token=${token}`)).toMatchObject({
      status: 412,
      text: `The token of ${host.name} has expired: ask for its installation again\n`,
    })
    await api.admin.put(`/api/hosts/${host.id}`, { build: true })
    expect(await tokenOf(host)).not.toBe(token)
  })

  test('is not made while the setting says so', async () => {
    await api.admin.put('/api/settings/token_duration', { value: 0 })
    expect(await rowOf(await newHost())).toBeUndefined()
    await api.admin.put('/api/settings/token_duration', { value: 360 })
  })
})

describe('an installation ends', () => {
  const tell = (path: string, payload?: string) =>
    api.nobody.send({
      method: 'POST',
      url: path,
      ...(payload && { payload, headers: { 'content-type': 'text/plain' } }),
    })

  test('when the machine says that it is built: once, with an audit', async () => {
    const host = await newHost()
    const token = await tokenOf(host)
    expect((await tell(`/unattended/built?token=${token}`)).status).toBe(201)
    expect(await shown(host)).toMatchObject({
      build: false,
      build_status_label: 'Installed',
      installed_at: expect.any(String),
    })
    expect(await lastAudit(host)).toMatchObject({
      action: 'update',
      user_name: 'System',
      audited_changes: { build: [true, false] },
    })
    expect((await tell(`/unattended/built?token=${token}`)).status).toBe(404)
    expect((await fetched(`?token=${token}`)).status).toBe(404)
  })

  test('when it says that it failed, and why', async () => {
    const host = await newHost()
    expect((await tell(`/unattended/failed?token=${await tokenOf(host)}`, 'no disk\0 found')).status).toBe(201)
    expect((await lastAudit(host)).audited_changes).toMatchObject({
      build: [true, false],
      build_errors: [null, 'no disk found'],
    })
    expect(await shown(host)).toMatchObject({ build: false, installed_at: null })
  })

  test('with a token alone: an address proves nothing', async () => {
    const host = await newHost()
    const answer = await from(host.ip, '/unattended/built')
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('must be the build token of the host') })
    expect((await shown(host)).build).toBe(true)
  })
})

describe('people', () => {
  test.each([
    ['the name', (host: Shown) => `hostname=${host.name}`],
    ['an address', (host: Shown) => `spoof=${host.ip}`],
  ])('who see the host fetch the same by %s; secrets are for those who may edit it', async (_what, query) => {
    const host = await newHost()
    const url = `/unattended/provision?${query(host)}`
    const { text } = await api.admin.get(url)
    expect(text).toBe((await fetched(`?token=${await tokenOf(host)}`)).text)
    expect((await viewer.get(url)).text).toBe(
      `pw *****\ndoor *****\ntown Brno\nnext ${URL}/unattended/built?token=*****`,
    )
    expect((await api.nobody.get(url)).status).toBe(401)
    expect((await (await api.can(['view_hosts'])).get(url)).status).toBe(404)
  })

  test('look at what a new host of a group would run, and nothing of it stays', async () => {
    const text = '<%= @host.hostgroup %> <%= @host.root_pass %>'
    await given(api.admin, 'provisioning_template', { name: 'Grouped', template: text, snippet: true, ...HERE })
    const url = '/unattended/template/Grouped/Base%20web'
    expect((await api.admin.get(url)).text).toMatch(/^Base web \$6\$/)
    const seeing = await api.can(['view_provisioning_templates', 'view_hostgroups', 'view_hosts'], HERE)
    expect((await seeing.get(url)).text).toBe('Base web *****')
    expect((await api.admin.get('/api/hosts?search=name = preview.invalid')).body.subtotal).toBe(0)
    expect((await (await api.can(['view_provisioning_templates'], HERE)).get(url)).status).toBe(404)
    expect((await api.admin.get('/unattended/template/Grouped/Nowhere')).text).toBe(
      "Hostgroup not found by id 'Nowhere'\n",
    )
  })
})
