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

/** What a client might put into a JSON value that is of no particular kind. */
export function junk(random: Random): unknown {
  return random.one(JUNK)
}

/** A value for a key of a body: mostly one that could be meant, sometimes anything. */
export function valueFor(random: Random, known: Known, key: string): unknown {
  // Directories are asked for on this machine only, at a port where nothing answers.
  if (key === 'host') return random.one(['127.0.0.1', '127.0.0.1', '', null, 5, []])
  if (key === 'port') return random.one([1, '1', null, 0, 65_536, 'x'])
  if (random.chance(0.05)) return junk(random)
  if (key === 'password') return random.one(['short', 'long enough'])
  if (key === 'permission_ids') return [id(random, known, 'permissions')]
  if (key.endsWith('_ids')) return random.some(3, () => id(random, known, `${key.slice(0, -4)}s`))
  if (key.endsWith('_names')) return random.some(2, () => name(random))
  if (key === 'auth_source_id') return random.chance(0.8) ? 1 : id(random, known, 'auth_sources')
  if (key.endsWith('_id'))
    return random.chance(0.1) ? null : id(random, known, `${key.replace(/^default_/, '').slice(0, -3)}s`)
  if (['admin', 'disabled', 'override', 'tls', 'start_tls', 'onthefly_register', 'usergroup_sync'].includes(key))
    return random.one([true, false, 'yes', 0])
  if (key === 'search') return searchText(random)
  if (key === 'mail') return 'someone@example.test'
  if (key === 'major' || key === 'value') return 1 + random.below(30)
  if (key === 'family') return random.one(['Debian', 'Redhat', 'Suse'])
  if (key === 'ignore_types') return random.one([[], ['User'], ['Host']])
  if (key === 'expires_at') return random.one(['2027-01-01', '2020-01-01 10:00:00 UTC', null])
  if (key === 'timezone') return random.one(['UTC', 'Europe/Berlin', 'Nowhere/Else'])
  return name(random)
}

/** A name: mostly one of a few, so that they meet. */
export function name(random: Random): string {
  return random.chance(0.3) ? random.one(NAMES) : `n${random.below(3000)}`
}

/** Ids of records that were there when somebody looked, by plural word of their resource. */
export type Known = Map<string, number[]>

/** An id of which there may be a record of this kind. */
export function id(random: Random, known: Known, plural: string): number {
  const ids = known.get(plural)
  return ids && ids.length > 0 && random.chance(0.9) ? random.one(ids) : 1 + random.below(400)
}

/** What stands in a path where an id is wanted. */
export function segment(random: Random, known: Known, plural: string): string {
  if (random.chance(0.06)) return random.one(SEGMENTS)
  if (random.chance(0.06)) return encodeURIComponent(name(random))
  const number = id(random, known, plural)
  return random.chance(0.1) ? `${number}-${encodeURIComponent(name(random))}` : String(number)
}

export function searchText(random: Random): string {
  return random.some(6, () => random.one(SEARCHES)).join(random.chance(0.9) ? ' ' : '')
}
