/** A kind of records that an import takes, in the words of this service. */
export interface Kind {
  /** The name of its resource. */
  readonly name: string
  /** The keys that name a record on both servers, below its parent if it has one. */
  readonly key: readonly string[]
  /** The kind below whose records the old server lists these. */
  readonly below?: string
  /** The kind below whose records these are created, shown and deleted, too. */
  readonly partOf?: string
  /** Keys that are not taken. */
  readonly leave?: readonly string[]
  /** `known`: both servers have the records, which are only matched. `changed`: only their values are taken. */
  readonly how?: 'known' | 'changed'
  /** Keys of links: an existing record keeps its own and gets these, too. */
  readonly adds?: readonly string[]
  /** Keys that records here keep as they are. */
  readonly atCreation?: readonly string[]
  /** Keys in which secrets stand that the old server never shows, each with the key that says that there is one. */
  readonly secrets?: Readonly<Record<string, string>>
  /** Further names under which other records refer to these. */
  readonly also?: readonly string[]
  /** Records that both servers have from their beginning. */
  readonly except?: (record: Readonly<Record<string, unknown>>) => boolean
}

const isBuiltIn = (record: Readonly<Record<string, unknown>>) => Number(record.builtin ?? 0) !== 0

/** Keys of the records in an organization or location. These records name their places, too, and are taken from there. */
const CONTENTS = [
  'users',
  'smart_proxies',
  'subnets',
  'compute_resources',
  'media',
  'ptables',
  'provisioning_templates',
  'domains',
  'realms',
  'environments',
  'hostgroups',
]

/**
 * All kinds in the order of their relations: a record comes after the records that it refers to. Links that lead to later
 * ones, or back to the same kind, are set in a second round.
 */
export const KINDS: readonly Kind[] = [
  { name: 'setting', key: ['name'], how: 'changed' },
  { name: 'permission', key: ['name'], how: 'known' },
  { name: 'template_kind', key: ['name'], how: 'known' },
  { name: 'location', key: ['parent_id', 'name'], leave: [...CONTENTS, 'organizations'] },
  { name: 'organization', key: ['parent_id', 'name'], leave: CONTENTS },
  { name: 'common_parameter', key: ['name'] },
  { name: 'auth_source_internal', key: ['name'], how: 'known', also: ['auth_source'] },
  { name: 'auth_source_external', key: ['name'], how: 'known', also: ['auth_source'] },
  { name: 'auth_source_ldap', key: ['name'], also: ['auth_source'], secrets: { account_password: 'account' } },
  { name: 'role', key: ['name'], except: isBuiltIn },
  { name: 'user', key: ['login'], secrets: { password: 'login' } },
  { name: 'ssh_key', key: ['name'], below: 'user', partOf: 'user' },
  { name: 'usergroup', key: ['name'] },
  { name: 'external_usergroup', key: ['name', 'auth_source_id'], below: 'usergroup', partOf: 'usergroup' },
  { name: 'filter', key: ['role_id', 'resource_type', 'search'] },
  { name: 'smart_proxy', key: ['name'] },
  { name: 'http_proxy', key: ['name'], secrets: { password: 'username' } },
  { name: 'architecture', key: ['name'], leave: ['operatingsystems'] },
  { name: 'model', key: ['name'] },
  { name: 'medium', key: ['name'], leave: ['operatingsystems'] },
  { name: 'ptable', key: ['name'], leave: ['operatingsystems', 'hosts', 'hostgroups'] },
  { name: 'provisioning_template', key: ['name'], leave: ['operatingsystems', 'template_combinations'] },
  { name: 'report_template', key: ['name'] },
  { name: 'webhook_template', key: ['name'] },
  { name: 'operatingsystem', key: ['name', 'major', 'minor'] },
  { name: 'os_default_template', key: ['template_kind_id'], below: 'operatingsystem', partOf: 'operatingsystem' },
  { name: 'environment', key: ['name'] },
  { name: 'configclass', key: ['name'], leave: ['hostgroups', 'smart_class_parameters'] },
  { name: 'config_group', key: ['name'] },
  { name: 'smart_class_parameter', key: ['configclass_id', 'parameter'] },
  { name: 'realm', key: ['name'] },
  { name: 'domain', key: ['name'] },
  { name: 'subnet', key: ['name'] },
  { name: 'compute_resource', key: ['name'] },
  { name: 'image', key: ['name'], below: 'compute_resource', partOf: 'compute_resource' },
  { name: 'compute_profile', key: ['name'] },
  { name: 'compute_attribute', key: ['compute_profile_id', 'compute_resource_id'], below: 'compute_profile' },
  { name: 'content_credential', key: ['organization_id', 'name'], below: 'organization' },
  { name: 'lifecycle_environment', key: ['organization_id', 'name'], below: 'organization' },
  { name: 'product', key: ['organization_id', 'name'], below: 'organization' },
  { name: 'repository', key: ['product_id', 'name'], below: 'organization' },
  { name: 'content_view', key: ['organization_id', 'name'], below: 'organization', leave: ['components'] },
  { name: 'content_view_filter', key: ['content_view_id', 'name'], below: 'content_view' },
  {
    name: 'content_view_filter_rule',
    key: ['name', 'uuid', 'version', 'architecture', 'errata_id', 'start_date', 'end_date', 'types'],
    below: 'content_view_filter',
    partOf: 'content_view_filter',
  },
  { name: 'content_view_version', key: ['content_view_id', 'major', 'minor'], below: 'content_view' },
  {
    name: 'content_view_component',
    key: ['composite_content_view_id', 'content_view_id'],
    below: 'content_view',
    partOf: 'content_view',
  },
  { name: 'host_collection', key: ['organization_id', 'name'], below: 'organization', leave: ['hosts'] },
  {
    name: 'activation_key',
    key: ['organization_id', 'name'],
    below: 'organization',
    leave: ['environment', 'content_view'],
  },
  { name: 'hostgroup', key: ['parent_id', 'name'] },
  {
    name: 'template_combination',
    key: ['hostgroup_id', 'environment_id'],
    below: 'provisioning_template',
    partOf: 'provisioning_template',
  },
  { name: 'host', key: ['name'], leave: ['build'] },
  { name: 'override_value', key: ['match'], below: 'smart_class_parameter', partOf: 'smart_class_parameter' },
  { name: 'bookmark', key: ['controller', 'name'] },
]
