import { listKeysInOrder, parseInOrder, rememberOrder } from './key-order.ts'

/**
 * Parses JSON so that numbers are printed again as they were written. JavaScript would read 2.0 as 2 and 9007199254740993 as
 * ...992; a typed parameter must be returned as it was sent (smart-parameters §3). A number that would lose something
 * becomes an object that `JSON.stringify` prints verbatim; any other number is a plain one. Keys keep their order, too:
 * print the result with `printExact`.
 */
export function parseExact(text: string): unknown {
  return parseInOrder(text, parseNumbers)
}

function parseNumbers(text: string): unknown {
  if (!mayLose(text)) return JSON.parse(text)
  const read: Reviver = (_key, value, { source }) => (losesDigits(value, source) ? JSON.rawJSON(source) : value)
  return JSON.parse(text, read)
}

/**
 * Parses JSON as `JSON.parse` does, and remembers for `readExactly` the original text of numbers that lost something, and the
 * order of keys. {@throws SyntaxError} also for numbers that overflow to infinity, take 1000 characters or have an exponent of
 * -1000 or less: the database would write out all digits of 1e99999.
 */
export function parseRemembering(text: string): unknown {
  const parsed = parseRememberingNumbers(text)
  rememberOrder(text, parsed)
  return parsed
}

function parseRememberingNumbers(text: string): unknown {
  if (!mayLose(text)) return JSON.parse(text)
  const read: Reviver = function (this: object, key, value, { source }) {
    if (typeof value === 'number' && !isReasonable(value, source))
      throw new SyntaxError(`the number of '${key}' ${UNREASONABLE}`)
    if (losesDigits(value, source)) remember(this, key, source)
    return value
  }
  return JSON.parse(text, read)
}

/** Yields the value under a key of an object that `parseRemembering` read, exact as from `parseExact`. */
export function readExactly(holder: object, key: string): unknown {
  const value = (holder as Readonly<Record<string, unknown>>)[key] // the object comes from JSON
  const source = remembered.get(holder)?.get(key)
  if (source !== undefined) return JSON.rawJSON(source)
  return isNested(value) ? mapParts(value, (part) => readExactly(value, part)) : value
}

/** Replaces exact numbers within a value by plain ones. */
export function toPlain(value: unknown): unknown {
  if (isExactNumber(value)) return Number(JSON.stringify(value))
  return isNested(value) ? mapParts(value, (_key, part) => toPlain(part)) : value
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isExactNumber(value)
}

/** Whether a value is a number that `parseExact` kept as it was written. */
export function isExactNumber(value: unknown): boolean {
  return JSON.isRawJSON(value)
}

function mapParts(nested: object, change: (key: string, part: unknown) => unknown): unknown {
  if (Array.isArray(nested)) return nested.map((part, index) => change(String(index), part))
  const parts = nested as Readonly<Record<string, unknown>> // it is no list
  return Object.fromEntries(listKeysInOrder(nested).map(([key, kept]) => [kept, change(key, parts[key])]))
}

type Reviver = (this: object, key: string, value: unknown, context: { readonly source: string }) => unknown

// The original texts of numbers, by the object or list that holds them.
const remembered = new WeakMap<object, Map<string, string>>()

function remember(holder: object, key: string, source: string): void {
  const sources = remembered.get(holder) ?? new Map<string, string>()
  remembered.set(holder, sources.set(key, source))
}

// A cheap test that most texts do not match: minus zero, a fraction that ends in 0, an exponent, or very many digits. A
// match inside a string only costs time.
const MAY_LOSE = /(?:^|[[:,\s])(?:-0|-?(?:\d+\.\d*0|[\d.]+[eE][-+]?\d+|[\d.]{16,}))(?=$|[\],}\s])/

function mayLose(text: string): boolean {
  return MAY_LOSE.test(text)
}

const UNREASONABLE = 'must be less than 1.8e308 and take less than 1000 digits'

function isReasonable(value: number, source: string): boolean {
  const exponent = /[eE]([-+]?\d+)$/.exec(source)?.[1] ?? '0'
  return Number.isFinite(value) && source.length < 1000 && Number(exponent) > -1000
}

function losesDigits(value: unknown, source: string): boolean {
  return typeof value === 'number' && String(value) !== source
}

// The TypeScript library does not declare these parts of JSON yet; Node has had them since version 21.
declare global {
  interface JSON {
    rawJSON(text: string): object
    isRawJSON(value: unknown): boolean
    parse(text: string, reviver: Reviver): unknown
  }
}
