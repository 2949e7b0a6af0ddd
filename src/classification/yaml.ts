import {
  type Document,
  isAlias,
  isScalar,
  isSeq,
  isMap as isYamlMap,
  Lexer,
  Parser,
  parseDocument,
  type Scalar,
  Schema,
} from 'yaml'
import {
  isList,
  isMap,
  LIMITS,
  requireFinite,
  requireReadableDigits,
  requireStorable,
  textOf,
  Unfit,
  type Value,
  type ValueMap,
} from './values.ts'

/**
 * Parses the first and only document of a text as YAML 1.1 into a {@link Value}: dates, sexagesimal numbers, infinity and
 * NaN stay text, keys become text, of duplicate keys the last counts, `<<` merges. Aliases are expanded within LIMITS;
 * aliases to a node that contains them, tags that JSON has no type for, and maps or lists as keys are refused. {@throws
 * Unfit}
 */
export function readYaml(text: string): Value {
  if (text.length > LIMITS.yaml) throw new Unfit('syntax', `is longer than ${LIMITS.yaml} characters of YAML`)
  const reading: Reading = { anchors: new Map(), left: LIMITS.values }
  const { contents } = parseChecked(text)
  return contents === null ? null : read(contents, reading, 0).value
}

// The library yields every scalar as text; scalars.ts decides what a plain one means.
const TEXTS = new Schema({ schema: 'failsafe', resolveKnownTags: false })

const CORE = 'tag:yaml.org,2002:'

interface Reading {
  readonly anchors: Map<string, Anchored | 'open'>
  left: number
}

/** A value, how many values it holds when aliases are expanded, and how many levels of lists and maps. */
interface Measured {
  readonly value: Value
  readonly levels: number
}

interface Anchored extends Measured {
  readonly size: number
}

// The library accepts all control characters; YAML allows only tab, newline and carriage return.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

function parseChecked(text: string): Document {
  if (CONTROL.test(text)) throw new Unfit('syntax', 'is no YAML: it has a control character')
  // The library recurses for each level, and refuses too many only after seconds.
  if (isDeeperThan(text, LIMITS.depth)) throw tooDeep()
  const document = parseDocument(text, {
    schema: TEXTS,
    version: '1.1',
    uniqueKeys: false,
    strict: false,
    prettyErrors: false,
    logLevel: 'silent',
    keepSourceTokens: false,
  })
  const fault = document.errors[0] ?? document.warnings.find(({ code }) => code === 'BAD_DIRECTIVE')
  if (fault) throw new Unfit('syntax', `is no YAML: ${fault.message}`)
  return document
}

function read(node: unknown, reading: Reading, depth: number): Measured {
  if (isAlias(node)) return followAlias(node.source, reading, depth)
  if (depth > LIMITS.depth) throw tooDeep()
  spend(reading, 1)
  const anchor = anchorOf(node)
  if (anchor === undefined) return readContent(node, reading, depth)
  const before = reading.left + 1
  reading.anchors.set(anchor, 'open')
  const measured = readContent(node, reading, depth)
  reading.anchors.set(anchor, { ...measured, size: before - reading.left })
  return measured
}

function readContent(node: unknown, reading: Reading, depth: number): Measured {
  if (node === null || node === undefined) return { value: null, levels: 0 }
  if (isScalar(node)) return { value: readScalar(node), levels: 0 }
  if (isSeq(node)) {
    refuseTag(node.tag, 'seq')
    const items = node.items.map((item) => read(item, reading, depth + 1))
    return { value: items.map(({ value }) => value), levels: computeLevel(items) }
  }
  if (!isYamlMap(node)) throw new Unfit('syntax', 'is no YAML that JSON could say')
  refuseTag(node.tag, 'map')
  const entries = new Map<string, Value>()
  const items: Measured[] = []
  const merged: Measured[] = []
  for (const { key, value } of node.items) {
    const name = isMergeKey(key) ? null : keyOf(key, reading)
    const item = read(value, reading, depth + 1)
    ;(name === null ? merged : items).push(item)
    if (name !== null) entries.set(name, item.value)
  }
  if (merged.length === 0) return { value: entries, levels: computeLevel(items) }
  return { value: withMerged(entries, merged), levels: computeLevel([...items, ...merged]) }
}

