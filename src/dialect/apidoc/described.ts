import { describeSegment, type Parameter, parseParameter, withNested } from './parameters.ts'

/** One action of a resource in the description. */
export interface DescribedAction {
  readonly name: string
  readonly summary: string
  readonly apis: readonly { readonly method: string; readonly path: string }[]
  readonly parameters: readonly Parameter[]
}

/**
 * Actions that clients need to find in the description before they start, even where this service has no such resource
 * (clients.md §2, §6); routes that are not served answer 404. A line is a method and a path, then parameters.
 */
const DESCRIBED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  content_view_filters: {
    index:
      'GET /katello/api/content_view_filters search order page# per_page# sort_by sort_order full_result? content_view_id#! name types[]',
    show: 'GET /katello/api/content_view_filters/:id content_view_id#',
    create:
      'POST /katello/api/content_view_filters content_view_id#! name! type! original_packages? inclusion? repository_ids[] description original_module_streams?',
    update:
      'PUT /katello/api/content_view_filters/:id content_view_id# name original_packages? inclusion? repository_ids[] description original_module_streams?',
    destroy: 'DELETE /katello/api/content_view_filters/:id content_view_id#',
  },
  content_view_filter_rules: {
    index:
      'GET /katello/api/content_view_filters/:content_view_filter_id/rules search order page# per_page# sort_by sort_order full_result? name errata_id',
    show: 'GET /katello/api/content_view_filters/:content_view_filter_id/rules/:id',
    create:
      'POST /katello/api/content_view_filters/:content_view_filter_id/rules name[] uuid version architecture min_version max_version errata_id errata_ids[] start_date end_date types[] date_type module_stream_ids[]',
    update:
      'PUT /katello/api/content_view_filters/:content_view_filter_id/rules/:id name uuid version architecture min_version max_version errata_id start_date end_date types[] date_type',
    destroy: 'DELETE /katello/api/content_view_filters/:content_view_filter_id/rules/:id',
  },
  // Without them the command line breaks off with an error of its own instead of saying what the service says.
  mail_notifications: {
    index: 'GET /api/mail_notifications search order page# per_page organization_id# location_id#',
    show: 'GET /api/mail_notifications/:id organization_id# location_id#',
    create:
      'POST /api/users/:user_id/mail_notifications mail_notification_id#! interval subscription mail_query organization_id# location_id#',
    update:
      'PUT /api/users/:user_id/mail_notifications/:mail_notification_id interval subscription mail_query organization_id# location_id#',
    destroy: 'DELETE /api/users/:user_id/mail_notifications/:mail_notification_id organization_id# location_id#',
    user_mail_notifications: 'GET /api/users/:user_id/mail_notifications organization_id# location_id#',
  },
  recurring_logics: {
    index: 'GET /foreman_tasks/api/recurring_logics search order page# per_page organization_id# location_id#',
    show: 'GET /foreman_tasks/api/recurring_logics/:id organization_id# location_id#',
  },
  flatpak_remotes: {
    index: 'GET /katello/api/flatpak_remotes search order page# per_page# full_result? organization_id# name',
    show: 'GET /katello/api/flatpak_remotes/:id organization_id#',
  },
}

/**
 * Resources that are served, but described as in this table, because command lines fail on paths and parameters that they do
 * not expect.
 */
const AS_DESCRIBED = new Set(['content_view_filters', 'content_view_filter_rules', 'mail_notifications'])

/** Lists the described actions that no served route has, and those that the table describes on purpose. */
export function listUnservedActions(
  served: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
): Readonly<Record<string, readonly DescribedAction[]>> {
  return Object.fromEntries(
    Object.entries(DESCRIBED)
      .filter(([resource]) => !served.has(resource) || AS_DESCRIBED.has(resource))
      .map(([resource, actions]) => [resource, Object.entries(actions).map(([name, line]) => read(name, line))]),
  )
}

function read(name: string, line: string): DescribedAction {
  const [method = '', path = '', ...parameters] = line.split(' ')
  const segments = [...path.matchAll(/:(\w+)/g)].map(([, segment = '']) => describeSegment(segment, true))
  return {
    name,
    summary: '',
    apis: [{ method, path }],
    parameters: [...segments, ...parameters.map((one) => parseParameter(one))],
  }
}

/** Parameters of some actions that their schemas do not name. */
const ALSO_READ: Readonly<Record<string, string>> = {
  'common_parameters.index': 'show_hidden?',
  'common_parameters.show': 'show_hidden?',
  'parameters.index': 'show_hidden?',
  'parameters.show': 'show_hidden?',
  'domains.show': 'show_hidden_parameters?',
  'hostgroups.show': 'show_hidden_parameters?',
  'hosts.show': 'show_hidden_parameters?',
  'locations.show': 'show_hidden_parameters?',
  'operatingsystems.show': 'show_hidden_parameters?',
  'organizations.show': 'show_hidden_parameters?',
  'subnets.show': 'show_hidden_parameters?',
  // Keys of records beside the object that wraps the others, and older words for them.
  'activation_keys.create': 'environment{}',
  'compute_attributes.create': 'compute_profile_id compute_resource_id',
  'compute_attributes.update': 'compute_profile_id compute_resource_id',
  'hostgroups.clone': 'name',
  'lifecycle_environments.update': 'new_name',
  'organizations.update': 'redhat_repository_url',
  'repository_sets.show': 'product_id#',
}

/**
 * Members of records that their schemas do not name, or that are refused unless they are blank: hash of parameters by action,
 * in the same notation. Those of the action itself have no name before them.
 */
const ALSO_SENT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...writesOf('compute_resources', { compute_resource: 'project_domain_name' }),
  ...writesOf('hostgroups', { hostgroup: 'kickstart_repository_id#' }),
  ...writesOf('repositories', { '': 'mirror_on_sync?' }),
  'host_subscriptions.create': { installed_products: 'product_name' },
  'hosts_bulk_actions.add_subscriptions': { subscriptions: 'id! quantity#!' },
  'hosts_bulk_actions.content_overrides': { content_overrides: 'content_label! value name remove?' },
  'hosts_bulk_actions.remove_subscriptions': { subscriptions: 'id! quantity#' },
  'roles.clone': { role: 'location_ids[] organization_ids[]' },
}

function writesOf(resource: string, members: Readonly<Record<string, string>>) {
  return { [`${resource}.create`]: members, [`${resource}.update`]: members }
}

/** Adds the members that the schemas do not name to the parameters of an action. */
export function withFurtherMembers(action: string, parameters: readonly Parameter[]): readonly Parameter[] {
  const members = ALSO_SENT[action]
  if (members === undefined) return parameters
  return [...parameters.map((one) => withMembers(one, members)), ...readMembers(members[''])]
}

function withMembers(parameter: Parameter, members: Readonly<Record<string, string>>): Parameter {
  const { full_name, params = [] } = parameter
  const all = [...params.map((one) => withMembers(one, members)), ...readMembers(members[full_name], full_name)]
  return all.length === 0 ? parameter : withNested(parameter, all)
}

function readMembers(line = '', parent: string | null = null): Parameter[] {
  return line === '' ? [] : line.split(' ').map((one) => parseParameter(one, parent))
}

/** Lists the parameters of an action that its schemas do not name. */
export function listFurtherParameters(resource: string, action: string): Parameter[] {
  return readMembers(ALSO_READ[`${resource}.${action}`])
}
