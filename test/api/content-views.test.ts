import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import type { Body, Shown } from '../support/given.ts'
import { type ContentWorld, contentWorld, VIEWS } from './content-view-world.ts'

let api: TestApi
let world: ContentWorld
beforeAll(async () => {
  api = await openTestApi()
  world = await contentWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const named = (records: readonly Shown[]) => records.map(({ name }) => name)

test('a new view has what it was made of, and no version', async () => {
  const { organization, repositories } = world
  const path = `/content/api/organizations/${organization.id}/content_views`
  const body = { name: 'Web servers', composite: false, repository_ids: [repositories[1]?.id], auto_publish: false }
  const answer = await api.admin.post(path, body)
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    ...{ composite: false, component_ids: [], default: false, version_count: 0, latest_version: null },
    ...{ latest_version_id: null, auto_publish: false, solve_dependencies: false, import_only: false },
    ...{ generated_for: 'none', related_cv_count: 0, related_composite_cvs: [], needs_publish: true, filtered: false },
    ...{ repository_ids: [repositories[1]?.id], id: expect.any(Number), name: 'Web servers', label: 'Web_servers' },
    ...{ description: null, organization_id: organization.id, content_host_count: 0, errors: null },
    activation_key_count: 0,
    organization: { id: organization.id, name: organization.name, label: organization.name },
    ...{ created_at: expect.stringMatching(/ UTC$/), updated_at: expect.stringMatching(/ UTC$/), last_task: null },
    repositories: [{ id: repositories[1]?.id, name: 'extras', label: 'extras', content_type: 'yum' }],
    ...{ latest_version_environments: [], versions: [], components: [], content_view_components: [] },
    ...{ activation_keys: [], hosts: [], next_version: '1.0', last_published: null, environments: [] },
    duplicate_repositories_to_publish: [],
    permissions: {
      view_content_views: true,
      edit_content_views: true,
      destroy_content_views: true,
      publish_content_views: true,
      promote_or_remove_content_views: true,
    },
  })
})

describe('the default view', () => {
  test('has every repository of the organization, in the Library alone', async () => {
    const { organization, library, repositories } = world
    const { body } = await api.admin.get(`${VIEWS}?organization_id=${organization.id}&search=default%3Dtrue`)
    const ids = repositories.map(({ id }) => id)
    expect(body.results).toMatchObject([
      {
        ...{ name: 'Default Organization View', label: 'Default_Organization_View', default: true },
        ...{ repository_ids: ids, latest_version: '1.0', needs_publish: false },
        environments: [
          { id: library.id, label: 'Library', activation_keys: [], hosts: [], permissions: { readable: true } },
        ],
      },
    ])
    const version = await api.admin.get(`/content/api/content_view_versions/${body.results[0].latest_version_id}`)
    expect(version.body).toMatchObject({ default: true, yum_repository_count: 3, last_event: null })
    expect(version.body.repositories.map(({ id }: Shown) => id)).toEqual(ids)
  })

  test('stays as it is', async () => {
    const { organization, library } = world
    const list = await api.admin.get(`${VIEWS}?organization_id=${organization.id}&name=Default+Organization+View`)
    const path = `${VIEWS}/${list.body.results[0].id}`
    const message = 'The default content view cannot be edited, published, or deleted.'
    const refused = { displayMessage: message, errors: [message] }
    const answers = [
      await api.admin.put(path, { description: 'mine' }),
      await api.admin.post(`${path}/publish`, {}),
      await api.admin.put(`${path}/remove`, { environment_ids: [library.id] }),
      await api.admin.delete(`${path}/environments/${library.id}`),
      await api.admin.delete(path),
    ]
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [400, refused]))
    expect((await api.admin.post(`${path}/copy`, { name: 'Mine' })).status).toBe(400)
  })
})

