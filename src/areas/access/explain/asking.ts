import { type Context, holdsForAll } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { badParameter, denied, notFound } from '../../../errors.ts'
import {
  findResource,
  limitToVisible,
  permissionOf,
  permitsOwn,
  type Registry,
  type Resource,
  selectRecord,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** The permissions, for all records, without which nobody learns through which role somebody else has a permission. */
export const SEEING = ['view_users', 'view_roles', 'view_filters', 'view_usergroups']

/** Whether the caller sees all roles, filters and groups, so that they may be named. */
export function seesAccess(ctx: Context): boolean {
  return SEEING.every((permission) => holdsForAll(ctx, permission))
}

/** Refuses callers who lack one of these permissions for all records. {@throws Failure} denied */
export function requireForAll(ctx: Context, permissions: readonly string[]): void {
  const missing = permissions.filter((permission) => !holdsForAll(ctx, permission))
  if (missing.length > 0) throw denied(missing)
}

/**
 * Finds the user that a question is about: the caller, or for those who see all roles anybody they see. {@throws Failure}
 * denied, not_found
 */
export async function findSubject(ctx: Context, registry: Registry, login: unknown): Promise<number> {
  if (typeof login !== 'string' || login === '') throw badParameter('user', login ?? null, 'must be a login')
  const isSelf = login.toLowerCase() === ctx.user.login.toLowerCase() && ctx.user.id !== 0
  if (isSelf) return ctx.user.id
  requireForAll(ctx, SEEING)
  const users = findResource(registry, 'user')
  const named = { sql: sql`fold(t.login) = fold(${login})`, tables: ['users'] }
  const found = await row<{ id: number }>(
    ctx.db,
    sql`select t.id from users t where ${sql.join(
      [named, ...limitToVisible(ctx, users, 'view_users')].map((condition) => condition.sql),
      sql` and `,
    )}`,
  )
  if (!found) throw notFound('user', login)
  return found.id
}

/** Finds the resource whose records a permission is about; null for permissions of none. {@throws Failure} bad_parameter */
export async function findSubjectOf(ctx: Context, registry: Registry, permission: unknown): Promise<Resource | null> {
  const found =
    typeof permission === 'string'
      ? await row<{ resource_type: string | null }>(
          ctx.db,
          sql`select resource_type from permissions where name = ${permission}`,
        )
      : undefined
  if (!found)
    throw badParameter('permission', permission ?? null, 'must be the name of a permission, such as edit_hosts')
  return resourceOfType(registry, String(permission), found.resource_type)
}

/** The resource with this type; where several have it, the one that the permission is named after. */
export function resourceOfType(registry: Registry, permission: string, type: string | null): Resource | null {
  const alike = [...registry.values()].filter((resource) => resource.type === type)
  return alike.find(({ plural }) => permission.endsWith(`_${plural}`)) ?? alike[0] ?? null
}

/** Finds a record that the caller sees. {@throws Failure} not_found */
export async function findSeen(ctx: Context, resource: Resource, segment: unknown): Promise<number> {
  const text = String(segment)
  const conditions = limitToVisible(ctx, resource, permissionOf(resource, 'view'), permitsOwn(resource, 'show'))
  const found = await selectRecord(ctx.db, resource, ['id'], text, conditions)
  if (!found) throw notFound(resource.name, text)
  return Number(found.id)
}
