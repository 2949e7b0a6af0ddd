import type { Answer, Route } from '../kernel/route.ts'
import { isContentPath } from './paths.ts'
import type { Step } from './shapes.ts'

type Members = Readonly<Record<string, unknown>>

/** What a key shows: always the same, or what the rest of the record makes of it. */
type Filling = null | boolean | number | string | readonly [] | Members | Made

/** Made of the record and of the parents in the path; such a key is written anew where the record has it. */
type Made = (record: Members, params: Readonly<Record<string, string>>) => unknown

/** Keys of records, by where they stand: in lists, alone, or as the bare row that some writes answer with. */
interface Completions {
  readonly list?: Readonly<Record<string, Filling>>
  readonly one?: Readonly<Record<string, Filling>>
  readonly row?: Readonly<Record<string, Filling>>
}

// What clients of the dialect were told of features that this service does not have: that there is nothing of them.
const HOST: Completions['one'] = {
  puppet_status: 0,
  reported_data_attributes: null,
  configuration_status: 0,
  configuration_status_label: 'No reports',
  puppet: ({ puppetclasses, config_groups, all_puppetclasses }) => ({
    puppetclasses: puppetclasses ?? [],
    config_groups: config_groups ?? [],
    all_puppetclasses: all_puppetclasses ?? [],
  }),
}
const HOSTGROUP: Completions['one'] = {
  openscap_proxy_id: null,
  openscap_proxy_name: null,
  openscap_proxy: null,
  content_source_id: null,
  content_source_name: null,
  content_view_id: null,
  content_view_name: null,
  lifecycle_environment_id: null,
  lifecycle_environment_name: null,
  kickstart_repository_id: null,
  kickstart_repository_name: null,
}
const HOSTGROUP_ROW: Completions['row'] = {
  ancestry: null,
  grub_pass: '',
  image_file: '',
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
  httpboot: null,
  httpboot_id: null,
  httpboot_name: null,
}
const TAXONOMY_DEPRECATIONS = { environments: 'Environments got deprecated from this endpoint.' }
const templatesAsConfig = ({ provisioning_templates }: Members) => provisioning_templates ?? []
const TAXONOMY: Completions['one'] = { deprecations: TAXONOMY_DEPRECATIONS, config_templates: templatesAsConfig }
const CONTENT_ORGANIZATION: Completions['one'] = {
  ...TAXONOMY,
  cdn_configuration: null,
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
  const { auth_source } = record as { auth_source?: { type?: string } } // a link to a source, where it is shown
  return auth_source?.type === type ? auth_source : undefined
}
const EXTERNAL_GROUP: Completions['one'] = {
  auth_source_ldap: sourceOf('AuthSourceLdap'),
  auth_source_external: sourceOf('AuthSourceExternal'),
}
const CONTENT_VIEW: Completions['one'] = { force_puppet_environment: false, puppet_modules: [] }
const VERSION: Completions['one'] = {
  puppet_modules: [],
  puppet_module_count: 0,
  ostree_branch_count: 0,
  'ansible collection_count': 0,
  environments: ({ environments }) => eachWith(environments, { puppet_environment_id: null }),
}
const LIFECYCLE_ENVIRONMENT: Completions['one'] = {
  counts: ({ counts }) => (isMembers(counts) ? { puppet_modules: 0, ...counts } : undefined),
}
const USER: Completions['list'] = { mail_enabled: false }

