import { areEqual, keyOf } from '../compare.ts'
import { fail } from '../error.ts'
import { inspect } from '../text.ts'
import { type Block, Hash, isTrue, type Machine, Sym, type Value } from '../values.ts'
import { dig } from './array.ts'
import { hashOf } from './enumerable.ts'
import { createTable, requireBlock } from './table.ts'

/** Methods of hashes, besides those of all enumerables; their elements are pairs. */
export const HASH = createTable<Hash>(
  {
    '[]': [1, 1, (self, [key = null], machine) => getValue(self, key, machine) ?? self.fallback],
    '[]=': [2, 2, (self, [key = null, value = null], machine) => put(self, key, value, machine)],
    dig: [1, 20, (self, [key = null, ...rest], machine) => dig(getValue(self, key, machine) ?? null, rest, machine)],
    fetch: [1, 2, fetchValue],
    fetch_values: [
      0,
      50,
      (self, keys, machine) => keys.map((key) => getValue(self, key, machine) ?? refuseMissing(key, machine)),
    ],
    values_at: [0, 50, (self, keys, machine) => keys.map((key) => getValue(self, key, machine) ?? null)],
    'key?': [1, 1, (self, [key = null], machine) => self.entries.has(keyOf(key, machine))],
    'value?': [
      1,
      1,
      (self, [value = null], machine) => pairsOf(self).some(([, each]) => areEqual(each, value, machine)),
    ],
    key: [
      1,
      1,
      (self, [value = null], machine) => pairsOf(self).find(([, each]) => areEqual(each, value, machine))?.[0] ?? null,
    ],
    keys: [
      0,
      0,
      (self, _args, machine) =>
        countPairs(
          self,
          pairsOf(self).map(([key]) => key),
          machine,
        ),
    ],
    values: [
      0,
      0,
      (self, _args, machine) =>
        countPairs(
          self,
          pairsOf(self).map(([, value]) => value),
          machine,
        ),
    ],
    length: [0, 0, (self) => BigInt(self.entries.size)],
    'empty?': [0, 0, (self) => self.entries.size === 0],
    each: [0, 0, runEach],
    each_key: [0, 0, (self, _args, _machine, block) => runEachPart(self, 0, requireBlock(block))],
    each_value: [0, 0, (self, _args, _machine, block) => runEachPart(self, 1, requireBlock(block))],
    select: [0, 0, (self, _args, machine, block) => filterPairs(self, decides(requireBlock(block)), machine)],
    reject: [
      0,
      0,
      (self, _args, machine, block) => filterPairs(self, negatePair(decides(requireBlock(block))), machine),
    ],
    delete_if: [0, 0, (self, _args, _machine, block) => removePairs(self, decides(requireBlock(block)))],
    keep_if: [0, 0, (self, _args, _machine, block) => removePairs(self, negatePair(decides(requireBlock(block))))],
    partition: [0, 0, splitByBlock],
    slice: [0, 50, (self, keys, machine) => filterPairs(self, createMembershipTest(keys, machine), machine)],
    except: [
      0,
      50,
      (self, keys, machine) => filterPairs(self, negatePair(createMembershipTest(keys, machine)), machine),
    ],
    compact: [0, 0, (self, _args, machine) => filterPairs(self, ([, value]) => value !== null, machine)],
    merge: [0, 20, mergeHashes],
    'merge!': [0, 20, (self, others, machine, block) => mergeInto(self, others, machine, block)],
    delete: [1, 1, takeValue],
    invert: [
      0,
      0,
      (self, _args, machine) =>
        hashOf(
          pairsOf(self).map(([key, value]) => [value, key]),
          machine,
        ),
    ],
    transform_values: [0, 0, transformValues],
    transform_keys: [0, 0, transformKeys],
    stringify_keys: [
      0,
      0,
      (self, _args, machine) =>
        hashOf(
          pairsOf(self).map(([key, value]) => [key instanceof Sym ? key.name : key, value]),
          machine,
        ),
    ],
    symbolize_keys: [
      0,
      0,
      (self, _args, machine) =>
        hashOf(
          pairsOf(self).map(([key, value]) => [typeof key === 'string' ? new Sym(key) : key, value]),
          machine,
        ),
    ],
    to_h: [
      0,
      0,
      (self, _args, machine, block) =>
        block === null
          ? self
          : hashOf(
              pairsOf(self).map(([key, value]) => block.call([key, value])),
              machine,
            ),
    ],
    'any?': [
      0,
      0,
      (self, _args, _machine, block) =>
        block === null ? self.entries.size > 0 : pairsOf(self).some((pair) => isTrue(block.call([pair]))),
    ],
  },
  {
    size: 'length',
    'has_key?': 'key?',
    'include?': 'key?',
    'member?': 'key?',
    'has_value?': 'value?',
    each_pair: 'each',
    filter: 'select',
    store: '[]=',
    update: 'merge!',
    'reject!': 'delete_if',
    'select!': 'keep_if',
    with_indifferent_access: 'to_h',
    deep_stringify_keys: 'stringify_keys',
  },
)

