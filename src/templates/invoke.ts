import { fixTarget } from './assign.ts'
import { fail } from './error.ts'
import type { BlockNode, CallNode, Node, Parameter, Target } from './parser/syntax.ts'
import { Leaving, type Rendering, Scope } from './rendering.ts'
import { type Block, Proc, Sym, type Value } from './values.ts'

/** Calls a method of a value or a function, or reads a variable of the world. */
export function invoke(node: CallNode, scope: Scope, rendering: Rendering): Value {
  if (node.receiver === null) return callPlain(node, scope, rendering)
  const change = IN_PLACE.get(node.name)
  if (change !== undefined && isPlace(node.receiver)) return changeText(node, node.receiver, change, scope, rendering)
  const receiver = rendering.evaluate(node.receiver, scope)
  if (node.safe && receiver === null) return null
  if (node.name === '<<' && typeof receiver === 'string' && isElement(node.receiver))
    return fail('a text inside of a list cannot be appended to, use + and store it')
  const args = argumentsOf(node, scope, rendering)
  return withBlock(node, scope, rendering, (block) => rendering.send(receiver, node.name, args, block))
}

/** Makes a block callable, with the variables around it. In a lambda `next` and `break` end the lambda itself. */
export function blockOf(node: BlockNode, scope: Scope, rendering: Rendering, isLambda = false): Block {
  const call = (args: readonly Value[]): Value => {
    const inner = new Scope(scope)
    const depth = rendering.meter.depth
    rendering.meter.enter()
    bind(node.parameters, isLambda ? args : spread(node.parameters, args), inner, rendering)
    try {
      const value = rendering.evaluate(node.body, inner)
      rendering.meter.leave()
      return value
    } catch (error) {
      if (!(error instanceof Leaving) || (error.how !== 'next' && !isLambda)) throw error
      rendering.meter.returnTo(depth)
      return error.value
    }
  }
  return { parameters: node.parameters.length, call, capture: (args) => rendering.capture(() => void call(args)) }
}

function callPlain(node: CallNode, scope: Scope, rendering: Rendering): Value {
  rendering.line = node.line
  const method = rendering.methods.get(node.name)
  if (method !== undefined) return callMethod(method, argumentsOf(node, scope, rendering), rendering)
  if (!node.explicit) {
    const variable = rendering.given(node.name)
    if (variable !== undefined) return variable
    if (!rendering.hasFunction(node.name)) return fail(`undefined local variable or method '${node.name}'`)
  }
  if (!rendering.hasFunction(node.name)) return fail(`undefined method '${node.name}'`)
  const args = argumentsOf(node, scope, rendering)
  return withBlock(node, scope, rendering, (block) => rendering.callFunction(node.name, args, block))
}

/** Calls a method of the template. It sees its own variables only, and `return` ends it. */
function callMethod({ parameters, body }: BlockNode, args: readonly Value[], rendering: Rendering): Value {
  const needed = parameters.filter(({ rest, fallback }) => !rest && fallback === null).length
  const most = parameters.some(({ rest }) => rest) ? Number.POSITIVE_INFINITY : parameters.length
  if (args.length < needed || args.length > most) return fail(formatArity(args.length, needed, most))
  const scope = new Scope(null)
  const { depth } = rendering.meter
  rendering.meter.enter()
  try {
    bind(parameters, args, scope, rendering)
    const value = rendering.evaluate(body, scope)
    rendering.meter.leave()
    return value
  } catch (error) {
    if (!(error instanceof Leaving) || error.how !== 'return') throw error
    rendering.meter.returnTo(depth)
    return error.value
  }
}

function formatArity(given: number, needed: number, most: number): string {
  const expected = most === needed ? needed : most === Number.POSITIVE_INFINITY ? `${needed}+` : `${needed}..${most}`
  return `wrong number of arguments (given ${given}, expected ${expected})`
}

function argumentsOf(node: CallNode, scope: Scope, rendering: Rendering): readonly Value[] {
  const values: Value[] = []
  for (const each of node.args) {
    if (each.kind !== 'splat') values.push(rendering.evaluate(each, scope))
    else {
      const added = rendering.send(rendering.evaluate(each.value, scope), 'to_a')
      for (const value of Array.isArray(added) ? added : [added]) values.push(value)
      rendering.meter.elements(values.length)
    }
  }
  return values
}

/** Makes a call with its block; `break` in the block ends the call. */
function withBlock(node: CallNode, scope: Scope, rendering: Rendering, call: (block: Block | null) => Value): Value {
  const passed = node.blockValue === null ? null : asBlock(rendering.evaluate(node.blockValue, scope), rendering)
  rendering.line = node.line
  if (node.block === null) return call(passed)
  const depth = rendering.meter.depth
  try {
    return call(blockOf(node.block, scope, rendering))
  } catch (error) {
    if (!(error instanceof Leaving) || error.how !== 'break') throw error
    rendering.meter.returnTo(depth)
    return error.value
  }
}

