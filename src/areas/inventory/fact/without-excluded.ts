import { RE2JS } from 're2js'
import type { Facts, IsExcluded } from './flatten.ts'

/**
 * Drops the facts that the setting `excluded_facts` names. A pattern matches from the start of a name, or after `::` or
 * `_`, to the end of the name or before `::`: `lo` matches `lo::mtu` and `ipaddress_lo`, but not `load`. Only `*` is
 * special.
 */
export function withoutExcluded(facts: Facts, patterns: readonly string[]): Facts {
  if (patterns.length === 0) return facts
  const isExcluded = exclusionOf(patterns)
  const kept = [...facts].filter(([name]) => !isExcluded(name))
  return kept.length === facts.size ? facts : new Map(kept)
}

/** The compiled setting, kept as long as its list of patterns is in use, because facts come all the time. */
const EXCLUSIONS = new WeakMap<readonly string[], IsExcluded>()

/** Yields the test for the facts that these patterns name. */
export function exclusionOf(patterns: readonly string[]): IsExcluded {
  if (patterns.length === 0) return () => false
  const known = EXCLUSIONS.get(patterns) ?? withMemory(compilePatterns(patterns))
  EXCLUSIONS.set(patterns, known)
  return known
}

/** Compiles all patterns to one regular expression whose time is proportional to the name, whatever the patterns. */
function compilePatterns(patterns: readonly string[]): IsExcluded {
  const words = patterns.map((pattern) => pattern.split('*').map(RE2JS.quote).join('.*'))
  const expression = RE2JS.compile(`(?:^|::|_)(?:${words.join('|')})(?:$|::)`, RE2JS.DOTALL)
  return (name) => expression.matcher(name).find()
}

const MOST_REMEMBERED = 20_000

/** Remembers the result for each name, because all hosts have mostly the same names. */
function withMemory(judge: IsExcluded): IsExcluded {
  let validated = new Map<string, boolean>()
  return (name) => {
    const known = validated.get(name)
    if (known !== undefined) return known
    if (validated.size >= MOST_REMEMBERED) validated = new Map()
    const result = judge(name)
    validated.set(name, result)
    return result
  }
}
