/** The reasons why records lack a key that clients know; each has to be in use. */
export const MISSING: readonly (readonly [about: RegExp, reason: string])[] = [
  [/ \w*password$| root_pass$|auth_token$/, 'Secrets are in no answer.'],
  [/^hosts show (?:compute_attributes|progress_report_id)$/, 'What makes virtual machines.'],
  [/^hosts show (?:content_view|lifecycle_environment)$/, 'Shown of hosts that have content.'],
  [/^(?:hosts list all_parameters|hostgroups list parameters)$/, 'Shown by lists that are asked for it (include).'],
  [/^hostgroups (?:list|show) (?:facet_param|two)$/, 'Made up by tests of the servers that were recorded.'],
  [/^filters show override$/, 'Shown there as `override?`, as here.'],
  [/^locations show ignore_types$/, 'Shown there as `select_all_types`, as here.'],
  [
    /^ptables show (?:audit_comment|host_ids|hostgroup_ids)$/,
    'Written, and shown nowhere; comments are shown with audits.',
  ],
  [/^smart_proxies show version$/, 'Proxies are asked for it at a path of its own.'],
  [/^subnets show (?:externalipam_group|remote_execution_proxy_ids)$/, 'Proxies of these kinds are not asked.'],
  [/^users show auth_source_ldap$/, 'Shown of users of such a source.'],
  [/^katello\/organizations show (?:location_id|organization|organization_id)$/, 'What a request is about.'],
  [/^katello\/repositories show (?:ostree_\w+)$/, 'Content of a kind that is not there.'],
  [/^katello\/environments show counts\./, 'Counted of the Library.'],
]
