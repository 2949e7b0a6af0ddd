/** An option of hammer: its name alone, with the type of the records that its value names, or with a word for yes. */
export type HammerOption = string | LinkOption | WordOption

/** An option that has this word where the value is true, and that hammer cannot take back. */
interface WordOption {
  readonly option: string
  readonly word: string
}

/** An option whose value names records. */
interface LinkOption {
  readonly option: string
  /** The type of the records, as audits spell it. */
  readonly of: string
  /** The option of an update, where it is another one. */
  readonly onUpdate?: string
}

/** How hammer writes the records of a type. */
export interface BackKind {
  /** The words of hammer before `create`, `update` and `delete`. */
  readonly words: string
  /** The list of such records in the API of this service. */
  readonly path: string
  /** The key that names a record; hammer's option has the same name. */
  readonly by: 'name' | 'title' | 'login'
  /** Options by the keys of audits. */
  readonly options: Readonly<Record<string, HammerOption>>
  /** The key of a text that hammer reads from a file. */
  readonly file?: string
  /** Options by which hammer asks for secrets of new records, which these need. */
  readonly asks?: Readonly<Record<string, string>>
  /** Keys that follow from others, or that machines report again. */
  readonly derived?: readonly string[]
}

const PLACES = {
  organization_ids: { option: 'organization-titles', of: 'Organization' },
  location_ids: { option: 'location-titles', of: 'Location' },
} as const

const SYSTEMS = { operatingsystem_ids: { option: 'operatingsystems', of: 'Operatingsystem' } } as const

/** What hosts and host groups have in common. */
const MACHINE = {
  environment_id: { option: 'puppet-environment', of: 'Environment' },
  config_proxy_id: { option: 'puppet-proxy', of: 'SmartProxy' },
  config_ca_proxy_id: { option: 'puppet-ca-proxy', of: 'SmartProxy' },
  configclass_ids: { option: 'puppet-classes', of: 'Configclass' },
  config_group_ids: { option: 'config-groups', of: 'ConfigGroup' },
  architecture_id: { option: 'architecture', of: 'Architecture' },
  operatingsystem_id: { option: 'operatingsystem', of: 'Operatingsystem' },
  medium_id: { option: 'medium', of: 'Medium' },
  ptable_id: { option: 'partition-table', of: 'Ptable' },
  realm_id: { option: 'realm', of: 'Realm' },
  compute_profile_id: { option: 'compute-profile', of: 'ComputeProfile' },
  compute_resource_id: { option: 'compute-resource', of: 'ComputeResource' },
  pxe_loader: 'pxe-loader',
} as const

/** The keys of hosts that get the values of a host group when the host gets the group. */
export const INHERITED: readonly string[] = Object.keys(MACHINE).filter((key) => !key.endsWith('_ids'))

