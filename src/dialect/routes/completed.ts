import { isMembers, type Members, membersOf } from '../../lib/values.ts'
import type { Answer, Route } from '../../requests/route.ts'
import { isContentPath } from '../paths.ts'
import type { Step } from '../shapes.ts'
import { LISTED_BY_BODY, PROVIDERS } from '../table.ts'
import { HOSTS } from './completed-hosts.ts'
import { type Completions, type Filling, type Made, withKeysInEach } from './completions.ts'

// Keys for features that this service does not have; their values say that there is nothing.
const HOSTGROUP: Completions['one'] = {
  openscap_proxy_id: null,
  openscap_proxy_name: null,
  openscap_proxy: null,
  kickstart_repository_id: null,
  kickstart_repository_name: null,
}
const HOSTGROUP_ROW: Completions['row'] = {
  grub_pass: '',
  image_file: '',
  content_facet_attributes: null,
  lookup_value_matcher: ({ title, name }) => `hostgroup=${title ?? name}`,
  openscap_proxy_id: null,
  root_pass: null,
  use_image: null,
  vm_defaults: null,
}
const SMART_PROXY: Completions['one'] = {
  hosts_count: null,
  remote_execution_pubkey: null,
  download_policy: null,
  supported_pulp_types: [],
  lifecycle_environments: [],
}
const SUBNET: Completions['one'] = {
  priority: null,
  externalipam: null,
  externalipam_id: null,
  externalipam_name: null,
}
const friendlyNameOf = ({ provider }: Members) => PROVIDERS[String(provider)] ?? provider
const attributesOfMachines = ({ compute_attributes: all }: Members) =>
  Array.isArray(all) ? all.map((each) => ({ ...each, provider_friendly_name: friendlyNameOf(each) })) : []
const COMPUTE_ATTRIBUTE: Completions['one'] = { provider_friendly_name: friendlyNameOf, attributes: null }
const SUBNET_ROW: Completions['row'] = {
  priority: null,
  externalipam_id: null,
  externalipam_group: null,
  to_label: ({ name, network, mask }) => `${name} (${network}/${lengthOf(String(mask))})`,
  type: ({ network }) => (String(network).includes(':') ? 'Subnet::Ipv6' : 'Subnet::Ipv4'),
}
const PARAMETER_ROW: Completions['row'] = {
  hidden_value: () => '*****',
  searchable_value: ({ value }) => (typeof value === 'string' ? value : null),
}
const TAXONOMY_DEPRECATIONS = { environments: 'Environments got deprecated from this endpoint.' }
const templatesOf = ({ provisioning_templates }: Members) => provisioning_templates ?? []
const computeResources = ({ compute_resources: all }: Members) =>
  Array.isArray(all) ? all.map((each) => ({ provider_friendly_name: friendlyNameOf(each), ...each })) : undefined
const TAXONOMY: Completions['one'] = {
  deprecations: TAXONOMY_DEPRECATIONS,
  config_templates: templatesOf,
  compute_resources: computeResources,
}
const CONTENT_ORGANIZATION: Completions['one'] = {
  ...TAXONOMY,
  // Content of vendors is always downloaded from an address, never from another server of this kind.
  cdn_configuration: ({ redhat_repository_url }) => ({
    url: redhat_repository_url ?? null,
    type: 'redhat_cdn',
    username: null,
    upstream_organization_label: null,
    upstream_content_view_label: null,
    upstream_lifecycle_environment_label: null,
    ssl_ca_credential_id: null,
    password_exists: false,
  }),
  composite_content_views_count: null,
  content_view_components_count: null,
}
const TEMPLATE_ROW: Completions['row'] = {
  ansible_callback_enabled: false,
  default: false,
  description_format: null,
  execution_timeout_interval: null,
  job_category: null,
  os_family: null,
  provider_type: null,
  vendor: null,
}
const sourceOf = (type: string) => (record: Members) => {
  const auth_source = membersOf(record.auth_source)
  return auth_source.type === type ? auth_source : undefined
}
const EXTERNAL_GROUP: Completions['one'] = {
  auth_source_ldap: sourceOf('AuthSourceLdap'),
  auth_source_external: sourceOf('AuthSourceExternal'),
}
const SUBSCRIPTION: Completions['one'] = {
  account_number: ({ account_number }) => asNumber(account_number),
  contract_number: ({ contract_number }) => asNumber(contract_number),
}
/** What a repository counts of its content, which is never copied to this service. */
const COUNTED = (
  'rpm srpm package_group erratum module_stream deb file ansible_collection python_package ' +
  'docker_manifest docker_manifest_list docker_tag ostree_ref ostree_branch package'
).split(' ')
/** Keys about downloads: this service does not download content and only keeps how it would be fetched. */
const REPOSITORY: Completions['one'] = {
  backend_identifier: null,
  container_repository_name: null,
  upstream_auth_exists: false,
  upstream_password_exists: false,
  ansible_collection_auth_token: null,
  // Each repository is the one of the Library.
  library_instance_id: null,
  product_type: ({ product }) => (membersOf(product).redhat === true ? 'redhat' : 'custom'),
  content_counts: () => Object.fromEntries(COUNTED.map((type) => [type, 0])),
  mirror_on_sync: ({ mirroring_policy }) => mirroring_policy !== 'additive',
}
const CONTENT_VIEW: Completions['one'] = { force_puppet_environment: false, puppet_modules: [] }
const VERSION: Completions['one'] = {
  puppet_modules: [],
  puppet_module_count: 0,
  ostree_branch_count: 0,
  'ansible collection_count': 0,
  environments: ({ environments }) => withKeysInEach(environments, { puppet_environment_id: null }),
}
const INTERFACE: Completions['one'] = { execution: null, compute_attributes: () => ({}) }
const LIFECYCLE_ENVIRONMENT: Completions['one'] = {
  counts: ({ counts }) => (isMembers(counts) ? { puppet_modules: 0, ...counts } : undefined),
}

