import { keyOf } from './compare.ts'
import { costOfTexts, dispatch, hasMethod } from './dispatch.ts'
import { fail } from './error.ts'
import { handOut, takeIn } from './given.ts'
import type { Meter } from './meter.ts'
import type { BlockNode, LeaveWord, Node } from './parser/syntax.ts'
import {
  type Block,
  type Call,
  Hash,
  type HostValue,
  type Machine,
  type Match,
  Sym,
  type TemplateFunction,
  type Value,
} from './values.ts'

/** What a template may read and call besides its own values. */
export interface World {
  /** Variables by their names: `@host` for instance variables, `name`, or `Name` for constants. */
  readonly variables?: Readonly<Record<string, HostValue>>
  readonly functions?: Readonly<Record<string, TemplateFunction>>
}

/** The variables of a block and of the scopes around it. */
export class Scope {
  readonly values = new Map<string, Value>()
  readonly outer: Scope | null

  constructor(outer: Scope | null) {
    this.outer = outer
  }

  /** Finds the scope that holds a variable; null when none does. */
  holder(name: string): Scope | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.outer) if (scope.values.has(name)) return scope
    return null
  }
}

/** Thrown where a word leaves a loop, a block or a method, which catches it. */
export class Leaving {
  readonly how: LeaveWord
  readonly value: Value

  constructor(how: LeaveWord, value: Value) {
    this.how = how
    this.value = value
  }
}

/** How the rendering evaluates nodes and handles its own functions. */
interface Parts {
  evaluate(node: Node, scope: Scope, rendering: Rendering): Value
  readonly functions: ReadonlyMap<string, BuiltIn>
}

/** A built-in function of the language. */
export type BuiltIn = (args: readonly Value[], rendering: Rendering, block: Block | null) => Value

/** One execution of a template: its output so far, its instance variables and its position. */
export class Rendering implements Machine {
  readonly meter: Meter
  readonly instances = new Map<string, Value>()
  /** The methods that the template has defined so far. */
  readonly methods = new Map<string, BlockNode>()
  readonly patterns: Machine['patterns'] = new Map()
  match: Match | null = null
  /** The line that is being executed, for errors. */
  line = 1
  /** The snippets that are being executed, outermost first. */
  snippets: readonly string[] = []
  readonly #parts: Parts
  readonly #variables: ReadonlyMap<string, HostValue>
  readonly #functions: ReadonlyMap<string, TemplateFunction>
  readonly #known = new WeakMap<object, Value>()
  #output = ''

  constructor(world: World, meter: Meter, parts: Parts) {
    this.meter = meter
    this.#parts = parts
    this.#variables = new Map(Object.entries(world.variables ?? {}))
    this.#functions = new Map(Object.entries(world.functions ?? {}))
  }

  evaluate(node: Node, scope: Scope): Value {
    return this.#parts.evaluate(node, scope, this)
  }

  send(self: Value, name: string, args: readonly Value[] = [], block: Block | null = null): Value {
    return dispatch(self, name, args, this, block)
  }

  answersTo(self: Value, name: string): boolean {
    return hasMethod(self, name, this)
  }

  /** Appends to the output. */
  write(text: string): void {
    this.meter.output(text.length)
    this.#output += text
  }

  /** Runs `work` and yields its output instead of appending it. */
  capture(work: () => void): string {
    const before = this.#output
    this.#output = ''
    try {
      work()
      return this.#output
    } finally {
      this.#output = before
    }
  }

  /** Yields a variable of the world; undefined where there is none of this name. */
  given(name: string): Value | undefined {
    return this.#variables.has(name) ? this.takeIn(this.#variables.get(name)) : undefined
  }

  takeIn(given: HostValue): Value {
    return takeIn(given, this, this.#known)
  }

  hasFunction(name: string): boolean {
    return this.#functions.has(name) || this.#parts.functions.has(name)
  }

  /** Calls a function of the caller, or of the language. */
  callFunction(name: string, args: readonly Value[], block: Block | null): Value {
    this.meter.step(costOfTexts(args))
    const own = this.#functions.get(name)
    if (own !== undefined) return this.callOwn(own, args, block)
    const builtIn = this.#parts.functions.get(name)
    if (builtIn === undefined) return fail(`undefined method '${name}'`)
    return builtIn(args, this, block)
  }

  /** Calls a function of the caller and converts its answer. */
  callOwn(own: TemplateFunction, args: readonly Value[], block: Block | null): Value {
    return this.takeIn(own(this.#call(args, block)))
  }

  hash(pairs: Iterable<readonly [Value, Value]>): Hash {
    const hash = new Hash()
    for (const [key, value] of pairs) {
      this.meter.elements(2)
      hash.entries.set(keyOf(key, this), [key, value])
    }
    return hash
  }

  #call(args: readonly Value[], block: Block | null): Call {
    const last = args.at(-1)
    const options = last instanceof Hash ? namedArgumentsOf(last) : null
    const positional = options === null ? args : args.slice(0, -1)
    const named = [...(options ?? [])].map(([name, value]) => [name, handOut(value, this)] as const)
    return {
      args: positional.map((each) => handOut(each, this)),
      named: new Map(named),
      block: block === null ? null : this.#blockOf(block),
      fail,
    }
  }

  #blockOf(block: Block): NonNullable<Call['block']> {
    return {
      call: (...args) => handOut(block.call(args.map((each) => this.takeIn(each))), this),
      capture: (...args) => block.capture(args.map((each) => this.takeIn(each))),
    }
  }
}

/** Yields the named arguments of a call; null where the hash is an ordinary argument. */
function namedArgumentsOf(hash: Hash): Map<string, Value> | null {
  const names = new Map<string, Value>()
  for (const [key, value] of hash.entries.values()) {
    if (!(key instanceof Sym)) return null
    names.set(key.name, value)
  }
  return names.size === 0 ? null : names
}
