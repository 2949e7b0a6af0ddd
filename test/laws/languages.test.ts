import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { translateName } from '../../src/dialect/names.ts'
import { CONTENT_PREFIX } from '../../src/dialect/table.ts'
import type { BoundField, Resource } from '../../src/kernel/definition.ts'
import type { LanguageName } from '../../src/requests/languages.ts'
import type { Setting } from '../../src/settings/declared.ts'
import { SETTINGS } from '../../src/settings/settings.ts'
import { sql } from '../../src/sql.ts'
import { ADMIN as ACCOUNT, basic, expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { type Body, leastBody, pathFor, resourceNamed, type Shown, unique, wrapped } from '../support/given.ts'
import { type ClassSourcePeer, startClassSource } from '../support/peers/class-source.ts'
import { names, turns } from './subjects.ts'
import { written } from './values.ts'

// Text in a language of its own is compiled when it is written: malformed text is refused, naming the field or the setting, and
// no text makes a fault of the service where it is read.

const logged: string[] = []
let api: TestApi
let source: ClassSourcePeer
let proxy: Shown
beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) })
  api = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' }, log })
  source = await startClassSource()
  source.hold({ production: { web: { port: { type: 'Integer', literal: 80 } } } })
  proxy = await expectCreated(api.admin.post('/api/smart_proxies', { name: 'classes', url: source.url }))
})
afterAll(async () => {
  await source?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})

const ADMIN = { authorization: basic(ACCOUNT.login, ACCOUNT.password) }

