/**
 * The values that a parameter can hold: JSON whose numbers keep their kind. An integer is a `bigint` of any size, a real is
 * a `number` (2.0 is the number 2, the integer 2 is 2n), a map keeps the order of its keys, which are text. Every parser of
 * this folder yields finite, well-formed values within {@link LIMITS}, so that other code may recurse over them.
 */
export type Value = null | boolean | bigint | number | string | readonly Value[] | ValueMap

/** A map of values. */
export type ValueMap = ReadonlyMap<string, Value>

/**
 * Limits of a value: levels of lists and maps, number of values, characters of the JSON or YAML text that it is parsed from
 * (YAML takes much longer to parse), and digits of a number.
 */
export const LIMITS = { depth: 100, values: 100_000, json: 1_048_576, yaml: 131_072, digits: 1000 } as const

/**
 * Why a text or value cannot be converted. `kind` is `syntax` when it is neither YAML nor JSON, `type` when it can be parsed
 * but does not fit; clients only learn that it is invalid (smart-parameters §1.6), the log has the message.
 */
export class Unfit extends Error {
  override readonly name = 'Unfit'
  readonly kind: 'syntax' | 'type'

  constructor(kind: 'syntax' | 'type', message: string) {
    super(message)
    this.kind = kind
  }
}

/** Tells whether a value is a list. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

/** Tells whether a value is a map. */
export function isMap(value: Value): value is ValueMap {
  return value instanceof Map
}

/**
 * Converts what `JSON.parse` yields to a value. The kinds of its numbers are lost: safe integers become integers, others
 * reals; where the kind matters, parse the text with `readJson`. {@throws Unfit} for what is not JSON or exceeds a limit.
 */
export function fromJavaScript(sent: unknown): Value {
  let left: number = LIMITS.values
  const convert = (each: unknown, depth: number): Value => {
    if (--left < 0) throw new Unfit('type', `holds more than ${LIMITS.values} values`)
    if (each === null || typeof each === 'boolean' || typeof each === 'bigint') return each
    if (typeof each === 'string') return requireStorable(each)
    if (typeof each === 'number') return requireFinite(Number.isSafeInteger(each) ? BigInt(each) : each)
    if (typeof each !== 'object') throw new Unfit('type', `is ${typeof each}, which JSON does not have`)
    if (depth === LIMITS.depth) throw new Unfit('type', `is nested deeper than ${LIMITS.depth} levels`)
    if (Array.isArray(each)) return each.map((item) => convert(item, depth + 1))
    return new Map(Object.entries(each).map(([key, item]) => [requireStorable(key), convert(item, depth + 1)]))
  }
  return convert(sent, 0)
}

/** Yields the text. {@throws Unfit} for characters that the database cannot store: unpaired surrogates and NUL. */
export function requireStorable(text: string): string {
  if (!text.isWellFormed()) throw new Unfit('syntax', 'has half of a surrogate pair')
  if (text.includes('\0')) throw new Unfit('syntax', 'has the character NUL')
  return text
}

/** Yields the number, with 0 for negative zero, which the database does not keep. {@throws Unfit} for infinity and NaN. */
export function requireFinite<Kind extends number | bigint>(number: Kind): Kind {
  if (typeof number === 'bigint') return number
  if (!Number.isFinite(number)) throw new Unfit('type', 'is no finite number')
  return (number === 0 ? 0 : number) as Kind // 0 has the same kind as -0
}

/**
 * Formats a value as order attributes, list validators and messages see it: text unchanged, `true`, `5`, `2.0`, null as the
 * empty text, lists and maps as JSON with blanks (`["a", 1]`).
 */
export function textOf(value: Value): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : inspect(value)
}

/**
 * Yields a text that is equal for equal values and differs for different ones: 1, 1.0 and "1" differ, the order of keys does
 * not matter (notes C4).
 */
export function identityOf(value: Value): string {
  if (isList(value)) return `[${value.map(identityOf).join()}]`
  if (!isMap(value)) return inspect(value)
  const entries = [...value].map(([key, item]) => `${JSON.stringify(key)}:${identityOf(item)}`)
  return `{${entries.sort().join()}}`
}

/** Formats a real as people write it: always with a decimal point, with an exponent from 1.0e+16 up and below 0.0001. */
export function formatReal(real: number): string {
  const size = Math.abs(real)
  if (!Number.isFinite(real)) return String(real)
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [mantissa = '', exponent = ''] = real.toExponential().split('e')
    const digits = exponent.slice(1).padStart(2, '0')
    return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}e${exponent[0]}${digits}`
  }
  const text = String(real)
  return text.includes('.') ? text : `${text}.0`
}

/** Yields the digits of a number. {@throws Unfit} for too many, because parsing them takes more than linear time. */
export function requireReadableDigits(digits: string): string {
  if (digits.length > LIMITS.digits) throw new Unfit('type', `is a number of more than ${LIMITS.digits} digits`)
  return digits
}

function inspect(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return formatReal(value)
  if (value === null || typeof value !== 'object') return String(value)
  if (isMap(value)) return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}: ${inspect(item)}`).join(', ')}}`
  return `[${value.map(inspect).join(', ')}]`
}