/** The kinds that hammer can write with names alone, by the types of audits. */
export const BACK_KINDS: Readonly<Record<string, BackKind>> = {
  Location: {
    words: 'location',
    path: '/api/locations',
    by: 'title',
    options: { name: 'name', description: 'description' },
  },
  Organization: {
    words: 'organization',
    path: '/api/organizations',
    by: 'title',
    options: { name: 'name', label: 'label', description: 'description', location_ids: PLACES.location_ids },
    derived: ['content_access_mode'],
  },
  Role: {
    words: 'role',
    path: '/api/roles',
    by: 'name',
    options: { ...PLACES, name: 'name', description: 'description' },
  },
  User: {
    words: 'user',
    path: '/api/users',
    by: 'login',
    options: {
      ...PLACES,
      login: 'login',
      firstname: 'firstname',
      lastname: 'lastname',
      mail: 'mail',
      description: 'description',
      admin: 'admin',
      disabled: 'disabled',
      locale: 'locale',
      timezone: 'timezone',
      auth_source_id: { option: 'auth-source', of: 'AuthSource' },
      role_ids: { option: 'roles', of: 'Role' },
      default_organization_id: { option: 'default-organization', of: 'Organization' },
      default_location_id: { option: 'default-location', of: 'Location' },
    },
    asks: { password: 'ask-password' },
    derived: ['usergroup_ids', 'last_login_on'],
  },
  Usergroup: {
    words: 'user-group',
    path: '/api/usergroups',
    by: 'name',
    options: {
      name: 'name',
      admin: 'admin',
      role_ids: { option: 'roles', of: 'Role' },
      user_ids: { option: 'users', of: 'User' },
      usergroup_ids: { option: 'user-groups', of: 'Usergroup' },
    },
  },
  Architecture: {
    words: 'architecture',
    path: '/api/architectures',
    by: 'name',
    options: { ...SYSTEMS, name: 'name' },
  },
  Model: {
    words: 'model',
    path: '/api/models',
    by: 'name',
    options: { name: 'name', info: 'info', vendor_class: 'vendor-class', hardware_model: 'hardware-model' },
  },
  Medium: {
    words: 'medium',
    path: '/api/media',
    by: 'name',
    options: { ...PLACES, ...SYSTEMS, name: 'name', path: 'path', os_family: 'os-family' },
  },
  Ptable: {
    words: 'partition-table',
    path: '/api/ptables',
    by: 'name',
    file: 'layout',
    options: {
      ...PLACES,
      ...SYSTEMS,
      name: 'name',
      description: 'description',
      os_family: 'os-family',
      snippet: 'snippet',
      locked: 'locked',
    },
  },
  ProvisioningTemplate: {
    words: 'template',
    path: '/api/provisioning_templates',
    by: 'name',
    file: 'template',
    options: {
      ...PLACES,
      ...SYSTEMS,
      name: 'name',
      description: 'description',
      locked: 'locked',
      template_kind_id: { option: 'type', of: 'TemplateKind' },
      snippet: { option: 'type', word: 'snippet' },
    },
  },
  Operatingsystem: {
    words: 'os',
    path: '/api/operatingsystems',
    by: 'title',
    options: {
      name: 'name',
      major: 'major',
      minor: 'minor',
      family: 'family',
      description: 'description',
      release_name: 'release-name',
      password_hash: 'password-hash',
      architecture_ids: { option: 'architectures', of: 'Architecture' },
      medium_ids: { option: 'media', of: 'Medium' },
      ptable_ids: { option: 'partition-tables', of: 'Ptable' },
      provisioning_template_ids: { option: 'provisioning-templates', of: 'ProvisioningTemplate' },
    },
  },
  Environment: {
    words: 'puppet-environment',
    path: '/api/environments',
    by: 'name',
    options: { ...PLACES, name: 'name' },
  },
  ConfigGroup: {
    words: 'config-group',
    path: '/api/config_groups',
    by: 'name',
    options: { name: 'name', configclass_ids: { option: 'puppet-classes', of: 'Configclass' } },
  },
  Domain: {
    words: 'domain',
    path: '/api/domains',
    by: 'name',
    options: { ...PLACES, name: 'name', fullname: 'description', dns_id: { option: 'dns', of: 'SmartProxy' } },
    derived: ['subnet_ids'],
  },
  Subnet: {
    words: 'subnet',
    path: '/api/subnets',
    by: 'name',
    options: {
      ...PLACES,
      name: 'name',
      description: 'description',
      network: 'network',
      mask: 'mask',
      network_type: 'network-type',
      gateway: 'gateway',
      dns_primary: 'dns-primary',
      dns_secondary: 'dns-secondary',
      from: 'from',
      to: 'to',
      ipam: 'ipam',
      boot_mode: 'boot-mode',
      vlanid: 'vlanid',
      mtu: 'mtu',
      domain_ids: { option: 'domains', of: 'Domain' },
      dns_id: { option: 'dns', of: 'SmartProxy' },
      dhcp_id: { option: 'dhcp', of: 'SmartProxy' },
      tftp_id: { option: 'tftp', of: 'SmartProxy' },
      bmc_id: { option: 'bmc', of: 'SmartProxy' },
    },
  },
  Hostgroup: {
    words: 'hostgroup',
    path: '/api/hostgroups',
    by: 'title',
    options: {
      ...PLACES,
      ...MACHINE,
      name: 'name',
      description: 'description',
      parent_id: { option: 'parent-title', of: 'Hostgroup' },
      domain_id: { option: 'domain', of: 'Domain' },
      subnet_id: { option: 'subnet', of: 'Subnet' },
      subnet6_id: { option: 'subnet6', of: 'Subnet' },
    },
  },
  Host: {
    words: 'host',
    path: '/api/hosts',
    by: 'name',
    options: {
      ...MACHINE,
      name: 'name',
      comment: 'comment',
      enabled: 'enabled',
      managed: 'managed',
      build: 'build',
      provision_method: 'provision-method',
      hostgroup_id: { option: 'hostgroup-title', of: 'Hostgroup' },
      model_id: { option: 'model', of: 'Model' },
      owner_user_id: { option: 'owner', of: 'User' },
      organization_id: { option: 'organization-title', of: 'Organization', onUpdate: 'new-organization-title' },
      location_id: { option: 'location-title', of: 'Location', onUpdate: 'new-location-title' },
    },
    derived: ['certname', 'last_report', 'last_compile', 'installed_at', 'initiated_at', 'build_errors', 'image_file'],
  },
}

/** Further lists that links lead to, with the keys that name their records. */
export const NAMED_ONLY: Readonly<Record<string, Pick<BackKind, 'path' | 'by'>>> = {
  AuthSource: { path: '/api/auth_sources', by: 'name' },
  SmartProxy: { path: '/api/smart_proxies', by: 'name' },
  Configclass: { path: '/api/configclasses', by: 'name' },
  Realm: { path: '/api/realms', by: 'name' },
  ComputeProfile: { path: '/api/compute_profiles', by: 'name' },
  ComputeResource: { path: '/api/compute_resources', by: 'name' },
  TemplateKind: { path: '/api/template_kinds', by: 'name' },
}

/** The owners of parameters: the type by the key of the parameter, and hammer's option for it. */
export const PARAMETER_OWNERS: Readonly<Record<string, { readonly type: string; readonly option: string }>> = {
  host_id: { type: 'Host', option: 'host' },
  hostgroup_id: { type: 'Hostgroup', option: 'hostgroup-title' },
  domain_id: { type: 'Domain', option: 'domain' },
  subnet_id: { type: 'Subnet', option: 'subnet' },
  operatingsystem_id: { type: 'Operatingsystem', option: 'operatingsystem' },
  organization_id: { type: 'Organization', option: 'organization-title' },
  location_id: { type: 'Location', option: 'location-title' },
}

/** The option that names the class of a class parameter. */
export const CLASS_OPTION = '--puppet-class'

/** Options of `sc-param update`, by the keys of audits. */
export const CLASS_PARAMETER_OPTIONS: Readonly<Record<string, string>> = {
  description: 'description',
  override: 'override',
  default_value: 'default-value',
  parameter_type: 'parameter-type',
  omit: 'omit',
  required: 'required',
  validator_type: 'validator-type',
  validator_rule: 'validator-rule',
  merge_overrides: 'merge-overrides',
  merge_default: 'merge-default',
  avoid_duplicates: 'avoid-duplicates',
  override_value_order: 'override-value-order',
}
