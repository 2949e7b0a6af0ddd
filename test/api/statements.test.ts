import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

// The number of statements of frequent requests, with a cached caller: these figures only change on purpose. Each is
// measured for a user with a role, one organization and one location, and for an administrator.

let api: TestApi
let user: Caller
let at: Readonly<Record<'architecture' | 'host' | 'group' | 'class', Shown>>

beforeAll(async () => {
  api = await openTestApi()
  const { admin } = api
  const names = [
    'view_hosts',
    'create_hosts',
    'edit_hosts',
    'destroy_hosts',
    'view_architectures',
    'create_architectures',
  ]
  const more = ['edit_architectures', 'destroy_architectures', 'view_hostgroups', 'view_users', 'view_configclasses']
  user = await api.can([...names, ...more, 'view_facts'], { organization_ids: [1], location_ids: [1] })
  at = {
    architecture: await given(admin, 'architecture'),
    host: await given(admin, 'host', {
      name: `${unique('host')}.test`,
      managed: false,
      organization_id: 1,
      location_id: 1,
    }),
    group: await given(admin, 'hostgroup'),
    class: await given(admin, 'configclass'),
  }
})
afterAll(() => api?.[Symbol.asyncDispose]())

type Ask = (caller: Caller) => Promise<{ readonly status: number }>

const architecture = async () => `/api/architectures/${(await given(api.admin, 'architecture')).id}`
const newHost = () => ({ name: `${unique('new')}.test`, managed: false, organization_id: 1, location_id: 1 })

const READING: Readonly<Record<string, Ask>> = {
  'show an architecture': (caller) => caller.get(`/api/architectures/${at.architecture.id}`),
  'list architectures': (caller) => caller.get('/api/architectures'),
  'search architectures': (caller) => caller.get('/api/architectures?search=name+~+a'),
  'show a host': (caller) => caller.get(`/api/hosts/${at.host.id}`),
  'list hosts': (caller) => caller.get('/api/hosts'),
  'search hosts': (caller) => caller.get('/api/hosts?search=name+~+host'),
  'list host groups': (caller) => caller.get('/api/hostgroups'),
  'list users': (caller) => caller.get('/api/users'),
  'list facts of a host': (caller) => caller.get(`/api/hosts/${at.host.id}/facts`),
}

test('reading takes as many statements as is written here', async () => {
  const counts: Record<string, string> = {}
  for (const [name, ask] of Object.entries(READING)) {
    const count = async (caller: Caller) => {
      expect((await ask(caller)).status, name).toBe(200) // fills the caches
      return (await api.counting(() => ask(caller))).count
    }
    counts[name] = `${await count(user)} for the user, ${await count(api.admin)} for the administrator`
  }
  expect(counts).toMatchInlineSnapshot(`
    {
      "list architectures": "1 for the user, 1 for the administrator",
      "list facts of a host": "3 for the user, 3 for the administrator",
      "list host groups": "2 for the user, 1 for the administrator",
      "list hosts": "2 for the user, 1 for the administrator",
      "list users": "1 for the user, 1 for the administrator",
      "search architectures": "1 for the user, 1 for the administrator",
      "search hosts": "2 for the user, 2 for the administrator",
      "show a host": "2 for the user, 1 for the administrator",
      "show an architecture": "1 for the user, 1 for the administrator",
    }
  `)
})

test('writing takes as many statements as is written here, with what begins and ends its transaction', async () => {
  const counts: Record<string, number> = {}
  const count = async (name: string, ask: Ask, status: number) => {
    const { result, count: statements } = await api.counting(() => ask(user))
    expect(result.status, name).toBe(status)
    counts[name] = statements
  }
  const [first, second] = [await architecture(), await architecture()]
  const host = await expectCreated(user.post('/api/hosts', { host: newHost() }))
  await count('create an architecture', (caller) => caller.post('/api/architectures', { name: unique('a') }), 201)
  await count('update an architecture', (caller) => caller.put(first, { name: unique('a') }), 200)
  await count('delete an architecture', (caller) => caller.delete(second), 200)
  await count('create a host', (caller) => caller.post('/api/hosts', { host: newHost() }), 201)
  await count('update a host', (caller) => caller.put(`/api/hosts/${host.id}`, { comment: unique('c') }), 200)
  await count('rename a host', (caller) => caller.put(`/api/hosts/${host.id}`, { name: `${unique('n')}.test` }), 200)
  await count('delete a host', (caller) => caller.delete(`/api/hosts/${host.id}`), 200)
  expect(counts).toMatchInlineSnapshot(`
    {
      "create a host": 8,
      "create an architecture": 3,
      "delete a host": 6,
      "delete an architecture": 7,
      "rename a host": 13,
      "update a host": 6,
      "update an architecture": 5,
    }
  `)
})
