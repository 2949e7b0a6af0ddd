import { assign, update } from './assign.ts'
import { fail } from './error.ts'
import { blockOf, invoke } from './invoke.ts'
import { CONSTANTS, KINDS } from './kinds.ts'
import type { Node } from './parser/syntax.ts'
import { Leaving, type Rendering, type Scope } from './rendering.ts'
import { rescue } from './rescue.ts'
import { textOf } from './text.ts'
import { isTrue, Proc, Range, Regexp, Sym, type Value } from './values.ts'

type Of<Kind extends Node['kind']> = Extract<Node, { kind: Kind }>

/** Evaluates a node; text and `<%= %>` write their output. */
export function evaluate(node: Node, scope: Scope, rendering: Rendering): Value {
  rendering.meter.step()
  rendering.meter.enter()
  const value = evaluateNode(node, scope, rendering)
  rendering.meter.leave()
  return value
}

function evaluateNode(node: Node, scope: Scope, rendering: Rendering): Value {
  switch (node.kind) {
    case 'literal':
      return node.value
    case 'text':
      rendering.write(node.text)
      return null
    case 'output':
      return evaluateOutput(node, scope, rendering)
    case 'sequence':
      return evaluateSequence(node, scope, rendering)
    case 'call':
      return invoke(node, scope, rendering)
    case 'variable':
      return scope.holder(node.name)?.values.get(node.name) ?? null
    case 'instance':
      return evaluateInstance(node.name, rendering)
    case 'if':
      return rendering.evaluate(isTrue(rendering.evaluate(node.test, scope)) ? node.yes : node.no, scope)
    case 'and':
    case 'or':
      return evaluateEither(node, scope, rendering)
    case 'not':
      return !isTrue(rendering.evaluate(node.value, scope))
    case 'assign':
      return assign(node.target, rendering.evaluate(node.value, scope), scope, rendering)
    case 'update':
      return update(node, scope, rendering)
    case 'lambda':
      return new Proc(blockOf(node.block, scope, rendering, true))
    default:
      return evaluateRareNode(node, scope, rendering)
  }
}

/** Evaluates rarer nodes. A separate function keeps the stack frame of `evaluate` small, for deeply nested templates. */
function evaluateRareNode(node: Node, scope: Scope, rendering: Rendering): Value {
  switch (node.kind) {
    case 'join':
      return join(node.parts, scope, rendering)
    case 'symbol':
      return new Sym(join(node.parts, scope, rendering))
    case 'regexp':
      return evaluateRegexp(node, scope, rendering)
    case 'list':
      return list(node.items, scope, rendering)
    case 'hash':
      return hash(node, scope, rendering)
    case 'range':
      return evaluateRange(node, scope, rendering)
    case 'while':
      return loop(node, scope, rendering)
    case 'for':
      return evaluateFor(node, scope, rendering)
    case 'case':
      return choose(node, scope, rendering)
    case 'global':
      return evaluateGlobal(node, rendering)
    case 'constant':
      rendering.line = node.line
      return rendering.given(node.name) ?? evaluateConstant(node.name)
    case 'leave':
      rendering.line = node.line
      throw new Leaving(node.how, rendering.evaluate(node.value, scope))
    case 'def':
      rendering.methods.set(node.name, node.block)
      return new Sym(node.name)
    case 'rescue':
      return rescue(node, scope, rendering)
    case 'defined':
      return evaluateDefined(node.value, scope, rendering)
    default:
      return fail('* is not expected here')
  }
}

/** Evaluates items or arguments, with `*list` expanded. */
function list(items: readonly Node[], scope: Scope, rendering: Rendering): Value[] {
  rendering.meter.elements(items.length)
  const values: Value[] = []
  for (const item of items) {
    if (item.kind !== 'splat') values.push(rendering.evaluate(item, scope))
    else {
      const spread = rendering.send(rendering.evaluate(item.value, scope), 'to_a')
      const added = Array.isArray(spread) ? spread : [spread]
      rendering.meter.elements(added.length)
      for (const each of added) values.push(each)
    }
  }
  return values
}

function evaluateOutput(node: Of<'output'>, scope: Scope, rendering: Rendering): Value {
  const value = rendering.evaluate(node.value, scope)
  rendering.write(textOf(value, rendering))
  return null
}

function evaluateSequence(node: Of<'sequence'>, scope: Scope, rendering: Rendering): Value {
  let value: Value = null
  for (const each of node.nodes) value = rendering.evaluate(each, scope)
  return value
}

function evaluateInstance(name: string, rendering: Rendering): Value {
  if (rendering.instances.has(name)) return rendering.instances.get(name) ?? null
  return rendering.given(name) ?? null
}

function evaluateEither(node: Of<'and' | 'or'>, scope: Scope, rendering: Rendering): Value {
  const left = rendering.evaluate(node.left, scope)
  return isTrue(left) === (node.kind === 'and') ? rendering.evaluate(node.right, scope) : left
}

