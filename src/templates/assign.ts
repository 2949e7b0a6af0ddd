import { fail } from './error.ts'
import type { Node, Target } from './parser/syntax.ts'
import type { Rendering, Scope } from './rendering.ts'
import { isTrue, kindOf, type Value } from './values.ts'

/** Assigns a value to a target; yields the value. */
export function assign(target: Target, value: Value, scope: Scope, rendering: Rendering): Value {
  if (target.kind === 'variable') (scope.holder(target.name) ?? scope).values.set(target.name, value)
  else if (target.kind === 'instance') rendering.instances.set(target.name, value)
  else if (target.kind === 'several') assignSeveral(target, value, scope, rendering)
  else {
    const { receiver, args } = target
    if (receiver === null) return fail(`${target.name} cannot be assigned to`)
    const holder = rendering.evaluate(receiver, scope)
    const keys = args.map((each) => rendering.evaluate(each, scope))
    rendering.line = target.line
    store(holder, keys, value, rendering)
  }
  return value
}

/** Evaluates `+=`, `||=` and the like. */
export function update(node: Extract<Node, { kind: 'update' }>, scope: Scope, rendering: Rendering): Value {
  const place = fixTarget(node.target, scope, rendering)
  const before = place.read()
  if (node.operator === '||' && isTrue(before)) return before
  if (node.operator === '&&' && !isTrue(before)) return before
  const value = rendering.evaluate(node.value, scope)
  rendering.line = node.line
  const isLogical = node.operator === '||' || node.operator === '&&'
  return place.write(isLogical ? value : rendering.send(before, node.operator, [value]))
}

/** A target that is read and then written, with its receiver and index evaluated once. */
interface AssignTarget {
  read(): Value
  write(value: Value): Value
}

/** Evaluates the receiver and index of a target. */
export function fixTarget(target: Target, scope: Scope, rendering: Rendering): AssignTarget {
  if (target.kind !== 'call' || target.receiver === null)
    return {
      read: () => (target.kind === 'several' ? null : rendering.evaluate(target, scope)),
      write: (value) => assign(target, value, scope, rendering),
    }
  const holder = rendering.evaluate(target.receiver, scope)
  const keys = target.args.map((each) => rendering.evaluate(each, scope))
  rendering.line = target.line
  return {
    read: () => rendering.send(holder, '[]', keys),
    write: (value) => {
      store(holder, keys, value, rendering)
      return value
    },
  }
}

function store(holder: Value, keys: readonly Value[], value: Value, rendering: Rendering): void {
  if (typeof holder === 'string') fail('a part of a text cannot be replaced in place, use sub')
  if (holder === null || typeof holder !== 'object') fail(`undefined method '[]=' for ${kindOf(holder)}`)
  rendering.send(holder, '[]=', [...keys, value])
}

function assignSeveral(
  target: Extract<Target, { kind: 'several' }>,
  value: Value,
  scope: Scope,
  rendering: Rendering,
): void {
  const values = Array.isArray(value) ? [...value] : [value]
  const rest = target.targets.findIndex((each) => each.kind === 'splat')
  for (const [index, each] of target.targets.entries()) {
    if (each.kind === 'splat') {
      const taken = values.slice(rest, values.length - (target.targets.length - rest - 1))
      rendering.meter.elements(taken.length)
      assignSplat(each.value, taken, scope, rendering)
    } else {
      const fromEnd = rest >= 0 && index > rest
      const place = fromEnd
        ? Math.max(values.length, target.targets.length - 1) - (target.targets.length - index)
        : index
      assign(each, values[place] ?? null, scope, rendering)
    }
  }
}

function assignSplat(target: Node, values: Value[], scope: Scope, rendering: Rendering): void {
  if (target.kind !== 'variable' && target.kind !== 'instance') fail('* takes a variable')
  assign(target, values, scope, rendering)
}
