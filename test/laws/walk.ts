import { generateKeyPairSync } from 'node:crypto'
import { row, rows, type Sql } from '../../src/database/sql.ts'
import type { BoundField, Resource } from '../../src/kernel/definition.ts'
import type { Route } from '../../src/requests/route.ts'
import { sql } from '../../src/sql.ts'
import type { Random } from '../fuzz/random.ts'
import type { TestApi } from '../support/api.ts'
import { type Body, resourceNamed, targetOf, unique } from '../support/given.ts'

/** Resources that grant, revoke and use permissions, with the frequency at which they are chosen. */
const FAMILIES: Readonly<Record<string, number>> = {
  user: 6,
  role: 4,
  filter: 6,
  usergroup: 4,
  external_usergroup: 2,
  personal_access_token: 2,
  ssh_key: 2,
  user_identity: 2,
  auth_source_ldap: 3,
  auth_source_oidc: 2,
  smart_proxy: 3,
  organization: 3,
  location: 2,
}

export const KINDS = Object.keys(FAMILIES)

/** A write on one of these, as a route declares it. */
export interface Step {
  readonly resource: Resource
  readonly route: Route
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  /** The ids in the path, by resource. */
  readonly ids: Readonly<Record<string, number>>
  readonly body: Body
}

/** The present ids of records by resource. */
export type Known = ReadonlyMap<string, readonly number[]>

/** Yields the ids of all records that steps name; those of the author come last, because these are chosen often. */
export async function learn({ database: { db } }: TestApi, author: string): Promise<Known> {
  const names = [...KINDS, 'auth_source', 'permission']
  const found = await rows<{ name: string; ids: number[] }>(
    db,
    sql.join(
      names.map((name) => {
        const { table } = resourceNamed(name)
        return sql`select ${name}::text as name, array(select id from ${sql.table(table)} ${SOME[name] ?? sql``} order by id) as ids`
      }),
      sql` union all `,
    ),
  )
  const own = await row<Readonly<Record<string, number[]>>>(
    db,
    sql`select
        array(select organization_id from user_organizations where user_id = u.id) as organization,
        array(select location_id from user_locations where user_id = u.id) as location,
        array(select min(id) from auth_sources where type = 'AuthSourceLdap') as auth_source_ldap,
        array(select min(id) from auth_sources where type = 'AuthSourceOidc') as auth_source_oidc,
        array(select fp.permission_id from user_roles ur join filters f on f.role_id = ur.role_id
          join filter_permissions fp on fp.filter_id = f.id where ur.user_id = u.id order by 1) as permission
      from users u where u.login = ${author}`,
  )
  return new Map(found.map(({ name, ids }) => [name, [...ids, ...often(own?.[name] ?? [])]]))
}

/** Conditions on records to choose from: predefined roles are locked. */
const SOME: Readonly<Record<string, Sql>> = {
  auth_source_ldap: sql`where type = 'AuthSourceLdap'`,
  auth_source_oidc: sql`where type = 'AuthSourceOidc'`,
  role: sql`where origin is null`,
}

/** Repeats ids, so that they are chosen more often. */
function often(ids: readonly number[]): readonly number[] {
  return ids.length === 0
    ? []
    : Array.from({ length: Math.max(LAST, ids.length) }, (_, place) => ids[place % ids.length] ?? 0)
}

const LAST = 8

/** Builds a random write; its body follows the declaration of the resource. */
export function randomStep(random: Random, routes: readonly Route[], known: Known): Step {
  const kind = random.one(Object.entries(FAMILIES).flatMap(([name, often]) => Array<string>(often).fill(name)))
  const resource = resourceNamed(kind)
  const writes = routes.filter(({ method, group }) => group === resource.plural && method !== 'GET')
  const route = random.one([
    ...writes.filter(({ method, path }) => {
      const below = path.includes('_id/') && !resource.nestedOnly
      return random.chance((method === 'DELETE' || SELDOM.test(path) ? 0.2 : 1) * (below ? 0.05 : 1))
    }),
    ...writes.filter(({ method }) => method === 'PUT').slice(0, 1),
  ])
  const ids: Record<string, number> = {}
  const url = route.path.replace(/:(\w+)/g, (_, param: string) => {
    const name = param === 'id' ? kind : param.replace(/_id$/, '').replace(/_(internal|external|ldap)$/, '')
    const id = recent(random, known.get(name) ?? [])
    ids[name] = id
    return String(id)
  })
  const method = route.method as Step['method'] // reads are left out above
  return { resource, route, method, url, ids, body: method === 'DELETE' ? {} : bodyOf(random, resource, method, known) }
}

/** Routes that grant no permissions. */
const SELDOM = /\/(?:machines|import_configclasses|refresh)\b/

