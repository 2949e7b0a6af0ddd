import { Failure } from '../../../errors.ts'
import { type Action, remove } from '../../../kernel/index.ts'

/** Deletes a user, but never the caller (core-api §7.3). */
export const deleteUser: Action = {
  method: 'DELETE',
  path: '/:id',
  name: 'delete',
  summary: 'Delete one user',
  permissions: ['destroy_users'],
  outputs: 'deleted',
  record: { how: 'found' },
  handle: async (ctx, users, input, { id }) => {
    // Checked first: records that use the caller's account are not the reason.
    if (id === ctx.user.id) throw new Failure('denied', 'Access denied', { details: OWN, missingPermissions: null })
    return remove(ctx, users, input)
  },
}

const OWN = 'You are trying to delete your own account'
