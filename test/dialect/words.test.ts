import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated } from '../support/api.ts'
import { ownWordIn } from './own-words.ts'
import { type BothListeners, openBothListeners } from './support.ts'

let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

describe('paths', () => {
  test('prefixes mean the same, with and without version, with a slash or .json at the end', async () => {
    const { id } = await expectCreated(api.theirs.post('/api/v2/puppetclasses', { puppetclass: { name: 'web::ssl' } }))
    for (const path of [
      `/api/puppetclasses/${id}`,
      `/api/v2/puppetclasses/${id}/`,
      `/api/puppetclasses/${id}.json`,
      `/foreman_puppet/api/puppetclasses/${id}`,
      '/foreman_puppet/api/v2/puppetclasses/web::ssl',
    ]) {
      expect(await api.theirs.get(path), path).toMatchObject({ status: 200, body: { id, name: 'web::ssl' } })
    }
  })

  test('a word in the place of a name is a name', async () => {
    await expectCreated(api.theirs.post('/api/environments', { environment: { name: 'puppetclasses' } }))
    const shown = await api.theirs.get('/api/environments/puppetclasses')
    expect(shown).toMatchObject({ status: 200, body: { name: 'puppetclasses' } })
  })

  test('each listener knows its own words only, and says so in JSON', async () => {
    for (const path of [
      '/api/configclasses',
      '/content/api/organizations',
      '/api/openapi.json',
      '/',
      '/katello',
      '/api/v3',
    ]) {
      const { status, body } = await api.theirs.get(path)
      expect({ path, status, body }).toEqual({ path, status: 404, body: { status: 404, error: 'Not Found' } })
    }
    expect((await api.ours.get('/api/puppetclasses')).status).toBe(404)
    expect((await api.ours.get('/apidoc/v2.json')).status).toBe(404)
  })

  test('what older clients call provisioning templates', async () => {
    const sent = { config_template: { name: 'old words', template: 'x', snippet: true } }
    const { id } = await expectCreated(api.theirs.post('/api/config_templates', sent))
    const shown = await api.theirs.get(`/api/config_templates/${id}`)
    expect(shown.body).toMatchObject({ id, name: 'old words' })
    expect(shown.body).toMatchObject((await api.ours.get(`/api/provisioning_templates/${id}`)).body)
  })
})

