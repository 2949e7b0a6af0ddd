import { SEEDED_ROLES, selectSeededPermissions as seededPermissions } from '../../src/areas/access/identity/roles.ts'
import type { Registry } from '../../src/kernel/definition.ts'
import { permissionsOf } from '../../src/kernel/routes.ts'
import type { Route } from '../../src/requests/route.ts'
import { formatMarkdownTable } from './text.ts'

/**
 * Writes the page of all permissions: their purpose, the routes that require them, and the predefined roles that have them.
 */
export function formatPermissionsMarkdown(registry: Registry, routes: readonly Route[]): string {
  const catalogue = permissionsOf(registry)
  const roles = SEEDED_ROLES.map((role) => ({ role, has: new Set(seededPermissions(role, catalogue)) }))
  const types = [...new Set(catalogue.map(({ resourceType }) => resourceType))].sort(byText)
  const sections = types.map((type) => {
    const rows = catalogue
      .filter(({ resourceType }) => resourceType === type)
      .map((permission) => [
        `\`${permission.name}\``,
        listRoutesAsking(permission.name, routes),
        roles
          .filter(({ has }) => has.has(permission))
          .map(({ role }) => role.name)
          .join(', '),
      ])
    return `## ${type ?? 'Everything'}\n\n${formatMarkdownTable(['permission', 'asked for by', 'roles that come with it'], rows)}\n`
  })
  return `# Permissions\n\n${PERMISSIONS}\n\n${formatMarkdownTable(['Role', 'Meaning'], formatRoleRows(roles))}\n\n${sections.join('\n')}`
}

const PERMISSIONS = `A role has filters. A filter grants permissions for records of one type: all of them, or only results of a search or records of
some locations and organizations. Administrators need no permissions. A missing record and an invisible one look the same: both
are 404.

"Own records" need no permission, for example your own user and tokens. Paths below another record, such as
\`/api/operatingsystems/:id/architectures\`, require the same permissions as the plain ones.`

function formatRoleRows(
  roles: readonly { role: (typeof SEEDED_ROLES)[number]; has: ReadonlySet<unknown> }[],
): string[][] {
  return roles
    .filter(({ role, has }) => has.size > 0 || role.builtin === 2)
    .map(({ role }) => [role.name, `${role.description}${role.builtin === 2 ? ' Everybody has it.' : ''}`])
}

/** Lists the plain routes; those below other records only where there is no plain one. */
function listRoutesAsking(permission: string, routes: readonly Route[]): string {
  const asking = routes.filter(({ access }) => access.kind === 'permission' && access.anyOf.includes(permission))
  const plain = asking.filter(({ id }) => id.split('.').length === 2)
  const shown = (plain.length > 0 ? plain : asking).map(
    ({ method, path, access }) =>
      `\`${method} ${path}\`${access.kind === 'permission' && access.own ? ' (own records: none)' : ''}`,
  )
  return shown.join('<br>') || 'the rules of its resource'
}

function byText(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : 1
}