function join(parts: readonly (string | Node)[], scope: Scope, rendering: Rendering): string {
  let text = ''
  for (const part of parts) {
    const more = typeof part === 'string' ? part : textOf(rendering.evaluate(part, scope), rendering)
    rendering.meter.text(more.length)
    text += more
  }
  return text
}

function evaluateRegexp(node: Of<'regexp'>, scope: Scope, rendering: Rendering): Value {
  rendering.line = node.line
  const parts: string[] = []
  for (const part of node.parts) {
    const value = typeof part === 'string' ? part : rendering.evaluate(part, scope)
    parts.push(value instanceof Regexp ? `(?:${value.source})` : textOf(value, rendering))
  }
  return new Regexp(parts.join(''), node.flags)
}

function hash(node: Of<'hash'>, scope: Scope, rendering: Rendering): Value {
  const pairs: [Value, Value][] = []
  for (const [key, value] of node.pairs) {
    if (key !== null) pairs.push([rendering.evaluate(key, scope), rendering.evaluate(value, scope)])
    else {
      const merged = rendering.send(rendering.evaluate(value, scope), 'to_a')
      for (const each of Array.isArray(merged) ? merged : []) if (isPair(each)) pairs.push(each)
    }
  }
  return rendering.hash(pairs)
}

function isPair(value: Value): value is [Value, Value] {
  return Array.isArray(value) && value.length === 2
}

function evaluateRange(node: Of<'range'>, scope: Scope, rendering: Rendering): Value {
  const first = node.first === null ? null : rendering.evaluate(node.first, scope)
  const last = node.last === null ? null : rendering.evaluate(node.last, scope)
  return new Range(first, last, node.exclusive)
}

function loop(node: Of<'while'>, scope: Scope, rendering: Rendering): Value {
  const goesOn = () => isTrue(rendering.evaluate(node.test, scope)) !== node.until
  return runLeavable(rendering, (once) => {
    if (node.first) once(() => rendering.evaluate(node.body, scope))
    while (goesOn()) once(() => rendering.evaluate(node.body, scope))
  })
}

function evaluateFor(node: Of<'for'>, scope: Scope, rendering: Rendering): Value {
  const items = rendering.send(rendering.evaluate(node.list, scope), 'to_a')
  return runLeavable(rendering, (once) => {
    for (const item of Array.isArray(items) ? items : []) {
      once(() => {
        assign(node.target, item, scope, rendering)
        rendering.evaluate(node.body, scope)
      })
    }
  })
}

/** Runs a loop that `break` ends and in which `next` ends one round. */
function runLeavable(rendering: Rendering, run: (once: (round: () => void) => void) => void): Value {
  const depth = rendering.meter.depth
  const leftValueOf = (error: unknown, how: Leaving['how']): Value => {
    if (!(error instanceof Leaving) || error.how !== how) throw error
    rendering.meter.returnTo(depth)
    return error.value
  }
  try {
    run((round) => {
      try {
        round()
      } catch (error) {
        leftValueOf(error, 'next')
      }
    })
    return null
  } catch (error) {
    return leftValueOf(error, 'break')
  }
}

function choose(node: Of<'case'>, scope: Scope, rendering: Rendering): Value {
  const subject = node.subject === null ? null : rendering.evaluate(node.subject, scope)
  for (const when of node.whens) {
    const values = list(when.values, scope, rendering)
    const matches = (value: Value) => isTrue(node.subject === null ? value : rendering.send(value, '===', [subject]))
    if (values.some(matches)) return rendering.evaluate(when.body, scope)
  }
  return rendering.evaluate(node.otherwise, scope)
}

/** Yields `$~` and the groups of the last match of a regular expression. */
function evaluateGlobal(node: Of<'global'>, rendering: Rendering): Value {
  rendering.line = node.line
  if (node.name === '$~') return rendering.match
  if (!/^\$[0-9]/.test(node.name)) return fail(`global variable ${node.name} is not offered`)
  return rendering.match?.groups[Number(node.name.slice(1))] ?? null
}

function evaluateConstant(name: string): Value {
  return KINDS.get(name) ?? CONSTANTS.get(name) ?? fail(`constant ${name} is not offered`)
}

/** Evaluates `defined?(x)`: the kind of the expression, or nil. */
function evaluateDefined(node: Node, scope: Scope, rendering: Rendering): Value {
  if (node.kind === 'sequence' && node.nodes.length === 1 && node.nodes[0] !== undefined)
    return evaluateDefined(node.nodes[0], scope, rendering)
  if (node.kind === 'variable') return scope.holder(node.name) === null ? null : 'local-variable'
  if (node.kind === 'instance')
    return rendering.instances.has(node.name) || rendering.given(node.name) !== undefined ? 'instance-variable' : null
  if (node.kind === 'constant')
    return KINDS.has(node.name) || CONSTANTS.has(node.name) || rendering.given(node.name) !== undefined
      ? 'constant'
      : null
  if (node.kind !== 'call') return 'expression'
  if (node.receiver !== null) return isTrue(rendering.evaluate(node.receiver, scope)) ? 'method' : null
  if (rendering.given(node.name) !== undefined) return 'local-variable'
  return rendering.hasFunction(node.name) ? 'method' : null
}
