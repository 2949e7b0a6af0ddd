import { FURTHER_TIME_ZONES, TIME_ZONES } from './time-zones.ts'

/**
 * The facts of the vendor dialect: what the specification's words are called by the existing clients of this API. A new
 * word is a new line here; the rest of this folder walks these tables. Ours stand left, theirs right.
 */

/** Parts of names: of path segments, keys, search fields, permissions, settings. They stand between `_` or the ends. */
export const NAME_PARTS: Readonly<Record<string, string>> = {
  configclass: 'puppetclass',
  configclasses: 'puppetclasses',
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
  Configclass: 'Puppetclass',
  ContentCredential: 'Katello::ContentCredential',
  ContentView: 'Katello::ContentView',
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

const FEATURES: Readonly<Record<string, string>> = { Config: 'Puppet', 'Config CA': 'Puppet CA' }

const SETTINGS: Readonly<Record<string, string>> = { server_url: 'foreman_url' }

/** Kinds of tasks. */
export const TASK_LABELS: Readonly<Record<string, string>> = {
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
  'smart_proxies.feature': { words: FEATURES, parts: false },
  'auth_source_ldaps.server_type': { words: SERVER_TYPES, parts: false },
  'permissions.resource_type': { words: TYPES, parts: false },
  'filters.resource': { words: TYPES, parts: false },
  'filters.permission': { words: {}, parts: true },
  origin: { words: { millwright: 'foreman' }, parts: false },
  resource_type_label: { words: { Configclass: 'Puppetclass' }, parts: false },
  'tasks.label': { words: TASK_LABELS, parts: false },
  'tasks.kind': { words: TASK_LABELS, parts: false },
  'audits.type': { words: {}, parts: true },
  'users.timezone': { words: TIME_ZONES, parts: false, further: FURTHER_TIME_ZONES },
}

/** Keys of records that are searches themselves, kept for later. */
export const SEARCHES: readonly string[] = ['filters.search', 'config_rollouts.search']

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

/** What the classification of a host calls things that are no parameters of users (smart-parameters §5.1). */
export const NODE_PARAMETERS =
  /^(?:millwright_(?:config_groups|domain_description|env|interfaces|subnets|users)|configmaster|config_ca)$/

/** Lists that clients also ask for below two parents. */
export const BELOW_BOTH = {
  ours: '/api/organizations/:organization_id',
  theirs: '/api/locations/:location_id/organizations/:organization_id',
  operations: ['list', 'create'],
} as const

/** Keys that wrap parts of a record in bodies: what is in them belongs to the record itself. */
export const WRAPPERS: readonly string[] = ['puppet_attributes']

/** Keys that bodies of these resources come under, too, older or newer ones of the same clients. */
export const ROOTS: Readonly<Record<string, readonly string[]>> = { provisioning_template: ['config_template'] }

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
  { end: '/smart_proxies/:id/refresh', theirs: 'POST', ours: 'PUT', status: 201, older: true },
]

/** Lists that are also there on a path of their own, where a search too long for a URL comes in the body. */
export const ASKED_IN_BODIES: readonly {
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
}

/** Kinds of tasks whose clients read what they are about as one text. */
export const INPUT_IN_WORDS: readonly string[] = ['content_view_version.delete']

/** Resources whose lists below the content prefix look like all others. */
export const CORE_PAGES: readonly string[] = ['content_organizations']

/** Routes that only speak the specification's words, or that the dialect has in a form of its own. */
export const LEFT_OUT: readonly string[] = [
  ...['batch.create', 'service.openapi', 'service.index', 'service.status', 'service.login_text'],
  ...['session.show', 'session.create', 'session.update', 'session.end'],
]

/** What clients are told of the program; they choose by it what they ask for. */
export const VERSIONS = { service: '2.5.4', content: '4.1.4' } as const

/** What the header of each answer says, by what it says. */
export const HEADERS = {
  version: 'foreman_version',
  apiVersion: 'foreman_api_version',
  organization: 'foreman_current_organization',
  location: 'foreman_current_location',
  checksum: 'apipie-checksum',
} as const
