import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CONFIG_CLASSES_PATH, CONFIG_ENGINE_PATH } from '../../src/words/protocols.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'
import { type HttpProxyPeer, startHttpProxy } from '../support/peers/http-proxy.ts'
import { type Behaviour, type ProxyPeer, startProxy } from '../support/peers/proxy.ts'

// Core-api §11: the settings `http_proxy` and `http_proxy_except_list`. Tests of tunnels are in test/runs/runners. The name
// of the smart proxy cannot be resolved, so that every request that arrives has come through the HTTP proxy.

let api: TestApi
let peer: ProxyPeer
let through: HttpProxyPeer
const NAME = 'proxy.example.test'

beforeAll(async () => {
  api = await openTestApi()
  peer = await startProxy()
  through = await startHttpProxy()
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
  await through?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  through.asked.length = 0
  await set('http_proxy', through.url)
  await set('http_proxy_except_list', [])
})

const set = (name: string, value: unknown) => api.admin.put(`/api/settings/${name}`, { setting: { value } })
const json =
  (value: unknown): Behaviour =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const create = (url: string) => api.admin.post('/api/smart_proxies', { smart_proxy: { name: unique('proxy'), url } })

/** Adds a path below the peer, so that each proxy has its own URL. */
function offer(): string {
  const base = `/${unique('site')}`
  const [engine = ''] = CONFIG_ENGINE_PATH.split('/')
  peer.offer({
    [`${base}/v2/features`]: json({ [engine]: { state: 'running', capabilities: [], settings: {} } }),
    [`${base}/${CONFIG_CLASSES_PATH}`]: json(['production']),
    [`${base}/${CONFIG_CLASSES_PATH}/production/classes`]: json([]),
  })
  return base
}

test('smart proxies are asked for their features and classes through the HTTP proxy', async () => {
  const url = `http://${NAME}:${peer.port}${offer()}`
  const { id, features } = await expectCreated(create(url))
  expect(features).toMatchObject([{ name: 'Config' }])
  expect((await api.admin.put(`/api/smart_proxies/${id}/refresh`)).status).toBe(200)
  const { status, text } = await api.admin.post(`/api/smart_proxies/${id}/import_configclasses`, {})
  expect(status, text).toBe(200)
  expect(through.asked).toEqual([
    `GET ${url}/v2/features`,
    `GET ${url}/v2/features`,
    `GET ${url}/${CONFIG_CLASSES_PATH}`,
    `GET ${url}/${CONFIG_CLASSES_PATH}/production/classes_and_errors`,
    `GET ${url}/${CONFIG_CLASSES_PATH}/production/classes`,
  ])
})

test('configuration runs are asked for through it', async () => {
  const url = `http://${NAME}:${peer.port}`
  peer.offer({ '/v2/features': json({ dns: { state: 'running' } }) })
  const place = {
    organization_id: (await given(api.admin, 'organization')).id,
    location_id: (await given(api.admin, 'location')).id,
  }
  const there = { organization_ids: [place.organization_id], location_ids: [place.location_id] }
  const proxy = await given(api.admin, 'smart_proxy', { url, runner: 'proxy', ...there })
  const host = await given(api.admin, 'host', { config_proxy_id: proxy.id, ...place })
  await set('configrun', true)
  await set('configrun_wait', 10)
  await using _workers = await api.startRunWorkers()
  const { status, text } = await api.admin.put(`/api/hosts/${host.id}/configrun`)
  expect(status, text).toBe(200)
  expect(through.asked.at(-1)).toBe(`POST ${url}/${CONFIG_ENGINE_PATH}`)
  expect(peer.asked.at(-1)).toMatchObject({ method: 'POST', body: `nodes=${host.name}` })
})

test('hosts of the list, and this machine, are asked without it', async () => {
  await set('http_proxy_except_list', ['other.example.test', '*.EXAMPLE.test'])
  const { status, body } = await create(`http://${NAME}:${peer.port}${offer()}`)
  expect(status).toBe(422)
  expect(body.error.errors.base[0]).toContain('the name cannot be resolved')
  expect((await create(`${peer.url}${offer()}`)).status).toBe(201)
  expect(through.asked).toEqual([])
})

test('blank, there is none', async () => {
  expect((await set('http_proxy', ' ')).body.value).toBe('')
  expect((await create(`http://${NAME}:${peer.port}${offer()}`)).status).toBe(422)
  expect(through.asked).toEqual([])
})

test.each([
  ...['proxy.example.test:3128', 'ftp://proxy.example.test', 'http://', 'http://proxy.example.test:99999'],
  ...['http://user:word@proxy.example.test', 'http://proxy.example.test/path', 'http://a b', 'socks5://a:1', 7],
])('%s is no HTTP proxy', async (value) => {
  const { status, body } = await set('http_proxy', value)
  expect(status).toBe(422)
  expect(body.error.message).toBe(
    'expected a value of type string: a URL like http://proxy.example.test:3128, without user, password and path',
  )
  expect((await api.admin.get('/api/settings/http_proxy')).body.value).toBe(through.url)
})

test('the list holds hosts, not URLs', async () => {
  for (const value of [['http://web.example.test'], ['a b'], 'a,b']) {
    const { status, body } = await set('http_proxy_except_list', value)
    expect([status, body.error.message]).toEqual([
      422,
      'expected a value of type array: names and addresses of hosts, in which * stands for any characters',
    ])
  }
  expect((await set('http_proxy_except_list', '192.0.2.*\n2001:db8::7')).body.value).toEqual([
    '192.0.2.*',
    '2001:db8::7',
  ])
})