function bodyOf(random: Random, resource: Resource, method: string, known: Known): Body {
  const writable = resource.placed.filter(({ field, at }) => Object.keys(field.writable(at)).length > 0)
  const needed = (one: BoundField) =>
    method === 'POST' && (one.field.required || NEEDED.has(`${resource.name}.${one.name}`))
  const some = method === 'POST' ? 0.4 : 1.5 / writable.length
  const often = (one: BoundField) => method === 'PUT' && OFTEN.has(`${resource.name}.${one.name}`) && random.chance(0.3)
  const chosen = writable.filter(
    (one) => needed(one) || often(one) || random.chance(RARE.has(one.name) ? some / 8 : some),
  )
  if (chosen.length === 0) chosen.push(random.one(writable))
  const attributes = chosen.flatMap((one) => {
    const [key] = Object.keys(one.field.writable(one.at))
    const value = valueFor(random, resource, one, known)
    return key === undefined || value === undefined ? [] : [[key, value] as const]
  })
  return { [resource.word]: Object.fromEntries(attributes) }
}

/** Chooses an id, usually one of the latest, which belong to this walk. */
function recent(random: Random, ids: readonly number[]): number {
  const last = random.chance(0.7) ? ids.slice(-LAST) : ids
  return last.length === 0 ? 0 : random.one(last)
}

/** Fields that are nearly always refused. */
const RARE = new Set(['admin', 'current_password', 'ignore_types'])

/** Fields that move records, or decide where machines act and which server checks passwords. */
const OFTEN = new Set([
  ...['organization.parent', 'organization.smart_proxies', 'location.parent', 'location.smart_proxies'],
  ...['smart_proxy.organizations', 'smart_proxy.locations', 'smart_proxy.url'],
  ...['auth_source_ldap.host', 'auth_source_ldap.ldap_filter'],
])

const NEEDED = new Set([
  ...['user.password', 'user.mail', 'filter.permissions', 'user.organizations', 'user.locations'],
  // A proxy that is only used to reach hosts is not contacted, because nothing listens there.
  'smart_proxy.runner',
])

function valueFor(random: Random, { name: resource }: Resource, placed: BoundField, known: Known): unknown {
  const { field, name } = placed
  const ids = field.kind === 'link' || field.kind === 'links' ? (known.get(targetOf(placed)) ?? []) : []
  const particular = PARTICULAR[`${resource}.${name}`]
  if (particular) return particular(random, known)
  switch (field.kind) {
    case 'boolean':
      return random.chance(0.5)
    case 'text':
      return unique(name)
    case 'secret':
      return 'long enough'
    case 'timestamp':
      return '2199-01-01'
    case 'link':
      return !field.required && random.chance(0.2) ? null : recent(random, ids)
    case 'links':
      return ids.length === 0 ? [] : random.some(2, () => recent(random, ids))
    case 'words':
      return random.some(1, () => 'User')
    default:
      return undefined
  }
}

const PARTICULAR: Readonly<Record<string, (random: Random, known: Known) => unknown>> = {
  // The source that is not asked whether such a group exists.
  'external_usergroup.auth_source': () => 3,
  'user.mail': () => 'somebody@example.test',
  'user.auth_source': (random, known) => random.one([1, 1, 1, ...(known.get('auth_source') ?? [])]),
  'user.timezone': () => 'UTC',
  'user.locale': () => 'en',
  'filter.search': (random) => random.one([null, '', ' ', 'id > 5', 'id > 0']),
  // The permissions of a filter have one type; those beside each other often share it.
  'filter.permissions': (random, known) => {
    const ids = known.get('permission') ?? []
    const first = random.below(Math.max(ids.length, 1))
    return [...new Set(ids.slice(first, first + 1 + random.below(2)))]
  },
  'ssh_key.key': publicKey,
  'smart_proxy.url': (random) => `http://${random.one(MACHINES)}:1/${unique('proxy')}`,
  'smart_proxy.runner': () => 'ssh',
  'smart_proxy.ssh_key': () => undefined,
  'auth_source_oidc.issuer': () => `https://${unique('login')}.example.test`,
  'auth_source_oidc.client_secret': () => undefined,
  'auth_source_oidc.ca_certificate': () => null,
  'auth_source_oidc.algorithms': (random) => random.one(['RS256', 'ES256 EdDSA']),
  'auth_source_oidc.scopes': (random) => random.one(['openid', 'openid groups']),
  'auth_source_ldap.host': () => `${unique('ldap')}.example.test`,
  'auth_source_ldap.port': () => 389,
  'auth_source_ldap.ldap_filter': (random) => random.one([null, '(uid=a*)']),
  'auth_source_ldap.server_type': (random) => random.one(['posix', 'directory_a', 'directory_b']),
  'auth_source_ldap.account_password': () => undefined,
  'auth_source_ldap.ca_certificate': () => null,
}

/** Host names of smart proxies. */
const MACHINES = ['one.example.test', 'other.example.test']

/** Yields a new key in OpenSSH's format. */
function publicKey(): string {
  const { publicKey: key } = generateKeyPairSync('ed25519')
  const raw = key.export({ format: 'der', type: 'spki' }).subarray(-32)
  const type = Buffer.from('ssh-ed25519')
  const parts = [type, raw].flatMap((part) => [length(part), part])
  return `ssh-ed25519 ${Buffer.concat(parts).toString('base64')}`
}

function length(part: Buffer): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(part.length)
  return bytes
}
