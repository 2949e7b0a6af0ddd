import { FURTHER_TIME_ZONES, TIME_ZONES } from './routes/time-zones.ts'

/**
 * The facts of the vendor dialect: which words existing clients use for those of the specification. A new word is a new line
 * here; the code of this folder reads these tables. Our words stand left, theirs right.
 */

/** Parts of names: of path segments, keys, search fields, permissions, settings. A part stands between `_` or the ends. */
export const NAME_PARTS: Readonly<Record<string, string>> = {
  configclass: 'puppetclass',
  configclasses: 'puppetclasses',
  config_run: 'puppet_run',
  config_runs: 'puppet_runs',
  config_rollout: 'puppet_rollout',
  config_rollouts: 'puppet_rollouts',
  class_imports: 'puppetclass_imports',
  playbook_inventory: 'ansible_inventory',
  playbook_inventories: 'ansible_inventories',
  configrun: 'puppetrun',
  config_proxy: 'puppet_proxy',
  config_ca: 'puppet_ca',
  use_config_default: 'use_puppet_default',
  configmaster: 'puppetmaster',
  cdn_url: 'redhat_repository_url',
  millwright: 'foreman',
}

/** Types of records, in permissions, filters and audits. */
const TYPES: Readonly<Record<string, string>> = {
  ActivationKey: 'Katello::ActivationKey',
  ClassImport: 'PuppetclassImport',
  Configclass: 'Puppetclass',
  ConfigRollout: 'PuppetRollout',
  ConfigRun: 'PuppetRun',
  ContentCredential: 'Katello::ContentCredential',
  ContentView: 'Katello::ContentView',
  ContentViewFilter: 'Katello::ContentViewFilter',
  ContentViewFilterRule: 'Katello::ContentViewFilterRule',
  ContentViewVersion: 'Katello::ContentViewVersion',
  HostCollection: 'Katello::HostCollection',
  LifecycleEnvironment: 'Katello::KTEnvironment',
  Product: 'Katello::Product',
  Repository: 'Katello::Repository',
  SmartClassParameter: 'PuppetclassLookupKey',
  Subscription: 'Katello::Subscription',
  SyncPlan: 'Katello::SyncPlan',
  Task: 'ForemanTasks::Task',
}

const SERVER_TYPES: Readonly<Record<string, string>> = {
  directory_a: 'free_ipa',
  directory_b: 'active_directory',
  directory_c: 'netiq',
}

/** Words that occur in sentences only. */
export const PHRASES: Readonly<Record<string, string>> = {
  ...SERVER_TYPES,
  'config feature': 'puppet feature',
  'config installation': 'puppet installation',
}

const FEATURES: Readonly<Record<string, string>> = { Config: 'Puppet', 'Config CA': 'Puppet CA' }

const NETWORK_TYPES: Readonly<Record<string, string>> = { IPv4: 'Subnet::Ipv4', IPv6: 'Subnet::Ipv6' }

const TEMPLATE_KINDS: Readonly<Record<string, string>> = { 'cloud-init': 'cloud_init', Bootdisk: 'bootdisk' }

const SETTINGS: Readonly<Record<string, string>> = {
  server_url: 'foreman_url',
  config_interval: 'puppet_interval',
  config_out_of_sync_disabled: 'puppet_out_of_sync_disabled',
  default_config_environment: 'default_puppet_environment',
  ignore_config_facts_for_provisioning: 'ignore_puppet_facts_for_provisioning',
}

/** Names of the facts by which hosts report their organization and location, where a setting names them. */
const PLACE_FACTS: Readonly<Record<string, string>> = {
  millwright_organization: 'foreman_organization',
  millwright_location: 'foreman_location',
}

/** Origins of reports. */
const ORIGINS: Readonly<Record<string, string>> = { Config: 'Puppet', Playbook: 'Ansible' }

/** The label of tasks that changed many hosts at once. */
export const BULK_TASK = 'hosts.change'

