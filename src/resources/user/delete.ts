import type { Context } from '../../context.ts'
import { Failure } from '../../errors.ts'
import { visible } from '../../kernel/authorize.ts'
import { remove } from '../../kernel/operations/delete.ts'
import { idSegment, within } from '../../kernel/operations/within.ts'
import type { Action, Resource } from '../../kernel/resource.ts'
import type { Input } from '../../kernel/route.ts'
import { selectRecord } from '../../kernel/store/select.ts'

const DESTROY = 'destroy_users'

/** Deletes a user, but never the one who asks (core-api §7.3). */
export const deleteUser: Action = {
  method: 'DELETE',
  path: '/:id',
  name: 'delete',
  summary: 'Delete one user',
  permissions: [DESTROY],
  outputs: 'deleted',
  handle: async (ctx, users, input) => {
    await refuseSelf(ctx, users, input)
    return remove(ctx, users, input)
  },
}

/** Before anything else is said: what their own account is used by is not in the way. {@throws Failure} denied */
async function refuseSelf(ctx: Context, users: Resource, input: Input): Promise<void> {
  const { conditions } = await within(ctx, users, input)
  const removable = [...visible(ctx, users, DESTROY), ...conditions]
  const found = await selectRecord(ctx.db, users, ['id'], idSegment(input), removable)
  if (found?.id !== ctx.user.id) return
  const details = 'You are trying to delete your own account'
  throw new Failure('denied', 'Access denied', { details, missingPermissions: null })
}
