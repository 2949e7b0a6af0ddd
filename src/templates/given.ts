import { keyOf } from './compare.ts'
import { Float } from './float.ts'
import {
  Hash,
  HostObject,
  type HostValue,
  type Machine,
  Match,
  Proc,
  Range,
  Regexp,
  Sym,
  type TemplateFunction,
  type Value,
} from './values.ts'

type ReaderMethods = Readonly<Record<string, HostValue | TemplateFunction>>

/**
 * Creates a reader: an object for templates whose methods are values or functions, and that renders to its text (by default
 * its name). Methods may be a function, which is called when something first reads one.
 */
export function createReader(
  name: string,
  methods: ReaderMethods | (() => ReaderMethods),
  text: string = name,
): HostObject {
  const toMap = (given: ReaderMethods) => new Map(Object.entries(given))
  return new HostObject(name, typeof methods === 'function' ? () => toMap(methods()) : toMap(methods), text)
}

/** Converts given data to a value of the template; one object yields one value within a rendering. */
export function takeIn(given: HostValue, machine: Machine, known: WeakMap<object, Value>): Value {
  if (given === null || given === undefined) return null
  if (typeof given === 'number') return Number.isSafeInteger(given) ? BigInt(given) : given
  if (given instanceof Float) return given.real
  if (typeof given !== 'object') return given
  if (isValue(given)) return given
  const before = known.get(given)
  if (before !== undefined) return before
  machine.meter.step()
  return machine.meter.within(() => copy(given, machine, known))
}

/**
 * Converts a value for a function of the caller: integers become numbers while they are exact, otherwise `bigint`; reals
 * become `Float`.
 */
export function handOut(value: Value, machine: Machine): HostValue {
  if (typeof value === 'bigint') return isExact(value) ? Number(value) : value
  if (typeof value === 'number') return new Float(value)
  if (!Array.isArray(value)) return value
  machine.meter.elements(value.length)
  return machine.meter.within(() => value.map((each) => handOut(each, machine)))
}

function isExact(value: bigint): boolean {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
}

function isValue(given: object): given is Exclude<Value, null | boolean | bigint | number | string | Value[]> {
  return [Sym, Hash, Range, Regexp, Match, Proc, HostObject].some((kind) => given instanceof kind)
}

function copy(
  given: readonly HostValue[] | ReadonlyMap<HostValue, HostValue> | { readonly [key: string]: HostValue },
  machine: Machine,
  known: WeakMap<object, Value>,
): Value {
  if (isList(given)) {
    machine.meter.elements(given.length)
    const list: Value[] = []
    known.set(given, list)
    for (const each of given) list.push(takeIn(each, machine, known))
    return list
  }
  const hash = new Hash()
  known.set(given, hash)
  const pairs = given instanceof Map ? given.entries() : Object.entries(requirePlain(given))
  for (const [key, value] of pairs) {
    machine.meter.elements(2)
    const name = takeIn(key, machine, known)
    hash.entries.set(keyOf(name, machine), [name, takeIn(value, machine, known)])
  }
  return hash
}

function isList(given: object): given is readonly HostValue[] {
  return Array.isArray(given)
}

/** Accepts plain data only: methods of an object with a class must not become readable by accident. */
function requirePlain(given: object): Record<string, HostValue> {
  const prototype = Object.getPrototypeOf(given)
  if (prototype !== null && prototype !== Object.prototype)
    throw new TypeError('templates are given data and readers, no objects of other classes')
  return given as Record<string, HostValue> // the prototype shows that it is a plain object
}
