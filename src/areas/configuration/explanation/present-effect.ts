import { UNSEEN_MATCH } from '../../../classification/explain/unseen.ts'
import type { Resolution } from '../../../classification/resolve.ts'
import type { Row } from '../../../kernel/index.ts'
import type { Effect } from './effects.ts'
import { presentOutcome, presentParameterKeys } from './present-explanation.ts'

/** Presents what hosts get before and after a write, without values and matches that the caller may not see. */
export function presentEffect({ parameter, before, after }: Effect, masked: boolean, unseen: ReadonlySet<number>): Row {
  return {
    ...presentParameterKeys(parameter),
    before: presentSide(before, masked, unseen),
    after: presentSide(after, masked, unseen),
  }
}

function presentSide(resolution: Resolution | null, masked: boolean, unseen: ReadonlySet<number>): Row {
  const { hits = [], merged = false } = resolution?.source ?? {}
  const source = merged ? 'merge' : hits.length > 0 ? 'override' : 'default'
  return {
    ...presentOutcome(resolution?.outcome, masked),
    source: resolution ? source : null,
    matches: hits.map(({ matcher }) => (unseen.has(matcher.id) ? UNSEEN_MATCH : matcher.match)),
  }
}
