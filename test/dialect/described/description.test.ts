import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BothListeners, openBothListeners } from '../support.ts'
import { differences } from './compare.ts'
import { REASONS } from './reasons.ts'

let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api[Symbol.asyncDispose]())

test('differs from the recorded description only where there is a reason, and no reason is outlived', async () => {
  const found = differences((await api.stranger.get('/apidoc/v2.json')).text)
  expect(found.filter((difference) => !REASONS.some(([about]) => about.test(difference)))).toEqual([])
  expect(REASONS.filter(([about]) => !found.some((difference) => about.test(difference)))).toEqual([])
})

test('is the same in every language, and has one checksum', async () => {
  const [plain, english, german] = await Promise.all(
    ['v2.json', 'v2.en.json', 'v2.pt_BR.json'].map((name) => api.stranger.get(`/apidoc/${name}`)),
  )
  expect(plain).toMatchObject({ status: 200 })
  expect(english?.text === plain?.text && german?.text === plain?.text).toBe(true)
  const { checksum } = (await api.stranger.get('/apidoc/apipie_checksum')).body
  expect(checksum).toMatch(/^[0-9a-f]{32}$/)
  const again = await api.stranger.get('/apidoc/v2.json', { 'if-none-match': String(plain?.headers.etag) })
  expect(again).toMatchObject({ status: 304, text: '' })
  expect((await api.stranger.get('/apidoc/v1.json')).status).toBe(404)
})

test('has what clients want to find before they start', async () => {
  const { resources } = (await api.stranger.get('/apidoc/v2.json')).body.docs
  const parameters = (resource: string, action: string) =>
    resources[resource].methods.find(({ name }: Named) => name === action).params.map(({ name }: Named) => name)
  expect(parameters('hosts', 'update')).toContain('host')
  expect(parameters('home', 'status')).toEqual([])
  expect(parameters('organizations', 'update')).toContain('organization')
  expect(parameters('content_view_filter_rules', 'create')).toContain('content_view_filter_id')
  expect(parameters('activation_keys', 'create')).toContain('name')
  expect(Object.keys(resources)).toContain('subscriptions')
})

test('names no path that is not served, but those that clients only want to find', async () => {
  const { docs } = (await api.stranger.get('/apidoc/v2.json')).body
  const named = Object.entries<Described>(docs.resources).flatMap(([resource, { methods }]) =>
    methods.flatMap(({ apis }) => apis.map((each) => ({ resource, ...each }))),
  )
  expect(named.length).toBeGreaterThan(300)
  const missing = new Set<string>()
  for (const { resource, http_method, api_url } of named) {
    const url = api_url.replace(/:\w+/g, '999')
    const { status } = await api.stranger.send({ method: http_method as 'GET', url }) // inject wants a literal
    if (status === 404) missing.add(resource)
  }
  expect([...missing].sort()).toEqual(['flatpak_remotes', 'recurring_logics', 'report_templates'])
})

interface Described {
  readonly methods: readonly { readonly apis: readonly { readonly http_method: string; readonly api_url: string }[] }[]
}

interface Named {
  readonly name: string
}
