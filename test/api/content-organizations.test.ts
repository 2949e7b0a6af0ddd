import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'

// Content-api §8.5: organizations as the owners of content.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PATH = '/content/api/organizations'
const made = (body: Body = {}): Promise<Shown> => expectCreated(api.admin.post(PATH, { name: unique('Org'), ...body }))
const shown = async (id: number) => (await api.admin.get(`${PATH}/${id}`)).body

test('an organization in all of its answers', async () => {
  const organization = await made({ name: 'Test Organization', description: 'A test organization' })
  const plain = (await api.admin.get(`/api/organizations/${organization.id}`)).body
  expect(organization).toMatchObject({
    ...plain,
    label: 'Test_Organization',
    simple_content_access: true,
    service_level: null,
    service_levels: [],
    cdn_url: null,
    system_purposes: { addons: [], roles: [], usage: [], support_level: [], support_type: [] },
    owner_details: { key: 'Test_Organization', displayName: 'Test Organization', contentAccessMode: 'org_environment' },
    default_content_view_id: expect.any(Number),
    library_id: expect.any(Number),
  })
  expect(await shown(organization.id)).toEqual(organization)
  const { body } = await api.admin.get(`${PATH}?search=name%3D%22Test+Organization%22&per_page=4294967296`)
  const { id, label, name, title, description, created_at, updated_at } = organization
  expect(body).toMatchObject({ subtotal: 1 })
  expect(body.results).toEqual([{ id, label, name, title, description, created_at, updated_at }])
  expect((await api.admin.get(`${PATH}?search=label%3DTest_Organization`)).body.results).toHaveLength(1)
})

describe('labels', () => {
  test('are chosen once, by whoever makes the organization', async () => {
    const organization = await made({ label: 'own_label' })
    expect(organization.label).toBe('own_label')
    expect(await api.admin.put(`${PATH}/${organization.id}`, { label: 'another' })).toMatchObject({
      status: 422,
      body: {
        displayMessage: 'Validation failed: Label cannot be changed.',
        errors: { label: ['cannot be changed.'] },
      },
    })
    expect((await api.admin.put(`${PATH}/${organization.id}`, { label: 'own_label', description: 'x' })).status).toBe(
      200,
    )
    expect((await api.admin.post(PATH, { name: unique('Org'), label: 'own_label' })).body.errors).toEqual({
      label: ['has already been taken'],
    })
    expect((await api.admin.post(PATH, { name: unique('Org'), label: 'ö' })).status).toBe(422)
  })

  test('are made of names, also on the other side, and are random for what has no letters of theirs', async () => {
    const plain = await given(api.admin, 'organization', { name: 'Made (there)' })
    expect((await shown(plain.id)).label).toBe('Made_there_')
    expect((await made({ name: 'Großbetrieb' })).label).toMatch(/^[0-9a-f-]{36}$/)
    const below = await made({ name: 'Made there', parent_id: plain.id })
    expect(below).toMatchObject({ title: 'Made (there)/Made there', label: 'Made_there' })
  })
})

describe('simple content access', () => {
  test('is switched by a change, beside the object or in it, and by paths that answer with a finished task', async () => {
    const { id, name } = await made({ simple_content_access: false })
    const path = `${PATH}/${id}/simple_content_access`
    const status = async () => (await api.admin.get(`${path}/status`)).body.simple_content_access
    expect(await status()).toBe(false)
    const change = (body: Body) => api.admin.put(`${PATH}/${id}`, body)
    expect((await change({ simple_content_access: true, organization: { name } })).body.simple_content_access).toBe(
      true,
    )
    expect((await change({ organization: { simple_content_access: false } })).body).toMatchObject({
      simple_content_access: false,
      owner_details: { contentAccessMode: 'entitlement' },
    })
    expect(await api.admin.put(`${path}/enable`)).toMatchObject({
      status: 202,
      body: { state: 'stopped', result: 'success', pending: false, organization: { id, name } },
    })
    expect(await status()).toBe(true)
    expect((await api.admin.put(`${path}/disable`)).status).toBe(202)
    expect(await status()).toBe(false)
    expect((await api.admin.get(`${path}/eligible`)).body).toEqual({ simple_content_access_eligible: true })
    const viewer = await api.can(['view_organizations'], { organization_ids: [id] })
    expect((await viewer.put(`${path}/enable`)).status).toBe(403)
    expect((await viewer.get(`${path}/status`)).body).toEqual({ simple_content_access: false })
  })
})

describe('what its content is', () => {
  test('releases are those of repositories in the Library', async () => {
    const { id } = await made()
    const product = await given(api.admin, 'product', { organization_id: id })
    for (const minor of ['8.4', '7Server', '8.4', null])
      await given(api.admin, 'repository', { product_id: product.id, content_type: 'yum', minor })
    expect((await api.admin.get(`${PATH}/${id}/releases`)).body).toMatchObject({
      total: 2,
      subtotal: 2,
      results: ['7Server', '8.4'],
    })
  })

  test('service levels and purposes are those of its subscriptions', async () => {
    const { id, label } = await made()
    const change = (service_level: string) => api.admin.put(`${PATH}/${id}`, { service_level })
    expect((await change('Anything')).body.service_level).toBe('Anything')
    await given(api.admin, 'subscription', {
      organization_id: id,
      support_level: 'Premium',
      roles: 'Server, Workstation',
    })
    await given(api.admin, 'subscription', {
      organization_id: id,
      support_level: 'Standard',
      usage: 'Production',
      roles: 'Server',
    })
    expect(await shown(id)).toMatchObject({
      service_levels: ['Premium', 'Standard'],
      system_purposes: {
        roles: ['Server', 'Workstation'],
        usage: ['Production'],
        support_level: ['Premium', 'Standard'],
      },
    })
    expect(await change('Gold')).toMatchObject({
      status: 422,
      body: { errors: { service_level: [`"Gold" is not available to units of organization ${label}.`] } },
    })
    expect((await change('premium')).body.service_level).toBe('premium')
  })

  test('goes with it, unless it has hosts', async () => {
    const organization = await made()
    const product = await given(api.admin, 'product', { organization_id: organization.id })
    await given(api.admin, 'repository', { product_id: product.id, content_type: 'yum' })
    await given(api.admin, 'activation_key', { organization_id: organization.id })
    const host = await given(api.admin, 'host', { organization_id: organization.id })
    expect((await api.admin.delete(`${PATH}/${organization.id}`)).status).toBe(422)
    await api.admin.delete(`/api/hosts/${host.id}`)
    expect((await api.admin.delete(`${PATH}/${organization.id}`)).status).toBe(200)
    expect((await api.admin.get(`/content/api/products/${product.id}`)).status).toBe(404)
  })
})

test('paths below are about the organization they name', async () => {
  const { id } = await made()
  expect((await api.admin.get(`${PATH}/${id}/products`)).body).toMatchObject({ total: 0, results: [] })
  expect((await api.admin.get(`${PATH}/999999/products`)).status).toBe(404)
  expect((await api.admin.get(`${PATH}/999999`)).body.displayMessage).toMatch(/^Could not find /)
})
