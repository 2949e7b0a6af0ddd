import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** What a host refers to, by key. */
const OF_A_HOST = {
  architecture_id: ['architecture', 'architectures'],
  operatingsystem_id: ['operatingsystem', 'operatingsystems'],
  environment_id: ['environment', 'environments'],
  ptable_id: ['ptable', 'ptables'],
  medium_id: ['medium', 'media'],
  model_id: ['model', 'models'],
  realm_id: ['realm', 'realms'],
  domain_id: ['domain', 'domains'],
  hostgroup_id: ['hostgroup', 'hostgroups'],
  compute_resource_id: ['compute_resource', 'compute_resources'],
  compute_profile_id: ['compute_profile', 'compute_profiles'],
  config_proxy_id: ['smart_proxy', 'smart_proxies'],
  config_ca_proxy_id: ['smart_proxy', 'smart_proxies'],
} as const

test.each(Object.entries(OF_A_HOST))('what a host refers to by %s stays until it goes', async (key, [name, plural]) => {
  const used = await given(api.admin, name)
  const host = await given(api.admin, 'host', { [key]: used.id })
  const path = `/api/${plural}/${used.id}`
  const refused = await api.admin.delete(path)
  const why = `${used.title ?? used.name} is used by ${host.name}`
  expect(refused).toMatchObject({ status: 422, body: { error: { id: used.id, errors: { base: [why] } } } })
  expect((await api.admin.get(path)).status).toBe(200)
  expect((await api.admin.get(`/api/hosts/${host.id}`)).body[key]).toBe(used.id)
  expect((await api.admin.delete(`/api/hosts/${host.id}`)).status).toBe(200)
  expect((await api.admin.delete(path)).status).toBe(200)
})
