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
  const onlooker = await api.can(['view_users'], places)
  const helper = await api.can(['view_users', 'view_ssh_keys', 'create_ssh_keys'], places)
  expect((await lisbet.post(`/api/users/${helper.id}/ssh_keys`, { name: 'mine', key: KEY })).status).not.toBe(201)
  expect((await helper.post(`/api/users/${lisbet.id}/ssh_keys`, { name: 'theirs', key: KEY })).status).toBe(201)
  for (const [caller, status] of [
    [onlooker, 403],
    [helper, 200],
    [lisbet, 200],
  ] as const)
    expect((await caller.get(`/api/users/${lisbet.id}/ssh_keys`)).status).toBe(status)
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
  expect((await lisbet.delete(`${preferences}/hosts`)).status).toBe(200)
})

test('preferences of others are refused to those who see the users, and shown to those who may look', async () => {
  const here = { organization_ids: [1], location_ids: [1] }
  const lisbet = await api.can([], here)
  const preferences = `/api/users/${lisbet.id}/table_preferences`
  const { body: kept } = await lisbet.post(preferences, { name: 'hosts', columns: ['name'] })
  const refusal = (permission: string) => ({
    status: 403,
    body: {
      error: {
        message: 'Access denied',
        details: 'You are trying access the preferences of a different user',
        missing_permissions: [permission],
      },
    },
  })
  const colleague = await api.can(['view_users'], here)
  expect(await colleague.get(preferences)).toMatchObject(refusal('view_table_preferences'))
  expect(await colleague.post(preferences, { name: 'users' })).toMatchObject(refusal('create_table_preferences'))
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const headers = { 'content-type': 'application/json' }
    const { status } = await colleague.send({ method, url: `${preferences}/hosts`, headers, payload: '{}' })
    expect(status, method).toBe(403)
  }
  expect(await colleague.get('/api/users/999999/table_preferences')).toMatchObject({
    status: 404,
    body: { message: "User not found by id '999999'" },
  })
  expect((await (await api.can([])).get(preferences)).status, 'a user that is not seen').toBe(404)
  for (const caller of [lisbet, api.admin, await api.can(['view_users', 'view_table_preferences'], here)])
    expect((await caller.get(preferences)).body.results).toEqual([kept])
})
