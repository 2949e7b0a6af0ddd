import { type Context, withoutScope } from '../../context.ts'
import { Failure, parentNotFound } from '../../errors.ts'
import type { Input } from '../../requests/route.ts'
import { readIdSegment, readSingle } from '../../requests/sent.ts'
import { joinAny } from '../../sql.ts'
import { limitToVisible, notVisible, permissionOf } from '../authorize.ts'
import { type Condition, limitToIdsOf, listTables, ROOT } from '../condition.ts'
import type { BoundField, Fields, Resource } from '../definition.ts'
import type { Draft, FoundRecord } from '../record.ts'
import { referenceNotFound } from '../reference.ts'
import { listLinks } from '../resources.ts'
import { limitToPlace, TAXONOMIES, taxonomiesOf } from '../scope.ts'
import { lockStored, selectRecord } from '../store/select.ts'
import { type LimitedList, selectReachable } from '../visibility.ts'

/** Finds the record that a request names, below its parents (core-api §7.2). {@throws Failure} not_found, denied */
export async function findRecord(
  ctx: Context,
  resource: Resource,
  input: Input,
  { keys = ['id'], lists = [], ...finding }: FindOptions,
): Promise<FoundRecord> {
  return findBy(ctx, resource, input, finding, (segment, seen) =>
    selectRecord(ctx.db, resource, keys, segment, seen, selectReachable(lists)),
  )
}

/** Finds the stored row of the record that a request names and locks it until the transaction ends. {@throws Failure} */
export async function findLocked<F extends Fields>(tx: Context, resource: Resource<F>, input: Input, how: FindOptions) {
  const stored = await findBy(tx, resource, input, how, (segment, seen) => lockStored(tx, resource, segment, seen))
  await tx.beforeWrite?.(tx, resource.name)
  return stored
}

/** Yields the error for a missing record: a 400 where the caller may see it in another organization (content-api §2.4). */
export async function notFoundFor(
  ctx: Context,
  resource: Resource,
  permission: string,
  segment: string,
): Promise<Failure> {
  if (resource.taxable === 'organization' && ctx.scope.organization !== null) {
    const found = await selectRecord(
      ctx.db,
      resource,
      ['id'],
      segment,
      limitToVisible(withoutScope(ctx), resource, permission),
    )
    if (found) return notInOrganization()
  }
  return notVisible(ctx, resource, permission, segment)
}

/** Yields the error (400) for a record of another organization than the one that the request names. */
export function notInOrganization(): Failure {
  return new Failure('wrong_organization', 'The requested resource does not belong to the specified Organization')
}

/**
 * Resolves every parent that a request names, by path (`/operatingsystems/7/architectures`) or query
 * (`?operatingsystem_id=7`). The caller needs the permission `verb` for the one in the path, and `view` for others.
 * {@throws Failure} parent_not_found, in content not_found, for a parent that is unknown or invisible
 */
export async function resolveParents(
  ctx: Context,
  resource: Resource,
  input: Input,
  verb: 'view' | 'edit' = 'view',
): Promise<ResolvedParents> {
  const conditions: Condition[] = []
  const draft: Draft = {}
  for (const [parent, fieldName] of Object.entries(resource.parents)) {
    // Where the path names the organization, the resource has no other paths, or what may be referred to is asked for,
    // `organization_id` in the query is the scope.
    const placed = resource.byName.get(fieldName)
    if (!placed) throw new Error(`${resource.name} has no field ${fieldName}`)
    const key = `${placed.at.target(parent).word}_id`
    const inPath = input.params[key]
    const isScope = resource.nestedOnly || inPath !== undefined || !ctx.scope.named
    const isContext = isScope && TAXONOMIES.some(({ kind }) => kind === parent)
    const queried = isContext ? null : readSingle(input.query, key)
    for (const segment of new Set([inPath, queried])) {
      if (segment === undefined || segment === null || segment === '') continue
      const isPath = segment === inPath
      const id = await findParent(ctx, placed.at.target(parent), segment, isPath ? verb : 'view')
      conditions.push(limitToParent(placed, id))
      if (isPath) draft[fieldName] = placed.column ? id : [id]
    }
  }
  return { conditions: [...conditions, ...limitToNamedPlace(ctx, resource)], draft }
}

/** Finds the id of a parent that a path or a query names. {@throws Failure} parent_not_found, in content not_found */
export async function findParent(
  ctx: Context,
  parent: Resource,
  segment: string,
  verb: 'view' | 'edit',
): Promise<number> {
  const conditions = limitToVisible(ctx, parent, permissionOf(parent, verb), true)
  const found = await selectRecord(ctx.db, parent, ['id'], segment, conditions)
  if (!found)
    throw parent.surface === 'content' ? referenceNotFound(parent, segment) : parentNotFound(parent.name, segment)
  return found.id
}

/** Leaves records with a visible parent; no condition for resources that have paths of their own. */
export function limitToVisibleParents(ctx: Context, resource: Resource): Condition[] {
  if (!resource.nestedOnly) return []
  const ways = listLinks(resource, Object.values(resource.parents)).map(({ target, column }) =>
    limitToIdsOf(column, target.table, limitToVisible(ctx, target, permissionOf(target, 'view'), true)),
  )
  return [{ sql: joinAny(ways.map((way) => way.sql)), tables: listTables(ways) }]
}

/** Leaves records linked directly to the location or organization that the request itself names (core-api §5.3). */
export function limitToNamedPlace(ctx: Context, resource: Resource): Condition[] {
  if (!ctx.scope.named) return []
  return taxonomiesOf(resource).flatMap((taxonomy) => {
    const id = ctx.scope[taxonomy.kind]
    return id === null ? [] : [limitToPlace(resource, taxonomy, id)]
  })
}

/** How to look for a record: the permission needed, the keys to read, and whether callers need none for their own records. */
interface FindOptions {
  readonly permission: string
  readonly keys?: readonly string[]
  /** Those of the keys that hold lists of links, for each of which the ids within the caller's reach are selected, too. */
  readonly lists?: readonly LimitedList[]
  readonly own?: boolean
}

async function findBy<Record>(
  ctx: Context,
  resource: Resource,
  input: Input,
  { permission, own = false }: FindOptions,
  select: (segment: string, seen: readonly Condition[]) => Promise<Record | undefined>,
): Promise<Record> {
  const segment = readIdSegment(input)
  const { conditions } = await resolveParents(ctx, resource, input)
  const found = await select(segment, [...limitToVisible(ctx, resource, permission, own), ...conditions])
  if (!found) throw await notFoundFor(ctx, resource, permission, segment)
  return found
}

/** The effect of the parents that a request names: conditions on records, and links by field that a new record gets. */
interface ResolvedParents {
  readonly conditions: readonly Condition[]
  readonly draft: Draft
}

function limitToParent({ field, at }: BoundField, id: number): Condition {
  if (!field.within) throw new Error(`${at.name} cannot hold records of ${at.resource.name}`)
  const within = field.within(at, ROOT, id)
  return { ...within, tables: [at.resource.table, ...(field.elsewhere?.tables(at) ?? []), ...within.tables] }
}