const MALFORMED: Readonly<Record<LanguageName, readonly string[]>> = {
  address: ['(', '1.2.3', '::1%eth0', '300.1.1.1', '*'],
  certificates: ['(', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
  'known hosts': ['x', '* ssh-ed25519', '* ssh-ed25519 AAAA\n{{'],
  'LDAP attribute': [')(uid=*', 'a b', '1a', '*', '{{', 'ü'],
  'LDAP filter': ['(', '(uid=', ')(', '(&(uid=a)'],
  'log levels': ['loud', 'http=', '(', '=debug'],
  'private key': ['x', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'],
  'public key': ['x', 'ssh-ed25519 AAAA', '('],
  'regular expression': ['(', '[', '*', '\\', '(?<x', 'a{100000}', 'a{2,1}', '(?=a)'],
  search: ['(', 'name =', 'and or', 'name ^ ()'],
  template: ['<%= (1 %>', '<% if true %>', '<%= "x %>'],
  'time zone': ['Mars/Olympus', '(', '../etc', '*', '{{'],
  URL: ['nowhere', 'http://', 'http://[', 'https://a b', 'http://a:99999/', 'https://%/'],
  YAML: ['{', 'a: [', '"', 'a: b: c', '*a'],
}

interface Text {
  readonly resource: Resource
  readonly key: string
  readonly language: LanguageName
}

const TEXTS: readonly Text[] = names('create').flatMap((name) => {
  const resource = resourceNamed(name)
  return written(resource).flatMap(({ key, field, at }) => {
    const { language } = field.writable(at)[key] ?? {}
    return language ? [{ resource, key, language }] : []
  })
})

/** What a body needs beside the text. */
const BESIDE: Readonly<Record<string, Body>> = {
  repository: { content_type: 'ansible_collection' },
  smart_proxy: { runner: 'ssh' },
  bookmark: { controller: 'hosts', query: 'name = a' },
}

/** Another name, where a record has one. */
function another(least: Body): Body {
  return 'name' in least ? { name: unique('another') } : {}
}

describe('text in a language', () => {
  test('is declared of every field and setting whose text is compiled, parsed or interpreted later', () => {
    const found = [
      ...TEXTS.map(({ resource, key, language }) => `${resource.name}.${key}: ${language}`),
      ...listSettings().map(({ name, language }) => `${name}: ${language}`),
    ]
    expect(found.sort()).toMatchInlineSnapshot(`
      [
        "auth_source_ldap.attr_firstname: LDAP attribute",
        "auth_source_ldap.attr_lastname: LDAP attribute",
        "auth_source_ldap.attr_login: LDAP attribute",
        "auth_source_ldap.attr_mail: LDAP attribute",
        "auth_source_ldap.attr_photo: LDAP attribute",
        "auth_source_ldap.ca_certificate: certificates",
        "auth_source_ldap.ldap_filter: LDAP filter",
        "auth_source_oidc.ca_certificate: certificates",
        "auth_source_oidc.issuer: URL",
        "bookmark.query: search",
        "default_timezone: time zone",
        "filter.search: search",
        "http_proxy.url: URL",
        "http_proxy: URL",
        "ignored_configclasses: regular expression",
        "interface.ip6: address",
        "interface.ip: address",
        "log_levels: log levels",
        "login_delegation_logout_url: URL",
        "medium.path: URL",
        "oidc_issuer: URL",
        "oidc_jwks_url: URL",
        "provisioning_template.template: template",
        "ptable.layout: template",
        "report_template.template: template",
        "repository.ansible_collection_auth_url: URL",
        "repository.ansible_collection_requirements: YAML",
        "repository.url: URL",
        "server_url: URL",
        "smart_proxy.ssh_key: private key",
        "smart_proxy.ssh_known_hosts: known hosts",
        "smart_proxy.url: URL",
        "subnet.dns_primary: address",
        "subnet.dns_secondary: address",
        "subnet.from: address",
        "subnet.gateway: address",
        "subnet.mask: address",
        "subnet.network: address",
        "subnet.to: address",
        "user.timezone: time zone",
        "webhook.header_template: template",
        "webhook.search: search",
        "webhook.ssl_ca_certs: certificates",
        "webhook.target_url: URL",
        "webhook_template.template: template",
      ]
    `)
  })

  test.each(TEXTS.map((text) => [`${text.resource.name}.${text.key}`, text] as const))(
    '%s is refused while it is malformed',
    async (_name, { resource, key, language }) => {
      const path = await pathFor(api.admin, resource)
      const least = { ...(await leastBody(api.admin, resource.name)), ...BESIDE[resource.name] }
      const record = await expectCreated(api.admin.post(path, wrapped(resource, least)))
      const theirs = path.replace(CONTENT_PREFIX.ours, CONTENT_PREFIX.theirs)
      const ports = [
        { port: api.admin, called: key, at: path },
        { port: api.asVendor(ADMIN), called: translateName('theirs', key), at: theirs },
      ]
      for (const { port, called, at } of ports)
        for (const text of MALFORMED[language]) {
          const sent = (body: Body) => (at === path ? wrapped(resource, body) : body)
          expectRefused(await port.post(at, sent({ ...least, ...another(least), [called]: text })), called, text)
          if (resource.operations.includes('update'))
            expectRefused(await port.put(`${at}/${record.id}`, sent({ [called]: text })), called, text)
        }
    },
  )

  test.each(listSettings())('the setting $name is refused while it is malformed', async ({ name, language, type }) => {
    for (const text of MALFORMED[language])
      for (const [port, called] of [
        [api.admin, name],
        [api.asVendor(ADMIN), translateName('theirs', name)],
      ] as const) {
        const { status, body } = await port.put(`/api/settings/${called}`, {
          value: type === 'array' ? ['fine', text] : text,
        })
        expect([text, status]).toEqual([text, 422])
        expect(body.error.message).toMatch(/^expected a value of type (?:string|array): ./)
      }
    const { value } = (await api.admin.get(`/api/settings/${name}`)).body
    expect(value).toEqual(SETTINGS[name].default)
  })

  test('that was stored malformed counts for nothing, and does not break what reads it', async () => {
    for (const { name, type, language } of listSettings()) {
      const [text = ''] = MALFORMED[language]
      await sql`update settings set value = ${JSON.stringify(type === 'array' ? [text, 'fine'] : text)}::jsonb where name = ${name}`.execute(
        api.database.db,
      )
    }
    await api.admin.put('/api/settings/entries_per_page', { value: 20 }) // settings are read again
    await useEverything('stored')
    const warned = logged.map((line) => JSON.parse(line)).filter(({ texts }) => texts)
    expect(warned).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ setting: 'ignored_configclasses', texts: ['('] })]),
    )
    expect(new Set(warned.map(({ setting }) => setting))).toEqual(new Set(listSettings().map(({ name }) => name)))
    await sql`update settings set value = null`.execute(api.database.db)
    await api.admin.put('/api/settings/entries_per_page', { value: 20 })
  })
})

const HOSTILE = [
  '(',
  '[',
  '*',
  '\\',
  '{{',
  '<%',
  '<%= x',
  '%',
  '%{',
  '"',
  "'",
  '(a{999}){999}',
  '$',
  ')(',
  ']]>',
  '&x',
  '#{x}',
  '::',
  '/',
  'a=b,',
  '-1',
  '\u202e',
]

