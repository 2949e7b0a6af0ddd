import { readJson } from './json.ts'
import { isList, isMap, requireFinite, requireReadableDigits, textOf, Unfit, type Value } from './values.ts'
import { readYaml } from './yaml.ts'

/** The types of a parameter (smart-parameters §3.1). A parameter without a type accepts every value unchanged. */
export const TYPES = ['string', 'boolean', 'integer', 'real', 'array', 'hash', 'yaml', 'json'] as const

/** The type of a parameter. */
export type Type = (typeof TYPES)[number]

/**
 * Converts a value to the type: texts by the rules of smart-parameters §3.1 (notes B); other values must be of the type
 * already. Null has no type and stays null. {@throws Unfit}
 */
export function cast(type: Type | null, value: Value): Value {
  if (type === null || value === null) return value
  return typeof value === 'string' ? FROM_TEXT[type](value) : fromNative(type, value)
}

/**
 * Tells whether a value is a text with a template tag, which is stored as typed and cast only after rendering (notes C5).
 */
export function isTemplate(value: Value): value is string {
  if (typeof value !== 'string') return false
  const start = value.indexOf('<%')
  return start >= 0 && value.includes('%>', start + 2)
}

/**
 * Converts a text with template tags to a list or map in whose texts the tags stand, to be rendered later: the tags count as
 * text, whatever they contain. {@throws Unfit} where the text is not of the type apart from its tags, as if a tag makes all
 * of it, or a key
 */
export function castAroundTags(type: Type, text: string): Value {
  const tags: string[] = []
  const marked = text.replace(TAG, (tag) => `${OPENING}${tags.push(tag) - 1}${CLOSING}`)
  const restore = (value: Value): Value => {
    if (typeof value === 'string') return value.replace(MARK, (_mark, place: string) => tags[Number(place)] ?? '')
    if (value === null || typeof value !== 'object') return value
    if (isList(value)) return value.map(restore)
    if ([...value.keys()].some((key) => key.includes(OPENING))) throw unfit('must have no tags in its keys')
    return new Map([...value].map(([key, item]) => [key, restore(item)]))
  }
  return restore(cast(type, marked))
}

const TAG = /<%.*?%>/gs
// Characters for private use, which stand for a tag with its number.
const OPENING = '\ue000'
const CLOSING = '\ue001'
const MARK = /\ue000(\d+)\ue001/g

const BOOLEANS = new Map<string, boolean | null>([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((word): [string, boolean] => [word, true]),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((word): [string, boolean] => [word, false]),
  ['', null],
])

const DECIMAL = /^-?\d+$/
const OCTAL = /^0[0-7]+$/
const HEXADECIMAL = /^0[xX][0-9a-fA-F]+$/
// The alternatives do not overlap, so that matching takes linear time: values may be a megabyte long.
const REAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/

const FROM_TEXT: Record<Type, (text: string) => Value> = {
  string: (text) => text,
  boolean: (text) => {
    const found = BOOLEANS.get(text.toLowerCase())
    if (found === undefined && /^\s+$/.test(text)) return false
    if (found === undefined) throw unfit('must be true, t, yes, y, on, 1 or false, f, no, n, off, 0')
    return found
  },
  integer: (text) => {
    const digits = requireReadableDigits(withoutNewline(text))
    if (OCTAL.test(digits)) return BigInt(`0o${digits.slice(1)}`)
    if (DECIMAL.test(digits) || HEXADECIMAL.test(digits)) return BigInt(digits)
    throw unfit('must be a whole number')
  },
  real: (text) => {
    const digits = withoutNewline(text)
    if (!REAL.test(digits) && !HEXADECIMAL.test(digits)) throw unfit('must be a number')
    return requireFinite(Number(digits))
  },
  array: (text) => listIn(parseStructured(text)),
  hash: (text) => mapIn(parseStructured(text)),
  yaml: readYaml,
  json: (text) => (text === '' ? null : readJson(text)),
}

function fromNative(type: Type, value: Exclude<Value, null | string>): Value {
  switch (type) {
    case 'string':
      return textOf(value)
    case 'boolean':
      if (typeof value === 'boolean') return value
      if (value === 0n || value === 1n) return value === 1n
      throw unfit('must be true or false')
    case 'integer':
      if (typeof value === 'bigint') return value
      throw unfit('must be a whole number')
    case 'real':
      if (typeof value === 'number' || typeof value === 'bigint') return requireFinite(Number(value))
      throw unfit('must be a number')
    case 'array':
      return listIn(value)
    case 'hash':
      return mapIn(value)
    default:
      return value
  }
}

// Tries YAML first and JSON only when that fails, because JSON may be indented with tabs, which YAML forbids.
function parseStructured(text: string): Value {
  try {
    return readYaml(text)
  } catch (error) {
    if (!(error instanceof Unfit) || error.kind !== 'syntax') throw error
    return readJson(text)
  }
}

function listIn(value: Value): Value {
  if (isList(value)) return value
  throw unfit('must be a list')
}

function mapIn(value: Value): Value {
  if (isMap(value)) return value
  throw unfit('must be a map')
}

function withoutNewline(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

function unfit(message: string): Unfit {
  return new Unfit('type', message)
}
