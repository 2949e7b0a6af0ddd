import { order } from '../compare.ts'
import { fail } from '../error.ts'
import { format } from '../format.ts'
import { matches, search } from '../parser/regexps.ts'
import { inspect } from '../text.ts'
import { type Block, kindOf, type Machine, Match, type Method, Range, Regexp, Sym, type Value } from '../values.ts'
import { sliceOf } from './enumerable.ts'
import { matchesQuietly, placeOf } from './others.ts'
import { listItems, successorOf } from './range.ts'
import { parseCharacterSet, replaceAll, replaceFirst, requireModerate, split } from './string-search.ts'
import { count, countList, countText, createTable, requireSize, requireText } from './table.ts'

/** Methods of texts, which count in characters, not UTF-16 units. */
export const STRING = createTable<string>(
  {
    '+': [1, 1, (self, [other], machine) => countText(self + requireText(other), machine)],
    '*': [1, 1, (self, [times], machine) => repeat(self, requireSize(times), machine)],
    '%': [1, 1, (self, [values = null], machine) => format(self, Array.isArray(values) ? values : [values], machine)],
    '<': compareBy((result) => result < 0),
    '<=': compareBy((result) => result <= 0),
    '>': compareBy((result) => result > 0),
    '>=': compareBy((result) => result >= 0),
    '=~': [
      1,
      1,
      (self, [pattern = null], machine) =>
        pattern instanceof Regexp ? placeOf(pattern, self, machine) : fail(`type mismatch: ${kindOf(pattern)} given`),
    ],
    '[]': [1, 2, takePart],
    length: [0, 0, (self) => BigInt(lengthOf(self))],
    bytesize: [0, 0, (self) => BigInt(Buffer.byteLength(self))],
    'empty?': [0, 0, (self) => self === ''],
    upcase: [0, 0, (self, _args, machine) => countText(self.toUpperCase(), machine)],
    downcase: [0, 0, (self, _args, machine) => countText(self.toLowerCase(), machine)],
    capitalize: [0, 0, (self, _args, machine) => countText(capitalize(self), machine)],
    swapcase: [0, 0, (self, _args, machine) => countText([...self].map(swapCase).join(''), machine)],
    titleize: [
      0,
      0,
      (self, _args, machine) =>
        countText(
          self
            .split(/[\s_]+/)
            .map(capitalize)
            .join(' '),
          machine,
        ),
    ],
    strip: [0, 0, (self, _args, machine) => countText(withoutStart(withoutEnd(self)), machine)],
    lstrip: [0, 0, (self, _args, machine) => countText(withoutStart(self), machine)],
    rstrip: [0, 0, (self, _args, machine) => countText(withoutEnd(self), machine)],
    squish: [0, 0, (self, _args, machine) => countText(self.trim().split(/\s+/).join(' '), machine)],
    chomp: [
      0,
      1,
      (self, [ending], machine) =>
        countText(ending === undefined ? chomp(self) : without(self, requireText(ending), false), machine),
    ],
    chop: [
      0,
      0,
      (self, _args, machine) =>
        countText(self.endsWith('\r\n') ? self.slice(0, -2) : slice(self, 0, Math.max(0, lengthOf(self) - 1)), machine),
    ],
    chr: [0, 0, (self) => slice(self, 0, 1)],
    delete_prefix: [1, 1, (self, [start], machine) => countText(without(self, requireText(start), true), machine)],
    delete_suffix: [1, 1, (self, [ending], machine) => countText(without(self, requireText(ending), false), machine)],
    reverse: [0, 0, (self, _args, machine) => countText([...self].reverse().join(''), machine)],
    chars: [0, 0, (self, _args, machine) => countList([...self], machine)],
    bytes: [0, 0, (self, _args, machine) => countList([...Buffer.from(self)].map(BigInt), machine)],
    lines: [0, 0, (self, _args, machine) => countList(splitLines(self), machine)],
    each_line: [0, 0, (self, _args, machine, block) => runEach(countList(splitLines(self), machine), self, block)],
    each_char: [0, 0, (self, _args, machine, block) => runEach(countList([...self], machine), self, block)],
    split: [0, 2, split],
    sub: [1, 2, replaceFirst],
    gsub: [1, 2, replaceAll],
    scan: [1, 1, scan],
    match: [1, 1, (self, [pattern], machine) => search(requireRegexp(pattern), self, machine)],
    'match?': [1, 1, (self, [pattern], machine) => matchesQuietly(requireRegexp(pattern), self, machine)],
    tr: [2, 2, (self, [from, to], machine) => countText(translate(self, requireText(from), requireText(to)), machine)],
    tr_s: [
      2,
      2,
      (self, [from, to], machine) =>
        machine.send(translate(self, requireText(from), requireText(to)), 'squeeze', [to ?? '']),
    ],
    delete: [
      1,
      1,
      (self, [set], machine) =>
        countText([...self].filter(negateSet(parseCharacterSet(requireText(set)))).join(''), machine),
    ],
    squeeze: [
      0,
      1,
      (self, [set], machine) =>
        countText(squeeze(self, set === undefined ? () => true : parseCharacterSet(requireText(set))), machine),
    ],
    count: [1, 1, (self, [set]) => BigInt([...self].filter(parseCharacterSet(requireText(set))).length)],
    'include?': [1, 1, (self, [other]) => self.includes(requireText(other))],
    'start_with?': [1, 20, (self, args, machine) => args.some((each) => startsWith(self, each, machine))],
    'end_with?': [1, 20, (self, args) => args.some((each) => self.endsWith(requireText(each)))],
    index: [1, 2, indexOf],
    rindex: [1, 1, (self, [other]) => characterIndexOf(self, self.lastIndexOf(requireText(other)))],
    partition: [1, 1, splitAround],
    rpartition: [
      1,
      1,
      (self, [separator], machine) =>
        buildPartition(self, self.lastIndexOf(requireText(separator)), requireText(separator), machine, true),
    ],
    center: [1, 2, (self, args, machine) => center(self, args, machine)],
    ljust: [
      1,
      2,
      (self, [width, filler], machine) => self + buildPadding(requireSize(width) - lengthOf(self), filler, machine),
    ],
    rjust: [
      1,
      2,
      (self, [width, filler], machine) => buildPadding(requireSize(width) - lengthOf(self), filler, machine) + self,
    ],
    indent: [1, 2, (self, [by, filler], machine) => indent(self, requireSize(by), filler, machine)],
    truncate: [
      1,
      1,
      (self, [width], machine) =>
        countText(
          lengthOf(self) <= requireSize(width) ? self : `${slice(self, 0, Math.max(0, requireSize(width) - 3))}...`,
          machine,
        ),
    ],
    insert: [2, 2, (self, [at, more], machine) => countText(insert(self, count(at), requireText(more)), machine)],
    prepend: [1, 1, (self, [start], machine) => countText(requireText(start) + self, machine)],
    succ: [0, 0, (self) => successorOf(self)],
    upto: [
      1,
      1,
      (self, [last = null], machine, block) =>
        runEach(listItems(new Range(self, requireText(last), false), machine), self, block),
    ],
    to_i: [0, 1, (self, [base]) => toInteger(self, base === undefined ? 10 : count(base))],
    to_f: [
      0,
      0,
      (self) =>
        Number(
          /^\s*[+-]?(?:\d[\d_]*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(self.slice(0, 400))?.[0].replaceAll('_', '') ?? 0,
        ),
    ],
    to_sym: [0, 0, (self) => new Sym(self)],
    to_str: [0, 0, (self) => self],
    hex: [0, 0, (self) => toInteger(self.replace(/^0[xX]/, ''), 16)],
    ord: [0, 0, (self) => (self === '' ? fail('empty string') : BigInt(self.codePointAt(0) ?? 0))],
    'casecmp?': [
      1,
      1,
      (self, [other = null]) => typeof other === 'string' && self.toLowerCase() === other.toLowerCase(),
    ],
    'ascii_only?': [0, 0, (self) => Buffer.byteLength(self) === self.length],
    dump: [0, 0, (self, _args, machine) => inspect(self, machine)],
    '+@': [0, 0, (self) => self],
  },
  {
    size: 'length',
    '<<': '+',
    concat: '+',
    slice: '[]',
    intern: 'to_sym',
    next: 'succ',
    'starts_with?': 'start_with?',
    'ends_with?': 'end_with?',
  },
)

function compareBy(decide: (result: number) => boolean): readonly [1, 1, Method<string>] {
  return [
    1,
    1,
    (self, [other = null], machine) =>
      decide(order(self, other, machine) ?? fail(`comparison of String with ${kindOf(other)} failed`)),
  ]
}

function hasHalves(self: string): boolean {
  return /[\ud800-\udfff]/.test(self)
}

function lengthOf(self: string): number {
  return hasHalves(self) ? [...self].length : self.length
}

function slice(self: string, start: number, end: number): string {
  return hasHalves(self) ? [...self].slice(start, end).join('') : self.slice(start, end)
}

function characterIndexOf(self: string, index: number): Value {
  return index < 0 ? null : BigInt(lengthOf(self.slice(0, index)))
}

function takePart(self: string, [first = null, length]: readonly Value[], machine: Machine): Value {
  if (typeof first === 'string') return self.includes(first) ? first : null
  if (first instanceof Regexp) {
    const match = search(first, self, machine)
    return match === null ? null : machine.send(match, '[]', [length ?? 0n])
  }
  const whole = lengthOf(self)
  if (first instanceof Range) {
    const found = sliceOf(first, whole)
    return found === null ? null : countText(slice(self, found.start, found.end), machine)
  }
  const start = count(first) < 0 ? count(first) + whole : count(first)
  if (start < 0 || start > whole || (length === undefined && start === whole)) return null
  return countText(slice(self, start, start + (length === undefined ? 1 : requireSize(length))), machine)
}

function repeat(self: string, times: number, machine: Machine): string {
  machine.meter.text(self.length * times)
  return self.repeat(times)
}

function capitalize(self: string): string {
  const [first = '', ...rest] = self
  return first.toUpperCase() + rest.join('').toLowerCase()
}

function swapCase(character: string): string {
  const upper = character.toUpperCase()
  return character === upper ? character.toLowerCase() : upper
}

function withoutStart(self: string): string {
  let start = 0
  while (start < self.length && '\0\t\n\v\f\r '.includes(self[start] ?? '')) start += 1
  return self.slice(start)
}

function withoutEnd(self: string): string {
  let end = self.length
  while (end > 0 && '\0\t\n\v\f\r '.includes(self[end - 1] ?? 'x')) end -= 1
  return self.slice(0, end)
}

function chomp(self: string): string {
  if (self.endsWith('\r\n')) return self.slice(0, -2)
  return self.endsWith('\n') || self.endsWith('\r') ? self.slice(0, -1) : self
}

function without(self: string, edge: string, isStart: boolean): string {
  if (isStart) return self.startsWith(edge) ? self.slice(edge.length) : self
  return edge !== '' && self.endsWith(edge) ? self.slice(0, -edge.length) : self
}

function splitLines(self: string): string[] {
  const found = self.split('\n').map((line) => `${line}\n`)
  const last = found.pop()?.slice(0, -1) ?? ''
  return last === '' ? found : [...found, last]
}

function runEach(items: Value[], self: string, block: Block | null): Value {
  if (block === null) return items
  for (const item of items) block.call([item])
  return self
}

function requireRegexp(pattern: Value | undefined): Regexp {
  if (pattern instanceof Regexp) return pattern
  return new Regexp(requireText(pattern), '')
}

function scan(self: string, [pattern = null]: readonly Value[], machine: Machine, block: Block | null): Value {
  const search =
    pattern instanceof Regexp ? pattern : new Regexp(requireText(pattern).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), '')
  const found: Value[] = []
  for (const match of matches(search, self, machine)) {
    machine.match = match
    found.push(match.groups.length > 1 ? match.groups.slice(1) : (match.groups[0] ?? ''))
  }
  return runEach(found, self, block)
}

