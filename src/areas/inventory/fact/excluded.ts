import { RE2JS } from 're2js'
import type { Facts } from './flatten.ts'

/**
 * The facts without those that the setting `excluded_facts` names. A pattern is compared with the parts of a name: it begins
 * where the name does or behind `::` or `_`, and ends where the name does or before `::`, so that `lo` is true of `lo::mtu`
 * and `ipaddress_lo`, and not of `load`. Only `*` is special in it.
 */
export function withoutExcluded(facts: Facts, patterns: readonly string[]): Facts {
  if (patterns.length === 0) return facts
  const isExcluded = judgeOf(patterns)
  const kept = [...facts].filter(([name]) => !isExcluded(name))
  return kept.length === facts.size ? facts : new Map(kept)
}

type Judge = (name: string) => boolean

/** Facts come all the time, and settings stay the same lists until one changes. */
const JUDGES = new WeakMap<readonly string[], Judge>()

function judgeOf(patterns: readonly string[]): Judge {
  const known = JUDGES.get(patterns) ?? remembering(compiled(patterns))
  JUDGES.set(patterns, known)
  return known
}

/** One expression for all patterns, of a kind that takes time in proportion to the name, whatever the pattern. */
function compiled(patterns: readonly string[]): Judge {
  const words = patterns.map((pattern) => pattern.split('*').map(RE2JS.quote).join('.*'))
  const expression = RE2JS.compile(`(?:^|::|_)(?:${words.join('|')})(?:$|::)`, RE2JS.DOTALL)
  return (name) => expression.matcher(name).find()
}

const MOST_REMEMBERED = 20_000

/** All hosts tell the same names: each is looked at once. */
function remembering(judge: Judge): Judge {
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
