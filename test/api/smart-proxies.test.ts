import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { row } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { CONFIG_ENGINE_PATH } from '../../src/words/protocols.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'
import { type Behaviour, type ProxyPeer, startProxy } from '../support/peers/proxy.ts'
import { execFileSync } from '../support/processes.ts'

// Core-api §11: smart proxies, whose features are requested from them; smart-parameters §7: how runs reach their hosts.

let api: TestApi
let peer: ProxyPeer

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_RUN_COMMANDS: '/usr/bin/true, /usr/local/bin/agent' } })
  peer = await startProxy()
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
})

const [ENGINE = ''] = CONFIG_ENGINE_PATH.split('/')
const json =
  (value: unknown): Behaviour =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const running = (capabilities: unknown[] = [], settings = {}) => ({
  http_enabled: true,
  settings,
  capabilities,
  state: 'running',
})
const DESCRIBED = {
  dhcp: running(['dhcp_filename_ipv4', 'dhcp_filename_hostname'], { use_provider: 'dhcp_isc' }),
  [ENGINE]: running(),
  [`${ENGINE}ca`]: running(),
  container_gateway: running(),
  tftp: { ...running(), state: 'failed' },
  dns: { ...running(), state: 'disabled' },
}

const post = (body: object, caller = api.admin) => caller.post('/api/smart_proxies', { smart_proxy: body })
const put = (id: number, body: object) => api.admin.put(`/api/smart_proxies/${id}`, { smart_proxy: body })
const namesOf = (proxy: { features: { name: string }[] }) => proxy.features.map(({ name }) => name)
const unreachable = () => `http://127.0.0.1:1/${unique('proxy')}`

/** Creates a proxy at a new path of the peer, which offers these features. */
async function proxyThatOffers(described: object) {
  const base = `/${unique('site')}`
  peer.offer({ [`${base}/v2/features`]: json(described) })
  return { base, proxy: await expectCreated(post({ name: unique('proxy'), url: `${peer.url}${base}` })) }
}