/** Labels of tasks. */
export const TASK_LABELS: Readonly<Record<string, string>> = {
  [BULK_TASK]: 'Actions::BulkAction',
  'organization.destroy': 'Actions::Katello::Organization::Destroy',
  'activation_key.destroy': 'Actions::Katello::ActivationKey::Destroy',
  'content_view.publish': 'Actions::Katello::ContentView::Publish',
  'content_view.delete': 'Actions::Katello::ContentView::Destroy',
  'content_view.remove': 'Actions::Katello::ContentView::Remove',
  'content_view_version.promote': 'Actions::Katello::ContentView::Promote',
  'content_view_version.delete': 'Actions::Katello::ContentViewVersion::Destroy',
  'product.delete': 'Actions::Katello::Product::Destroy',
}

/** Words for the values of one key. */
interface Words {
  readonly words: Readonly<Record<string, string>>
  /** Whether values that are not in the table are translated part by part, as names are: `view_configclasses`. */
  readonly parts: boolean
  /** Further words of theirs for ours: they are accepted, but not written. */
  readonly further?: Readonly<Record<string, string>>
}

/** Values that have other words, by key, or by key within an object or a resource. */
export const VALUES: Readonly<Record<string, Words>> = {
  server_type: { words: SERVER_TYPES, parts: false },
  resource_type: { words: TYPES, parts: false },
  auditable_type: { words: TYPES, parts: false },
  associated_type: { words: TYPES, parts: false },
  'permissions.name': { words: {}, parts: true },
  'features.name': { words: FEATURES, parts: false },
  'settings.name': { words: SETTINGS, parts: true },
  'settings.id': { words: SETTINGS, parts: true },
  'settings.value': { words: PLACE_FACTS, parts: false },
  'settings.default': { words: PLACE_FACTS, parts: false },
  'subnets.type': { words: NETWORK_TYPES, parts: false },
  'smart_proxies.feature': { words: FEATURES, parts: false },
  'auth_source_ldaps.server_type': { words: SERVER_TYPES, parts: false },
  'permissions.resource_type': { words: TYPES, parts: false },
  'filters.resource': { words: TYPES, parts: false },
  'bookmarks.controller': { words: {}, parts: true },
  'filters.permission': { words: {}, parts: true },
  'template_kinds.name': { words: TEMPLATE_KINDS, parts: false },
  'provisioning_templates.kind': { words: TEMPLATE_KINDS, parts: false },
  template_kind_name: { words: TEMPLATE_KINDS, parts: false },
  'config_reports.origin': { words: ORIGINS, parts: false },
  'hosts.origin': { words: ORIGINS, parts: false },
  origin: { words: { millwright: 'foreman' }, parts: false },
  resource_type_label: {
    words: {
      Configclass: 'Puppetclass',
      ConfigRun: 'PuppetRun',
      ConfigRollout: 'PuppetRollout',
      ClassImport: 'PuppetclassImport',
    },
    parts: false,
  },
  'tasks.label': { words: TASK_LABELS, parts: false },
  'tasks.kind': { words: TASK_LABELS, parts: false },
  'task.label': { words: TASK_LABELS, parts: false },
  'audits.type': { words: {}, parts: true },
  'users.timezone': { words: TIME_ZONES, parts: false, further: FURTHER_TIME_ZONES },
}

/** Keys of answers that hold sentences of the service, never texts of users. */
export const SENTENCES: readonly string[] = [
  'smart_proxies.message',
  'environments.message',
  'class_imports.message',
  'auth_source_ldaps.message',
  'steps.message',
  'settings.description',
  'settings.full_name',
]

/** Keys of records that hold stored searches. */
export const SEARCHES: readonly string[] = ['filters.search', 'config_rollouts.search', 'bookmarks.query']

/** Links that clients compare by id in searches, while ours compare by name; our field for the id is `<link>_id`. */
export const COMPARED_BY_ID: Readonly<Record<string, readonly string[]>> = {
  images: ['architecture', 'operatingsystem'],
}