/** The keys to add, by resource. A key whose value is undefined is not shown. */
const COMPLETED: Readonly<Record<string, Completions>> = {
  hosts: HOSTS,
  hostgroups: { list: HOSTGROUP, one: HOSTGROUP, row: HOSTGROUP_ROW },
  smart_proxies: {
    list: SMART_PROXY,
    one: SMART_PROXY,
    row: {
      content_counts: null,
      download_policy: null,
      expired_logs: null,
      hosts_count: null,
      http_proxy_id: null,
      pubkey: null,
      puppet_path: null,
    },
  },
  subnets: { list: SUBNET, one: SUBNET, row: SUBNET_ROW },
  compute_resources: { one: { provider_friendly_name: friendlyNameOf, compute_attributes: attributesOfMachines } },
  compute_profiles: { one: { compute_attributes: attributesOfMachines } },
  compute_attributes: { list: COMPUTE_ATTRIBUTE, one: COMPUTE_ATTRIBUTE },
  media: { row: { media_path: null, config_path: null, image_path: null } },
  ptables: { row: { ...TEMPLATE_ROW, template: ({ layout }) => layout ?? '', template_kind_id: null } },
  common_parameters: {
    list: { hidden_value: () => '*****' },
    one: { hidden_value: () => '*****' },
    row: { ...PARAMETER_ROW, reference_id: null },
  },
  organizations: { one: TAXONOMY, row: { ignore_types: [] } },
  content_organizations: { one: CONTENT_ORGANIZATION },
  locations: { one: TAXONOMY, row: { ignore_types: [] } },
  operatingsystems: { one: { config_templates: templatesOf }, row: { nameindicator: null } },
  provisioning_templates: { list: { audit_comment: null }, one: { audit_comment: null }, row: TEMPLATE_ROW },
  repositories: { list: REPOSITORY, one: REPOSITORY },
  content_views: { list: CONTENT_VIEW, one: CONTENT_VIEW },
  subscriptions: { list: SUBSCRIPTION, one: SUBSCRIPTION },
  content_view_versions: { list: VERSION, one: VERSION },
  interfaces: { list: INTERFACE, one: INTERFACE },
  lifecycle_environments: { list: LIFECYCLE_ENVIRONMENT, one: LIFECYCLE_ENVIRONMENT },
  external_usergroups: {
    list: EXTERNAL_GROUP,
    one: EXTERNAL_GROUP,
    row: {
      auth_source_id: ({ auth_source, auth_source_id }) => (isMembers(auth_source) ? auth_source.id : auth_source_id),
      usergroup_id: (record, { usergroup_id }) => record.usergroup_id ?? Number.parseInt(usergroup_id ?? '', 10),
    },
  },
  auth_source_ldaps: { row: { account_password: null } },
  personal_access_tokens: { row: { revoked: true, token: null } },
  parameters: { row: PARAMETER_ROW },
  configclasses: { one: { smart_variables: [] } },
  users: {
    one: {
      auth_source_internal: sourceOf('AuthSourceInternal'),
      auth_source_ldap: sourceOf('AuthSourceLdap'),
      auth_source_external: sourceOf('AuthSourceExternal'),
    },
    row: {
      name: ({ login, firstname, lastname }) => [firstname, lastname].filter(Boolean).join(' ') || login,
      lower_login: ({ login }) => String(login).toLowerCase(),
      avatar_hash: null,
      // Password hashes are never shown.
      password: null,
      password_hash: null,
      password_salt: null,
    },
  },
}

