import type { Context, Grant } from '../context.ts'
import { all, any } from '../database/sql.ts'
import { denied, type Failure, notFound } from '../errors.ts'
import { compileSearch } from '../search/index.ts'
import { type Condition, ROOT } from './condition.ts'
import type { Resource } from './resource.ts'
import type { Access } from './route.ts'
import { inGranted, inScope, members } from './scope.ts'
import { searchOptions } from './searching.ts'

/** Step one of authorization (core-api §7.2): may the caller do this to any record at all? */
export function requireAccess(ctx: Pick<Context, 'user'>, access: Access): void {
  if (access.kind !== 'permission' || access.own) return
  if (!access.anyOf.some((permission) => holds(ctx, permission))) throw denied([...access.anyOf])
}

/** Whether some role of the caller grants the permission, for however few records. */
export function holds(ctx: Pick<Context, 'user'>, permission: string): boolean {
  return ctx.user.admin || ctx.user.grants.has(permission)
}

/**
 * The error for a record that the conditions did not leave: 404, whether it exists or not; 403 for callers who got this
 * far only because some records need no permission.
 */
export function notVisible(
  ctx: Pick<Context, 'user'>,
  resource: Resource,
  permission: string,
  segment: string,
): Failure {
  return holds(ctx, permission) ? notFound(resource.name, segment) : denied([permission])
}

/** The name of the permission for a verb, e.g. `edit_architectures`. */
export function permissionFor(resource: Resource, verb: 'view' | 'create' | 'edit' | 'destroy'): string {
  return `${verb}_${resource.permission}`
}

/**
 * Step two: the records that the permission and the scope leave. With `own`, records that need no permission are in.
 * Every statement that reads a resource for somebody starts from these conditions.
 */
export function visible(ctx: Context, resource: Resource, permission: string, own = false): Condition[] {
  const { records } = resource
  const inside = [...granted(ctx, resource, permission), ...inScope(ctx, resource)]
  const theirs = own && !ctx.user.admin ? records?.own : undefined
  const base = members(ctx, resource)
  if (!theirs) return [...base, ...inside]
  const either = any([all(inside.map((condition) => condition.sql)), theirs(ctx, ROOT)])
  return [
    ...base,
    { sql: either, tables: [...(records?.tables ?? []), ...inside.flatMap((condition) => condition.tables)] },
  ]
}

/** The union over the caller's grants of a permission; nothing when one of them is without conditions. */
function granted(ctx: Context, resource: Resource, permission: string): Condition[] {
  if (ctx.user.admin) return []
  const alternatives = (ctx.user.grants.get(permission) ?? []).map((grant) => grantConditions(ctx, resource, grant))
  if (alternatives.some((conditions) => conditions.length === 0)) return []
  return [
    {
      sql: any(alternatives.map((conditions) => all(conditions.map((condition) => condition.sql)))),
      tables: alternatives.flat().flatMap((condition) => condition.tables),
    },
  ]
}

function grantConditions(ctx: Context, resource: Resource, grant: Grant): Condition[] {
  const conditions = inGranted(ctx, resource, grant)
  if (grant.search === null) return conditions
  const { condition, tables } = compileSearch(resource.searchSchema, grant.search, searchOptions(ctx))
  return condition ? [...conditions, { sql: condition, tables }] : conditions
}
