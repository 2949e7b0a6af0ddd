import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated } from '../support/api.ts'
import { startProxy } from '../support/peers/proxy.ts'
import { type BothListeners, openBothListeners } from './support.ts'

let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

describe('errors', () => {
  test('are worded as clients know them', async () => {
    const unknown = await api.theirs.get('/api/puppetclasses/99/smart_class_parameters')
    expect(unknown).toMatchObject({ status: 404 })
    expect(JSON.stringify(unknown.body)).toContain('Puppetclass')
    const invalid = await api.theirs.post('/api/puppetclasses', { puppetclass: { name: '' } })
    expect(invalid).toMatchObject({
      status: 422,
      body: { error: { id: null, full_messages: ["Name can't be blank"] } },
    })
    const proxy = await api.theirs.post('/api/hostgroups', { hostgroup: { name: 'x', puppet_proxy_id: 'none' } })
    expect(proxy.status).toBe(422)
    expect(Object.keys(proxy.body.error.errors)).toEqual(['puppet_proxy_id'])
    expect(proxy.body.error.full_messages[0]).toMatch(/^Puppet proxy /)
  })

  test('name the permission in their words', async () => {
    const user = { login: 'nobody', password: 'nobody-password', mail: 'n@example.test', auth_source_id: 1 }
    await expectCreated(api.theirs.post('/api/users', { user }))
    const authorization = `Basic ${Buffer.from('nobody:nobody-password').toString('base64')}`
    const { status, body } = await api.stranger.get('/api/puppetclasses', { authorization })
    expect({ status, body }).toEqual({
      status: 403,
      body: {
        error: {
          message: 'Access denied',
          details: 'Missing one of the required permissions: view_puppetclasses',
          missing_permissions: ['view_puppetclasses'],
        },
      },
    })
  })

  test('of deleting nothing are 404, without a crash', async () => {
    expect((await api.theirs.delete('/api/architectures/')).status).toBe(404)
    expect((await api.theirs.delete('/api/architectures/-1')).status).toBe(404)
  })

  test('of the content API have a form of their own', async () => {
    const absent = await api.theirs.get('/katello/api/host_collections/99')
    expect(absent.status).toBe(404)
    expect(Object.keys(absent.body).sort()).toEqual(['displayMessage', 'errors', 'message'])
    expect((await api.stranger.get('/katello/api/host_collections/99')).body).toEqual({
      error: { message: expect.any(String) },
    })
  })
})

describe('headers', () => {
  test('say the version and the context in their names, once a caller is let in', async () => {
    const { headers } = await api.theirs.get('/api/architectures')
    expect(headers).toMatchObject({ foreman_version: '3.12.0', foreman_api_version: '2' })
    expect(headers).toMatchObject({ foreman_current_organization: '; ANY', foreman_current_location: '; ANY' })
    expect(Object.keys(headers).filter((name) => name.startsWith('millwright'))).toEqual([])
    const refused = (await api.stranger.get('/api/architectures')).headers
    expect(Object.keys(refused).filter((name) => name.startsWith('foreman'))).toEqual([])
  })

  test('ask for version 2 in every way, and for others in vain', async () => {
    const status = async (accept: string) => (await api.theirs.get('/api/architectures', { accept })).status
    expect(await status('application/json;version=2')).toBe(200)
    expect(await status('application/json,version=2')).toBe(200)
    expect(await status('application/json;version=3')).toBe(200)
  })

  test('carry one checksum of the description on every answer', async () => {
    const { body } = await api.stranger.get('/apidoc/apipie_checksum')
    const answers = [
      await api.theirs.get('/api/status'),
      await api.theirs.get('/api/architectures/99'),
      await api.stranger.get('/api/architectures'),
      await api.stranger.get('/nowhere'),
      await api.stranger.get('/apidoc/v2.json'),
    ]
    expect(answers.map(({ headers }) => headers['apipie-checksum'])).toEqual(answers.map(() => body.checksum))
  })
})

