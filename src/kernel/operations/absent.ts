import type { Context } from '../../context.ts'
import { Failure } from '../../errors.ts'
import { notVisible, visible } from '../authorize.ts'
import type { Resource } from '../resource.ts'
import { anywhere } from '../scope.ts'
import { selectRecord } from '../store/select.ts'

/**
 * The error for a record that a request names and does not find. A record of another organization than the named one is
 * said to be just that to callers who may see it (content-api §2.4).
 */
export async function absent(ctx: Context, resource: Resource, permission: string, segment: string): Promise<Failure> {
  if (resource.taxable === 'organization' && ctx.scope.organization !== null) {
    const found = await selectRecord(ctx.db, resource, ['id'], segment, visible(anywhere(ctx), resource, permission))
    if (found) return elsewhere()
  }
  return notVisible(ctx, resource, permission, segment)
}

/** 400 for a record of another organization than the one that the request names. */
export function elsewhere(): Failure {
  return new Failure('wrong_organization', 'The requested resource does not belong to the specified Organization')
}
