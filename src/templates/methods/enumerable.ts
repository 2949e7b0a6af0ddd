import { areEqual, keyOf, mustOrder } from '../compare.ts'
import { fail } from '../error.ts'
import { type Block, Hash, isTrue, type Machine, type Range, Sym, type Value } from '../values.ts'
import { count, countList, createTable, requireBlock, requireSize, test } from './table.ts'

/** Methods that lists, hashes (as pairs) and ranges share. */
export const ENUMERABLE = createTable<Value[]>(
  {
    to_a: [0, 0, (self) => self],
    each_entry: [0, 0, (self, _args, _machine, block) => eachOf(self, block)],
    map: [0, 0, (self, _args, machine, block) => (block === null ? self : countList(mapItems(self, block), machine))],
    flat_map: [0, 0, (self, _args, machine, block) => mapFlat(self, requireBlock(block), machine)],
    filter_map: [
      0,
      0,
      (self, _args, machine, block) => countList(mapItems(self, requireBlock(block)).filter(isTrue), machine),
    ],
    select: [0, 0, (self, _args, machine, block) => countList(self.filter(test(requireBlock(block))), machine)],
    reject: [0, 0, (self, _args, machine, block) => countList(self.filter(negateBlock(requireBlock(block))), machine)],
    find: [0, 0, (self, _args, _machine, block) => self.find(test(requireBlock(block))) ?? null],
    find_index: [0, 1, findIndex],
    partition: [0, 0, splitByBlock],
    each_with_index: [0, 0, runEachWithIndex],
    with_index: [0, 1, withIndex],
    each_with_object: [1, 1, runEachWithObject],
    each_slice: [1, 1, runEachSlice],
    each_cons: [1, 1, runEachCons],
    reverse_each: [
      0,
      0,
      (self, _args, _machine, block) => (block === null ? self.toReversed() : eachOf(self.toReversed(), block)),
    ],
    inject: [0, 2, inject],
    sum: [0, 1, sum],
    count: [0, 1, countItems],
    'any?': [0, 1, (self, args, machine, block) => self.some(createDecider(args, machine, block))],
    'all?': [0, 1, (self, args, machine, block) => self.every(createDecider(args, machine, block))],
    'none?': [0, 1, (self, args, machine, block) => !self.some(createDecider(args, machine, block))],
    'one?': [0, 1, (self, args, machine, block) => self.filter(createDecider(args, machine, block)).length === 1],
    'include?': [1, 1, (self, [wanted = null], machine) => self.some((each) => isWanted(each, wanted, machine))],
    sort: [0, 0, (self, _args, machine, block) => countList(self.toSorted(createComparer(machine, block)), machine)],
    sort_by: [0, 0, (self, _args, machine, block) => sortByBlock(self, requireBlock(block), machine)],
    min: [0, 1, (self, args, machine, block) => takeExtreme(self.toSorted(createComparer(machine, block)), args)],
    max: [
      0,
      1,
      (self, args, machine, block) => takeExtreme(self.toSorted(createReverseComparer(machine, block)), args),
    ],
    min_by: [0, 0, (self, _args, machine, block) => sortByBlock(self, requireBlock(block), machine)[0] ?? null],
    max_by: [0, 0, findMaxBy],
    minmax: [0, 0, (self, _args, machine) => ends(self.toSorted(createComparer(machine, null)))],
    uniq: [0, 0, (self, _args, machine, block) => countList(removeDuplicates(self, machine, block), machine)],
    group_by: [0, 0, (self, _args, machine, block) => groupItems(self, requireBlock(block), machine)],
    tally: [0, 0, tally],
    first: [
      0,
      1,
      (self, [most], machine) =>
        most === undefined ? (self[0] ?? null) : countList(self.slice(0, requireSize(most)), machine),
    ],
    take: [1, 1, (self, [most], machine) => countList(self.slice(0, requireSize(most)), machine)],
    drop: [1, 1, (self, [most], machine) => countList(self.slice(requireSize(most)), machine)],
    take_while: [
      0,
      0,
      (self, _args, machine, block) => countList(self.slice(0, findFirstNot(self, requireBlock(block))), machine),
    ],
    drop_while: [
      0,
      0,
      (self, _args, machine, block) => countList(self.slice(findFirstNot(self, requireBlock(block))), machine),
    ],
    zip: [0, 20, zip],
    to_h: [0, 0, (self, _args, machine, block) => hashOf(block === null ? self : mapItems(self, block), machine)],
    lazy: [0, 0, (self) => self],
  },
  {
    collect: 'map',
    collect_concat: 'flat_map',
    filter: 'select',
    find_all: 'select',
    detect: 'find',
    index: 'find_index',
    'member?': 'include?',
    reduce: 'inject',
    entries: 'to_a',
  },
)

