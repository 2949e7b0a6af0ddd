import { fail } from '../error.ts'
import { type Block, isTrue, kindOf, type Machine, type Method, type Value } from '../values.ts'

/** A method, with the minimum and maximum number of its arguments. */
export type Entry<Self> = readonly [least: number, most: number, run: Method<Self>]

/** The methods of a kind of values, by name. */
export type Table<Self> = ReadonlyMap<string, Entry<Self>>

/** Builds a table of methods; the second argument holds aliases. */
export function createTable<Self>(
  methods: Readonly<Record<string, Entry<Self>>>,
  aliases: Readonly<Record<string, string>> = {},
): Table<Self> {
  const found = new Map(Object.entries(methods))
  for (const [alias, name] of Object.entries(aliases)) {
    const entry = found.get(name)
    if (entry !== undefined) found.set(alias, entry)
  }
  return found
}

/** Requires an argument that is a text. */
export function requireText(value: Value | undefined): string {
  return typeof value === 'string' ? value : fail(`no implicit conversion of ${kindOf(value ?? null)} into String`)
}

/** Requires an argument that is an integer of moderate size, such as an index. */
export function count(value: Value | undefined): number {
  if (typeof value === 'number' && Number.isFinite(value)) return Math.trunc(value)
  if (typeof value !== 'bigint') return fail(`no implicit conversion from ${kindOf(value ?? null)} to integer`)
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : fail('integer is too big here')
}

/** Requires an argument that is a length. */
export function requireSize(value: Value | undefined): number {
  const number = count(value)
  return number < 0 ? fail('negative size') : number
}

/** Requires an argument that is a list. */
export function listArgument(value: Value | undefined): Value[] {
  return Array.isArray(value) ? value : fail(`no implicit conversion of ${kindOf(value ?? null)} into Array`)
}

/** Requires a block. */
export function requireBlock(block: Block | null): Block {
  return block ?? fail('no block given')
}

/** Builds a condition on elements: the block, or without one the element itself. */
export function test(block: Block | null): (value: Value) => boolean {
  return block === null ? isTrue : (value) => isTrue(block.call([value]))
}

/** Counts the size of a new list, and yields it. */
export function countList(list: Value[], machine: Machine): Value[] {
  machine.meter.elements(list.length)
  return list
}

/** Counts the size of a new text, and yields it. */
export function countText(value: string, machine: Machine): string {
  machine.meter.text(value.length)
  return value
}
