import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, expectCreated } from '../support/api.ts'
import { given, unique } from '../support/given.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Cases between the words of the two listeners: searches, texts of callers, and words of both in one request.
let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const searching = (path: string, search: string) => api.theirs.get(`${path}?search=${encodeURIComponent(search)}`)

describe('searches', () => {
  test('a list of values has words like a single value', async () => {
    for (const [list, names] of [
      ['(view_puppetclasses, view_hosts)', ['view_hosts', 'view_puppetclasses']],
      ['("view_puppetclasses" edit_puppetclasses)', ['edit_puppetclasses', 'view_puppetclasses']],
    ] as const) {
      const { body } = await searching('/api/permissions', `name ^ ${list}`)
      expect(body.results.map(({ name }: { name: string }) => name).sort()).toEqual(names)
      expect(body.search).toBe(`name ^ ${list}`)
    }
    const { body } = await searching('/api/permissions', 'resource_type ^ (Puppetclass) or name = view_hosts')
    const types = body.results.map((one: { resource_type: string }) => one.resource_type)
    expect(new Set(types)).toEqual(new Set(['Puppetclass', 'Host']))
  })

  test('suggestions are a list whatever was typed, and suggest fields in their words', async () => {
    const { body } = await searching('/api/smart_class_parameters/auto_complete_search', 'puppetclass = a and ')
    expect(Array.isArray(body)).toBe(true)
    const labels = body.map(({ label }: { label: string }) => label.replace(/\s+/g, ' ').trim())
    expect(labels).toContain('puppetclass = a and puppetclass')
    expect(labels.filter((label: string) => label.includes('configclass'))).toEqual([])
    const refused = await searching('/api/smart_class_parameters/auto_complete_search', 'puppetclass = a )')
    expect(refused.body).toEqual([{ error: expect.stringContaining('Unexpected )') }])
  })

  test('an order may begin with a blank', async () => {
    const { body } = await api.theirs.get('/api/smart_class_parameters?order=+puppetclass++desc')
    expect(body.sort).toEqual({ by: 'puppetclass', order: 'desc' })
  })

  test('of a filter are kept in our words, shown in theirs, and hold', async () => {
    const proxy = await given(api.ours, 'smart_proxy')
    const [seen, hidden] = await Promise.all(
      ['seen', 'hidden'].map((name) => given(api.ours, 'host', { name: `${unique(name)}.example.test` })),
    )
    if (!seen || !hidden) throw new Error('no hosts')
    await api.ours.put(`/api/hosts/${seen.id}`, { config_proxy_id: proxy.id })
    const role = await expectCreated(api.theirs.post('/api/roles', { role: { name: unique('readers') } }))
    const [permission] = (await searching('/api/permissions', 'name = view_hosts')).body.results
    const search = `puppet_proxy_id = ${proxy.id}`
    const sent = { role_id: role.id, permission_ids: [permission.id], search }
    const filter = await expectCreated(api.theirs.post('/api/filters', { filter: sent }))
    expect(filter.search).toBe(search)
    expect((await api.ours.get(`/api/filters/${filter.id}`)).body.search).toBe(`config_proxy_id = ${proxy.id}`)
    expect((await searching('/api/filters', `id = ${filter.id}`)).body).toMatchObject({
      search: `id = ${filter.id}`,
      results: [{ search }],
    })
    expect((await api.theirs.put(`/api/filters/${filter.id}`, { filter })).body.search).toBe(search)

    const login = unique('reader')
    const user = { login, password: 'a-long-password', mail: `${login}@example.test`, auth_source_id: 1 }
    await expectCreated(
      api.theirs.post('/api/users', {
        user: { ...user, role_ids: [role.id], organization_ids: [1], location_ids: [1] },
      }),
    )
    const { body } = await api.theirs.get('/api/hosts', { authorization: basic(login, user.password) })
    expect(body.results).toMatchObject([{ id: seen.id }])
  })

  test('of the hosts of a smart proxy stay among these, whatever parentheses and quotes are in them', async () => {
    const proxy = await given(api.ours, 'smart_proxy')
    const [one, other] = [await given(api.ours, 'host'), await given(api.ours, 'host')]
    const below = `/api/smart_proxies/${proxy.id}/hosts`
    await api.theirs.put(`${below}/${one.id}`, {})
    const asSent = `name = nothing) or (name = ${other.name}`
    const refused = await searching(below, asSent)
    expect(refused.status).toBe(400)
    expect(refused.body).toEqual((await searching('/api/hosts', asSent)).body)
    for (const search of [`name = "${one.name}`, `(name = ${one.name}`, `name = ${other.name} or name = ${one.name}`]) {
      const found = await searching(below, search)
      expect(found, search).toMatchObject({ status: 200, body: { subtotal: 1, search, results: [{ id: one.id }] } })
    }
  })

  test('of tasks know them by the ids and labels that they are shown with', async () => {
    const key = await given(api.ours, 'activation_key')
    const { status, body: task } = await api.theirs.delete(`/katello/api/activation_keys/${key.id}`)
    expect(status).toBe(202)
    for (const search of [
      `id = ${task.id}`,
      `id = ${task.id} and label = ${task.label}`,
      `id ^ (${task.id}, ${task.id})`,
    ]) {
      const found = await searching('/foreman_tasks/api/tasks', search)
      expect(found, search).toMatchObject({ status: 200, body: { subtotal: 1, search, results: [{ id: task.id }] } })
    }
    const others = await searching('/foreman_tasks/api/tasks', `id = ${task.id} and label != "${task.label}"`)
    expect(others.body.subtotal).toBe(0)
  })

  test('of audits know types by their words, and changes are told in them', async () => {
    const { id } = await expectCreated(
      api.theirs.post('/api/puppetclasses', { puppetclass: { name: unique('audited') } }),
    )
    const sent = { name: unique('people'), host: 'ldap.example.test', server_type: 'free_ipa', base_dn: 'dc=example' }
    await expectCreated(api.theirs.post('/api/auth_source_ldaps', { auth_source_ldap: sent }))
    const found = await searching('/api/audits', `type = puppetclass and auditable_id = ${id}`)
    expect(found.body.results).toMatchObject([{ auditable_type: 'Puppetclass', auditable_id: id }])
    const group = await expectCreated(
      api.theirs.post('/api/hostgroups', { hostgroup: { name: unique('configclass'), puppetclass_ids: [id] } }),
    )
    const { body } = await searching('/api/audits', `type = hostgroup and auditable_id = ${group.id}`)
    expect(body.results[0].audited_changes).toMatchObject({ name: group.name, puppetclass_ids: [id] })
    const shown = await api.theirs.get(`/api/audits/${body.results[0].id}`)
    expect(shown.body.audited_changes).toEqual(body.results[0].audited_changes)
    const source = await searching('/api/audits', 'type = auth_source_ldap')
    expect(source.body.results[0].audited_changes.server_type).toBe('free_ipa')
  })
})