/** Calls a block for each element; yields the list. */
export function eachOf(self: Value[], block: Block | null): Value {
  if (block === null) return self
  for (const each of self) block.call([each])
  return self
}

/** Makes a hash of pairs. */
export function hashOf(pairs: readonly Value[], machine: Machine): Hash {
  const hash = new Hash()
  machine.meter.elements(pairs.length * 2)
  for (const pair of pairs) {
    if (!Array.isArray(pair) || pair.length !== 2) return fail('a hash is made of pairs')
    const [key = null, value = null] = pair
    hash.entries.set(keyOf(key, machine), [key, value])
  }
  return hash
}

/** Builds the comparison for sorting: the block, or the order of values. */
function createComparer(machine: Machine, block: Block | null): (left: Value, right: Value) => number {
  if (block === null) return (left, right) => mustOrder(left, right, machine)
  return (left, right) => {
    const result = block.call([left, right])
    return typeof result === 'bigint' || typeof result === 'number' ? Number(result) : fail('the block gave no number')
  }
}

function createReverseComparer(machine: Machine, block: Block | null): (left: Value, right: Value) => number {
  const compare = createComparer(machine, block)
  return (left, right) => compare(right, left)
}

function mapItems(self: readonly Value[], block: Block): Value[] {
  return self.map((each) => block.call([each]))
}

function negateBlock(block: Block): (value: Value) => boolean {
  const matches = test(block)
  return (value) => !matches(value)
}

function mapFlat(self: readonly Value[], block: Block, machine: Machine): Value[] {
  const result: Value[] = []
  for (const each of self) {
    const more = block.call([each])
    const items = Array.isArray(more) ? more : [more]
    machine.meter.elements(items.length)
    for (const item of items) result.push(item)
  }
  return result
}

function isWanted(each: Value, wanted: Value, machine: Machine): boolean {
  machine.meter.step()
  return areEqual(each, wanted, machine)
}

/**
 * Builds the condition of `any?` and the like: a pattern argument (compared as in `when`), the block, or the element itself.
 */
function createDecider(args: readonly Value[], machine: Machine, block: Block | null): (value: Value) => boolean {
  const [pattern] = args
  return pattern === undefined ? test(block) : (value) => isTrue(machine.send(pattern, '===', [value]))
}

function findIndex(self: Value[], [wanted]: readonly Value[], machine: Machine, block: Block | null): Value {
  const index = self.findIndex((each) =>
    wanted === undefined ? isTrue(requireBlock(block).call([each])) : isWanted(each, wanted, machine),
  )
  return index < 0 ? null : BigInt(index)
}

function splitByBlock(self: Value[], _args: readonly Value[], machine: Machine, block: Block | null): Value {
  const kept: Value[] = []
  const others: Value[] = []
  const matches = test(requireBlock(block))
  for (const each of self) (matches(each) ? kept : others).push(each)
  machine.meter.elements(self.length)
  return [kept, others]
}

function runEachWithIndex(self: Value[], _args: readonly Value[], machine: Machine, block: Block | null): Value {
  if (block === null) return countList(buildPairs(self, 0, machine), machine)
  for (const [index, each] of self.entries()) block.call([each, BigInt(index)])
  return self
}

/** Adds the index to `each` or `map` without a block; the results of `each` are ignored. */
function withIndex(self: Value[], [start]: readonly Value[], machine: Machine, block: Block | null): Value {
  const first = start === undefined ? 0 : count(start)
  const pairs = buildPairs(self, first, machine)
  return block === null
    ? pairs
    : countList(
        pairs.map((pair) => block.call(Array.isArray(pair) ? pair : [pair])),
        machine,
      )
}

function buildPairs(self: readonly Value[], first: number, machine: Machine): Value[] {
  machine.meter.elements(self.length * 3)
  return self.map((each, index) => [each, BigInt(first + index)])
}

function runEachWithObject(
  self: Value[],
  [memo = null]: readonly Value[],
  _machine: Machine,
  block: Block | null,
): Value {
  for (const each of self) requireBlock(block).call([each, memo])
  return memo
}

function runEachSlice(self: Value[], [length]: readonly Value[], machine: Machine, block: Block | null): Value {
  const step = requireSize(length)
  if (step === 0) return fail('invalid slice size')
  const slices: Value[] = []
  for (let at = 0; at < self.length; at += step) slices.push(countList(self.slice(at, at + step), machine))
  return eachOf(slices, block)
}

