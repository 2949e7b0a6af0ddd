import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONFIG_ENGINE_PATH, REPORTERS } from '../../src/words/protocols.ts'
import { ADMIN, basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'
import { type HttpProxyPeer, startHttpProxy } from '../support/peers/http-proxy.ts'
import { type ProxyPeer, startProxy } from '../support/peers/proxy.ts'

// The life of a machine from an empty disk to its first report, with the requests of the machine and of the smart proxy, on
// either port. The name of the smart proxy cannot be resolved: an HTTP proxy leads to it.

const URL = 'https://millwright.example.test'
const HERE = { organization_ids: [1], location_ids: [1] }
const PROXY = { SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_S_DN: 'CN=proxy.example.test' }
const TEXTS = {
  PXELinux: "url=<%= unattended_url('provision') %>",
  provision: 'not the one of its group',
}
const OF_GROUP =
  "rootpw <%= @host.root_pass %>\ntown <%= host_param('town') %>\n<%= unattended_url('failed') %>\n<%= unattended_url('built') %>\n"

let api: TestApi
let peer: ProxyPeer
let through: HttpProxyPeer
/** The ids of the records that describe a machine. */
let parts: Readonly<Record<string, number>>

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1', MILLWRIGHT_VENDOR_PORT: '0' } })
  peer = await startProxy()
  through = await startHttpProxy()
  await api.admin.put('/api/settings/server_url', { value: URL })
  await api.admin.put('/api/settings/http_proxy', { value: through.url })
  await givenProxy()
  parts = await givenParts()
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
  await through?.[Symbol.asyncDispose]()
})

async function givenProxy(): Promise<void> {
  const [engine = ''] = CONFIG_ENGINE_PATH.split('/')
  const features = { [engine]: { state: 'running', capabilities: [], settings: {} } }
  peer.offer({
    '/v2/features': (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(features)),
  })
  await given(api.admin, 'smart_proxy', { url: `http://proxy.example.test:${peer.port}`, runner: undefined, ...HERE })
}

async function givenParts(): Promise<Record<string, number>> {
  const os = await given(api.admin, 'operatingsystem', { name: 'Debian', major: '12', minor: '7' })
  const template = (name: string, kind: string, text: string) =>
    given(api.admin, 'provisioning_template', {
      ...{ name, template: text, template_kind_name: kind, operatingsystem_ids: [os.id], ...HERE },
    })
  for (const [template_kind_name, text] of Object.entries(TEXTS)) {
    const { id } = await template(template_kind_name, template_kind_name, text)
    const body = { template_kind_name, provisioning_template_id: id }
    await expectCreated(api.admin.post(`/api/operatingsystems/${os.id}/os_default_templates`, body))
  }
  const architecture = await given(api.admin, 'architecture', { operatingsystem_ids: [os.id] })
  const environment = await given(api.admin, 'environment', { name: 'production', ...HERE })
  const group = await given(api.admin, 'hostgroup', { name: 'web', environment_id: environment.id, ...HERE })
  const { id } = await template('of the group', 'provision', OF_GROUP)
  const combination = { hostgroup_id: group.id, environment_id: environment.id }
  const body = { template_combination: combination }
  await expectCreated(api.admin.post(`/api/provisioning_templates/${id}/template_combinations`, body))
  return { operatingsystem_id: os.id, architecture_id: architecture.id, hostgroup_id: group.id }
}

/** Yields the path of an address in a text that a machine was given. */
const pathIn = (text: string, kind: string) =>
  new RegExp(`https://millwright\\.example\\.test(/unattended/${kind}\\S+)`).exec(text)?.[1] ?? ''

const PORTS: readonly [string, (of: TestApi) => { readonly admin: Caller; readonly machine: Caller }, string][] = [
  ['the first port', ({ admin, nobody }) => ({ admin, machine: nobody }), '52:54:00:00:00:01'],
  [
    'the second port',
    (of) => ({
      admin: of.asVendor({ authorization: basic(ADMIN.login, ADMIN.password) }),
      machine: of.asVendor(),
    }),
    '52:54:00:00:00:02',
  ],
]

