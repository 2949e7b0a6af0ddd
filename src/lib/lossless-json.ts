/**
 * Parses JSON so that numbers are printed again as they were written. JavaScript would read 2.0 as 2 and 9007199254740993 as
 * ...992; a typed parameter must be returned as it was sent (smart-parameters §3). A number that would lose something
 * becomes an object that `JSON.stringify` prints verbatim; any other number is a plain one. Keys keep their order, too:
 * print the result with `printExact`.
 */
export function parseExact(text: string): unknown {
  return parseInOrder(text, parseNumbers)
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

/** Prints JSON, with the numbers and the order of keys that `parseExact` read. */
export function printExact(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.includes('\\udc00') ? text.replace(/"\\udc00\\ud800(\d+)":/g, '"$1":') : text
}

/** The JSON of a value if `jsonb` would change the order of keys in it, else null. */
export function printIfReordered(value: unknown): string | null {
  return isReordered(value) ? printExact(value) : null
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

/** Whether a value is a number that `parseExact` kept as it was written. */
export function isExactNumber(value: unknown): boolean {
  return JSON.isRawJSON(value)
}

/** Tells whether the database can store all texts within a value: none has the NUL character or an unpaired surrogate. */
export function isValidText(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, part]) => isValidText(withoutMark(key)) && isValidText(part))
}

function parseNumbers(text: string): unknown {
  if (!mayLose(text)) return JSON.parse(text)
  const read: Reviver = (_key, value, { source }) => (losesDigits(value, source) ? JSON.rawJSON(source) : value)
  return JSON.parse(text, read)
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

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isExactNumber(value)
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

/**
 * The order of keys in JSON. JavaScript moves keys like '10' to the front of an object, in numeric order. Where that would
 * change the order, an object has such keys behind a mark, which no stored text can contain (isValidText), and `printExact` leaves the mark out.
 */
const MARK = '\udc00\ud800'
const MARKED = /^\udc00\ud800\d+$/

/** Parses JSON and keeps the order of keys. */
function parseInOrder(text: string, parse: (text: string) => unknown): unknown {
  return MAY_MOVE.test(text) ? withoutNeedlessMarks(parse(markKeys(text))) : parse(text)
}

/** Remembers the order of the keys of objects that were parsed from a text by `JSON.parse`, for `listKeysInOrder`. */
function rememberOrder(text: string, parsed: unknown): void {
  if (MAY_MOVE.test(text)) compareOrder(parsed, withoutNeedlessMarks(JSON.parse(markKeys(text))))
}

/** Lists the keys of a parsed object in the order of the text, each with the key that keeps its place in a new object. */
function listKeysInOrder(holder: object): readonly (readonly [key: string, kept: string])[] {
  const known = orders.get(holder)
  // Whoever translates a body may have renamed keys in it.
  return known?.every(([key]) => key in holder) ? known : Object.keys(holder).map((key) => [key, key])
}

// A cheap test that most texts do not match: a key of digits, also written as escapes. A match in a string only costs time.
const MAY_MOVE = /"(?:\d|\\u003\d){1,10}"\s*:/
const DIGITS = /^(?:\d|\\u003\d){1,10}$/

const orders = new WeakMap<object, readonly (readonly [key: string, kept: string])[]>()

/** Puts the mark before keys of digits, in a text that is JSON or will be refused. */
function markKeys(text: string): string {
  let marked = ''
  let copied = 0
  for (let start = text.indexOf('"'); start >= 0; ) {
    let end = start + 1
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
    let behind = end + 1
    if (end - start <= 61 && DIGITS.test(text.slice(start + 1, end))) {
      while (' \t\n\r'.includes(text[behind] ?? '.')) behind++
      if (text[behind] === ':') {
        marked += `${text.slice(copied, start + 1)}${MARK}`
        copied = start + 1
      }
    }
    start = text.indexOf('"', end + 1)
  }
  return marked + text.slice(copied)
}

function withoutNeedlessMarks(value: unknown): unknown {
  if (!isNested(value)) return value
  if (Array.isArray(value)) return value.map(withoutNeedlessMarks)
  const entries = Object.entries(value).map(([key, part]) => [key, withoutNeedlessMarks(part)] as const)
  const plain = Object.fromEntries(entries.map(([key, part]) => [withoutMark(key), part]))
  const isKept = Object.keys(plain).every((key, index) => key === withoutMark(entries[index]?.[0] ?? ''))
  return isKept ? plain : Object.fromEntries(entries)
}

function compareOrder(parsed: unknown, ordered: unknown): void {
  if (!isNested(parsed) || !isNested(ordered)) return
  const pairs = Object.keys(ordered).map((kept) => [withoutMark(kept), kept] as const)
  if (pairs.some(([key, kept]) => key !== kept)) orders.set(parsed, pairs)
  for (const [key, kept] of pairs) compareOrder(Reflect.get(parsed, key), Reflect.get(ordered, kept))
}

/** The key as the text has it. */
function withoutMark(key: string): string {
  return MARKED.test(key) ? key.slice(MARK.length) : key
}

function isReordered(value: unknown): boolean {
  if (!isNested(value)) return false
  if (Array.isArray(value)) return value.some(isReordered)
  const keys = Object.keys(value).map((key) => Buffer.from(withoutMark(key)))
  return (
    keys.some((key, index) => index > 0 && isBefore(key, keys[index - 1])) || Object.values(value).some(isReordered)
  )
}

/** Whether `jsonb` puts a key before another: the shorter first, else by bytes. */
function isBefore(key: Buffer, other: Buffer = key): boolean {
  return key.length === other.length ? key.compare(other) < 0 : key.length < other.length
}
