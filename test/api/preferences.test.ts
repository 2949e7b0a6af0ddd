import { afterAll, expect, test } from 'vitest'
import { openTestApi } from '../support/api.ts'

const api = await openTestApi()
afterAll(() => api[Symbol.asyncDispose]())

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINGIAvd3/0Z3JLnt7sPKQYGWrsn7zXENOu1Fk4vY3C5E lisbet@example.test'
const ECDSA =
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBIhRoL6PfBRs9YwW3r2/pYeLrxRzEZSUO3Go8JivxMsguEKjJ3byHDPvPpMHhKKSZD/HJY/A+2Ndqp0ElB+t2qs= lisbet@example.test'

test('users keep public keys, which say what they are', async () => {
  const lisbet = await api.can([])
  const keys = `/api/users/${lisbet.id}/ssh_keys`
  const made = await lisbet.post(keys, { name: 'laptop', key: ECDSA })
  expect(made).toMatchObject({
    status: 201,
    body: { name: 'laptop', length: 256, fingerprint: '5YShdnIX3EEv8GzgY2BSVyOmR9ADnS71FpyobuNljxk=' },
  })
  expect((await lisbet.get(`${keys}/laptop`)).body).toEqual(made.body)
  const twice = await lisbet.post(keys, { name: 'again', key: ECDSA })
  expect(twice.body.error.errors).toEqual({ key: ['is a key of this user already'] })
  for (const key of [
    '',
    'ssh-ed25519',
    'ssh-rsa AAAA',
    `from="*" ${KEY}`,
    `${KEY}\n${ECDSA}`,
    KEY.replace('ed25519', 'rsa'),
  ])
    expect((await lisbet.post(keys, { name: 'bad', key })).status, key).toBe(422)
  expect((await lisbet.delete(`${keys}/${made.body.id}`)).status).toBe(200)
  expect((await lisbet.get(keys)).body.total).toBe(0)
})

test('nobody gives a key to somebody else without permission, or to an administrator', async () => {
  const places = {
    organization_ids: [(await api.admin.post('/api/organizations', { name: 'Works' })).body.id],
    location_ids: [(await api.admin.post('/api/locations', { name: 'Berlin' })).body.id],
  }
  const lisbet = await api.can([], places)
  const helper = await api.can(['view_users', 'view_ssh_keys', 'create_ssh_keys'], places)
  expect((await lisbet.post(`/api/users/${helper.id}/ssh_keys`, { name: 'mine', key: KEY })).status).not.toBe(201)
  expect((await helper.post(`/api/users/${lisbet.id}/ssh_keys`, { name: 'theirs', key: KEY })).status).toBe(201)
  const { id } = (await api.admin.get('/api/users/admin')).body
  expect((await helper.post(`/api/users/${id}/ssh_keys`, { name: 'mine', key: KEY })).status).toBeGreaterThanOrEqual(
    403,
  )
  expect((await api.admin.get(`/api/users/${id}/ssh_keys`)).body.total).toBe(0)
})

test('users keep which columns they like to see', async () => {
  const lisbet = await api.can([])
  const preferences = `/api/users/${lisbet.id}/table_preferences`
  const made = await lisbet.post(preferences, { name: 'hosts', columns: ['name', 'os'] })
  expect(made).toMatchObject({ status: 201, body: { name: 'hosts', columns: ['name', 'os'] } })
  const changed = await lisbet.put(`${preferences}/hosts`, { columns: ['os'] })
  expect(changed.body.columns).toEqual(['os'])
  expect((await lisbet.get(`${preferences}/hosts`)).body).toEqual(changed.body)
  expect((await lisbet.post(preferences, { name: 'hosts' })).status).toBe(422)
  const other = await api.can([])
  expect((await other.get(`${preferences}/hosts`)).status).not.toBe(200)
  expect((await lisbet.delete(`${preferences}/hosts`)).status).toBe(200)
})
