import { DOCUMENT_FUNCTIONS } from './documents.ts'
import { fail } from './error.ts'
import { format } from './format.ts'
import { HELPER_FUNCTIONS } from './helpers.ts'
import { ERRORS } from './kinds.ts'
import { count, requireBlock, requireSize, requireText } from './methods/table.ts'
import type { BuiltIn } from './rendering.ts'
import { textOf } from './text.ts'
import { Hash, HostObject, kindOf, Proc, type Value } from './values.ts'

/** Functions that every template has. */
export const FUNCTIONS: ReadonlyMap<string, BuiltIn> = new Map<string, BuiltIn>([
  ['loop', (_args, rendering, block) => loop(() => void requireBlock(block).call([]), rendering.meter)],
  ['lambda', (_args, _rendering, block) => new Proc(requireBlock(block))],
  ['proc', (_args, _rendering, block) => new Proc(requireBlock(block))],
  ['format', callFormat],
  ['sprintf', callFormat],
  ['raise', raise],
  ['Integer', ([value = null, base]) => callInteger(value, base)],
  ['Float', ([value = null]) => callFloat(value)],
  ['String', ([value = null], rendering) => textOf(value, rendering)],
  ['Array', ([value = null], rendering) => (value === null ? [] : rendering.send(value, 'to_a'))],
  ['Hash', ([value = null]) => (value === null ? new Hash() : value)],
  ['indent', indent],
  ...DOCUMENT_FUNCTIONS,
  ...HELPER_FUNCTIONS,
])

/** Evaluates `raise 'message'`, `raise StandardError, 'message'`, or `raise` alone. */
function raise(...[[first = null, second], rendering]: Parameters<BuiltIn>): Value {
  const message = second !== undefined && isKind(first) ? second : first
  return fail(message === null ? 'unhandled exception' : textOf(message, rendering))
}

function isKind(value: Value): boolean {
  return value instanceof HostObject && ERRORS.includes(value.name)
}

function loop(round: () => void, meter: { step(): void }): Value {
  for (;;) {
    meter.step()
    round()
  }
}

function callFormat(...[[pattern, ...values], rendering]: Parameters<BuiltIn>): Value {
  return format(requireText(pattern), values, rendering)
}

function callInteger(value: Value, base: Value | undefined): Value {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value))
  const radix = base === undefined ? 10 : count(base)
  const digits = typeof value === 'string' ? value.trim().replaceAll('_', '') : ''
  if (radix === 10 && /^[+-]?(?:0[xX][0-9a-fA-F]{1,1000}|\d{1,1000})$/.test(digits)) {
    const size = BigInt(digits.replace(/^[+-]/, ''))
    return digits.startsWith('-') ? -size : size
  }
  const parsed = Number.parseInt(digits, radix)
  const reads = radix !== 10 && digits.length < 12 && Number.isSafeInteger(parsed)
  return reads
    ? BigInt(parsed)
    : fail(value === null ? "can't convert nil into Integer" : `invalid value for Integer(): ${formatShown(value)}`)
}

function callFloat(value: Value): Value {
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value)
  const isNumber =
    typeof value === 'string' && /^\s*[+-]?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/.test(value.slice(0, 400))
  return isNumber ? Number(value.replaceAll('_', '')) : fail(`invalid value for Float(): ${formatShown(value)}`)
}

function formatShown(value: Value): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : kindOf(value)
}

/** Evaluates `indent(4) { snippet('x') }`: the value or output of the block, with blanks before each line. */
function indent(...[[by, options], rendering, block]: Parameters<BuiltIn>): Value {
  let value: Value = null
  const given = requireBlock(block)
  const put = rendering.capture(() => {
    value = given.call([])
  })
  const content = put === '' ? textOf(value, rendering) : put
  const skips = options instanceof Hash && [...options.entries.values()].some(([, each]) => each === true)
  const blanks = ' '.repeat(Math.min(requireSize(by), 1000))
  const lines = content.split('\n')
  rendering.meter.text(content.length + lines.length * blanks.length)
  const isLast = (index: number) => index === lines.length - 1
  return lines
    .map((line, index) => ((index === 0 && skips) || (line === '' && isLast(index)) ? line : blanks + line))
    .join('\n')
}
