import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, expectCreated } from '../support/api.ts'
import { given } from '../support/given.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// What is done with many hosts at once, and the subscriptions of one: by existing clients in one request each.

interface Shown {
  readonly id: number
  readonly name: string
  readonly cp_id: string
}

let api: BothListeners
let organization: number
let place: { readonly lifecycle_environment_id: number; readonly content_view_id: number }
beforeAll(async () => {
  api = await openBothListeners()
  organization = (await expectCreated(api.theirs.post('/api/organizations', { organization: { name: 'Fleet' } }))).id
  const [library] = (await api.theirs.get(`/katello/api/organizations/${organization}/environments`)).body.results
  const [view] = (await api.theirs.get(`/katello/api/organizations/${organization}/content_views`)).body.results
  place = { lifecycle_environment_id: library.id, content_view_id: view.id }
})
afterAll(() => api?.[Symbol.asyncDispose]())

const registered = async (name: string, more: object = {}): Promise<Shown> => {
  const { status, body, text } = await api.theirs.post('/api/hosts/subscriptions', { name, ...place, ...more })
  if (status >= 300) throw new Error(text)
  return body
}
const pool = (name: string, more: object = {}): Promise<Shown> =>
  expectCreated(api.ours.post('/content/api/subscriptions', { organization_id: organization, name, ...more }))
const bulk = (action: string, body: object, headers?: Record<string, string>) =>
  api.theirs.put(`/api/hosts/bulk/${action}`, { organization_id: organization, ...body }, headers)
const show = async ({ id }: Shown) => (await api.theirs.get(`/api/hosts/${id}`)).body
const poolsOf = async ({ id }: Shown) =>
  (await api.theirs.get(`/api/hosts/${id}/subscriptions`)).body.results.map(
    (each: Shown & { quantity_consumed: number }) => [each.id, each.quantity_consumed],
  )

const newContent = async (): Promise<{ readonly label: string }> => {
  const product = await given(api.ours, 'product', { organization_id: organization })
  const repository = await given(api.ours, 'repository', { product_id: product.id })
  return { label: repository.content_label }
}
const overridden = async ({ id }: Shown, label: string) => {
  const path = `/api/hosts/${id}/subscriptions/product_content?full_result=true&content_access_mode_all=true`
  const { results } = (await api.ours.get(path)).body
  return results.find((content: { label: string }) => content.label === label)?.enabled_content_override
}

test('a registered host gets subscriptions by name or by need, and gives them back, on both ports', async () => {
  const product = await given(api.ours, 'product', { organization_id: organization })
  const several = await pool('several', { quantity: 5, multi_entitlement: true })
  // A product has a pool of its own.
  const [needed] = (
    await api.theirs.get(`/katello/api/organizations/${organization}/subscriptions`)
  ).body.results.filter(({ name }: Shown) => name === product.name)
  const installed_products = [{ product_id: product.cp_id, product_name: 'P' }]
  const host = await registered('alone.example.test', { installed_products })
  const path = `/api/hosts/${host.id}/subscriptions`
  const added = await api.theirs.put(`${path}/add_subscriptions`, {
    subscriptions: [{ id: several.cp_id, quantity: 2 }],
  })
  expect(added).toMatchObject({ status: 200, body: { results: [{ id: several.id, quantity_consumed: 2 }] } })
  const attached = await api.ours.put(`${path}/auto_attach`, {})
  expect(attached.status).toBe(200)
  expect(await poolsOf(host)).toEqual(
    expect.arrayContaining([
      [several.id, 2],
      [needed.id, 1],
    ]),
  )
  for (const [subscriptions, status] of [
    [[{ id: several.id, quantity: 9 }], 400],
    [[{ id: several.id, quantity: 0 }], 400],
    [[{ id: 4711 }], 404],
    [[], 400],
    ['x', 400],
  ])
    expect(
      (await api.theirs.put(`${path}/add_subscriptions`, { subscriptions })).status,
      JSON.stringify(subscriptions),
    ).toBe(status)
  const removed = await api.ours.put(`${path}/remove_subscriptions`, { subscriptions: [{ id: several.id }] })
  expect(removed).toMatchObject({ status: 200, body: { results: [{ id: needed.id }] } })
  expect((await api.theirs.put(`${path}/remove_subscriptions`, { subscriptions: [{ id: several.id }] })).status).toBe(
    404,
  )
  const [audit] = (await api.theirs.get(`/api/hosts/${host.id}/audits?order=id+desc`)).body.results
  expect(audit.audited_changes).toHaveProperty('subscriptions')
  const bare = await given(api.ours, 'host', { organization_id: organization })
  expect((await api.theirs.put(`/api/hosts/${bare.id}/subscriptions/auto_attach`, {})).status).toBe(400)
})

