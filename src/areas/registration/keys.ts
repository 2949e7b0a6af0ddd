import { type Db, row, rows, type Sql, selectObject } from '../../database/sql.ts'
import { Failure } from '../../errors.ts'
import { type Condition, joinConditions } from '../../kernel/index.ts'
import { sql } from '../../sql.ts'
import type { KeyGrants, RecordName, RegistrationOwner } from './key.ts'
import { VIEW_ENVIRONMENT } from './labels.ts'

/** A key with everything that registrations need. */
export interface StoredKey extends KeyGrants {
  readonly enabled: boolean
  readonly expired: boolean
  readonly single_use: boolean
  readonly used: boolean
  /** Null: unlimited. */
  readonly max_hosts: number | null
  readonly usage_count: number
  /** The locations where hosts may use it; empty: anywhere. */
  readonly locations: readonly RecordName[]
}

/** Parses a comma-separated list of key names, without repetition; blanks belong to the names (content-api §5.2). */
export function parseKeyNames(list: string): string[] {
  return [...new Set(list.split(',').filter((name) => name !== ''))]
}

/** Reads the names of keys in the JSON of a parameter: a list as text. */
export function readKeyNames(json: string | null): string[] {
  const value: unknown = json === null ? '' : JSON.parse(json) // the database yields JSON
  return parseKeyNames(typeof value === 'string' ? value : (json ?? ''))
}

/** Finds the organization with this label. {@throws Failure} not_found */
export async function findOwnerByLabel(db: Db, label: string): Promise<RegistrationOwner> {
  const found = await loadOwnerByLabel(db, label)
  if (!found) throw new Failure('not_found', `Couldn't find Organization '${label}'.`)
  return found
}

/**
 * Finds the organization with this label, for a machine that has these keys. {@throws Failure} not_found as for unknown
 * keys, so that a machine without a key does not learn that the organization exists
 */
export async function findOwnerOfKeys(db: Db, label: string, names: readonly string[]): Promise<RegistrationOwner> {
  const found = await loadOwnerByLabel(db, label)
  if (!found) throw createUnknownKeys(names)
  return found
}

async function loadOwnerByLabel(db: Db, label: string): Promise<RegistrationOwner | undefined> {
  return label.includes('\0') ? undefined : loadOwner(db, sql`o.label = ${label}`)
}

/** Finds the organization with this id. {@throws Failure} not_found */
export async function findOwnerById(db: Db, id: number): Promise<RegistrationOwner> {
  const found = await loadOwner(db, sql`o.id = ${id}`)
  if (!found) throw new Failure('not_found', `Couldn't find Organization with id ${id}.`)
  return found
}

function loadOwner(db: Db, condition: Sql): Promise<RegistrationOwner | undefined> {
  return row<RegistrationOwner>(
    db,
    sql`select o.id, o.name, o.label, o.content_access_mode, o.service_level,
        array(select distinct s.support_level from subscriptions s
          where s.organization_id = o.id and s.support_level <> '' order by 1) as service_levels
      from organizations o where ${condition}`,
  )
}

/**
 * Finds the keys of an organization by name, in the given order, in one statement. Conditions limit what a caller may
 * see. {@throws Failure} not_found, naming the missing ones
 */
export async function findKeysByName(
  db: Db,
  organization: number,
  names: readonly string[],
  conditions: readonly Condition[] = [],
): Promise<StoredKey[]> {
  // Most requests name one key: a single name has a reusable plan, while PostgreSQL plans a list anew each time,
  // because it cannot know its length.
  const [first, ...others] = names
  const named = others.length === 0 ? sql`t.name = ${first ?? ''}` : sql`t.name = any (${names}::text[])`
  const found = await loadStoredKeys(
    db,
    sql`t.organization_id = ${organization} and ${named} and ${joinConditions(conditions)}`,
  )
  const byName = new Map(found.map((key) => [key.name, key]))
  const missing = names.filter((name) => !byName.has(name))
  if (missing.length > 0) throw createUnknownKeys(missing)
  return names.flatMap((name) => byName.get(name) ?? [])
}

/** Loads keys by id, in the given order, without missing and invisible ones. */
export async function loadKeysById(
  db: Db,
  ids: readonly number[],
  conditions: readonly Condition[] = [],
): Promise<StoredKey[]> {
  const found = await loadStoredKeys(db, sql`t.id = any (${ids}::bigint[]) and ${joinConditions(conditions)}`)
  const byId = new Map(found.map((key) => [key.id, key]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The 404 for names without a key. */
function createUnknownKeys(names: readonly string[]): Failure {
  const quoted = names.map((name) => `'${name}'`).join(', ')
  return new Failure('not_found', `Couldn't find activation key${names.length > 1 ? 's' : ''} ${quoted}`)
}

function loadStoredKeys(db: Db, condition: Sql): Promise<StoredKey[]> {
  return rows<StoredKey>(
    db,
    sql`select t.id, t.name, t.enabled, t.single_use, t.used_at is not null as used, coalesce(t.expires_at <= now(), false) as expired,
        t.max_hosts, t.usage_count, t.auto_attach, t.service_level, t.release_version, t.purpose_usage, t.purpose_role, t.purpose_addons,
        coalesce((
          select json_agg(${selectObject(VIEW_ENVIRONMENT)} order by p.position)
          from (
            select 0 as position, t.content_view_id, t.environment_id
            union all
            select l.position, l.content_view_id, l.environment_id from activation_key_environments l where l.activation_key_id = t.id
          ) p join lifecycle_environments e on e.id = p.environment_id join content_views v on v.id = p.content_view_id
        ), '[]') as environments,
        coalesce((
          select json_agg(json_build_object('id', c.id, 'name', c.name) order by c.name, c.id)
          from activation_key_host_collections l join host_collections c on c.id = l.host_collection_id where l.activation_key_id = t.id
        ), '[]') as host_collections,
        coalesce((
          select json_agg(json_build_object('content_id', c.id, 'content_label', c.label, 'name', l.name, 'value', l.value) order by c.label, l.name)
          from activation_key_content_overrides l join contents c on c.id = l.content_id where l.activation_key_id = t.id
        ), '[]') as overrides,
        coalesce((
          select json_agg(json_build_object('id', s.id, 'name', s.name, 'quantity', l.quantity) order by s.name, s.id)
          from activation_key_subscriptions l join subscriptions s on s.id = l.subscription_id where l.activation_key_id = t.id
        ), '[]') as subscriptions,
        coalesce((
          select json_agg(json_build_object('id', x.id, 'name', x.title) order by x.title)
          from activation_key_locations l join locations x on x.id = l.location_id where l.activation_key_id = t.id
        ), '[]') as locations
      from activation_keys t where ${condition}`,
  )
}
