import { readFileSync } from 'node:fs'
import { usage } from './failure.ts'
import type { ManifestOption } from './manifest.ts'

/** Converts what was typed for an option to what the API takes. {@throws Failure} naming the option and what is allowed */
export function readValue([flag, , place, type, , , nullable, values]: ManifestOption, text: string): unknown {
  if (place !== 'b' && type === 'b') return String(readBoolean(flag, text))
  if (place !== 'b') return checkChoice(flag, fromFile(flag, text), values)
  const isNothing = text === 'null' || (text === '' && !type.startsWith('l')) // an empty text is an empty list
  if (nullable && type !== 's' && isNothing) return null
  const read = READERS[type]
  return read(flag, fromFile(flag, text), values)
}

type FlagReader = (flag: string, text: string, values: string | undefined) => unknown

const READERS: Readonly<Record<ManifestOption[3], FlagReader>> = {
  s: checkChoice,
  i: readInteger,
  n: (flag, text) => {
    const value = Number(text)
    if (text.trim() === '' || !Number.isFinite(value)) throw wrong(flag, text, 'a number')
    return value
  },
  b: readBoolean,
  ls: (flag, text, values) => listOf(flag, text).map((each) => checkChoice(flag, String(each), values)),
  li: (flag, text) => listOf(flag, text).map((each) => readInteger(flag, String(each))),
  m: (flag, text) => readMap(flag, text),
  j: (flag, text) => readRich(flag, text),
}

function readInteger(flag: string, text: string): number {
  const value = Number(text)
  if (!/^\s*-?\d+\s*$/.test(text) || !Number.isSafeInteger(value)) throw wrong(flag, text, 'a whole number')
  return value
}

const YES = ['true', 'yes', 'y', 't', '1', 'on']
const NO = ['false', 'no', 'n', 'f', '0', 'off']

/** Tells whether a text is a form of yes or no. */
export function isAnswer(text: string): boolean {
  return [...YES, ...NO].includes(text.toLowerCase())
}

function readBoolean(flag: string, text: string): boolean {
  const word = text.toLowerCase()
  if (YES.includes(word)) return true
  if (NO.includes(word)) return false
  throw wrong(flag, text, 'true or false')
}

function checkChoice(flag: string, text: string, values?: string): string {
  const allowed = values ? values.split('|') : []
  if (text === '' || allowed.length === 0 || allowed.includes(text)) return text
  const same = allowed.find((each) => each.toLowerCase() === text.toLowerCase())
  if (same) return same
  throw wrong(flag, text, `one of ${allowed.join(', ')}`)
}

/** Parses `a,b` with quotes where a value has a comma, or a JSON array. */
function listOf(flag: string, text: string): unknown[] {
  if (text.trim().startsWith('[')) {
    const value = jsonOf(flag, text)
    if (Array.isArray(value)) return value
  }
  if (text === '') return []
  const found: string[] = []
  for (const [, quoted, plain] of text.matchAll(/\s*(?:"((?:[^"\\]|\\.)*)"|([^,]*))\s*(?:,|$)/g)) {
    found.push(quoted === undefined ? (plain ?? '').trim() : quoted.replace(/\\(.)/g, '$1'))
  }
  // The pattern matches once more, empty, behind the last value.
  if (found.at(-1) === '') found.pop()
  return found
}

/** Parses `a=1,b=2`, or a JSON object. Values are text, numbers, true, false and null as in JSON. */
function readMap(flag: string, text: string): Record<string, unknown> {
  if (text.trim().startsWith('{')) return jsonOf(flag, text) as Record<string, unknown> // the text begins as an object
  const pairs = listOf(flag, text).map((pair): [string, unknown] => {
    const at = String(pair).indexOf('=')
    if (at < 1) throw wrong(flag, String(pair), 'key=value pairs with commas between, or a JSON object')
    return [String(pair).slice(0, at), scalarOf(String(pair).slice(at + 1))]
  })
  return Object.fromEntries(pairs)
}

function readRich(flag: string, text: string): unknown {
  const trimmed = text.trim()
  if (/^[[{"]/.test(trimmed)) return jsonOf(flag, text)
  if (/^[^\s,=]+=/.test(trimmed)) return readMap(flag, text)
  return scalarOf(text)
}

function scalarOf(text: string): unknown {
  if (!/^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(text)) return text
  return JSON.parse(text)
}

function jsonOf(flag: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrong(flag, text, `JSON (${error instanceof Error ? error.message : 'it cannot be read'})`)
  }
}

/** Yields the content of a file for `@path`, standard input for `@-`, and `@x` for `@@x`; other text unchanged. */
export function fromFile(flag: string, text: string): string {
  if (text.startsWith('@@')) return text.slice(1)
  if (!text.startsWith('@') || text === '@') return text
  const path = text.slice(1)
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw usage(`--${flag}: the file ${path} cannot be read (${reason}); write @@… for a value that begins with @`)
  }
}

function wrong(flag: string, text: string, allowed: string): Error {
  const shown = text.length > 60 ? `${text.slice(0, 57)}...` : text
  return usage(`--${flag} is ${JSON.stringify(shown)}, but must be ${allowed}`)
}
