import { RE2JS, RE2JSException } from 're2js'
import { fail } from '../error.ts'
import { type Machine, Match, type Regexp } from '../values.ts'

const MAX_SOURCE = 2000
/** The maximum product of characters and instructions of one search: about a second at worst. */
const MAX_WORK = 30_000_000

/** Finds the first match at or after a position, which is counted in UTF-16 units; the match becomes `$~`. */
export function search(regexp: Regexp, text: string, machine: Machine): Match | null {
  for (const match of matches(regexp, text, machine)) {
    machine.match = match
    return match
  }
  machine.match = null
  return null
}

/** Yields all matches from left to right, without overlaps. The engine takes linear time, so that no pattern can hang. */
export function* matches(regexp: Regexp, text: string, machine: Machine): Generator<Match> {
  const pattern = compileRegexp(regexp, machine)
  const matcher = pattern.matcher(text)
  if (text.length * matcher.programSize() > MAX_WORK) fail('the text is too long for this regular expression')
  const names = Object.keys(pattern.namedGroups())
  let end = 0
  while (machine.meter.timed(() => matcher.find())) {
    machine.meter.step(1 + ((matcher.end() - end) >> 5))
    end = matcher.end()
    const groups: (string | null)[] = []
    for (let group = 0; group <= matcher.groupCount(); group += 1) groups.push(matcher.group(group))
    machine.meter.elements(groups.length)
    yield new Match(text, matcher.start(), groups, new Map(names.map((name) => [name, matcher.group(name)])))
  }
  machine.meter.step((text.length - end) >> 5)
}

/** Compiles a regular expression, and keeps it for the rest of the rendering. */
function compileRegexp(regexp: Regexp, machine: Machine): RE2JS {
  const key = `${regexp.flags}/${regexp.source}`
  const known = machine.patterns.get(key)
  if (known !== undefined) return known
  if (regexp.source.length > MAX_SOURCE) return fail(`a regular expression may have ${MAX_SOURCE} characters`)
  machine.meter.step(100 + regexp.source.length)
  let flags = RE2JS.MULTILINE
  if (regexp.flags.includes('i')) flags |= RE2JS.CASE_INSENSITIVE
  if (regexp.flags.includes('m')) flags |= RE2JS.DOTALL
  try {
    const pattern = RE2JS.compile(translateRegexp(regexp.source, regexp.flags.includes('x')), flags)
    machine.patterns.set(key, pattern)
    return pattern
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return fail(`this regular expression is not understood: ${error.message.replace('error parsing regexp: ', '')}`)
  }
}

const IN_CLASS: ReadonlyMap<string, string> = new Map([
  ['h', '0-9a-fA-F'],
  ['e', '\\x1b'],
])
const OUTSIDE: ReadonlyMap<string, string> = new Map([
  ['h', '[0-9a-fA-F]'],
  ['H', '[^0-9a-fA-F]'],
  ['e', '\\x1b'],
  ['R', '(?:\\r\\n|[\\n\\x0b\\f\\r\\x{85}\\x{2028}\\x{2029}])'],
])
const POSIX: ReadonlyMap<string, string> = new Map([
  ['[:alpha:]', '\\p{L}'],
  ['[:alnum:]', '\\p{L}\\p{N}'],
  ['[:upper:]', '\\p{Lu}'],
  ['[:lower:]', '\\p{Ll}'],
])

/** Translates a regular expression to the syntax of the engine. */
function translateRegexp(source: string, extended: boolean): string {
  let result = ''
  let depth = 0
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at] ?? ''
    const next = source[at + 1] ?? ''
    if (character === '\\') {
      result += translateEscape(source, at, depth > 0)
      at += next === 'u' ? lengthOfCode(source, at) : 1
    } else if (depth > 0) {
      const posix = /^\[:\^?[a-z]+:\]/.exec(source.slice(at, at + 12))?.[0]
      if (posix !== undefined) {
        result += POSIX.get(posix) ?? posix
        at += posix.length - 1
      } else if (character === '[' || (character === '&' && next === '&')) {
        fail('a set inside of a set is not offered in a regular expression')
      } else {
        if (character === ']') depth -= 1
        result += character
      }
    } else if (character === '[') {
      depth += 1
      const literal = /^\[\^?\]?/.exec(source.slice(at, at + 3))?.[0] ?? '['
      result += literal
      at += literal.length - 1
    } else if (extended && /\s/.test(character)) continue
    else if (extended && character === '#') {
      const end = source.indexOf('\n', at)
      at = end < 0 ? source.length : end
    } else if (character === '(' && next === '?' && /^[imx]*(?:-[imx]*)?[:)]/.test(source.slice(at + 2, at + 12))) {
      const options = /^[imx-]*/.exec(source.slice(at + 2))?.[0] ?? ''
      const kept = options.replaceAll('x', '').replaceAll('m', 's').replace(/-$/, '')
      result += `(?${kept}`
      at += 1 + options.length
    } else result += character
  }
  return result
}

/** Translates the escape sequence at a position. */
function translateEscape(source: string, at: number, inClass: boolean): string {
  const next = source[at + 1] ?? ''
  if (next === 'Z') return fail('\\Z is not offered in a regular expression, use \\z')
  if (next === 'u') {
    const code = /^\{?([0-9a-fA-F]{1,6})\}?/.exec(source.slice(at + 2, at + 10))?.[1] ?? ''
    return `\\x{${source[at + 2] === '{' ? code : code.slice(0, 4)}}`
  }
  const known = (inClass ? IN_CLASS : OUTSIDE).get(next)
  if (known !== undefined) return known
  return /[\p{L}\p{N}]/u.test(next) || /[\x21-\x7e]/.test(next) ? `\\${next}` : next
}

function lengthOfCode(source: string, at: number): number {
  return source[at + 2] === '{' ? Math.max(2, source.indexOf('}', at) - at) : 5
}
