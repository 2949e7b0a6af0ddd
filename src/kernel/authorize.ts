import { type Context, type Grant, hasPermission } from '../context.ts'
import { denied, Failure, notFound } from '../errors.ts'
import { joinAny } from '../sql.ts'
import { type Condition, joinConditions, limitToAny, limitToIdsOf, listTables, ROOT } from './condition.ts'
import type { Resource } from './definition.ts'
import type { Operation } from './record.ts'
import { listLinks } from './resources.ts'
import { limitToGranted, limitToMembers, limitToScope, limitToSeenWith } from './scope.ts'
import { compileStoredSearch, isReadable, NOTHING } from './stored-search.ts'

/** The error for an invisible record: 404; but 403 for callers who may only use their own records. */
export function notVisible(
  ctx: Pick<Context, 'user'>,
  resource: Resource,
  permission: string,
  segment: string,
): Failure {
  if (!hasPermission(ctx, permission)) return denied([permission])
  if (resource.surface === 'core') return notFound(resource.name, segment)
  return new Failure(
    'not_found',
    `Could not find ${resource.name} resource with id ${segment}. Potential missing permissions: ${permission}`,
  )
}

/**
 * Yields the name of the permission for a verb, e.g. `edit_architectures`; a part may use the permission of its owner.
 */
export function permissionOf(resource: Resource, verb: 'view' | 'create' | 'edit' | 'destroy'): string {
  const whole = resource.links.get(resource.partOf)
  // A part that declares the permission of its whole has all four verbs; any other uses view and edit of the whole.
  if (whole && whole.target.permission !== resource.permission)
    return permissionOf(whole.target, verb === 'view' ? 'view' : 'edit')
  return `${verb}_${resource.permission}`
}

/** Whether callers without the permission may use this operation on the records that are their own. */
export function permitsOwn(resource: Resource, operation: Operation): boolean {
  const { records } = resource
  return records?.own !== undefined && (records.ownOperations ?? ['show', 'update']).includes(operation)
}

/**
 * Second step of authorization: conditions that leave the records within permission and scope, with `own` also those
 * that need no permission. Every statement that reads a resource for a caller starts from them.
 */
export function limitToVisible(ctx: Context, resource: Resource, permission: string, own = false): Condition[] {
  const whole = resource.links.get(resource.partOf)
  if (whole) {
    // A part always has a whole: where every whole is visible, no condition is needed.
    const seen = limitToVisible(ctx, whole.target, permission, own)
    return [
      ...limitToMembers(ctx, resource),
      ...(seen.length === 0 ? [] : [limitToIdsOf(whole.column, whole.target.table, seen)]),
      ...limitToSeenWith(ctx, resource),
    ]
  }
  const { records } = resource
  const inside = [
    ...limitToAnyGrant(ctx, resource, permission),
    ...limitToScope(ctx, resource),
    ...limitToSeenWith(ctx, resource),
  ]
  const theirs = own && !ctx.user.admin && !ctx.user.limited ? records?.own : undefined
  const base = [...limitToMembers(ctx, resource), ...limitToAboutVisible(ctx, resource)]
  if (!theirs) return [...base, ...inside]
  const either = joinAny([joinConditions(inside), theirs(ctx, ROOT)])
  return [...base, { sql: either, tables: [...(records?.tables ?? []), ...listTables(inside)] }]
}

/** Leaves records about a visible record. Records about a deleted one are left for callers who see all of its kind. */
function limitToAboutVisible(ctx: Context, resource: Resource): Condition[] {
  return listLinks(resource, [resource.about]).flatMap(({ target, column }) => {
    const seen = limitToVisible(ctx, target, permissionOf(target, 'view'), true)
    return seen.length === 0 ? [] : [limitToIdsOf(column, target.table, seen)]
  })
}

/** Leaves the records that any of the caller's grants is for; no condition when one of the grants is for all. */
function limitToAnyGrant(ctx: Context, resource: Resource, permission: string): Condition[] {
  if (ctx.user.admin) return []
  return limitToAny((ctx.user.grants.get(permission) ?? []).map((grant) => limitToOneGrant(ctx, resource, grant)))
}

/** Leaves the records that a grant is for. The searches and places of one for records of another table do not apply here. */
function limitToOneGrant(ctx: Context, resource: Resource, grant: Grant): Condition[] {
  if (resource.borrowsPermissions) return grant.search === null || isReadable(grant.search) ? [] : [NOTHING]
  const conditions = limitToGranted(ctx, resource, grant)
  if (grant.search === null) return conditions
  return [...conditions, compileStoredSearch(ctx, resource, grant.search)]
}
