import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'
import { type ContentWorld, contentWorld, done, ended, hostWith, VERSIONS, VIEWS } from './content-view-world.ts'

let api: TestApi
let world: ContentWorld
beforeAll(async () => {
  api = await openTestApi()
  world = await contentWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const ids = (records: readonly Shown[]) => records.map(({ id }) => id)

async function placesOf(view: Shown): Promise<string[]> {
  const { body } = await api.admin.get(`${VIEWS}/${view.id}`)
  return body.environments.map(({ name }: Shown) => name)
}

/** Lists the views and environments of a host or a key, in order. */
async function listOf(host: Shown): Promise<number[][]> {
  const found = await rows<{ view: number; environment: number; position: number }>(
    api.database.db,
    sql`select content_view_id as view, environment_id as environment, position from host_environments where host_id = ${host.id} order by position`,
  )
  expect(found.map(({ position }) => position)).toEqual(found.map((_, place) => place))
  return found.map(({ view, environment }) => [view, environment])
}

function keyWith(pairs: readonly (readonly [Shown, Shown])[]): Promise<Shown> {
  const content_view_environments = pairs.map(([view, environment]) => ({
    content_view_id: view.id,
    environment_id: environment.id,
  }))

  const body = { name: unique('key'), organization_id: world.organization.id, content_view_environments }
  return expectCreated(api.admin.post('/content/api/activation_keys', body))
}

async function pairsOf(key: Shown): Promise<number[][]> {
  const { body } = await api.admin.get(`/content/api/activation_keys/${key.id}`)
  const list: Shown[] = body.content_view_environments
  expect([body.content_view_id, body.environment_id]).toEqual([list[0]?.content_view.id, list[0]?.environment.id])
  return list.map(({ content_view, environment }) => [content_view.id, environment.id])
}

test('a view leaves an environment that nobody uses it in', async () => {
  const { published, promote, dev, prod, organization } = world
  const { view, version } = await published()
  await promote(version, [dev])
  const path = `${VIEWS}/${view.id}/environments`
  const absent = await api.admin.delete(`${path}/${prod.id}`)
  const message = `Content view '${view.name}' is not in lifecycle environment 'Prod'.`
  expect([absent.status, absent.body]).toEqual([400, { displayMessage: message, errors: [message] }])
  const editor = await api.can(['view_content_views', 'edit_content_views'], { organization_ids: [organization.id] })
  expect((await editor.delete(`${path}/${dev.id}`)).status).toBe(403)
  await done(api, await api.admin.delete(`${path}/${dev.id}`))
  expect(await placesOf(view)).toEqual(['Library'])
  const key = await keyWith([[view, world.library]])
  const used = await api.admin.delete(`${path}/${world.library.id}`)
  expect([used.status, used.body.displayMessage]).toEqual([
    400,
    `Unable to reassign activation_keys. Cannot remove '${view.name}' from environment 'Library' due to associated activation keys: ${key.name}. Please provide key_content_view_id and key_environment_id.`,
  ])
})

test('hosts and keys that used what goes get the other pair in its place, once', async () => {
  const { published, promote, library, dev } = world
  const [gone, other] = [await published(), await published()]
  await promote(gone.version, [dev])
  await promote(other.version, [dev])
  const lists = [
    [[gone.view, dev]],
    [
      [other.view, library],
      [gone.view, dev],
      [other.view, dev],
    ],
    [
      [gone.view, library],
      [other.view, dev],
      [gone.view, dev],
    ],
  ] as const
  const hosts = [] as Shown[]
  const keys = [] as Shown[]
  for (const list of lists) {
    hosts.push(await hostWith(api, list))
    keys.push(await keyWith(list))
  }
  const untouched = await keyWith([[gone.view, library]])
  const path = `${VIEWS}/${gone.view.id}/remove`
  const environment_ids = [dev.id]
  const to = {
    system_content_view_id: other.view.id,
    system_environment_id: dev.id,
    key_content_view_id: other.view.id,
    key_environment_id: dev.id,
  }
  const refused = async (body: object) => (await api.admin.put(path, body)).body.displayMessage
  expect(await refused({ environment_ids })).toMatch(/^Unable to reassign content hosts\. .*\bhosts: /)
  expect(await refused({ environment_ids, ...to, key_environment_id: null })).toMatch(
    /^Unable to reassign activation_keys\./,
  )
  expect(await refused({ environment_ids, ...to, key_content_view_id: gone.view.id })).toBe(
    'Unable to reassign activation_keys. Please check key_content_view_id and key_environment_id.',
  )
  expect(await refused({ environment_ids, ...to, system_content_view_id: 999_999 })).toBe(
    "Couldn't find content view '999999'",
  )
  expect(await refused({})).toMatch(/^There either were no environments nor versions specified/)
  expect(await placesOf(gone.view)).toEqual(['Library', 'Dev'])

  await done(api, await api.admin.put(path, { environment_ids, ...to }))
  expect(await placesOf(gone.view)).toEqual(['Library'])
  const wanted = [
    [[other.view.id, dev.id]],
    [
      [other.view.id, library.id],
      [other.view.id, dev.id],
    ],
    [
      [gone.view.id, library.id],
      [other.view.id, dev.id],
    ],
  ]
  expect(await Promise.all(hosts.map(listOf))).toEqual(wanted)
  expect(await Promise.all(keys.map(pairsOf))).toEqual(wanted)
  expect(await pairsOf(untouched)).toEqual([[gone.view.id, library.id]])
})

test('a caller who may not edit the hosts cannot give them another view', async () => {
  const { published, library, organization } = world
  const [gone, other] = [await published(), await published()]
  const host = await hostWith(api, [[gone.view, library]])
  const location = await given(api.admin, 'location')
  const permissions = [
    ...['view_content_views', 'promote_or_remove_content_views', 'view_lifecycle_environments'],
    'promote_or_remove_content_views_to_environments',
  ]
  const places = { organization_ids: [organization.id], location_ids: [location.id] }
  const body = {
    environment_ids: [library.id],
    system_content_view_id: other.view.id,
    system_environment_id: library.id,
  }
  const remove = (caller: Caller) => caller.put(`${VIEWS}/${gone.view.id}/remove`, body)
  const denied = { missing_permissions: ['edit_hosts'] }

  const remover = await api.can(permissions, places)
  expect(await remove(remover)).toMatchObject({ status: 403, body: { error: denied } })
  const hidden = await remover.delete(`${VIEWS}/${gone.view.id}/environments/${library.id}`)
  expect([hidden.status, hidden.body.displayMessage]).toMatchObject([
    400,
    expect.stringMatching(/due to associated hosts: 1 that you may not view\./),
  ])
  const { body: version } = await remover.get(`${VERSIONS}/${gone.version.id}`)
  expect(version.environments[0].permissions).toMatchObject({ all_hosts_editable: false, all_keys_editable: true })

  // The host has no organization yet and is therefore unreachable.
  const editor = await api.can([...permissions, 'view_hosts', 'edit_hosts'], places)
  expect(await remove(editor)).toMatchObject({ status: 403, body: { error: denied } })
  const there = { organization_id: organization.id, location_id: location.id }
  expect((await api.admin.put(`/api/hosts/${host.id}`, { host: there })).status).toBe(200)
  await done(api, await remove(editor))
  expect(await listOf(host)).toEqual([[other.view.id, library.id]])
})

test('versions go with the environments that had them, or alone', async () => {
  const { published, publish, promote, dev } = world
  const { view, version } = await published()
  await promote(version, [dev])
  const newer = await publish(view)
  const refused = async (path: string) => {
    const { status, body } = await api.admin.delete(path)
    return [status, body.displayMessage]
  }
  expect(await refused(`${VERSIONS}/${version.id}`)).toEqual([
    400,
    'Cannot delete version while it is in environments: Dev',
  ])
  const foreign = await api.admin.put(`${VIEWS}/${view.id}/remove`, {
    content_view_version_ids: [(await published()).version.id],
  })
  expect(foreign.status).toBe(404)
  const body = { environment_ids: [dev.id], content_view_version_ids: [version.id] }
  await done(api, await api.admin.put(`${VIEWS}/${view.id}/remove`, body))
  expect((await api.admin.get(`${VERSIONS}/${version.id}`)).status).toBe(404)
  const newest = await publish(view)
  await done(api, await api.admin.delete(`${VERSIONS}/${newer.id}`))
  const { body: left } = await api.admin.get(`${VIEWS}/${view.id}/content_view_versions`)
  expect(ids(left.results)).toEqual([newest.id])
})

test('a view that nothing needs is deleted with its versions', async () => {
  const { published, promote, library, dev, view: make, organization } = world
  const { view, version } = await published({ name: 'Doomed' })
  await promote(version, [dev])
  const whole = await make({ composite: true, name: 'Whole' })
  await api.admin.put(`${VIEWS}/${whole.id}`, { component_ids: [version.id] })
  await keyWith([[view, dev]])
  const path = `${VIEWS}/${view.id}`
  const refused = await api.admin.delete(path)
  expect([refused.status, refused.body.displayMessage]).toMatchObject([
    400,
    expect.stringMatching(
      /^Cannot delete 'Doomed' due to associated environments: Dev, Library\. Cannot delete 'Doomed' due to associated activation keys: key\d+\. Cannot delete 'Doomed' due to associated composite content views: Whole\.$/,
    ),
  ])
  await api.admin.put(`${VIEWS}/${whole.id}`, { component_ids: [] })
  const other = await published()
  const key_pair = { key_content_view_id: other.view.id, key_environment_id: library.id }
  await done(api, await api.admin.put(`${path}/remove`, { environment_ids: [dev.id, library.id], ...key_pair }))
  const editor = await api.can(['view_content_views', 'edit_content_views'], { organization_ids: [organization.id] })
  expect((await editor.delete(path)).status).toBe(403)
  await done(api, await api.admin.delete(path))
  expect((await api.admin.get(path)).status).toBe(404)
  expect((await api.admin.get(`${VERSIONS}/${version.id}`)).status).toBe(404)
})

test('a removal that says so takes the view out of everything and deletes it', async () => {
  const { published, promote, library, dev, view: make, organization } = world
  const { view, version } = await published()
  await promote(version, [dev])
  const path = `${VIEWS}/${view.id}`
  const all = { destroy_content_view: true }
  const whole = await make({ composite: true })
  await api.admin.put(`${VIEWS}/${whole.id}`, { component_ids: [version.id] })
  const composite = await api.admin.put(`${path}/remove`, all)
  expect([composite.status, composite.body.displayMessage]).toMatchObject([400, expect.stringContaining('composite')])
  await api.admin.put(`${VIEWS}/${whole.id}`, { component_ids: [] })
  const key = await keyWith([[view, dev]])
  expect((await api.admin.put(`${path}/remove`, all)).body.displayMessage).toContain(key.name)
  const remover = ['view_content_views', 'promote_or_remove_content_views']
  const caller = await api.can(remover, { organization_ids: [organization.id] })
  expect((await caller.put(`${path}/remove`, all)).status).toBe(403)
  const other = await published()
  const pair = { key_content_view_id: other.view.id, key_environment_id: library.id }
  await done(api, await api.admin.put(`${path}/remove`, { ...all, ...pair }))
  expect((await api.admin.get(path)).status).toBe(404)
  expect((await api.admin.get(`${VERSIONS}/${version.id}`)).status).toBe(404)
  expect(await pairsOf(key)).toEqual([[other.view.id, library.id]])
})

test('an environment that came into use while the task waited is not removed', async () => {
  const { published, library } = world
  const { view } = await published()
  const asked = await api.admin.delete(`${VIEWS}/${view.id}/environments/${library.id}`)
  const key = await keyWith([[view, library]])
  const task = await ended(api, asked)
  expect(task.result).toBe('error')
  expect(task.humanized.errors).toEqual([expect.stringMatching(/due to associated activation keys/)])
  expect(await pairsOf(key)).toEqual([[view.id, library.id]])
})
