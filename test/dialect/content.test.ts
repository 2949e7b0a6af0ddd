import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, expectCreated } from '../support/api.ts'
import { type BothListeners, openBothListeners } from './support.ts'

let api: BothListeners
let organization_id: number
beforeAll(async () => {
  api = await openBothListeners()
  const organization = { name: 'Content owners' }
  organization_id = (await expectCreated(api.theirs.post('/katello/api/organizations', { organization }))).id
})
afterAll(() => api?.[Symbol.asyncDispose]())

test('public keys and certificates are kept, private ones refused', async () => {
  const path = '/katello/api/content_credentials'
  const credential = { organization_id, name: 'makers', content_type: 'gpg_key', content: 'A public key\n' }
  const made = await expectCreated(api.theirs.post(path, credential))
  const permissions = Object.fromEntries(
    ['view', 'edit', 'destroy'].map((verb) => [`${verb}_content_credentials`, true]),
  )
  expect(made).toMatchObject({ ...credential, content: 'A public key', permissions })
  const listed = await api.theirs.get(`${path}?organization_id=${organization_id}&name=makers&content_type=gpg_key`)
  expect(listed.body).toMatchObject({ subtotal: 1, results: [{ id: made.id, organization: { id: organization_id } }] })
  expect(await api.theirs.get(`${path}/${made.id}/content`)).toMatchObject({ status: 200, text: 'A public key' })
  const refused = await api.theirs.put(`${path}/${made.id}`, { content: '-----BEGIN RSA PRIVATE KEY-----\nAAAA' })
  expect(refused.status).toBe(422)
  expect(refused.body.errors.content).toEqual(['must be a public key or a certificate, without a private key'])
  expect(refused.text).not.toContain('AAAA')
  expect((await api.theirs.post(path, credential)).body.errors).toEqual({ name: ['has already been taken'] })
  expect((await api.theirs.delete(`${path}/${made.id}`)).status).toBe(200)
})

test('host groups keep where their hosts get content from, and hand it down to groups and hosts that say nothing else', async () => {
  const library = `/katello/api/environments?organization_id=${organization_id}&name=Library`
  const lifecycle_environment_id = (await api.theirs.get(library)).body.results[0].id
  const views = `/katello/api/content_views?organization_id=${organization_id}`
  const [{ id: content_view_id, name }] = (await api.theirs.get(views)).body.results
  const empty = await expectCreated(api.theirs.post('/katello/api/content_views', { organization_id, name: 'empty' }))
  const places = { organization_ids: [organization_id] }
  const grouped = (values: object) => api.theirs.post('/api/hostgroups', { hostgroup: { ...places, ...values } })
  const refused = await grouped({ name: 'absent', content_view_id: empty.id, lifecycle_environment_id })
  expect([refused.status, Object.keys(refused.body.error.errors)]).toEqual([422, ['content_view_id']])
  for (const key of ['content_view_id', 'lifecycle_environment_id'])
    expect((await grouped({ name: 'unknown', [key]: 999_999 })).status).toBe(404)

  const own = { content_view_id, lifecycle_environment_id }
  const names = { content_view_name: name, lifecycle_environment_name: 'Library' }
  const group = await expectCreated(grouped({ name: 'contented', ...own }))
  expect(group).toMatchObject({ ...own, ...names })
  expect(
    (await api.theirs.put(`/api/hostgroups/${group.id}`, { hostgroup: { content_view_id: empty.id } })).status,
  ).toBe(422)
  const below = await expectCreated(grouped({ name: 'below', parent_id: group.id }))
  expect(below).toMatchObject({ content_view_id: null, lifecycle_environment_id: null, ...names })
  expect((await api.theirs.get('/api/hostgroups?search=name=contented')).body.results).toMatchObject([
    { ...own, ...names },
  ])

  const host = async (word: string, values: object) => {
    const place = { organization_id, managed: false }
    const sent = { name: `${word}.content.example.test`, ...place, ...values }
    const { id } = await expectCreated(api.theirs.post('/api/hosts', { host: sent }))
    return id as number
  }
  const facetOf = async (id: number) => (await api.theirs.get(`/api/hosts/${id}`)).body.content_facet_attributes
  const given = { content_view: { id: content_view_id, name }, lifecycle_environment: { id: lifecycle_environment_id } }
  const hostgroup_id = below.id
  expect(await facetOf(await host('given', { hostgroup_id }))).toMatchObject(given)
  const none = await host('none', { hostgroup_id, content_facet_attributes: null })
  expect(await facetOf(none)).toBe(await facetOf(await host('alone', {})))
  const moving = await host('moving', {})
  await api.theirs.put(`/api/hosts/${moving}`, { host: { hostgroup_id } })
  expect(await facetOf(moving)).toMatchObject(given)
  await api.theirs.put(`/api/hostgroups/${group.id}`, { hostgroup: { content_view_id: null } })
  expect((await api.theirs.get(`/api/hostgroups/${below.id}`)).body.content_view_name).toBeNull()
  expect(await facetOf(moving)).toMatchObject(given)
})