describe('hostile text', () => {
  test.each(turns('update'))('in all fields of %s is stored or refused, and read without a fault', async (name) => {
    const resource = resourceNamed(name)
    const path = await pathFor(api.admin, resource)
    const { id } = await expectCreated(api.admin.post(path, wrapped(resource, await leastBody(api.admin, name))))
    const keys = written(resource)
      .filter(isText)
      .map(({ key }) => key)
    for (const text of HOSTILE) {
      const stored = await storeAll(`${path}/${id}`, resource, keys, text)
      const search = encodeURIComponent(
        `${JSON.stringify(text)} or ${resource.label ?? 'id'} = ${JSON.stringify(text)}`,
      )
      for (const url of [
        `${path}/${id}`,
        `${path}?search=${search}`,
        `${path}?search=${encodeURIComponent(text)}`,
        `${path}/auto_complete_search?search=${encodeURIComponent(text)}`,
      ])
        for (const port of [api.admin, api.asVendor(ADMIN)]) expectNoFault(await port.get(url), [url, text, ...stored])
    }
    await READERS[name]?.(id)
  })

  test('in all settings is stored or refused, and read without a fault', async () => {
    const settings = Object.entries<Setting>(SETTINGS).filter(
      ([, { type, secret }]) => ['string', 'array'].includes(type) && !secret,
    )
    for (const text of HOSTILE) {
      for (const [name, { type }] of settings) {
        const { status } = await api.admin.put(`/api/settings/${name}`, {
          value: type === 'array' ? [text, text.repeat(20)] : text,
        })
        expect([200, 422], name).toContain(status)
      }
      await useEverything(text)
    }
    for (const [name, setting] of settings) await api.admin.put(`/api/settings/${name}`, { value: setting.default })
  })
})

/** What reads records of a resource beside lists. */
const READERS: Readonly<Record<string, (id: number) => Promise<void>>> = {
  host: async (id) => {
    for (const url of [`/api/hosts/${id}/enc`, `/api/hosts/${id}/templates`, `/api/hosts/${id}/facts`])
      expectNoFault(await api.admin.get(url), [url])
  },
}

/** Does what reads settings: imports, facts, logins, registrations, rendering, classification. */
async function useEverything(text: string): Promise<void> {
  const { admin, nobody } = api
  const host = `${text.length}-${HOSTILE.indexOf(text)}.example.test`.replace('-1', 'stored')
  const asked = [
    await admin.post(`/api/smart_proxies/${proxy.id}/import_configclasses`, {}),
    await admin.post('/api/hosts/facts', {
      name: host,
      facts: { architecture: text, 'a::b': text, millwright_organization: text },
    }),
    await admin.get('/api/hosts'),
    await admin.get(`/api/hosts/${host}`),
    await admin.get(`/api/hosts/${host}/enc`),
    await admin.post('/api/registration_commands', {}),
    await nobody.get('/api/login_text'),
    await nobody.get('/api/status'),
    await api.as({ authorization: basic(text, text) }).get('/api/hosts'),
    await nobody.get('/unattended/provision'),
    await admin.get('/api/smart_class_parameters/lint'),
  ]
  for (const [index, answer] of asked.entries()) expectNoFault(answer, [index, text])
}

function isText({ field }: BoundField): boolean {
  return ['text', 'secret', 'address', 'json', 'devices'].includes(field.kind) && !field.secret
}

/** Writes the text into all these fields; those that refuse it are left out. Yields which stored it. */
async function storeAll(
  url: string,
  resource: Resource,
  keys: readonly string[],
  text: string,
): Promise<readonly string[]> {
  const left = new Set(keys)
  while (left.size > 0) {
    const answer = await api.admin.put(url, wrapped(resource, Object.fromEntries([...left].map((key) => [key, text]))))
    expectNoFault(answer, [url, text, ...left])
    if (answer.status < 300) return [...left]
    const refused = [...left].filter((key) => answer.text.includes(`"${key}"`))
    if (refused.length === 0) left.delete([...left][0] ?? '')
    for (const key of refused) left.delete(key)
  }
  return []
}

function expectNoFault({ status, text }: Reply, about: readonly unknown[]): void {
  expect(status, `${JSON.stringify(about)}: ${text.slice(0, 300)}`).toBeLessThan(500)
}

function expectRefused({ status, text }: Reply, key: string, sent: string): void {
  expect([sent, status, text]).toEqual([sent, 422, expect.stringContaining(key)])
}

function listSettings() {
  return Object.entries<Setting>(SETTINGS).flatMap(([name, setting]) => {
    const { type } = setting
    const language = 'language' in setting ? setting.language : undefined
    return language ? [{ name: name as keyof typeof SETTINGS, type, language }] : []
  })
}
