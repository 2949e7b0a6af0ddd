import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { z } from 'zod'
import type { BoundField, Resource } from '../../src/kernel/definition.ts'
import { singularOf } from '../../src/kernel/resources.ts'
import type { LanguageName } from '../../src/requests/languages.ts'
import { isBlank } from '../../src/search/blank.ts'
import { ADMIN } from '../support/api.ts'
import { type Body, freeNetwork, type Shown, targetOf, unique } from '../support/given.ts'
import { ALSO_SENT, CONTENT_VALUES, FIXED, HOME, ON_ITS_OWN, withLimit } from './content-values.ts'

/** Ids of records that links may refer to, by resource. */
export type Pool = Readonly<Record<string, readonly number[]>>

/**
 * Yields the key under which the pool has records that may be put into a taxonomy: records of a host elsewhere would be
 * refused.
 */
export function memberKey(target: string): string {
  return `${target} to belong somewhere`
}

/** Lists the writable fields, each with the key that writes it. */
export function written(resource: Resource): (BoundField & { readonly key: string })[] {
  return resource.placed.flatMap((placed) => {
    const [key] = Object.keys(placed.field.writable(placed.at))
    return key === undefined || ON_ITS_OWN.has(`${resource.name}.${placed.name}`) ? [] : [{ ...placed, key }]
  })
}

/** Lists keys that a creation requires, by the declaration or a rule of the resource. */
export function requiredKeys(resource: Resource): string[] {
  const declared = written(resource).filter(({ field }) => field.required)
  return [...declared.map(({ key }) => key), ...(REQUIRED_BY_RULES[resource.name] ?? [])]
}

const REQUIRED_BY_RULES: Readonly<Record<string, readonly string[]>> = {
  user: ['password'],
  filter: ['permission_ids'],
  subnet: ['mask'],
  provisioning_template: ['template_kind_id'],
}

/** Generates bodies that create a record, or with `partial` change some of it. */
export function bodies(resource: Resource, pool: Pool, { partial = false, texts = anyText } = {}): fc.Arbitrary<Body> {
  const fixed = partial ? (FIXED[resource.name] ?? []) : []
  const values = Object.fromEntries(
    written(resource)
      .filter(({ key }) => !fixed.includes(key))
      .map((placed) => [placed.key, anyValue(resource, placed, pool, texts)]),
  )
  const home = resource.taxable === 'organization' ? ['organization_id'] : []
  const needed = [...home, ...(ALSO_SENT[resource.name] ?? []), ...requiredKeys(resource)]
  return fc.record(values, { requiredKeys: partial ? [] : needed })
}

let counter = 0

/** Makes a body valid beside `before`: names become unique, except those to `keep`, and rules are satisfied. */
export function acceptable(resource: Resource, body: Body, before: Body = {}, keep: readonly string[] = []): Body {
  return withSecrets(resource, asRuled(resource, body, before, keep), before)
}

/** Adds stored secrets where the body changes their destination. */
export function withSecrets(resource: Resource, body: Body, before: Body): Body {
  if (Object.keys(before).length === 0) return body
  const missing = written(resource).filter(
    ({ key, field }) =>
      !body[key] &&
      field.secret?.sentTo.some((name) =>
        resource.placed.some((one) => one.name === name && keysOf(one).some((sent) => sent in body)),
      ),
  )
  const secrets = missing.map(({ name, key }) => [key, SECRETS[name] ?? 'secret'])
  return { ...body, ...Object.fromEntries(secrets) }
}

function keysOf({ field, at }: BoundField): string[] {
  return Object.keys(field.writable(at))
}

function asRuled(resource: Resource, body: Body, before: Body, keep: readonly string[]): Body {
  const suffix = `_${++counter}`
  const named = (SUFFIXED[resource.name] ?? ['name']).filter(
    (key) => typeof body[key] === 'string' && !keep.includes(key),
  )
  const distinct = {
    ...withLimit(resource, body),
    ...Object.fromEntries(named.map((key) => [key, `${body[key]}${suffix}`])),
  }
  if (resource.name === 'host') return { ...distinct, ...ofHost(distinct, before) }
  if (resource.name === 'interface') return { ...distinct, ...ofInterface(distinct, before) }
  if (resource.name === 'hostgroup') return { ...distinct, ...ofHostgroup(distinct, before) }
  if (resource.name === 'user') return { ...distinct, ...ofUser(distinct, before) }
  if (resource.name === 'smart_proxy' && 'url' in body && !('runner' in before)) return { runner: 'ssh', ...distinct } // nothing listens at the URL
  if (resource.name === 'filter') return withoutPlaces(distinct)
  if ('network' in body) return { ...distinct, network: freeNetwork() }
  if (resource.name === 'ptable' && { ...before, ...distinct }.snippet === true) return { ...distinct, os_family: null }
  const { family, release_name } = { ...before, ...distinct }
  return family === 'Debian' && !release_name ? { ...distinct, release_name: 'bookworm' } : distinct
}

