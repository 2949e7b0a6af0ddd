/**
 * JSON whose numbers stay as they were written. JavaScript would read 2.0 as 2 and 9007199254740993 as ...992; a typed
 * parameter must come out as it went in (smart-parameters §3). Only what asks for exact values meets them: in a value read
 * here such a number is an object that `JSON.stringify` prints verbatim; any other number is a plain one.
 */
export function parseExact(text: string): unknown {
  if (!mayLose(text)) return JSON.parse(text)
  const read: Reviver = (_key, value, { source }) => (loses(value, source) ? JSON.rawJSON(source) : value)
  return JSON.parse(text, read)
}

/**
 * Reads JSON as `JSON.parse` does, and remembers how numbers that lost something were written: see `exactly`.
 * {@throws SyntaxError} also for numbers that are infinite for computers or take a thousand digits: databases write all of
 * the digits that 1e99999 stands for.
 */
export function parseRemembering(text: string): unknown {
  if (!mayLose(text)) return JSON.parse(text)
  const read: Reviver = function (this: object, key, value, { source }) {
    if (typeof value === 'number' && !isReasonable(value, source))
      throw new SyntaxError(`the number of '${key}' ${UNREASONABLE}`)
    if (loses(value, source)) remember(this, key, source)
    return value
  }
  return JSON.parse(text, read)
}

/** The value under a key of an object that `parseRemembering` read, exact as from `parseExact`. */
export function exactly(holder: object, key: string): unknown {
  const value = (holder as Readonly<Record<string, unknown>>)[key] // of an object from JSON
  const source = remembered.get(holder)?.get(key)
  if (source !== undefined) return JSON.rawJSON(source)
  return isNested(value) ? mapped(value, (part) => exactly(value, part)) : value
}

/** Yields the value with exact numbers replaced by plain ones. */
export function plainly(value: unknown): unknown {
  if (isExactNumber(value)) return Number(JSON.stringify(value))
  return isNested(value) ? mapped(value, (_key, part) => plainly(part)) : value
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isExactNumber(value)
}

function isExactNumber(value: unknown): boolean {
  return JSON.isRawJSON(value)
}

function mapped(nested: object, change: (key: string, part: unknown) => unknown): unknown {
  if (Array.isArray(nested)) return nested.map((part, index) => change(String(index), part))
  return Object.fromEntries(Object.entries(nested).map(([key, part]) => [key, change(key, part)]))
}

type Reviver = (this: object, key: string, value: unknown, context: { readonly source: string }) => unknown

// Numbers as they were written, by the object or list they stand in. Forgotten with it.
const remembered = new WeakMap<object, Map<string, string>>()

function remember(holder: object, key: string, source: string): void {
  const sources = remembered.get(holder) ?? new Map<string, string>()
  remembered.set(holder, sources.set(key, source))
}

// A cheap look that most texts do not pass: minus zero, a fraction that ends in 0, an exponent, or very many digits. What
// stands in a string may look like it, and then only costs time.
const MAY_LOSE = /(?:^|[[:,\s])(?:-0|-?(?:\d+\.\d*0|[\d.]+[eE][-+]?\d+|[\d.]{16,}))(?=$|[\],}\s])/

function mayLose(text: string): boolean {
  return MAY_LOSE.test(text)
}

const UNREASONABLE = 'must be less than 1.8e308 and take less than 1000 digits'

function isReasonable(value: number, source: string): boolean {
  const exponent = /[eE]([-+]?\d+)$/.exec(source)?.[1] ?? '0'
  return Number.isFinite(value) && source.length < 1000 && Number(exponent) > -1000
}

function loses(value: unknown, source: string): boolean {
  return typeof value === 'number' && String(value) !== source
}

// The library of types does not know these parts of JSON yet; Node has had them since version 21.
declare global {
  interface JSON {
    rawJSON(text: string): object
    isRawJSON(value: unknown): boolean
    parse(text: string, reviver: Reviver): unknown
  }
}
