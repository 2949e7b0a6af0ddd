import { FURTHER_TIME_ZONES, TIME_ZONES } from './time-zones.ts'

/**
 * The facts of the vendor dialect: what the specification's words are called by the existing clients of this API. A new
 * word is a new line here; the rest of this folder walks these tables. Ours stand left, theirs right.
 */

/** Parts of names: of path segments, keys, search fields, permissions, settings. They stand between `_` or the ends. */
export const NAME_PARTS: Readonly<Record<string, string>> = {
  configclass: 'puppetclass',
  configclasses: 'puppetclasses',
  config_run: 'puppet_run',
  config_runs: 'puppet_runs',
  config_rollout: 'puppet_rollout',
  config_rollouts: 'puppet_rollouts',
  class_imports: 'puppetclass_imports',
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

/** What only sentences say. */
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

/** Facts by which hosts say where they belong, where a setting names them. */
const PLACE_FACTS: Readonly<Record<string, string>> = {
  millwright_organization: 'foreman_organization',
  millwright_location: 'foreman_location',
}

/** What reports of hosts come from. */
const ORIGINS: Readonly<Record<string, string>> = { Config: 'Puppet', Playbook: 'Ansible' }

/** What was done with many hosts at once. */
export const BULK_TASK = 'hosts.change'

/** Kinds of tasks. */
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

/** Words for values of one key. */
interface Words {
  readonly words: Readonly<Record<string, string>>
  /** What is no word of the table may still be a name with parts: `view_configclasses`. */
  readonly parts: boolean
  /** Further words of theirs for some of ours: they are understood, and not written. */
  readonly further?: Readonly<Record<string, string>>
}

/** Values that have other words: by key, or by key within an object or a resource. */
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
      ...{ Configclass: 'Puppetclass', ConfigRun: 'PuppetRun', ConfigRollout: 'PuppetRollout' },
      ...{ ClassImport: 'PuppetclassImport' },
    },
    parts: false,
  },
  'tasks.label': { words: TASK_LABELS, parts: false },
  'tasks.kind': { words: TASK_LABELS, parts: false },
  'task.label': { words: TASK_LABELS, parts: false },
  'audits.type': { words: {}, parts: true },
  'users.timezone': { words: TIME_ZONES, parts: false, further: FURTHER_TIME_ZONES },
}

/** Keys of answers that are sentences of the service, and nothing that somebody has written. */
export const SENTENCES: readonly string[] = [
  'smart_proxies.message',
  'environments.message',
  'class_imports.message',
  'settings.description',
  'settings.full_name',
]

/** Keys of records that are searches themselves, kept for later. */
export const SEARCHES: readonly string[] = ['filters.search', 'config_rollouts.search', 'bookmarks.query']

/** Links that searches compare by id there, and by name here; `<link>_id` is our field for that. */
export const COMPARED_BY_ID: Readonly<Record<string, readonly string[]>> = {
  images: ['architecture', 'operatingsystem'],
}

/** Fields of searches that stand for another of ours: what clients know a task by is its uuid. */
export const SEARCHED_BY: Readonly<Record<string, Readonly<Record<string, string>>>> = { tasks: { id: 'uuid' } }

/** Prefixes of paths that are one of ours here; a longer one stands first. Each is there with `/v2` as well. */
export const PREFIXES: readonly (readonly [theirs: string, ours: string])[] = [
  ['/foreman_puppet/api', '/api'],
  ['/foreman_tasks/api', '/api'],
  ['/katello/api', '/katello/api'],
  ['/api', '/api'],
]

/** Prefixes that clients find some resources under when they look them up. */
export const LOOKED_UP: Readonly<Record<string, string>> = { tasks: '/foreman_tasks/api' }

/** Where the content API stands. */
export const CONTENT_PREFIX = { ours: '/content/api', theirs: '/katello/api' } as const

/** Segments that older clients write for some of theirs: the same routes stand there as well. */
export const OLDER_SEGMENTS: Readonly<Record<string, string>> = { provisioning_templates: 'config_templates' }

/** Ends of paths below a record that are shorter there. */
export const SHORTER: Readonly<Record<string, string>> = {
  '/content_views/:content_view_id/content_view_filters': '/content_views/:content_view_id/filters',
}

/** What the classification of a host calls things that are no parameters of users (smart-parameters §5.1). */
export const NODE_PARAMETERS =
  /^(?:millwright_(?:config_groups|domain_description|env|fqdn|hostname|interfaces|subnets|users)|configmaster|config_ca)$/

/** Lists that clients also ask for below two parents. */
export const BELOW_BOTH = {
  ours: '/api/organizations/:organization_id',
  theirs: '/api/locations/:location_id/organizations/:organization_id',
  operations: ['list', 'create'],
} as const

/** Keys that wrap parts of a record in bodies: what is in them belongs to the record itself. */
export const WRAPPERS: readonly string[] = ['puppet_attributes']

/** Places whose lists show all, whatever the place that the request is made in. */
export const NOT_NARROWED: Readonly<Record<string, string>> = {
  locations: 'organization_id',
  organizations: 'location_id',
}

/** Lists of ids of content that records outside of it have: text in them is validated by the field, as all over content. */
export const IDS_OF_CONTENT: readonly string[] = ['host_collection_ids']

/** Lists in bodies that null empties; others stay as they are. */
export const CLEARED_BY_NULL: readonly string[] = ['location_ids', 'organization_ids']

/** Keys that bodies of these resources come under, too, older or newer ones of the same clients. */
export const ROOTS: Readonly<Record<string, readonly string[]>> = {
  provisioning_template: ['config_template'],
  rule: ['content_view_filter_rule'],
}

