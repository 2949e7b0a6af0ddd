import { afterAll, beforeAll, expect, test } from 'vitest'
import { SETTINGS, type Setting } from '../../src/settings/declared.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { leastBody, pathFor, resourceNamed, unique, wrapped } from '../support/given.ts'

// What is compiled, parsed or connected to later is looked at when it is written. A field or setting that has a language of its
// own gets a row here; texts of settings without one stand in `PLAIN`, so that a new one has to be thought of.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const NO_URL = ['http://[', 'http://a:99999']

/** Malformed texts, by resource and field. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'medium.path': [...NO_URL, 'ftp://$version:x/'],
  'smart_proxy.url': NO_URL,
  'http_proxy.url': NO_URL,
  'repository.url': NO_URL,
  'subnet.network': ['999.1.1.1', '('],
  'subnet.mask': ['255.0.255.0', '('],
  'domain.name': ['a..b', 'a b'],
  'user.timezone': ['Nowhere/Town', '+25:00'],
  'bookmark.query': ['name = (', '(', 'name ^ ('],
  'filter.search': ['name = (', '('],
  'provisioning_template.template': ['<% ( %>', '<% if %>', '<%= "%>'],
  'ptable.layout': ['<% ( %>', '<% end %>'],
  'auth_source_ldap.ldap_filter': ['(uid=', 'uid', '(&)('],
  'auth_source_ldap.base_dn': ['people', 'ou=people,dc'],
  'auth_source_ldap.groups_base': ['(', 'ou=groups,,dc=test'],
  'auth_source_ldap.attr_login': ['(', 'uid)(cn'],
  'auth_source_ldap.attr_photo': ['*', 'a b'],
  'auth_source_ldap.ca_certificate': ['nonsense'],
}

test.each(Object.entries(FIELDS))(
  '%s takes nothing that cannot be read later, new or changed',
  async (field, texts) => {
    const [kind = '', key = ''] = field.split('.')
    const resource = resourceNamed(kind)
    const path = resource.nestedOnly ? await pathFor(api.admin, resource) : resource.path
    const body = await leastBody(api.admin, kind)
    const { id } = await expectCreated(api.admin.post(path, wrapped(resource, body)))
    const writes = resource.operations.includes('update') ? (['post', 'put'] as const) : (['post'] as const)
    for (const text of texts) {
      for (const method of writes) {
        const sent = method === 'post' ? { ...body, name: unique(kind), [key]: text } : { [key]: text }
        const answer = await api.admin[method](method === 'post' ? path : `${path}/${id}`, wrapped(resource, sent))
        const { error, errors = error?.errors } = answer.body
        expect([method, text, answer.status, Object.keys(errors ?? {})]).toEqual([method, text, 422, [key]])
      }
    }
  },
)

/** Malformed values, by setting. */
const LANGUAGES: Readonly<Record<string, readonly unknown[]>> = {
  ignored_configclasses: [['('], ['a', '['], ['(?=a)']],
  server_url: NO_URL,
  login_delegation_logout_url: NO_URL,
  http_proxy: NO_URL,
  http_proxy_except_list: [['('], ['a b']],
  log_levels: ['x=y', '('],
  administrator: ['x'],
  host_owner: ['(', '1-Nobodies'],
  root_pass: ['short'],
}

/** Texts that nothing compiles: names and titles to look for, texts to show, and patterns in which only * is special. */
const PLAIN = [
  ...['authorize_login_delegation_auth_source_user_autocreate', 'login_text', 'ignored_environments', 'trusted_hosts'],
  ...['Default_parameters_Lookup_Path', 'default_pxe_item_global', 'default_pxe_item_local', 'default_organization'],
  ...['organization_fact', 'location_fact', 'default_location', 'default_config_environment'],
  ...['excluded_facts', 'ignored_interface_identifiers'],
]

test('each setting of text has a language, or is plain; a malformed value is refused and leaves the setting as it was', async () => {
  const texts = Object.entries<Setting>(SETTINGS).flatMap(([name, { type }]) =>
    type === 'string' || type === 'array' ? [name] : [],
  )
  expect(texts.toSorted()).toEqual([...Object.keys(LANGUAGES), ...PLAIN].toSorted())
  for (const [name, values] of Object.entries(LANGUAGES)) {
    const before = (await api.admin.get(`/api/settings/${name}`)).body.value
    for (const value of values) {
      const { status, text } = await api.admin.put(`/api/settings/${name}`, { setting: { value } })
      expect([name, value, status, text]).toEqual([
        name,
        value,
        422,
        expect.stringMatching(/expected a value of type \w+: /),
      ])
    }
    expect((await api.admin.get(`/api/settings/${name}`)).body.value).toEqual(before)
  }
})

const HOSTILE = [
  '(',
  '[',
  '*',
  '\\',
  '\\E(',
  '{{',
  '<%',
  '<% ( %>',
  '%',
  '"',
  "'",
  'a{1,999999}',
  '$(',
  '**'.repeat(20),
]

test('whatever plain settings hold, facts are taken and hosts, classes and templates answer', async () => {
  for (const name of PLAIN) {
    const isList = Object.entries<Setting>(SETTINGS).some(([each, { type }]) => each === name && type === 'array')
    const sent = { setting: { value: isList ? HOSTILE : HOSTILE.join('').slice(0, 60) } }
    expect([name, (await api.admin.put(`/api/settings/${name}`, sent)).status]).toEqual([name, 200])
  }
  const facts = {
    lo: '1',
    'a::(::b': '1',
    interfaces: 'lo,eth0',
    ipaddress_eth0: '192.0.2.9',
    macaddress_eth0: '02:00:00:00:00:09',
  }
  const uploaded = await api.admin.post('/api/hosts/facts', { name: 'hostile.example.test', facts })
  expect([uploaded.status, uploaded.body.error]).toEqual([201, undefined])
  for (const path of [
    '/api/hosts/hostile.example.test',
    '/api/hosts/hostile.example.test/enc',
    '/api/smart_class_parameters',
    '/api/login_text',
  ])
    expect([path, (await api.admin.get(path)).status]).toEqual([path, expect.toSatisfy((status) => status < 500)])
})