/**
 * Evaluates `tr('a-y', 'b-z')`: each character of the first set becomes the one at its position in the second, or the last
 * one.
 */
function translate(self: string, from: string, to: string): string {
  const isInverted = from.length > 1 && from.startsWith('^')
  const sources = expandSet(isInverted ? from.slice(1) : from)
  const targets = expandSet(to)
  const places = new Map(sources.map((each, index) => [each, index] as const).reverse())
  const replaceCharacter = (character: string): string => {
    const index = places.get(character)
    if (isInverted) return index === undefined ? (targets.at(-1) ?? '') : character
    return index === undefined ? character : (targets[index] ?? targets.at(-1) ?? '')
  }
  return [...self].map(replaceCharacter).join('')
}

function expandSet(set: string): string[] {
  const characters = [...requireModerate(set)]
  const result: string[] = []
  for (let at = 0; at < characters.length; at += 1) {
    const [first = '', dash, last = ''] = characters.slice(at, at + 3)
    if (first === '\\' && dash !== undefined) {
      result.push(dash)
      at += 1
    } else if (dash === '-' && last !== '') {
      const end = last.codePointAt(0) ?? 0
      if (end - (first.codePointAt(0) ?? 0) > 10_000) fail('a range of characters is too long')
      for (let code = first.codePointAt(0) ?? 0; code <= end; code += 1) result.push(String.fromCodePoint(code))
      at += 2
    } else result.push(first)
  }
  return result
}

