import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectCreated } from '../support/api.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// What recorded clients ask for, and find under no route of ours.
let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PERSON = { mail: 'person@example.test', auth_source_id: 1, password: 'a-long-password' }

test('hosts, by a search that is too long for a URL', async () => {
  await expectCreated(api.theirs.post('/api/environments', { environment: { name: 'production' } }))
  for (const name of ['one.example.test', 'two.example.test'])
    await expectCreated(api.theirs.post('/api/hosts', { host: { name, managed: false } }))
  const names = Array.from({ length: 2000 }, (_, index) => `name = host-${index}.example.test`)
  const search = [...names, 'name = two.example.test'].slice(-60).join(' or ')
  const found = await api.theirs.post('/api/hosts/post_index', { search, per_page: 5, thin: true })
  expect(found).toMatchObject({ status: 200, body: { total: 2, subtotal: 1, per_page: 5, search } })
  expect(found.body.results).toMatchObject([{ name: 'two.example.test' }])
  const all = await api.theirs.get('/api/v2/hosts/post_index')
  const { results: listed, ...page } = (await api.theirs.get('/api/v2/hosts')).body
  expect(all.body).toMatchObject(page)
  const nothing = { content_facet_attributes: null, subscription_facet_attributes: null, errata_status: null }
  expect(all.body.results).toEqual(
    listed.map((host: object) => expect.objectContaining({ ...host, ...nothing, subscription_status: null })),
  )
  const inTheirs = await api.theirs.post('/api/hosts/post_index', { search: 'puppetmaster = none', order: 'name DESC' })
  expect(inTheirs).toMatchObject({ status: 200, body: { subtotal: 0, search: 'puppetmaster = none' } })
  expect((await api.theirs.post('/api/hosts/post_index', { search: 'name = "a\0"' })).status).toBe(400)
  expect((await api.theirs.get('/api/hosts/post_index2')).status).toBe(404)
})

test('hosts with what is known of their content, and nothing of what is not', async () => {
  const [organization, location] = [1, 1]
  const [library] = (await api.theirs.get(`/katello/api/organizations/${organization}/environments`)).body.results
  const [view] = (await api.theirs.get(`/katello/api/organizations/${organization}/content_views`)).body.results
  const made = await api.theirs.post('/api/hosts/subscriptions', {
    ...{ organization_id: organization, location_id: location, lifecycle_environment_id: library.id },
    ...{ content_view_id: view.id, facts: { 'network.hostname': 'content.example.test' }, purpose_addons: 'one,two' },
  })
  const facet = {
    lifecycle_environment: { id: library.id },
    content_view: { id: view.id },
    errata_counts: { total: 0 },
  }
  const host = {
    ...{ name: 'content.example.test', display_name: 'content.example.test', creator: expect.any(String) },
    ...{ content_facet_attributes: facet, subscription_facet_attributes: { purpose_addons: ['one', 'two'] } },
    ...{ subscription_status: 5, subscription_status_label: 'Simple content access', errata_status: null },
  }
  expect(made).toMatchObject({ status: 200, body: { ...host, content_view: { id: view.id } } })
  const shown = await api.theirs.get(`/api/hosts/${made.body.id}`)
  expect(shown.body).toMatchObject({ ...host, permissions: { edit_hosts: true, edit_snapshots: false } })
  const search = encodeURIComponent('name = content.example.test')
  const asked = await api.theirs.get(`/api/hosts/post_index?search=${search}&include[]=parameters`)
  expect(asked.body.results).toMatchObject([{ ...host, parameters: [] }])
  const [plain] = (await api.theirs.get(`/api/hosts?search=${search}`)).body.results
  expect(plain).toMatchObject({ content_facet_attributes: facet })
})

test('hosts that a search in their words finds are deleted together', async () => {
  for (const name of ['gone1.example.test', 'gone2.example.test'])
    await expectCreated(api.theirs.post('/api/hosts', { host: { name, managed: false } }))
  const included = { search: 'null? puppetmaster and name ~ gone' }
  const deleted = await api.theirs.delete('/api/v2/hosts/bulk', { included })
  expect(deleted).toMatchObject({ status: 200, body: { message: 'Deleted 2 hosts' } })
})

