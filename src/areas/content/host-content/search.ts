import { compileColumnCondition, type SearchField } from '../../../search/index.ts'
import { sql } from '../../../sql.ts'

const REGISTRATION = { table: 'registrations', column: 'host_id', previous: 'id' }
const ENTITLEMENTS = { table: 'host_entitlements', column: 'host_id', previous: 'id' }

/** The tables with the values of a registration, and those of hosts that are not registered yet. */
const REQUESTED = ['registrations', 'host_wishes']

/** Search fields of hosts by their content and their registration (content-api §5.3). */
export const contentSearch: readonly SearchField[] = [
  ...buildLinkSearch('activation_key', 'activation_key_hosts', 'activation_keys'),
  ...buildLinkSearch('host_collection', 'host_collection_hosts', 'host_collections'),
  ...buildLinkSearch('content_view', 'host_environments', 'content_views'),
  ...buildLinkSearch('lifecycle_environment', 'host_environments', 'lifecycle_environments', 'environment_id'),
  searchInRegistration('subscription_uuid', 'uuid', 'uuid'),
  searchInRegistration('last_checkin', 'datetime'),
  searchInRegistration('registered_at', 'datetime'),
  searchInRegistration('registered_through', 'text'),
  searchRequested('service_level', 'text'),
  searchRequested('release_version', 'text'),
  searchRequested('usage', 'text', 'purpose_usage'),
  searchRequested('role', 'text', 'purpose_role'),
  searchRequested('autoheal', 'boolean'),
  searchAddons(),
  {
    name: 'hypervisor',
    type: 'boolean',
    column: null,
    expression: (alias) => sql`exists (select from subscriptions s where s.hypervisor_id = ${sql.ref(`${alias}.id`)})`,
    tables: ['subscriptions'],
    explicit: true,
  },
  {
    name: 'subscription_name',
    type: 'text',
    column: 'name',
    through: [ENTITLEMENTS, { table: 'subscriptions', column: 'id', previous: 'subscription_id' }],
    many: true,
    nullable: true,
    explicit: true,
    viewedWith: { permission: 'view_subscriptions', resource: 'subscription', column: 'id' },
  },
  // A pool has only its id as a search field, as for keys.
  {
    name: 'subscription_id',
    type: 'integer',
    column: 'subscription_id',
    through: [ENTITLEMENTS],
    many: true,
    nullable: true,
    explicit: true,
    viewedWith: { permission: 'view_subscriptions', resource: 'subscription', column: 'subscription_id' },
  },
]

/** A search field over a link table, by name and by id. */
function buildLinkSearch(name: string, between: string, table: string, column = `${name}_id`): SearchField[] {
  const toLink = { table: between, column: 'host_id', previous: 'id' }
  const common = { many: true, nullable: true, explicit: true }
  return [
    { name, type: 'text', column: 'name', through: [toLink, { table, column: 'id', previous: column }], ...common },
    { name: `${name}_id`, type: 'integer', column, through: [toLink], ...common },
  ]
}

/** A search field for a value that only registered hosts have. */
function searchInRegistration(name: string, type: SearchField['type'], column = name): SearchField {
  return { name, type, column, through: [REGISTRATION], nullable: true, explicit: true }
}

/** A search field for a value of the registration, or for a later one where the host is not registered. */
function searchRequested(name: string, type: 'text' | 'boolean', column = name): SearchField {
  return {
    name,
    type,
    column: null,
    expression: (alias) => selectRequested(alias, column),
    nullable: true,
    explicit: true,
    tables: REQUESTED,
  }
}

function selectRequested(alias: string, column: string) {
  const host = sql.ref(`${alias}.id`)
  return sql`(select case when r.host_id is null then ${sql.ref(`w.${column}`)} else ${sql.ref(`r.${column}`)} end
    from (select) one left join registrations r on r.host_id = ${host} left join host_wishes w on w.host_id = ${host})`
}

/** A search field for any of the add-ons; hosts are sorted by the first. */
function searchAddons(): SearchField {
  const plain: SearchField = { name: 'addon', type: 'text', column: 'name' }
  return {
    ...plain,
    column: null,
    expression: (alias) => sql`(${selectRequested(alias, 'purpose_addons')})[1]`,
    nullable: true,
    explicit: true,
    noCompletion: true,
    tables: REQUESTED,
    virtual: ({ root, operator, value }, options) =>
      sql`exists (select from unnest(${selectRequested(root, 'purpose_addons')}) as a (name)
        where ${compileColumnCondition(plain, sql`a.name`, operator, value, options)})`,
    present: ({ root }) => sql`coalesce(cardinality(${selectRequested(root, 'purpose_addons')}), 0) > 0`,
  }
}
