import { type Context, withoutScope } from '../../context.ts'
import { Failure } from '../../errors.ts'
import type { Input } from '../../requests/route.ts'
import { readIdSegment } from '../../requests/sent.ts'
import { limitToVisible, notVisible } from '../authorize.ts'
import type { Condition } from '../condition.ts'
import type { Fields, Resource } from '../definition.ts'
import type { FoundRecord } from '../record.ts'
import { lockStored, selectRecord } from '../store/select.ts'
import { type LimitedList, selectReachable } from '../visibility.ts'
import { resolveParents } from './parents.ts'

/** How to look for a record: the permission needed, the keys to read, and whether callers need none for their own records. */
export interface FindOptions {
  readonly permission: string
  readonly keys?: readonly string[]
  /** Those of the keys that hold lists of links, for each of which the ids within the caller's reach are selected, too. */
  readonly lists?: readonly LimitedList[]
  readonly own?: boolean
}

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
