import { Failure, invalid } from '../../../errors.ts'
import type { CollectionAction } from '../../../kernel/index.ts'
import { prefers } from '../../../requests/prefer.ts'

/**
 * Lets clients have refusals of a parameter or a matcher as those of every other record: with `Prefer: errors=by-field` as
 * 422 with the messages by field, otherwise as the contract has them (spec 7).
 */
export function withErrorsByField(action: CollectionAction): CollectionAction {
  return {
    ...action,
    handle: async (ctx, resource, input) => {
      try {
        return await action.handle(ctx, resource, input)
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'validation_failed') throw error
        if (!prefers(input, 'errors=by-field')) throw error
        throw invalid(error.details.errors ?? {}, error.details.id)
      }
    },
  }
}
