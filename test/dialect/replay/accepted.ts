/** A difference that is as it should be. Its exchange does not match, and is counted as explained. */
export interface Accepted {
  readonly route: RegExp
  readonly reason: RegExp
  /** Only of recordings of this kind. */
  readonly by?: 'client' | 'documentation'
  /** A sentence for docs/compatibility.md. */
  readonly why: string
}

/** Every difference that was decided on, with its reason. */
export const ACCEPTED: readonly Accepted[] = [
  {
    route: /./,
    reason: /^status 204 is 20\d$/,
    by: 'documentation',
    why: 'The example comes from a test with a stand-in for the record, which left the answer empty; real servers answer with a body.',
  },
  {
    route: /./,
    reason: / of some servers$/,
    why: 'Other recorded servers leave the key away, too: it came or went with a version, or belongs to an extension.',
  },
  {
    route: /^POST \/api\/(?:locations|organizations|hosts|environments)\/:id$/,
    reason: /^no route$/,
    why: 'The example comes from a test below the router; the recorded servers have no such route.',
  },
  {
    route: /^POST \/api\/hosts\/:id\/puppetclass_ids(?:\/:id)?$/,
    reason: /^no route$|^status 404 is 422$/,
    why: 'The examples answer a class that is not there now with 404, now with 422; ours is 422.',
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
    route: /^GET \/api\/organizations\/:id\/(?:job|report)_templates$/,
    reason: /^no route$/,
    why: 'Templates of these kinds belong to extensions.',
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
    reason: /^no route$/,
    why: 'This service sends no mail.',
  },
  {
    route: /^POST \/api\/hostgroups\/:id\/rebuild_config$|\/build_pxe_default$|\/import_subnets$/,
    reason: /^no route$/,
    why: 'What smart proxies keep for DNS, DHCP and TFTP is not managed from here, so there is nothing to make anew or to read.',
  },
  {
    route: /^\w+ \/api\/smart_proxies\/:id\/(?:autosign|test)$/,
    reason: /^no route$/,
    why: 'Names whose certificates a smart proxy signs by itself are not managed from here.',
  },
  {
    route: /^\w+ \/api\/smart_proxies\/:id\/hosts/,
    reason: /^no route$|^status \d+ is 404$/,
    why: 'Which host a smart proxy runs on is not kept.',
  },
  {
    route:
      /\/(?:sync|upload|delete_manifest|manifest_history|republish_repositories|incremental_update|remove_filters)$/,
    reason: /^no route$|^status 20\d is 404$/,
    why: 'Packages are neither downloaded nor kept, views have no filters, and there are no manifests (docs/contract.md).',
  },
  {
    route: /^POST \/api\/users$/,
    reason: /^status 201 is 422$/,
    by: 'documentation',
    why: 'The examples create users without a mail address, which is needed here.',
  },
]
