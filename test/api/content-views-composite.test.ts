import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import type { Body, Shown } from '../support/given.ts'
import { type ContentWorld, contentWorld, done, VERSIONS, VIEWS } from './content-view-world.ts'

let api: TestApi
let world: ContentWorld
beforeAll(async () => {
  api = await openTestApi()
  world = await contentWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const componentsOf = (view: Shown) => `${VIEWS}/${view.id}/content_view_components`
const ids = (records: readonly Shown[]) => records.map(({ id }) => id)

async function add(view: Shown, ...components: readonly Body[]): Promise<Shown[]> {
  const { status, body } = await api.admin.put(`${componentsOf(view)}/add`, { components })
  expect([status, body]).toMatchObject([200, { page: null, per_page: null, sort: { by: null, order: null } }])
  return body.results
}

test('components are added, changed, listed and removed', async () => {
  const { view, published, publish } = world
  const [one, two] = [await published(), await view()]
  const whole = await view({ composite: true })
  const added = await add(
    whole,
    { content_view_id: one.view.id, content_view_version_id: one.version.id, latest: false },
    { content_view_id: two.id, latest: true },
  )
  expect(added).toMatchObject([
    {
      latest: false,
      composite_content_view: { id: whole.id, next_version: 1, latest_version: null, version_count: 0 },
      content_view: { id: one.view.id, next_version: 2, latest_version: '1.0', version_count: 1 },
      content_view_version: {
        id: one.version.id,
        version: '1.0',
        content_view_id: one.view.id,
        environments: [{ name: 'Library' }],
      },
      component_content_view_versions: [{ id: one.version.id, version: '1.0' }],
    },
    { latest: true, content_view: { id: two.id }, content_view_version: null, component_content_view_versions: [] },
  ])
  const [first, second] = ids(added)
  const path = componentsOf(whole)
  const second_version = await publish(one.view)
  const shown = async () => (await api.admin.get(`${path}/${first}`)).body
  expect((await shown()).content_view_version.id).toBe(one.version.id)
  expect((await api.admin.put(`${path}/${first}`, { latest: true })).body).toMatchObject({
    latest: true,
    content_view_version: { id: second_version.id },
  })
  const chosen = await api.admin.put(`${path}/${first}`, { content_view_version_id: one.version.id, latest: false })
  expect([chosen.status, chosen.body]).toMatchObject([
    200,
    { latest: false, content_view_version: { id: one.version.id } },
  ])
  const { body: list } = await api.admin.get(path)
  expect([ids(list.results).sort((a, b) => a - b), list.sort]).toEqual([[first, second], { by: 'label', order: 'asc' }])
  const { body: view_shown } = await api.admin.get(`${VIEWS}/${whole.id}`)
  expect(view_shown.component_ids).toEqual([one.version.id])
  expect(ids(view_shown.content_view_components)).toEqual([first, second])
  expect(view_shown.components).toMatchObject([{ id: one.version.id, content_view: { next_version: 3 } }])
  const removed = await api.admin.put(`${path}/remove`, { component_ids: [first] })
  expect([removed.status, ids(removed.body.results)]).toEqual([200, [second]])
  expect((await api.admin.put(`${path}/remove`, { component_ids: [first] })).status).toBe(404)
})

test('only versions of plain views of the organization are components, one of each view', async () => {
  const { view, published, publish, organization } = world
  const [part, other] = [await published(), await published()]
  const newer = await publish(part.view)
  const whole = await view({ composite: true })
  const refused = async (component: Body) => {
    const { status, body } = await api.admin.put(`${componentsOf(whole)}/add`, { components: [component] })
    expect(status).toBe(422)
    return body.errors
  }
  const base = 'content_view_components.base'
  expect(await refused({ content_view_id: part.view.id })).toEqual({ base: ['Must select either a version or latest'] })
  expect(await refused({ content_view_id: whole.id, latest: true })).toEqual({
    [base]: ['Cannot add composite versions to a composite content view'],
  })
  const list = await api.admin.get(`${VIEWS}?organization_id=${organization.id}&search=default%3Dtrue`)
  expect(await refused({ content_view_id: list.body.results[0].id, latest: true })).toEqual({
    [base]: ['Cannot add default content view to composite content view'],
  })
  expect(await refused({ content_view_id: part.view.id, content_view_version_id: other.version.id })).toEqual({
    content_view_version_id: ['is no version of the content view'],
  })
  await add(whole, { content_view_id: part.view.id, latest: true })
  const twice = [`Another component already includes content view with ID ${part.view.id}`]
  expect(await refused({ content_view_version_id: part.version.id })).toEqual({ [base]: twice })
  const both = { component_ids: [part.version.id, newer.id] }
  const replaced = await api.admin.put(`${VIEWS}/${whole.id}`, { content_view: both })
  expect([replaced.status, replaced.body.errors]).toEqual([422, { [base]: twice }])
  const plain = await api.admin.put(`${VIEWS}/${other.view.id}`, { component_ids: [part.version.id] })
  expect(plain.body.errors).toEqual({ [base]: ['Cannot add component versions to a non-composite content view'] })
  const changed = await api.admin.put(`${VIEWS}/${whole.id}`, { component_ids: [part.version.id, other.version.id] })
  expect([changed.status, changed.body.component_ids]).toEqual([200, [part.version.id, other.version.id]])
})

test('a composite version has what its components had, and the versions are needed from then on', async () => {
  const { view, published, publish, repositories } = world
  const [base, extras] = repositories
  const one = await published({ repository_ids: [base?.id, extras?.id] })
  const two = await published({ repository_ids: [extras?.id] })
  const whole = await view({ composite: true })
  await add(whole, { content_view_version_id: one.version.id }, { content_view_id: two.view.id, latest: true })
  const before = (await api.admin.get(`${VIEWS}/${whole.id}`)).body
  expect(before).toMatchObject({ repository_ids: [base?.id, extras?.id], needs_publish: true })
  expect(before.duplicate_repositories_to_publish).toMatchObject([
    { id: extras?.id, components: [{ content_view_version: '1.0' }, { content_view_version: '1.0' }] },
  ])
  const version = await publish(whole)
  expect(version).toMatchObject({ component_view_count: 2, yum_repository_count: 2 })
  const parts = await api.admin.get(`${VERSIONS}?composite_version_id=${version.id}`)
  expect(ids(parts.body.results).sort((a, b) => a - b)).toEqual([one.version.id, two.version.id])
  expect((await api.admin.get(`${VIEWS}/${whole.id}`)).body.needs_publish).toBe(false)
  await publish(two.view)
  expect((await api.admin.get(`${VIEWS}/${whole.id}`)).body.needs_publish).toBe(true)
  expect((await api.admin.get(`${VERSIONS}/${one.version.id}`)).body).toMatchObject({
    composite_content_view_ids: [whole.id],
    composite_content_view_versions: [{ id: version.id, version: '1.0' }],
    published_in_composite_content_view_ids: [whole.id],
  })
  const { status, body } = await api.admin.delete(`${VERSIONS}/${two.version.id}`)
  expect([status, body.displayMessage]).toEqual([
    400,
    `Cannot delete version while it is in use by composite content views: ${whole.name} Version 1.0`,
  ])
})

test('a composite view publishes itself when a component that follows the latest version is published', async () => {
  const { view, published, publish } = world
  const [followed, fixed] = [await published(), await published()]
  const whole = await view({ composite: true, auto_publish: true })
  await add(
    whole,
    { content_view_id: followed.view.id, latest: true },
    { content_view_id: fixed.view.id, content_view_version_id: fixed.version.id },
  )
  await publish(fixed.view)
  expect((await api.admin.get(`${VIEWS}/${whole.id}`)).body.version_count).toBe(0)
  const newer = await publish(followed.view)
  const { body } = await api.admin.get(`${VIEWS}/${whole.id}/content_view_versions`)
  expect(body.results).toMatchObject([
    { version: '1.0', description: `Auto Publish - Triggered by '${followed.view.name} 2.0'` },
  ])
  expect((await api.admin.get(`${VIEWS}/${whole.id}`)).body.component_ids).toContain(newer.id)

  const empty = await view({ composite: true })
  const unpublished = await view()
  await add(empty, { content_view_id: unpublished.id, latest: true })
  const refused = await api.admin.post(`${VIEWS}/${empty.id}/publish`, {})
  expect([refused.status, refused.body.displayMessage]).toEqual([
    400,
    `Content views without a version cannot be components of a published one: ${unpublished.name}`,
  ])
  const publisher = await api.can(['view_content_views', 'publish_content_views'], {
    search: `id = ${followed.view.id}`,
    organization_ids: [world.organization.id],
  })
  await done(api, await publisher.post(`${VIEWS}/${followed.view.id}/publish`, {}))
  expect((await api.admin.get(`${VIEWS}/${whole.id}`)).body.version_count).toBe(2)
})

test('an organization goes with all of its views, whatever they are made of', async () => {
  const { organization, view, published, publish, promote, dev, library } = await contentWorld(api)
  const part = await published()
  const whole = await view({ composite: true })
  await add(whole, { content_view_id: part.view.id, latest: true })
  await promote(await publish(whole), [dev])
  const key = {
    name: 'key',
    organization_id: organization.id,
    environment_id: library.id,
    content_view_id: part.view.id,
  }
  expect((await api.admin.post('/content/api/activation_keys', key)).status).toBe(201)
  const gone = await api.admin.delete(`/api/organizations/${organization.id}`)
  expect([gone.status, gone.text]).toEqual([200, gone.text])
  expect((await api.admin.get(`${VIEWS}/${whole.id}`)).status).toBe(404)
})