describe('keys and values', () => {
  test('of bodies and records, both ways, also in what is nested', async () => {
    const { id } = await expectCreated(api.theirs.post('/api/puppetclasses', { puppetclass: { name: 'db' } }))
    const environment = await expectCreated(api.theirs.post('/api/environments', { environment: { name: 'here' } }))
    await api.theirs.put(`/api/puppetclasses/${id}`, { puppetclass: { environment_ids: [environment.id] } })
    const group = await expectCreated(
      api.theirs.post('/api/hostgroups', {
        hostgroup: { name: 'servers', puppetclass_ids: [id], environment_id: environment.id },
      }),
    )
    expect(group).toMatchObject({ puppetclasses: [{ id, name: 'db' }], puppet_proxy_id: null, puppet_ca_proxy: null })
    expect(Object.keys(group).filter((key) => key.includes('config_proxy') || key.includes('configclass'))).toEqual([])
    const { body } = await api.ours.get(`/api/hostgroups/${group.id}`)
    expect(body.configclasses).toEqual(group.puppetclasses)
    expect(body).not.toHaveProperty('puppetclasses')
  })

  test('flat bodies, and newer ones that wrap what belongs to the engine once more', async () => {
    const { id } = await expectCreated(api.theirs.post('/api/puppetclasses', { name: 'flat' }))
    const created = await api.theirs.post('/api/config_groups', { name: 'some', puppetclass_ids: [id] })
    expect(created).toMatchObject({ status: 201, body: { puppetclasses: [{ id, name: 'flat' }] } })
    const group = await expectCreated(
      api.theirs.post('/api/hostgroups', {
        hostgroup: { name: 'newer', puppet_attributes: { puppetclass_ids: [id] } },
      }),
    )
    expect(group.puppetclasses).toMatchObject([{ id }])
  })

  test('server types of directories', async () => {
    const sent = { name: 'people', host: 'ldap.example.test', server_type: 'free_ipa', base_dn: 'dc=example,dc=test' }
    const created = await api.theirs.post('/api/auth_source_ldaps', { auth_source_ldap: sent })
    expect(created).toMatchObject({ status: 201, body: { server_type: 'free_ipa' } })
    const { id } = created.body
    expect((await api.ours.get(`/api/auth_source_ldaps/${id}`)).body.server_type).toBe('directory_a')
    const changed = await api.theirs.put(`/api/auth_source_ldaps/${id}`, { server_type: 'active_directory' })
    expect(changed.body.server_type).toBe('active_directory')
    const unchanged = await api.theirs.put(`/api/auth_source_ldaps/${id}`, {})
    expect(unchanged).toMatchObject({ status: 200, body: changed.body })
    const refused = await api.theirs.put(`/api/auth_source_ldaps/${id}`, { server_type: 'other' })
    expect(refused.status).toBe(422)
  })

  test('names of permissions, types of records, settings', async () => {
    const listed = await api.theirs.get('/api/permissions?search=name%3D%22view_puppetclasses%22')
    expect(listed.body.results).toMatchObject([{ name: 'view_puppetclasses', resource_type: 'Puppetclass' }])
    expect(listed.body.search).toBe('name="view_puppetclasses"')
    const role = await expectCreated(api.theirs.post('/api/roles', { role: { name: 'readers' } }))
    const filter = { role_id: role.id, permission_ids: [listed.body.results[0].id] }
    const created = await expectCreated(api.theirs.post('/api/filters', { filter }))
    expect(created).toMatchObject({ resource_type: 'Puppetclass', permissions: [{ name: 'view_puppetclasses' }] })
    const { body } = await api.theirs.get('/api/settings/puppetrun')
    expect(body.name).toBe('puppetrun')
    expect((await api.theirs.put(`/api/settings/${body.id}`, { setting: { value: !body.value } })).body.value).toBe(
      !body.value,
    )
  })

  test('values of users stay unchanged, and numbers as they were written', async () => {
    const value = '{"configclass_id": 2.0, "puppetclass": ["directory_a"]}'
    const parameter = `{"name": "puppetclass", "parameter_type": "json", "value": ${value}}`
    const created = await api.theirs.send({
      method: 'POST',
      url: '/api/common_parameters',
      headers: { 'content-type': 'application/json' },
      payload: `{"common_parameter": ${parameter}}`,
    })
    expect(created.status).toBe(201)
    const { text } = await api.theirs.get(`/api/common_parameters/${created.body.id}`)
    expect(text).toContain('"name":"puppetclass"')
    expect(text).toMatch(/"configclass_id": ?2\.0/)
  })
})

describe('searches', () => {
  test('name fields in their words; what is searched for stays', async () => {
    const { id } = await expectCreated(api.theirs.post('/api/puppetclasses', { puppetclass: { name: 'configclass' } }))
    const found = await api.theirs.get(
      '/api/smart_class_parameters?search=puppetclass_name%3Dconfigclass&order=puppetclass+DESC',
    )
    expect(found).toMatchObject({
      status: 200,
      body: { subtotal: 0, search: 'puppetclass_name=configclass', sort: { by: 'puppetclass', order: 'DESC' } },
    })
    const byName = await api.theirs.get('/api/puppetclasses?search=name+%3D+configclass')
    expect(byName.body.results).toMatchObject({ configclass: [{ id }] })
    const ours = await api.theirs.get('/api/smart_class_parameters?search=nonsense%3D1')
    expect(ours).toMatchObject({ status: 400, body: { error: { class: 'ScopedSearch::QueryNotSupported' } } })
  })

  test('are completed in their words', async () => {
    const { body } = await api.theirs.get('/api/smart_class_parameters/auto_complete_search?search=puppetcl')
    const labels = body.map(({ label }: { label: string }) => label.trim())
    expect(labels).toContain('puppetclass')
    const typed = await api.theirs.get('/api/smart_class_parameters/auto_complete_search?search=puppetclass+')
    expect(typed.body[0].label).toMatch(/^ ?puppetclass/)
  })
})

test('answers about the service have no word that only the other port uses', async () => {
  const filled = ['settings', 'permissions', 'filters', 'roles', 'template_kinds', 'mail_notifications', 'hosts']
  const lists = ['permissions/resource_types', 'host_statuses', ...filled].map((path) => `/api/${path}?per_page=all`)
  const found: string[] = []
  for (const path of ['/apidoc/v2.json', '/api/dashboard', '/api/current_user', ...lists]) {
    const { status, text } = await api.theirs.get(path)
    expect([path, status]).toEqual([path, 200])
    const word = ownWordIn(text)
    if (word !== null) found.push(`${path}: ${word}`)
  }
  expect(found).toEqual([])
})