/** Fields of searches that stand for another field of ours: the id of a task is its uuid for clients. */
export const SEARCHED_BY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tasks: { id: 'uuid' },
  hosts: { 'infrastructure_facet.foreman': 'infrastructure_facet.millwright' },
}

/** Path prefixes that are replaced by one of ours; longer ones come first. Each exists with `/v2`, too. */
export const PREFIXES: readonly (readonly [theirs: string, ours: string])[] = [
  ['/foreman_puppet/api', '/api'],
  ['/foreman_tasks/api', '/api'],
  ['/ansible/api', '/api'],
  ['/katello/api', '/katello/api'],
  ['/api', '/api'],
]

/** Path prefixes under which the description lists some resources. */
export const LOOKED_UP: Readonly<Record<string, string>> = {
  tasks: '/foreman_tasks/api',
  playbook_inventories: '/ansible/api',
}

/** The path prefixes of the content API. */
export const CONTENT_PREFIX = { ours: '/content/api', theirs: '/katello/api' } as const

/** Path segments of older clients; the routes are mounted under these, too. */
export const OLDER_SEGMENTS: Readonly<Record<string, string>> = { provisioning_templates: 'config_templates' }

/** Ends of paths below a record that are shorter for clients. */
export const SHORTER: Readonly<Record<string, string>> = {
  '/content_views/:content_view_id/content_view_filters': '/content_views/:content_view_id/filters',
}

/** Names of the parameters that the service adds to the classification of a host (smart-parameters §5.1). */
export const NODE_PARAMETERS =
  /^(?:millwright_(?:config_groups|domain_description|env|fqdn|hostname|interfaces|subnets|users)|configmaster|config_ca)$/

/** Lists that clients also ask for below two parents. */
export const BELOW_BOTH = [
  {
    ours: '/api/organizations/:organization_id',
    theirs: '/api/locations/:location_id/organizations/:organization_id',
    operations: ['list', 'create'],
  },
  {
    ours: '/api/locations/:location_id',
    theirs: '/api/organizations/:organization_id/locations/:location_id',
    operations: ['list', 'create'],
  },
] as const

/** Keys of bodies that wrap a part of a record; their members belong to the record itself. */
export const WRAPPERS: readonly string[] = ['puppet_attributes']

/** Taxonomies whose lists show all records, whatever the organization or location of the request. */
export const NOT_NARROWED: Readonly<Record<string, string>> = {
  locations: 'organization_id',
  organizations: 'location_id',
}

/**
 * Lists of ids of content in records outside of content: a text in them is validated by the field, as everywhere in content.
 */
export const IDS_OF_CONTENT: readonly string[] = ['host_collection_ids']

/** Lists in bodies that may be sent as text; in the place of all others, text is ignored. */
export const LISTS_AS_TEXT: readonly string[] = ['attached_devices', 'content_view_environments', 'runner_command']

/** Lists in bodies that null empties; for other lists null is not special. */
export const CLEARED_BY_NULL: readonly string[] = ['location_ids', 'organization_ids']

/** Further keys that wrap the bodies of these resources, in older or newer versions of clients. */
export const ROOTS: Readonly<Record<string, readonly string[]>> = {
  provisioning_template: ['config_template'],
  rule: ['content_view_filter_rule'],
}

/** Ends of paths that clients also request with another method, or with a method that stands for another of ours. */
export const METHODS: readonly {
  readonly end: string
  readonly theirs: 'POST' | 'PUT'
  readonly ours: 'POST' | 'PUT' | 'DELETE'
  /** The status of the answer, where it differs. */
  readonly status?: number
  /** The method is only for older clients and not described; without this, only the method here is described. */
  readonly older?: true
}[] = [
  { end: '/activation_keys/:id/add_subscriptions', theirs: 'PUT', ours: 'POST' },
  { end: '/activation_keys/:id/remove_subscriptions', theirs: 'PUT', ours: 'POST' },
  { end: '/activation_keys/:id/host_collections', theirs: 'PUT', ours: 'DELETE' },
  { end: '/users/:user_id/mail_notifications', theirs: 'POST', ours: 'POST', status: 200 },
  { end: '/smart_proxies/:id/refresh', theirs: 'POST', ours: 'PUT', status: 201, older: true },
]

