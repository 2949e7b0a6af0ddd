import { sql } from 'kysely'
import { columnCondition } from '../../../search/index.ts'
import type { FieldTest, Join, SearchField, SearchOptions } from '../../../search/schema.ts'
import { systemVersion } from '../system-version.ts'
import { selectCertificateName } from './readable.ts'

const INTERFACES = { table: 'interfaces', column: 'host_id', previous: 'id' }

/** Relation to the primary interface: a view of the table of interfaces. */
const PRIMARY = { table: 'primary_interfaces', column: 'host_id', previous: 'id' }

/** Search fields of hosts beside their own columns (core-api §8.6). Relations follow indexed columns. */
export const hostSearch: readonly SearchField[] = [
  { ...related('hostgroup', 'hostgroups', 'name', 'hostgroup_id'), aliases: ['hostgroup_name'] },
  { ...related('hostgroup_fullname', 'hostgroups', 'title', 'hostgroup_id'), aliases: ['hostgroup_title'] },
  id('hostgroup_id'),
  {
    ...related('parent_hostgroup', 'hostgroups', 'title', 'hostgroup_id'),
    explicit: true,
    tables: ['hostgroups'],
    virtual: limitToGroup,
  },
  related('environment', 'environments', 'name', 'environment_id'),
  id('environment_id'),
  related('architecture', 'architectures', 'name', 'architecture_id'),
  id('architecture_id'),
  related('os', 'operatingsystems', 'name', 'operatingsystem_id'),
  related('os_description', 'operatingsystems', 'description', 'operatingsystem_id'),
  { ...related('os_title', 'operatingsystems', 'title', 'operatingsystem_id'), explicit: true },
  ...systemVersion,
  { ...id('operatingsystem_id'), name: 'os_id', aliases: ['operatingsystem_id'] },
  related('model', 'models', 'name', 'model_id'),
  related('realm', 'realms', 'name', 'realm_id'),
  id('realm_id'),
  related('compute_resource', 'compute_resources', 'name', 'compute_resource_id'),
  id('compute_resource_id'),
  related('image', 'images', 'name', 'image_id'),
  { ...related('medium', 'media', 'name', 'medium_id'), explicit: true },
  { ...related('ptable', 'ptables', 'name', 'ptable_id'), explicit: true },
  { ...related('configmaster', 'smart_proxies', 'name', 'config_proxy_id'), explicit: true },
  { ...related('config_ca', 'smart_proxies', 'name', 'config_ca_proxy_id'), explicit: true },
  id('config_proxy_id'),
  id('config_ca_proxy_id'),
  {
    name: 'runs_smart_proxy_id',
    type: 'integer',
    column: 'smart_proxy_id',
    through: [{ table: 'smart_proxy_hosts', column: 'host_id', previous: 'id' }],
    many: true,
    nullable: true,
    explicit: true,
  },
  searchPrimary('ip', 'text', (alias) => address(alias, 'ip')),
  searchPrimary('ip6', 'text', (alias) => address(alias, 'ip6')),
  searchPrimary('mac', 'text'),
  { ...anyInterface('has_ip', 'ip'), expression: (alias) => address(alias, 'ip') },
  { ...anyInterface('has_ip6', 'ip6'), expression: (alias) => address(alias, 'ip6') },
  { ...anyInterface('has_mac', 'mac') },
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
  taxonomy('organization'),
  id('organization_id'),
  taxonomy('location'),
  id('location_id'),
  { name: 'status.enabled', type: 'boolean', column: 'enabled', explicit: true },
  owning('user.login', 'login', ['owner']),
  owning('user.firstname', 'firstname'),
  owning('user.lastname', 'lastname'),
  owning('user.mail', 'mail'),
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

function related(name: string, table: string, column: string, previous: string): SearchField {
  return { name, type: 'text', column, through: [{ table, column: 'id', previous }], nullable: true }
}

function id(column: string): SearchField {
  return { name: column, type: 'integer', column, nullable: true, explicit: true }
}

function taxonomy(kind: 'organization' | 'location'): SearchField {
  return { ...related(kind, `${kind}s`, 'title', `${kind}_id`), explicit: true }
}

function owning(name: string, column: string, aliases: readonly string[] = []): SearchField {
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

/** Hosts owned by matching users, or by groups that these are in, however deep. */
function limitToOwner(plain: SearchField, { operator, value, root }: FieldTest, options: SearchOptions) {
  const column = sql.ref(`u.${plain.column}`)
  const users = sql`select u.id from users u where ${columnCondition(plain, column, operator, value, options)}`
  return sql`(${sql.ref(`${root}.owner_user_id`)} in (${users}) or ${sql.ref(`${root}.owner_usergroup_id`)} in (
    with recursive owning (id) as (
      select usergroup_id from usergroup_users where user_id in (${users})
      union
      select up.usergroup_id from usergroup_usergroups up join owning on up.member_id = owning.id
    )
    select id from owning)) is true`
}

function anyInterface(name: string, column: string): SearchField {
  return { name, type: 'text', column, through: [INTERFACES], many: true, nullable: true, explicit: true }
}

/** Selects an address as text, as the expression index has it. */
function address(alias: string, column: string) {
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
  const found = columnCondition(
    { name: 'title', type: 'text', column: 'title' },
    sql`top.title`,
    operator,
    value,
    options,
  )
  return sql`${sql.ref(`${root}.hostgroup_id`)} in (select g.id from hostgroups top
    join hostgroups g on g.id = top.id or g.ancestor_ids @> array[top.id] where ${found})`
}