function runEachCons(self: Value[], [length]: readonly Value[], machine: Machine, block: Block | null): Value {
  const step = requireSize(length)
  if (step === 0) return fail('invalid size')
  const slices: Value[] = []
  for (let at = 0; at + step <= self.length; at += 1) slices.push(countList(self.slice(at, at + step), machine))
  return eachOf(slices, block)
}

function inject(self: Value[], args: readonly Value[], machine: Machine, block: Block | null): Value {
  const named = args.at(-1)
  const operator = block === null && named instanceof Sym ? named.name : null
  const initial = operator === null ? args : args.slice(0, -1)
  const items = initial.length > 0 ? [initial[0] ?? null, ...self] : [...self]
  const combine = (memo: Value, each: Value) =>
    operator === null ? requireBlock(block).call([memo, each]) : machine.send(memo, operator, [each])
  return items.length === 0 ? null : items.reduce(combine)
}

function sum(self: Value[], [initial = 0n]: readonly Value[], machine: Machine, block: Block | null): Value {
  const items = block === null ? self : mapItems(self, block)
  return items.reduce((total, each) => machine.send(total, '+', [each]), initial)
}

function countItems(self: Value[], [wanted]: readonly Value[], machine: Machine, block: Block | null): Value {
  if (wanted !== undefined) return BigInt(self.filter((each) => isWanted(each, wanted, machine)).length)
  return BigInt(block === null ? self.length : self.filter(test(block)).length)
}

function sortByBlock(self: readonly Value[], block: Block, machine: Machine): Value[] {
  const keyed = self.map((each) => ({ each, key: block.call([each]) }))
  keyed.sort((left, right) => mustOrder(left.key, right.key, machine))
  machine.meter.elements(self.length * 2)
  return keyed.map(({ each }) => each)
}

function findMaxBy(self: Value[], _args: readonly Value[], machine: Machine, block: Block | null): Value {
  const keyed = self.map((each) => ({ each, key: requireBlock(block).call([each]) }))
  const chooseBest = (left: (typeof keyed)[0], right: (typeof keyed)[0]) =>
    mustOrder(right.key, left.key, machine) > 0 ? right : left
  return keyed.length === 0 ? null : keyed.reduce(chooseBest).each
}

function takeExtreme(sorted: Value[], [most]: readonly Value[]): Value {
  return most === undefined ? (sorted[0] ?? null) : sorted.slice(0, requireSize(most))
}

function ends(sorted: Value[]): Value {
  return [sorted[0] ?? null, sorted.at(-1) ?? null]
}

function removeDuplicates(self: readonly Value[], machine: Machine, block: Block | null): Value[] {
  const seen = new Map<string, Value>()
  for (const each of self) {
    const key = keyOf(block === null ? each : block.call([each]), machine)
    if (!seen.has(key)) seen.set(key, each)
  }
  return [...seen.values()]
}

function groupItems(self: readonly Value[], block: Block, machine: Machine): Hash {
  const groups = new Hash()
  machine.meter.elements(self.length)
  for (const each of self) {
    const name = block.call([each])
    const key = keyOf(name, machine)
    const group = groups.entries.get(key)?.[1]
    if (Array.isArray(group)) group.push(each)
    else groups.entries.set(key, [name, [each]])
  }
  return groups
}

function tally(self: Value[], _args: readonly Value[], machine: Machine): Value {
  const totals = new Hash()
  machine.meter.elements(self.length)
  for (const each of self) {
    const key = keyOf(each, machine)
    const before = totals.entries.get(key)?.[1]
    totals.entries.set(key, [each, (typeof before === 'bigint' ? before : 0n) + 1n])
  }
  return totals
}

function findFirstNot(self: readonly Value[], block: Block): number {
  const index = self.findIndex(negateBlock(block))
  return index < 0 ? self.length : index
}

function zip(self: Value[], others: readonly Value[], machine: Machine): Value {
  const lists = others.map((each) => machine.send(each, 'to_a'))
  machine.meter.elements(self.length * (lists.length + 2))
  return self.map((each, index) => [each, ...lists.map((list) => (Array.isArray(list) ? (list[index] ?? null) : null))])
}

/** Yields where a range begins and ends in something of this length; null when it begins outside. */
export function sliceOf(range: Range, length: number): { start: number; end: number } | null {
  const first = range.first === null ? 0 : count(range.first)
  const last = range.last === null ? length - 1 : count(range.last)
  const start = first < 0 ? first + length : first
  if (start < 0 || start > length) return null
  const inclusive = range.exclusive && range.last !== null ? -1 : 0
  const end = Math.min(length, (last < 0 ? last + length : last) + 1 + inclusive)
  return { start, end: Math.max(start, end) }
}
