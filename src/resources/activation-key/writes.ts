import type { Around, Fields } from '../../kernel/resource.ts'
import { environmentsOf } from './environments.ts'
import { limitsOf } from './limits.ts'
import { refuseWhileNamed } from './named.ts'

/** What goes together in a key is written together (content-api §2.6, §2.7), and who made it is remembered (§1.4). */
export const keyWrites: Around<Fields> = {
  async create(ctx, draft, next) {
    return next({
      ...draft,
      ...limitsOf(draft, null),
      ...(await environmentsOf(ctx, draft, null)),
      user: ctx.user.id,
    })
  },
  async update(ctx, stored, draft, next) {
    await next({ ...draft, ...limitsOf(draft, stored), ...(await environmentsOf(ctx, draft, stored)) })
  },
  async delete(ctx, stored, next) {
    await refuseWhileNamed(ctx, stored)
    await next()
  },
}
