import { assembleResources } from '../../src/areas/index.ts'
import type { Database } from '../../src/database/database.ts'
import { row } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'

// Computes everybody's permissions from the tables alone, one place at a time, without code of the service.

/** Permissions as texts, e.g. `view_hosts|*|1|2`: all hosts of organization 1 in location 2. */
export type Rights = ReadonlySet<string>

/** The tables that decide who may do what. */
export interface Tables {
  readonly users: readonly User[]
  readonly usergroups: readonly { readonly id: number; readonly admin: boolean }[]
  readonly member_users: readonly (readonly [group: number, user: number])[]
  readonly member_groups: readonly (readonly [group: number, member: number])[]
  readonly user_roles: readonly (readonly [user: number, role: number])[]
  readonly group_roles: readonly (readonly [group: number, role: number])[]
  readonly default_roles: readonly number[]
  readonly filters: readonly Filter[]
  readonly links: readonly { readonly id: number; readonly usergroup_id: number; readonly auth_source_id: number }[]
  readonly sources: readonly { readonly id: number; readonly decides: readonly unknown[] }[]
  readonly proxies: readonly Proxy[]
  readonly organizations: readonly Node[]
  readonly locations: readonly Node[]
}

interface User {
  readonly id: number
  readonly login: string
  readonly admin: boolean
  readonly disabled: boolean
  readonly auth_source_id: number
  readonly organizations: readonly number[]
  readonly locations: readonly number[]
}

/** A smart proxy, known by the host in its URL, and where it acts; null for everywhere. */
interface Proxy {
  readonly url: string
  readonly organizations: readonly number[] | null
  readonly locations: readonly number[] | null
}

interface Filter {
  readonly role: number
  readonly search: string | null
  readonly permissions: readonly (readonly [name: string, type: string | null])[]
  readonly organizations: readonly number[]
  readonly locations: readonly number[]
}

interface Node {
  readonly id: number
  readonly above: readonly number[]
  readonly everybody: boolean
}

/** The fields of a source that decide who logs in as whom, which attributes are taken over, and which groups people join. */
const DECIDING = [
  ...['host', 'port', 'tls', 'start_tls', 'ca_certificate', 'account', 'base_dn', 'ldap_filter', 'server_type'],
  ...['attr_login', 'attr_firstname', 'attr_lastname', 'attr_mail', 'attr_photo'],
  ...['groups_base', 'usergroup_sync', 'use_netgroups'],
  ...['issuer', 'client_id', 'scopes', 'algorithms', 'audience', 'clock_skew', 'attr_groups'],
]

/** Reads all tables in one statement. */
export async function readTables({ db }: Database): Promise<Tables> {
  const list = (from: string, what: string) =>
    sql`(select coalesce(jsonb_agg(${sql.raw(what)}), '[]') from ${sql.table(from)} t)`
  const ids = (link: string, own: string, column: string) =>
    `(select coalesce(jsonb_agg(l.${column}), '[]') from ${link} l where l.${own} = t.id)`
  const places = (word: 'user', column: string) => `${ids(`${word}_${column}s`, `${word}_id`, `${column}_id`)}`
  const limits = (kind: string) =>
    `case when t.override then ${ids(`filter_${kind}s`, 'filter_id', `${kind}_id`)}
      else (select coalesce(jsonb_agg(l.${kind}_id), '[]') from role_${kind}s l where l.role_id = t.role_id) end`
  const acting = (kind: string) =>
    `(select case when count(*) > 0 or not t.any_${kind} then coalesce(jsonb_agg(l.${kind}_id), '[]') end
      from smart_proxy_${kind}s l where l.smart_proxy_id = t.id)`
  const node = "jsonb_build_object('id', id, 'above', ancestor_ids, 'everybody', 'User' = any (select_all_types))"
  const found = await row<{ tables: Tables }>(
    db,
    sql`select jsonb_build_object(
      'users', ${list('users', `jsonb_build_object('id', id, 'login', login, 'admin', admin, 'disabled', disabled, 'auth_source_id', auth_source_id, 'organizations', ${places('user', 'organization')}, 'locations', ${places('user', 'location')})`)},
      'usergroups', ${list('usergroups', "jsonb_build_object('id', id, 'admin', admin)")},
      'member_users', ${list('usergroup_users', 'jsonb_build_array(usergroup_id, user_id)')},
      'member_groups', ${list('usergroup_usergroups', 'jsonb_build_array(usergroup_id, member_id)')},
      'user_roles', ${list('user_roles', 'jsonb_build_array(user_id, role_id)')},
      'group_roles', ${list('usergroup_roles', 'jsonb_build_array(usergroup_id, role_id)')},
      'default_roles', (select coalesce(jsonb_agg(id), '[]') from roles where builtin = 2),
      'filters', ${list('filters', `jsonb_build_object('role', role_id, 'search', search, 'organizations', ${limits('organization')}, 'locations', ${limits('location')}, 'permissions', (select coalesce(jsonb_agg(jsonb_build_array(p.name, p.resource_type)), '[]') from filter_permissions fp join permissions p on p.id = fp.permission_id where fp.filter_id = t.id))`)},
      'links', ${list('external_usergroups', "jsonb_build_object('id', id, 'usergroup_id', usergroup_id, 'auth_source_id', auth_source_id)")},
      'sources', ${list('auth_sources', `jsonb_build_object('id', id, 'decides', jsonb_build_array(${DECIDING.join(', ')}))`)},
      'proxies', ${list('smart_proxies', `jsonb_build_object('url', url, 'organizations', ${acting('organization')}, 'locations', ${acting('location')})`)},
      'organizations', ${list('organizations', node)},
      'locations', ${list('locations', node)}) as tables`,
  )
  if (!found) throw new Error('there are no tables')
  return found.tables
}

