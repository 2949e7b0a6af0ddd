import { sql } from 'kysely'
import { SearchError } from '../../search/error.ts'
import type { FieldTest, Join, SearchField } from '../../search/schema.ts'
import { certname } from './readable.ts'

const INTERFACES = { table: 'interfaces', column: 'host_id', previous: 'id' }

/** The primary interface alone: a view of the table. */
const PRIMARY = { table: 'primary_interfaces', column: 'host_id', previous: 'id' }

/** Core-api §8.6: what hosts are searched by beside their own columns. Relations lead along indexed columns. */
export const hostSearch: readonly SearchField[] = [
  related('hostgroup', 'hostgroups', 'name', 'hostgroup_id'),
  { ...related('hostgroup_fullname', 'hostgroups', 'title', 'hostgroup_id'), aliases: ['hostgroup_title'] },
  id('hostgroup_id'),
  {
    ...related('parent_hostgroup', 'hostgroups', 'title', 'hostgroup_id'),
    explicit: true,
    operators: ['= '],
    virtual: inGroup,
  },
  related('environment', 'environments', 'name', 'environment_id'),
  id('environment_id'),
  related('architecture', 'architectures', 'name', 'architecture_id'),
  id('architecture_id'),
  related('os', 'operatingsystems', 'name', 'operatingsystem_id'),
  related('os_description', 'operatingsystems', 'description', 'operatingsystem_id'),
  { ...related('os_title', 'operatingsystems', 'title', 'operatingsystem_id'), explicit: true },
  { ...related('os_major', 'operatingsystems', 'major', 'operatingsystem_id'), explicit: true },
  { ...related('os_minor', 'operatingsystems', 'minor', 'operatingsystem_id'), explicit: true },
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
  ofPrimary('ip', 'text', (alias) => address(alias, 'ip')),
  ofPrimary('ip6', 'text', (alias) => address(alias, 'ip6')),
  ofPrimary('mac', 'text'),
  { ...anyInterface('has_ip', 'ip'), expression: (alias) => address(alias, 'ip') },
  { ...anyInterface('has_mac', 'mac') },
  ofPrimary('domain', 'text', undefined, { table: 'domains', column: 'id', previous: 'domain_id' }),
  { ...ofPrimary('domain_id', 'integer'), explicit: true },
  {
    ...ofPrimary('subnet', 'text', undefined, { table: 'subnets', column: 'id', previous: 'subnet_id' }),
    aliases: ['subnet.name'],
    explicit: true,
  },
  { ...ofPrimary('subnet_id', 'integer'), explicit: true },
  { ...ofPrimary('subnet6_id', 'integer'), explicit: true },
  {
    name: 'certname',
    type: 'text',
    column: 'certname',
    expression: certname,
    explicit: true,
  },
  taxonomy('organization'),
  id('organization_id'),
  taxonomy('location'),
  id('location_id'),
  {
    name: 'global_status',
    type: 'choice',
    column: 'global_status',
    values: { ok: 0, warning: 1, error: 2 },
    explicit: true,
  },
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
    column: 'owner_user_id',
    expression: (alias) =>
      sql`coalesce(${sql.ref(`${alias}.owner_user_id`)}, ${sql.ref(`${alias}.owner_usergroup_id`)})`,
    nullable: true,
    explicit: true,
  },
  {
    name: 'owner_type',
    type: 'choice',
    column: 'owner_user_id',
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
  return { name, aliases, type: 'text', column, through, nullable: true, explicit: true, words }
}

function anyInterface(name: string, column: string): SearchField {
  return { name, type: 'text', column, through: [INTERFACES], many: true, nullable: true, explicit: true }
}

/** An address as text, in the form that its index has. */
function address(alias: string, column: string) {
  return sql`(host(${sql.ref(`${alias}.${column}`)}) collate "C")`
}

/** A value of the primary interface, or of what it points at. */
function ofPrimary(
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
    nullable: true,
  }
}

/** Hosts of a group, however deep below it. */
function inGroup({ operator, value, root }: FieldTest) {
  if (operator !== 'eq')
    throw new SearchError("Operator of 'parent_hostgroup' must be =: write parent_hostgroup = title")
  return sql`${sql.ref(`${root}.hostgroup_id`)} in (select g.id from hostgroups top
    join hostgroups g on g.id = top.id or g.ancestor_ids @> array[top.id] where top.title = ${value})`
}
