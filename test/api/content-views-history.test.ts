import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import type { Shown } from '../support/given.ts'
import { type ContentWorld, contentWorld, done, hostWith, VERSIONS, VIEWS } from './content-view-world.ts'

// Content-api §8.3: the history of a view, deleting several versions at once, and lists of views with many users.

let api: TestApi
let world: ContentWorld
beforeAll(async () => {
  api = await openTestApi()
  world = await contentWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const ids = (records: readonly Shown[]) => records.map(({ id }) => id)

async function versionsOf(view: Shown): Promise<number[]> {
  const { body } = await api.admin.get(`${VIEWS}/${view.id}/content_view_versions?order=version+ASC`)
  return ids(body.results)
}

test('the history of a view has its publishing and promotions, with who, when, where and by which task', async () => {
  const { view, publish, dev, prod, organization } = world
  const made = await view()
  const first = await publish(made, { description: 'First' })
  const environment_ids = [dev.id, prod.id]
  const promotion = await api.admin.post(`${VERSIONS}/${first.id}/promote`, {
    environment_ids,
    description: 'Released',
  })
  const task = await done(api, promotion)
  const second = await publish(made, { environment_ids: [dev.id] })
  await publish(await view())

  const { status, body } = await api.admin.get(`${VIEWS}/${made.id}/history`)
  const sort = { by: 'created_at', order: 'desc' }
  expect([status, body]).toMatchObject([200, { total: 4, subtotal: 4, selectable: 4, page: 1, error: null, sort }])
  const by = { user: 'admin', status: 'successful', created_at: expect.stringMatching(/ UTC$/) }
  const publishing = { label: 'content_view.publish', result: 'success' }
  const [DEV, PROD] = [dev, prod].map(({ id, name }) => ({ id, name }))
  const ofSecond = { ...by, version: '2.0', version_id: second.id, task: publishing, description: null }
  const ofFirst = { ...by, version: '1.0', version_id: first.id }
  expect(body.results).toMatchObject([
    { ...ofSecond, action: 'promotion', publish: false, environment: DEV, environments: [DEV] },
    { ...ofSecond, action: 'publish', publish: true, environment: null, environments: [] },
    {
      ...ofFirst,
      ...{ action: 'promotion', environment: DEV, environments: [DEV, PROD], description: 'Released' },
      task: { id: task.id, uuid: task.uuid, label: 'content_view_version.promote', result: 'success' },
    },
    { ...ofFirst, action: 'publish', environment: null, task: publishing, description: 'First' },
  ])
  const page = await api.admin.get(`${VIEWS}/${made.id}/history?per_page=1&page=2`)
  expect(page.body).toMatchObject({ total: 4, page: 2, per_page: 1, results: [body.results[1]] })

  await sql`delete from tasks`.execute(api.database.db)
  const later = await api.admin.get(`${VIEWS}/${made.id}/history`)
  expect(later.body.results).toMatchObject(Array.from({ length: 4 }, () => ({ ...by, task: null })))
  const stranger = await api.can(['view_content_views'], {
    organization_ids: [organization.id],
    search: `name != "${made.name}"`,
  })
  expect((await stranger.get(`${VIEWS}/${made.id}/history`)).status).toBe(404)
})

test('several versions go at once, by ids or by a search, and leave their environments', async () => {
  const { view, publish, promote, library, dev, published } = world
  const made = await view()
  const versions: Shown[] = []
  for (let left = 4; left > 0; left--) versions.push(await publish(made))
  const [first, second, third, fourth] = ids(versions)
  if (versions[1]) await promote(versions[1], [dev], { force: true })
  const host = await hostWith(api, [[made, dev]])
  const path = `${VIEWS}/${made.id}/bulk_delete_versions`
  const choose = (bulk_content_view_version_ids: object, more = {}) =>
    api.admin.put(path, { bulk_content_view_version_ids, ...more })

  const other = await published()
  const unknown = await choose({ included: { ids: [first, other.version.id] } })
  expect([unknown.status, unknown.body.displayMessage]).toEqual([
    404,
    `Couldn't find content view version '${other.version.id}'`,
  ])
  for (const none of [{}, { included: { ids: [] } }, { included: { ids: [first] }, excluded: { ids: [first] } }])
    expect((await choose(none)).status).toBe(400)
  expect((await choose({ included: { search: 'no such = field' } })).status).toBe(400)
  const used = await choose({ included: { ids: [first, second] } })
  expect([used.status, used.body.displayMessage]).toEqual([
    400,
    expect.stringContaining('Please provide system_content_view_id and system_environment_id.'),
  ])
  expect(await versionsOf(made)).toEqual([first, second, third, fourth])

  const instead = { system_content_view_id: other.view.id, system_environment_id: library.id }
  await done(api, await choose({ included: { ids: [first, second] } }, instead))
  expect(await versionsOf(made)).toEqual([third, fourth])
  const places =
    await sql`select content_view_id as view, environment_id as environment from host_environments where host_id = ${host.id}`.execute(
      api.database.db,
    )
  expect(places.rows).toEqual([{ view: other.view.id, environment: library.id }])
  await done(api, await choose({ included: { all: true }, excluded: { ids: [third] } }))
  expect(await versionsOf(made)).toEqual([third])
  expect((await api.admin.get(`${VIEWS}/${made.id}`)).body.environments).toEqual([])

  const promoter = await api.can(['view_content_views', 'promote_or_remove_content_views'], {
    organization_ids: [world.organization.id],
  })
  const denied = await promoter.put(path, { bulk_content_view_version_ids: { included: { ids: [third] } } })
  expect(denied.status).toBe(403)
})

test('a list names the first users of each view and counts the others, in as many statements as for one', async () => {
  const { published, library, organization } = await contentWorld(api)
  const [busy, idle] = [await published(), await published()]
  const names = Array.from({ length: 25 }, (_, number) => `busy-${String(number).padStart(2, '0')}.example.test`)
  for (const name of names)
    await sql`
      with host as (insert into hosts (name, organization_id) values (${name}, ${organization.id}) returning id)
      insert into host_environments select id, 0, ${busy.view.id}::bigint, ${library.id}::bigint from host`.execute(
      api.database.db,
    )
  const asked = (search: string) =>
    api.admin.get(`${VIEWS}?organization_id=${organization.id}&search=${encodeURIComponent(search)}`)
  const { body } = await asked(`id = ${busy.view.id} or id = ${idle.view.id}`)
  const [one, other] = [busy, idle].map(({ view }) => body.results.find(({ id }: Shown) => id === view.id))
  expect(one).toMatchObject({ content_host_count: 25, activation_key_count: 0 })
  expect(one.hosts.map(({ name }: Shown) => name)).toEqual(names.slice(0, 20))
  expect(one.environments[0].hosts).toHaveLength(20)
  expect(other).toMatchObject({ content_host_count: 0, hosts: [] })
  const { body: alone } = await api.admin.get(`${VIEWS}/${busy.view.id}`)
  expect(alone.hosts.map(({ name }: Shown) => name)).toEqual(names)
  await asked(`id = ${idle.view.id}`)
  const both = await api.counting(() => asked(`id = ${busy.view.id} or id = ${idle.view.id}`))
  const single = await api.counting(() => asked(`id = ${idle.view.id}`))
  expect(both.count).toBe(single.count)
})
