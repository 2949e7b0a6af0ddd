import { areEqual, keyOf } from '../compare.ts'
import { fail } from '../error.ts'
import { textOf } from '../text.ts'
import { type Block, isTrue, type Machine, type Method, Range, type Value } from '../values.ts'
import { eachOf, sliceOf } from './enumerable.ts'
import { count, countList, createTable, type Entry, listArgument, requireBlock, requireSize, test } from './table.ts'

/** Methods that yield a list, in their form with `!`, which changes the list itself. */
const IN_PLACE = Object.fromEntries(
  ['map', 'collect', 'compact', 'uniq', 'flatten', 'sort', 'sort_by', 'reverse', 'rotate'].map(
    (name): [string, Entry<Value[]>] => [
      `${name}!`,
      [0, 1, (self, args, machine, block) => replaceItems(self, listArgument(machine.send(self, name, args, block)))],
    ],
  ),
)

/** Methods of lists, besides those of all enumerables. */
export const ARRAY = createTable<Value[]>(
  {
    ...IN_PLACE,
    '[]': [1, 2, slice],
    '[]=': [2, 2, put],
    at: [1, 1, (self, [index]) => self.at(count(index)) ?? null],
    dig: [1, 20, (self, [key, ...rest], machine) => dig(self.at(count(key)) ?? null, rest, machine)],
    fetch: [1, 2, fetchItem],
    values_at: [0, 50, (self, args) => args.map((each) => self.at(count(each)) ?? null)],
    length: [0, 0, (self) => BigInt(self.length)],
    'empty?': [0, 0, (self) => self.length === 0],
    last: [
      0,
      1,
      (self, [most], machine) =>
        most === undefined
          ? (self.at(-1) ?? null)
          : countList(self.slice(Math.max(0, self.length - requireSize(most))), machine),
    ],
    each: [0, 0, (self, _args, _machine, block) => eachOf(self, block)],
    each_record: [0, 0, (self, _args, _machine, block) => eachOf(self, block)],
    find_each: [0, 0, (self, _args, _machine, block) => eachOf(self, block)],
    each_index: [0, 0, runEachIndex],
    push: [0, 50, append],
    '<<': [1, 1, append],
    unshift: [0, 50, (self, args, machine) => prepend(self, args, machine)],
    pop: [0, 0, (self) => self.pop() ?? null],
    shift: [0, 0, (self) => self.shift() ?? null],
    concat: [0, 20, appendLists],
    '+': [1, 1, (self, [other], machine) => joinLists(self, listArgument(other), machine)],
    '-': [1, 1, (self, [other], machine) => without(self, listArgument(other), machine)],
    '*': [1, 1, multiplyList],
    '&': [1, 1, intersectLists],
    '|': [1, 1, (self, [other], machine) => machine.send(joinLists(self, listArgument(other), machine), 'uniq')],
    join: [
      0,
      1,
      (self, [separator], machine) =>
        join(self, separator === undefined || separator === null ? '' : textOf(separator, machine), machine),
    ],
    reverse: [0, 0, (self, _args, machine) => countList(self.toReversed(), machine)],
    rotate: [0, 1, rotate],
    flatten: [
      0,
      1,
      (self, [levels], machine) =>
        flattenList(self, levels === undefined || levels === null ? -1 : count(levels), machine),
    ],
    compact: [
      0,
      0,
      (self, _args, machine) =>
        countList(
          self.filter((each) => each !== null),
          machine,
        ),
    ],
    compact_blank: [
      0,
      0,
      (self, _args, machine) =>
        countList(
          self.filter((each) => machine.send(each, 'blank?') === false),
          machine,
        ),
    ],
    delete: [
      1,
      1,
      (self, [unwanted = null], machine) => removeItems(self, (each) => areEqual(each, unwanted, machine)) ?? null,
    ],
    delete_at: [1, 1, (self, [index]) => self.splice(count(index), 1)[0] ?? null],
    delete_if: [
      0,
      0,
      (self, _args, _machine, block) => keepItems(self, (each) => !isTrue(requireBlock(block).call([each]))),
    ],
    keep_if: [0, 0, (self, _args, _machine, block) => keepItems(self, test(requireBlock(block)))],
    transpose: [0, 0, transpose],
    product: [1, 1, computeProduct],
    to_sentence: [0, 0, (self, _args, machine) => formatSentence(self, machine)],
  },
  {
    size: 'length',
    slice: '[]',
    append: 'push',
    prepend: 'unshift',
    difference: '-',
    union: '|',
    'select!': 'keep_if',
    'reject!': 'delete_if',
  },
)

function runEachIndex(self: Value[], _args: readonly Value[], machine: Machine, block: Block | null): Value {
  const indices = countList(
    self.map((_, index) => BigInt(index)),
    machine,
  )
  if (block === null) return indices
  eachOf(indices, block)
  return self
}

/** Evaluates `dig`: a value deeper inside. */
export function dig(value: Value, keys: readonly Value[], machine: Machine): Value {
  return keys.length === 0 || value === null ? value : machine.send(value, 'dig', keys)
}

