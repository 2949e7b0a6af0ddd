/** How records of a kind are found and created through the vendor listener. */
export interface Kind {
  /** The path of lists, and of creation unless `makePath` is given; `:organization_id` and `:parent` are filled in. */
  readonly path: string
  readonly makePath?: string
  /** The key that bodies are wrapped in; null where they are flat. */
  readonly root: string | null
  /** The key that names a record, and that searches ask for. */
  readonly label: string
  /** Recorded keys that a new record takes over as they are. */
  readonly copied?: readonly string[]
  /** Recorded references `<key>_id` that a new record takes over, each with its kind. */
  readonly references?: Readonly<Record<string, string>>
  /** Recorded lists of records, `operatingsystems`, that a new record is linked to by `operatingsystem_ids`. */
  readonly links?: Readonly<Record<string, string>>
  /** The kind of `:parent`, for records that exist only below others. */
  readonly within?: string
  /** How a record is created other than by a request for it. */
  readonly made?: 'by SQL' | 'by publishing' | 'by adding'
  /** Required keys that the recording may lack. */
  readonly needs?: (name: string) => Readonly<Record<string, unknown>>
}

const TAXONOMIES = { organizations: 'organization', locations: 'location' }
const PLACEMENT = {
  architecture: 'architecture',
  operatingsystem: 'operatingsystem',
  domain: 'domain',
  subnet: 'subnet',
  environment: 'environment',
  hostgroup: 'hostgroup',
  puppet_proxy: 'smart_proxy',
  puppet_ca_proxy: 'smart_proxy',
  model: 'model',
  realm: 'realm',
  compute_resource: 'compute_resource',
  compute_profile: 'compute_profile',
  organization: 'organization',
  location: 'location',
}
/** The roles in which products name credentials. */
const CREDENTIALS = ['gpg_key', 'ssl_ca_cert', 'ssl_client_cert', 'ssl_client_key']
let made = 0

/** Yields a unique public key in OpenSSH's format (RFC 8709 §4). */
function publicKey(number: number): string {
  const [name, key] = [Buffer.from('ssh-ed25519'), Buffer.alloc(32, number)]
  const length = ({ length: bytes }: Buffer) => Buffer.from([0, 0, 0, bytes])
  return Buffer.concat([length(name), name, length(key), key]).toString('base64')
}