/** Organizations and locations whose records somebody may gain permissions on; later ones belonged to nobody. */
export type Places = Pick<Tables, 'organizations' | 'locations'>

/**
 * Computes what each user may do; under `link <id>` what the members that a source names for a linked group may do; and
 * under `machine <host>` the hosts that a machine with a smart proxy's certificate acts for.
 */
export function rightsOfAll(tables: Tables, places: Places): ReadonlyMap<string, Rights> {
  const users = tables.users.map((user) => [user.login, rightsOf(tables, places, user)] as const)
  const linked = tables.links.map(({ id, usergroup_id }) => {
    const groups = around(tables, [usergroup_id])
    const everywhere = { organizations: idsOf(tables.organizations), locations: idsOf(tables.locations) }
    const admin = tables.usergroups.some((group) => group.admin && groups.has(group.id))
    const all = cells(tables, places, { ...everywhere, admin, groups, roles: new Set() })
    // A group grants roles, but no organization or location.
    return [`link ${id}`, new Set([...all].filter((right) => !/^(member of|acts in)/.test(right)))] as const
  })
  return new Map([...users, ...linked, ...machines(tables, places)])
}

/**
 * Computes where smart proxies act, combined for one host; a user who belongs to both parts of a pair may let a machine act
 * there.
 */
function machines(tables: Tables, places: Places): [string, Rights][] {
  const hosts = Map.groupBy(tables.proxies, ({ url }) => new URL(url).hostname)
  return [...hosts].map(([host, proxies]) => {
    const acts = proxies.flatMap(({ organizations, locations }) =>
      pairs(
        organizations ? below(tables.organizations, organizations) : idsOf(tables.organizations),
        locations ? below(tables.locations, locations) : idsOf(tables.locations),
        places,
      ),
    )
    return [`machine ${host}`, new Set(acts)]
  })
}

function pairs(organizations: readonly number[], locations: readonly number[], places: Places): string[] {
  return among(organizations, idsOf(places.organizations)).flatMap((organization) =>
    among(locations, idsOf(places.locations)).map((location) => `acts in|*|${organization}|${location}`),
  )
}

/** Lists the permissions that others do not cover. */
export function beyond(rights: Rights, own: Rights): string[] {
  if (own.has('everything')) return []
  return [...rights].filter((right) => {
    const [permission, , ...where] = right.split('|')
    return !own.has(right) && !own.has([permission, '*', ...where].join('|'))
  })
}

/** The limits of an author's token. */
export interface Limits {
  readonly permissions: readonly string[]
  readonly organizations: readonly number[] | null
}