function slice(self: Value[], [first = null, length]: readonly Value[], machine: Machine): Value {
  if (first instanceof Range) {
    const part = sliceOf(first, self.length)
    return part === null ? null : countList(self.slice(part.start, part.end), machine)
  }
  if (length === undefined) return self.at(count(first)) ?? null
  const index = count(first)
  const start = index < 0 ? index + self.length : index
  return start < 0 || start > self.length ? null : countList(self.slice(start, start + requireSize(length)), machine)
}

function put(self: Value[], [place, value = null]: readonly Value[], machine: Machine): Value {
  const index = count(place)
  const at = index < 0 ? index + self.length : index
  if (at < 0) return fail(`index ${index} too small for a list of ${self.length}`)
  machine.meter.elements(Math.max(1, at - self.length + 1))
  while (self.length < at) self.push(null)
  self[at] = value
  return value
}

function fetchItem(...[self, [place, fallback], , block]: Parameters<Method<Value[]>>): Value {
  const index = count(place)
  const value = self.at(index)
  if (value !== undefined) return value
  if (block !== null) return block.call([BigInt(index)])
  return fallback ?? fail(`index ${index} is outside of the list of ${self.length}`)
}

function append(self: Value[], args: readonly Value[], machine: Machine): Value {
  machine.meter.elements(args.length)
  for (const each of args) self.push(each)
  return self
}

function prepend(self: Value[], args: readonly Value[], machine: Machine): Value {
  machine.meter.elements(args.length)
  self.unshift(...args)
  return self
}

function appendLists(self: Value[], others: readonly Value[], machine: Machine): Value {
  for (const other of others) append(self, [...listArgument(other)], machine)
  return self
}

function joinLists(self: readonly Value[], other: readonly Value[], machine: Machine): Value[] {
  machine.meter.elements(self.length + other.length)
  return [...self, ...other]
}

function without(self: readonly Value[], other: readonly Value[], machine: Machine): Value[] {
  const keys = new Set(other.map((each) => keyOf(each, machine)))
  return countList(
    self.filter((each) => !keys.has(keyOf(each, machine))),
    machine,
  )
}

function intersectLists(self: readonly Value[], [other]: readonly Value[], machine: Machine): Value {
  const keys = new Set(listArgument(other).map((each) => keyOf(each, machine)))
  const both = self.filter((each) => keys.has(keyOf(each, machine)))
  return machine.send(both, 'uniq')
}

function multiplyList(self: Value[], [times]: readonly Value[], machine: Machine): Value {
  if (typeof times === 'string') return join(self, times, machine)
  const rounds = requireSize(times)
  machine.meter.elements(self.length * rounds)
  machine.meter.step(rounds)
  return Array.from({ length: rounds }, () => self).flat()
}

/** Joins all elements to one text, those of nested lists included. */
function join(self: readonly Value[], separator: string, machine: Machine): string {
  const texts = self.map((each) => {
    machine.meter.step()
    return Array.isArray(each) ? machine.meter.within(() => join(each, separator, machine)) : textOf(each, machine)
  })
  machine.meter.text(texts.reduce((length, each) => length + each.length + separator.length, 0))
  return texts.join(separator)
}

function rotate(self: Value[], [by]: readonly Value[], machine: Machine): Value {
  if (self.length === 0) return []
  const shift = (((by === undefined ? 1 : count(by)) % self.length) + self.length) % self.length
  machine.meter.elements(self.length)
  return [...self.slice(shift), ...self.slice(0, shift)]
}

function flattenList(self: readonly Value[], levels: number, machine: Machine): Value[] {
  const result: Value[] = []
  for (const each of self) {
    machine.meter.elements(1)
    machine.meter.step()
    if (!Array.isArray(each) || levels === 0) result.push(each)
    else for (const inner of machine.meter.within(() => flattenList(each, levels - 1, machine))) result.push(inner)
  }
  return result
}

function replaceItems(self: Value[], next: readonly Value[]): Value[] {
  const items = [...next]
  self.length = 0
  for (const each of items) self.push(each)
  return self
}

function removeItems(self: Value[], matches: (value: Value) => boolean): Value | undefined {
  const last = self.findLast(matches)
  if (last !== undefined) keepItems(self, (each) => !matches(each))
  return last
}

function keepItems(self: Value[], keeps: (value: Value) => boolean): Value[] {
  return replaceItems(self, self.filter(keeps))
}

function transpose(self: Value[], _args: readonly Value[], machine: Machine): Value {
  const rows = self.map(listArgument)
  const width = rows[0]?.length ?? 0
  if (rows.some((row) => row.length !== width)) fail('the lists are of different lengths')
  machine.meter.elements(width * (rows.length + 1))
  return Array.from({ length: width }, (_, index) => rows.map((row) => row[index] ?? null))
}

function computeProduct(self: Value[], [other]: readonly Value[], machine: Machine): Value {
  const second = listArgument(other)
  machine.meter.elements(self.length * second.length * 3)
  return self.flatMap((left) => second.map((right) => [left, right]))
}

function formatSentence(self: readonly Value[], machine: Machine): string {
  const texts = self.map((each) => textOf(each, machine))
  machine.meter.text(texts.reduce((length, each) => length + each.length + 5, 0))
  if (texts.length < 3) return texts.join(' and ')
  return `${texts.slice(0, -1).join(', ')}, and ${texts.at(-1)}`
}
