import { beginWithEntitlements, withOrganizationOfKey } from '../areas/content/index.ts'
import { inTransaction } from '../context.ts'
import type { Route } from '../requests/route.ts'
import { isMembers, membersOf } from '../values.ts'
import type { Step } from './shapes.ts'
import { BY_ENTITLEMENT, KNOWS_ORGANIZATION } from './table.ts'

/** Builds the step that adds the record's organization to updates: clients of these versions leave it out. */
export function buildKnownOrganizationStep({ id }: Route): Step | null {
  if (!KNOWS_ORGANIZATION.includes(id)) return null
  return (inner) => async (ctx, input) => inner(await withOrganizationOfKey(ctx, input.params.id ?? ''), input)
}

/**
 * Builds the step that sets the access mode of new organizations to subscriptions unless the request sets one, as the
 * servers of these versions did.
 */
export function buildAccessModeStep({ id }: Route): Step | null {
  if (!BY_ENTITLEMENT.includes(id)) return null
  return (inner) => async (ctx, input) => {
    const sent = [input.body, ...Object.values(input.body)]
    if (sent.some((members) => isMembers(members) && 'simple_content_access' in members)) return inner(ctx, input)
    return inTransaction(ctx, async (tx) => {
      const answer = await inner(tx, input)
      const { id: made, ...record } = membersOf(answer.body)
      await beginWithEntitlements(tx, Number(made))
      const shown =
        'simple_content_access' in record ? { id: made, ...record, simple_content_access: false } : answer.body
      return { ...answer, body: shown }
    })
  }
}
