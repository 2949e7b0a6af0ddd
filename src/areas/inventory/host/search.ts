import { compileColumnCondition } from '../../../search/index.ts'
import type { FieldTest, Join, SearchField, SearchOptions } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'
import { buildSystemVersion } from '../system-version.ts'
import { selectCertificateName } from './readable.ts'

const INTERFACES = { table: 'interfaces', column: 'host_id', previous: 'id' }

/** Joins the primary interface of a host, which a view of the database has. */
const PRIMARY = { table: 'primary_interfaces', column: 'host_id', previous: 'id' }

/** Search fields of hosts beside their own columns (core-api §8.6). Relations follow indexed columns. */
export const hostSearch: readonly SearchField[] = [
  { ...buildRelatedSearch('hostgroup', 'hostgroups', 'name', 'hostgroup_id'), aliases: ['hostgroup_name'] },
  { ...buildRelatedSearch('hostgroup_fullname', 'hostgroups', 'title', 'hostgroup_id'), aliases: ['hostgroup_title'] },
  buildIdSearch('hostgroup_id'),
  {
    ...buildRelatedSearch('parent_hostgroup', 'hostgroups', 'title', 'hostgroup_id'),
    explicit: true,
    tables: ['hostgroups'],
    virtual: limitToGroup,
  },
  buildRelatedSearch('environment', 'environments', 'name', 'environment_id'),
  buildIdSearch('environment_id'),
  buildRelatedSearch('architecture', 'architectures', 'name', 'architecture_id'),
  buildIdSearch('architecture_id'),
  buildRelatedSearch('os', 'operatingsystems', 'name', 'operatingsystem_id'),
  buildRelatedSearch('os_description', 'operatingsystems', 'description', 'operatingsystem_id'),
  { ...buildRelatedSearch('os_title', 'operatingsystems', 'title', 'operatingsystem_id'), explicit: true },
  ...buildSystemVersion(null),
  { ...buildIdSearch('operatingsystem_id'), name: 'os_id', aliases: ['operatingsystem_id'] },
  buildRelatedSearch('model', 'models', 'name', 'model_id'),
  buildRelatedSearch('realm', 'realms', 'name', 'realm_id'),
  buildIdSearch('realm_id'),
  buildRelatedSearch('compute_resource', 'compute_resources', 'name', 'compute_resource_id'),
  buildIdSearch('compute_resource_id'),
  buildRelatedSearch('image', 'images', 'name', 'image_id'),
  { ...buildRelatedSearch('medium', 'media', 'name', 'medium_id'), explicit: true },
  { ...buildRelatedSearch('ptable', 'ptables', 'name', 'ptable_id'), explicit: true },
  { ...buildRelatedSearch('configmaster', 'smart_proxies', 'name', 'config_proxy_id'), explicit: true },
  { ...buildRelatedSearch('config_ca', 'smart_proxies', 'name', 'config_ca_proxy_id'), explicit: true },
  buildIdSearch('config_proxy_id'),
  buildIdSearch('config_ca_proxy_id'),
  {
    name: 'runs_smart_proxy_id',
    aliases: ['infrastructure_facet.smart_proxy_id'],
    type: 'integer',
    column: 'smart_proxy_id',
    through: [{ table: 'smart_proxy_hosts', column: 'host_id', previous: 'id' }],
    many: true,
    nullable: true,
    explicit: true,
  },
  searchPrimary('ip', 'text', (alias) => compareAddress(alias, 'ip')),
  searchPrimary('ip6', 'text', (alias) => compareAddress(alias, 'ip6')),
  searchPrimary('mac', 'text'),
  { ...buildInterfaceSearch('has_ip', 'ip'), expression: (alias) => compareAddress(alias, 'ip') },
  { ...buildInterfaceSearch('has_ip6', 'ip6'), expression: (alias) => compareAddress(alias, 'ip6') },
  { ...buildInterfaceSearch('has_mac', 'mac') },
  searchPrimary('domain', 'text', undefined, { table: 'domains', column: 'id', previous: 'domain_id' }),
  { ...searchPrimary('domain_id', 'integer'), explicit: true },
  {
    ...searchPrimary('subnet', 'text', undefined, { table: 'subnets', column: 'id', previous: 'subnet_id' }),
    aliases: ['subnet.name'],
    explicit: true,
  },
  {
    ...searchPrimary('subnet6', 'text', undefined, { table: 'subnets', column: 'id', previous: 'subnet6_id' }),
    explicit: true,
  },
  { ...searchPrimary('subnet_id', 'integer'), explicit: true },
  { ...searchPrimary('subnet6_id', 'integer'), explicit: true },
  {
    name: 'certname',
    type: 'text',
    column: 'certname',
    expression: selectCertificateName,
    explicit: true,
  },
  { name: 'created_at', type: 'datetime', column: 'created_at', explicit: true },
  {
    name: 'params_name',
    type: 'text',
    column: 'name',
    through: [{ table: 'parameters', column: 'host_id', previous: 'id' }],
    many: true,
    nullable: true,
    explicit: true,
    viewedWith: { permission: 'view_params', resource: 'parameter', column: 'id' },
  },
  buildTaxonomySearch('organization'),
  buildIdSearch('organization_id'),
  buildTaxonomySearch('location'),
  buildIdSearch('location_id'),
  {
    name: 'status.enabled',
    aliases: ['configuration_status.enabled'],
    type: 'boolean',
    column: 'enabled',
    explicit: true,
  },
  // Existing clients ask for this key. Which hosts the service runs on is not known, so that it is constant.
  {
    name: 'infrastructure_facet.millwright',
    type: 'boolean',
    column: 'infrastructure_facet.millwright',
    expression: (alias) => sql`(${sql.ref(`${alias}.id`)} is null)`,
    explicit: true,
    noCompletion: true,
  },
  buildOwnerSearch('user.login', 'login', ['owner']),
  buildOwnerSearch('user.firstname', 'firstname'),
  buildOwnerSearch('user.lastname', 'lastname'),
  buildOwnerSearch('user.mail', 'mail'),
  {
    name: 'usergroup.name',
    aliases: ['usergroup'],
    type: 'text',
    column: 'name',
    through: [{ table: 'usergroups', column: 'id', previous: 'owner_usergroup_id' }],
    nullable: true,
    explicit: true,
  },
  {
    name: 'owner_id',
    type: 'integer',
    column: 'owner_id',
    expression: (alias) =>
      sql`coalesce(${sql.ref(`${alias}.owner_user_id`)}, ${sql.ref(`${alias}.owner_usergroup_id`)})`,
    nullable: true,
    explicit: true,
  },
  {
    name: 'owner_type',
    type: 'choice',
    asText: true,
    column: 'owner_type',
    expression: (alias) =>
      sql`case when ${sql.ref(`${alias}.owner_user_id`)} is not null then 'User' when ${sql.ref(`${alias}.owner_usergroup_id`)} is not null then 'Usergroup' end`,
    values: { User: 'User', Usergroup: 'Usergroup' },
    nullable: true,
    explicit: true,
  },
]

