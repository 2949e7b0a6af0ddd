import { hash as digest } from 'node:crypto'
import { textOfTime } from './dates.ts'
import { fail } from './error.ts'
import { count, countText, listArgument, requireText } from './methods/table.ts'
import { NUMBER_FUNCTIONS } from './parser/numbers.ts'
import type { BuiltIn } from './rendering.ts'
import { textOf } from './text.ts'
import { Hash, isTrue, type Value } from './values.ts'

/** Helper functions that existing sites use: about texts and numbers, without access to anything outside of the template. */
export const HELPER_FUNCTIONS: readonly (readonly [name: string, run: BuiltIn])[] = [
  ['shell_escape', ([value = null], rendering) => countText(quoteShellWord(textOf(value, rendering)), rendering)],
  ['truthy?', ([value = null]) => parseTruth(value) === true],
  ['falsy?', ([value = null]) => parseTruth(value) === false],
  ['save_to_file', saveToFile],
  ['join_with_line_break', ([list], rendering) => rendering.send(listArgument(list), 'join', ['\n'])],
  ['current_date', formatCurrentDate],
  [
    'gem_version_compare',
    ([first = null, second = null], rendering) =>
      BigInt(compareVersions(textOf(first, rendering), textOf(second, rendering))),
  ],
  ['rand', ([most]) => generateRandom(most)],
  ...['debug', 'info', 'warn', 'error', 'fatal'].map((level): [string, BuiltIn] => [`log_${level}`, () => null]),
  ...NUMBER_FUNCTIONS,
]

/** Quotes a text as one word for a shell. */
function quoteShellWord(value: string): string {
  if (value === '') return "''"
  return value.replace(/[^\p{L}\p{N}_\-.,:+/@\n]/gu, '\\$&').replaceAll('\n', "'\n'")
}

const TRUE = new Set(['true', 't', 'yes', 'y', 'on', '1'])
const FALSE = new Set(['false', 'f', 'no', 'n', 'off', '0'])

function parseTruth(value: Value): boolean | null {
  const word = typeof value === 'object' ? '' : String(value).toLowerCase()
  return TRUE.has(word) ? true : FALSE.has(word) ? false : null
}

/**
 * Evaluates `save_to_file`: a shell command that writes a text to a file; the shell replaces variables in it, unless it is
 * `verbatim`.
 */
function saveToFile(...[[name, content = null, options], rendering]: Parameters<BuiltIn>): Value {
  const file = requireText(name)
  const body = textOf(content, rendering)
  if (body === '') return `cp /dev/null ${file}`
  const end = `EOF-${digest('sha512', file, 'hex').slice(0, 8)}`
  rendering.meter.text(body.length * 2)
  if (!isTrue(findNamed(options, 'verbatim') ?? null))
    return `cat << ${end} > ${file}\n${body}${body.endsWith('\n') ? '' : '\n'}${end}`
  const lines =
    Buffer.from(body)
      .toString('base64')
      .match(/.{1,60}/g) ?? []
  return `cat << ${end} | base64 -d > ${file}\n${lines.join('\n')}\n${end}`
}

function findNamed(options: Value | undefined, name: string): Value | undefined {
  return options instanceof Hash ? options.entries.get(`:${name}`)?.[1] : undefined
}

function formatCurrentDate(...[[first], rendering]: Parameters<BuiltIn>): Value {
  const format = findNamed(first, 'format') ?? (first instanceof Hash ? undefined : first)
  return countText(textOfTime(new Date(), format === undefined ? '%Y-%m-%d' : requireText(format)), rendering)
}

/**
 * Compares versions part by part: numbers numerically, and a part with letters before one without: 1.0.beta comes before
 * 1.0.
 */
function compareVersions(first: string, second: string): number {
  const [left, right] = [partsOf(first), partsOf(second)]
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [a = 0n, b = 0n] = [left[index], right[index]]
    if (a === b) continue
    if (typeof a !== typeof b) return typeof a === 'string' ? -1 : 1
    return a < b ? -1 : 1
  }
  return 0
}

function partsOf(version: string): readonly (bigint | string)[] {
  if (version.length > 200) return fail('a version may have 200 characters')
  return (version.match(/[0-9]+|[a-z]+/gi) ?? []).map((part) => (/^[0-9]/.test(part) ? BigInt(part) : part))
}

/** Yields a random number: below an integer, or a real number below 1. */
function generateRandom(most: Value | undefined): Value {
  const limit = most === undefined || most === null ? 0 : Math.abs(count(most))
  return limit <= 1 ? Math.random() : BigInt(Math.floor(Math.random() * limit))
}