/** Writes that answer with the bare row in existing servers, and therefore without these keys. */
const ROWS = /\.(?:delete|clone|import|revoke|refresh|configrun)$|(?:^|\.)hosts\.facts$/

/** Keys of the input of a task that tell who asked for it. */
const TASK_INPUT: Readonly<Record<string, Filling>> = {
  organization: null,
  services_checked: [],
  remote_user: null,
  remote_cp_user: null,
  current_request_id: null,
  current_timezone: null,
  current_user_id: null,
  current_organization_id: null,
  current_location_id: null,
}

/** Inputs of the steps of a task as existing servers show them, by route; some are made from the answer of this service. */
const TASK_INPUTS: Readonly<Record<string, Readonly<Record<string, Filling>>>> = {
  'content_views.publish': {
    history_id: null,
    content_view_id: null,
    auto_publish_composite_ids: [],
    content_view_version_name: null,
    content_view_version_id: null,
    environment_id: null,
    user_id: null,
    skip_promotion: null,
  },
  'content_views.remove_from_environment': { history_id: null },
  'content_view_versions.promote': { environments: [] },
  'content_view_versions.delete': {
    id: ({ content_view_version: version }) => (isMembers(version) ? version.id : null),
  },
  'products.delete': { provider: null, product_id: null },
  'products.sync': { action_class: null, target_ids: [], target_class: null, args: [] },
}

/** Builds the step that adds the keys that clients look for to the answers of a route; null where none is missing. */
export function buildCompletionStep({ id, group, method, path }: Route): Step | null {
  const records = recordCompletion(id === 'service.current_user' ? 'users' : group, viewOf(id, path))
  if (method === 'GET' || !isContentPath(path)) return records
  const tasks = taskCompletion({ ...TASK_INPUT, ...TASK_INPUTS[id] })
  return records ? (inner) => tasks(records(inner)) : tasks
}

/** Completes the task with which writes of the content API may answer. */
function taskCompletion(additional: Readonly<Record<string, Filling>>): Step {
  const complete = createCompleter(additional)
  return (inner) => async (ctx, input) => {
    const answer = await inner(ctx, input)
    if (answer.status === 202 && isMembers(answer.body)) complete(answer.body.input, input.params)
    return answer
  }
}

function viewOf(id: string, path: string): keyof Completions {
  if (LISTED_BY_BODY.some((asked) => asked.path === path)) return 'asked'
  if (id.endsWith('.list')) return 'list'
  return ROWS.test(id) ? 'row' : 'one'
}

function recordCompletion(group: string, view: keyof Completions): Step | null {
  const fillings = COMPLETED[group]?.[view]
  if (!fillings) return null
  const complete = createCompleter(fillings)
  return (inner) => async (ctx, input) => {
    const answer = await inner(ctx, input)
    if (answer.status < 300) for (const record of recordsOf(answer, view)) complete(record, input.params)
    return answer
  }
}

/** Yields the records of an action's list, which are of another resource than the path names. */
function recordsOf({ body }: Answer, view: keyof Completions): readonly unknown[] {
  if (!isMembers(body)) return []
  if (Array.isArray(body.results)) return view === 'list' || view === 'asked' ? body.results : []
  return 'id' in body ? [body] : []
}

/**
 * Completes records in place: they were made for this answer, and copying lists of hosts would take longer than anything
 * else in this step. Existing keys stay, unless the added value is made from them.
 */
function createCompleter(fillings: Readonly<Record<string, Filling>>) {
  const entries = Object.entries(fillings)
  return (record: unknown, params: Parameters<Made>[1]): void => {
    if (!isMembers(record)) return
    const result = record
    const made = entries.flatMap(([key, filling]): [string, unknown][] =>
      typeof filling === 'function' ? [[key, filling(record, params)]] : key in record ? [] : [[key, filling]],
    )
    for (const [key, value] of made) if (value !== undefined) result[key] = value
  }
}

/** Counts the set bits of a network mask. */
function lengthOf(mask: string): number {
  const base = mask.includes(':') ? 16 : 10
  const ones = mask.split(/[.:]/).map(
    (part) =>
      Number.parseInt(part || '0', base)
        .toString(2)
        .replaceAll('0', '').length,
  )
  return ones.reduce((sum, each) => sum + each, 0)
}

/** Converts a text to a number; one with letters stays text. */
function asNumber(text: unknown): unknown {
  return typeof text === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
}