describe('a new smart proxy', () => {
  test('is asked what it does: features that run, in our words, with their capabilities', async () => {
    const { proxy } = await proxyThatOffers(DESCRIBED)
    expect(namesOf(proxy)).toEqual(['Config', 'Config CA', 'Container_Gateway', 'DHCP'])
    expect(proxy.features[3]).toEqual({
      capabilities: ['dhcp_filename_ipv4', 'dhcp_filename_hostname'],
      name: 'DHCP',
      id: expect.any(Number),
    })
    expect(Object.keys(proxy).slice(0, 6)).toEqual(['created_at', 'updated_at', 'name', 'id', 'url', 'features'])
    const { body } = await api.admin.get(`/api/smart_proxies?search=${encodeURIComponent(`name = ${proxy.name}`)}`)
    expect(Object.keys(body.results[0])).toEqual(['created_at', 'updated_at', 'name', 'id', 'url', 'features'])
    const stored = await row(
      api.database.db,
      sql`select settings from smart_proxy_features l join features f on f.id = l.feature_id
        where f.name = 'DHCP' and l.smart_proxy_id = ${proxy.id}`,
    )
    expect(stored).toEqual({ settings: { use_provider: 'dhcp_isc' } })
  })

  test('of an older version has its features by name', async () => {
    const base = `/${unique('site')}`
    peer.offer({ [`${base}/features`]: json(['tftp', 'dns', 'dns', 'logs']) })
    const proxy = await expectCreated(post({ name: unique('proxy'), url: `${peer.url}${base}/` }))
    expect(namesOf(proxy)).toEqual(['DNS', 'Logs', 'TFTP'])
    expect(proxy.url).toBe(`${peer.url}${base}`)
  })

  test('shares its features with the others', async () => {
    const first = (await proxyThatOffers({ bmc: running() })).proxy
    const second = (await proxyThatOffers({ bmc: running() })).proxy
    expect(second.features).toEqual(first.features)
    const { body } = await api.admin.get('/api/smart_proxies?search=feature%20%3D%20BMC')
    expect(body.results.map(({ id }: { id: number }) => id).sort()).toEqual([first.id, second.id].sort())
  })

  test.each<[string, () => string | Promise<string>, string]>([
    ['nobody listens', () => unreachable(), 'the connection is refused'],
    ['it has no features', () => offering({}), 'No features found on this proxy'],
    ['none of them runs', () => offering({ dns: { state: 'failed' } }), 'No features found on this proxy'],
    ['the pages are not there', () => `${peer.url}/${unique('nothing')}`, '404 Not Found'],
    ['it answers something else', () => offering(['x']), 'the answer is not a list of features'],
    ['it answers text', () => page((response) => response.end('hello')), 'the answer is not a list of features'],
    ['it redirects', () => page((response) => response.writeHead(302, { location: peer.url }).end()), '404 Not Found'],
    ['it hangs up', () => page((response) => response.socket?.resetAndDestroy()), 'the connection was lost'],
    ['it pours', () => page((response) => response.end(`"${'x'.repeat(1_000_000)}"`)), 'the answer is too large'],
  ])('is refused when %s', async (_case, url, said) => {
    const { status, body } = await post({ name: unique('proxy'), url: await url() })
    expect(status).toBe(422)
    expect(body.error.id).toBe(null)
    expect(Object.keys(body.error.errors)).toEqual(['base'])
    expect(body.error.errors.base[0]).toContain(said)
    if (!said.startsWith('No features')) {
      expect(body.error.errors.base[0]).toMatch(/^Unable to communicate with the proxy: /)
      expect(body.error.errors.base[1]).toBe('Please check the proxy is configured and running on the host.')
    }
  })

  const offering = (described: unknown) => page(json(described))
  const page = (behaviour: Behaviour) => {
    const base = `/${unique('site')}`
    peer.offer({ [`${base}/v2/features`]: behaviour })
    return `${peer.url}${base}`
  }

  test('that never answers is given up after the time of the settings', async () => {
    await api.admin.put('/api/settings/proxy_request_timeout', { value: 1 })
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    try {
      await once(silent, 'listening')
      const { port } = silent.address() as AddressInfo // it listens on a port
      const { status, body } = await post({ name: unique('proxy'), url: `http://127.0.0.1:${port}` })
      expect(status).toBe(422)
      expect(body.error.errors.base[0]).toBe('Unable to communicate with the proxy: timed out after 1 s')
    } finally {
      silent.close()
      await api.admin.put('/api/settings/proxy_request_timeout', { value: 60 })
    }
  })

  test('has a web address of its own, without user and password', async () => {
    const errorsOf = async (url: unknown) => (await post({ name: unique('proxy'), url })).body.error?.errors
    for (const url of [
      'ftp://x.example.test',
      'x.example.test',
      'http://',
      'http://a b',
      'http://x/?a=1',
      'http://x/#a',
    ])
      expect({ url, errors: await errorsOf(url) }).toEqual({
        url,
        errors: { url: ['URL must be valid and schema must be one of http and https'] },
      })
    expect(Object.keys(await errorsOf(''))).toEqual(['url'])
    expect((await errorsOf('http://me:secret@x.example.test'))?.url[0]).toContain(
      'must not carry a user and a password',
    )
    const { proxy } = await proxyThatOffers({ dns: running() })
    expect(await errorsOf(`${proxy.url}/`)).toEqual({ url: ['has already been taken'] })
    const { body } = await post({ name: proxy.name, url: unreachable(), runner: 'ssh' })
    expect(body.error.errors).toEqual({ name: ['has already been taken'] })
  })
})