describe('activation keys', () => {
  test('answer writes with the key, and its deletion with a task that has ended', async () => {
    const { id } = await expectCreated(
      api.theirs.post('/katello/api/activation_keys', { organization_id, name: 'web' }),
    )
    const changed = await api.theirs.put(`/katello/api/v2/activation_keys/${id}`, {
      organization_id,
      description: 'new',
    })
    expect(changed).toMatchObject({ status: 200, body: { id, name: 'web', description: 'new' } })
    expect((await api.theirs.get(`/katello/api/activation_keys/${id}`)).body).toEqual(changed.body)

    const deleted = await api.theirs.delete(`/katello/api/activation_keys/${id}`)
    const task = {
      state: 'stopped',
      result: 'success',
      pending: false,
      username: 'admin',
      progress: 1,
      duration: expect.any(String),
    }
    expect(deleted).toMatchObject({ status: 202, body: { ...task, label: 'Actions::Katello::ActivationKey::Destroy' } })
    expect(deleted.body.id).toMatch(/^[0-9a-f]{8}-/)
    const asked = await api.theirs.get(`/foreman_tasks/api/tasks/${deleted.body.id}`)
    expect(asked).toMatchObject({ status: 200, body: { ...task, id: deleted.body.id, label: deleted.body.label } })
    const listed = await api.theirs.get('/foreman_tasks/api/tasks?per_page=1')
    expect(listed.body.results).toMatchObject([{ id: deleted.body.id }])
    const summary = await api.theirs.get('/foreman_tasks/api/tasks/summary')
    expect([summary.status, summary.body]).toEqual([200, (await api.ours.get('/api/tasks/summary')).body])
    expect((await api.theirs.get(`/katello/api/activation_keys/${id}`)).status).toBe(404)
  })

  test('are changed without a word about their organization', async () => {
    const { id } = await expectCreated(
      api.theirs.post('/katello/api/activation_keys', { organization_id, name: 'known' }),
    )
    const path = `/katello/api/activation_keys/${id}`
    const sent = [{ description: 'flat' }, { activation_key: { description: 'wrapped', service_level: null } }]
    for (const body of sent) {
      const { description } = { description: '', ...body, ...body.activation_key }
      expect(await api.theirs.put(path, body)).toMatchObject({
        status: 200,
        body: { id, description, organization_id },
      })
    }
    const elsewhere = await expectCreated(api.theirs.post('/katello/api/organizations', { name: 'Elsewhere' }))
    const { id: role } = (await api.theirs.get('/api/roles/Manager')).body
    const user = {
      login: 'stranger',
      password: 'long enough',
      auth_source_id: 1,
      organization_ids: [elsewhere.id],
      role_ids: [role],
    }
    await expectCreated(api.theirs.post('/api/users', { user }))
    const authorization = basic(user.login, user.password)
    const { status } = await api.stranger.put(path, { description: 'not theirs' }, { authorization })
    expect(status).toBe(404)
  })

  test('new organizations give content by subscription unless they say otherwise', async () => {
    const made = async (path: string, body: object) => {
      const { id } = await expectCreated(api.theirs.post(path, body))
      return (await api.theirs.get(`/katello/api/organizations/${id}`)).body.simple_content_access
    }
    expect(await made('/katello/api/organizations', { name: 'By subscription' })).toBe(false)
    expect(await made('/api/organizations', { organization: { name: 'The same' } })).toBe(false)
    expect(await made('/katello/api/organizations', { name: 'All of it', simple_content_access: true })).toBe(true)
    const wrapped = { organization: { name: 'All of it, too', simple_content_access: true } }
    expect(await made('/katello/api/organizations', wrapped)).toBe(true)
  })

  test('a deletion that is refused leaves no task', async () => {
    const before = (await api.theirs.get('/foreman_tasks/api/tasks')).body.total
    expect((await api.theirs.delete('/katello/api/activation_keys/999')).status).toBe(404)
    expect((await api.theirs.get('/foreman_tasks/api/tasks')).body.total).toBe(before)
  })

  test('get host collections by POST and lose them by PUT', async () => {
    const key = await expectCreated(api.theirs.post('/katello/api/activation_keys', { organization_id, name: 'db' }))
    const path = `/katello/api/organizations/${organization_id}/host_collections`
    const { id } = await expectCreated(api.theirs.post(path, { name: 'all databases' }))
    const collections = `/katello/api/activation_keys/${key.id}/host_collections`
    const added = await api.theirs.post(collections, { host_collection_ids: [id] })
    expect(added).toMatchObject({ status: 200, body: { host_collections: [{ id, name: 'all databases' }] } })
    const removed = await api.theirs.put(collections, { host_collection_ids: [id] })
    expect(removed).toMatchObject({ status: 200, body: { id: key.id, host_collections: [] } })
  })

  test('take subscriptions by PUT', async () => {
    const owner = await expectCreated(
      api.theirs.post('/katello/api/organizations', { name: 'By environment', simple_content_access: true }),
    )
    const key = { organization_id: owner.id, name: 'with subscriptions' }
    const { id } = await expectCreated(api.theirs.post('/katello/api/activation_keys', key))
    const { status, body } = await api.theirs.put(`/katello/api/activation_keys/${id}/add_subscriptions`, {
      subscriptions: [{ id: 1 }],
    })
    const message = 'The specified organization is in Simple Content Access mode. Attaching subscriptions is disabled'
    expect({ status, body }).toEqual({ status: 400, body: { displayMessage: message, message, errors: [message] } })
  })
})

