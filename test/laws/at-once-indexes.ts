import { randomBytes } from 'node:crypto'
import { rows } from '../../src/database/sql.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import { sql } from '../../src/sql.ts'
import type { TestApi } from '../support/api.ts'
import { declared } from '../support/declared.ts'
import { type Body, leastBody, pathFor, pathOf, unique, wrapped } from '../support/given.ts'
import { publicKey } from './values.ts'

/** A unique index other than that of an id, with what it is on. */
export interface UniqueIndex {
  readonly name: string
  readonly table: string
  readonly definition: string
}

/** Lists the unique indexes; primary keys are ids, and links by two ids, of which a second one changes nothing. */
export function listUniqueIndexes({ database: { db } }: TestApi): Promise<UniqueIndex[]> {
  return rows(
    db,
    sql`select i.relname as name, t.relname as "table", substring(pg_get_indexdef(i.oid) from ' USING (.*)') as definition
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      where x.indisunique and not x.indisprimary and t.relnamespace = 'public'::regnamespace order by 1`,
  )
}

/** Indexes on what no request says, each with the reason. */
export const NEVER_SENT: Readonly<Record<string, string>> = {
  content_view_environments_id_key: 'the database numbers them',
  activation_key_environments_pair_key: 'a request has all pairs of a key, which is locked',
  host_environments_pair_key: 'a request has all pairs of a host, which is locked',
  organizations_title_key: 'made of names, which are unique under each place',
  locations_title_key: 'made of names',
  organizations_label_key: 'made of the name, while the tree is locked',
  hostgroups_title_key: 'made of names',
  content_views_default_key: 'made with the organization',
  lifecycle_environments_library_key: 'made with the organization',
  content_view_versions_content_view_id_key: 'has the id',
  content_view_versions_major_key: 'versions of a view are made while it is locked',
  subscriptions_cp_id_key: 'drawn at random',
  products_cp_id_key: 'drawn at random',
  tasks_uuid_key: 'drawn at random',
  registrations_uuid_key: 'drawn at random',
  host_wishes_former_uuid_key: 'made by imports, one at a time',
  registrations_serial_key: 'drawn at random',
  build_tokens_token_hash_key: 'of what is drawn at random',
  personal_access_tokens_token_key: 'of what is drawn at random',
  replaced_tokens_token_key: 'of what is drawn at random',
  registration_tokens_token_hash_key: 'of what is drawn at random',
  login_requests_user_digest_key: 'of what is drawn at random',
  second_factors_credential_key: 'drawn at random by a device',
  sessions_id_key: 'an id',
  user_mail_notifications_id_key: 'an id',
  certificate_authorities_purpose_key: 'made by the service, which takes the one that is there',
  fact_names_name_key: 'made of facts, which take the one that is there',
  features_name_key: 'made of what smart proxies say, which take the one that is there',
  report_texts_digest_key: 'made of reports, which take the one that is there',
  smart_class_parameters_parameter_key: 'made by imports, one at a time',
  mail_notifications_name_key: 'made by the service as it starts, one process at a time',
  permissions_name_key: 'made by the service as it starts',
  settings_name_key: 'made by the service as it starts',
  event_order_audit_id_key: 'given by one process at a time',
  event_order_note_id_key: 'given by one process at a time',
  template_kinds_name_key: 'made by migrations',
  external_usergroups_name_key: 'a directory is asked first: test/identity/directory-guard',
}

/** What the least body of a record lacks to be accepted; keys of an index that only a rule of the resource knows. */
const FURTHER: Readonly<Record<string, () => Body>> = {
  operatingsystem: () => ({ minor: '1' }),
  ssh_key: () => ({ key: publicKey(randomBytes(32)) }),
}

/** Bodies of records that are alike where an index says that no two may be, and the path that they are sent to. */
export interface Twins {
  readonly table: string
  readonly path: string
  readonly bodies: readonly Body[]
}

/** Prepares records that differ in everything but the columns of an index; null where no request creates such records. */
export async function prepareTwins({ admin }: TestApi, index: UniqueIndex, count: number): Promise<Twins | null> {
  const resource = [...declared.registry.values()].find(
    ({ name, table, operations }) =>
      table === index.table && (operations.includes('create') || MADE_BY_ACTIONS.has(name)),
  )
  if (!resource) return null
  const path = resource.nestedOnly ? await pathFor(admin, resource) : pathOf(resource)
  const make = async (shared: Body) => ({
    ...(await leastBody(admin, resource.name, shared)),
    ...FURTHER[resource.name]?.(),
    ...shared,
  })
  const shared = pickColumns(resource, index, await make({}))
  const bodies = []
  for (let place = 0; place < count; place++) bodies.push(wrapped(resource, await make(shared)))
  return { table: index.table, path, bodies }
}

/** Resources whose records an action creates, on the path where others are created. */
const MADE_BY_ACTIONS = new Set(['activation_key', 'personal_access_token', 'webhook'])

/** The keys of a body that the index is about; what the body lacks is made up where it is a text. */
function pickColumns(resource: Resource, { definition }: UniqueIndex, body: Body): Body {
  const shared: Record<string, unknown> = {}
  for (const { column, name, field, at } of resource.placed) {
    if (!column || !new RegExp(`\\b${column.name}\\b`).test(definition)) continue
    const keys = Object.keys(field.writable(at))
    const key = [column.name, ...keys].find((one) => one in body) ?? (field.kind === 'text' ? keys[0] : undefined)
    if (key !== undefined) shared[key] = body[key] ?? unique(name)
  }
  return shared
}
