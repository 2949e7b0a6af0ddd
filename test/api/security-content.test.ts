import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'
import { KEYS, type KeyWorld, keyWorld } from './activation-key-world.ts'
import { contentWorld, done, hostWith, VERSIONS, VIEWS } from './content-view-world.ts'

// Keys, views and pools must not reveal other organizations, and invalid requests must not be faults of the service.

let api: TestApi
let ours: KeyWorld
let theirs: KeyWorld

beforeAll(async () => {
  api = await openTestApi()
  ours = await keyWorld(api)
  theirs = await keyWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

describe('an organization that is not the caller’s', () => {
  test('is as good as unknown in the object of a key', async () => {
    await theirs.pool({ support_level: 'Gold' })
    await theirs.content({ release: '7Secret' })
    const foreign = theirs.organization
    const caller = await api.can(
      [
        'view_activation_keys',
        'create_activation_keys',
        'edit_activation_keys',
        'view_lifecycle_environments',
        'view_content_views',
      ],
      { organization_ids: [ours.organization.id] },
    )
    const key = await ours.key()
    const asking = async (organization_id: number, more: object) => {
      const made = await caller.post(KEYS, { activation_key: { name: unique('k'), organization_id, ...more } })
      const changed = await caller.put(`${KEYS}/${key.id}`, { activation_key: { organization_id, ...more } })
      return [made, changed].map(({ status, text }) => ({
        status,
        text: text.replaceAll(String(organization_id), 'ID'),
      }))
    }
    const probes = [
      { service_level: 'Gold' },
      { service_level: 'Silver' },
      { release_version: '7Secret' },
      { release_version: '8' },
      { content_view_environments: ['Library'] },
      { content_view_environments: ['Elsewhere'] },
    ]
    for (const probe of probes) {
      const answers = await asking(foreign.id, probe)
      expect([probe, answers]).toEqual([probe, await asking(999_999, probe)])
      expect(JSON.stringify(answers)).not.toContain(foreign.label)
    }
  })
})

test('removing a view audits its author for every record that gets another one', async () => {
  const { published, promote, dev, library, organization } = await contentWorld(api)
  const [gone, other] = [await published(), await published()]
  await promote(gone.version, [dev])
  await promote(other.version, [dev])
  const host = await hostWith(api, [
    [gone.view, dev],
    [other.view, library],
  ])
  const body = { content_view_id: gone.view.id, environment_id: dev.id }
  const key = await given(api.admin, 'activation_key', { organization_id: organization.id, ...body })
  const pair = (kind: string) => ({ [`${kind}_content_view_id`]: other.view.id, [`${kind}_environment_id`]: dev.id })
  const removal = { environment_ids: [dev.id], ...pair('system'), ...pair('key') }
  await done(api, await api.admin.put(`${VIEWS}/${gone.view.id}/remove`, removal))
  const [before, after, rest] = [`Dev/${gone.view.label}`, `Dev/${other.view.label}`, `Library/${other.view.label}`]
  for (const [type, { id }, changed] of [
    [
      'host',
      host,
      [
        [before, rest],
        [after, rest],
      ],
    ],
    ['activation_key', key, [[before], [after]]],
  ] as const) {
    const search = encodeURIComponent(`type = ${type} and auditable_id = ${id} and action = update`)
    const { results } = (await api.admin.get(`/api/audits?search=${search}`)).body
    expect(results).toMatchObject([{ user_id: 1, audited_changes: { content_view_environments: changed } }])
  }
})

test('a version that is promoted to where it is leaves no trace', async () => {
  const { published, promote, dev } = await contentWorld(api)
  const { version } = await published()
  const search = encodeURIComponent(`type = content_view_version and auditable_id = ${version.id} and action = update`)
  const promotions = async () => (await api.admin.get(`/api/audits?search=${search}`)).body.subtotal
  await promote(version, [dev])
  const { updated_at } = await promote(version, [dev])
  expect([await promotions(), updated_at]).toEqual([1, version.updated_at])
})

test('totals do not count pools whose time is over', async () => {
  const world = await keyWorld(api)
  const host = await world.registered(await world.key())
  const { id } = await world.pool()
  const path = `/content/api/subscriptions?host_id=${host.id}&available_for=host&per_page=1`
  const available = async () => {
    const { results, total, subtotal } = (await api.admin.get(path)).body
    return { found: results.length, total, subtotal }
  }
  expect(await available()).toEqual({ found: 1, total: 1, subtotal: 1 })
  // Time passes without a write that could invalidate a cache.
  await api.database.db.transaction(async (tx) => {
    await sql`alter table subscriptions disable trigger user`.execute(tx)
    await sql`
      update subscriptions set start_date = now() - interval '2 days', end_date = now() - interval '1 day' where id = ${id}`.execute(
      tx,
    )
    await sql`alter table subscriptions enable trigger user`.execute(tx)
  })
  expect(await available()).toEqual({ found: 0, total: 0, subtotal: 0 })
})

test('no number and no text of a body is a fault of the service', async () => {
  const view = await ours.view(unique('view'), [ours.library])
  const versions = `${VERSIONS}?organization_id=${ours.organization.id}&content_view_id=${view}`
  const { id: version } = (await api.admin.get(versions)).body.results[0]
  const { id: key } = await ours.key()
  const answers = async (path: string, ...bodies: object[]) => {
    const all: number[] = []
    for (const body of bodies) all.push((await api.admin.post(path, body)).status)
    return all
  }
  const [beyond, texts] = [2_147_483_648, ['a\0b', 'a\ud800b']]
  expect(
    await answers(
      `${VIEWS}/${view}/publish`,
      { major: beyond, minor: 0 },
      { major: 9, minor: beyond },
      { major: beyond - 1, minor: 0 },
      ...texts.map((description) => ({ description })),
    ),
  ).toEqual([422, 422, 422, 422, 422])
  const promotion = { environment_ids: [ours.library], force: true }
  expect(
    await answers(`${VERSIONS}/${version}/promote`, ...texts.map((description) => ({ ...promotion, description }))),
  ).toEqual([422, 422])
  expect(await answers(`${KEYS}/${key}/reapply`, ...texts.map((text) => ({ search: `name = "${text}"` })))).toEqual([
    400, 400,
  ])
})