test('many hosts are changed at once, those that a search or ids name, all or none', async () => {
  const shared = await pool('shared', { quantity: 10 })
  const hosts = [await registered('bulk1.example.test'), await registered('bulk2.example.test')]
  const other = await registered('other.example.test')
  const chosen = { included: { search: 'name ~ bulk' } }
  const [group, location] = [await given(api.ours, 'usergroup'), await given(api.ours, 'location')]
  const changes: readonly (readonly [action: string, body: object, after: object])[] = [
    ['build', {}, { build: true }],
    [
      'reassign_hostgroup',
      { hostgroup_id: (await given(api.ours, 'hostgroup', { organization_ids: [organization] })).id },
      { hostgroup_id: expect.any(Number) },
    ],
    ['reassign_hostgroups', { hostgroup_id: '' }, { hostgroup_id: null }],
    ['change_owner', { owner_id: '1-Users' }, { owner_type: 'User', owner_id: 1 }],
    ['change_owner', { owner_id: `${group.id}-Usergroups` }, { owner_type: 'Usergroup', owner_id: group.id }],
    ['assign_location', { id: location.id }, { location_id: location.id }],
    ['disassociate', {}, { compute_resource_id: null }],
    ['release_version', { release_version: '9' }, { subscription_facet_attributes: { release_version: '9' } }],
    ['system_purpose', { purpose_role: 'web' }, { subscription_facet_attributes: { purpose_role: 'web' } }],
    [
      'environment_content_view',
      { environment_id: place.lifecycle_environment_id, content_view_id: place.content_view_id },
      { content_facet_attributes: place },
    ],
  ]
  for (const [action, body, after] of changes) {
    const { status } = await bulk(action, { ...chosen, ...body })
    expect([200, 202], action).toContain(status)
    for (const host of hosts) expect(await show(host), action).toMatchObject(after)
  }
  expect(await show(other)).toMatchObject({ build: false, subscription_facet_attributes: { release_version: null } })
  const task = await bulk('add_subscriptions', { ...chosen, subscriptions: [{ id: shared.id }] })
  expect(task).toMatchObject({ status: 202, body: { result: 'success', label: 'Actions::BulkAction' } })
  expect((await api.theirs.get(`/foreman_tasks/api/tasks/${task.body.id}`)).status).toBe(200)
  // One that has it already keeps the others from getting it.
  const again = await bulk('add_subscriptions', {
    included: { ids: [other.id, hosts[0]?.id] },
    subscriptions: [{ id: shared.id }],
  })
  expect(again.status).toBe(400)
  expect(await poolsOf(other)).toEqual([])
  const excluded = { ids: [hosts[1]?.id] }
  expect((await bulk('remove_subscriptions', { ...chosen, excluded, subscriptions: [{ id: shared.id }] })).status).toBe(
    202,
  )
  expect(await Promise.all(hosts.map(poolsOf))).toEqual([[], [[shared.id, 1]]])
  const { id: collection } = await expectCreated(
    api.ours.post('/content/api/host_collections', { organization_id: organization, name: 'racks' }),
  )
  for (const [action, collections] of [
    ['add', [{ id: collection }]],
    ['remove', []],
  ] as const) {
    const answer = await bulk(`${action}_host_collections`, { ...chosen, host_collection_ids: [collection] })
    expect(answer).toMatchObject({ status: 200, body: { displayMessages: { error: [] } } })
    for (const host of hosts) expect((await show(host)).host_collections).toMatchObject(collections)
  }
  // Overrides go by the labels of contents, or by a search of them.
  const { label } = await newContent()
  const content_overrides = [{ content_label: label, name: 'enabled', value: false }]
  for (const [body, enabled] of [
    [{ content_overrides }, false],
    [{ content_overrides_search: { search: `label = ${label}`, enabled: true } }, true],
    [{ content_overrides_search: { search: `label = ${label}`, remove: true } }, null],
  ] as const) {
    expect((await bulk('content_overrides', { ...chosen, ...body })).status, JSON.stringify(body)).toBe(202)
    for (const host of hosts) expect(await overridden(host, label)).toBe(enabled)
  }
  for (const [action, body, status] of [
    ['destroy', {}, 400],
    ['destroy', { included: { search: '()' } }, 400],
    ['destroy', { included: { search: 'nothing = 1' } }, 400],
    ['destroy', { included: { ids: ['x'] } }, 400],
    ['build', { ...chosen, reboot: true }, 400],
    ['reassign_hostgroup', { ...chosen, hostgroup_id: 4711 }, 422],
    ['add_host_collections', chosen, 400],
    ['content_overrides', chosen, 400],
    ['content_overrides', { ...chosen, content_overrides: [] }, 400],
    ['content_overrides', { ...chosen, content_overrides: [], content_overrides_search: {} }, 400],
    ['add_subscriptions', { ...chosen, subscriptions: [] }, 400],
    ['environment_content_view', chosen, 400],
    ['release_version', chosen, 400],
    ['change_owner', chosen, 400],
    ['change_owner', { ...chosen, owner_id: 'nobody' }, 422],
    ['change_owner', { ...chosen, owner_id: 4711 }, 422],
    ['assign_organization', chosen, 400],
    ['assign_organization', { ...chosen, id: 'x' }, 422],
    ['change_power_state', { ...chosen, power: 'start' }, 422],
    ['system_purpose', chosen, 400],
  ] as const)
    expect((await bulk(action, body)).status, `${action} ${JSON.stringify(body)}`).toBe(status)
  expect((await bulk('destroy', { included: { ids: [hosts[0]?.id] } })).status).toBe(202)
  expect((await api.theirs.get(`/api/hosts/${hosts[0]?.id}`)).status).toBe(404)
  expect((await api.theirs.get(`/api/hosts/${hosts[1]?.id}`)).status).toBe(200)
})