test.each(PORTS)(
  'at %s a machine is installed, tells what it is, is classified and reports',
  async (_port, of, mac) => {
    const { admin, machine } = of(api)
    const [name, ip] = [`new${mac.at(-1)}.example.test`, `192.0.2.${mac.at(-1)}`]
    const shown = async (): Promise<Shown> => (await admin.get(`/api/hosts/${name}`)).body
    const stateOf = async (type: string) => (await admin.get(`/api/hosts/${name}/status/${type}`)).body.status_label

    const host = await expectCreated(
      admin.post('/api/hosts', {
        host: {
          ...{ name, mac, ip, organization_id: 1, location_id: 1, managed: true, build: true, ...parts },
          root_pass: 'root-password',
          host_parameters_attributes: [{ name: 'town', value: 'Brno', hidden_value: true }],
        },
      }),
    )
    expect(await stateOf('build')).toBe('Pending installation')

    // The menu of the boot loader leads to the template, which names the callbacks: each with the token.
    const begin = async () => {
      const menu = (await admin.get(`/api/hosts/${name}/template/PXELinux`)).body.template
      const script = pathIn(menu, 'provision')
      const fetched = await machine.get(script)
      expect(fetched.text).toMatch(/^rootpw \$6\$\S+\ntown Brno\n/)
      const tell = (kind: string, payload: string) =>
        machine.send({
          ...{ method: 'POST', url: pathIn(fetched.text, kind), payload, headers: { 'content-type': 'text/plain' } },
        })
      return { script, tell, token: /token=([\w-]+)/.exec(menu)?.[1] }
    }
    const first = await begin()
    expect((await first.tell('failed', 'no disk')).status).toBe(201)
    expect(await stateOf('build')).toBe('Installation error')
    expect((await shown()).global_status_label).toBe('Error')
    expect((await machine.get(first.script)).status).toBe(404)

    expect((await admin.put(`/api/hosts/${name}`, { host: { build: true } })).status).toBe(200)
    const second = await begin()
    expect(second.token).not.toBe(first.token)
    const facts = { 'os::name': 'Debian', 'networking::ip': '192.0.2.9', 'dmi::product::name': 'R 770' }
    const tellFacts = () => machine.post('/api/hosts/facts', { name, facts }, PROXY)
    expect((await tellFacts()).body).toMatchObject({ error: { full_messages: ['Host is pending for build'] } })
    expect((await second.tell('built', '')).status).toBe(201)
    expect(await stateOf('build')).toBe('Installed')
    expect((await machine.get(second.script)).status).toBe(404)

    // The agent contacts the smart proxy, which contacts this service with its certificate.
    expect((await tellFacts()).status).toBe(201)
    // Addresses of a managed host are not overwritten by facts.
    expect(await shown()).toMatchObject({ ip, model_name: 'R 770' })
    const document = await machine.get(`/node/${name}?format=yml`, PROXY)
    expect(document.status, document.text).toBe(200)
    expect(document.text).toContain('environment: production')
    expect(document.text).toContain('town: Brno')
    const report = {
      ...{ host: name, reported_at: new Date().toISOString(), metrics: { time: { total: 3.5 } } },
      ...{ reporter: REPORTERS[0]?.reporter },
      status: { applied: 12, restarted: 1, failed: 0, failed_restarts: 0, skipped: 0, pending: 0 },
      logs: [{ log: { sources: { source: 'Agent' }, messages: { message: 'Applied catalog' }, level: 'notice' } }],
    }
    expect((await machine.post('/api/config_reports', { config_report: report }, PROXY)).status).toBe(201)
    expect((await machine.post('/api/config_reports', { config_report: report })).status).toBe(401)

    expect(await stateOf('configuration')).toBe('Active')
    expect(await shown()).toMatchObject({
      ...{ build: false, global_status_label: 'OK', build_status_label: 'Installed' },
      ...{ installed_at: expect.any(String), last_report: expect.any(String), last_compile: expect.any(String) },
    })
    const search = `type = host and auditable_id = ${host.id}`
    const { results } = (await api.admin.get(`/api/audits?order=id asc&search=${encodeURIComponent(search)}`)).body
    expect(results[0].action).toBe('create')
    const told = JSON.stringify(results)
    expect(told).toContain('"build":[true,false]')
    for (const { token } of [first, second]) expect(told).not.toContain(token)
  },
)
