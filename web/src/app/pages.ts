import type { Word } from '../words/words.ts'

export type Group = 'hosts' | 'configuration' | 'provisioning' | 'infrastructure' | 'content' | 'administration'

/** A page made by hand: a folder below pages/ whose page.tsx exports `Page`, and one line here. */
export interface Page {
  readonly folder: string
  /** As react-router has it: `hosts/:id`. It goes before the derived page of the same address. */
  readonly path: string
  readonly title: Word
  /** Where it stands in the navigation; not there when missing. */
  readonly group?: Group | 'top'
  /** One of these is needed to see it. */
  readonly permissions?: readonly string[]
}

export const PAGES: readonly Page[] = [
  { folder: 'dashboard', path: '', title: 'dashboard.title', group: 'top' },
  { folder: 'start', path: 'start', title: 'start.title' },
  { folder: 'account', path: 'account', title: 'account.title' },
  { folder: 'key', path: 'activation_keys/:id', title: 'key.title' },
  { folder: 'directory', path: 'auth_source_ldaps/new', title: 'directory.title' },
  { folder: 'directory', path: 'auth_source_ldaps/:id/edit', title: 'directory.title' },
  { folder: 'host-form', path: 'hosts/new', title: 'host.title' },
  { folder: 'host', path: 'hosts/:id', title: 'host.title' },
  { folder: 'rollout', path: 'config_rollouts/:id', title: 'rollout.title' },
  { folder: 'rollout-form', path: 'config_rollouts/new', title: 'rollout.title' },
  { folder: 'run', path: 'config_runs/:id', title: 'follow.title' },
  { folder: 'template-form', path: 'provisioning_templates/new', title: 'template.title' },
  { folder: 'template-form', path: 'provisioning_templates/:id/edit', title: 'template.title' },
  { folder: 'template', path: 'provisioning_templates/:id', title: 'template.title' },
  { folder: 'parameter', path: 'smart_class_parameters/:id', title: 'matcher.page' },
  {
    folder: 'history',
    path: 'history',
    title: 'timeline.title',
    group: 'administration',
    permissions: ['view_audit_logs'],
  },
  { folder: 'role', path: 'roles/:id', title: 'may.grants' },
  { folder: 'who-may', path: 'who_may', title: 'may.title', group: 'administration', permissions: ['view_users'] },
  { folder: 'shortcuts', path: 'shortcuts', title: 'help.shortcuts' },
]

/** The pages that every resource has. They come behind those made by hand, but for the form of something new. */
export const DERIVED: readonly { readonly path: string; readonly kind: 'list' | 'record' | 'form' }[] = [
  { path: ':resource', kind: 'list' },
  { path: ':resource/:id', kind: 'record' },
  { path: ':resource/:id/edit', kind: 'form' },
  { path: ':parent/:parentId/:resource', kind: 'list' },
  { path: ':parent/:parentId/:resource/new', kind: 'form' },
  { path: ':parent/:parentId/:resource/:id', kind: 'record' },
  { path: ':parent/:parentId/:resource/:id/edit', kind: 'form' },
]

/** Before pages such as `roles/:id`, which count as much: `new` is the id of nothing. */
export const DERIVED_FIRST = { path: ':resource/new', kind: 'form' } as const

/** Where lists of resources stand in the navigation. What is not here is found from the records that it belongs to. */
export const LISTS: Readonly<Record<Group, readonly string[]>> = {
  hosts: ['hosts', 'hostgroups', 'fact_values', 'config_reports', 'config_runs', 'config_rollouts', 'models'],
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
    'users',
    'usergroups',
    'roles',
    'filters',
    'auth_source_ldaps',
    'auth_sources',
    'organizations',
    'locations',
    'settings',
    'audits',
    'tasks',
  ],
}