/** Removes organizations and locations, which a filter only has when it overrides those of its role. */
function withoutPlaces({ location_ids: _locations, organization_ids: _organizations, ...body }: Body): Body {
  return body
}

/** Removes what would use the record and prevent its deletion. */
export function unused(resource: Resource, body: Body): Body {
  const { [IN_USE[resource.name] ?? '']: _users, ...others } = body
  return others
}

const IN_USE: Readonly<Record<string, string>> = { configclass: 'hostgroup_ids' }

/**
 * Makes the body of a host consistent: a managed host has a place and what installs it; its classes and config groups belong
 * to its environment and change with it.
 */
function ofHost(body: Body, before: Body): Body {
  const after: Body = { managed: true, ...before, ...body }
  const { managed, environment_id, configclass_ids } = after
  const lacks = ['organization_id', 'location_id', ...['architecture_id', 'operatingsystem_id', 'mac']].some(
    (key) => (after[key] ?? null) === null,
  )
  const left = (environment_id ?? null) === null
  const proxies = ['config_proxy_id', 'config_ca_proxy_id'].filter((key) => !(key in body) && key in before)
  return {
    // A host that moves gets the proxies of its new group, unless it names others.
    ...('hostgroup_id' in body && Object.fromEntries(proxies.map((key) => [key, before[key]]))),
    ...(managed !== false && (lacks || after.build === true) && { managed: false }),
    ...(left && configclass_ids !== undefined && { configclass_ids: [] }),
    ...(left && (before.environment_id ?? null) !== null && { configclass_ids: [], config_group_ids: [] }),
  }
}

/**
 * Makes the body of a host group consistent: with a lifecycle environment it needs a content view in it; here it gets none.
 */
function ofHostgroup(body: Body, before: Body): Body {
  const { content_view_id, lifecycle_environment_id }: Body = { ...before, ...body }
  const both = (content_view_id ?? null) !== null && (lifecycle_environment_id ?? null) !== null
  return both ? { content_view_id: null } : {}
}

/** Makes the body of a user consistent: default places are among the user's places. */
function ofUser(body: Body, before: Body): Body {
  const left = ['organization', 'location'].filter((kind) => {
    const ids = body[`${kind}_ids`] ?? (before[`${kind}s`] as readonly Shown[] | undefined)?.map(({ id }) => id) ?? []
    const chosen = { ...before, ...body }[`default_${kind}_id`]
    return typeof chosen === 'number' && !(ids as readonly unknown[]).includes(chosen)
  })
  return Object.fromEntries(left.map((kind) => [`default_${kind}_id`, null]))
}

/**
 * Makes the body of an interface consistent: it does not repeat what is unique among the host's interfaces, and has what its
 * type requires.
 */
function ofInterface(body: Body, before: Body): Body {
  const { type, virtual, attached_to, provider }: Body = { ...before, ...body }
  return {
    ...(type === 'bond' && body.mode === null && { mode: 'balance-rr' }),
    ...(body.primary === true && { primary: false }),
    ...(body.provision === true && { provision: false }),
    ...(type === 'bmc' && !provider && { provider: 'IPMI' }),
    ...((type ?? 'interface') === 'interface' && virtual === true && !attached_to && { attached_to: 'eth0' }),
  }
}

const SUFFIXED: Readonly<Record<string, readonly string[]>> = {
  user: ['login'],
  operatingsystem: ['name', 'description'],
  image: ['name', 'uuid', 'username'],
  smart_proxy: ['name', 'url'],
  medium: ['name', 'path'],
  ptable: ['name', 'layout'],
  realm: ['name', 'realm_type'],
  compute_resource: ['name', 'provider'],
  host: ['name', 'uuid'],
  interface: ['name', 'identifier'],
}