test('hosts move to another organization, where those who moved them may find them', async () => {
  const place = { organization_id: organization, location_id: 1 }
  const hosts = [await given(api.ours, 'host', place), await given(api.ours, 'host', place)]
  const { id } = await given(api.ours, 'organization')
  const ids = hosts.map((host) => host.id)
  const moved = await bulk('assign_organization', { included: { ids }, id, mismatch_setting: true })
  expect(moved).toMatchObject({ status: 200, body: { message: 'Moved 2 hosts to the organization' } })
  expect(moved.headers['millwright-ignored']).toContain('mismatch_setting')
  for (const host of hosts) expect((await api.theirs.get(`/api/hosts/${host.id}`)).body.organization_id).toBe(id)
})

test('only hosts that the caller may change are changed', async () => {
  const host = await given(api.ours, 'host', { organization_id: 1, location_id: 1 })
  const hidden = await given(api.ours, 'host', { organization_id: organization, location_id: 1 })
  const role = await given(api.ours, 'role')
  const [edits] = (await api.theirs.get('/api/permissions?search=name%3Dedit_hosts')).body.results
  await expectCreated(api.theirs.post('/api/filters', { filter: { role_id: role.id, permission_ids: [edits.id] } }))
  const user = { login: 'edits-hosts', password: 'a long password', auth_source_id: 1, role_ids: [role.id] }
  await expectCreated(api.theirs.post('/api/users', { user: { ...user, organization_ids: [1], location_ids: [1] } }))
  const headers = { authorization: basic(user.login, user.password) }
  const included = { ids: [host.id, hidden.id] }
  const answer = await api.theirs.put('/api/hosts/bulk/build', { included }, headers)
  expect(answer).toMatchObject({ status: 200, body: { message: 'Built 1 host' } })
  expect(await show(hidden as Shown)).toMatchObject({ build: false })
  expect((await api.theirs.put('/api/hosts/bulk/destroy', { included }, headers)).status).toBe(403)
})

test('the text of a content credential is replaced', async () => {
  const { id } = await expectCreated(
    api.theirs.post('/katello/api/content_credentials', {
      ...{ organization_id: organization, name: 'signs', content_type: 'gpg_key', content: 'one' },
    }),
  )
  const path = `/katello/api/content_credentials/${id}/content`
  expect((await api.theirs.post(path, { content: 'two' })).status).toBe(200)
  expect((await api.theirs.get(path)).text).toBe('two')
  expect((await api.theirs.post(path, {})).status).toBe(422)
  expect((await api.theirs.post(path, { content: 'PRIVATE KEY' })).status).toBe(422)
})