/** Converts what `&` passes: a lambda, or the method that a symbol names. */
function asBlock(value: Value, rendering: Rendering): Block | null {
  if (value === null) return null
  if (value instanceof Proc) return value.block
  if (!(value instanceof Sym)) return fail('& takes a symbol or a lambda')
  const call = ([self = null, ...args]: readonly Value[]) => rendering.send(self, value.name, args)
  return { parameters: 1, call, capture: (args) => rendering.capture(() => void call(args)) }
}

/** Spreads a single list over several parameters. */
function spread(parameters: readonly Parameter[], args: readonly Value[]): readonly Value[] {
  const [first] = args
  return parameters.length > 1 && args.length === 1 && Array.isArray(first) ? first : args
}

function bind(parameters: readonly Parameter[], args: readonly Value[], scope: Scope, rendering: Rendering): void {
  const rest = parameters.findIndex((each) => each.rest)
  for (const [index, parameter] of parameters.entries()) {
    const fromEnd = rest >= 0 && index > rest
    const place = fromEnd ? Math.max(args.length, parameters.length - 1) - (parameters.length - index) : index
    const given = args[place]
    if (parameter.rest)
      scope.values.set(
        parameter.name,
        args.slice(index, Math.max(index, args.length - (parameters.length - index - 1))),
      )
    else if (parameter.parts !== null)
      bind(parameter.parts, Array.isArray(given) ? given : [given ?? null], scope, rendering)
    else if (given === undefined && parameter.fallback !== null)
      scope.values.set(parameter.name, rendering.evaluate(parameter.fallback, scope))
    else scope.values.set(parameter.name, given ?? null)
  }
}

/**
 * The methods that change a text in place, each with the method that makes the new text. Texts are immutable here, so that
 * the new text is stored where the old one was read from; methods with `!` yield nil when nothing changed.
 */
const IN_PLACE: ReadonlyMap<string, string> = new Map([
  ['<<', '+'],
  ['concat', '+'],
  ...[
    'upcase',
    'downcase',
    'capitalize',
    'swapcase',
    'strip',
    'lstrip',
    'rstrip',
    'chomp',
    'chop',
    'squeeze',
    'reverse',
  ].map((name) => [`${name}!`, name] as const),
  ...['sub', 'gsub', 'tr', 'delete'].map((name) => [`${name}!`, name] as const),
])

function isPlace(node: Node): node is Target {
  if (node.kind === 'variable' || node.kind === 'instance') return true
  return node.kind === 'call' && (node.name === '[]' ? node.receiver !== null : isChained(node))
}

/** Tells whether a text is an element of a list or hash, in which a change could not be stored. */
function isElement(node: Node): boolean {
  return node.kind === 'call' && ['first', 'last', 'fetch', 'dig', 'find', 'detect', 'min', 'max'].includes(node.name)
}

/** Tells whether a call is part of `text << 'a' << 'b'`. */
function isChained(node: CallNode): boolean {
  return node.name === '<<' && node.receiver !== null && isPlace(node.receiver)
}

/** Stores the changed text; when the receiver is not a text, the method is called as usual. */
function changeText(node: CallNode, target: Target, method: string, scope: Scope, rendering: Rendering): Value {
  const place = placeOf(target, scope, rendering)
  const before = place.read()
  if (typeof before !== 'string') return invokeOrdinary(node, before, scope, rendering)
  const args = argumentsOf(node, scope, rendering)
  const after = withBlock(node, scope, rendering, (block) => rendering.send(before, method, args, block))
  place.write(after)
  return node.name.endsWith('!') && after === before ? null : after
}

function invokeOrdinary(node: CallNode, receiver: Value, scope: Scope, rendering: Rendering): Value {
  if (node.safe && receiver === null) return null
  const args = argumentsOf(node, scope, rendering)
  return withBlock(node, scope, rendering, (block) => rendering.send(receiver, node.name, args, block))
}

/** Yields the target at the beginning of a chain of `<<`, where its text is stored. */
function placeOf(target: Target, scope: Scope, rendering: Rendering): ReturnType<typeof fixTarget> {
  if (target.kind !== 'call' || target.name !== '<<') return fixTarget(target, scope, rendering)
  const before = rendering.evaluate(target, scope)
  let first: Node = target
  while (first.kind === 'call' && first.name === '<<' && first.receiver !== null) first = first.receiver
  const place = isPlace(first) && typeof before === 'string' ? fixTarget(first, scope, rendering) : null
  return { read: () => before, write: (value) => place?.write(value) ?? value }
}
