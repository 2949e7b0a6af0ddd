import type { RE2JS } from 're2js'
import type { Float } from './float.ts'

/**
 * The values of templates. Integers are `bigint`, floats are `number` (so 2.0 is never 2), texts and lists are JavaScript's;
 * every other value is an instance of a class below, so that data of a caller cannot be mistaken for it.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Value[]
  | Sym
  | Hash
  | Range
  | Regexp
  | Match
  | Proc
  | HostObject

/**
 * Data that callers pass in and get out, as in JSON. Whole numbers are integers, as ids and counts are; a real number that
 * may be whole is a `Float`, so that 2.0 is not 2. Data is copied on its way in, so that templates cannot change it.
 */
export type HostValue =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Float
  | readonly HostValue[]
  | ReadonlyMap<HostValue, HostValue>
  | { readonly [key: string]: HostValue }
  | Exclude<Value, null | boolean | bigint | number | string | Value[]>

/** A symbol: `:name`. */
export class Sym {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Keys and values in insertion order; entries are found by the text of their key (`keyOf` in compare.ts). */
export class Hash {
  readonly entries = new Map<string, [key: Value, value: Value]>()
  /** What is read under keys that it does not have: `Hash.new(0)`. */
  fallback: Value = null
}

/** `first..last`, or `first...last` without its end; null means unbounded. */
export class Range {
  readonly first: Value
  readonly last: Value
  readonly exclusive: boolean

  constructor(first: Value, last: Value, exclusive: boolean) {
    this.first = first
    this.last = last
    this.exclusive = exclusive
  }
}

/** A regular expression as it was written; regexps.ts compiles and executes it. */
export class Regexp {
  readonly source: string
  /** Some of `i`, `m` and `x`. */
  readonly flags: string

  constructor(source: string, flags: string) {
    this.source = source
    this.flags = flags
  }
}

/** A match of a regular expression. */
export class Match {
  readonly text: string
  readonly start: number
  /** The whole match and its groups; null for a group that took no part. */
  readonly groups: readonly (string | null)[]
  readonly names: ReadonlyMap<string, string | null>

  constructor(
    text: string,
    start: number,
    groups: readonly (string | null)[],
    names: ReadonlyMap<string, string | null>,
  ) {
    this.text = text
    this.start = start
    this.groups = groups
    this.names = names
  }
}

/** A callable part of the template: the block of a call, or a lambda. */
export interface Block {
  /** The number of its parameters. */
  readonly parameters: number
  call(args: readonly Value[]): Value
  /** Calls it and yields the output of its tags. */
  capture(args: readonly Value[]): string
}

/** A block as a value: `->(x) { x + 1 }`. */
export class Proc {
  readonly block: Block

  constructor(block: Block) {
    this.block = block
  }
}

/** The arguments with which a function or a reader's method is called. */
export interface Call {
  /** The positional arguments, as `Given`. */
  readonly args: readonly HostValue[]
  /** The named arguments: `snippet 'x', variables: {}`. */
  readonly named: ReadonlyMap<string, HostValue>
  /** The block: `call` yields its value, `capture` its output. */
  readonly block: { call(...args: HostValue[]): HostValue; capture(...args: HostValue[]): string } | null
  /** Stops the rendering with a message for the author of the template. */
  fail(message: string): never
}

/** A function that templates may call. It is synchronous; its answer is converted like all given data. */
export type TemplateFunction = (call: Call) => HostValue

type HostMethods = ReadonlyMap<string, HostValue | TemplateFunction>

/**
 * An object of the caller with the methods that a template may call, and nothing else. Two readers with equal names and
 * texts are equal, so that different objects need different texts.
 */
export class HostObject {
  /** The name in messages: `undefined method 'x' for host`. */
  readonly name: string
  /** The text that it renders to. */
  readonly text: string
  #methods: HostMethods | (() => HostMethods)

  constructor(name: string, methods: HostMethods | (() => HostMethods), text: string) {
    this.name = name
    this.#methods = methods
    this.text = text
  }

  /** Its methods by name, built when something first reads one: a report reads few of what each host links. */
  get methods(): HostMethods {
    if (typeof this.#methods === 'function') this.#methods = this.#methods()
    return this.#methods
  }
}

/** What methods of values need of the rendering. */
export interface Machine {
  readonly meter: {
    step(count?: number): void
    text(length: number): void
    elements(count: number): void
    within<T>(work: () => T): T
    timed<T>(search: () => T): T
  }
  /** The regular expressions that were used so far, compiled. */
  readonly patterns: Map<string, RE2JS>
  /** Calls a method of a value as the template would. */
  send(self: Value, name: string, args?: readonly Value[], block?: Block | null): Value
  /** Tells whether a value has a method of this name. */
  answersTo(self: Value, name: string): boolean
  /** Calls a function that the caller gave. */
  callOwn(own: TemplateFunction, args: readonly Value[], block: Block | null): Value
  takeIn(given: HostValue): Value
  /** The result of the last match of a regular expression (`$~`, `$1`). */
  match: Match | null
}

/** A method of a kind of values; its table has checked the number of arguments. */
export type Method<Self> = (self: Self, args: readonly Value[], machine: Machine, block: Block | null) => Value

/** False for nil and false, true for everything else, 0 and '' included. */
export function isTrue(value: Value): boolean {
  return value !== null && value !== false
}

/** Yields the name of a value's kind, for messages and `class`. */
export function kindOf(value: Value): string {
  if (value === null) return 'nil'
  if (typeof value === 'string') return 'String'
  if (typeof value === 'bigint') return 'Integer'
  if (typeof value === 'number') return 'Float'
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'Array'
  if (value instanceof Sym) return 'Symbol'
  if (value instanceof Hash) return 'Hash'
  if (value instanceof Range) return 'Range'
  if (value instanceof Regexp) return 'Regexp'
  if (value instanceof Match) return 'MatchData'
  return value instanceof Proc ? 'Proc' : value.name
}
