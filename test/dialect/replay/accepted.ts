/** An accepted difference. Its exchange does not match, and is counted as explained. */
export interface Accepted {
  readonly route: RegExp
  readonly reason: RegExp
  /** Limits it to requests with such a URL. */
  readonly url?: RegExp
  /** Limits it to recordings of this kind. */
  readonly by?: 'client' | 'documentation'
  /** The explanation for docs/compatibility.md. */
  readonly why: string
}

/** All accepted differences. */
export const ACCEPTED: readonly Accepted[] = [
  {
    route: /./,
    reason: /^status 204 is 20\d$/,
    by: 'documentation',
    why: 'The example comes from a test with a stand-in for the record, which left the answer empty; real servers answer with a body.',
  },
  {
    route: /^GET \/api\/(?:hosts|hostgroups)$/,
    reason: /^key results\[\]\.(?:all_)?parameters of some servers$/,
    by: 'documentation',
    why: 'The example was asked with `include`, which its recorded request has lost; so asked, the key is here, too.',
  },
  {
    route: /^GET \/api\/locations$/,
    reason: /^key (?:data|locations) of some servers$/,
    by: 'documentation',
    why: 'The example was asked with `root_name`, which its recorded request has lost, and which no known client sends.',
  },
  {
    route: /^GET \/api\/(?:hosts|hostgroups)(?:\/:id)?$/,
    reason: /^key (?:results\[\]\.)?(?:facet_param|two|permissions\.view_\d) of some servers$/,
    by: 'documentation',
    why: 'The key was made up by the test that the example comes from.',
  },
  {
    route: /^GET \/api\/hosts\/post_index$/,
    reason: /^key (?!results\b).* of some servers$/,
    by: 'documentation',
    why: 'The example shows one host on the path of a list.',
  },
  {
    route: /^POST \/api\/hosts\/facts$/,
    reason: /^key message of some servers$/,
    by: 'documentation',
    why: 'That server lets out why its program failed; here the error names the field and what is allowed.',
  },
  {
    route: /./,
    reason: / of some servers$/,
    why: 'Other recorded servers leave the key away, too: it came or went with a version, or belongs to an extension.',
  },
  {
    route:
      /^POST \/(?:api\/(?:locations|organizations|hosts|environments|hosts\/:id\/puppetclass_ids)|katello\/api\/content_view_versions)\/:id$/,
    reason: /^no route$/,
    why: 'The example comes from a test below the router; the recorded servers have no such route.',
  },
  {
    route: /^\w+ \/katello/,
    reason: /^status 204 is 4\d\d/,
    by: 'documentation',
    why: 'The example comes from a test with a stand-in for the record, which none of the checks looked at.',
  },
  {
    route: /^POST \/katello\/api\/content_view_versions\/:id\/promote$/,
    reason: /^status 202 is 400/,
    by: 'documentation',
    why: 'The example comes from a test with a stand-in for the promotion; out of sequence, it needs `force`.',
  },
  {
    route: /^PUT \/api\/auth_source_ldaps\/:id\/test$/,
    reason: /^status 500 is 200/,
    by: 'documentation',
    why: 'The example shows a mistake in its own test.',
  },
  {
    route: /^POST \/api\/(?:provisioning|config)_templates$/,
    reason: /^status 404 is 422/,
    why: 'A kind of templates that does not exist is 404 in one recorded version and 422 in the later ones, as here.',
  },
  {
    route: /^POST \/api\/(?:provisioning|config)_templates\/:id\/clone$/,
    reason: /^key error\.errors\.operatingsystems/,
    why: 'The templates of those examples were invalid themselves.',
  },
  {
    route: /^GET \/api\/organizations\/:id\/job_templates$/,
    reason: /^no route$/,
    why: 'Templates of jobs belong to an extension.',
  },
  {
    route: /ansible_roles$/,
    reason: /^no route$/,
    why: 'Roles of that kind belong to an extension.',
  },
  {
    route: /smart_variables/,
    reason: /^no route$/,
    why: 'Variables outside classes were removed from the recorded servers in version 2.0.',
  },
  {
    route: /^\w+ \/api\/users\/:id\/mail_notifications$/,
    reason: /^(?:no route|status 200 is 422)$/,
    by: 'documentation',
    why: 'The example comes from a test below the router, which does not say which mail notification it is about.',
  },
  {
    route: /^POST \/api\/hostgroups\/:id\/rebuild_config$|\/build_pxe_default$|\/import_subnets$/,
    reason: /^(?:no route|status 200 is 422)$/,
    why: 'What smart proxies keep for DNS, DHCP and TFTP is not managed from here, so there is nothing to make anew or to read.',
  },
  {
    route: /^\w+ \/api\/smart_proxies\/:id\/(?:autosign|test)$/,
    reason: /^no route$/,
    why: 'Names whose certificates a smart proxy signs by itself are not managed from here.',
  },
  {
    route: /^PUT \/api\/operatingsystems\/:id$/,
    reason: /^key error\.errors\.type missing$/,
    by: 'documentation',
    why: 'That server names a column of its own; here the error names the key that was sent, `family`.',
  },
  {
    route: /\/(?:sync|upload|delete_manifest|manifest_history|republish_repositories|incremental_update)$/,
    reason: /^no route$|^status 20\d is 404$/,
    why: 'Packages are neither downloaded nor kept, and there are no manifests (docs/contract.md).',
  },
  {
    route: /^PUT \/katello\/api\/content_views\/:id\/remove_filters$/,
    reason: /^status 200 is 422$/,
    by: 'documentation',
    why: 'The example names a filter of another view, which that server passed over; here it is refused.',
  },
  {
    route: /^POST \/api\/hosts$/,
    reason: /^status 201 is 422$|^key error\.errors\.uuid missing$/,
    by: 'documentation',
    why: 'The examples take the place of the host from the context of their own test, or its name from a virtual machine of a stand-in for a compute resource.',
  },
  {
    route: /^POST \/api\/hosts\/:id$/,
    reason: /^status 500 is \d+/,
    by: 'documentation',
    why: 'The example shows what a registration is answered with while the services that it needs are down.',
  },
  {
    route: /^DELETE \/api\/locations\/:id$/,
    reason: /^status 200 is 409$/,
    why: 'The recorded server refuses to delete a location that others lie in with 200 and an error in the answer; here the status is 409.',
  },
  {
    route: /^(?:GET|PUT) \/api\/settings(?:\/:id)?$/,
    reason: /^(?:status 200 is 404|no results), records cannot be made$/,
    url: /destroy_vm_on_host_delete|clean_up_failed_deployment/,
    why: 'This service does not ask compute resources for virtual machines, so there are none that it could delete.',
  },
  {
    route: /^GET \/api\/settings(?:\/:id)?$/,
    reason: /^(?:status 200 is 404|no results), records cannot be made$/,
    url: /ct_command|access_unattended_without_build|301564180/, // the id is of the second
    why: 'Hosts fetch what installs them only while they wait for that, and nothing is transpiled.',
  },
]