function negateSet(matches: (character: string) => boolean): (character: string) => boolean {
  return (character) => !matches(character)
}

function squeeze(self: string, matches: (character: string) => boolean): string {
  let last = ''
  const kept = [...self].filter((character) => {
    const repeats = character === last && matches(character)
    last = character
    return !repeats
  })
  return kept.join('')
}

function startsWith(self: string, start: Value, machine: Machine): boolean {
  if (!(start instanceof Regexp)) return self.startsWith(requireText(start))
  return search(new Regexp(`\\A(?:${start.source})`, start.flags), self, machine) !== null
}

function indexOf(self: string, [wanted = null, from]: readonly Value[], machine: Machine): Value {
  if (wanted instanceof Regexp) return placeOf(wanted, self, machine)
  return characterIndexOf(self, self.indexOf(requireText(wanted), from === undefined ? 0 : count(from)))
}

function splitAround(self: string, [separator = null]: readonly Value[], machine: Machine): Value {
  const found = separator instanceof Regexp ? search(separator, self, machine) : null
  const edge =
    found instanceof Match ? (found.groups[0] ?? '') : separator instanceof Regexp ? '' : requireText(separator)
  const at = separator instanceof Regexp ? (found?.start ?? -1) : self.indexOf(edge)
  return buildPartition(self, at, edge, machine, false)
}

