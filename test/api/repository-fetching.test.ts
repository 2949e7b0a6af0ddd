import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'

// Content-api §8.4: settings about fetching the content of a repository, and credentials of its product. They are stored; nothing is fetched.

let api: TestApi
let product: Shown
beforeAll(async () => {
  api = await openTestApi()
  product = await given(api.admin, 'product')
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PATH = '/content/api/repositories'
const PRODUCTS = '/content/api/products'
const CREDENTIALS = ['gpg_key', 'ssl_ca_cert', 'ssl_client_cert', 'ssl_client_key']
const sent = (body: Body) => api.admin.post(PATH, { name: unique('repo'), product_id: product.id, ...body })
const productInPlace = (): Body => ({ organization_id: product.organization_id, name: unique('product') })
const yum = (body: Body) => sent({ content_type: 'yum', ...body })

test.each<readonly [string, Body]>([
  ['yum', { checksum_type: 'sha256', ignorable_content: ['srpm', 'drpm'], verify_ssl_on_sync: false }],
  ['docker', { docker_upstream_name: 'library/ünïx', docker_tags_whitelist: ['latest', '1.2'] }],
  ['deb', { deb_releases: 'trixie', deb_components: 'main contrib', deb_architectures: 'amd64 arm64' }],
  [
    'ansible_collection',
    { ansible_collection_requirements: 'collections: []', ansible_collection_auth_url: 'https://a.test' },
  ],
  ['file', { download_concurrency: 20, upstream_username: 'reader', http_proxy_policy: 'none' }],
])('what a %s repository is told is shown, in lists too', async (content_type, told) => {
  const repository = await expectCreated(sent({ content_type, ...told }))
  expect(repository).toMatchObject(told)
  const { results } = (await api.admin.get(`${PATH}?product_id=${product.id}&per_page=all`)).body
  expect(results.find(({ id }: Shown) => id === repository.id)).toMatchObject(told)
})

test.each<readonly [Body, string]>([
  [{ docker_upstream_name: 'a' }, 'docker_upstream_name'],
  [{ docker_tags_whitelist: ['a'] }, 'docker_tags_whitelist'],
  [{ deb_releases: 'a' }, 'deb_releases'],
  [{ ansible_collection_requirements: 'a' }, 'ansible_collection_requirements'],
  [{ ignorable_content: ['rpm', 'paper'] }, 'ignorable_content'],
  [{ checksum_type: 'md5' }, 'checksum_type'],
  [{ download_concurrency: 21 }, 'download_concurrency'],
  [{ verify_ssl_on_sync: 'perhaps' }, 'verify_ssl_on_sync'],
  [{ http_proxy_policy: 'mine' }, 'http_proxy_policy'],
  [{ http_proxy_policy: 'use_selected_http_proxy' }, 'http_proxy_id'],
])('%j is refused for packages', async (told, key) => {
  const { status, body } = await yum(told)
  expect([status, Object.keys(body.errors)]).toEqual([422, [key]])
  expect((await yum({ [key]: null })).status).toBe(201)
})

test('an HTTP proxy goes with its policy, and stays while a repository names it', async () => {
  const proxy = await given(api.admin, 'http_proxy')
  const refused = await yum({ http_proxy_id: proxy.id })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['http_proxy_id']])
  const chosen = { http_proxy_policy: 'use_selected_http_proxy', http_proxy_id: proxy.id }
  const repository = await expectCreated(yum(chosen))
  expect(repository).toMatchObject({ ...chosen, http_proxy_name: proxy.name })
  expect((await api.admin.delete(`/api/http_proxies/${proxy.id}`)).status).toBe(422)
  const { body } = await api.admin.put(`${PATH}/${repository.id}`, { http_proxy_policy: 'none' })
  expect(body).toMatchObject({ http_proxy_policy: 'none', http_proxy_id: null, http_proxy_name: null })
  expect((await api.admin.delete(`/api/http_proxies/${proxy.id}`)).status).toBe(200)
})

const OWNERS: Readonly<Record<string, { path: string; refusal: string; create: (body: Body) => Promise<Reply> }>> = {
  repository: { path: PATH, refusal: 'must be of the organization of the product', create: yum },
  product: {
    path: PRODUCTS,
    refusal: 'belongs to another organization',
    create: (body) => api.admin.post(PRODUCTS, { ...productInPlace(), ...body }),
  },
}

test.each(Object.entries(OWNERS))(
  'credentials of a %s are those of its organization, and go without it',
  async (...of) => {
    const [name, { path, refusal, create }] = of
    const own = await given(api.admin, 'content_credential', { organization_id: product.organization_id })
    const organization = await given(api.admin, 'organization')
    const foreign = await given(api.admin, 'content_credential', { organization_id: organization.id })
    const named = Object.fromEntries(CREDENTIALS.map((key) => [`${key}_id`, own.id]))
    const made = await expectCreated(create(named))
    expect(made).toMatchObject({ ...named, gpg_key: { id: own.id, name: own.name } })
    const url = `${path}/${made.id}`
    for (const key of Object.keys(named)) {
      const { status, body } = await api.admin.put(url, { [key]: foreign.id })
      expect([status, body.errors]).toEqual([422, { [key]: [refusal] }])
      // A new product looks for its credentials within its organization, where there is no such one.
      expect((await create({ [key]: foreign.id })).status).toBe(name === 'product' ? 404 : 422)
      expect((await api.admin.put(url, { [key]: null })).body).toMatchObject({ ...named, [key]: null })
      await api.admin.put(url, { [key]: own.id })
    }
    await api.admin.delete(`/content/api/content_credentials/${own.id}`)
    const gone = Object.fromEntries(Object.keys(named).map((key) => [key, null]))
    expect((await api.admin.get(url)).body).toMatchObject({ ...gone, gpg_key: null })
  },
)

test('a product shows its credentials as objects, in lists as ids', async () => {
  const { organization_id } = product
  const [key, certificate] = [
    await given(api.admin, 'content_credential', { organization_id }),
    await given(api.admin, 'content_credential', { organization_id, content_type: 'cert' }),
  ]
  const ids = {
    gpg_key_id: key.id,
    ssl_ca_cert_id: certificate.id,
    ssl_client_cert_id: certificate.id,
    ssl_client_key_id: certificate.id,
  }
  const made = await expectCreated(api.admin.post(PRODUCTS, { ...productInPlace(), ...ids }))
  const object = ({ id, name }: Shown) => ({ id, name })
  expect(made).toMatchObject({
    ...ids,
    gpg_key: object(key),
    ssl_ca_cert: object(certificate),
    ssl_client_cert: object(certificate),
    ssl_client_key: object(certificate),
  })
  const { results } = (await api.admin.get(`${PRODUCTS}?organization_id=${organization_id}&per_page=all`)).body
  const row = results.find(({ id }: Shown) => id === made.id)
  expect(row).toMatchObject(ids)
  expect(Object.keys(row)).not.toContain('gpg_key')
  expect((await expectCreated(yum({ product_id: made.id }))).gpg_key_id, 'a repository names its own').toBe(null)
})
