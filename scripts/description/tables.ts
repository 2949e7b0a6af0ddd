import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SEEDED_ROLES, permissionsOf as seededPermissions } from '../../src/identity/roles.ts'
import type { Registry } from '../../src/kernel/resource.ts'
import type { Route } from '../../src/kernel/route.ts'
import { permissionsOf } from '../../src/kernel/routes.ts'
import { accessText } from './explanation.ts'
import { markdownTable } from './text.ts'

/** The page of all permissions: what each is for, which routes ask for it, and which roles come with it. */
export function permissionsMarkdown(registry: Registry, routes: readonly Route[]): string {
  const catalogue = permissionsOf(registry)
  const roles = SEEDED_ROLES.map((role) => ({ role, has: new Set(seededPermissions(role, catalogue)) }))
  const types = [...new Set(catalogue.map(({ resourceType }) => resourceType))].sort(byText)
  const sections = types.map((type) => {
    const rows = catalogue
      .filter(({ resourceType }) => resourceType === type)
      .map((permission) => [
        `\`${permission.name}\``,
        routesAsking(permission.name, routes),
        roles
          .filter(({ has }) => has.has(permission))
          .map(({ role }) => role.name)
          .join(', '),
      ])
    return `## ${type ?? 'Everything'}\n\n${markdownTable(['permission', 'asked for by', 'roles that come with it'], rows)}\n`
  })
  return `# Permissions\n\n${PERMISSIONS}\n\n${markdownTable(['role', 'what it is for'], roleRows(roles))}\n\n${sections.join('\n')}`
}

const PERMISSIONS = `A role holds filters, a filter grants permissions for the records of one type: for all of them, or only for those that a
search finds or that belong to some locations and organizations. Administrators need no permission. Nobody sees whether a
record does not exist or is only out of their sight: both are 404.

"Own records" are those that need no permission, such as one's own user and tokens. Paths below another record, such as
\`/api/operatingsystems/:id/architectures\`, ask for the same as the plain ones.`

function roleRows(roles: readonly { role: (typeof SEEDED_ROLES)[number]; has: ReadonlySet<unknown> }[]): string[][] {
  return roles
    .filter(({ role, has }) => has.size > 0 || role.builtin === 2)
    .map(({ role }) => [role.name, `${role.description}${role.builtin === 2 ? ' Everybody has it.' : ''}`])
}

/** The plain routes; those below other records only where there is no plain one. */
function routesAsking(permission: string, routes: readonly Route[]): string {
  const asking = routes.filter(({ access }) => access.kind === 'permission' && access.anyOf.includes(permission))
  const plain = asking.filter(({ id }) => id.split('.').length === 2)
  const shown = (plain.length > 0 ? plain : asking).map(
    ({ method, path, access }) =>
      `\`${method} ${path}\`${access.kind === 'permission' && access.own ? ' (own records: none)' : ''}`,
  )
  return shown.join('<br>') || 'the rules of its resource'
}

/** Every route with what it asks for, by the file that declares it. */
export async function routesMarkdown(routes: readonly Route[], registry: Registry): Promise<string> {
  const files = await declaringFiles(routes, registry)
  const groups = [...Map.groupBy(routes, ({ id, group }) => files.get(id) ?? files.get(group) ?? '')]
  const sections = groups.map(([file, declared]) => {
    const rows = declared.map(({ method, path, id, access }) => [
      method,
      `\`${path}\``,
      `\`${id}\``,
      accessText(access),
    ])
    return `## ${file}\n\n${markdownTable(['method', 'path', 'name', 'permission'], rows)}\n`
  })
  return `# Routes\n\n${ROUTES}\n\n${sections.join('\n')}`
}

const ROUTES = `Every path is also there below \`/api/v2\`, with a slash at its end, and with \`.json\`; PATCH does what PUT does.`

/** The file of the resource by its plural, and of every other route by its name. */
async function declaringFiles(routes: readonly Route[], registry: Registry): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const root = join(import.meta.dirname, '../..')
  for await (const file of glob('src/{resources,http}/**/*.ts', { cwd: root })) {
    const source = await readFile(join(root, file), 'utf8')
    for (const { name, plural } of registry.values()) {
      if (source.includes(`name: '${name}'`) && source.includes('defineResource')) found.set(plural, file)
    }
    for (const { id } of routes) if (source.includes(`id: '${id}'`)) found.set(id, file)
  }
  return found
}

function byText(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : 1
}