/** Lists that also have a path of their own, where a search too long for a URL is sent in the body. */
export const LISTED_BY_BODY: readonly {
  readonly list: string
  readonly path: string
  /** Further keys of the records in that list. */
  readonly include: readonly string[]
}[] = [
  {
    list: 'hosts.list',
    path: '/api/hosts/post_index',
    include: ['creator', 'content_facet_attributes', 'subscription_facet_attributes'],
  },
]

/** Secrets that clients may send twice as a confirmation, by resource: the key of the secret, and that of its repetition. */
export const SENT_TWICE: Readonly<Record<string, { readonly secret: string; readonly again: string }>> = {
  users: { secret: 'password', again: 'password_confirmation' },
}

/** Names of the kinds of compute resources for people. */
export const PROVIDERS: Readonly<Record<string, string>> = {
  Libvirt: 'Libvirt',
  Ovirt: 'oVirt',
  EC2: 'EC2',
  Vmware: 'VMware',
  Openstack: 'RHEL OpenStack Platform',
  GCE: 'Google',
}

/** Keys that clients send beside the wrapped record and that belong to it, by resource. */
export const SENT_BESIDE: Readonly<Record<string, readonly string[]>> = {
  compute_attributes: ['compute_profile_id', 'compute_resource_id'],
  user_mail_notifications: ['mail_notification_id', 'interval', 'subscription', 'mail_query'],
}

/** Keys of bodies that hold lists of parameters. */
export const PARAMETER_LISTS = /^(?:host|group|os|domain|subnet|location|organization)_parameters_attributes$/

/** Keys that the dialect adds to bodies, and that its clients never send. */
export const SAID_FOR_CLIENTS: readonly string[] = ['as_sent']

/**
 * The boolean by which older clients ask to remove packages that are gone at the source, and the policies that it stands
 * for.
 */
export const MIRRORED = {
  group: 'repositories',
  root: 'repository',
  key: 'mirror_on_sync',
  policy: 'mirroring_policy',
  additive: 'additive',
  mirror: 'mirror_content_only',
} as const

/** The words of clients for mail settings whose value is not an interval. */
export const WISHES = {
  group: 'user_mail_notifications',
  root: 'mail_notification',
  word: 'subscription',
  interval: 'interval',
} as const

/** The preference that writes of the content API send (RFC 7240). */
export const PREFERENCE = 'return=representation'

/** Operations that this service completes at once and clients expect to be tasks: the label of the task, and its subject. */
export const FINISHED_TASKS: Readonly<
  Record<string, { readonly kind: string; readonly action: string; readonly subject: string }>
> = {
  'activation_keys.delete': {
    kind: 'activation_key.destroy',
    action: 'Delete Activation Key',
    subject: 'activation_key',
  },
  'content_organizations.delete': {
    kind: 'organization.destroy',
    action: 'Destroy Organization',
    subject: 'organization',
  },
}

/** Routes whose body has to name the organization of the record, which clients of the announced version leave out. */
export const KNOWS_ORGANIZATION: readonly string[] = ['activation_keys.update']

/** Routes that create organizations, whose content is accessed by subscription in the announced version. */
export const BY_ENTITLEMENT: readonly string[] = ['organizations.create', 'content_organizations.create']

/** Labels of tasks whose clients expect the subject as one text. */
export const INPUT_IN_WORDS: readonly string[] = ['content_view_version.delete']

/** Resources whose lists below the content prefix have the form of the core API. */
export const CORE_PAGES: readonly string[] = ['content_organizations']

/** Names of headers in answers, and of the session cookie. */
export const HEADERS = {
  loginCookie: '_session_id',
  version: 'foreman_version',
  apiVersion: 'foreman_api_version',
  organization: 'foreman_current_organization',
  location: 'foreman_current_location',
  checksum: 'apipie-checksum',
} as const
