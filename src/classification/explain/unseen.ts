import { listCandidates, type Subject } from '../matchers.ts'
import type { Matcher } from '../parameter.ts'
import type { CompiledParameter, Rules } from '../resolve.ts'

/** Stands for the match text of a matcher that the caller may not see. */
export const UNSEEN_MATCH = 'a matcher that you may not see'

/** Stands for the id of a matcher that the caller may not see; no record has it. */
export const UNSEEN_ID = 0

/**
 * Removes from a parameter what the caller may not see of its matchers, without changing what the host gets. Hidden matchers
 * that match the host stay, without their text and id; those that do not match are left out, so that nothing in the
 * explanation depends on them.
 */
export function withUnseen(
  compiled: CompiledParameter,
  subject: Subject,
  { inheritance }: Rules,
  unseen: ReadonlySet<number>,
): CompiledParameter {
  if (!compiled.parameter.matchers.some(({ id }) => unseen.has(id))) return compiled
  const texts = new Set(listCandidates(compiled.order, subject, inheritance).map(({ match }) => match))
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
