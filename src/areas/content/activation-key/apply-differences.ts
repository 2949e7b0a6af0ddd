import type { Context } from '../../../context.ts'
import { inSavepoint } from '../../../database/savepoints.ts'
import { Failure, formatFullMessages } from '../../../errors.ts'
import { type AppliedField, applyRegistration, type Needs } from '../../registration/index.ts'
import type { DriftingHost } from './drift-differences.ts'
import { type Expectations, formatKeyList } from './drift-expected.ts'

/** Gives a host everything in which it differs from its keys, or nothing of it; yields the reason of a refusal, or null. */
export async function applyDifferences(
  tx: Context,
  { id, keys, differences }: DriftingHost,
  { owner, lists }: Expectations,
  needs: Needs = { products: [], autoheal: false },
): Promise<string | null> {
  const effective = lists.get(formatKeyList(keys))?.effective
  if (!effective) return null
  const fields: readonly AppliedField[] = differences.map(({ field }) => field)
  try {
    await inSavepoint(tx.db, () => applyRegistration(tx, id, { owner, effective, needs, fields }))
    return null
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'unavailable') throw error
    const { errors } = error.details
    return errors ? formatFullMessages(errors).join(', ') : error.message
  }
}