test('a password that is sent twice, and not the same', async () => {
  const user = { ...PERSON, login: 'twice', password_confirmation: 'another-password' }
  const refused = await api.theirs.post('/api/users', { user })
  expect(refused).toMatchObject({
    status: 422,
    body: { error: { id: null, full_messages: ["Password confirmation doesn't match Password"] } },
  })
  const same = { ...user, password_confirmation: user.password }
  const { id } = await expectCreated(api.theirs.post('/api/users', { user: same }))
  const flat = { password: 'b-long-password', password_confirmation: 'c-long-password' }
  const changed = await api.theirs.put(`/api/users/${id}`, flat)
  expect(changed).toMatchObject({ status: 422, body: { error: { id, errors: { password_confirmation: [/match/] } } } })
  expect((await api.theirs.put(`/api/users/${id}`, { ...flat, password_confirmation: null })).status).toBe(200)
})

test('time zones by their words', async () => {
  const user = { ...PERSON, login: 'elsewhere', timezone: 'Stockholm' }
  const { id, timezone } = await expectCreated(api.theirs.post('/api/users', { user }))
  expect(timezone).toBe('Stockholm')
  const stored = async () => (await api.ours.get(`/api/users/${id}`)).body.timezone
  expect(await stored()).toBe('Europe/Stockholm')
  const changed = await api.theirs.put(`/api/users/${id}`, { user: { timezone: 'Edinburgh' } })
  expect(changed).toMatchObject({ status: 200, body: { timezone: 'London' } })
  expect(await stored()).toBe('Europe/London')
  const iana = await api.theirs.put(`/api/users/${id}`, { timezone: 'Europe/Oslo' })
  expect(iana.body.timezone).toBe('Europe/Oslo')
  expect((await api.theirs.put(`/api/users/${id}`, { timezone: 'Atlantis' })).status).toBe(422)
})

test('public keys with the users that have them', async () => {
  const { id } = await expectCreated(api.theirs.post('/api/users', { user: { ...PERSON, login: 'keyed' } }))
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJz6m8e9Jp3r1xVq9mT0Yb5Z0m3sQ2K1q0d8p7n6l5kA'
  const made = await expectCreated(api.theirs.post(`/api/users/${id}/ssh_keys`, { ssh_key: { name: 'laptop', key } }))
  const { body } = await api.theirs.get(`/api/users/${id}`)
  expect(body.ssh_keys).toEqual([{ id: made.id, name: 'laptop', fingerprint: made.fingerprint }])
})

test('user groups with what is known of their members', async () => {
  const user = { ...PERSON, login: 'member', description: 'A member' }
  const { id } = await expectCreated(api.theirs.post('/api/users', { user }))
  const usergroup = { name: 'outer', user_ids: [id] }
  const { users } = await expectCreated(api.theirs.post('/api/usergroups', { usergroup }))
  expect(users).toEqual([{ id, login: 'member', description: 'A member' }])
})

test('organizations by their labels, and where their content comes from', async () => {
  const organization = { name: 'Content & Co', label: 'chosen' }
  const { id } = await expectCreated(api.theirs.post('/katello/api/organizations', { organization }))
  const listed = await api.theirs.get(`/api/organizations?search=${encodeURIComponent('name = "Content & Co"')}`)
  expect(listed.body.results).toMatchObject([{ id, label: 'chosen' }])
  const redhat_repository_url = 'https://cdn.example.test'
  const changed = await api.theirs.put(`/katello/api/organizations/${id}`, { redhat_repository_url })
  expect(changed).toMatchObject({ status: 200, body: { redhat_repository_url } })
  expect(changed.body).not.toHaveProperty('cdn_url')
  expect((await api.ours.get(`/content/api/organizations/${id}`)).body.cdn_url).toBe(redhat_repository_url)
})
