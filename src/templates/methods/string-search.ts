import { keyOf } from '../compare.ts'
import { fail } from '../error.ts'
import { matches } from '../parser/regexps.ts'
import { textOf } from '../text.ts'
import { type Block, Hash, type Machine, type Match, Regexp, type Value } from '../values.ts'
import { count, countList, countText, requireBlock, requireText } from './table.ts'

/**
 * Evaluates `split`: at blanks, a text or a regular expression; empty texts at the end are dropped unless a limit is given.
 */
export function split(self: string, [separator = null, limit]: readonly Value[], machine: Machine): Value {
  const most = limit === undefined ? 0 : count(limit)
  const parts = splitPieces(self, separator, most, machine)
  if (most === 0) while (parts.at(-1) === '') parts.pop()
  return countList(parts, machine)
}

/** Evaluates `sub`: replaces the first match. */
export function replaceFirst(self: string, args: readonly Value[], machine: Machine, block: Block | null): Value {
  return replaceMatches(self, args, machine, block, 1)
}

/** Evaluates `gsub`: replaces all matches. */
export function replaceAll(self: string, args: readonly Value[], machine: Machine, block: Block | null): Value {
  return replaceMatches(self, args, machine, block, Number.POSITIVE_INFINITY)
}

const MAX_SET = 1000

/** Refuses long character sets: a set is parsed for each call, and each character is compared with it. */
export function requireModerate(set: string): string {
  return set.length > MAX_SET ? fail(`a set of characters may be ${MAX_SET} characters long`) : set
}

/** Parses the character set of `delete`, `count` and `squeeze`: `a-z`, `^a-z`. */
export function parseCharacterSet(given: string): (character: string) => boolean {
  const set = requireModerate(given)
  const isInverted = set.length > 1 && set.startsWith('^')
  const characters = [...(isInverted ? set.slice(1) : set)]
  const single = new Set<string>()
  const ranges: [first: number, last: number][] = []
  for (let at = 0; at < characters.length; at += 1) {
    const [first = '', dash, last] = characters.slice(at, at + 3)
    if (dash === '-' && last !== undefined) {
      ranges.push([first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0])
      at += 2
    } else single.add(first)
  }
  return (character) => {
    const code = character.codePointAt(0) ?? 0
    const isIn = single.has(character) || ranges.some(([first, last]) => code >= first && code <= last)
    return isIn !== isInverted
  }
}

function splitPieces(self: string, separator: Value, most: number, machine: Machine): string[] {
  if (self === '') return []
  if (separator === null || separator === ' ') return splitWords(self, most, machine)
  if (!(separator instanceof Regexp)) return splitLimited(self, requireText(separator), most, machine)
  const parts: string[] = []
  let at = 0
  for (const match of matches(separator, self, machine)) {
    if (most > 0 && parts.length >= most - 1) break
    const whole = match.groups[0] ?? ''
    if (whole === '' && (match.start === 0 || match.start >= self.length)) continue
    parts.push(self.slice(at, match.start), ...match.groups.slice(1).map((group) => group ?? ''))
    at = match.start + whole.length
  }
  machine.meter.text(self.length)
  return [...parts, self.slice(at)]
}

function splitWords(self: string, most: number, machine: Machine): string[] {
  const all = self.trim().split(/\s+/)
  machine.meter.text(self.length)
  if (most <= 0 || all.length <= most) return all[0] === '' ? [] : all
  let rest = self.trimStart()
  for (const word of all.slice(0, most - 1)) rest = rest.slice(word.length).trimStart()
  return [...all.slice(0, most - 1), rest]
}

function splitLimited(self: string, separator: string, most: number, machine: Machine): string[] {
  machine.meter.elements(separator === '' ? self.length : 0)
  const all = separator === '' ? [...self] : self.split(separator)
  machine.meter.elements(all.length)
  if (most <= 0 || all.length <= most) return all
  return [...all.slice(0, most - 1), all.slice(most - 1).join(separator)]
}

function replaceMatches(
  self: string,
  args: readonly Value[],
  machine: Machine,
  block: Block | null,
  most: number,
): string {
  const [pattern = null, replacement] = args
  const parts: string[] = []
  let at = 0
  let rounds = 0
  for (const match of findMatches(self, pattern, machine)) {
    machine.match = match
    const whole = match.groups[0] ?? ''
    const instead =
      replacement === undefined
        ? textOf(requireBlock(block).call([whole]), machine)
        : byText(replacement, match, pattern, machine)
    machine.meter.text(instead.length)
    parts.push(self.slice(at, match.start), instead)
    at = match.start + whole.length
    rounds += 1
    if (rounds >= most) break
  }
  parts.push(self.slice(at))
  return countText(parts.join(''), machine)
}

function findMatches(self: string, pattern: Value, machine: Machine): Iterable<Match> {
  if (pattern instanceof Regexp) return matches(pattern, self, machine)
  const source = requireText(pattern).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return matches(new Regexp(source, ''), self, machine)
}

/** Yields the replacement of a match: a text in which `\1` and `\k<name>` stand for groups, or the value of a hash. */
function byText(replacement: Value, match: Match, pattern: Value, machine: Machine): string {
  const whole = match.groups[0] ?? ''
  if (replacement instanceof Hash) return textOf(replacement.entries.get(keyOf(whole, machine))?.[1] ?? null, machine)
  const template = requireText(replacement)
  if (!template.includes('\\')) return template
  const expandGroup = (_: string, name: string | undefined, mark: string | undefined): string => {
    if (name !== undefined) return match.names.get(name) ?? fail(`undefined group name reference: ${name}`)
    if (mark === '\\') return '\\'
    if (mark === '&' || mark === '0') return whole
    return pattern instanceof Regexp ? (match.groups[Number(mark)] ?? '') : ''
  }
  return template.replace(/\\(?:k<(\w+)>|([0-9&\\]))/g, expandGroup)
}
