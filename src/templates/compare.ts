import { fail } from './error.ts'
import { Hash, HostObject, kindOf, type Machine, Range, Regexp, Sym, type Value } from './values.ts'

/** Evaluates `==`: numbers are equal by value whatever their kind, lists and hashes by their contents. */
export function areEqual(left: Value, right: Value, machine: Machine): boolean {
  if (typeof left === 'string' && typeof right === 'string') return areTextsEqual(left, right, machine)
  if (left === right) return true
  if (isNumber(left) && isNumber(right)) return left <= right && left >= right
  if (left instanceof Sym) return right instanceof Sym && left.name === right.name
  if (Array.isArray(left))
    return Array.isArray(right) && left.length === right.length && areItemsEqual(left, right, machine)
  if (left instanceof Hash) return right instanceof Hash && areHashesEqual(left, right, machine)
  if (left instanceof HostObject)
    return right instanceof HostObject && left.name === right.name && left.text === right.text
  if (left instanceof Range)
    return (
      right instanceof Range &&
      left.exclusive === right.exclusive &&
      areEqual(left.first, right.first, machine) &&
      areEqual(left.last, right.last, machine)
    )
  return left instanceof Regexp && right instanceof Regexp && left.source === right.source && left.flags === right.flags
}

/** Evaluates `<=>`: negative, zero, positive, or null where two values have no order. Texts are ordered by code point. */
export function order(left: Value, right: Value, machine: Machine): number | null {
  machine.meter.step()
  if (isNumber(left) && isNumber(right)) return left < right ? -1 : left > right ? 1 : left >= right ? 0 : null
  if (typeof left === 'string' && typeof right === 'string') return orderText(left, right, machine)
  if (left instanceof Sym && right instanceof Sym) return orderText(left.name, right.name, machine)
  if (Array.isArray(left) && Array.isArray(right)) return machine.meter.within(() => orderItems(left, right, machine))
  return areEqual(left, right, machine) ? 0 : null
}

/** Compares like `order`, and fails where two values have no order. */
export function mustOrder(left: Value, right: Value, machine: Machine): number {
  return order(left, right, machine) ?? fail(`comparison of ${kindOf(left)} with ${kindOf(right)} failed`)
}

/** Yields the text by which hashes, `uniq` and set operations identify a value; different values have different texts. */
export function keyOf(value: Value, machine: Machine): string {
  machine.meter.step(typeof value === 'string' ? 1 + (value.length >> 6) : 1)
  if (typeof value === 'string') return `s${value}`
  if (typeof value === 'bigint') return `i${value}`
  if (typeof value === 'number') return `f${Object.is(value, -0) ? '-0' : value}`
  if (value === null || typeof value === 'boolean') return String(value)
  if (value instanceof Sym) return `:${value.name}`
  if (Array.isArray(value)) return machine.meter.within(() => joinListed('a', value, machine))
  if (value instanceof Hash)
    return machine.meter.within(() => joinListed('h', [...value.entries.values()].flat(), machine))
  if (value instanceof HostObject) return joinListed('o', [value.name, value.text], machine)
  if (value instanceof Range) return joinListed(value.exclusive ? 'x' : 'r', [value.first, value.last], machine)
  return fail(`a ${kindOf(value)} cannot be a key here`)
}

/** Tells whether a value is an integer or a float. */
function isNumber(value: Value): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number'
}

/** Joins texts, each preceded by its length, so that one text cannot imitate two. */
function joinListed(kind: string, items: readonly Value[], machine: Machine): string {
  const keys = items.map((each) => keyOf(each, machine))
  const text = kind + keys.map((key) => `${key.length}:${key}`).join('')
  machine.meter.text(text.length)
  return text
}

function areTextsEqual(left: string, right: string, machine: Machine): boolean {
  if (left.length !== right.length) return false
  machine.meter.step(left.length >> 6)
  return left === right
}

function areItemsEqual(left: readonly Value[], right: readonly Value[], machine: Machine): boolean {
  return machine.meter.within(() =>
    left.every((each, index) => {
      machine.meter.step()
      return areEqual(each, right[index] ?? null, machine)
    }),
  )
}

function areHashesEqual(left: Hash, right: Hash, machine: Machine): boolean {
  if (left.entries.size !== right.entries.size) return false
  return machine.meter.within(() =>
    [...left.entries].every(([key, [, value]]) => {
      machine.meter.step()
      const other = right.entries.get(key)
      return other !== undefined && areEqual(value, other[1], machine)
    }),
  )
}

function orderItems(left: readonly Value[], right: readonly Value[], machine: Machine): number | null {
  for (const [index, each] of left.entries()) {
    if (index >= right.length) return 1
    const result = order(each, right[index] ?? null, machine)
    if (result !== 0) return result
  }
  return left.length === right.length ? 0 : -1
}

/** Orders texts by code point; JavaScript compares UTF-16 units, which puts 😀 before ﬀ. */
function orderText(left: string, right: string, machine: Machine): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  let index = 0
  while (index < length && left.charCodeAt(index) === right.charCodeAt(index)) index += 1
  machine.meter.step(index >> 5)
  const difference = sortCodeOf(left, index) - sortCodeOf(right, index)
  return difference < 0 ? -1 : 1
}

/** Moves a surrogate behind all other units, where its code point sorts. */
function sortCodeOf(text: string, index: number): number {
  if (index >= text.length) return -1
  const code = text.charCodeAt(index)
  if (code < 0xd800) return code
  return code >= 0xe000 ? code - 0x800 : code + 0x2000
}
