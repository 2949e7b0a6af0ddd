import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BothListeners, openBothListeners } from './support.ts'

let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

interface Parameter {
  readonly name: string
  readonly expected_type: string
  readonly params?: readonly Parameter[]
}

interface Described {
  readonly docs: {
    readonly resources: Readonly<Record<string, { readonly methods: readonly Method[] }>>
  }
}

interface Method {
  readonly apis: readonly { readonly http_method: string; readonly api_url: string }[]
  readonly params: readonly Parameter[]
}

/** Lists every key that ends like an id in the described bodies that create records, with the keys that lead to it. */
async function listKeys(): Promise<{ url: string; keys: readonly string[] }[]> {
  const { body } = (await api.theirs.get('/apidoc/v2.json')) as { body: Described }
  return Object.values(body.docs.resources).flatMap(({ methods }) =>
    methods.flatMap(({ apis, params }) =>
      apis
        .filter(({ http_method, api_url }) => http_method === 'POST' && !api_url.includes(':'))
        .flatMap(({ api_url: url }) => listIdsIn(params, []).map((keys) => ({ url, keys }))),
    ),
  )
}

function listIdsIn(params: readonly Parameter[], above: readonly string[]): string[][] {
  return params.flatMap(({ name, expected_type, params: inner = [] }) => [
    ...(/_ids?$/.test(name) ? [[...above, name]] : []),
    ...listIdsIn(inner, [...above, name, ...(expected_type === 'array' ? ['[]'] : [])]),
  ])
}

test('text where an id stands is refused, in words that say what is allowed', async () => {
  const keys = await listKeys()
  expect(keys.length).toBeGreaterThan(200)
  const wrong: string[] = []
  for (const { url, keys: path } of keys) {
    for (const sent of (path.at(-1) ?? '').endsWith('_ids') ? [['abc'], ['abc', 1]] : ['abc']) {
      const body = path.reduceRight<unknown>((value, key) => (key === '[]' ? [value] : { [key]: value }), sent)
      const { status, text } = await api.theirs.post(url, body)
      if (status < 400 || status >= 500 || /Invalid input|\d{10}/.test(text)) {
        wrong.push(`${url} ${JSON.stringify(body)}: ${status} ${text}`)
      }
    }
  }
  expect(wrong).toEqual([])
})

const NO_TAXONOMY = "Couldn't find Taxonomy with 'id'=[0]"
const NO_LIST = 'Location must be a list of ids'
const NO_OBJECTS = 'Locations must be a list of objects with an id or a name'
const facet = (members: object) => ({ name: 'a.example.test', content_facet_attributes: members })

test.each<readonly [string, string, object, string]>([
  ['domains', 'domain', { location_ids: ['abc'] }, NO_TAXONOMY],
  ['domains', 'domain', { location_ids: ['abc', 'def'] }, NO_TAXONOMY],
  ['domains', 'domain', { location_ids: ['abc', 1] }, NO_LIST],
  ['domains', 'domain', { location_ids: ['1abc'] }, NO_LIST],
  ['domains', 'domain', { locations: [{ id: 'abc' }] }, NO_OBJECTS],
  ['domains', 'domain', { locations: [1] }, NO_OBJECTS],
  ['domains', 'domain', { dns_id: 'abc' }, 'Dns must be an integer'],
  ['hosts', 'host', { puppetclass_ids: ['abc'] }, "Couldn't find ForemanPuppet::Puppetclass with 'id'=[0]"],
  ['hosts', 'host', { host_collection_ids: ['abc'] }, 'Host collection must be a list of ids'],
  ['hosts', 'host', facet({ content_view_id: 'abc' }), 'attributes content_view_id must be a number'],
  ['hosts', 'host', facet({ content_view_id: -1 }), 'attributes content_view_id must be greater than 0'],
  ['organizations', 'organization', { user_ids: ['abc'] }, "Couldn't find User with 'id'=[0]"],
])('of %s, %s: %j', async (path, kind, sent, message) => {
  const { status, text } = await api.theirs.post(`/api/${path}`, { [kind]: { name: 'a.example.test', ...sent } })
  expect({ status, text }).toEqual({ status: 422, text: expect.stringContaining(message) })
})

test.each<readonly [string, object, string]>([
  ['content_views', { repository_ids: ['abc'] }, 'Repository must be a list of ids'],
  ['host_collections', { host_ids: ['abc'] }, 'Host must be a list of ids'],
  ['activation_keys', { host_collection_ids: ['abc', 1] }, 'Host collection must be a list of ids'],
])('of %s: %j', async (path, sent, message) => {
  const { status, text } = await api.theirs.post(`/katello/api/${path}`, { organization_id: 1, name: 'a', ...sent })
  expect({ status, text }).toEqual({ status: 422, text: expect.stringContaining(message) })
})
