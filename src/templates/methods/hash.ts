import { equal, keyOf } from '../compare.ts'
import { fail } from '../error.ts'
import { inspect } from '../text.ts'
import { type Block, Hash, isTrue, type Machine, Sym, type Value } from '../values.ts'
import { deeper } from './array.ts'
import { hashOf } from './enumerable.ts'
import { needed, table } from './table.ts'

/** Methods of hashes, besides those of all enumerables; their elements are pairs. */
export const HASH = table<Hash>(
  {
    '[]': [1, 1, (self, [key = null], machine) => valueAt(self, key, machine) ?? null],
    '[]=': [2, 2, (self, [key = null, value = null], machine) => put(self, key, value, machine)],
    dig: [1, 20, (self, [key = null, ...rest], machine) => deeper(valueAt(self, key, machine) ?? null, rest, machine)],
    fetch: [1, 2, fetched],
    fetch_values: [
      0,
      50,
      (self, keys, machine) => keys.map((key) => valueAt(self, key, machine) ?? missing(key, machine)),
    ],
    values_at: [0, 50, (self, keys, machine) => keys.map((key) => valueAt(self, key, machine) ?? null)],
    'key?': [1, 1, (self, [key = null], machine) => self.entries.has(keyOf(key, machine))],
    'value?': [1, 1, (self, [value = null], machine) => pairsOf(self).some(([, each]) => equal(each, value, machine))],
    key: [
      1,
      1,
      (self, [value = null], machine) => pairsOf(self).find(([, each]) => equal(each, value, machine))?.[0] ?? null,
    ],
    keys: [
      0,
      0,
      (self, _args, machine) =>
        counted(
          self,
          pairsOf(self).map(([key]) => key),
          machine,
        ),
    ],
    values: [
      0,
      0,
      (self, _args, machine) =>
        counted(
          self,
          pairsOf(self).map(([, value]) => value),
          machine,
        ),
    ],
    length: [0, 0, (self) => BigInt(self.entries.size)],
    'empty?': [0, 0, (self) => self.entries.size === 0],
    each: [0, 0, each],
    each_key: [0, 0, (self, _args, _machine, block) => eachPart(self, 0, needed(block))],
    each_value: [0, 0, (self, _args, _machine, block) => eachPart(self, 1, needed(block))],
    select: [0, 0, (self, _args, machine, block) => filtered(self, decides(needed(block)), machine)],
    reject: [0, 0, (self, _args, machine, block) => filtered(self, not(decides(needed(block))), machine)],
    delete_if: [0, 0, (self, _args, _machine, block) => removed(self, decides(needed(block)))],
    keep_if: [0, 0, (self, _args, _machine, block) => removed(self, not(decides(needed(block))))],
    partition: [0, 0, partition],
    slice: [0, 50, (self, keys, machine) => filtered(self, among(keys, machine), machine)],
    except: [0, 50, (self, keys, machine) => filtered(self, not(among(keys, machine)), machine)],
    compact: [0, 0, (self, _args, machine) => filtered(self, ([, value]) => value !== null, machine)],
    merge: [0, 20, merged],
    'merge!': [0, 20, (self, others, machine, block) => mergeInto(self, others, machine, block)],
    delete: [1, 1, taken],
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

function valueAt(self: Hash, key: Value, machine: Machine): Value | undefined {
  return self.entries.get(keyOf(key, machine))?.[1]
}

function put(self: Hash, key: Value, value: Value, machine: Machine): Value {
  machine.meter.elements(2)
  self.entries.set(keyOf(key, machine), [key, value])
  return value
}

function fetched(self: Hash, [key = null, fallback]: readonly Value[], machine: Machine, block: Block | null): Value {
  const value = valueAt(self, key, machine)
  if (value !== undefined) return value
  if (block !== null) return block.call([key])
  return fallback === undefined ? missing(key, machine) : fallback
}

function missing(key: Value, machine: Machine): never {
  return fail(`key not found: ${inspect(key, machine)}`)
}

function counted(self: Hash, list: Value[], machine: Machine): Value[] {
  machine.meter.elements(self.entries.size)
  return list
}

function each(self: Hash, _args: readonly Value[], machine: Machine, block: Block | null): Value {
  machine.meter.elements(self.entries.size)
  if (block === null) return pairsOf(self)
  for (const pair of pairsOf(self)) block.call([pair])
  return self
}

function eachPart(self: Hash, part: 0 | 1, block: Block): Value {
  for (const pair of pairsOf(self)) block.call([pair[part]])
  return self
}

function decides(block: Block): (pair: Pair) => boolean {
  return ([key, value]) => isTrue(block.call([key, value]))
}

function not(matches: (pair: Pair) => boolean): (pair: Pair) => boolean {
  return (pair) => !matches(pair)
}

function among(keys: readonly Value[], machine: Machine): (pair: Pair) => boolean {
  const wanted = new Set(keys.map((key) => keyOf(key, machine)))
  return ([key]) => wanted.has(keyOf(key, machine))
}

function filtered(self: Hash, matches: (pair: Pair) => boolean, machine: Machine): Hash {
  machine.meter.elements(self.entries.size)
  const result = new Hash()
  for (const [key, pair] of [...self.entries]) if (matches(pair)) result.entries.set(key, pair)
  return result
}

function removed(self: Hash, matches: (pair: Pair) => boolean): Hash {
  for (const [key, pair] of [...self.entries]) if (matches(pair)) self.entries.delete(key)
  return self
}

function partition(self: Hash, _args: readonly Value[], machine: Machine, block: Block | null): Value {
  const matches = decides(needed(block))
  const kept: Value[] = []
  const others: Value[] = []
  for (const pair of pairsOf(self)) (matches(pair) ? kept : others).push(pair)
  machine.meter.elements(self.entries.size)
  return [kept, others]
}

function merged(self: Hash, others: readonly Value[], machine: Machine, block: Block | null): Value {
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

function taken(self: Hash, [name = null]: readonly Value[], machine: Machine): Value {
  const key = keyOf(name, machine)
  const value = self.entries.get(key)?.[1] ?? null
  self.entries.delete(key)
  return value
}

function transformValues(self: Hash, _args: readonly Value[], machine: Machine, block: Block | null): Value {
  return hashOf(
    pairsOf(self).map(([key, value]) => [key, needed(block).call([value])]),
    machine,
  )
}

function transformKeys(self: Hash, _args: readonly Value[], machine: Machine, block: Block | null): Value {
  return hashOf(
    pairsOf(self).map(([key, value]) => [needed(block).call([key]), value]),
    machine,
  )
}
