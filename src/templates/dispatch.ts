import { fail } from './error.ts'
import { ANY } from './methods/any.ts'
import { ARRAY } from './methods/array.ts'
import { ENUMERABLE } from './methods/enumerable.ts'
import { HASH } from './methods/hash.ts'
import { FLOAT, INTEGER } from './methods/number.ts'
import { MATCH, NIL, PROC, REGEXP, SYMBOL } from './methods/others.ts'
import { listItems, RANGE } from './methods/range.ts'
import { STRING } from './methods/string.ts'
import type { Table } from './methods/table.ts'
import {
  type Block,
  Hash,
  HostObject,
  type HostValue,
  kindOf,
  type Machine,
  Match,
  Proc,
  Range,
  Regexp,
  Sym,
  type TemplateFunction,
  type Value,
} from './values.ts'

/** Calls a method of a value: one of the tables, or of a reader. Any other does not exist. */
export function dispatch(
  self: Value,
  name: string,
  args: readonly Value[],
  machine: Machine,
  block: Block | null,
): Value {
  machine.meter.step(costOf(self, name) + (name === '+' ? 0 : costOfTexts(args))) // what `+` makes is counted anyway
  if (self instanceof HostObject && self.methods.has(name)) return read(self, name, args, machine, block)
  const found = methodOf(self, name, machine) ?? from(ANY, self, name) ?? refuseUnknown(self, name)
  if (args.length < found.least || args.length > found.most) {
    const allowed = found.least === found.most ? `${found.least}` : `${found.least}..${found.most}`
    fail(`wrong number of arguments for '${name}' (given ${args.length}, expected ${allowed})`)
  }
  return found.run(args, machine, block)
}

/** Tells whether a value has a method of this name, as `respond_to?` asks. */
export function hasMethod(self: Value, name: string, machine: Machine): boolean {
  if (self instanceof HostObject && self.methods.has(name)) return true
  return methodOf(self, name, machine) !== null || (!(self instanceof HostObject) && ANY.has(name))
}

interface MethodMatch {
  readonly least: number
  readonly most: number
  run(args: readonly Value[], machine: Machine, block: Block | null): Value
}

function from<Self>(table: Table<Self>, self: Self, name: string): MethodMatch | null {
  const entry = table.get(name)
  if (entry === undefined) return null
  const [least, most, method] = entry
  return { least, most, run: (args, machine, block) => method(self, args, machine, block) }
}

function methodOf(self: Value, name: string, machine: Machine): MethodMatch | null {
  if (self === null) return from(NIL, self, name)
  if (typeof self === 'string') return from(STRING, self, name)
  if (typeof self === 'bigint') return from(INTEGER, self, name)
  if (typeof self === 'number') return from(FLOAT, self, name)
  if (Array.isArray(self)) return from(ARRAY, self, name) ?? from(ENUMERABLE, self, name)
  if (self instanceof Hash) return from(HASH, self, name) ?? findEnumerated(() => [...self.entries.values()], name)
  if (self instanceof Range) return from(RANGE, self, name) ?? findEnumerated(() => listItems(self, machine), name)
  if (self instanceof Sym) return from(SYMBOL, self, name)
  if (self instanceof Regexp) return from(REGEXP, self, name)
  if (self instanceof Match) return from(MATCH, self, name)
  return self instanceof Proc ? from(PROC, self, name) : null
}

/** Finds a method of enumerables; the list of items is only made when there is such a method. */
function findEnumerated(items: () => Value[], name: string): MethodMatch | null {
  return ENUMERABLE.has(name) ? from(ENUMERABLE, items(), name) : null
}

const QUICK = new Set(
  '[] []= << push append pop size length first last empty? key? has_key? include? fetch nil? is_a? respond_to?'.split(
    ' ',
  ),
)

/** Methods of texts that visit each character. */
const SLOW = new Set(
  'swapcase capitalize titleize squish reverse chars each_char bytes tr tr_s delete squeeze count succ next upto'.split(
    ' ',
  ),
)

/** Computes the steps of a method call: by the length of its receiver, except for methods that do not visit all of it. */
function costOf(self: Value, name: string): number {
  if (typeof self === 'string') return 1 + (self.length >> (SLOW.has(name) ? 3 : 6))
  if (self instanceof Sym) return 1 + (self.name.length >> 6)
  if (Array.isArray(self)) return QUICK.has(name) ? 1 : 1 + (self.length >> 3)
  return self instanceof Hash && !QUICK.has(name) ? 1 + (self.entries.size >> 3) : 1
}

/** Computes the steps for texts among the arguments, which may be visited as a whole, too. */
export function costOfTexts(args: readonly Value[]): number {
  let cost = 0
  for (const each of args) if (typeof each === 'string') cost += each.length >> 6
  return cost
}

function read(self: HostObject, name: string, args: readonly Value[], machine: Machine, block: Block | null): Value {
  const method = self.methods.get(name)
  if (isFunction(method)) return machine.callOwn(method, args, block)
  if (args.length > 0) fail(`wrong number of arguments for '${name}' (given ${args.length}, expected 0)`)
  return machine.takeIn(method)
}

function isFunction(method: HostValue | TemplateFunction): method is TemplateFunction {
  return typeof method === 'function'
}

const MAX_NAMES = 60

function refuseUnknown(self: Value, name: string): never {
  if (!(self instanceof HostObject) || self.methods.size === 0)
    return fail(`undefined method '${name}' for ${describeSelf(self)}`)
  const names = [...self.methods.keys()].sort().slice(0, MAX_NAMES)
  return fail(`undefined method '${name}' for ${self.name}; allowed are ${names.join(', ')}`)
}

function describeSelf(self: Value): string {
  if (self === null || typeof self === 'boolean' || self instanceof HostObject) return kindOf(self)
  const kind = kindOf(self)
  return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`
}
