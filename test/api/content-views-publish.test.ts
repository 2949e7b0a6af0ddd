import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import type { Shown } from '../support/given.ts'
import { type ContentWorld, contentWorld, done, ended, VERSIONS, VIEWS } from './content-view-world.ts'

let api: TestApi
let world: ContentWorld
beforeAll(async () => {
  api = await openTestApi()
  world = await contentWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const ids = (records: readonly Shown[]) => records.map(({ id }) => id)

async function versionsOf(view: Shown): Promise<string[]> {
  const { body } = await api.admin.get(`${VIEWS}/${view.id}/content_view_versions?per_page=all`)
  return body.results.map(({ version }: Shown) => version)
}

describe('publishing', () => {
  test('makes a version of what the view has now, and the Library has it', async () => {
    const { view, library, repositories } = world
    const [base, extras] = repositories
    const made = await view({ name: 'Publishing', repository_ids: [base?.id] })
    const answer = await api.admin.post(`${VIEWS}/${made.id}/publish`, { description: 'First' })
    expect(answer.body).toMatchObject({
      action: `Publish content view 'Publishing'; organization '${world.organization.name}'`,
      ...{ state: 'planned', result: 'pending', pending: true, label: 'content_view.publish' },
      input: { content_view: { id: made.id, name: 'Publishing', label: 'Publishing' }, description: 'First' },
    })
    const { output } = await done(api, answer)
    await api.admin.put(`${VIEWS}/${made.id}`, { repository_ids: [base?.id, extras?.id] })
    const { body: version } = await api.admin.get(`${VERSIONS}/${output.content_view_version_id}`)
    expect(version).toMatchObject({
      ...{ version: '1.0', major: 1, minor: 0, content_view_id: made.id, default: false, description: 'First' },
      ...{ name: 'Publishing 1.0', yum_repository_count: 1, component_view_count: 0 },
      content_view: { id: made.id, name: 'Publishing', label: 'Publishing', generated_for: 'none' },
      repositories: [{ id: base?.id, name: 'base', content_type: 'yum', library_instance_id: base?.id }],
      environments: [
        {
          ...{ id: library.id, name: 'Library', label: 'Library', host_count: 0, activation_key_count: 0 },
          publish_date: 'less than a minute',
          permissions: {
            ...{ readable: true, promotable_or_removable: true, all_hosts_editable: true, all_keys_editable: true },
          },
        },
      ],
      last_event: { user: 'admin', action: 'publish', status: 'successful', version: '1.0', description: 'First' },
      permissions: { deletable: true },
    })
    const { body: shown } = await api.admin.get(`${VIEWS}/${made.id}`)
    expect(shown).toMatchObject({
      ...{ version_count: 1, latest_version: '1.0', latest_version_id: version.id, next_version: '2.0' },
      ...{ needs_publish: true, last_published: version.created_at },
      latest_version_environments: [{ id: library.id, name: 'Library', label: 'Library' }],
      versions: [{ id: version.id, version: '1.0', description: 'First', environment_ids: [library.id] }],
    })
    const audits = await api.admin.get(
      '/api/audits?search=type%3Dcontent_view_version+and+action%3Dcreate&per_page=all',
    )
    expect(audits.body.results.map(({ auditable_id }: Shown) => auditable_id)).toContain(version.id)
  })

  test('a number is given whole, once, and the next one follows the highest', async () => {
    const { view, publish } = world
    const made = await view()
    expect((await publish(made, { major: 3, minor: 2 })).version).toBe('3.2')
    expect((await publish(made)).version).toBe('4.0')
    expect((await publish(made, { major: 1, minor: 0 })).version).toBe('1.0')
    expect((await publish(made)).version).toBe('5.0')
    const path = `${VIEWS}/${made.id}/publish`
    const half = await api.admin.post(path, { minor: 1, content_view: {} })
    const message = 'Both major and minor parameters have to be used to override a CV version'
    expect([half.status, half.body]).toEqual([400, { displayMessage: message, errors: [message] }])
    const taken = await api.admin.post(path, { major: 4, minor: 0 })
    expect([taken.status, taken.body.errors]).toEqual([422, { version: ['has already been taken'] }])
    expect((await api.admin.post(path, { major: 'new', minor: 0 })).status).toBe(422)
    expect((await api.admin.post(path, { repos_units: { base: [] } })).status).toBe(400)
    const imported = await view({ import_only: true })
    expect((await api.admin.post(`${VIEWS}/${imported.id}/publish`, {})).body.displayMessage).toBe(
      'Import-only content views can not be published directly',
    )
  })

  test('many at a time get a number each', async () => {
    const { view } = world
    const made = await view()
    const asked = Array.from({ length: 6 }, () => api.admin.post(`${VIEWS}/${made.id}/publish`, {}))
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 202))
    await api.finishTasks()
    expect(await versionsOf(made)).toEqual(['6.0', '5.0', '4.0', '3.0', '2.0', '1.0'])
  })

  test('a task that another process goes on with makes no second version', async () => {
    const { view, dev } = world
    const made = await view()
    const body = { environment_ids: [dev.id] }
    const task = await done(api, await api.admin.post(`${VIEWS}/${made.id}/publish`, body))
    // The state of the task when the process had died after the first step.
    await sql`update tasks set state = 'planned', result = 'pending', ended_at = null, output = '{}', progress = 0.6,
      steps = jsonb_build_array(steps -> 0) where uuid = ${task.uuid}`.execute(api.database.db)
    await api.finishTasks()
    const { body: again } = await api.admin.get(`/api/tasks/${task.id}`)
    expect([again.result, again.output]).toEqual(['success', task.output])
    expect(await versionsOf(made)).toEqual(['1.0'])
  })

  test('a requester who may no longer publish when the task begins publishes nothing', async () => {
    const { view, organization } = world
    const made = await view()
    const publisher = await api.can(['view_content_views', 'publish_content_views'], {
      organization_ids: [organization.id],
    })
    const asked = await publisher.post(`${VIEWS}/${made.id}/publish`, {})
    await api.admin.put(`/api/users/${publisher.id}`, { user: { role_ids: [] } })
    expect(await ended(api, asked)).toMatchObject({ result: 'error' })
    expect(await versionsOf(made)).toEqual([])
    expect((await publisher.post(`${VIEWS}/${made.id}/publish`, {})).status).toBe(403)
  })
})