test('a view keeps its kind and label, and composite views have no repositories of their own', async () => {
  const { view, repositories, organization } = world
  const plain = await view({ name: 'Kinds', description: 'x' })
  const repository_ids = [repositories[0]?.id]
  const refused = async (body: object, path = `${VIEWS}/${plain.id}`) => {
    const answer = path === VIEWS ? await api.admin.post(path, body) : await api.admin.put(path, body)
    expect(answer.status).toBe(422)
    return answer.body.errors
  }
  expect(await refused({ composite: true })).toEqual({ composite: ['cannot be changed.'] })
  expect(await refused({ label: 'other' })).toEqual({ label: ['cannot be changed.'] })
  expect(await refused({ auto_publish: true })).toEqual({
    auto_publish: ['cannot be set for a content view that is not composite'],
  })
  const composite = { organization_id: organization.id, name: 'Composite', composite: true }
  expect(await refused({ ...composite, repository_ids }, VIEWS)).toEqual({
    repository_ids: ['cannot be set for a composite content view'],
  })
  expect(await refused({ ...composite, import_only: true }, VIEWS)).toHaveProperty('import_only')
  expect(await refused({ ...composite, name: 'Kinds' }, VIEWS)).toEqual({ name: ['has already been taken'] })
  const missing = await api.admin.post(VIEWS, { name: 'Nowhere' })
  expect([missing.status, missing.body.displayMessage]).toEqual([
    404,
    'One of parameters [ organization_id ] required but not specified.',
  ])
  const changed = await api.admin.put(`${VIEWS}/${plain.id}`, { content_view: { name: 'Renamed', repository_ids } })
  expect([changed.status, changed.body]).toMatchObject([200, { name: 'Renamed', label: 'Kinds', repository_ids }])
  const again = await api.admin.put(`${VIEWS}/${plain.id}`, { content_view: changed.body })
  expect([again.status, again.body]).toEqual([200, changed.body])
})

test('repositories and versions of others are as good as unknown, but stay where they are', async () => {
  const { view, published, repositories, organization } = world
  const [base, extras] = repositories.map(({ id }) => id)
  const [hidden, stranger] = [await published(), await contentWorld(api)]
  const foreign = await stranger.published()
  const [plain, whole] = [await view({ repository_ids: [extras] }), await view({ composite: true })]
  const UNKNOWN = 999_999_999
  const author = await api.can(['view_content_views', 'edit_content_views', 'view_products'], {
    search: `name = "${plain.name}" or name = "${whole.name}"`,
    organization_ids: [organization.id],
  })
  const said = async (caller: typeof api.admin, of: Shown, key: string, id: number | undefined, word: string) => {
    const { status, body } = await caller.put(`${VIEWS}/${of.id}`, { [key]: [id, UNKNOWN] })
    expect([status, body.displayMessage]).toEqual([404, `Couldn't find ${word} '${id}, ${UNKNOWN}'`])
  }
  await said(api.admin, plain, 'repository_ids', stranger.repositories[0]?.id, 'repository')
  await said(api.admin, whole, 'component_ids', foreign.version.id, 'content view version')
  await said(author, plain, 'repository_ids', base, 'repository')
  await said(author, whole, 'component_ids', hidden.version.id, 'content view version')
  const added = async (component: Body) => {
    const { status, body } = await author.put(`${VIEWS}/${whole.id}/content_view_components/add`, {
      components: [component],
    })
    return [status, body.displayMessage.replace(/'\d+'/, 'it')]
  }
  for (const id of [hidden.version.id, foreign.version.id, UNKNOWN])
    expect(await added({ content_view_version_id: id })).toEqual([404, "Couldn't find content view version it"])
  for (const id of [hidden.view.id, foreign.view.id, UNKNOWN])
    expect(await added({ content_view_id: id, latest: true })).toEqual([404, "Couldn't find content view it"])
  const kept = await author.put(`${VIEWS}/${plain.id}`, { description: 'changed', repository_ids: [extras] })
  expect([kept.status, kept.body]).toMatchObject([200, { description: 'changed', repository_ids: [extras] }])
})

