import type { Parameter } from './parameters.ts'

// Clients derive their options from the description: a parameter that is required or not changes what they ask for first,
// and an unexpected one can keep a whole part of a client from starting (docs/compatibility.md). So some actions are
// described as the existing servers describe them, even where this service takes more, or less.

/** Actions of the content API that existing servers describe with an organization; none of them has a location. */
const WITHIN_ORGANIZATIONS: ReadonlySet<string> = new Set([
  'activation_keys.copy',
  'activation_keys.create',
  'activation_keys.show',
  'activation_keys.update',
  'content_credentials.create',
  'content_views.create',
  'host_collections.create',
  'host_collections.show',
  'products.create',
  'products.show',
  'repositories.show',
  'repository_sets.show',
  'subscriptions.show',
  'simple_content_access.enable',
  'simple_content_access.disable',
  'simple_content_access.status',
  ...['create', 'show', 'update', 'destroy', 'paths'].map((action) => `lifecycle_environments.${action}`),
])

/** Lists that are described without an organization. */
const NOT_LISTED_WITHIN: ReadonlySet<string> = new Set([
  'content_view_components.index',
  'content_view_histories.index',
])

/** Tells whether an action of the content API is described with this parameter, which every route takes. */
export function isDescribedWith(action: string, parameter: string): boolean {
  if (parameter === 'location_id') return false
  if (parameter !== 'organization_id') return true
  return WITHIN_ORGANIZATIONS.has(action) || (action.endsWith('.index') && !NOT_LISTED_WITHIN.has(action))
}

/** Parameters that existing servers require and this service does not, by full name; with `-` the other way round. */
const REQUIRED: Readonly<Record<string, string>> = {
  'activation_keys.add_subscriptions': '-subscriptions[id]',
  'activation_keys.content_override': '-content_overrides',
  'activation_keys.create': 'organization_id',
  'activation_keys.index': 'organization_id',
  'activation_keys.remove_subscriptions': '-subscriptions[id]',
  'compute_resources.create': '-compute_resource[provider]',
  'content_view_components.remove_components': 'component_ids',
  'content_view_versions.update': 'description',
  'content_credentials.create': 'organization_id',
  'content_credentials.index': 'organization_id',
  'content_views.create': 'organization_id',
  'environments.import_puppetclasses': '-environment_id',
  'external_usergroups.create': 'usergroup_id external_usergroup[name] external_usergroup[auth_source_id]',
  'external_usergroups.destroy': 'usergroup_id',
  'external_usergroups.index': 'usergroup_id',
  'external_usergroups.refresh': 'usergroup_id',
  'external_usergroups.show': 'usergroup_id',
  'external_usergroups.update': 'usergroup_id',
  'foreman_tasks.show': '-id',
  'host_collections.add_hosts': '-host_ids',
  'host_collections.create': 'organization_id',
  'host_collections.remove_hosts': '-host_ids',
  'host_subscriptions.create': 'name -installed_products[product_id]',
  'images.create': 'compute_resource_id -image[architecture_id] -image[operatingsystem_id]',
  'images.destroy': 'compute_resource_id',
  'images.update': 'compute_resource_id',
  'lifecycle_environments.create': 'organization_id prior_id',
  'os_default_templates.create':
    '-operatingsystem_id -os_default_template[provisioning_template_id] -os_default_template[template_kind_id]',
  'os_default_templates.destroy': '-operatingsystem_id',
  'os_default_templates.show': '-operatingsystem_id',
  'os_default_templates.update': '-operatingsystem_id',
  'override_values.create': '-smart_class_parameter_id override_value[match]',
  'override_values.destroy': '-smart_class_parameter_id',
  'override_values.index': '-smart_class_parameter_id',
  'override_values.show': '-smart_class_parameter_id',
  'override_values.update': '-smart_class_parameter_id',
  'products.create': 'organization_id',
  'products.destroy': '-id',
  'products.index': 'organization_id',
  'provisioning_templates.import': '-provisioning_template[template]',
  'roles.clone': '-role[name]',
  'simple_content_access.disable': 'organization_id',
  'simple_content_access.enable': 'organization_id',
  'subscriptions.index': 'organization_id',
}

/** Marks the parameters of an action as required where existing servers require them. */
export function withRequired(action: string, parameters: readonly Parameter[]): readonly Parameter[] {
  const stated = REQUIRED[action]
  if (stated === undefined) return parameters
  const words = new Map(stated.split(' ').map((word) => [word.replace(/^-/, ''), !word.startsWith('-')]))
  return parameters.map((one) => declareRequired(one, words))
}

function declareRequired(parameter: Parameter, words: ReadonlyMap<string, boolean>): Parameter {
  const { full_name, required, params } = parameter
  return {
    ...parameter,
    required: words.get(full_name) ?? required,
    ...(params && { params: params.map((one) => declareRequired(one, words)) }),
  }
}