describe('promotion', () => {
  test('goes along the path, to several environments at once, or anywhere by force', async () => {
    const { published, promote, library, dev, prod, publish } = world
    const { view, version } = await published()
    const refused = async (of: Shown, environment_ids: readonly number[]) => {
      const { status, body } = await api.admin.post(`${VERSIONS}/${of.id}/promote`, { environment_ids, force: false })
      return [status, body.displayMessage]
    }
    const OUT_OF_SEQUENCE = 'Cannot promote environment out of sequence. Use force to bypass restriction.'
    expect(await refused(version, [prod.id])).toEqual([400, OUT_OF_SEQUENCE])
    expect(ids((await promote(version, [prod, dev])).environments)).toEqual([library.id, dev.id, prod.id])
    const second = await publish(view)
    expect(ids(second.environments)).toEqual([library.id])
    expect(ids((await api.admin.get(`${VERSIONS}/${version.id}`)).body.environments)).toEqual([dev.id, prod.id])
    expect(ids((await promote(second, [prod], { force: true })).environments)).toEqual([library.id, prod.id])
    expect(await refused(version, [library.id])).toEqual([400, OUT_OF_SEQUENCE])
    expect(ids((await promote(version, [library], { force: true })).environments)).toEqual([library.id, dev.id])
    expect(await refused(version, [999_999])).toEqual([404, "Couldn't find environment '999999'"])
    expect(await refused(version, [])).toEqual([400, 'Missing values for environment_ids.'])
  })

  test('takes the permission for the view and for each environment', async () => {
    const { published, organization, dev, prod } = world
    const { version } = await published()
    const promoter = await api.can(['promote_or_remove_content_views_to_environments'], {
      search: 'name = Dev',
      also: ['view_content_views', 'promote_or_remove_content_views'],
      organization_ids: [organization.id],
    })
    const path = `${VERSIONS}/${version.id}/promote`
    const both = await promoter.post(path, { environment_ids: [dev.id, prod.id] })
    expect([both.status, both.body.displayMessage]).toEqual([404, `Couldn't find environment '${prod.id}'`])
    await done(api, await promoter.post(path, { environment_ids: [dev.id] }))
    const viewer = await api.can(['view_content_views'], { organization_ids: [organization.id] })
    expect((await viewer.post(path, { environment_ids: [dev.id] })).status).toBe(403)
    const stranger = await contentWorld(api)
    expect((await api.admin.post(path, { environment_ids: [stranger.dev.id], force: true })).status).toBe(404)
    const list = await api.admin.get(`${VERSIONS}?search=content_view_id%3D${version.content_view_id}`)
    expect(list.body.results[0].environments.map(({ name }: Shown) => name)).toEqual(['Library', 'Dev'])
  })

  test('the version of the default view stays where it is', async () => {
    const { organization, dev } = world
    const { body } = await api.admin.get(`${VIEWS}?organization_id=${organization.id}&search=default%3Dtrue`)
    const path = `${VERSIONS}/${body.results[0].latest_version_id}/promote`
    const { status, body: refused } = await api.admin.post(path, { environment_ids: [dev.id] })
    expect([status, refused.displayMessage]).toEqual([400, 'Default content view versions cannot be promoted'])
  })
})

test('versions are found by number, view, environment and composite, the highest number first', async () => {
  const { organization, view, publish, dev, promote } = await contentWorld(api)
  const made = await view()
  for (const major of [9, 2]) await publish(made, { major, minor: 1 })
  const ten = await publish(made)
  await promote(ten, [dev])
  const found = async (query: string, path = `${VIEWS}/${made.id}/content_view_versions`) => {
    const { status, body } = await api.admin.get(`${path}?${query}`)
    expect([status, body.sort]).toEqual([200, { by: 'version', order: 'desc' }])
    return body.results.map(({ version }: Shown) => version)
  }
  expect(ten.version).toBe('10.0')
  expect(await found('')).toEqual(['10.0', '9.1', '2.1'])
  expect(await found(`search=content_view_id%3D${made.id}%2Cversion%3D10.0&per_page=4294967296`, VERSIONS)).toEqual([
    '10.0',
  ])
  expect(await found('search=version+%3C+10')).toEqual(['9.1', '2.1'])
  expect(await found('search=version+^+(2.1,9.1)')).toEqual(['9.1', '2.1'])
  expect(await found('version=10')).toEqual(['10.0'])
  expect(await found(`environment_id=${dev.id}`)).toEqual(['10.0'])
  expect(await found(`organization_id=${organization.id}&content_view_id=${made.id}`, VERSIONS)).toHaveLength(3)
  expect((await api.admin.get(`${VERSIONS}?content_view_id=999999`)).body.displayMessage).toBe(
    "Couldn't find content view '999999'",
  )
  const changed = await api.admin.put(`${VERSIONS}/${ten.id}`, { description: 'Said later', version: '1.0' })
  expect([changed.status, changed.body]).toMatchObject([200, { description: 'Said later', version: '10.0' }])
})