function buildRelatedSearch(name: string, table: string, column: string, previous: string): SearchField {
  return { name, type: 'text', column, through: [{ table, column: 'id', previous }], nullable: true }
}

function buildIdSearch(column: string): SearchField {
  return { name: column, type: 'integer', column, nullable: true, explicit: true }
}

function buildTaxonomySearch(kind: 'organization' | 'location'): SearchField {
  return { ...buildRelatedSearch(kind, `${kind}s`, 'title', `${kind}_id`), explicit: true }
}

function buildOwnerSearch(name: string, column: string, aliases: readonly string[] = []): SearchField {
  const through = [{ table: 'users', column: 'id', previous: 'owner_user_id' }]
  const words = column === 'login' ? ['current_user'] : []
  const plain = { name, type: 'text', column, words } as const
  return {
    ...plain,
    aliases,
    through,
    nullable: true,
    explicit: true,
    tables: ['usergroup_users', 'usergroup_usergroups'],
    virtual: (test, options) => limitToOwner(plain, test, options),
  }
}

/**
 * Hosts owned by matching users, or by groups that these are in, however deep. The recursion starts from an array, because
 * PostgreSQL expects few elements of one: it reserves memory for all groups that it expects, for each condition.
 */
function limitToOwner(plain: SearchField, { operator, value, root }: FieldTest, options: SearchOptions) {
  const column = sql.ref(`u.${plain.column}`)
  const users = sql`select u.id from users u where ${compileColumnCondition(plain, column, operator, value, options)}`
  return sql`(${sql.ref(`${root}.owner_user_id`)} in (${users}) or ${sql.ref(`${root}.owner_usergroup_id`)} in (
    with recursive owning (id) as (
      select unnest(array(select distinct usergroup_id from usergroup_users where user_id in (${users})))
      union
      select up.usergroup_id from usergroup_usergroups up join owning on up.member_id = owning.id
    )
    select id from owning)) is true`
}

function buildInterfaceSearch(name: string, column: string): SearchField {
  return { name, type: 'text', column, through: [INTERFACES], many: true, nullable: true, explicit: true }
}

/** Selects an address as text in the form of the expression index, so that searches use the index. */
function compareAddress(alias: string, column: string) {
  return sql`(host(${sql.ref(`${alias}.${column}`)}) collate "C")`
}

/** A search field for a value of the primary interface, or of a record that it points at. */
function searchPrimary(
  name: string,
  type: 'text' | 'integer',
  expression?: SearchField['expression'],
  next?: Join,
): SearchField {
  return {
    name,
    type,
    column: next ? 'name' : name,
    ...(expression && { expression }),
    through: [PRIMARY, ...(next ? [next] : [])],
    tables: ['interfaces'],
    ...(!next && { cost: 80 }), // the view costs more: measured at 100,000 hosts (docs/benchmarks.md)
    nullable: true,
  }
}

/** Hosts in matching groups, or in groups below them. */
function limitToGroup({ operator, value, root }: FieldTest, options: SearchOptions) {
  const found = compileColumnCondition(
    { name: 'title', type: 'text', column: 'title' },
    sql`top.title`,
    operator,
    value,
    options,
  )
  return sql`${sql.ref(`${root}.hostgroup_id`)} in (select g.id from hostgroups top
    join hostgroups g on g.id = top.id or g.ancestor_ids @> array[top.id] where ${found})`
}
