import { mustOrder } from '../compare.ts'
import { fail } from '../error.ts'
import { kindOf, type Machine, type Method, type Range, type Value } from '../values.ts'
import { count, countList, createTable, requireSize } from './table.ts'

/** Methods of ranges that need no list of their elements; all others are those of lists. */
export const RANGE = createTable<Range>(
  {
    each: [0, 0, runEach],
    step: [1, 1, step],
    'include?': [1, 1, (self, [value = null], machine) => covers(self, value, machine)],
    '===': [1, 1, (self, [value = null], machine) => covers(self, value, machine)],
    begin: [0, 0, (self) => self.first],
    end: [0, 0, (self) => self.last],
    first: [
      0,
      1,
      (self, [most], machine) => (most === undefined ? self.first : firstOf(self, requireSize(most), machine)),
    ],
    last: [
      0,
      1,
      (self, [most], machine) => (most === undefined ? self.last : listItems(self, machine).slice(-requireSize(most))),
    ],
    min: [0, 0, (self, _args, machine) => (isEmpty(self, machine) ? null : self.first)],
    size: [0, 0, (self) => lengthOf(self)],
    count: [
      0,
      0,
      (self, _args, machine, block) =>
        block === null ? lengthOf(self) : machine.send(listItems(self, machine), 'count', [], block),
    ],
    'exclude_end?': [0, 0, (self) => self.exclusive],
  },
  { 'member?': 'include?', 'cover?': 'include?', take: 'first', length: 'size' },
)

/** Lists the elements of a range of integers or of texts. */
export function listItems(self: Range, machine: Machine): Value[] {
  if (self.last === null) return fail('this range has no end')
  const { first } = self
  if (typeof first === 'string') return listTexts(first, self, machine)
  const length = Number(lengthOf(self))
  machine.meter.elements(length)
  machine.meter.step(length)
  return typeof first === 'bigint' ? Array.from({ length }, (_, index) => first + BigInt(index)) : []
}

function runEach(...[self, , machine, block]: Parameters<Method<Range>>): Value {
  if (typeof self.first !== 'bigint') {
    for (const item of listItems(self, machine)) block?.call([item])
    return block === null ? listItems(self, machine) : self
  }
  if (block === null) return listItems(self, machine)
  for (let at = self.first; isBefore(at, self); at += 1n) block.call([at])
  return self
}

function step(...[self, [by], machine, block]: Parameters<Method<Range>>): Value {
  const stride = BigInt(count(by))
  if (stride <= 0n || typeof self.first !== 'bigint')
    return fail('step takes a positive integer and a range of integers')
  const items: Value[] = []
  for (let at = self.first; isBefore(at, self); at += stride) {
    machine.meter.step()
    if (block === null) {
      machine.meter.elements(1)
      items.push(at)
    } else block.call([at])
  }
  return block === null ? items : self
}

function isBefore(at: bigint, { last, exclusive }: Range): boolean {
  if (last === null) return true
  if (typeof last !== 'bigint' && typeof last !== 'number') return false
  return exclusive ? at < last : at <= last
}

function covers(self: Range, value: Value, machine: Machine): boolean {
  const comparable = [self.first, self.last].every((end) => end === null || isComparableWith(end, value))
  if (!comparable) return false
  if (self.first !== null && mustOrder(self.first, value, machine) > 0) return false
  if (self.last === null) return true
  const last = mustOrder(value, self.last, machine)
  return self.exclusive ? last < 0 : last <= 0
}

function isComparableWith(end: Value, value: Value): boolean {
  const isNumber = (each: Value) => typeof each === 'bigint' || typeof each === 'number'
  return (isNumber(end) && isNumber(value)) || typeof end === typeof value
}

function firstOf(self: Range, most: number, machine: Machine): Value {
  const { first } = self
  if (typeof first !== 'bigint') return countList(listItems(self, machine).slice(0, most), machine)
  const length = self.last === null ? most : Math.min(most, Number(lengthOf(self)))
  machine.meter.elements(length)
  return Array.from({ length }, (_, index) => first + BigInt(index))
}

function isEmpty(self: Range, machine: Machine): boolean {
  return !covers(self, self.first, machine)
}

function lengthOf({ first, last, exclusive }: Range): bigint {
  if (typeof first !== 'bigint') return fail(`cannot count from ${kindOf(first)}`)
  if (typeof last !== 'bigint' && typeof last !== 'number') return fail('this range has no end')
  const end = typeof last === 'bigint' ? last : BigInt(Math.floor(last))
  const length = end - first + (exclusive && end === last ? 0n : 1n)
  return length < 0n ? 0n : length
}

/** Lists a range of texts, 'a'..'e', 'aa'..'ad', '01'..'12': each is the successor of the one before. */
function listTexts(first: string, self: Range, machine: Machine): Value[] {
  if (typeof self.last !== 'string') return fail('this range has no end')
  const items: Value[] = []
  for (let at = first; at.length <= self.last.length; at = successorOf(at)) {
    machine.meter.step()
    machine.meter.text(at.length)
    machine.meter.elements(1)
    if (at === self.last && self.exclusive) break
    items.push(at)
    if (at === self.last) break
  }
  return items
}

/**
 * Yields the next text: its last letter or digit is incremented, with a carry: 'az' -> 'ba', 'zz' -> 'aaa', '09' -> '10'.
 */
export function successorOf(text: string): string {
  const characters = [...text]
  for (let at = characters.length - 1; at >= 0; at -= 1) {
    const character = characters[at] ?? ''
    if (!/[a-zA-Z0-9]/.test(character)) return fail(`'${text.slice(0, 20)}' has no successor here`)
    const wraps = new Map([
      ['z', 'a'],
      ['Z', 'A'],
      ['9', '0'],
    ]).get(character)
    if (wraps === undefined) {
      characters[at] = String.fromCharCode(character.charCodeAt(0) + 1)
      return characters.join('')
    }
    characters[at] = wraps
  }
  const leading = characters[0] === '0' ? '1' : (characters[0] ?? 'a')
  return leading + characters.join('')
}