describe('pages', () => {
  const keys = (query: string) =>
    api.theirs.get(`/katello/api/organizations/${organization_id}/activation_keys${query}`)

  test('say numbers as they were sent, and an order in any case', async () => {
    const { body: sent } = await keys('?per_page=4294967296&page=1&search=name%3D%22nothing%22')
    expect(sent).toEqual({
      ...{ total: expect.any(Number), subtotal: 0, selectable: 0, page: '1', per_page: '4294967296', error: null },
      ...{ search: 'name="nothing"', sort: { by: 'name', order: 'asc' }, results: [] },
    })
    expect((await keys('')).body).toMatchObject({ page: 1, per_page: 20 })
    // Clients ask so for the counts alone.
    const counts = { results: [], per_page: '0', total: expect.any(Number), error: null }
    for (const list of [
      'activation_keys',
      'content_views',
      'organizations/1/products',
      'organizations/1/environments',
    ]) {
      const path = `/katello/api/${list}?organization_id=1&per_page=0`
      expect(await api.theirs.get(path), path).toMatchObject({ status: 200, body: counts })
    }
  })

  test('are empty, and say why, where the search cannot be understood', async () => {
    const { status, body } = await keys('?search=nonsense%3D1')
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 0, subtotal: 0, selectable: 0, results: [], search: 'nonsense=1' })
    expect(body.error).toBe("Field 'nonsense' not recognized for searching!")
  })

  test('of organizations look as they do elsewhere', async () => {
    const { body } = await api.theirs.get('/katello/api/organizations?per_page=4294967296')
    expect(body.per_page).toBe(4294967296)
  })
})

describe('subscriptions', () => {
  const path = () => `/katello/api/organizations/${organization_id}/subscriptions`

  test('have numbers of accounts and contracts that are numbers, where they are some', async () => {
    const numbers = { account_number: '12400203', contract_number: '0012-A' }
    const made = await expectCreated(api.theirs.post(path(), { name: 'bought', quantity: 10, ...numbers }))
    const shown = { account_number: 12400203, contract_number: '0012-A' }
    expect(made).toMatchObject(shown)
    const listed = await api.theirs.get(`${path()}?search=${encodeURIComponent('name = bought')}`)
    expect(listed.body.results).toMatchObject([{ id: made.id, ...shown }])
    expect((await api.ours.get(`/content/api/subscriptions/${made.id}`)).body).toMatchObject(numbers)
    const table = await api.theirs.get(`${path()}.csv`)
    expect([table.status, table.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(table.text).toContain(`\n${made.id},${made.id},bought,`)
  })
})

test('another label of an environment is not read, and a new name is', async () => {
  const path = `/katello/api/organizations/${organization_id}/environments`
  const [library] = (await api.theirs.get(`${path}?library=true`)).body.results
  const made = await expectCreated(api.theirs.post(path, { name: 'Staging', label: 'staging', prior_id: library.id }))
  const changed = await api.theirs.put(`${path}/${made.id}`, {
    environment: { new_name: 'New Name', label: 'New Label' },
  })
  expect(changed).toMatchObject({ status: 200, body: { name: 'New Name', label: 'staging' } })
  const refused = await api.theirs.post(path, { name: 'Other', label: 'New Label', prior_id: library.id })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['label']])
})