/** Yields the value of a field that a record shows, in the form of `asShown`; undefined when it is not shown. */
export function shownValue(resource: Resource, { name, field, column }: BoundField, record: Shown): unknown {
  if (field.kind === 'links') {
    const own = record[name]?.filter(({ inherited }: Shown) => inherited !== true)
    const ids = own ? own.map(({ id }: Shown) => id) : record[`${singularOf(name)}_ids`]
    return ids?.toSorted((a: number, b: number) => a - b)
  }
  // A host without a certname shows its name.
  if (resource.name === 'host' && name === 'certname') return record.certname === record.name ? null : record.certname
  const owner = OWNERS[`${resource.name}.${name}`]
  if (owner) return record.owner_type === owner ? record.owner_id : null
  if (field.kind === 'link')
    return `${name}_id` in record ? record[`${name}_id`] : name in record ? (record[name]?.id ?? null) : undefined
  return withoutNothing(
    `${resource.name}.${name}`,
    record[SHOWN_AS[`${resource.name}.${name}`] ?? column?.name ?? name],
  )
}

/** Values that some fields show for null. */
const NOTHING: Readonly<Record<string, unknown>> = {
  'host.comment': '',
  'interface.mtu': 1500, // that of its subnet
}

function withoutNothing(field: string, value: unknown): unknown {
  return field in NOTHING && value === NOTHING[field] ? null : value
}

/** The columns of an owner, each with its type. */
const OWNERS: Readonly<Record<string, string>> = { 'host.owner_user': 'User', 'host.owner_usergroup': 'Usergroup' }

const SHOWN_AS: Readonly<Record<string, string>> = {
  'host.owner': 'owner_id',
  'host.interfaces': 'shown with the primary one, which nobody sent',
  'filter.override': 'override?',
  'parameter.hidden_value': 'hidden_value?',
  'common_parameter.hidden_value': 'hidden_value?',
  'personal_access_token.revoked': 'revoked?',
}

/** Yields the value that a record shows for a sent one. */
export function asShown(resource: Resource, { name, field, at }: BoundField, sent: unknown): unknown {
  if (SHOWN_AS_NULL.has(name) && Array.isArray(sent) && sent.length === 0) return null
  const isTemplate = Object.values(field.writable(at)).some(({ language }) => language === 'template')
  if (isTemplate && typeof sent === 'string') return sent.replaceAll('\r', '')
  if (field.kind === 'links') return [...new Set(sent as number[])].sort((a, b) => a - b)
  if (field.kind === 'timestamp' && typeof sent === 'string') return `${sent.slice(0, 19).replace('T', ' ')} UTC`
  return withoutNothing(`${resource.name}.${name}`, sent)
}

/** Fields whose empty lists are shown as null; audits tell what is stored. */
export const SHOWN_AS_NULL: ReadonlySet<string> = new Set(['ignorable_content', 'docker_tags_whitelist'])

function anyValue(
  resource: Resource,
  placed: BoundField,
  pool: Pool,
  texts: fc.Arbitrary<string>,
): fc.Arbitrary<unknown> {
  if (resource.taxable === 'organization' && placed.name === 'organization') return fc.constant(HOME)
  const own = PARTICULAR[`${resource.name}.${placed.name}`]
  if (own) return own(pool, texts)
  const { field, column, at } = placed
  const [written] = Object.values(field.writable(at))
  const correct = written?.language && CORRECT[written.language]
  const optional = (value: fc.Arbitrary<unknown>) =>
    column?.nullable && !field.required ? fc.option(value, { freq: 4 }) : value
  if (correct) return optional(fc.constantFrom(...correct))
  switch (field.kind) {
    case 'text':
      return optional(textOf(placed, texts))
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return optional(fc.integer(numberFacts(placed)))
    case 'timestamp':
      return optional(moment)
    case 'link':
      return optional(fc.constantFrom(...idsFor(resource, placed, pool)))
    case 'links':
      return fc.subarray([...idsFor(resource, placed, pool)])
    case 'parts':
    case 'takers':
      return fc.constant([])
    case 'words':
      return fc.subarray(['User'])
    case 'secret':
      // An equal value would change nothing that could be observed.
      return fc
        .string({ unit: 'grapheme', minLength: 8, maxLength: 20 })
        .filter((value) => [...value].length < 100)
        .map((value) => value + unique(''))
    default:
      throw new Error(`no values are known for the kind ${field.kind}`)
  }
}