describe('a stored smart proxy', () => {
  test('is asked again when its URL changes, and only then', async () => {
    const { base, proxy } = await proxyThatOffers({ dns: running() })
    peer.asked.length = 0
    expect((await put(proxy.id, { url: `${peer.url}${base}/`, name: unique('renamed') })).status).toBe(200)
    expect(peer.asked).toEqual([])
    const moved = `/${unique('site')}`
    peer.offer({ [`${moved}/v2/features`]: json({ tftp: running() }) })
    const { body } = await put(proxy.id, { url: `${peer.url}${moved}` })
    expect(namesOf(body)).toEqual(['TFTP'])
    const { status, body: refused } = await put(proxy.id, { url: unreachable() })
    expect({ status, id: refused.error.id }).toEqual({ status: 422, id: proxy.id })
    expect((await api.admin.get(`/api/smart_proxies/${proxy.id}`)).body).toEqual(body)
  })

  test('belongs to each new organization if its content is no mirror', async () => {
    const offering = async (mirror: boolean) => (await proxyThatOffers({ logs: running([], { mirror }) })).proxy
    const [content, mirror] = [await offering(false), await offering(true)]
    const idsOf = ({ smart_proxies }: { smart_proxies: { id: number }[] }) => smart_proxies.map(({ id }) => id)
    const create = (organization: object) => expectCreated(api.admin.post('/api/organizations', { organization }))
    expect(idsOf(await create({ name: unique('served') }))).toEqual([content.id])
    const both = await create({ name: unique('served'), smart_proxy_ids: [mirror.id, content.id] })
    expect(idsOf(both).sort()).toEqual([content.id, mirror.id].sort())
    const location = await expectCreated(api.admin.post('/api/locations', { location: { name: unique('bare') } }))
    expect(idsOf(location)).toEqual([])
    await api.admin.delete(`/api/smart_proxies/${content.id}`)
  })

  test('is asked by refresh', async () => {
    const { base, proxy } = await proxyThatOffers({ dns: running(), dhcp: running(['a']) })
    const refresh = () => api.admin.put(`/api/smart_proxies/${proxy.id}/refresh`)
    const unchanged = await refresh()
    expect(unchanged.status).toBe(200)
    expect(unchanged.body.features).toEqual(proxy.features)
    expect(unchanged.body.updated_at).toBe(proxy.updated_at)
    peer.offer({ [`${base}/v2/features`]: json({ dhcp: running(['b']), logs: running() }) })
    const { body } = await refresh()
    expect(body.features).toMatchObject([{ name: 'DHCP', capabilities: ['b'] }, { name: 'Logs' }])
    peer.offer({})
    const { status, body: refused } = await refresh()
    expect(status).toBe(422)
    expect(refused.error).toMatchObject({
      id: proxy.id,
      errors: { base: [expect.stringContaining('404 Not Found'), expect.any(String)] },
    })
    expect((await api.admin.get(`/api/smart_proxies/${proxy.id}`)).body.features).toEqual(body.features)
  })

  test('is known to be ill from the first failure until it answers again', async () => {
    const { base, proxy } = await proxyThatOffers({ dns: running() })
    const elsewhere = await api.can(['view_smart_proxies'])
    const refresh = () => api.admin.put(`/api/smart_proxies/${proxy.id}/refresh`)
    const ill = async (caller = api.admin) =>
      (await caller.get('/api/states')).body.smart_proxies.filter(({ id }: Shown) => id === proxy.id)
    expect(await ill()).toEqual([])
    peer.offer({})
    expect((await refresh()).status).toBe(422)
    const [first] = await ill()
    expect(first).toEqual({
      ...{ id: proxy.id, name: proxy.name, message: '404 Not Found' },
      since: expect.stringMatching(/ UTC$/),
    })
    expect(await ill(elsewhere)).toEqual([])
    expect((await refresh()).status).toBe(422)
    expect(await ill()).toEqual([first])
    peer.offer({ [`${base}/v2/features`]: json({ dns: running() }) })
    expect((await refresh()).status).toBe(200)
    expect(await ill()).toEqual([])
  })

  test('is refreshed by those only who may edit it', async () => {
    const { proxy } = await proxyThatOffers({ dns: running() })
    const viewer = await api.can(['view_smart_proxies'])
    expect((await viewer.put(`/api/smart_proxies/${proxy.id}/refresh`)).status).toBe(403)
    const elsewhere = await api.can(['edit_smart_proxies'], { search: 'name = nothing' })
    peer.asked.length = 0
    expect((await elsewhere.put(`/api/smart_proxies/${proxy.id}/refresh`)).status).toBe(404)
    expect(peer.asked).toEqual([])
  })

  test('stays while something refers to it', async () => {
    const proxy = await given(api.admin, 'smart_proxy')
    const domain = await given(api.admin, 'domain', { dns_id: proxy.id })
    const subnet = await given(api.admin, 'subnet', { tftp_id: proxy.id })
    const realm = await given(api.admin, 'realm', { realm_proxy_id: proxy.id })
    const { status, body } = await api.admin.delete(`/api/smart_proxies/${proxy.id}`)
    expect(status).toBe(422)
    expect(body.error.errors.base.sort()).toEqual(
      [domain, subnet, realm].map(({ name }) => `${proxy.name} is used by ${name}`).sort(),
    )
  })
})