type Pair = readonly [key: Value, value: Value]

function pairsOf(self: Hash): [Value, Value][] {
  return [...self.entries.values()]
}

function getValue(self: Hash, key: Value, machine: Machine): Value | undefined {
  return self.entries.get(keyOf(key, machine))?.[1]
}

function put(self: Hash, key: Value, value: Value, machine: Machine): Value {
  machine.meter.elements(2)
  self.entries.set(keyOf(key, machine), [key, value])
  return value
}

function fetchValue(
  self: Hash,
  [key = null, fallback]: readonly Value[],
  machine: Machine,
  block: Block | null,
): Value {
  const value = getValue(self, key, machine)
  if (value !== undefined) return value
  if (block !== null) return block.call([key])
  return fallback === undefined ? refuseMissing(key, machine) : fallback
}

function refuseMissing(key: Value, machine: Machine): never {
  return fail(`key not found: ${inspect(key, machine)}`)
}

function countPairs(self: Hash, list: Value[], machine: Machine): Value[] {
  machine.meter.elements(self.entries.size)
  return list
}

function runEach(self: Hash, _args: readonly Value[], machine: Machine, block: Block | null): Value {
  machine.meter.elements(self.entries.size)
  if (block === null) return pairsOf(self)
  for (const pair of pairsOf(self)) block.call([pair])
  return self
}

function runEachPart(self: Hash, part: 0 | 1, block: Block): Value {
  for (const pair of pairsOf(self)) block.call([pair[part]])
  return self
}

function decides(block: Block): (pair: Pair) => boolean {
  return ([key, value]) => isTrue(block.call([key, value]))
}

function negatePair(matches: (pair: Pair) => boolean): (pair: Pair) => boolean {
  return (pair) => !matches(pair)
}

function createMembershipTest(keys: readonly Value[], machine: Machine): (pair: Pair) => boolean {
  const wanted = new Set(keys.map((key) => keyOf(key, machine)))
  return ([key]) => wanted.has(keyOf(key, machine))
}

function filterPairs(self: Hash, matches: (pair: Pair) => boolean, machine: Machine): Hash {
  machine.meter.elements(self.entries.size)
  const result = new Hash()
  for (const [key, pair] of [...self.entries]) if (matches(pair)) result.entries.set(key, pair)
  return result
}

function removePairs(self: Hash, matches: (pair: Pair) => boolean): Hash {
  for (const [key, pair] of [...self.entries]) if (matches(pair)) self.entries.delete(key)
  return self
}

function splitByBlock(self: Hash, _args: readonly Value[], machine: Machine, block: Block | null): Value {
  const matches = decides(requireBlock(block))
  const kept: Value[] = []
  const others: Value[] = []
  for (const pair of pairsOf(self)) (matches(pair) ? kept : others).push(pair)
  machine.meter.elements(self.entries.size)
  return [kept, others]
}

function mergeHashes(self: Hash, others: readonly Value[], machine: Machine, block: Block | null): Value {
  machine.meter.elements(self.entries.size * 2)
  const result = new Hash()
  for (const [key, pair] of self.entries) result.entries.set(key, pair)
  return mergeInto(result, others, machine, block)
}

/** Merges hashes: for a key of both the block decides, and without one the later hash. */
function mergeInto(self: Hash, others: readonly Value[], machine: Machine, block: Block | null): Hash {
  for (const other of others) {
    if (!(other instanceof Hash)) return fail('only a hash can be merged into a hash')
    machine.meter.elements(other.entries.size * 2)
    for (const [key, [name, value]] of [...other.entries]) {
      machine.meter.step()
      const before = self.entries.get(key)
      const decided = before === undefined || block === null ? value : block.call([name, before[1], value])
      self.entries.set(key, [name, decided])
    }
  }
  return self
}

function takeValue(self: Hash, [name = null]: readonly Value[], machine: Machine): Value {
  const key = keyOf(name, machine)
  const value = self.entries.get(key)?.[1] ?? null
  self.entries.delete(key)
  return value
}

function transformValues(self: Hash, _args: readonly Value[], machine: Machine, block: Block | null): Value {
  return hashOf(
    pairsOf(self).map(([key, value]) => [key, requireBlock(block).call([value])]),
    machine,
  )
}

function transformKeys(self: Hash, _args: readonly Value[], machine: Machine, block: Block | null): Value {
  return hashOf(
    pairsOf(self).map(([key, value]) => [requireBlock(block).call([key]), value]),
    machine,
  )
}
