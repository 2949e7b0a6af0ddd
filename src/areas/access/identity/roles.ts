/** A permission as the program declares it (core-api §7.1). */
export interface PermissionDeclaration {
  readonly name: string
  /** Null for permissions that are about no single resource, e.g. `escalate_roles`. */
  readonly resourceType: string | null
}

/** A role that comes with the program. In the names of its permissions `*` stands for any text. */
export interface SeededRole {
  readonly name: string
  readonly description: string
  /** 2: the default role, which everybody has and which may be changed. All others are locked. */
  readonly builtin: 0 | 2
  readonly permissions: readonly string[]
  readonly except: readonly string[]
  /** Searches that limit some of the permissions, by permission. */
  readonly searches?: Readonly<Record<string, string>>
}

const SETTINGS = ['view_settings', 'edit_settings']
const MANAGING_ROLES = [
  'create_roles',
  'edit_roles',
  'destroy_roles',
  'escalate_roles',
  'create_filters',
  'edit_filters',
  'destroy_filters',
]

// These permissions reach beyond the organizations of their holder. Users in all organizations do not need them.
const SHARED = ['*_shared_override_values', 'reference_secrets']

/** The roles of core-api §7.3. But for the default role, those without any permission in the catalogue are not created. */
export const SEEDED_ROLES: readonly SeededRole[] = [
  buildRole('Manager', 'Everything except managing roles and filters.', ['*'], [...MANAGING_ROLES, ...SHARED]),
  buildRole(
    'Organization admin',
    'Everything within organizations: clone this role and limit the clone to organizations.',
    ['*'],
    [...MANAGING_ROLES, ...SETTINGS, ...SHARED, 'create_organizations', 'destroy_organizations'],
  ),
  buildRole('System admin', 'Organizations, locations, users, roles, authentication sources and settings.', [
    '*_organizations',
    '*_locations',
    '*_users',
    '*_usergroups',
    '*_external_usergroups',
    '*_authenticators',
    '*_personal_access_tokens',
    '*_ssh_keys',
    '*_mail_notifications',
    '*_roles',
    '*_filters',
    '*_settings',
  ]),
  buildRole('Viewer', 'Sees everything except settings.', ['view_*'], ['view_settings', ...SHARED]),
  buildRole('Site manager', 'Hosts and media of a site, and a view of what they need.', [
    'view_architectures',
    'view_operatingsystems',
    'view_images',
    'view_authenticators',
    'view_audit_logs',
    'view_locations',
    'view_organizations',
    'view_users',
    'view_usergroups',
    'access_dashboard',
    'view_hostgroups',
    'view_environments',
    'view_ptables',
    'view_smart_proxies',
    'view_subnets',
    'view_domains',
    'view_params',
    'view_facts',
    'view_config_runs',
    '*_hosts',
    '*_media',
    '*_models',
  ]),
  buildRole('Edit hosts', 'Hosts, in every respect.', ['*_hosts', 'view_config_runs']),
  buildRole('View hosts', 'Sees hosts.', ['view_hosts']),
  buildRole('Edit partition tables', 'Partition tables, in every respect.', ['*_ptables']),
  buildRole('Bookmarks manager', 'Bookmarks, in every respect.', ['*_bookmarks']),
  buildRole('Webhooks Reader', 'Sees its own webhooks, and templates for them.', [
    'view_webhooks',
    'view_webhook_templates',
  ]),
  buildRole('Webhooks Manager', 'Webhooks and templates for them, in every respect.', [
    '*_webhooks',
    '*_webhook_templates',
  ]),
  buildRole('Auditor', 'Sees audits, and nothing else.', ['view_audit_logs']),
  {
    ...buildRole('Default role', 'What everybody may do.', ['view_bookmarks', 'view_tasks']),
    builtin: 2,
    searches: { view_tasks: 'owner = current_user' },
  },
]

/** The permissions of the catalogue that belong to a seeded role. */
export function selectSeededPermissions(
  seeded: SeededRole,
  catalogue: readonly PermissionDeclaration[],
): readonly PermissionDeclaration[] {
  const included = seeded.permissions.map(compilePattern)
  const excluded = seeded.except.map(compilePattern)
  return catalogue.filter(
    ({ name }) => included.some((one) => one.test(name)) && !excluded.some((one) => one.test(name)),
  )
}

function buildRole(
  name: string,
  description: string,
  permissions: readonly string[],
  except: readonly string[] = [],
): SeededRole {
  return { name, description, builtin: 0, permissions, except }
}

function compilePattern(text: string): RegExp {
  return new RegExp(`^${text.replaceAll('*', '.*')}$`)
}