/** By resource. What is left out of a record (undefined) is not shown. */
const COMPLETED: Readonly<Record<string, Completions>> = {
  hosts: { list: { puppet_status: 0 }, one: HOST, row: { discovery_rule_id: null, puppet_attributes: null } },
  hostgroups: { list: HOSTGROUP, one: HOSTGROUP, row: HOSTGROUP_ROW },
  smart_proxies: {
    list: SMART_PROXY,
    one: SMART_PROXY,
    row: {
      content_counts: null,
      download_policy: null,
      expired_logs: null,
      http_proxy_id: null,
      pubkey: null,
      puppet_path: null,
    },
  },
  subnets: { list: SUBNET, one: SUBNET },
  organizations: { one: TAXONOMY, row: { ignore_types: [], ancestry: null } },
  content_organizations: { one: CONTENT_ORGANIZATION },
  locations: { one: TAXONOMY, row: { ignore_types: [], ancestry: null } },
  operatingsystems: { one: { config_templates: templatesAsConfig }, row: { nameindicator: null } },
  provisioning_templates: { list: { audit_comment: null }, one: { audit_comment: null }, row: TEMPLATE_ROW },
  content_views: { list: CONTENT_VIEW, one: CONTENT_VIEW },
  content_view_versions: { list: VERSION, one: VERSION },
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
  parameters: {
    row: { hidden_value: () => '*****', searchable_value: ({ value }) => (typeof value === 'string' ? value : null) },
  },
  configclasses: { one: { smart_variables: [] } },
  users: {
    list: USER,
    one: {
      ...USER,
      mail_notifications: [],
      auth_source_internal: sourceOf('AuthSourceInternal'),
      auth_source_ldap: sourceOf('AuthSourceLdap'),
      auth_source_external: sourceOf('AuthSourceExternal'),
    },
    row: {
      name: ({ login, firstname, lastname }) => [firstname, lastname].filter(Boolean).join(' ') || login,
      lower_login: ({ login }) => String(login).toLowerCase(),
      mail_enabled: false,
      avatar_hash: null,
      // What a password is kept as is told to nobody.
      password: null,
      password_hash: null,
      password_salt: null,
    },
  },
}

/** Writes that answer with the bare row, which those servers did not go over again. */
const ROWS = /\.(?:delete|clone|import|revoke|refresh)$/

/** What tasks say besides of who asked for them. */
const TASK_INPUT: Members = {
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

/** And what they say of the steps that those servers take, by route. */
const TASK_INPUTS: Readonly<Record<string, Members>> = {
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
  'products.delete': { provider: null, product_id: null },
  'products.sync': { action_class: null, target_ids: [], target_class: null, args: [] },
}

/** Adds the keys that clients look for to what the service answers with; null where it has them all. */
export function completion({ id, group, method, path }: Route): Step | null {
  const records = recordCompletion(id, group)
  if (method === 'GET' || !isContentPath(path)) return records
  const tasks = taskCompletion({ ...TASK_INPUT, ...TASK_INPUTS[id] })
  return records ? (inner) => tasks(records(inner)) : tasks
}

/** Writes of the content API may answer with a task. */
function taskCompletion(additional: Members): Step {
  return (inner) => async (ctx, input) => {
    const answer = await inner(ctx, input)
    if (answer.status !== 202 || !isMembers(answer.body) || !isMembers(answer.body.input)) return answer
    return { ...answer, body: { ...answer.body, input: { ...additional, ...answer.body.input } } }
  }
}

function recordCompletion(id: string, group: string): Step | null {
  const view = id.endsWith('.list') ? 'list' : ROWS.test(id) ? 'row' : 'one'
  const fillings = Object.entries(COMPLETED[group]?.[view] ?? {})
  if (fillings.length === 0) return null
  return (inner) => async (ctx, input) => {
    const answer = await inner(ctx, input)
    const complete = (record: Members): Members => completed(record, fillings, input.params)
    return answer.status < 300 && isMembers(answer.body) ? { ...answer, body: within(answer, complete) } : answer
  }
}

function within({ body }: Answer, complete: (record: Members) => Members): unknown {
  if (!isMembers(body)) return body
  if (!('results' in body)) return 'id' in body ? complete(body) : body
  const { results } = body
  return Array.isArray(results)
    ? { ...body, results: results.map((each) => (isMembers(each) ? complete(each) : each)) }
    : body
}

/** Keys of the record itself stay, where they are not made of it. */
function completed(record: Members, fillings: readonly [string, Filling][], params: Parameters<Made>[1]): Members {
  const result: Record<string, unknown> = { ...record }
  for (const [key, filling] of fillings) {
    const isMade = typeof filling === 'function'
    if (!isMade && key in record) continue
    const value = isMade ? filling(record, params) : filling
    if (value !== undefined) result[key] = value
  }
  return result
}

function eachWith(records: unknown, additional: Members): unknown {
  return Array.isArray(records) ? records.map((each) => ({ ...additional, ...each })) : undefined
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