describe('what callers have written', () => {
  test('reaches servers of the engine as it is: numbers, and names that are like ours', async () => {
    const host = await given(api.ours, 'host')
    const send = (name: string, value: string) =>
      api.theirs.send({
        method: 'POST',
        url: `/api/hosts/${host.id}/parameters`,
        headers: { 'content-type': 'application/json' },
        payload: `{"parameter":{"name":"${name}","parameter_type":"json","value":${value}}}`,
      })
    await expectCreated(send('millwright_own', '{"configclass":2.0,"big":9007199254740993}'))
    const [ours, theirs] = [
      await api.ours.get(`/api/hosts/${host.id}/enc`),
      await api.theirs.get(`/api/hosts/${host.id}/enc`),
    ]
    const own = /"millwright_own":(\{[^}]*\})/
    expect(own.exec(theirs.text)?.[1]).toMatch(/2\.0/)
    expect(own.exec(theirs.text)?.[1]).toContain('9007199254740993')
    expect(own.exec(theirs.text)?.[1]).toBe(own.exec(ours.text)?.[1])
    expect(theirs.body.data.parameters).toHaveProperty('foreman_interfaces')
  })

  test('comes back in errors as it was', async () => {
    const message = async (path: string) => {
      const { body } = await api.theirs.get(path)
      return body.error?.message ?? body.message
    }
    expect(await message('/api/hosts/millwright.example.test')).toBe(
      "Resource host not found by id 'millwright.example.test'",
    )
    expect(await message('/api/puppetclasses/configclass')).toBe("Resource puppetclass not found by id 'configclass'")
    expect(await message('/api/hosts?organization_id=millwright')).toBe('Organization with id millwright not found')
    expect(await message('/api/hosts?per_page=%22configclass')).toContain('value "\\"configclass":')
    const long = `${'"'.repeat(20_000)}configclass = 1`
    expect((await api.theirs.post('/api/hosts/post_index', { search: long })).status).toBe(400)
  })
})

