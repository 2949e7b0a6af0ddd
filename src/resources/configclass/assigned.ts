import type { Context } from '../../context.ts'
import { notFound, unknownReference } from '../../errors.ts'
import { visible } from '../../kernel/authorize.ts'
import { lock } from '../../kernel/operations/change.ts'
import { idSegment } from '../../kernel/operations/within.ts'
import { findIds } from '../../kernel/reference.ts'
import type { Resource, Stored } from '../../kernel/resource.ts'
import type { Input } from '../../kernel/route.ts'
import { selectRecord } from '../../kernel/store/select.ts'

/** What classes are given to. */
export type Owner = 'host' | 'hostgroup'

/** What is needed to give them. */
export const PERMISSIONS = { host: 'edit_classes', hostgroup: 'edit_hostgroups' } as const

/** The host or host group that the path names, which the caller may give classes; locked. {@throws Failure} not_found */
export async function lockOwner(ctx: Context, resource: Resource, owner: Owner, input: Input): Promise<Stored> {
  const segment = idSegment(input)
  const found = await selectRecord(ctx.db, resource, ['id'], segment, visible(ctx, resource, PERMISSIONS[owner]))
  if (!found) throw notFound(resource.name, segment)
  return lock(ctx, resource, found.id as number) // every id is a number
}

/** The id of the class that a request names. {@throws Failure} unknown_reference */
export async function findClass(ctx: Context, { registry }: Resource, sent: unknown): Promise<number> {
  const classes = registry.get('configclass')
  const digits = /^[1-9]\d{0,14}(?=-|$)/.exec(String(sent ?? ''))?.[0]
  if (!classes || !digits)
    throw unknownReference(`Couldn't find Configclass with 'id'=${String(sent ?? '').slice(0, 200)}`)
  const [known] = await findIds(ctx, classes, [Number(digits)])
  return known ?? 0
}

/** The class as the path or the body names it. */
export function sentClass(owner: Owner, { params, body }: Input): unknown {
  if (params.configclass_id !== undefined) return params.configclass_id
  const { [`${owner}_class`]: wrapped, ...flat } = body
  const { configclass_id } = { ...(wrapped as object | undefined), ...flat } as { configclass_id?: unknown } // an object spreads, all else is nothing
  return configclass_id
}
