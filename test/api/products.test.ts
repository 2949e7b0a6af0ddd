import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { row } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'

// Content-api §8.4: products, and their subscriptions.

let api: TestApi
let organization: Shown
beforeAll(async () => {
  api = await openTestApi()
  organization = await given(api.admin, 'organization')
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PATH = '/content/api/products'
const made = (body: Body = {}): Promise<Shown> =>
  expectCreated(api.admin.post(PATH, { organization_id: organization.id, name: unique('product'), ...body }))
const repository = (product: Shown, body: Body = {}) =>
  given(api.admin, 'repository', { product_id: product.id, content_type: 'yum', ...body })
const poolsOf = async (name: string) => {
  const query = `organization_id=${organization.id}&name=${encodeURIComponent(name)}`
  return (await api.admin.get(`/content/api/subscriptions?${query}`)).body.results
}
const auditsOf = async (type: string, id: number) => {
  const { body } = await api.admin.get(
    `/api/audits?search=${encodeURIComponent(`type = ${type} and auditable_id = ${id}`)}&order=id`,
  )
  return body.results.map(({ action }: { action: string }) => action)
}

test('a product in all of its answers', async () => {
  const product = await made({ name: 'Test Product', description: 'A happy little test product' })
  const row = {
    id: product.id,
    cp_id: expect.stringMatching(/^\d{12}$/),
    name: 'Test Product',
    label: 'Test_Product',
    description: 'A happy little test product',
    provider_id: null,
    sync_plan_id: null,
    sync_summary: {},
    gpg_key_id: null,
    ssl_ca_cert_id: null,
    ssl_client_cert_id: null,
    ssl_client_key_id: null,
    sync_state: null,
    last_sync: null,
    last_sync_words: null,
    organization_id: organization.id,
    organization: { name: organization.name, label: expect.any(String), id: organization.id },
    sync_plan: null,
    repository_count: 0,
  }
  expect(product).toMatchObject({
    ...row,
    redhat: false,
    repositories: [],
    product_content: [],
    published_content_view_ids: [],
    permissions: { view_products: true, edit_products: true, destroy_products: true, sync_products: true },
    active_task_count: 0,
  })
  const { body: shown } = await api.admin.get(`${PATH}/${product.id}?organization_id=${organization.id}`)
  expect(shown).toEqual(product)
  const below = `/content/api/organizations/${organization.id}/products`
  const listed = await api.admin.get(`${below}?search=name%3D%22Test+Product%22&per_page=4294967296`)
  expect(listed.body).toMatchObject({ subtotal: 1, selectable: 1, error: null, sort: { by: 'name', order: 'asc' } })
  expect(listed.body.results).toEqual([row])
})

test('a product shows its repositories and what hosts can switch', async () => {
  const product = await made()
  const { id, name, label } = await repository(product, { arch: 'x86_64' })
  const { body } = await api.admin.get(`${PATH}/${product.id}`)
  expect(body).toMatchObject({
    repository_count: 1,
    repositories: [{ id, name, label, content_type: 'yum', arch: 'x86_64' }],
    product_content: [{ enabled: false, product_id: product.id, content: { name, type: 'yum', vendor: 'Custom' } }],
  })
})

describe('its subscription', () => {
  test('is made with it, unlimited, and takes its new name', async () => {
    const product = await made({ name: 'Before' })
    const [pool] = await poolsOf('Before')
    expect(pool).toMatchObject({ quantity: -1, available: -1, consumed: 0, product_id: product.cp_id, type: 'NORMAL' })
    expect((await api.admin.put(`${PATH}/${product.id}`, { name: 'After' })).body).toMatchObject({
      name: 'After',
      label: 'Before',
      cp_id: product.cp_id,
    })
    expect(await poolsOf('Before')).toEqual([])
    expect(await poolsOf('After')).toMatchObject([{ id: pool.id, product_name: 'After' }])
    expect(await auditsOf('subscription', pool.id)).toEqual(['create', 'update'])
  })

  test('needs no permission of its own', async () => {
    const author = await api.can(['create_products', 'view_products'], { organization_ids: [organization.id] })
    const name = unique('of author')
    await expectCreated(author.post(PATH, { organization_id: organization.id, name }))
    expect(await poolsOf(name)).toHaveLength(1)
    expect((await author.get(`/content/api/subscriptions?organization_id=${organization.id}`)).status).toBe(403)
  })
})

test('audits are seen from within the organization', async () => {
  const product = await made()
  const { id } = await repository(product)
  const elsewhere = await given(api.admin, 'organization')
  const seen = async (place: Shown) => {
    const auditor = await api.can(['view_audit_logs', 'view_products'], { organization_ids: [place.id] })
    const wanted = (type: string, record: number) => `(type = ${type} and auditable_id = ${record})`
    const search = `${wanted('product', product.id)} or ${wanted('repository', id)}`
    return (await auditor.get(`/api/audits?search=${encodeURIComponent(search)}`)).body.subtotal
  }
  expect([await seen(organization), await seen(elsewhere)]).toEqual([2, 0])
})

describe('refusals', () => {
  test('names and labels are unique in the organization, labels never change', async () => {
    const product = await made({ name: 'Once', label: 'once_label' })
    expect(await api.admin.post(PATH, { organization_id: organization.id, name: 'Once' })).toMatchObject({
      status: 422,
      body: {
        displayMessage: 'Validation failed: Name has already been taken for a product in this organization.',
        errors: { name: ['has already been taken for a product in this organization.'] },
      },
    })
    const again = await api.admin.post(PATH, { organization_id: organization.id, name: 'Other', label: 'once_label' })
    expect(again.body.errors).toEqual({ label: ['has already been taken for a product in this organization.'] })
    const bad = await api.admin.post(PATH, { organization_id: organization.id, name: 'Other', label: 'a b' })
    expect(bad.body.errors).toEqual({ label: ["cannot contain characters other than ascii alpha numerals, '_', '-'."] })
    const changed = await api.admin.put(`${PATH}/${product.id}`, { label: 'new_label' })
    expect(changed).toMatchObject({ status: 422, body: { errors: { label: ['cannot be changed.'] } } })
    const elsewhere = await given(api.admin, 'organization')
    await expectCreated(api.admin.post(PATH, { organization_id: elsewhere.id, name: 'Once', label: 'once_label' }))
  })

  test('a product needs an organization, and is asked for in its own', async () => {
    const other = await given(api.admin, 'organization')
    const product = await made()
    expect(await api.admin.post(PATH, { name: 'nowhere' })).toMatchObject({
      status: 404,
      body: { displayMessage: 'One of parameters [ organization_id ] required but not specified.' },
    })
    const wrong = 'The requested resource does not belong to the specified Organization'
    for (const method of ['get', 'put'] as const)
      expect(await api.admin[method](`${PATH}/${product.id}?organization_id=${other.id}`)).toMatchObject({
        status: 400,
        body: { displayMessage: wrong, errors: [wrong] },
      })
    expect((await api.admin.get(`${PATH}/999999`)).body.displayMessage).toBe(
      'Could not find product resource with id 999999. Potential missing permissions: view_products',
    )
  })
})

describe('lists', () => {
  test('are filtered by name, label, and whether there are repositories', async () => {
    const place = await given(api.admin, 'organization')
    const [full, empty] = [await made({ organization_id: place.id }), await made({ organization_id: place.id })]
    await repository(full)
    const found = async (query: string) => {
      const { body } = await api.admin.get(`${PATH}?organization_id=${place.id}&${query}`)
      return { total: body.total, ids: body.results.map(({ id }: Shown) => id) }
    }
    expect(await found(`name=${full.name}`)).toEqual({ total: 1, ids: [full.id] })
    expect(await found(`label=${empty.label}`)).toEqual({ total: 1, ids: [empty.id] })
    expect(await found('enabled=true')).toEqual({ total: 1, ids: [full.id] })
    expect(await found('enabled=false')).toEqual({ total: 1, ids: [empty.id] })
    expect(await found('custom=false')).toEqual({ total: 0, ids: [] })
    expect((await api.admin.get(`${PATH}?enabled=maybe`)).status).toBe(400)
  })

  test('below a subscription have what it provides, below a key and a host what all of theirs do', async () => {
    const [one, other] = [await made(), await made()]
    const pool = await given(api.admin, 'subscription', {
      organization_id: organization.id,
      name: 'Both',
      provided_product_ids: [one.id, other.id],
    })
    const { body } = await api.admin.get(`/content/api/subscriptions/${pool.id}/products`)
    expect(body.results.map(({ id }: Shown) => id)).toEqual([one.id, other.id])
    const [own] = await poolsOf(one.name)
    const parameter = await api.admin.get(`${PATH}?subscription_id=${own.id}`)
    expect(parameter.body.results.map(({ id }: Shown) => id)).toEqual([one.id])
    const key = await given(api.admin, 'activation_key', { organization_id: organization.id })
    const host = await given(api.admin, 'host', { organization_id: organization.id })
    await sql`insert into activation_key_subscriptions values (${key.id}, ${own.id}, null)`.execute(api.database.db)
    await sql`insert into host_entitlements values (${host.id}, ${pool.id}, 1)`.execute(api.database.db)
    const below = async (path: string) =>
      (await api.admin.get(`/content/api/${path}/products`)).body.results.map(({ id }: Shown) => id)
    expect(await below(`activation_keys/${key.id}`)).toEqual([one.id])
    expect(await below(`hosts/${host.id}`)).toEqual([one.id, other.id])
    expect((await api.admin.get('/content/api/activation_keys/999999/products')).body.displayMessage).toBe(
      "Couldn't find activation key '999999'",
    )
  })
})

describe('deleting', () => {
  test('is a task that takes repositories, content and subscriptions along, each with an audit', async () => {
    const product = await made({ name: 'Gone' })
    const { id, content_id } = await repository(product)
    const [pool] = await poolsOf('Gone')
    const asked = await api.admin.delete(`${PATH}/${product.id}`)
    expect(asked).toMatchObject({
      status: 202,
      body: {
        pending: true,
        action: `Delete product 'Gone'; organization '${organization.name}'`,
        input: { product: { id: product.id, name: 'Gone', label: 'Gone', cp_id: product.cp_id } },
      },
    })
    expect((await api.admin.get(`${PATH}/${product.id}`)).body.active_task_count).toBe(1)
    await api.finishTasks()
    const { body: task } = await api.admin.get(`/api/tasks/${asked.body.uuid}`)
    expect(task).toMatchObject({ state: 'stopped', result: 'success', humanized: { errors: [] } })
    expect((await api.admin.get(`${PATH}/${product.id}`)).status).toBe(404)
    expect((await api.admin.get(`/content/api/repositories/${id}`)).status).toBe(404)
    expect(await poolsOf('Gone')).toEqual([])
    expect(await row(api.database.db, sql`select id from contents where id = ${content_id}::bigint`)).toBeUndefined()
    expect(await auditsOf('product', product.id)).toEqual(['create', 'destroy'])
    expect(await auditsOf('repository', id)).toEqual(['create', 'destroy'])
    expect(await auditsOf('subscription', pool.id)).toEqual(['create', 'destroy'])
  })

  test('is refused while a published version has one of its repositories, also when that comes after the question', async () => {
    const product = await made({ name: 'Needed' })
    const { id } = await repository(product)
    const asked = await api.admin.delete(`${PATH}/${product.id}`)
    await publish(organization.id, id, 'Web')
    const message = 'Cannot delete product with repositories published in a content view. Product: Needed, Web 1.0'
    expect(await api.admin.delete(`${PATH}/${product.id}`)).toMatchObject({
      status: 422,
      body: { displayMessage: `Validation failed: ${message}`, errors: { base: [message] } },
    })
    await api.finishTasks()
    const { body: task } = await api.admin.get(`/api/tasks/${asked.body.uuid}`)
    expect(task).toMatchObject({ result: 'error', humanized: { errors: [message] } })
    expect((await api.admin.get(`${PATH}/${product.id}`)).body.repository_count).toBe(1)
  })

  test('takes the permission, at the time of the task as well', async () => {
    const product = await made()
    const place = { organization_ids: [organization.id] }
    const viewer = await api.can(['view_products'], place)
    expect((await viewer.delete(`${PATH}/${product.id}`)).status).toBe(403)
    const former = await api.can(['view_products', 'destroy_products'], place)
    const asked = await former.delete(`${PATH}/${product.id}`)
    expect(asked.status).toBe(202)
    await api.admin.put(`/api/users/${former.id}`, { user: { role_ids: [] } })
    await api.finishTasks()
    expect((await api.admin.get(`/api/tasks/${asked.body.uuid}`)).body.result).toBe('error')
    expect((await api.admin.get(`${PATH}/${product.id}`)).status).toBe(200)
  })
})

/** Publishes a new content view that has the repository. */
async function publish(organizationId: number, repositoryId: number, name: string): Promise<void> {
  await sql`
    with view as (
      insert into content_views (organization_id, name, next_version) values (${organizationId}, ${name}, 2) returning id
    ), version as (
      insert into content_view_versions (content_view_id, major) select id, 1 from view returning id
    )
    insert into content_view_version_repositories select version.id, ${repositoryId}::bigint from version`.execute(
    api.database.db,
  )
}
