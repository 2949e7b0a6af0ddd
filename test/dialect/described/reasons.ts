/** Why the description differs from the recorded one, by what is different. Each reason is needed. */
export const REASONS: readonly (readonly [about: RegExp, reason: string])[] = [
  [/^no parameter compute_resources\.|^no action compute_resources\./, 'Compute resources are named here, not used.'],
  [
    /^no parameter (?:hosts|interfaces|images)\.\w+ .*(?:compute_attributes|execution|user_data|\[password\]|progress_report_id|capabilities)/,
    'What makes virtual machines.',
  ],
  [/^no parameter ptables\.\w+ ptable\[audit_comment\]/, 'Audits of partition tables have no comment of their author.'],
  [
    /^no parameter (?:provisioning_templates|ptables)\.import options\[default\]$|^required ptables\.import ptable\[template\]$/,
    'Templates are imported as they are.',
  ],
  [/^not required interfaces\.index host_id$/, 'No host is named below a domain or a subnet.'],
  [
    /^no (?:path|parameter) (?:audits|environments|hostgroups|interfaces|fact_values)\.index /,
    'Lists below a parent that nobody was seen asking for.',
  ],
  [
    /^no (?:path|parameter) (?:environments|smart_proxies)\.import_puppetclasses/,
    'Each path is described with one resource.',
  ],
  [
    /^no parameter subnets\.\w+ subnet\[(?:externalipam_group|externalipam_id|remote_execution_proxy_ids)\]$/,
    'Proxies of these kinds are not asked.',
  ],
  [
    /^no parameter (?:hosts\.facts type|hostgroups\.clone name|roles\.show description|operatingsystems\.index os_parameters_attributes.*|smart_proxies\.\w+ smart_proxy\[download_policy\]|roles\.clone role\[(?:location|organization)_ids\]|(?:home\.\w+|users\.\w+|ping\.\w+|permissions\.resource_types|provisioning_templates\.build_pxe_default) (?:organization|location)_id)$/,
    'Never read by the servers themselves, or of no use here.',
  ],
  [/^no action foreman_tasks\.|^no (?:path|parameter) foreman_tasks\.index /, 'Tasks are listed, shown and cancelled.'],
  [
    /^no (?:action|path|parameter) (?:content_views|content_view_\w+|products|repositories|repository_sets|subscriptions|organizations|host_collections|lifecycle_environments|activation_keys|hostgroups|hosts|content_credentials|sync_plans)\b/,
    'A part of the content API that is not there, or goes by another parameter.',
  ],
  [
    /^type \w+\.\w+ (?:common_parameter|parameter|setting)\[value\] string any_type$|^type activation_keys\.content_override content_overrides\[value\] /,
    'Values have types here.',
  ],
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
    /^type (?:hosts\.index include|subnets\.freeip excluded_ips|content_views\.publish repos_units|host_collections\.index available_for|lifecycle_environments\.index library|repository_sets\.index \w+) /,
    'More forms are taken.',
  ],
  [
    /^type activation_keys\.(?:add|remove)_subscriptions (?:subscription_id|subscriptions\[id\]) \w+ any_type$/,
    'A pool is named by its id or its uuid.',
  ],
  [
    /^not required (?:hosts\.create host\[(?:organization|location)_id\]|activation_keys\.update organization_id|realms\.create .*|registration_commands\.create .*|users\.create user\[mail\]|\w+\.create (?:\w+\[)?(?:\w+\[?)?(?:parameter_type|value|name)\]?|\w+\.create \w+\[\w+_parameters_attributes\]\[\w+\])$/,
    'There is a default, or none is needed.',
  ],
]