function idsFor({ name }: Resource, placed: BoundField, pool: Pool): readonly number[] {
  const target = targetOf(placed)
  const gathers = (name === 'organization' || name === 'location') && placed.field.kind === 'links'
  const ids = pool[gathers ? memberKey(target) : target]
  if (!ids) throw new Error(`there is no ${target} to point at`)
  return ids
}

const WORDS = [
  'Wörter', 'ελληνικά', 'Кириллица', 'שלום', 'مرحبا', '日本語', '🦊🏔️', 'e\u0301', '\u202e', ' ', '.', '/', "o'clock", '"quoted"',
  '\\', '%', '_', '*', '<b>', 'null', '0', 'ß', 'İ', '()', ',', 'not', 'A', 'a',
] // biome-ignore format: one line of words

/** Generates text in scripts that every release of Unicode folds equally. */
export const knownScripts: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 4 })
  .map((words) => words.join('').trim())
  .map((text) => (isBlank(text) ? '' : text))

/** Generates text in every script, without NUL and without blanks around it, which are not kept (core-api §2.7). */
export const anyText: fc.Arbitrary<string> = fc
  .oneof(fc.string({ unit: 'binary', maxLength: 12 }), knownScripts)
  .map((text) => text.replaceAll('\0', '').trim())
  .map((text) => (isBlank(text) ? '' : text))

const unbroken = (_pool: Pool, texts: fc.Arbitrary<string>) => texts.map((text) => text.replace(/\s/gu, ''))
const letters = ['a', 'Z', 'ß', 'Ω', 'Ж', 'ו', '日', '٣', '7', '_', '-', '@', '.', '\\', '$', '#', '+']
const moment = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2199-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

/** Correct texts in languages whose texts are not written at random. */
const CORRECT: Readonly<Partial<Record<LanguageName, readonly string[]>>> = {
  'known hosts': ['* ssh-ed25519 AAAA', '# ü\n@revoked a.test,b.test ssh-rsa QUJD comment'],
  'LDAP attribute': ['uid', 'cn;lang-de', '2.5.4.3'],
}

