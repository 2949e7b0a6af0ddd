import { isMap, LIMITS, requireFinite, requireReadableDigits, requireStorable, Unfit, type Value } from './values.ts'

/**
 * Parses JSON (RFC 8259 strictly) and keeps the kind of each number: with a fraction or an exponent it is a real, otherwise
 * an integer of any size. Of duplicate keys the last counts. `longest` (characters) is higher for stored JSON, to which
 * databases add blanks and digits. {@throws Unfit}
 */
export function readJson(text: string, longest: number = LIMITS.json): Value {
  if (text.length > longest) throw new Unfit('syntax', `is longer than ${longest} characters`)
  const isStored = longest > LIMITS.json
  const reader: JsonReader = { text, index: 0, left: LIMITS.values, isStored }
  const value = readValue(reader, 0)
  skipBlanks(reader)
  if (reader.index < text.length) throw unexpected(reader)
  return value
}

/**
 * Formats a value as JSON on one line. Reals always have a decimal point and never an exponent, so that a number is parsed
 * back as the same kind, even after a `jsonb` column has held it.
 */
export function printJson(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return formatPositional(value)
  if (value === null || typeof value !== 'object') return String(value)
  if (!isMap(value)) return `[${value.map(printJson).join()}]`
  return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}:${printJson(item)}`).join()}}`
}

interface JsonReader {
  readonly text: string
  index: number
  left: number
  /** The text comes from the database and may hold numbers from before their digits were limited. */
  readonly isStored: boolean
}

const BLANKS = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y
const WORDS = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
])
const WORD = /true|false|null/y

function readValue(reader: JsonReader, depth: number): Value {
  if (--reader.left < 0) throw new Unfit('type', `holds more than ${LIMITS.values} values`)
  skipBlanks(reader)
  const start = reader.text[reader.index]
  if (start === '"') return readString(reader)
  if (start === '[' || start === '{') {
    if (depth === LIMITS.depth) throw new Unfit('type', `is nested deeper than ${LIMITS.depth} levels`)
    return start === '[' ? readList(reader, depth) : readMap(reader, depth)
  }
  const word = WORDS.get(take(reader, WORD)?.[0] ?? '')
  return word === undefined ? readNumber(reader) : word
}

function readList(reader: JsonReader, depth: number): Value {
  const items: Value[] = []
  reader.index++
  if (takes(reader, ']')) return items
  do items.push(readValue(reader, depth + 1))
  while (takes(reader, ','))
  if (!takes(reader, ']')) throw unexpected(reader)
  return items
}

function readMap(reader: JsonReader, depth: number): Value {
  const entries = new Map<string, Value>()
  reader.index++
  if (takes(reader, '}')) return entries
  do {
    skipBlanks(reader)
    const key = readString(reader)
    if (!takes(reader, ':')) throw unexpected(reader)
    entries.set(key, readValue(reader, depth + 1))
  } while (takes(reader, ','))
  if (!takes(reader, '}')) throw unexpected(reader)
  return entries
}

// Scanned by hand: a repeating pattern over a megabyte would exhaust the stack of the regexp engine.
function readString(reader: JsonReader): string {
  const { text, index } = reader
  if (text[index] !== '"') throw unexpected(reader)
  let end = index + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  reader.index = end + 1
  return parseString(text.slice(index, end + 1), index)
}

function parseString(quoted: string, index: number): string {
  try {
    return requireStorable(JSON.parse(quoted))
  } catch (error) {
    if (error instanceof Unfit) throw error
    throw new Unfit('syntax', `is no JSON: the string at character ${index + 1} has no end or a wrong escape`)
  }
}

function readNumber(reader: JsonReader): Value {
  const found = take(reader, NUMBER)
  if (!found) throw unexpected(reader)
  const digits = reader.isStored ? found[0] : requireReadableDigits(found[0])
  return requireFinite(found[1] || found[2] ? Number(digits) : BigInt(digits))
}

function takes(reader: JsonReader, symbol: string): boolean {
  skipBlanks(reader)
  if (reader.text[reader.index] !== symbol) return false
  reader.index++
  return true
}

function skipBlanks(reader: JsonReader): void {
  take(reader, BLANKS)
}

function take(reader: JsonReader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.index
  const found = pattern.exec(reader.text)
  if (found) reader.index = pattern.lastIndex
  return found
}

function unexpected({ text, index }: JsonReader): Unfit {
  const what = index < text.length ? `unexpected ${JSON.stringify(text[index])}` : 'unexpected end'
  return new Unfit('syntax', `is no JSON: ${what} at character ${index + 1}`)
}

function formatPositional(real: number): string {
  const [mantissa = '', exponent] = real.toExponential().split('e')
  const sign = mantissa.startsWith('-') ? '-' : ''
  const digits = mantissa.replace(/[-.]/g, '')
  const point = Number(exponent) + 1
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  const whole = digits.slice(0, point).padEnd(point, '0')
  return `${sign}${whole}.${digits.slice(point) || '0'}`
}
