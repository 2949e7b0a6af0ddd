import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectCreated } from '../support/api.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Requests as stricter clients write them (clients.md §4, §6, §7).
let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

test('a search as JSON in the body of a GET, in their words', async () => {
  const { id } = await expectCreated(api.theirs.post('/api/v2/puppetclasses', { puppetclass: { name: 'ntp' } }))
  const asking = (url: string, body: unknown) =>
    api.theirs.send({
      method: 'GET',
      url,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })
  const found = await asking('/api/v2/puppetclasses', { search: 'name="ntp"', per_page: 4294967296 })
  expect(found).toMatchObject({ status: 200, body: { subtotal: 1, per_page: 4294967296, results: { ntp: [{ id }] } } })
  const within = await asking('/foreman_puppet/api/smart_class_parameters', {
    puppetclass_id: id,
    search: 'puppetclass_name = ntp',
  })
  expect(within).toMatchObject({ status: 200, body: { total: 0, search: 'puppetclass_name = ntp' } })
  expect((await asking('/api/v2/smart_class_parameters', { puppetclass_id: 999 })).status).toBe(404)
})

test('a slash before the query, and per_page that means everything', async () => {
  await expectCreated(api.theirs.post('/api/architectures', { architecture: { name: 'riscv' } }))
  const { status, body } = await api.theirs.get('/api/v2/architectures/?search=name=riscv&per_page=4294967296')
  expect(status).toBe(200)
  expect(body).toMatchObject({ subtotal: 1, per_page: 4294967296, results: [{ name: 'riscv' }] })
})

test('a record sent back whole: read-only fields, blank times, null lists, context beside the record', async () => {
  const location = await expectCreated(api.theirs.post('/api/locations', { location: { name: 'here' } }))
  const architecture = { id: 7, name: 'sparc', created_at: '', updated_at: '', operatingsystem_ids: null, images: null }
  const created = await api.theirs.post('/api/architectures', { architecture, location_id: location.id })
  expect(created).toMatchObject({ status: 201, body: { name: 'sparc', operatingsystems: [] } })
  const back = await api.theirs.put(`/api/architectures/${created.body.id}`, { architecture: created.body })
  expect(back).toMatchObject({ status: 200, body: created.body })
})

test('a flat update, and a deletion without a body', async () => {
  const { id } = await expectCreated(api.theirs.post('/api/v2/environments', { environment: { name: 'testing' } }))
  const changed = await api.theirs.put(`/foreman_puppet/api/v2/environments/${id}`, { name: 'staging' })
  expect(changed).toMatchObject({ status: 200, body: { id, name: 'staging' } })
  const deleted = await api.theirs.delete('/api/environments/staging')
  expect(deleted).toMatchObject({ status: 200, body: { id, name: 'staging' } })
})

test('lists below a location and an organization at once', async () => {
  const here = await expectCreated(api.theirs.post('/api/locations', { location: { name: 'there' } }))
  const us = await expectCreated(api.theirs.post('/api/organizations', { organization: { name: 'us' } }))
  const domain = (name: string, organization_ids: number[]) =>
    expectCreated(api.theirs.post('/api/domains', { domain: { name, location_ids: [here.id], organization_ids } }))
  const ours = await domain('ours.example.test', [us.id])
  await domain('others.example.test', [])
  const { body } = await api.theirs.get(`/api/locations/${here.id}/organizations/${us.id}/domains`)
  expect(body.results).toMatchObject([{ id: ours.id }])
  expect((await api.theirs.get(`/api/locations/999/organizations/${us.id}/domains`)).status).toBe(404)
})

test('facts by which hosts say where they belong', async () => {
  const [there, here] = [{ location: { name: 'Placed there' } }, { organization: { name: 'Placed here' } }]
  const location = await expectCreated(api.theirs.post('/api/locations', there))
  const organization = await expectCreated(api.theirs.post('/api/organizations', here))
  const facts = { foreman_organization: organization.title, foreman_location: location.title }
  const { body } = await api.theirs.post('/api/v2/hosts/facts', { name: 'placed.example.test', facts })
  expect(body).toMatchObject({ organization_id: organization.id, location_id: location.id })
})

test('facts as playbooks tell them say what the host is, and leave those of the configuration engine', async () => {
  const name = 'played.example.test'
  const tell = (facts: object) => expectCreated(api.theirs.post('/api/v2/hosts/facts', { name, facts }))
  const ansible_facts = {
    ansible_distribution: 'Debian',
    ansible_distribution_version: '12.5',
    ansible_distribution_major_version: '12',
    ansible_distribution_release: 'bookworm',
    ansible_architecture: 'x86_64',
    ansible_default_ipv4: { address: '192.0.2.77', macaddress: '52:54:00:00:00:77' },
  }
  const played = await tell({ ansible_facts: { ...ansible_facts, ansible_gone: 1 }, _type: 'ansible' })
  expect(played).toMatchObject({ name })
  await tell({ kernel: 'Linux', role: 'web' })
  await tell({ ansible_facts, _type: 'ansible' })
  await tell({ kernel: 'Linux' })
  const { body } = await api.theirs.get(`/api/v2/hosts/${name}`)
  expect(body).toMatchObject({
    ...{ operatingsystem_name: 'Debian 12.5', architecture_name: 'x86_64', ip: '192.0.2.77', mac: '52:54:00:00:00:77' },
  })
  const facts = (await api.theirs.get(`/api/v2/hosts/${name}/facts?per_page=all`)).body.results[name]
  expect(Object.keys(facts).sort()).toEqual(
    [
      ...Object.keys(ansible_facts),
      'ansible_default_ipv4::address',
      'ansible_default_ipv4::macaddress',
      'kernel',
    ].sort(),
  )
})

test('searches that are kept are in their words', async () => {
  for (const [sent, kept] of [
    [
      { controller: 'hosts', query: 'puppetmaster = a' },
      { controller: 'hosts', query: 'configmaster = a' },
    ],
    [
      { controller: 'puppetclasses', query: 'name = a' },
      { controller: 'configclasses', query: 'name = a' },
    ],
  ]) {
    const bookmark = { name: 'theirs', public: true, ...sent }
    const made = await expectCreated(api.theirs.post('/api/v2/bookmarks', { bookmark }))
    expect(made).toMatchObject(bookmark)
    expect((await api.ours.get(`/api/bookmarks/${made.id}`)).body).toMatchObject(kept ?? {})
  }
})
