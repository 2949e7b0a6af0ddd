/**
 * Why the description differs from the recorded one, by what is different. Each reason is needed. Parameters that are not
 * there at all are listed one by one in docs/compatibility.md.
 */
export const REASONS: readonly (readonly [about: RegExp, reason: string])[] = [
  [/^no action compute_resources\./, 'Compute resources are named here, not used.'],
  [/^required ptables\.import ptable\[template\]$/, 'Templates are imported as they are.'],
  [/^not required interfaces\.index host_id$/, 'No host is named below a domain or a subnet.'],
  [
    /^no path (?:audits|hostgroups|interfaces|fact_values|report_templates)\.index /,
    'Lists below a parent that nobody was seen asking for.',
  ],
  [/^no path (?:environments|smart_proxies)\.import_puppetclasses/, 'Each path is described with one resource.'],
  [
    /^no path (?:compute_attributes\.\w+|config_reports\.last) /,
    'Clients take the shortest path; the others are served, too.',
  ],
  [/^no action foreman_tasks\.|^no path foreman_tasks\.index /, 'Tasks are listed, shown and cancelled.'],
  [
    /^no (?:action|path) (?:content_views|content_view_\w+|products|repositories|repository_sets|subscriptions|organizations|host_collections|lifecycle_environments|activation_keys|hostgroups|hosts|content_credentials|sync_plans)\b/,
    'A part of the content API that is not there.',
  ],
  [
    /^type \w+\.\w+ (?:common_parameter|parameter|setting)\[value\] string any_type$|^type (?:activation_keys|host_subscriptions)\.content_override content_overrides\[value\] /,
    'Values have types here.',
  ],
  [/^type content_credentials\.set_content content file string$/, 'One form for all bodies.'],
  [/^type common_parameters\.\w+ common_parameter\[hidden_value\] string boolean$/, 'It is true or false.'],
  [
    /^type \w+\.\w+ (?:\w+\[)?\w*_id\]? (?:string numeric|numeric string)$|^type \w+\.\w+ id (?:string numeric|numeric string)$/,
    'Ids are said to be numbers in one place and texts in another; both are taken.',
  ],
  [/^type subnets\.\w+ subnet\[(?:cidr|vlanid)\] string numeric$/, 'They are numbers.'],
  [
    /^type hosts\.\w+ host\[content_facet_attributes\]\[(?:content_source_id|kickstart_repository_id)\] numeric any_type$/,
    'Hosts get content from this service alone, so that nothing but null is taken.',
  ],
  [
    /^type (?:hosts\.index include|subnets\.freeip excluded_ips|content_views\.publish repos_units|host_collections\.index available_for|lifecycle_environments\.index library|repository_sets\.index \w+|hosts_bulk_actions\.\w+ \w+) /,
    'More forms are taken.',
  ],
  [
    /^type (?:activation_keys|host_subscriptions)\.(?:add|remove)_subscriptions (?:subscription_id|subscriptions\[id\]) \w+ any_type$/,
    'A pool is named by its id or its uuid.',
  ],
  [
    /^not required hosts_bulk_actions\.|^required host_subscriptions\.remove_subscriptions subscriptions$/,
    'The service itself says what is missing.',
  ],
  [
    /^not required compute_attributes\.create |^not required hostgroups\.clone name$/,
    'The same is taken as a key of the record.',
  ],
  [
    /^not required (?:host_subscriptions\.add_subscriptions subscriptions\[quantity\]|hosts\.create host\[(?:organization|location)_id\]|activation_keys\.update organization_id|realms\.create .*|registration_commands\.create .*|users\.create user\[mail\]|\w+\.create (?:\w+\[)?(?:\w+\[?)?(?:parameter_type|value|name)\]?|\w+\.create \w+\[\w+_parameters_attributes\]\[\w+\])$/,
    'There is a default, or none is needed.',
  ],
]

/** Why the service requires what the description does not. Nothing else is required, and all that is described so. */
export const REQUIRED_SOMETIMES: Readonly<Record<string, string>> = {
  'compute_resources.create requires provider': 'Existing servers describe it like this, and refuse it, too.',
  'hosts.create requires architecture_id': 'Of managed hosts only.',
  'hosts.create requires mac': 'Of managed hosts only.',
  'hosts.create requires operatingsystem_id': 'Of managed hosts only.',
  'images.create requires architecture_id': 'Existing servers describe it like this.',
  'images.create requires operatingsystem_id': 'Existing servers describe it like this.',
  'provisioning_templates.create requires template_kind_id': 'Of templates that are no snippets.',
  'registration_commands.create requires organization_id': 'If there are several, and the user has no default one.',
  'subnets.create requires cidr': 'One of it and the mask.',
  'subnets.create requires mask': 'One of it and the prefix length.',
  'users.create requires password_hash': 'The password, of users of the internal source.',
  'webhooks.create requires events': 'Clients call it event: a webhook has one for them.',
}
