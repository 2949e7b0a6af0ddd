import { requireReadableDigits, type Value } from './values.ts'

/**
 * Yields the meaning of a plain YAML 1.1 word: null, a boolean, an integer (binary, octal, decimal, hexadecimal) or a real;
 * any other word is text. `y`, `n`, dates, sexagesimal numbers, infinity and NaN are text (smart-parameters §3.1).
 */
export function parsePlainScalar(text: string): Value {
  const first = text.charCodeAt(0)
  // A quick test on the first letter, which excludes most words.
  if (first > 0x7e) return text
  const word = WORDS.get(text)
  if (word !== undefined) return word
  const found = INTEGERS.find(({ pattern }) => pattern.test(text))
  if (found) return parseInteger(text, found.prefix)
  if (!REAL.test(text)) return text
  const real = Number(text.replaceAll('_', ''))
  return Number.isFinite(real) ? real || 0 : text
}

const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...listSpellings(null, ['', '~', 'null', 'Null', 'NULL']),
  ...listSpellings(true, ['true', 'True', 'TRUE', 'yes', 'Yes', 'YES', 'on', 'On', 'ON']),
  ...listSpellings(false, ['false', 'False', 'FALSE', 'no', 'No', 'NO', 'off', 'Off', 'OFF']),
])

/** `prefix` is the prefix of this base in JavaScript. */
const INTEGERS = [
  { pattern: /^[-+]?(?:0|[1-9](?:_?[0-9])*)$/, prefix: '' },
  { pattern: /^[-+]?0_*[0-7](?:_?[0-7])*$/, prefix: '0o' },
  { pattern: /^[-+]?0b[01](?:_?[01])*$/, prefix: '0b' },
  { pattern: /^[-+]?0x[0-9a-fA-F](?:_?[0-9a-fA-F])*$/, prefix: '0x' },
]

const REAL = /^[-+]?(?:[0-9](?:_?[0-9])*\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?$/

function parseInteger(text: string, prefix: string): bigint {
  const digits = requireReadableDigits(text).replace(/^[-+]/, '').replaceAll('_', '')
  const size = BigInt(prefix + (prefix === '' ? digits : digits.replace(/^0[bx]?/, '')))
  return text.startsWith('-') ? -size : size
}

function listSpellings(value: Value, texts: readonly string[]): [string, Value][] {
  return texts.map((text) => [text, value])
}
