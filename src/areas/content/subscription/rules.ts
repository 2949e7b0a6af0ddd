import type { FieldErrors } from '../../../errors.ts'
import type { Rule, Stored } from '../../../kernel/index.ts'
import { millisecondsOf } from '../shared/moment.ts'
import type { SubscriptionFields } from './fields.ts'

/** Rules of subscriptions: a quantity is not below what hosts use, and a subscription ends after it starts. */
export const poolRules: readonly Rule<SubscriptionFields>[] = [
  (_record, { quantity }, _ctx, stored: (Stored<SubscriptionFields> & { readonly consumed: number }) | null) => {
    const used = stored?.consumed ?? 0
    return typeof quantity === 'number' && quantity !== -1 && quantity < used
      ? { quantity: [`cannot be lower than current usage count (${used})`] }
      : undefined
  },
  ({ start_date, end_date }, draft, ctx): FieldErrors | undefined => {
    if (draft.start_date === undefined && draft.end_date === undefined) return undefined
    if (draft.start_date === null) return { start_date: ["can't be blank"] }
    if (draft.end_date === null) return { end_date: ["can't be blank"] }
    const start = start_date ? millisecondsOf(start_date) : ctx.now().getTime()
    return end_date && millisecondsOf(end_date) <= start ? { end_date: ['must be after the start date'] } : undefined
  },
]
