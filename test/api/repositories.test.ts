import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'

// Content-api §8.4: repositories, their content, and repository sets.

let api: TestApi
let organization: Shown
let product: Shown
beforeAll(async () => {
  api = await openTestApi()
  organization = await given(api.admin, 'organization', { name: 'Test Organization' })
  product = await given(api.admin, 'product', { organization_id: organization.id, name: 'Test Product' })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PATH = '/content/api/repositories'
const SETS = '/content/api/repository_sets'
const sent = (body: Body = {}) =>
  api.admin.post(PATH, { name: unique('repo'), product_id: product.id, content_type: 'yum', ...body })
const made = (body: Body = {}): Promise<Shown> => expectCreated(sent(body))
const idsAt = async (path: string): Promise<number[]> =>
  (await api.admin.get(path)).body.results.map(({ id }: Shown) => id)
const errorsOf = async (body: Body) => (await sent(body)).body.errors

test('a repository in all of its answers', async () => {
  const repository = await made({
    name: 'Test Repository',
    url: 'https://example.test/repo/',
    minor: '8.4',
    os_versions: ['rhel-8'],
  })
  const { default_content_view_id, library_id } = (await api.admin.get(`/content/api/organizations/${organization.id}`))
    .body
  expect(repository).toMatchObject({
    name: 'Test Repository',
    label: 'Test_Repository',
    content_type: 'yum',
    url: 'https://example.test/repo/',
    arch: 'noarch',
    major: 8,
    minor: '8.4',
    os_versions: ['rhel-8'],
    download_policy: 'on_demand',
    mirroring_policy: 'additive',
    unprotected: true,
    content_id: expect.stringMatching(/^\d+$/),
    content_label: 'Test_Organization_Test_Product_Test_Repository',
    product: { id: product.id, cp_id: product.cp_id, name: 'Test Product', redhat: false },
    organization: { id: organization.id, label: 'Test_Organization' },
    content_view: { id: default_content_view_id, name: 'Default Organization View' },
    content_view_version: { name: 'Default Organization View 1.0' },
    environment: { id: library_id, name: 'Library' },
    relative_path: 'Test_Organization/Library/custom/Test_Product/Test_Repository',
    published_in_versions: [],
    permissions: { deletable: true, editable: true },
  })
  expect((await api.admin.get(`${PATH}/${repository.id}`)).body).toEqual(repository)
  const below = `/content/api/products/${product.id}/repositories`
  const listed = await api.admin.get(`${below}?search=name%3D%22Test+Repository%22&per_page=4294967296`)
  expect(listed.body).toMatchObject({ subtotal: 1, sort: { by: 'name', order: 'asc' } })
  expect(listed.body.results).toMatchObject([{ id: repository.id, content_label: repository.content_label }])
})

describe('content', () => {
  const setOf = async ({ content_id }: Shown) => (await api.admin.get(`${SETS}/${content_id}`)).body

  test('comes with kinds that hosts subscribe to, follows the name, and goes with the repository', async () => {
    const repository = await made({ name: 'Old name' })
    expect(await setOf(repository)).toMatchObject({
      id: repository.content_id,
      name: 'Old name',
      label: 'Test_Organization_Test_Product_Old_name',
      vendor: 'Custom',
      type: 'yum',
      contentUrl: '/custom/Test_Product/Old_name',
      enabled: false,
      product: { id: product.id, name: 'Test Product' },
    })
    await api.admin.put(`${PATH}/${repository.id}`, { name: 'New name' })
    expect(await setOf(repository)).toMatchObject({
      name: 'New name',
      label: 'Test_Organization_Test_Product_Old_name',
      contentUrl: '/custom/Test_Product/Old_name',
    })
    expect((await api.admin.delete(`${PATH}/${repository.id}`)).status).toBe(200)
    expect((await api.admin.get(`${SETS}/${repository.content_id}`)).status).toBe(404)
  })

  test.each(['file', 'docker', 'python', 'ansible_collection'])(
    'does not come with a repository of type %s',
    async (content_type) => {
      expect(await made({ content_type })).toMatchObject({ content_id: null, content_label: null })
    },
  )

  test('has a label of its own where products and repositories would share one', async () => {
    const names = [
      ['a', 'b_c'],
      ['a_b', 'c'],
    ] as const
    const labels = []
    for (const [productName, name] of names) {
      const { id } = await given(api.admin, 'product', { organization_id: organization.id, name: productName })
      labels.push((await made({ product_id: id, name })).content_label)
    }
    expect(labels).toEqual(['Test_Organization_a_b_c', expect.stringMatching(/^Test_Organization_a_b_c_\d+$/)])
  })
})

describe('refusals', () => {
  test('names and labels are unique in the product', async () => {
    const repository = await made({ name: 'once', label: 'once' })
    const taken = ['has already been taken for this product.']
    expect(await errorsOf({ name: 'once' })).toEqual({ name: taken })
    expect(await errorsOf({ label: 'once' })).toEqual({ label: taken })
    const other = await given(api.admin, 'product', { organization_id: organization.id })
    await made({ name: 'once', label: 'once', product_id: other.id })
    const changes = { label: 'twice', content_type: 'deb', product_id: other.id }
    for (const [key, value] of Object.entries(changes))
      expect((await api.admin.put(`${PATH}/${repository.id}`, { [key]: value })).body.errors).toEqual({
        [key]: ['cannot be changed.'],
      })
  })

  test.each([
    [{ url: 'example.test/repo' }, 'url', /^must be an address that begins with http/],
    [{ url: 'ssh://example.test/repo' }, 'url', /^must be an address/],
    [{ url: 'https://user:secret@example.test/' }, 'url', /user name or password/],
    [{ content_type: 'rpm' }, 'content_type', /is not included in the list \(yum, deb/],
    [{ content_type: 'file', arch: 'x86_64' }, 'arch', /^cannot be set for repositories of type 'file'$/],
    [{ content_type: 'deb', os_versions: ['rhel-8'] }, 'os_versions', /type 'deb'/],
    [{ content_type: 'python', download_policy: 'immediate' }, 'download_policy', /type 'python'/],
    [{ download_policy: 'background' }, 'download_policy', /immediate, on_demand/],
    [{ content_type: 'deb', mirroring_policy: 'mirror_complete' }, 'mirroring_policy', /type 'deb'/],
    [{ content_type: 'docker', unprotected: false }, 'unprotected', /^must be true/],
    [{ minor: '8 4' }, 'minor', /^must be a release such as/],
  ])('%j', async (body, field, message) => {
    expect(await errorsOf(body)).toEqual({ [field]: [expect.stringMatching(message)] })
  })

  test('blank is as good as nothing', async () => {
    const repository = await made({ url: 'https://example.test/', minor: '8.4' })
    const { body } = await api.admin.put(`${PATH}/${repository.id}`, { url: '', minor: ' ', arch: '' })
    expect(body).toMatchObject({ url: null, minor: null, arch: 'noarch', major: 8 })
  })

  test('a repository of a published version cannot be deleted', async () => {
    const repository = await made()
    const version = await published(repository.id, 'Base')
    const refused = await api.admin.delete(`${PATH}/${repository.id}`)
    expect(refused).toMatchObject({ status: 422, body: { errors: { base: [expect.stringMatching(/: Base 1\.0$/)] } } })
    expect((await api.admin.get(`${PATH}/${repository.id}`)).body.published_in_versions).toMatchObject([version])
  })

  test('an unknown product, and one of another organization, are as good as none', async () => {
    expect(await sent({ product_id: 999_999 })).toMatchObject({
      status: 404,
      body: { displayMessage: "Couldn't find product '999999'" },
    })
    const elsewhere = await given(api.admin, 'organization')
    const asked = await api.admin.post(`${PATH}?organization_id=${elsewhere.id}`, {
      name: 'x',
      product_id: product.id,
      content_type: 'yum',
    })
    expect(asked.status).toBe(404)
  })
})

describe('lists', () => {
  test('are filtered by what repositories are in', async () => {
    const place = await given(api.admin, 'organization')
    const { id } = await given(api.admin, 'product', { organization_id: place.id })
    const [one, other] = [await made({ product_id: id }), await made({ product_id: id, content_type: 'file' })]
    const version = await published(one.id, 'Only one', place.id)
    const here = `organization_id=${place.id}`
    const { default_content_view_id, library_id } = (await api.admin.get(`/content/api/organizations/${place.id}`)).body
    expect(await idsAt(`${PATH}?${here}`)).toEqual([one.id, other.id])
    expect(await idsAt(`/content/api/organizations/${place.id}/repositories`)).toEqual([one.id, other.id])
    const above = await given(api.admin, 'organization')
    await api.admin.put(`/api/organizations/${place.id}`, { organization: { parent_id: above.id } })
    expect(await idsAt(`${PATH}?organization_id=${above.id}`)).toEqual([])
    expect((await api.admin.get(`${PATH}/${one.id}?organization_id=${above.id}`)).status).toBe(200)
    expect(await idsAt(`${PATH}?${here}&content_type=file`)).toEqual([other.id])
    expect(await idsAt(`${PATH}?${here}&name=${one.name}`)).toEqual([one.id])
    expect(await idsAt(`${PATH}?${here}&library=true`)).toEqual([one.id, other.id])
    expect(await idsAt(`${PATH}?content_view_version_id=${version.id}`)).toEqual([one.id])
    expect(await idsAt(`${PATH}?content_view_id=${default_content_view_id}`)).toEqual([one.id, other.id])
    expect(await idsAt(`/content/api/environments/${library_id}/repositories`)).toEqual([one.id, other.id])
    expect(await idsAt(`${PATH}?${here}&search=content_label+~+${one.label}`)).toEqual([one.id])
  })

  test('show those of products that the caller may see', async () => {
    const [seen, hidden] = [
      await given(api.admin, 'product', { organization_id: organization.id, name: 'seen' }),
      await given(api.admin, 'product', { organization_id: organization.id, name: 'unseen' }),
    ]
    const [one, other] = [await made({ product_id: seen.id }), await made({ product_id: hidden.id })]
    const viewer = await api.can(['view_products'], { search: 'name = seen', organization_ids: [organization.id] })
    const { body } = await viewer.get(PATH)
    expect(body).toMatchObject({ total: 1, results: [{ id: one.id }] })
    expect((await viewer.get(`${PATH}/${other.id}`)).status).toBe(404)
    expect((await viewer.post(PATH, { name: 'x', product_id: seen.id, content_type: 'yum' })).status).toBe(403)
    const editor = await api.can(['view_products', 'edit_products'], {
      search: 'name = seen',
      organization_ids: [organization.id],
    })
    expect((await editor.post(PATH, { name: 'x', product_id: seen.id, content_type: 'yum' })).status).toBe(201)
    expect((await editor.post(PATH, { name: 'x', product_id: hidden.id, content_type: 'yum' })).status).toBe(422)
    const sets = await viewer.get(`${SETS}?organization_id=${organization.id}`)
    expect(new Set(sets.body.results.map((set: Shown) => set.product.id))).toEqual(new Set([seen.id]))
  })
})

describe('repository sets', () => {
  test('are listed for an organization, a product, and a key', async () => {
    const place = await given(api.admin, 'organization')
    const [one, other] = [
      await given(api.admin, 'product', { organization_id: place.id }),
      await given(api.admin, 'product', { organization_id: place.id }),
    ]
    const [first, second] = [await made({ product_id: one.id }), await made({ product_id: other.id })]
    const labels = async (path: string) => (await api.admin.get(path)).body.results.map(({ label }: Shown) => label)
    expect(await labels(`${SETS}?organization_id=${place.id}`)).toEqual([first.content_label, second.content_label])
    expect(await labels(`/content/api/products/${one.id}/repository_sets`)).toEqual([first.content_label])
    expect(await labels(`${SETS}?product_id=${other.id}&with_custom=true`)).toEqual([second.content_label])
    const key = await given(api.admin, 'activation_key', { organization_id: place.id })
    expect(await labels(`${SETS}?activation_key_id=${key.id}`)).toEqual([])
    expect(await labels(`${SETS}?activation_key_id=${key.id}&content_access_mode_all=true`)).toHaveLength(2)
    const host = await given(api.admin, 'host', { organization_id: place.id })
    const [pool] = (await api.admin.get(`/content/api/subscriptions?organization_id=${place.id}&name=${other.name}`))
      .body.results
    await sql`insert into host_entitlements values (${host.id}, ${pool.id}, 1)`.execute(api.database.db)
    expect(await labels(`${SETS}?host_id=${host.id}`)).toEqual([second.content_label])
    expect(await labels(`${SETS}?host_id=${host.id}&content_access_mode_all=true`)).toHaveLength(2)
    expect(
      await labels(`${SETS}?host_id=${host.id}&content_access_mode_all=true&content_access_mode_env=true`),
    ).toEqual([])
    expect((await api.admin.get(SETS)).status).toBe(404)
  })
})

/** Publishes a new content view that has the repository, and yields the version. */
async function published(repositoryId: number, name: string, place = organization.id): Promise<{ id: number }> {
  const found = await sql<{ id: number }>`
    with view as (
      insert into content_views (organization_id, name, next_version) values (${place}, ${name}, 2) returning id
    ), version as (
      insert into content_view_versions (content_view_id, major) select id, 1 from view returning id
    )
    insert into content_view_version_repositories select version.id, ${repositoryId}::bigint from version
    returning content_view_version_id as id`.execute(api.database.db)
  const [version] = found.rows
  if (!version) throw new Error('nothing was published')
  return version
}
