import { hasPermission } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { selectChanged, type WriteWrapper } from '../../../kernel/index.ts'

const LOCKED = 'This template is locked. Please clone it to a new template to customize.'
const IRREMOVABLE = 'This template is locked and may not be removed.'

/**
 * Protects locked records: these fields can be changed only after unlocking, while links can change. Locking and
 * unlocking need `permission`.
 */
export function lockedWrites(permission: string, fields: readonly string[]): Required<WriteWrapper> {
  const createRefusal = (id: number | null) =>
    invalid({ locked: [`cannot be changed without the permission ${permission}`] }, id)
  return {
    keepsCreated: true,
    async create(ctx, draft, next) {
      if (draft.locked && !hasPermission(ctx, permission)) throw createRefusal(null)
      return next(draft)
    },
    async update(ctx, stored, draft, next, resource) {
      const changed = selectChanged(resource, stored, draft)
      if ('locked' in changed && !hasPermission(ctx, permission)) throw createRefusal(stored.id)
      const stays = stored.locked && changed.locked !== false
      if (stays && fields.some((field) => field in changed)) throw invalid({ base: [LOCKED] }, stored.id)
      await next(draft)
    },
    async delete(_ctx, stored, next) {
      if (stored.locked) throw invalid({ base: [IRREMOVABLE] }, stored.id)
      await next()
    },
  }
}
