import { afterAll, beforeAll, expect, test } from 'vitest'
import { given, type Shown, unique } from '../support/given.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Below a smart proxy clients know the hosts that it runs on: removing one from that list must not delete the host.
let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const host = (): Promise<Shown> => given(api.ours, 'host', { name: `${unique('machine')}.example.test` })

test('hosts are said to be of a proxy, listed and taken away, and stay', async () => {
  const [proxy, one, other] = [await given(api.ours, 'smart_proxy'), await host(), await host()]
  await api.ours.put(`/api/hosts/${other.id}`, { config_proxy_id: proxy.id })
  const below = `/api/v2/smart_proxies/${proxy.id}/hosts`
  expect((await api.theirs.put(`${below}/${one.id}`, {})).status).toBe(201)
  const listed = await api.theirs.get(below)
  expect(listed).toMatchObject({ status: 200, body: { total: 1, subtotal: 1, search: null } })
  expect(listed.body.results).toMatchObject([
    { id: one.id, puppet_proxy_id: null, infrastructure_facet: { smart_proxy_id: proxy.id } },
  ])
  const unmatched = await api.theirs.get(`${below}?search=${encodeURIComponent(`name = ${other.name}`)}`)
  expect(unmatched.body).toMatchObject({ total: 1, subtotal: 0, search: `name = ${other.name}`, results: [] })
  // A host whose runs the proxy starts is not one that the proxy runs on.
  expect((await api.theirs.delete(`${below}/${other.id}`)).status).toBe(404)
  const taken = await api.theirs.delete(`${below}/${one.id}`, { smart_proxy_host: {} })
  expect(taken).toMatchObject({ status: 204, text: '' })
  for (const { id } of [one, other]) expect((await api.theirs.get(`/api/hosts/${id}`)).status).toBe(200)
  expect((await api.theirs.get(below)).body.results).toEqual([])
})

test('a proxy that is not there is said in the words of those servers', async () => {
  expect(await api.theirs.get('/api/smart_proxies/999999/hosts')).toMatchObject({
    status: 422,
    body: { error: { message: "Couldn't find SmartProxy with 'id'=999999" } },
  })
  const { id } = await host()
  expect((await api.theirs.put(`/api/smart_proxies/999999/hosts/${id}`, {})).status).toBe(404)
})