function followAlias(name: string, reading: Reading, depth: number): Measured {
  const anchored = reading.anchors.get(name)
  if (anchored === undefined) throw new Unfit('syntax', `is no YAML: nothing is called &${name}`)
  if (anchored === 'open') throw new Unfit('type', `contains itself through *${name}`)
  spend(reading, anchored.size)
  if (depth + anchored.levels > LIMITS.depth) throw tooDeep()
  return anchored
}

function readScalar(node: Scalar): Value {
  const text = requireStorable(String(node.value))
  const plain = node.type === 'PLAIN' || node.type === undefined
  if (node.tag === undefined) return plain ? parsePlainScalar(text) : text
  if (node.tag === '!' || node.tag === `${CORE}str`) return text
  const value = parsePlainScalar(text)
  const fits = {
    [`${CORE}null`]: value === null,
    [`${CORE}bool`]: typeof value === 'boolean',
    [`${CORE}int`]: typeof value === 'bigint',
    [`${CORE}float`]: typeof value === 'number' || typeof value === 'bigint',
  }[node.tag]
  if (!fits) throw new Unfit('type', `cannot be tagged ${node.tag}`)
  return node.tag === `${CORE}float` ? requireFinite(Number(value)) : value
}

// Keys of node documents are always text (smart-parameters §5.3), so 1, true and 1.0 become keys by their text.
function keyOf(key: unknown, reading: Reading): string {
  const { value } = read(key, reading, 0)
  if (isList(value) || isMap(value)) throw new Unfit('type', 'has a list or map as a key')
  return textOf(value)
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.value === '<<' && key.tag === undefined
}

// https://yaml.org/type/merge.html: the map's own keys win, then the map that is merged first.
function withMerged(own: ValueMap, merged: readonly Measured[]): ValueMap {
  const sources = merged.flatMap(({ value }) => (isList(value) ? value : [value]))
  const result = new Map<string, Value>()
  for (const source of [own, ...sources]) {
    if (!isMap(source)) throw new Unfit('type', 'merges what is no map')
    for (const [key, value] of source) if (!result.has(key)) result.set(key, value)
  }
  return result
}

function refuseTag(tag: string | undefined, allowed: string): void {
  if (tag === undefined || tag === '!' || tag === CORE + allowed) return
  throw new Unfit('type', `cannot be tagged ${tag}`)
}

function anchorOf(node: unknown): string | undefined {
  return isScalar(node) || isSeq(node) || isYamlMap(node) ? node.anchor : undefined
}

function computeLevel(items: readonly Measured[]): number {
  return items.reduce((most, { levels }) => Math.max(most, levels), 0) + 1
}

function spend(reading: Reading, values: number): void {
  reading.left -= values
  if (reading.left < 0) throw new Unfit('type', `holds more than ${LIMITS.values} values`)
}

function tooDeep(): Unfit {
  return new Unfit('type', `is nested deeper than ${LIMITS.depth} levels`)
}

/**
 * Tells whether lists and maps of a YAML text are nested deeper than `levels`, without recursion: the library's parser keeps
 * open nodes on a stack of its own. Parsing stops at that depth.
 */
function isDeeperThan(text: string, levels: number): boolean {
  if (countOpenings(text, levels) <= levels) return false
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > levels + BESIDES) return true
  }
  return false
}

/** The document, a scalar and its key are on the stack, too. */
const BESIDES = 4

/** Counts, up to `most`, the characters that can open a list or map: few texts have enough to need a closer look. */
function countOpenings(text: string, most: number): number {
  let count = 0
  for (const _ of text.matchAll(/[[{]|[-?:](?=\s|$)/g)) if (++count > most) break
  return count
}

/**
 * Yields the meaning of a plain YAML 1.1 word: null, a boolean, an integer (binary, octal, decimal, hexadecimal) or a real;
 * any other word is text. `y`, `n`, dates, sexagesimal numbers, infinity and NaN are text (smart-parameters §3.1).
 */
function parsePlainScalar(text: string): Value {
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
