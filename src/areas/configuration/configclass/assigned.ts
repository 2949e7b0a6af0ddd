import type { Context } from '../../../context.ts'
import { unknownReference } from '../../../errors.ts'
import { findIds, type Resource } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { membersOf } from '../../../values.ts'

/** The resources that classes are assigned to. */
export type ClassOwner = 'host' | 'hostgroup'

/** The permission to assign classes, by resource. */
export const PERMISSIONS = { host: 'edit_classes', hostgroup: 'edit_hostgroups' } as const

/** Finds the id of the class that a request names. {@throws Failure} unknown_reference */
export async function findClass(ctx: Context, { registry }: Resource, sent: unknown): Promise<number> {
  const classes = registry.get('configclass')
  const digits = /^[1-9]\d{0,14}(?=-|$)/.exec(String(sent ?? ''))?.[0]
  if (!classes || !digits)
    throw unknownReference(`Couldn't find Configclass with 'id'=${String(sent ?? '').slice(0, 200)}`)
  const [known] = await findIds(ctx, classes, [Number(digits)])
  return known ?? 0
}

/** Reads the class from the path or the body. */
export function readClass(owner: ClassOwner, { params, body }: Input): unknown {
  if (params.configclass_id !== undefined) return params.configclass_id
  const { [`${owner}_class`]: wrapped, ...flat } = body
  const { configclass_id } = { ...membersOf(wrapped), ...flat }
  return configclass_id
}