/** Computes what is left of somebody's rights by a token with these limits, and what the default role gives to everybody. */
export function within(rights: Rights, { permissions, organizations }: Limits, tables: Tables): Rights {
  const everybodys = tables.filters.filter(({ role }) => tables.default_roles.includes(role))
  const named = new Set([...permissions, ...everybodys.flatMap((filter) => filter.permissions.map(([name]) => name))])
  const reached = organizations && below(tables.organizations, organizations).map(String)
  return new Set(
    [...rights].filter((right) => {
      const [permission = '', , organization = ''] = right.split('|')
      if (permission === 'member of locations') return true
      const isNear = reached === null || organization === 'any' || reached.includes(organization)
      return isNear && (/^(member of|acts in)/.test(permission) || named.has(permission))
    }),
  )
}

function rightsOf(tables: Tables, places: Places, user: User): Rights {
  if (user.disabled) return new Set()
  const groups = around(
    tables,
    tables.member_users.filter(([, id]) => id === user.id).map(([group]) => group),
  )
  const admin = user.admin || tables.usergroups.some((group) => group.admin && groups.has(group.id))
  const roles = new Set(tables.user_roles.filter(([id]) => id === user.id).map(([, role]) => role))
  const { organizations, locations } = user
  return cells(tables, places, { organizations, locations, admin, groups, roles })
}

interface Holder {
  readonly admin: boolean
  readonly groups: ReadonlySet<number>
  readonly roles: ReadonlySet<number>
  readonly organizations: readonly number[]
  readonly locations: readonly number[]
}

function cells(tables: Tables, places: Places, holder: Holder): Rights {
  if (holder.admin) return new Set(['everything'])
  const held = new Set([
    ...holder.roles,
    ...tables.default_roles,
    ...tables.group_roles.filter(([group]) => holder.groups.has(group)).map(([, role]) => role),
  ])
  const own = {
    organizations: [...below(tables.organizations, holder.organizations), ...takingIn(tables.organizations)],
    locations: [...below(tables.locations, holder.locations), ...takingIn(tables.locations)],
  }
  const rights = new Set<string>()
  for (const kind of ['organizations', 'locations'] as const)
    for (const id of among(own[kind], idsOf(places[kind]))) rights.add(`member of ${kind}|*|${id}`)
  for (const right of pairs(own.organizations, own.locations, places)) rights.add(right)
  for (const filter of tables.filters.filter(({ role }) => held.has(role))) {
    const search = /^[\s()]*$/u.test(filter.search ?? '') ? '*' : filter.search
    for (const [name, type] of filter.permissions) {
      const reach = (kind: 'organizations' | 'locations') => {
        const limited = filter[kind].length > 0 ? among(own[kind], below(tables[kind], filter[kind])) : own[kind]
        return isPlaced(type, kind) ? among(limited, idsOf(places[kind])) : ['any']
      }
      for (const organization of reach('organizations'))
        for (const location of reach('locations')) rights.add(`${name}|${search}|${organization}|${location}`)
    }
  }
  return rights
}

/** Tells whether records of the type are only visible from their organizations or locations. */
function isPlaced(type: string | null, kind: 'organizations' | 'locations'): boolean {
  return declared.some(
    ({ type: own, taxable }) =>
      own === type && taxable && taxable !== 'when_named' && (taxable !== 'organization' || kind === 'organizations'),
  )
}

const declared = [...assembleResources().values()]

function around({ member_groups }: Tables, groups: readonly number[]): ReadonlySet<number> {
  const found = new Set(groups)
  for (const id of found) for (const [group, member] of member_groups) if (member === id) found.add(group)
  return found
}

function below(nodes: readonly Node[], ids: readonly number[]): number[] {
  return nodes.filter(({ id, above }) => [id, ...above].some((one) => ids.includes(one))).map(({ id }) => id)
}

function takingIn(nodes: readonly Node[]): number[] {
  return nodes.filter(({ everybody }) => everybody).map(({ id }) => id)
}

function idsOf(nodes: readonly Node[]): number[] {
  return nodes.map(({ id }) => id)
}

function among<Item>(items: readonly Item[], others: readonly Item[]): Item[] {
  return items.filter((item) => others.includes(item))
}