/** Every kind of record in the recordings. */
export const KINDS: Readonly<Record<string, Kind>> = {
  organization: {
    path: '/api/organizations',
    root: 'organization',
    label: 'name',
    copied: ['name', 'description', 'label'],
    references: { parent: 'organization' },
  },
  location: {
    path: '/api/locations',
    root: 'location',
    label: 'title',
    copied: ['name', 'description'],
    references: { parent: 'location' },
    links: { organizations: 'organization' },
  },
  architecture: {
    path: '/api/architectures',
    root: 'architecture',
    label: 'name',
    copied: ['name'],
    links: { operatingsystems: 'operatingsystem' },
  },
  operatingsystem: {
    path: '/api/operatingsystems',
    root: 'operatingsystem',
    label: 'title',
    copied: ['name', 'major', 'minor', 'family', 'release_name', 'description'],
    links: { architectures: 'architecture', media: 'medium', ptables: 'ptable' },
    needs: (title) => ({ major: /\b(\d{1,5})\b/.exec(title)?.[1] ?? '1' }),
  },
  environment: {
    path: '/foreman_puppet/api/environments',
    root: 'environment',
    label: 'name',
    copied: ['name'],
    links: TAXONOMIES,
  },
  puppetclass: {
    path: '/foreman_puppet/api/puppetclasses',
    root: 'puppetclass',
    label: 'name',
    copied: ['name'],
    links: { environments: 'environment' },
  },
  config_group: {
    path: '/foreman_puppet/api/config_groups',
    root: 'config_group',
    label: 'name',
    copied: ['name'],
    links: { puppetclasses: 'puppetclass' },
  },
  smart_proxy: {
    path: '/api/smart_proxies',
    root: 'smart_proxy',
    label: 'name',
    copied: ['name'],
    links: TAXONOMIES,
  },
  domain: {
    path: '/api/domains',
    root: 'domain',
    label: 'name',
    copied: ['name', 'fullname'],
    links: TAXONOMIES,
  },
  subnet: {
    path: '/api/subnets',
    root: 'subnet',
    label: 'name',
    copied: ['name', 'network', 'mask', 'gateway', 'network_type', 'vlanid', 'ipam', 'boot_mode'],
    links: { ...TAXONOMIES, domains: 'domain' },
    needs: () => ({ network: `10.${200 + (++made >> 8)}.${made & 255}.0`, mask: '255.255.255.0' }),
  },
  realm: {
    path: '/api/realms',
    root: 'realm',
    label: 'name',
    copied: ['name', 'realm_type'],
    references: { realm_proxy: 'smart_proxy' },
    links: TAXONOMIES,
    needs: () => ({ realm_type: 'FreeIPA' }),
  },
  model: { path: '/api/models', root: 'model', label: 'name', copied: ['name'] },
  medium: {
    path: '/api/media',
    root: 'medium',
    label: 'name',
    copied: ['name', 'path', 'os_family'],
    links: { ...TAXONOMIES, operatingsystems: 'operatingsystem' },
    needs: () => ({ path: `http://mirror.example.test/${++made}` }),
  },
  ptable: {
    path: '/api/ptables',
    root: 'ptable',
    label: 'name',
    copied: ['name', 'os_family'],
    links: { ...TAXONOMIES, operatingsystems: 'operatingsystem' },
    needs: () => ({ layout: 'zerombr' }),
  },
  compute_resource: {
    path: '/api/compute_resources',
    root: 'compute_resource',
    label: 'name',
    copied: ['name'],
    links: TAXONOMIES,
    needs: () => ({ provider: 'Libvirt', url: 'qemu+ssh://hypervisor.example.test/system' }),
  },
  compute_profile: { path: '/api/compute_profiles', root: 'compute_profile', label: 'name', copied: ['name'] },
  template_kind: { path: '/api/template_kinds', root: 'template_kind', label: 'name', copied: ['name'] },
  provisioning_template: {
    path: '/api/provisioning_templates',
    root: 'provisioning_template',
    label: 'name',
    copied: ['name', 'template', 'snippet', 'description', 'template_kind_name'],
    links: { ...TAXONOMIES, operatingsystems: 'operatingsystem' },
    needs: () => ({ template: 'nothing', template_kind_name: 'provision' }),
  },
  hostgroup: {
    path: '/api/hostgroups',
    root: 'hostgroup',
    label: 'title',
    copied: ['name', 'description'],
    references: { ...PLACEMENT, parent: 'hostgroup', medium: 'medium', ptable: 'ptable' },
    links: TAXONOMIES,
  },
  host: {
    path: '/api/hosts',
    root: 'host',
    label: 'name',
    copied: ['name', 'mac', 'comment', 'enabled'],
    references: PLACEMENT,
    needs: () => ({ managed: false }),
  },
  role: { path: '/api/roles', root: 'role', label: 'name', copied: ['name', 'description'] },
  user: {
    path: '/api/users',
    root: 'user',
    label: 'login',
    copied: ['login', 'firstname', 'lastname', 'mail', 'admin'],
    references: { auth_source: 'auth_source' },
    links: { ...TAXONOMIES, roles: 'role' },
    needs: (login) => ({ login, mail: 'somebody@example.test', password: 'long enough', auth_source_id: 1 }),
  },
  usergroup: {
    path: '/api/usergroups',
    root: 'usergroup',
    label: 'name',
    copied: ['name', 'admin'],
    links: { users: 'user', usergroups: 'usergroup', roles: 'role' },
  },
  auth_source: {
    path: '/api/auth_sources',
    makePath: '/api/auth_source_ldaps',
    root: 'auth_source_ldap',
    label: 'name',
    copied: ['name', 'host', 'account', 'base_dn', 'server_type', 'ldap_filter', 'attr_login'],
    links: TAXONOMIES,
    needs: () => ({ host: 'ldap.example.test', server_type: 'posix' }),
  },
  lifecycle_environment: {
    path: '/katello/api/organizations/:organization_id/environments',
    root: null,
    label: 'name',
    copied: ['name', 'label', 'description'],
    references: { prior: 'lifecycle_environment' },
  },
  content_view: {
    path: '/katello/api/organizations/:organization_id/content_views',
    root: null,
    label: 'name',
    copied: ['name', 'label', 'description', 'composite', 'auto_publish'],
    links: { repositories: 'repository' },
  },
  product: {
    path: '/katello/api/organizations/:organization_id/products',
    makePath: '/katello/api/products',
    root: null,
    label: 'name',
    copied: ['name', 'label', 'description'],
    references: Object.fromEntries(CREDENTIALS.map((role) => [role, 'content_credential'])),
  },
  content_credential: {
    path: '/katello/api/organizations/:organization_id/content_credentials',
    makePath: '/katello/api/content_credentials',
    root: null,
    label: 'name',
    copied: ['name', 'content_type', 'content'],
    needs: () => ({ content_type: 'cert', content: 'a public text' }),
  },
  repository: {
    path: '/katello/api/organizations/:organization_id/repositories',
    makePath: '/katello/api/repositories',
    root: null,
    label: 'name',
    copied: ['name', 'label', 'content_type'],
    references: { product: 'product' },
    needs: () => ({ content_type: 'yum', url: `http://mirror.example.test/${++made}` }),
  },
  subscription: {
    path: '/katello/api/organizations/:organization_id/subscriptions',
    root: null,
    label: 'name',
    copied: [
      ...['name', 'start_date', 'end_date', 'quantity', 'account_number', 'contract_number', 'support_level', 'arch'],
      ...['sockets', 'cores', 'ram', 'instance_multiplier', 'stacking_id', 'multi_entitlement', 'type', 'virt_only'],
      ...['virt_who', 'upstream', 'upstream_pool_id'],
    ],
  },
  host_collection: {
    path: '/katello/api/organizations/:organization_id/host_collections',
    root: null,
    label: 'name',
    copied: ['name', 'description', 'max_hosts', 'unlimited_hosts'],
  },
  activation_key: {
    path: '/katello/api/organizations/:organization_id/activation_keys',
    makePath: '/katello/api/activation_keys',
    root: null,
    label: 'name',
    copied: ['name', 'description', 'max_hosts', 'unlimited_hosts', 'release_version', 'service_level', 'auto_attach'],
    references: { content_view: 'content_view', environment: 'lifecycle_environment' },
  },
  setting: { path: '/api/settings', root: 'setting', label: 'name' },
  smart_class_parameter: {
    path: '/foreman_puppet/api/puppetclasses/:parent/smart_class_parameters',
    root: 'smart_class_parameter',
    label: 'parameter',
    within: 'puppetclass',
    made: 'by SQL',
  },
  override_value: {
    path: '/foreman_puppet/api/smart_class_parameters/:parent/override_values',
    root: 'override_value',
    label: 'match',
    copied: ['match', 'value', 'omit'],
    within: 'smart_class_parameter',
    needs: (match) => ({ match: match || 'os=fake', value: '8080' }),
  },
  template_combination: {
    path: '/api/provisioning_templates/:parent/template_combinations',
    root: 'template_combination',
    label: 'hostgroup_name',
    references: { hostgroup: 'hostgroup', environment: 'environment' },
    within: 'provisioning_template',
  },
  os_default_template: {
    path: '/api/operatingsystems/:parent/os_default_templates',
    root: 'os_default_template',
    label: 'template_kind_name',
    references: { template_kind: 'template_kind', provisioning_template: 'provisioning_template' },
    within: 'operatingsystem',
  },
  external_usergroup: {
    path: '/api/usergroups/:parent/external_usergroups',
    root: 'external_usergroup',
    label: 'name',
    copied: ['name'],
    references: { auth_source_ldap: 'auth_source', auth_source: 'auth_source' },
    within: 'usergroup',
  },
  personal_access_token: {
    path: '/api/users/:parent/personal_access_tokens',
    root: 'personal_access_token',
    label: 'name',
    copied: ['name'],
    within: 'user',
  },
  // Keys are shortened in the recordings.
  ssh_key: {
    path: '/api/users/:parent/ssh_keys',
    root: 'ssh_key',
    label: 'name',
    copied: ['name'],
    within: 'user',
    needs: () => ({ key: `ssh-ed25519 ${publicKey(++made)}` }),
  },
  table_preference: {
    path: '/api/users/:parent/table_preferences',
    root: 'table_preference',
    label: 'name',
    copied: ['name', 'columns'],
    within: 'user',
    needs: (name) => ({ name, columns: ['name'] }),
  },
  content_view_version: {
    path: '/katello/api/content_views/:parent/content_view_versions',
    root: null,
    label: 'version',
    within: 'content_view',
    made: 'by publishing',
  },
  content_view_component: {
    path: '/katello/api/content_views/:parent/content_view_components',
    root: null,
    label: 'none',
    within: 'content_view',
    made: 'by adding',
  },
}