test('where a key is sent in both words, theirs counts', async () => {
  const sent = { name: unique('both'), puppetclass_ids: [], configclass_ids: [999_999] }
  expect((await api.theirs.post('/api/hostgroups', { hostgroup: sent })).status).toBe(201)
  const reversed = { name: unique('both'), puppetclass_ids: [999_999], configclass_ids: [] }
  expect((await api.theirs.post('/api/hostgroups', { hostgroup: reversed })).status).toBe(422)
  const unknown = await api.theirs.get('/api/smart_class_parameters?puppetclass_id=999999&configclass_id=')
  expect(unknown.status).toBe(404)
})

test('searches are completed without the prefix, too', async () => {
  const { body } = await api.theirs.get('/hosts/auto_complete_search?search=na')
  expect(body).toEqual((await api.theirs.get('/api/hosts/auto_complete_search?search=na')).body)
  expect(body.map(({ part }: { part: string }) => part)).toContain(' name ')
})

test('empty segments of a path are none', async () => {
  for (const { path, caller } of [
    { path: '/api/hosts//', caller: api.theirs },
    { path: '/api/hosts//', caller: api.ours },
    { path: '/katello//api/organizations//', caller: api.theirs },
  ])
    expect((await caller.get(path)).status, path).toBe(200)
})

test('none of our words is left in links, summaries and the origin of roles', async () => {
  const { links } = (await api.theirs.get('/api')).body
  expect(Object.keys(links)).toContain('puppetclasses')
  expect(JSON.stringify(links)).toContain('Give a host a puppetclass')
  expect(JSON.stringify(links)).not.toMatch(/config[ _]?(?:class|proxy|ca\b)/i)
  const { results } = (await searching('/api/roles', 'name = Viewer')).body
  expect(results).toMatchObject([{ origin: 'foreman' }])
})

test('a deleted record says what was above it, and which hosts were in it', async () => {
  const { id: parent_id } = await expectCreated(api.theirs.post('/api/hostgroups', { hostgroup: { name: 'above' } }))
  const below = await expectCreated(api.theirs.post('/api/hostgroups', { hostgroup: { name: 'below', parent_id } }))
  const gone = await api.theirs.delete(`/api/hostgroups/${below.id}`)
  expect(gone).toMatchObject({ status: 200, body: { id: below.id, parent_id, ancestry: String(parent_id) } })
  expect((await api.theirs.delete(`/api/hostgroups/${parent_id}`)).body.ancestry).toBeNull()

  const { id: organization_id } = await given(api.theirs, 'organization')
  const host = await given(api.theirs, 'host', { organization_id })
  const collection = { name: 'some', organization_id, host_ids: [host.id] }
  const { id } = (await api.theirs.post('/katello/api/host_collections', collection)).body
  expect((await api.theirs.delete(`/katello/api/host_collections/${id}`)).body).toMatchObject({
    id,
    host_ids: [host.id],
  })
})

describe('the places of a record', () => {
  test('are a list below it, which can be searched, and of whoever sees the record', async () => {
    const domain = await given(api.theirs, 'domain', { name: `${unique('places')}.test`, organization_ids: [1] })
    const organizations = (search = '') =>
      api.theirs.get(`/api/domains/${domain.id}/organizations?search=${encodeURIComponent(search)}`)
    expect((await organizations()).body).toMatchObject({ total: 1, results: [{ id: 1 }] })
    expect((await organizations('name = nobody')).body).toMatchObject({
      total: 0,
      search: 'name = nobody',
      results: [],
    })
    expect((await api.theirs.get('/api/domains/999999/locations')).status).toBe(404)
  })
})
