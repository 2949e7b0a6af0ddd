/**
 * The order of keys in JSON. JavaScript moves keys like '10' to the front of an object, in numeric order. Where that would
 * change the order, an object has such keys behind a mark, which no stored text can contain (isValidText), and `printExact` leaves the mark out.
 */
const MARK = '\udc00\ud800'
const MARKED = /^\udc00\ud800\d+$/

/** Prints JSON, with the numbers and the order of keys that `parseExact` read. */
export function printExact(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.includes('\\udc00') ? text.replace(/"\\udc00\\ud800(\d+)":/g, '"$1":') : text
}

/** Parses JSON and keeps the order of keys. */
export function parseInOrder(text: string, parse: (text: string) => unknown): unknown {
  return MAY_MOVE.test(text) ? withoutNeedlessMarks(parse(markKeys(text))) : parse(text)
}

/** Remembers the order of the keys of objects that were parsed from a text by `JSON.parse`, for `listKeysInOrder`. */
export function rememberOrder(text: string, parsed: unknown): void {
  if (MAY_MOVE.test(text)) compareOrder(parsed, withoutNeedlessMarks(JSON.parse(markKeys(text))))
}

/** Lists the keys of a parsed object in the order of the text, each with the key that keeps its place in a new object. */
export function listKeysInOrder(holder: object): readonly (readonly [key: string, kept: string])[] {
  const known = orders.get(holder)
  // Whoever translates a body may have renamed keys in it.
  return known?.every(([key]) => key in holder) ? known : Object.keys(holder).map((key) => [key, key])
}

/** The JSON of a value if `jsonb` would change the order of keys in it, else null. */
export function printIfReordered(value: unknown): string | null {
  return isReordered(value) ? printExact(value) : null
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
export function withoutMark(key: string): string {
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

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !JSON.isRawJSON(value)
}
