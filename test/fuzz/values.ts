import type { Random } from './random.ts'

const NAMES = [
  'alpha',
  'beta',
  'gamma',
  'delta',
  'Alpha',
  'x86_64',
  'Europe',
  'Berlin',
  'Viewer',
  'a b',
  'a/b',
  '1',
  '2-two',
  'ünï',
  '😀',
]

const JUNK: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  1e300,
  2 ** 31,
  2 ** 53,
  '',
  ' ',
  'null',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  '9'.repeat(30),
  'x'.repeat(300),
  '漢'.repeat(256),
  "'; drop table users --",
  '%',
  '_',
  '\\',
  [],
  [[]],
  {},
  { id: 1 },
  { '\ud800': '\ud800' },
  [{ id: 1 }],
  [{ name: 'alpha' }],
  [null, ''],
  [1, 'x'],
  { __proto__: null, toString: 1 },
  '2026-01-01',
  'today',
  '2026-13-45 99:99',
]

const SEGMENTS = [
  '-1',
  '1e3',
  '12abc',
  '0',
  '%00',
  '%20',
  '%F0%9F%98%80',
  '%',
  '%ff',
  '..',
  '%2e%2e',
  'x'.repeat(1200),
  '9'.repeat(19),
  '9223372036854775808',
  '1-x',
  '2-',
  '*',
  'null',
]

const SEARCHES = [
  'name',
  'id',
  'login',
  'title',
  'search',
  'role',
  'permission',
  'location',
  'organization_id',
  'admin',
  'type',
  'time',
  'changes',
  'user',
  'major',
  'family',
  'nothing',
  '=',
  '!=',
  '~',
  '!~',
  '<',
  '>=',
  '^',
  '!^',
  'and',
  'or',
  'not',
  'has',
  'null?',
  '(',
  ')',
  ',',
  '-',
  '"',
  '1',
  'alpha',
  '"a b"',
  'today',
  '"2 days ago"',
  '2026-03',
  'current_user',
  'true',
  '%',
  '*',
  '\\',
  '😀',
  '99999999999',
  '(1,2)',
]

/** Yields any JSON value. */
export function junk(random: Random): unknown {
  return random.one(JUNK)
}

/** Yields a value for a key of a body: usually a plausible one, sometimes anything. */
export function valueFor(random: Random, known: Known, key: string): unknown {
  // Directories and proxies are only looked for on this machine, at a port where nothing listens.
  if (key === 'host') return random.one(['127.0.0.1', '127.0.0.1', '', null, 5, []])
  if (key === 'port') return random.one([1, '1', null, 0, 65_536, 'x'])
  if (key === 'url') return random.one([`http://127.0.0.1:1/${random.below(500)}`, 'https://127.0.0.1:1', '', 5])
  if (random.chance(0.05)) return junk(random)
  const usual = USUAL[key]
  if (usual) return usual(random)
  if (key === 'permission_ids') return [id(random, known, 'permissions')]
  if (key.endsWith('_ids')) return random.some(3, () => id(random, known, pluralOf(key.slice(0, -4))))
  if (key.endsWith('_names')) return random.some(2, () => name(random))
  if (key.endsWith('_attributes')) return random.some(3, () => part(random, known, key))
  if (key === 'auth_source_id') return random.chance(0.8) ? 1 : id(random, known, 'auth_sources')
  if (key.endsWith('_id')) return random.chance(0.1) ? null : id(random, known, pluralOf(key.slice(0, -3)))
  if (key === 'search') return searchText(random)
  if (key === 'facts')
    return {
      [name(random)]: name(random),
      nested: { value: random.below(9), ...(random.chance(0.1) && { '\ud800': '\ud800' }) },
    }
  return name(random)
}

const FLAGS = [
  ...['admin', 'disabled', 'override', 'tls', 'start_tls', 'onthefly_register', 'usergroup_sync', 'snippet', 'locked'],
  ...['build', 'enabled', 'hidden_value', 'required', 'omit', 'merge_overrides', 'merge_default', 'avoid_duplicates'],
  ...['primary', 'provision', 'virtual', 'dryrun', 'force'],
  ...['unlimited_hosts', 'auto_attach', 'single_use', 'auto_publish', 'unprotected', 'latest', 'preview'],
]

