import type { Context } from '../../../context.ts'
import { Failure, notFound, unknownReference } from '../../../errors.ts'
import { findIds, type Resource } from '../../../kernel/index.ts'
import { membersOf } from '../../../lib/values.ts'
import type { Input } from '../../../requests/route.ts'

/** The resources that classes are assigned to. */
export type ClassOwner = 'host' | 'hostgroup'

/** The permission to assign classes, by resource. */
export const PERMISSIONS = { host: 'edit_classes', hostgroup: 'edit_hostgroups' } as const

/**
 * Finds the id of the class that a request names, in its path or in its body. {@throws Failure} not_found for one in the path,
 * unknown_reference for one in the body
 */
export async function findClass(ctx: Context, resource: Resource, owner: ClassOwner, input: Input): Promise<number> {
  const segment = input.params.configclass_id
  if (segment === undefined) return findNamed(ctx, resource, readClass(owner, input))
  return findNamed(ctx, resource, segment).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'unknown_reference' ? notFound('configclass', segment) : error
  })
}

async function findNamed(ctx: Context, { registry }: Resource, sent: unknown): Promise<number> {
  const classes = registry.get('configclass')
  const digits = /^[1-9]\d{0,14}(?=-|$)/.exec(String(sent ?? ''))?.[0]
  if (!classes || !digits)
    throw unknownReference(`Couldn't find Configclass with 'id'=${String(sent ?? '').slice(0, 200)}`)
  const [known] = await findIds(ctx, classes, [Number(digits)])
  return known ?? 0
}

function readClass(owner: ClassOwner, { body }: Input): unknown {
  const { [`${owner}_class`]: wrapped, ...flat } = body
  const { configclass_id } = { ...membersOf(wrapped), ...flat }
  return configclass_id
}
