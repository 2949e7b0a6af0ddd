import type { Around } from '../../../kernel/index.ts'
import type { HostFields } from '../../inventory/index.ts'
import type { FacetFields } from './hand-down.ts'
import { handDown } from './hand-down.ts'
import { refuseOrganizationChange } from './organization.ts'

/**
 * Extends the writes of hosts: a host takes the content view of its group, and cannot change its organization while it
 * has content of the present one.
 */
export const hostContentWrites: Around<HostFields & FacetFields> = {
  keepsCreated: true,
  async create(ctx, draft, next, resource) {
    const id = await next(draft)
    await handDown(ctx, resource, id, draft)
    return id
  },
  async update(ctx, stored, draft, next, resource) {
    await refuseOrganizationChange(ctx, stored, draft)
    await next(draft)
    if (draft.hostgroup !== stored.hostgroup_id) await handDown(ctx, resource, stored.id, draft)
  },
}