/** Kinds whose records exist only below others, with their paths by the collection of the parent. */
export const PARAMETER: Kind = {
  path: '/api/:collection/:parent/parameters',
  root: 'parameter',
  label: 'name',
  copied: ['name', 'value', 'parameter_type'],
  needs: () => ({ value: 'abc' }),
}

/** Other names of kinds, for references and nested records by role. */
const ALIASES: Readonly<Record<string, string>> = {
  config_template: 'provisioning_template',
  auth_source_ldap: 'auth_source',
  auth_source_external: 'auth_source',
  auth_source_internal: 'auth_source',
  puppet_proxy: 'smart_proxy',
  puppet_ca_proxy: 'smart_proxy',
  content_source: 'smart_proxy',
  openscap_proxy: 'smart_proxy',
  realm_proxy: 'smart_proxy',
  dns: 'smart_proxy',
  owner: 'user',
  prior: 'lifecycle_environment',
  successor: 'lifecycle_environment',
  default_location: 'location',
  default_organization: 'organization',
  composite_content_view: 'content_view',
  latest_version: 'content_view_version',
  version: 'content_view_version',
  component: 'content_view_version',
  all_puppetclass: 'puppetclass',
  host_parameter: 'parameter',
  pool: 'subscription',
  ...Object.fromEntries(CREDENTIALS.map((role) => [role, 'content_credential'])),
}

const PLURALS: Readonly<Record<string, string>> = {
  media: 'medium',
  smart_proxies: 'smart_proxy',
  repositories: 'repository',
  puppetclasses: 'puppetclass',
  all_puppetclasses: 'puppetclass',
  all_parameters: 'parameter',
  puppetclass_ids: 'puppetclass',
}

/**
 * Yields the kind for the name of a collection, a list or a nested record; environments of the content API are another kind.
 */
export function kindOf(word: string, prefix = ''): string {
  const singular = PLURALS[word] ?? word.replace(/_ids?$/, '').replace(/([^s])s$/, '$1')
  if (singular === 'environment' && prefix === '/katello/api') return 'lifecycle_environment'
  return ALIASES[singular] ?? singular
}
