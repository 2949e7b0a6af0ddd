import type { RE2JS } from 're2js'
import type { Given } from './given.ts'

/**
 * What a template can hold. Integers are `bigint`, floats are `number` (so 2.0 is never 2), strings and lists are their own;
 * everything else is an instance of a class below, so that no data of a caller can be taken for it.
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
  | Reader

/** A name as a value: `:name`. */
export class Sym {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Keys and values in the order they came; entries are found by the text of their key (`loadKeyOfHosts` in compare.ts). */
export class Hash {
  readonly entries = new Map<string, [key: Value, value: Value]>()
}

/** `first..last`, or `first...last` without its end; null is open. */
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

/** A regular expression as it was written; regexps.ts compiles and runs it. */
export class Regexp {
  readonly source: string
  /** Of `i`, `m` and `x`. */
  readonly flags: string

  constructor(source: string, flags: string) {
    this.source = source
    this.flags = flags
  }
}

/** What a regular expression found. */
export class Match {
  readonly text: string
  readonly start: number
  /** The whole and its groups, null for a group that took no part. */
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

/** A piece of the template that can be called: what follows a call in braces, or a lambda. */
export interface Block {
  /** How many parameters it names. */
  readonly parameters: number
  call(args: readonly Value[]): Value
  /** Calls it and answers the text that its tags put out meanwhile. */
  capture(args: readonly Value[]): string
}

/** A block as a value: `->(x) { x + 1 }`. */
export class Proc {
  readonly block: Block

  constructor(block: Block) {
    this.block = block
  }
}

/** What a function or a reader's method is called with. */
export interface Call {
  /** The arguments in their order, as `Given`. */
  readonly args: readonly Given[]
  /** What was passed by name: `snippet 'x', variables: {}`. */
  readonly named: ReadonlyMap<string, Given>
  /** The block that was passed: its value, or the text that it puts out. */
  readonly block: { call(...args: Given[]): Given; capture(...args: Given[]): string } | null
  /** Stops the rendering with a message for the author of the template. */
  fail(message: string): never
}

/** A function that templates may call. It is synchronous; its answer is converted like all that is given. */
export type TemplateFunction = (call: Call) => Given

/**
 * An object of the caller with the methods that a template may call, and nothing else. Two of the same name and text are
 * equal: give things that differ texts that differ.
 */
export class Reader {
  /** As it is called in messages: `undefined method 'x' for host`. */
  readonly name: string
  readonly methods: ReadonlyMap<string, Given | TemplateFunction>
  /** What it renders to. */
  readonly text: string

  constructor(name: string, methods: ReadonlyMap<string, Given | TemplateFunction>, text: string) {
    this.name = name
    this.methods = methods
    this.text = text
  }
}

/** What the methods of values need of the rendering they are part of. */
export interface Machine {
  readonly meter: {
    step(count?: number): void
    text(length: number): void
    elements(count: number): void
    within<T>(work: () => T): T
    timed<T>(search: () => T): T
  }
  /** The regular expressions that were used so far, ready to search. */
  readonly patterns: Map<string, RE2JS>
  /** Calls a method of a value as the template would. */
  send(self: Value, name: string, args?: readonly Value[], block?: Block | null): Value
  /** Calls a function that the caller gave. */
  callOwn(own: TemplateFunction, args: readonly Value[], block: Block | null): Value
  takeIn(given: Given): Value
  /** What the last comparison with a regular expression found (`$~`, `$1`). */
  match: Match | null
}

/** A method of a kind of values; the table that holds it has checked how many arguments there are. */
export type Method<Self> = (self: Self, args: readonly Value[], machine: Machine, block: Block | null) => Value

/** False for nil and false, true for everything else, 0 and '' included. */
export function isTrue(value: Value): boolean {
  return value !== null && value !== false
}

/** The name of a value's kind, for messages and `class`. */
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