// Fields whose rules are not part of the schema.
const PARTICULAR: Readonly<Record<string, (pool: Pool, texts: fc.Arbitrary<string>) => fc.Arbitrary<unknown>>> = {
  'architecture.name': unbroken,
  'operatingsystem.name': unbroken,
  'operatingsystem.major': () => fc.integer({ min: 0, max: 99999 }).map(String),
  'operatingsystem.minor': () => fc.constantFrom('', '0', '04', '1.2', '11.22.33'),
  'user.login': () => fc.string({ unit: fc.constantFrom(...letters), maxLength: 20 }),
  'user.mail': () => fc.constantFrom('a@example.test', 'ü.ö+1@bücher.example', '用户@例子.test'),
  'user.timezone': () => fc.constantFrom(null, 'Europe/Berlin', 'UTC', 'America/Argentina/Ushuaia'),
  'user.locale': () => fc.constantFrom(null, 'en', 'pt_BR'),
  ...Object.fromEntries(
    ['login', 'firstname', 'lastname', 'mail', 'groups'].map((what) => [
      `auth_source_oidc.attr_${what}`,
      () => fc.constantFrom('sub', 'name', 'realm_access.roles'),
    ]),
  ),
  'auth_source_oidc.client_id': () => fc.constantFrom('millwright', 'another'),
  'auth_source_oidc.issuer': () => fc.constantFrom('https://login.example.test', 'http://127.0.0.1:1/realm'),
  'auth_source_oidc.ca_certificate': () => fc.constant(null),
  'auth_source_oidc.algorithms': () => fc.constantFrom('RS256', 'ES256 EdDSA'),
  'auth_source_oidc.scopes': () => fc.constantFrom('openid', 'openid groups'),
  'auth_source_oidc.onthefly_register': () => fc.constant(false),
  'auth_source_ldap.host': () => fc.constantFrom('ldap.example.test', 'a.example.test,b.example.test'),
  'auth_source_ldap.port': () => fc.integer({ min: 1, max: 65_535 }), // never null, by a rule
  'auth_source_ldap.ldap_filter': () => fc.constantFrom(null, '(objectClass=person)', '(cn=שלום)'),
  'auth_source_ldap.ca_certificate': () => fc.constant(null),
  'auth_source_ldap.tls': () => fc.constant(false),
  'auth_source_ldap.onthefly_register': () => fc.constant(false),
  'auth_source_ldap.use_netgroups': () => fc.constant(false),
  ...Object.fromEntries(
    ['login', 'firstname', 'lastname', 'mail', 'photo'].map((what) => [
      `auth_source_ldap.attr_${what}`,
      () => fc.constantFrom('uid', 'cn;lang-de'),
    ]),
  ),
  'environment.name': () => anyOf('environment'),
  'domain.name': () => anyOf('domain'),
  'smart_proxy.url': () => fc.constant(null).map(() => `http://127.0.0.1:1/${unique('proxy')}`),
  'smart_proxy.runner': () => fc.constant('ssh'),
  'smart_proxy.runner_command': () => fc.constantFrom([], ['run', 'שלום', '%{host}', ' ']),
  'smart_proxy.ssh_user': () => fc.constantFrom(null, 'root', 'deploy-er'),
  'smart_proxy.ssh_key': () => fc.constant(PRIVATE_KEY),
  'ssh_key.key': () => fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => publicKey(Buffer.from(bytes))),
  'table_preference.columns': () => fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 5 }),
  'subnet.network_type': () => fc.constant('IPv4'),
  'subnet.network': () => fc.constant(null).map(freeNetwork),
  'subnet.mask': () => fc.constant('255.255.255.0'),
  'subnet.cidr': () => fc.constant(24),
  'subnet.gateway': () => fc.constant(null),
  'subnet.from': () => fc.constant(null),
  'subnet.to': () => fc.constant(null),
  'subnet.dns_primary': () => fc.option(fc.ipV4()),
  'subnet.dns_secondary': () => fc.option(fc.ipV4()),
  'subnet.ipam': () => fc.constantFrom('None', 'DHCP', 'Internal DB'),
  'host.name': () => anyOf('host'),
  'host.certname': () => anyOf('certificate'),
  'host.owner': ({ user = [] }) => fc.constantFrom(null, ...user),
  'interface.primary': () => fc.constant(false),
  'interface.provision': () => fc.constant(false),
  'interface.name': () => anyOf('interface'),
  'interface.ip': () => fc.constant(null),
  // The interfaces of a host have addresses of their own.
  'interface.ip6': () => fc.option(fc.constant(null).map(() => `2001:db8::${++addresses}`)),
  'interface.mac': () => fc.option(fc.constant(null).map(freeMac)),
  'interface.subnet6': () => fc.constant(null),
  'interface.mtu': () => fc.option(fc.integer({ min: 68, max: 4_294_967 })),
  'interface.attached_devices': () => fc.constantFrom('', 'eth0', 'eth0,eth1'),
  'http_proxy.url': () => fc.constantFrom('http://proxy.example.test:3128', 'https://192.0.2.7'),
  // A wrong password counts as a failed login and would lock the administrator out.
  'user.current_password': () => fc.constant(ADMIN.password),
  'personal_access_token.expires_at': () =>
    fc.option(
      fc
        .date({ min: new Date('2100-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
        .map((at) => at.toISOString()),
    ),
  'webhook.target_url': () => fc.constantFrom('https://hooks.example.test/a', 'http://192.0.2.7:8080/b?c=d'),
  'webhook.events': () => fc.constantFrom(['host.*'], ['*.deleted', 'domain.created'], ['*']),
  'webhook.search': () => fc.constantFrom(null, 'username = admin', 'action = create'),
  'webhook.ssl_ca_certs': () => fc.constant(null),
  'webhook.http_headers': () => fc.constant(null).map(() => JSON.stringify({ 'X-Key': unique('key') })),
  'webhook.http_content_type': () => fc.constantFrom('application/json', 'text/plain; charset=utf-8'),
  'webhook.header_template': () => fc.constantFrom(null, '{"X-Id": "<%= @object.id %>"}', '{}'),
  'webhook.http_user': () => fc.constantFrom(null, 'receiver'),
  'webhook.new_values': () => fc.constantFrom(null, { build: true }, { status: 'failed', exit_status: 1 }),
  'bookmark.query': () => fc.constantFrom('name = a', 'id > 0 or שלום'),
  'bookmark.controller': () => fc.constantFrom('hosts', 'שלום', 'configclasses'),
  'medium.path': () => fc.constant(null).map(() => `nfs://example.test/ü/${unique('medium')}`),
  'ptable.locked': () => fc.constant(false),
  ...Object.fromEntries(
    ['parameter', 'common_parameter'].flatMap((name) => [
      [`${name}.name`, unbroken],
      [`${name}.parameter_type`, () => fc.constant('string')],
      [`${name}.value`, (_pool: Pool, texts: fc.Arbitrary<string>) => texts],
      [`${name}.hidden_value`, () => fc.constant(false)],
    ]),
  ),
  'provisioning_template.template': (_pool, texts) => texts.map((text) => `${text.replaceAll('<%', '')}.`),
  'provisioning_template.template_kind': ({ template_kind = [] }) => fc.constantFrom(...template_kind),
  'provisioning_template.audit_comment': () => fc.constantFrom(null, 'because'),
  'report_template.template': (_pool, texts) => texts.map((text) => `${text.replaceAll('<%', '')}.`),
  'report_template.audit_comment': () => fc.constantFrom(null, 'because'),
  'report_template.locked': () => fc.constant(false),
  'webhook_template.template': (_pool, texts) => texts.map((text) => `${text.replaceAll('<%', '')}.`),
  'webhook_template.audit_comment': () => fc.constantFrom(null, 'because'),
  'webhook_template.locked': () => fc.constant(false),
  'ptable.audit_comment': () => fc.constantFrom(null, 'because'),
  'provisioning_template.snippet': () => fc.constant(false),
  'provisioning_template.locked': () => fc.constant(false),
  'configclass.name': unbroken,
  'configclass.smart_class_parameters': () => fc.constant([]),
  ...CONTENT_VALUES,
  'filter.search': () => fc.constantFrom(null, 'id > 5', 'login ~ "שלום" or has mail'),
  'filter.permissions': ({ permission = [] }) => fc.subarray([...permission], { minLength: 1 }),
}

/** Yields a MAC address that no other interface has. */
function freeMac(): string {
  const octets = (++macs).toString(16).padStart(6, '0').match(/../g) ?? []
  return ['52:54:00', ...octets].join(':')
}

let macs = 0
let addresses = 0

/** Generates a unique name of letters and digits. */
function anyOf(word: string): fc.Arbitrary<string> {
  return fc.constant(null).map(() => unique(word))
}

/** Formats a key of these bytes like OpenSSH. */
export function publicKey(bytes: Buffer): string {
  const type = 'ssh-ed25519'
  const part = (content: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(content.length)
    return Buffer.concat([length, content])
  }
  return `${type} ${Buffer.concat([part(Buffer.from(type)), part(bytes)]).toString('base64')}`
}

/** A private key in the form of an `ssh_key` of a smart proxy. */
export const PRIVATE_KEY = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** Secrets that are not any text. */
const SECRETS: Readonly<Record<string, unknown>> = { ssh_key: PRIVATE_KEY, http_headers: '{"X-Key": "secret"}' }

function textOf(placed: BoundField, texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const { oneOf, max = 255 } = textFacts(placed)
  if (oneOf) return fc.constantFrom(...oneOf)
  // A suffix may follow, which makes it unique.
  const most = max > 8 ? max - 8 : max
  return texts.map((text) => [...text].slice(0, most).join('').trim())
}

/** Yields the allowed words of a text field, and its maximum length in characters. */
export function textFacts(placed: BoundField): { oneOf?: readonly string[]; max?: number } {
  const parts = schemasOf(placed)
  const oneOf = parts.find((part) => part.enum)?.enum
  const max = parts.find((part) => part.maxLength)?.maxLength
  return { ...(oneOf && { oneOf }), ...(max && { max }) }
}

/** Yields the least and the greatest value of a field of integers. */
export function numberFacts(placed: BoundField): { min: number; max: number } {
  const bounds = schemasOf(placed).find(({ type }) => type === 'integer')
  return { min: bounds?.minimum ?? -2147483648, max: bounds?.maximum ?? 2147483647 }
}

function schemasOf({ name, field, at }: BoundField): JsonSchema[] {
  const writable = field.writable(at)[name]
  if (!writable) return []
  const schema = z.toJSONSchema(writable.schema(), { io: 'input' }) as JsonSchema // only what values are made of is read
  return [schema, ...(schema.anyOf ?? [])]
}

interface JsonSchema {
  readonly type?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly string[]
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}