/** Ends of paths that clients also ask for by another method, or by one that stands for another of ours there. */
export const METHODS: readonly {
  readonly end: string
  readonly theirs: 'POST' | 'PUT'
  readonly ours: 'POST' | 'PUT' | 'DELETE'
  /** What it is answered with. */
  readonly status?: number
  /** Clients that look it up no longer find it; else they find nothing but it. */
  readonly older?: true
}[] = [
  { end: '/activation_keys/:id/add_subscriptions', theirs: 'PUT', ours: 'POST' },
  { end: '/activation_keys/:id/remove_subscriptions', theirs: 'PUT', ours: 'POST' },
  { end: '/activation_keys/:id/host_collections', theirs: 'PUT', ours: 'DELETE' },
  { end: '/users/:user_id/mail_notifications', theirs: 'POST', ours: 'POST', status: 200 },
  { end: '/smart_proxies/:id/refresh', theirs: 'POST', ours: 'PUT', status: 201, older: true },
]

/** Lists that are also there on a path of their own, where a search too long for a URL comes in the body. */
export const LISTED_BY_BODY: readonly {
  readonly list: string
  readonly path: string
  /** What their records show there besides. */
  readonly include: readonly string[]
}[] = [
  {
    list: 'hosts.list',
    path: '/api/hosts/post_index',
    include: ['creator', 'content_facet_attributes', 'subscription_facet_attributes'],
  },
]

/** Secrets that clients may send twice, to be sure of them: by resource, what they are called, and the second time. */
export const SENT_TWICE: Readonly<Record<string, { readonly secret: string; readonly again: string }>> = {
  users: { secret: 'password', again: 'password_confirmation' },
}

/** Kinds of compute resources, as people read them. */
export const PROVIDERS: Readonly<Record<string, string>> = {
  Libvirt: 'Libvirt',
  Ovirt: 'oVirt',
  EC2: 'EC2',
  Vmware: 'VMware',
  Openstack: 'RHEL OpenStack Platform',
  GCE: 'Google',
}

/** Keys that clients send beside the record and that belong to it, by resource. */
export const SENT_BESIDE: Readonly<Record<string, readonly string[]>> = {
  compute_attributes: ['compute_profile_id', 'compute_resource_id'],
  user_mail_notifications: ['mail_notification_id', 'interval', 'subscription', 'mail_query'],
}

/** Lists of parameters in bodies of the records that have some. */
export const PARAMETER_LISTS = /^(?:host|group|os|domain|subnet|location|organization)_parameters_attributes$/

/** Keys that the dialect says itself, and that clients of it never send. */
export const SAID_FOR_CLIENTS: readonly string[] = ['as_sent']

/** What clients may send, because their commands are made of it, and what is not kept: why it is refused unless it is blank. */
export const NOT_KEPT: readonly {
  readonly group: string
  readonly root: string
  readonly refused: Readonly<Record<string, string>>
}[] = [
  {
    group: 'compute_resources',
    root: 'compute_resource',
    refused: { password: 'must be blank: nothing here reaches compute resources, so no secret is kept' },
  },
  {
    group: 'hostgroups',
    root: 'hostgroup',
    refused: { kickstart_repository_id: 'must be blank: hosts are installed from their medium' },
  },
  {
    group: 'repositories',
    root: 'repository',
    refused: {
      ansible_collection_auth_token: 'must be blank: nothing is fetched from here, so no secret is kept',
      ssl_client_key_id: 'must be blank: nothing is fetched from here, so no private key is kept',
      upstream_password: 'must be blank: nothing is fetched from here, so no secret is kept',
    },
  },
]

/** What older clients say instead of the policy by which packages that are gone at the source go here, too. */
export const MIRRORED = {
  group: 'repositories',
  root: 'repository',
  key: 'mirror_on_sync',
  policy: 'mirroring_policy',
  additive: 'additive',
  mirror: 'mirror_content_only',
} as const

/** Which mails users want: what they say instead of an interval of mails that do not come at intervals. */
export const WISHES = {
  group: 'user_mail_notifications',
  root: 'mail_notification',
  word: 'subscription',
  interval: 'interval',
} as const

/** What writes of the content API prefer to be answered with (RFC 7240). */
export const PREFERENCE = 'return=representation'

/** What is done at once, where clients wait for a task: what it is called, and what it is about. */
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

/** Routes whose record says its organization, where clients of the announced version do not. */
export const KNOWS_ORGANIZATION: readonly string[] = ['activation_keys.update']

/** Routes that make organizations: content is by subscription there, as in the announced version. */
export const BY_ENTITLEMENT: readonly string[] = ['organizations.create', 'content_organizations.create']

/** Kinds of tasks whose clients read what they are about as one text. */
export const INPUT_IN_WORDS: readonly string[] = ['content_view_version.delete']

/** Resources whose lists below the content prefix look like all others. */
export const CORE_PAGES: readonly string[] = ['content_organizations']

/** Routes that only speak the specification's words, or that the dialect has in a form of its own. */
export const LEFT_OUT: readonly string[] = [
  'batch.create',
  'service.openapi',
  'service.index',
  'service.status',
  'service.login_text',
  'service.ping',
  'service.current_permissions',
  'session.show',
  'session.create',
  'session.update',
  'session.end',
  'sessions.list',
  'sessions.end',
  'sessions.end_others',
]

/** What clients are told of the program; they choose by it what they ask for. */
export const VERSIONS = { service: '2.5.4', content: '4.1.4' } as const

/** What the header of each answer says, by what it says, and the cookie that a login is answered with. */
export const HEADERS = {
  ignoredHeader: null,
  loginCookie: '_session_id',
  version: 'foreman_version',
  apiVersion: 'foreman_api_version',
  organization: 'foreman_current_organization',
  location: 'foreman_current_location',
  checksum: 'apipie-checksum',
} as const