describe('runners', () => {
  test('by SSH or command need nobody at the URL', async () => {
    const ssh = await expectCreated(post({ name: unique('proxy'), url: unreachable(), runner: 'ssh' }))
    expect(ssh).toMatchObject({ runner: 'ssh', runner_command: [], features: [], ssh_port: null })
    const command = await expectCreated(
      post({
        name: unique('proxy'),
        url: unreachable(),
        runner: 'command',
        runner_command: ['/usr/bin/true', '--host', '%{host}'],
        run_timeout: 600,
      }),
    )
    expect(command.runner_command).toEqual(['/usr/bin/true', '--host', '%{host}'])
    expect((await put(command.id, { url: unreachable() })).status).toBe(200)
  })

  test('of an unknown kind are refused, and null is the usual one', async () => {
    const { body } = await post({ name: unique('proxy'), url: unreachable(), runner: 'telnet' })
    expect(body.error.errors).toEqual({ runner: ['is not included in the list (proxy, ssh, command)'] })
    const proxy = await given(api.admin, 'smart_proxy')
    expect((await put(proxy.id, { runner: null })).body.runner).toBe('proxy')
  })

  test('start only what the configuration allows', async () => {
    const refused = async (runner_command: unknown) =>
      (await post({ name: unique('proxy'), url: unreachable(), runner: 'command', runner_command })).body.error?.errors
    const message =
      'must begin with a program that the configuration key run-commands allows (/usr/bin/true, /usr/local/bin/agent)'
    for (const command of [['/bin/sh', '-c', 'true'], ['true'], ['/usr/bin/../bin/true'], ['/usr/bin/true ']])
      expect(await refused(command)).toEqual({ runner_command: [message] })
    expect(await refused([])).toEqual({ runner_command: ["can't be blank"] })
    expect((await refused('/usr/bin/true'))?.runner_command[0]).toBe('must be a list of texts')
    expect((await refused(['/usr/bin/true', 'a\nb']))?.runner_command[0]).toBe('must not hold control characters')
    const ssh = await given(api.admin, 'smart_proxy', { runner_command: ['/bin/sh'] })
    expect((await put(ssh.id, { runner: 'command' })).body.error.errors).toEqual({ runner_command: [message] })
  })

  test('take nothing where nothing is allowed', async () => {
    const bare = await openTestApi()
    try {
      const body = { name: 'p', url: unreachable(), runner: 'command', runner_command: ['/usr/bin/true'] }
      const { body: refused } = await bare.admin.post('/api/smart_proxies', { smart_proxy: body })
      expect(refused.error.errors.runner_command[0]).toMatch(/allows \(none\)$/)
    } finally {
      await bare[Symbol.asyncDispose]()
    }
  })

  test('by SSH have a user, a port and a time limit of the right form', async () => {
    const errorsOf = async (body: object) =>
      Object.keys((await post({ name: unique('p'), url: unreachable(), runner: 'ssh', ...body })).body.error.errors)
    for (const body of [{ ssh_user: '-oProxyCommand=x' }, { ssh_user: 'a b' }, { ssh_user: 'x'.repeat(65) }])
      expect(await errorsOf(body)).toEqual(['ssh_user'])
    for (const ssh_port of [0, 65_536, 'x']) expect(await errorsOf({ ssh_port })).toEqual(['ssh_port'])
    for (const run_timeout of [0, 86_401]) expect(await errorsOf({ run_timeout })).toEqual(['run_timeout'])
  })
})

describe('the key for SSH', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const storedKey = async (id: number) =>
    (await row<{ ssh_key: string }>(api.database.db, sql`select ssh_key from smart_proxies where id = ${id}`))?.ssh_key

  test('is stored encrypted, and never comes out', async () => {
    const proxy = await given(api.admin, 'smart_proxy', { ssh_key: pem })
    const secret = pem.split('\n')[1] ?? ''
    expect(await storedKey(proxy.id)).toMatch(/^[0-9a-f]{8}\.[\w-]+\.2$/)
    expect(JSON.stringify(proxy)).not.toContain(secret)
    const shown = await api.admin.get(`/api/smart_proxies/${proxy.id}`)
    const audits = await api.admin.get(`/api/audits?search=${encodeURIComponent(`auditable_id = ${proxy.id}`)}`)
    const gone = await api.admin.delete(`/api/smart_proxies/${proxy.id}`)
    for (const { text } of [shown, audits, gone]) expect(text).not.toContain(secret)
    expect(audits.text).toContain('[redacted]')
    expect(gone.body).not.toHaveProperty('ssh_key')
  })

  test('is cleared by null, and stays otherwise', async () => {
    const proxy = await given(api.admin, 'smart_proxy', { ssh_key: pem })
    const before = await storedKey(proxy.id)
    await put(proxy.id, { ssh_user: 'deploy' })
    expect(await storedKey(proxy.id)).toBe(before)
    await put(proxy.id, { ssh_key: null })
    expect(await storedKey(proxy.id)).toBe(null)
  })

  test('is one that programs can use', async () => {
    const errorOf = async (ssh_key: unknown) =>
      (await post({ name: unique('proxy'), url: unreachable(), runner: 'ssh', ssh_key })).body.error?.errors
        ?.ssh_key?.[0]
    const sealed = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    expect(await errorOf(sealed)).toMatch(/^has a passphrase/)
    for (const text of ['key', pem.replace('END', 'FIN'), '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----'])
      expect(await errorOf(text)).toBe('is not a private key in PEM or OpenSSH format')
    const folder = mkdtempSync(join(tmpdir(), 'keys-'))
    try {
      for (const [name, passphrase, said] of [
        ['open', '', undefined],
        ['closed', 'secret', expect.stringMatching(/^has a passphrase/)],
      ] as const) {
        execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', join(folder, name)])
        expect(await errorOf(readFileSync(join(folder, name), 'utf8'))).toEqual(said)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