function buildPartition(self: string, at: number, edge: string, machine: Machine, fromEnd: boolean): Value {
  machine.meter.text(self.length)
  if (at < 0) return fromEnd ? ['', '', self] : [self, '', '']
  return [self.slice(0, at), edge, self.slice(at + edge.length)]
}

function buildPadding(length: number, filler: Value | undefined, machine: Machine): string {
  if (length <= 0) return ''
  const fill = filler === undefined ? ' ' : requireText(filler)
  if (fill === '') return fail('zero width padding')
  machine.meter.text(length)
  return fill.repeat(Math.ceil(length / fill.length)).slice(0, length)
}

function center(self: string, [width, filler]: readonly Value[], machine: Machine): string {
  const room = Math.max(0, requireSize(width) - lengthOf(self))
  const left = Math.floor(room / 2)
  return countText(buildPadding(left, filler, machine) + self + buildPadding(room - left, filler, machine), machine)
}

/** Puts blanks before every line that is not empty. */
function indent(self: string, by: number, filler: Value | undefined, machine: Machine): string {
  const blanks = buildPadding(by, filler, machine)
  const all = self.split('\n')
  machine.meter.text(self.length + all.length * blanks.length)
  return all.map((line) => (line === '' ? line : blanks + line)).join('\n')
}

function insert(self: string, at: number, more: string): string {
  const whole = lengthOf(self)
  const start = at < 0 ? at + whole + 1 : at
  if (start < 0 || start > whole) fail(`index ${at} out of string`)
  return slice(self, 0, start) + more + slice(self, start, whole)
}

/** Parses the digits at the beginning; 0 where there are none. */
function toInteger(self: string, base: number): bigint {
  if (base < 2 || base > 36) return fail(`invalid radix ${base}`)
  const trimmed = withoutStart(self).slice(0, 4000)
  const sign = trimmed.startsWith('-') ? -1n : 1n
  const digits = /^[+-]?([0-9a-zA-Z_]*)/.exec(trimmed)?.[1]?.replaceAll('_', '') ?? ''
  let value = 0n
  for (const digit of digits) {
    const number = Number.parseInt(digit, base)
    if (Number.isNaN(number)) break
    value = value * BigInt(base) + BigInt(number)
  }
  return value * sign
}
