/** Names in templates of existing sites: our name stands left, theirs right. Templates may use both. */

/** Names of functions. */
export const TEMPLATE_FUNCTIONS: Readonly<Record<string, string>> = {
  unattended_url: 'foreman_url',
  chain_url: 'bootdisk_chain_url',
  server_url: 'foreman_server_url',
  server_fqdn: 'foreman_server_fqdn',
  server_ca_cert: 'foreman_server_ca_cert',
  request_address: 'foreman_request_addr',
  subscription_client_url: 'subscription_manager_configuration_url',
  host_config_server: 'host_puppet_server',
  host_config_ca_server: 'host_puppet_ca_server',
  host_config_environment: 'host_puppet_environment',
}

/** Names of methods of a host. */
export const HOST_METHODS: Readonly<Record<string, readonly string[]>> = {
  config_server: ['puppet_server'],
  config_ca_server: ['puppet_ca_server'],
  config_ca_token: ['puppetca_token'],
  organization_label: ['rhsm_organization_label'],
}

/** The older name of a host's server, which is always a text, because templates ask whether it is `empty?`. */
export const SERVER_AS_TEXT = 'puppetmaster'

/** Parameters that replace the smart proxies of a host that has none. */
export const HOST_PARAMETERS = {
  config_server: 'puppet_server',
  config_ca_server: 'puppet_ca_server',
  config_environment: 'puppet_environment',
} as const

/**
 * Settings that templates may read, by the names that they use; null for one that does not exist here and counts as blank.
 */
export const TEMPLATE_SETTINGS: Readonly<Record<string, string | null>> = {
  foreman_url: 'server_url',
  unattended_url: 'server_url',
  default_puppet_environment: 'default_config_environment',
  puppet_interval: 'outofsync_interval',
  email_reply_address: null,
  safemode_render: null,
  manage_puppetca: null,
  dns_timeout: null,
  name_generator_type: null,
  update_ip_from_built_request: null,
}

/** Plugins whose presence templates ask for, and that count as present. */
export const KNOWN_PARTS: readonly string[] = ['foreman_puppet']

/** Functions of reports and jobs, which templates of hosts cannot call, with what they are for. */
export const UNSUPPORTED_FUNCTIONS: Readonly<Record<string, string>> = {
  input: 'templates of hosts take no inputs',
  input_resource: 'templates of hosts take no inputs',
  report_row: 'there are no reports in templates of hosts',
  report_render: 'there are no reports in templates of hosts',
  report_headers: 'there are no reports in templates of hosts',
  render_template: 'other templates are put in as snippets',
  sequence_hostgroup_param_next: 'templates change nothing',
  host_status: 'templates read no statuses',
  all_host_statuses: 'templates read no statuses',
  all_host_statuses_hash: 'templates read no statuses',
  user_auth_source_name: 'templates read nothing of logins',
  previous_revision: 'templates read what is there now',
  transpile_coreos_linux_config: 'templates start no programs',
  transpile_fedora_coreos_config: 'templates start no programs',
  ...Object.fromEntries(
    `load_hosts load_users load_resource load_activation_keys load_host_collections load_pools load_errata_applications load_job_invocations`
      .split(' ')
      .map((name) => [name, 'templates of hosts read their host only']),
  ),
}

/** Functions of reports that load records, each with the resource that it loads. */
export const LOADED_RECORDS: Readonly<Record<string, string>> = {
  load_organizations: 'organization',
  load_locations: 'location',
  load_hosts: 'host',
  load_operating_systems: 'operatingsystem',
  load_subnets: 'subnet',
  load_smart_proxies: 'smart_proxy',
  load_user_groups: 'usergroup',
  load_host_groups: 'hostgroup',
  load_domains: 'domain',
  load_realms: 'realm',
  load_users: 'user',
  load_activation_keys: 'activation_key',
  load_host_collections: 'host_collection',
  load_pools: 'subscription',
}

/** Functions that reports cannot call, with the reason. */
export const UNSUPPORTED_IN_REPORTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(UNSUPPORTED_FUNCTIONS).filter(
      ([name]) =>
        !Object.hasOwn(LOADED_RECORDS, name) &&
        !/^(?:input|report_|host_status$|all_host_statuses|user_auth_source_name)/.test(name),
    ),
  ),
  load_resource: 'load_hosts and its like load what reports read',
  load_errata_applications: 'errata are not kept here',
  load_job_invocations: 'there are no jobs of this kind here',
}

/** The template whose rows the service makes itself, whatever its text. */
export const INVENTORY_TEMPLATE = 'Ansible - Ansible Inventory'
