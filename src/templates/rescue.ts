import { assign } from './assign.ts'
import { locate, TemplateError } from './error.ts'
import { ERRORS } from './kinds.ts'
import type { Node } from './parser/syntax.ts'
import { Leaving, type Rendering, type Scope } from './rendering.ts'
import { HostObject, type Value } from './values.ts'

type RescueStatement = Extract<Node, { kind: 'rescue' }>

/**
 * Evaluates `begin … rescue … else … ensure … end`. An exhausted budget cannot be rescued, and ends the rendering at once.
 */
export function rescue(node: RescueStatement, scope: Scope, rendering: Rendering): Value {
  if (node.always === null) return attempt(node, scope, rendering)
  const { depth } = rendering.meter
  let value: Value
  try {
    value = attempt(node, scope, rendering)
  } catch (error) {
    if (!isFailure(error) && !(error instanceof Leaving)) throw error
    const located = locate(error, rendering.line, rendering.snippets)
    rendering.meter.returnTo(depth)
    rendering.evaluate(node.always, scope)
    throw located
  }
  rendering.evaluate(node.always, scope)
  return value
}

function attempt(node: RescueStatement, scope: Scope, rendering: Rendering): Value {
  const { depth } = rendering.meter
  const { snippets } = rendering
  let value: Value
  try {
    value = rendering.evaluate(node.body, scope)
  } catch (error) {
    const [first] = node.rescues
    if (first === undefined || !isFailure(error)) throw error
    rendering.meter.returnTo(depth)
    rendering.snippets = snippets
    if (first.target !== null) assign(first.target, failureOf(error), scope, rendering)
    return rendering.evaluate(first.body, scope)
  }
  return node.otherwise === null ? value : rendering.evaluate(node.otherwise, scope)
}

function isFailure(error: unknown): error is TemplateError {
  return error instanceof TemplateError && !error.isFinal
}

/** Builds the value of `rescue => e`: the message only, nothing of the program. */
function failureOf({ reason }: TemplateError): Value {
  return new HostObject(
    ERRORS[0] ?? '',
    new Map(Object.entries({ message: reason, to_s: reason, full_message: reason })),
    reason,
  )
}