test('lists are filtered by kind, name, label, environment, and what to leave out', async () => {
  const { organization, dev, view, published, promote } = await contentWorld(api)
  const plain = await published({ name: 'Plain' })
  await promote(plain.version, [dev])
  const other = await view({ name: 'Other', label: 'another' })
  const whole = await view({ name: 'Whole', composite: true })
  const found = async (query: string) => {
    const { status, body } = await api.admin.get(`${VIEWS}?organization_id=${organization.id}&${query}`)
    expect(status).toBe(200)
    return named(body.results)
  }
  expect(await found('')).toEqual(['Default Organization View', 'Other', 'Plain', 'Whole'])
  expect(await found('nondefault=true&noncomposite=1')).toEqual(['Other', 'Plain'])
  expect(await found('composite=true')).toEqual(['Whole'])
  expect(await found('name=Plain')).toEqual(['Plain'])
  expect(await found('label=another')).toEqual(['Other'])
  expect(await found(`environment_id=${dev.id}`)).toEqual(['Plain'])
  expect(await found(`without[]=${other.id}&without[]=${whole.id}&nondefault=true`)).toEqual(['Plain'])
  expect(await found(`without=${other.id},${whole.id}&nondefault=true&search=name~lai`)).toEqual(['Plain'])
  const unknown = await api.admin.get(`${VIEWS}?environment_id=999999`)
  expect([unknown.status, unknown.body.displayMessage]).toEqual([404, "Couldn't find environment '999999'"])
  expect((await api.admin.get(`${VIEWS}?composite=maybe`)).status).toBe(400)
})

test('a list costs as many statements for many views as for one', async () => {
  const { organization, published } = await contentWorld(api)
  await published()
  const path = `${VIEWS}?organization_id=${organization.id}`
  const statements = async () => (await api.counting(() => api.admin.get(path))).count
  const few = await statements()
  for (let made = 0; made < 4; made++) await published()
  expect(await statements()).toBe(few)
})

test('a copy is made of the same and has no versions', async () => {
  const { organization, published, view, repositories, dev, promote } = await contentWorld(api)
  const part = await published()
  await promote(part.version, [dev])
  const whole = await view({ composite: true, auto_publish: true, description: 'Both' })
  const components = [{ content_view_id: part.view.id, latest: true }]
  await api.admin.put(`${VIEWS}/${whole.id}/content_view_components/add`, { components })
  const copied = await api.admin.post(`${VIEWS}/${whole.id}/copy`, { name: 'Copy of both' })
  expect([copied.status, copied.body]).toMatchObject([
    201,
    {
      ...{ name: 'Copy of both', label: 'Copy_of_both', composite: true, auto_publish: true, description: 'Both' },
      ...{ component_ids: [part.version.id], versions: [], environments: [], next_version: '1.0' },
      content_view_components: [{ latest: true, content_view: { id: part.view.id } }],
    },
  ])
  const plain = await api.admin.post(`${VIEWS}/${part.view.id}/copy`, { content_view: { name: 'Copy of one' } })
  expect([plain.status, plain.body.repository_ids, plain.body.version_count]).toEqual([201, [repositories[0]?.id], 0])
  expect((await api.admin.post(`${VIEWS}/${part.view.id}/copy`, {})).body.errors).toEqual({ name: ["can't be blank"] })
  expect((await api.admin.post(`${VIEWS}/${part.view.id}/copy`, { name: 'Copy of one' })).status).toBe(422)
  const viewer = await api.can(['view_content_views'], { organization_ids: [organization.id] })
  expect((await viewer.post(`${VIEWS}/${part.view.id}/copy`, { name: 'Mine' })).status).toBe(403)
})

test('a view names the hosts and keys that use it, as far as the caller may see them', async () => {
  const { organization, library, published } = await contentWorld(api)
  const { view } = await published()
  const key = { name: 'deploy', organization_id: organization.id, environment_id: library.id, content_view_id: view.id }
  const { body: created } = await api.admin.post('/content/api/activation_keys', key)
  const shown = (await api.admin.get(`${VIEWS}/${view.id}`)).body
  expect(shown).toMatchObject({
    activation_keys: [{ id: created.id, name: 'deploy' }],
    environments: [{ id: library.id, activation_keys: [created.id] }],
  })
  const viewer = await api.can(['view_content_views'], { organization_ids: [organization.id] })
  expect((await viewer.get(`${VIEWS}/${view.id}`)).body).toMatchObject({
    activation_keys: [],
    environments: [{ id: library.id, activation_keys: [], permissions: { readable: false } }],
    permissions: { view_content_views: true, publish_content_views: false },
  })
})
