import type { Word } from '../words/words.ts'

export type Group = 'hosts' | 'configuration' | 'provisioning' | 'infrastructure' | 'content' | 'administration'

/** A handmade page: a folder below pages/ whose page.tsx exports `Page`, and an entry here. */
export interface Page {
  readonly folder: string
  /** The path as in react-router: `hosts/:id`. It takes precedence over the derived page of the same path. */
  readonly path: string
  readonly title: Word
  /** Permissions of which one is needed to see the page. */
  readonly permissions?: readonly string[]
}

export const PAGES: readonly Page[] = [
  { folder: 'dashboard', path: '', title: 'dashboard.title' },
  { folder: 'start', path: 'start', title: 'dashboard.everything' },
  { folder: 'account', path: 'account', title: 'account.title' },
  { folder: 'key', path: 'activation_keys/:id', title: 'key.title' },
  { folder: 'directory', path: 'auth_source_ldaps/new', title: 'directory.title' },
  { folder: 'directory', path: 'auth_source_ldaps/:id/edit', title: 'directory.title' },
  { folder: 'directory-record', path: 'auth_source_ldaps/:id', title: 'directory.page' },
  { folder: 'provider', path: 'auth_source_oidcs/:id/edit', title: 'provider.title' },
  { folder: 'host-form', path: 'hosts/new', title: 'host.title' },
  { folder: 'host-form', path: 'hosts/:id/edit', title: 'host.title' },
  { folder: 'group-tree', path: 'hostgroup_tree', title: 'tree.title', permissions: ['view_hostgroups'] },
  { folder: 'hostgroup', path: 'hostgroups/:id', title: 'hostgroup.page' },
  { folder: 'host', path: 'hosts/:id', title: 'host.title' },
  { folder: 'rollout', path: 'config_rollouts/:id', title: 'rollout.title' },
  { folder: 'rollout-form', path: 'config_rollouts/new', title: 'rollout.title' },
  { folder: 'run', path: 'config_runs/:id', title: 'follow.title' },
  { folder: 'template-form', path: 'provisioning_templates/new', title: 'template.title' },
  { folder: 'template-form', path: 'provisioning_templates/:id/edit', title: 'template.title' },
  { folder: 'template', path: 'provisioning_templates/:id', title: 'template.title' },
  { folder: 'template-form', path: 'ptables/new', title: 'template.title' },
  { folder: 'template-form', path: 'ptables/:id/edit', title: 'template.title' },
  { folder: 'template', path: 'ptables/:id', title: 'template.title' },
  { folder: 'template', path: 'report_templates/:id', title: 'template.title' },
  { folder: 'parameter', path: 'smart_class_parameters/:id', title: 'matcher.page' },
  { folder: 'history', path: 'history', title: 'timeline.title', permissions: ['view_audit_logs'] },
  { folder: 'role', path: 'roles/:id', title: 'may.grants' },
  { folder: 'who-may', path: 'who_may', title: 'may.title', permissions: ['view_users'] },
  { folder: 'consent', path: 'device', title: 'consent.device' },
  { folder: 'consent', path: 'authorize', title: 'consent.title' },
  { folder: 'shortcuts', path: 'shortcuts', title: 'help.shortcuts' },
]

/** The pages that every resource has. They come behind handmade ones, except for the form of a new record. */
export const DERIVED: readonly { readonly path: string; readonly kind: 'list' | 'record' | 'form' }[] = [
  { path: ':resource', kind: 'list' },
  { path: ':resource/:id', kind: 'record' },
  { path: ':resource/:id/edit', kind: 'form' },
  { path: ':parent/:parentId/:resource', kind: 'list' },
  { path: ':parent/:parentId/:resource/new', kind: 'form' },
  { path: ':parent/:parentId/:resource/:id', kind: 'record' },
  { path: ':parent/:parentId/:resource/:id/edit', kind: 'form' },
]

/** Comes before pages such as `roles/:id`, which would match, too: `new` is never an id. */
export const DERIVED_FIRST = { path: ':resource/new', kind: 'form' } as const

/**
 * The lists of resources in the navigation, and handmade pages by their paths. Other lists are reached from the records that they
 * belong to.
 */
export const LISTS: Readonly<Record<Group, readonly string[]>> = {
  hosts: [
    'hosts',
    'hostgroups',
    'hostgroup_tree',
    'config_reports',
    'config_runs',
    'config_rollouts',
    'fact_values',
    'models',
  ],
  configuration: [
    'configclasses',
    'config_groups',
    'environments',
    'smart_class_parameters',
    'common_parameters',
    'class_imports',
  ],
  provisioning: [
    'provisioning_templates',
    'operatingsystems',
    'architectures',
    'media',
    'ptables',
    'images',
    'template_kinds',
  ],
  infrastructure: ['smart_proxies', 'domains', 'subnets', 'realms', 'compute_resources', 'compute_profiles'],
  content: [
    'activation_keys',
    'content_views',
    'content_view_versions',
    'lifecycle_environments',
    'products',
    'repositories',
    'subscriptions',
    'host_collections',
  ],
  administration: [
    'history',
    'users',
    'usergroups',
    'roles',
    'who_may',
    'auth_source_ldaps',
    'auth_source_oidcs',
    'auth_sources',
    'organizations',
    'locations',
    'settings',
    'webhooks',
    'webhook_templates',
    'tasks',
  ],
}
