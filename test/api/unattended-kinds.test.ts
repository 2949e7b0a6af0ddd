import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'

// Every kind of template is fetched by machines and shown to users, at both ports, in the words of each: equal bytes for
// those who may edit the host, masked secrets for others.

const HERE = { organization_ids: [1], location_ids: [1] }
const MASKED = 'pw ***** door ***** token *****'

let api: TestApi
let vendor: Caller
let viewer: Caller & { authorization: string }
let host: Shown
let token: string
/** The kinds in the words of each port, in one order. */
let kinds: readonly { readonly ours: string; readonly theirs: string }[]

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  vendor = api.asVendor({ authorization: `Basic ${Buffer.from('admin:admin-password').toString('base64')}` })
  await api.admin.put('/api/settings/server_url', { value: 'https://millwright.example.test' })
  const os = await given(api.admin, 'operatingsystem', { name: 'Debian', major: '12', minor: '7' })
  kinds = await listKinds()
  for (const { ours } of kinds) {
    const template = await given(api.admin, 'provisioning_template', {
      ...{ name: `The ${ours}`, template_kind_name: ours, operatingsystem_ids: [os.id], ...HERE },
      template: `${ours} pw <%= @host.root_pass %> door <%= host_param('door') %> token <%= token %>`,
    })
    const body = { template_kind_name: ours, provisioning_template_id: template.id }
    await expectCreated(api.admin.post(`/api/operatingsystems/${os.id}/os_default_templates`, body))
  }
  viewer = await api.can(['view_hosts', 'view_params'], HERE)
  host = await given(api.admin, 'host', {
    ...{ name: 'one.example.test', organization_id: 1, location_id: 1, operatingsystem_id: os.id, ip: '198.51.100.7' },
    ...{ build: true, root_pass: 'root-password', managed: false },
    host_parameters_attributes: [{ name: 'door', value: 'behind the door', hidden_value: true }],
  })
  token =
    / token (\S+)$/.exec((await api.admin.get(`/api/hosts/${host.id}/template/provision`)).body.template)?.[1] ?? ''
})
afterAll(() => api?.[Symbol.asyncDispose]())

async function listKinds() {
  const [ours, theirs] = await Promise.all(
    [api.admin, vendor].map(async (caller) => (await caller.get('/api/template_kinds?per_page=100')).body.results),
  )
  const words = new Map<number, string>(theirs.map(({ id, name }: Shown) => [id, name]))
  return ours.map(({ id, name }: Shown) => ({ ours: name, theirs: words.get(id) ?? '' }))
}

const machine = (caller: Caller, kind: string, query: string, remoteAddress = '203.0.113.9') =>
  caller.send({ method: 'GET', url: `/unattended/${encodeURIComponent(kind)}${query}`, remoteAddress })

test('each kind is fetched with the token, whole, and that is what who may edit the host is shown', async () => {
  expect(token).toHaveLength(43)
  const named = kinds.map(({ theirs }) => theirs)
  const wanted = ['provision', 'finish', 'user_data', 'script', 'iPXE', 'PXELinux', 'PXEGrub', 'PXEGrub2', 'cloud_init']
  expect(named).toEqual(expect.arrayContaining([...wanted, 'bootdisk', 'kexec', 'host_init_config']))
  const ports = [
    ['ours', api.nobody, api.admin],
    ['theirs', api.asVendor(), vendor],
  ] as const
  for (const kind of kinds)
    for (const [port, stranger, admin] of ports) {
      const { status, text, headers } = await machine(stranger, kind[port], `?token=${token}`)
      expect([kind[port], status, text]).toEqual([
        kind[port],
        200,
        expect.stringMatching(new RegExp(`^${kind.ours} pw \\$6\\$.* door behind the door token ${token}$`)),
      ])
      expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      const shown = await admin.get(`/api/hosts/${host.id}/template/${encodeURIComponent(kind[port])}`)
      expect(shown.body).toEqual({ template: text })
      const byName = await admin.get(`/unattended/${encodeURIComponent(kind[port])}?hostname=${host.name}`)
      expect(byName.text).toBe(text)
    }
})

test('each kind has masks for who may only see the host, and nothing secret for an address', async () => {
  for (const { ours } of kinds) {
    const shown = await viewer.get(`/api/hosts/${host.id}/template/${ours}`)
    expect(shown.body).toEqual({ template: `${ours} ${MASKED}` })
    const { text } = await machine(api.nobody, ours, '', host.ip)
    expect(text).toBe(`${ours} pw ***** door ***** token `)
  }
})
