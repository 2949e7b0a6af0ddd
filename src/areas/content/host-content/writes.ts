import type { Around } from '../../../kernel/definition.ts'
import { refuseOrganizationChange } from './organization.ts'

/** A host keeps its organization while it has content of it. */
export const hostContentWrites: Around = {
  async update(ctx, stored, draft, next) {
    await refuseOrganizationChange(ctx, stored, draft)
    await next(draft)
  },
}
