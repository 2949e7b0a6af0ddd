import { candidates, type Subject } from '../matchers.ts'
import type { Matcher } from '../parameter.ts'
import type { CompiledParameter, Rules } from '../resolve.ts'

/** What stands where a match text would that somebody may not see. */
export const UNSEEN_MATCH = 'a matcher that you may not see'

/** The id of a matcher that somebody may not see: that of none. */
export const UNSEEN_ID = 0

/**
 * Yields the parameter for somebody who may not see these matchers; what the host gets from it does not change. Those that
 * it matches stay, without their text and their id; the others are not there, so that nothing that is said depends on them.
 */
export function withUnseen(
  compiled: CompiledParameter,
  subject: Subject,
  { inheritance }: Rules,
  unseen: ReadonlySet<number>,
): CompiledParameter {
  if (!compiled.parameter.matchers.some(({ id }) => unseen.has(id))) return compiled
  const texts = new Set(candidates(compiled.order, subject, inheritance).map(({ match }) => match))
  const kept = [...compiled.matchers].flatMap(([match, matcher]): [string, Matcher][] => {
    if (!unseen.has(matcher.id)) return [[match, matcher]]
    return texts.has(match) ? [[match, { ...matcher, id: UNSEEN_ID, match: UNSEEN_MATCH }]] : []
  })
  return {
    ...compiled,
    parameter: { ...compiled.parameter, matchers: kept.map(([, matcher]) => matcher) },
    matchers: new Map(kept),
  }
}
