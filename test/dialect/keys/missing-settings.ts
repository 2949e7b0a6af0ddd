/** The reasons why settings of existing servers are not here; each has to be in use. */
export const MISSING_SETTINGS: readonly (readonly [about: RegExp, reason: string])[] = [
  [/^(?:smtp_|sendmail_|email_|delivery_method$|send_welcome_email$|failed_report_email)/, 'No mail is sent.'],
  [/^(?:oauth_|oidc_)/, 'Logins of these kinds come later.'],
  [/^(?:ssl_|websockets_|server_ca_file$)/, 'Options of the configuration, because a process needs them to start.'],
  [
    /^(?:libvirt_|destroy_vm|clean_up_failed|use_shortname_for_vms$|ssh_timeout$|ct_command$|fcct_command$)/,
    'No virtual machines are made.',
  ],
  [/^(?:use_uuid_for_certificates|manage_puppetca)$/, 'Certificates of the engine are not made here.'],
  [/^(?:dns_timeout|query_local_nameservers)$/, 'Name servers are not asked.'],
  [/^(?:db_pending_seed|fix_db_cache|bcrypt_cost|instance_id)$/, 'Inner matters of those servers.'],
  [
    /^(?:host_details_ui|new_hosts_page|lab_features|display_fqdn_for_hosts|instance_color|always_show_configuration_status)$/,
    'How their console looks.',
  ],
  [/^(?:rss_url)$/, 'No news are read.'],
  [/^(?:safemode_render|maximum_structured_facts)$/, 'Templates and facts are always limited.'],
  [/^(?:append_domain_name_for_hosts|name_generator_type)$/, 'Hosts have one way to get their names.'],
  [
    /^(?:access_unattended_without_build|update_ip_from_built_request|create_new_host_when_report_is_uploaded)$/,
    'A machine proves who it is before it changes anything.',
  ],
  [/^(?:update_environment_from_facts|update_subnets_from_facts)$/, 'Facts change neither.'],
  [/^audits_period$/, 'The setting audits_keep says how long audits stay.'],
]