/** Keys with a particular form, and their usual values. */
const USUAL: Readonly<Record<string, (random: Random) => unknown>> = {
  ...Object.fromEntries(FLAGS.map((flag) => [flag, (random: Random) => random.one([true, false, 'yes', 0])])),
  managed: (random) => random.one([false, false, false, true]),
  password: (random) => random.one(['short', 'long enough']),
  mail: () => 'someone@example.test',
  major: (random) => 1 + random.below(30),
  value: anyJson,
  default_value: anyJson,
  family: (random) => random.one(['Debian', 'Redhat', 'Suse']),
  ignore_types: (random) => random.one([[], ['User'], ['Host']]),
  expires_at: (random) => random.one(['2027-01-01', '2020-01-01 10:00:00 UTC', null]),
  timezone: (random) => random.one(['UTC', 'Europe/Berlin', 'Nowhere/Else']),
  runner: (random) => random.one(['ssh', 'ssh', 'ssh', 'proxy', 'command']),
  network: (random) => `10.${random.below(250)}.${random.below(250)}.0`,
  mask: (random) => random.one(['255.255.255.0', '255.255.255.0', '255.0.255.0']),
  network_type: (random) => random.one(['IPv4', 'IPv4', 'IPv6']),
  ip: (random) => random.one([`10.0.0.${random.below(250)}`, '', null]),
  ip6: (random) => random.one(['2001:db8::1', '::', null]),
  mac: (random) => random.one([`52:54:00:00:00:${10 + random.below(89)}`, '525400000001', null]),
  gateway: (random) => random.one([null, '10.0.0.1']),
  from: () => null,
  to: () => null,
  path: (random) => `https://example.test/${random.below(3000)}`,
  template: (random) => random.one(['text', '<%= @host.name %>', '<% while true do %>', '<%= snippet("alpha") %>', '']),
  provision_method: (random) => random.one(['build', 'image']),
  owner_type: (random) => random.one(['User', 'User', 'Usergroup']),
  type: (random) => random.one(['interface', 'bmc', 'bond', 'bridge']),
  parameter_type: (random) => random.one(['string', 'integer', 'boolean', 'real', 'array', 'hash', 'yaml', 'json']),
  validator_type: (random) => random.one(['', 'regexp', 'list', null]),
  validator_rule: (random) => random.one(['^a', '(', '1,2,alpha', '(a+)+$', null]),
  override_value_order: (random) => random.one(['fqdn', 'hostgroup\nos\ndomain', 'fqdn,os\nenvironment', '']),
  match: (random) => `${random.one(['fqdn', 'hostgroup', 'os', 'domain', 'x'])}=${name(random)}`,
  parallel: (random) => 1 + random.below(20),
  organization_id: (random) => random.one([1, 1, 1, 1, 1, 1, 2, 3, null, '']),
  content_type: (random) => random.one(['yum', 'yum', 'deb', 'file', 'x']),
  label: (random) => random.one([`label_${random.below(400)}`, 'ü', '']),
  max_hosts: (random) => random.one([1, 2, 100, 0, '3', null]),
  quantity: (random) => random.one([1, 2, -1, 0, '5', null, 2_147_483_648]),
  start_date: (random) => random.one(['2026-01-01', '2026-01-01T00:00:00Z', '9999-12-31', 'x']),
  end_date: (random) => random.one(['2036-01-01', '2020-01-01', '99999-01-01']),
  prior_id: (random) => random.one([1, 1, 1, 2, 5, 9, null]),
  composite: (random) => random.one([false, false, true]),
  content_overrides: (random) =>
    random.one([
      [{ content_label: 'x', name: 'enabled', value: '1' }],
      [{ content_label: 'x', remove: true }],
      [{}],
      [[]],
      'x',
    ]),
  content_view_environments: (random) =>
    random.one([['Library'], [], ['x/y'], [{ environment_id: 1, content_view_id: 1 }], [[1]], 'Library']),
  components: (random) => random.one([[{ content_view_id: 1 + random.below(9), latest: true }], [{}], [1], []]),
  subscriptions: (random) => random.one([[{ id: 1 + random.below(9), quantity: 1 }], [{ id: 'x' }], [[]], []]),
}

function anyJson(random: Random): unknown {
  return random.one([random.below(30), String(random.below(30)), 'alpha', true, [1, 'a'], { a: { b: 1 } }, '[1, 2', ''])
}

const PARTS = ['name', 'value', 'parameter_type', 'hidden_value', 'ip', 'mac', 'type', 'primary', 'provision']

/** Builds a part of a record: a new one, one that may exist, or one to remove. */
function part(random: Random, known: Known, key: string): unknown {
  const wanted = PARTS.filter((one) => one === 'name' || random.chance(0.3))
  return {
    ...(random.chance(0.2) && { id: id(random, known, key.startsWith('interfaces') ? 'interfaces' : 'parameters') }),
    ...Object.fromEntries(wanted.map((one) => [one, valueFor(random, known, one)])),
    ...(random.chance(0.1) && { _destroy: true }),
  }
}

/** Yields the plural of the resource to which a key or a path parameter refers. */
export function pluralOf(word: string): string {
  const target = TARGETS[word.replace(/^default_/, '')] ?? word.replace(/^default_/, '')
  return `${target.replace(/y$/, 'ie').replace(/ss$/, 'sse')}s`.replace(/^mediums$/, 'media')
}

const TARGETS: Readonly<Record<string, string>> = {
  config_proxy: 'smart_proxy',
  config_ca_proxy: 'smart_proxy',
  subnet6: 'subnet',
  owner: 'user',
  config_template: 'provisioning_template',
}

/** Yields a name, usually one of a few, so that names collide. */
export function name(random: Random): string {
  return random.chance(0.3) ? random.one(NAMES) : `n${random.below(3000)}`
}

/** Ids of records that existed at some time, by the plural of their resource. */
export type Known = Map<string, number[]>

/** Yields an id of a record of this kind that may exist. */
export function id(random: Random, known: Known, plural: string): number {
  const ids = known.get(plural)
  return ids && ids.length > 0 && random.chance(0.9) ? random.one(ids) : 1 + random.below(400)
}

/** Yields a path segment in place of an id. */
export function segment(random: Random, known: Known, plural: string): string {
  if (random.chance(0.06)) return random.one(SEGMENTS)
  if (random.chance(0.06)) return encodeURIComponent(name(random))
  const number = id(random, known, plural)
  return random.chance(0.1) ? `${number}-${encodeURIComponent(name(random))}` : String(number)
}

export function searchText(random: Random): string {
  return random.some(6, () => random.one(SEARCHES)).join(random.chance(0.9) ? ' ' : '')
}