describe('the service', () => {
  test('says which version clients are to treat it as', async () => {
    const { status, body } = await api.theirs.get('/api/status')
    expect({ status, body }).toEqual({
      status: 200,
      body: { result: 'ok', status: 200, version: '3.12.0', api_version: 2 },
    })
    expect((await api.stranger.get('/api/status')).status).toBe(401)
  })

  test('lists the kinds of records that permissions are for, in its words', async () => {
    const { body } = await api.theirs.get('/api/permissions/resource_types')
    expect(body.results).toEqual(expect.arrayContaining([{ name: 'Domain' }, { name: 'Puppetclass' }]))
    expect(body).toMatchObject({ total: body.results.length, search: null })
    expect((await api.stranger.get('/api/permissions/resource_types')).status).toBe(401)
  })

  test('keeps the content source of a group', async () => {
    await using peer = await startProxy()
    const running = { state: 'running', http_enabled: true, https_enabled: true, settings: {}, capabilities: [] }
    const features = JSON.stringify({ dns: running })
    peer.offer({
      '/v2/features': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(features),
    })
    const source = await expectCreated(
      api.theirs.post('/api/smart_proxies', { smart_proxy: { name: 'source', url: peer.url } }),
    )
    const about = { content_source_id: source.id, kickstart_repository_id: '' }
    const group = await api.theirs.post('/api/hostgroups', { hostgroup: { name: 'sourced', ...about } })
    const kept = { content_source_id: source.id, content_source_name: 'source', kickstart_repository_id: null }
    expect([group.status, group.body]).toEqual([201, expect.objectContaining(kept)])
    expect(group.headers.warning).toBeUndefined()
    expect((await api.theirs.get('/api/hostgroups?search=name=sourced')).body.results).toMatchObject([kept])
    const cleared = await api.theirs.put(`/api/hostgroups/${group.body.id}`, { hostgroup: { content_source_id: '' } })
    expect([cleared.status, cleared.body.content_source_id]).toEqual([200, null])
    await api.theirs.delete(`/api/smart_proxies/${source.id}`)
  })

  test('refuses repositories to install from, and other servers for the content of a host', async () => {
    const hostgroup = { name: 'kickstarted', kickstart_repository_id: 1 }
    const group = await api.theirs.post('/api/hostgroups', { hostgroup })
    const medium = 'must be blank: hosts are installed from their medium'
    expect([group.status, group.body.error.errors]).toEqual([422, { kickstart_repository_id: [medium] }])
    const facet = { content_source_id: null, kickstart_repository_id: '' }
    const host = { name: 'kick.example.test', managed: false, content_facet_attributes: facet }
    const { id } = await expectCreated(api.theirs.post('/api/hosts', { host }))
    for (const key of ['content_source_id', 'kickstart_repository_id']) {
      const sent = { host: { content_facet_attributes: { [key]: 1 } } }
      const { status, body } = await api.theirs.put(`/api/hosts/${id}`, sent)
      const said = expect.stringMatching(`${key} must be blank: hosts (?:get content|are installed) from`)
      expect([status, body.error.full_messages]).toEqual([422, [said]])
    }
  })

  test('answers pings without credentials', async () => {
    const ping = await api.stranger.get('/api/ping')
    const database = { active: true, duration_ms: expect.any(String) }
    const katello = { status: 'ok', services: expect.objectContaining({ candlepin: expect.anything() }) }
    expect(ping.body).toEqual({ results: { foreman: { database }, katello } })
    const content = await api.stranger.get('/katello/api/ping')
    expect(content.body).toMatchObject({ status: 'ok', services: { candlepin: { status: 'ok' } } })
  })

  test('tells the state of its parts, and of smart proxies by asking them', async () => {
    await using peer = await startProxy()
    const running = { state: 'running', http_enabled: true, https_enabled: true, settings: {}, capabilities: ['a'] }
    peer.offer({
      '/site/v2/features': (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ puppet: running, dns: running })),
    })
    const smart_proxy = { name: 'site', url: `${peer.url}/site` }
    const proxy = await expectCreated(api.theirs.post('/api/smart_proxies', { smart_proxy }))
    const found = await api.theirs.get('/api/smart_proxies?search=feature+%3D+Puppet')
    expect(found.body.results).toMatchObject([{ id: proxy.id, features: [{ name: 'Puppet' }, { name: 'DNS' }] }])

    const { body } = await api.theirs.get('/api/statuses')
    expect(body.results.foreman).toMatchObject({
      version: '3.12.0',
      api: { version: 'v2' },
      database: { active: true },
    })
    expect(body.results.foreman.smart_proxies).toMatchObject([
      { name: 'site', status: 'ok', features: { DNS: 'a', Puppet: 'a' }, failed_features: {} },
    ])
    expect(body.results.katello).toMatchObject({ status: 'ok' })
    peer.offer({})
    const later = (await api.theirs.get('/api/statuses')).body.results.foreman.smart_proxies
    expect(later).toMatchObject([{ name: 'site', status: 'FAIL', message: expect.stringContaining('404') }])
  })

  test('tells what a host gets, with the names that servers of the engine know', async () => {
    const host = await expectCreated(
      api.theirs.post('/api/hosts', { host: { name: 'web.example.test', managed: false } }),
    )
    const { data } = (await api.theirs.get(`/api/hosts/${host.id}/enc`)).body
    expect(Object.keys(data.parameters)).toContain('puppetmaster')
    expect(Object.keys(data.parameters).filter((name) => /^millwright|^config/.test(name))).toEqual([])
  })
})
