import type { Around } from '../../../kernel/index.ts'
import { resolveEnvironmentList } from './environments.ts'
import type { KeyFields } from './fields.ts'
import { resolveLimits } from './limits.ts'
import { refuseWhileNamed } from './refuse-while-named.ts'

/**
 * Completes the fields of a key that depend on each other (content-api §2.6, §2.7), and stores who created it
 * (content-api §1.4).
 */
export const keyWrites: Around<KeyFields> = {
  async create(ctx, draft, next) {
    return next({
      ...draft,
      ...resolveLimits(draft, null),
      ...(await resolveEnvironmentList(ctx, draft, null)),
      user: ctx.user.id,
    })
  },
  async update(ctx, stored, draft, next) {
    if (draft.name !== undefined && draft.name !== stored.name) await refuseWhileNamed(ctx, stored, 'renaming')
    await next({ ...draft, ...resolveLimits(draft, stored), ...(await resolveEnvironmentList(ctx, draft, stored)) })
  },
  async delete(ctx, stored, next) {
    await refuseWhileNamed(ctx, stored, 'deleting')
    await next()
  },
}
