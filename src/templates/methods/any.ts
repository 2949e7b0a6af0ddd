import { areEqual, mustOrder, order } from '../compare.ts'
import { fail } from '../error.ts'
import { classOf, isOfKind } from '../kinds.ts'
import { inspect, jsonOf, textOf, yamlOf } from '../text.ts'
import { Hash, HostObject, isTrue, type Machine, Proc, Sym, type Value } from '../values.ts'
import { countText, createTable, requireBlock } from './table.ts'

/** Methods of every value. */
export const ANY = createTable<Value>(
  {
    'nil?': [0, 0, (self) => self === null],
    'blank?': [0, 0, (self) => isBlank(self)],
    'present?': [0, 0, (self) => !isBlank(self)],
    presence: [0, 0, (self) => (isBlank(self) ? null : self)],
    '==': [1, 1, (self, [other = null], machine) => areEqual(self, other, machine)],
    '===': [1, 1, (self, [other = null], machine) => isOfKind(other, self) ?? areEqual(self, other, machine)],
    '=~': [1, 1, () => null],
    'eql?': [1, 1, (self, [other = null], machine) => typeof self === typeof other && areEqual(self, other, machine)],
    '<=>': [1, 1, (self, [other = null], machine) => toWhole(order(self, other, machine))],
    to_s: [0, 0, (self, _args, machine) => textOf(self, machine)],
    inspect: [0, 0, (self, _args, machine) => inspect(self, machine)],
    to_json: [0, 1, (self, _args, machine) => countText(jsonOf(self, machine), machine)],
    to_yaml: [0, 1, (self, _args, machine) => yamlOf(self, machine)],
    to_a: [0, 0, (self) => [self]],
    'is_a?': [1, 1, (self, [kind = null]) => isOfKind(self, kind) ?? fail('class or module required')],
    'respond_to?': [1, 2, (self, [name = null], machine) => machine.answersTo(self, nameOf(name))],
    class: [0, 0, (self) => classOf(self)],
    dup: [0, 0, (self, _args, machine) => copyValue(self, machine)],
    freeze: [0, 0, (self) => self],
    'in?': [1, 1, (self, [list = null], machine) => machine.send(list, 'include?', [self])],
    tap: [0, 0, tap],
    yield_self: [0, 0, (self, _args, _machine, block) => requireBlock(block).call([self])],
    try: [1, 99, (self, [name = null, ...args], machine) => trySend(self, nameOf(name), args, machine)],
    'between?': [
      2,
      2,
      (self, [low = null, high = null], machine) =>
        mustOrder(self, low, machine) >= 0 && mustOrder(self, high, machine) <= 0,
    ],
    '!': [0, 0, (self) => !isTrue(self)],
    '&': [1, 1, (self, [other = null]) => isTrue(self) && isTrue(other)],
    '|': [1, 1, (self, [other = null]) => isTrue(self) || isTrue(other)],
    '^': [1, 1, (self, [other = null]) => isTrue(self) !== isTrue(other)],
  },
  {
    'kind_of?': 'is_a?',
    'instance_of?': 'is_a?',
    clone: 'dup',
    itself: 'freeze',
    // biome-ignore lint/suspicious/noThenProperty: a name of theirs, which nothing awaits
    then: 'yield_self',
    'equal?': '==',
    pretty_inspect: 'inspect',
  },
)

function isBlank(value: Value): boolean {
  if (value === null || value === false) return true
  if (typeof value === 'string') return value.trim() === ''
  if (Array.isArray(value)) return value.length === 0
  return value instanceof Hash && value.entries.size === 0
}

function toWhole(result: number | null): Value {
  return result === null ? null : BigInt(result)
}

function nameOf(name: Value): string {
  return name instanceof Sym ? name.name : typeof name === 'string' ? name : fail('the name of a method is a symbol')
}

function copyValue(self: Value, machine: Machine): Value {
  if (Array.isArray(self)) {
    machine.meter.elements(self.length)
    return [...self]
  }
  if (!(self instanceof Hash)) return self
  machine.meter.elements(self.entries.size * 2)
  const copy = new Hash()
  for (const [key, [name, value]] of self.entries) copy.entries.set(key, [name, value])
  return copy
}

function tap(
  self: Value,
  _args: readonly Value[],
  _machine: Machine,
  block: Parameters<typeof requireBlock>[0],
): Value {
  requireBlock(block).call([self])
  return self
}

function trySend(self: Value, name: string, args: readonly Value[], machine: Machine): Value {
  if (self === null || (self instanceof HostObject && !self.methods.has(name))) return null
  return self instanceof Proc ? null : machine.send(self, name, args)
}
