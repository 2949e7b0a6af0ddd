import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given, type Shown } from '../support/given.ts'

// The hosts on which smart proxies run (docs/contract.md).

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const path = (proxy: Shown, host: number | string) => `/api/smart_proxies/${proxy.id}/machines/${host}`
const foundOn = async ({ id }: Shown): Promise<number[]> => {
  const { body } = await api.admin.get(`/api/hosts?search=${encodeURIComponent(`runs_smart_proxy_id = ${id}`)}`)
  return body.results.map((host: Shown) => host.id)
}
const auditsOf = async ({ id }: Shown) => {
  const search = encodeURIComponent(`type = smart_proxy and auditable_id = ${id} and action = update`)
  const { body } = await api.admin.get(`/api/audits?search=${search}&order=id+ASC`)
  return body.results.map(({ audited_changes }: Shown) => audited_changes)
}

test('a host is said to be one of a proxy, by id or name, once, and is taken away again', async () => {
  const [proxy, one, other] = [await given(api.admin, 'smart_proxy'), await host(), await host()]
  const added = await api.admin.put(path(proxy, one.id))
  expect(added).toMatchObject({ status: 201, body: { smart_proxy_id: proxy.id, host_id: one.id } })
  expect((await api.admin.put(path(proxy, other.name))).body).toEqual({ smart_proxy_id: proxy.id, host_id: other.id })
  expect((await api.admin.put(path(proxy, one.id))).status).toBe(201)
  expect(await foundOn(proxy)).toEqual([one.id, other.id])
  const removed = await api.admin.delete(path(proxy, one.id))
  expect(removed).toMatchObject({ status: 200, body: { smart_proxy_id: proxy.id, host_id: one.id } })
  expect((await api.admin.get(`/api/hosts/${one.id}`)).status).toBe(200)
  expect(await foundOn(proxy)).toEqual([other.id])
  expect((await api.admin.delete(path(proxy, one.id))).status).toBe(404)
  const ids = (...changes: number[][]) => ({ machine_ids: changes })
  expect(await auditsOf(proxy)).toEqual([
    ids([], [one.id]),
    ids([one.id], [one.id, other.id]),
    ids([one.id, other.id], [other.id]),
  ])
})

test('a proxy or a host that is deleted leaves nothing behind, and a proxy is no reason to keep its host', async () => {
  const [proxy, second] = [await given(api.admin, 'smart_proxy'), await given(api.admin, 'smart_proxy')]
  const [one, other] = [await host(), await host()]
  for (const { id } of [one, other]) await api.admin.put(path(proxy, id))
  await api.admin.put(path(second, other.id))
  expect((await api.admin.delete(`/api/hosts/${one.id}`)).status).toBe(200)
  expect(await foundOn(proxy)).toEqual([other.id])
  expect((await api.admin.delete(`/api/smart_proxies/${proxy.id}`)).status).toBe(200)
  expect(await foundOn(second)).toEqual([other.id])
})

test('setting it requires editing the proxy and the host; others see neither', async () => {
  const organization_ids = [(await given(api.admin, 'organization')).id]
  const location_ids = [(await given(api.admin, 'location')).id]
  const proxy = await given(api.admin, 'smart_proxy', { organization_ids, location_ids })
  const one = await host({ organization_id: organization_ids[0], location_id: location_ids[0] })
  const status = async (permissions: readonly string[], search?: string, also: readonly string[] = []) => {
    const user = await api.can(permissions, { ...(search && { search }), also, organization_ids, location_ids })
    return (await user.put(path(proxy, one.id))).status
  }
  expect(await status(['edit_hosts'])).toBe(403)
  expect(await status(['edit_smart_proxies'])).toBe(403)
  expect(await status(['edit_hosts'], 'name = other', ['edit_smart_proxies'])).toBe(404)
  expect(await status(['edit_smart_proxies'], 'name = other', ['edit_hosts'])).toBe(404)
  expect(await foundOn(proxy)).toEqual([])
  expect(await status(['edit_smart_proxies', 'edit_hosts'])).toBe(201)
  const outsider = await api.can(['edit_smart_proxies', 'edit_hosts'])
  expect((await outsider.delete(path(proxy, one.id))).status).toBe(404)
  expect(await foundOn(proxy)).toEqual([one.id])
})

function host(body: Body = {}): Promise<Shown> {
  return given(api.admin, 'host', { managed: false, ...body })
}
