/** Parses search filters by recursive descent (RFC 4515 with the leniency of core-api §6.10). */
import type { Filter } from './filter-tree.ts'

/** What is wrong with a filter, and at which character, counted from 0. */
class FilterSyntaxError extends Error {
  override readonly name = 'FilterSyntaxError'
  readonly position: number

  constructor(message: string, position: number) {
    super(`${message} at position ${position}`)
    this.position = position
  }
}

const MAX_DEPTH = 100
const ATTRIBUTE = /[\w\-:.;]*/y
const OPERATORS = [':=', '>=', '<=', '~=', '!=', '='] as const

/** Parses a whole filter. {@throws FilterSyntaxError} */
export function readFilter(text: string): Filter {
  const reader = { text, at: 0 }
  skipBlanks(reader)
  const filter = text[reader.at] === '(' ? readGroup(reader, 0) : readInside(reader, 0)
  skipBlanks(reader)
  if (reader.at < text.length) throw new FilterSyntaxError('unexpected text', reader.at)
  return filter
}

interface FilterReader {
  readonly text: string
  at: number
}

/** Parses `( … )`. */
function readGroup(reader: FilterReader, depth: number): Filter {
  if (depth > MAX_DEPTH) throw new FilterSyntaxError('nested too deeply', reader.at)
  expect(reader, '(')
  skipBlanks(reader)
  const filter = readInside(reader, depth)
  skipBlanks(reader)
  expect(reader, ')')
  return filter
}

/** Parses what stands between parentheses: `&…`, `|…`, `!…` or a test. */
function readInside(reader: FilterReader, depth: number): Filter {
  const sign = reader.text[reader.at]
  if (sign === '&' || sign === '|') {
    reader.at++
    return { kind: sign === '&' ? 'and' : 'or', parts: readParts(reader, depth) }
  }
  if (sign === '!') {
    reader.at++
    skipBlanks(reader)
    return { kind: 'not', part: readGroup(reader, depth + 1) }
  }
  return readTest(reader)
}

function readParts(reader: FilterReader, depth: number): Filter[] {
  const parts: Filter[] = []
  skipBlanks(reader)
  while (reader.text[reader.at] === '(') {
    parts.push(readGroup(reader, depth + 1))
    skipBlanks(reader)
  }
  if (parts.length === 0) throw new FilterSyntaxError('a condition is missing', reader.at)
  return parts
}

function readTest(reader: FilterReader): Filter {
  const start = reader.at
  const name = readAttribute(reader)
  skipBlanks(reader)
  const operator = OPERATORS.find((sign) => reader.text.startsWith(sign, reader.at))
  if (!operator) throw new FilterSyntaxError('an operator is missing', reader.at)
  reader.at += operator.length
  const pieces = readValue(reader)
  if (operator === ':=') return parseExtensible(name, joinPieces(pieces, start), start)
  checkAttribute(name, start)
  if (operator === '=') return parseEquality(name, pieces)
  if (operator === '!=') return { kind: 'not', part: parseEquality(name, pieces) }
  const kind = operator === '>=' ? 'atLeast' : operator === '<=' ? 'atMost' : 'like'
  return { kind, attribute: name, value: joinPieces(pieces, start) }
}

/** Reads everything up to the operator; the colon of `:=` belongs to the operator. */
function readAttribute(reader: FilterReader): string {
  ATTRIBUTE.lastIndex = reader.at
  let name = ATTRIBUTE.exec(reader.text)?.[0] ?? ''
  if (name.endsWith(':') && reader.text[reader.at + name.length] === '=') name = name.slice(0, -1)
  reader.at += name.length
  return name
}

function checkAttribute(name: string, position: number): void {
  if (!/^[\w\-.;]*\w$/.test(name)) throw new FilterSyntaxError('an attribute name is missing or malformed', position)
}

function parseEquality(attribute: string, pieces: Buffer[]): Filter {
  const [first] = pieces
  if (first && pieces.length === 1) return { kind: 'equal', attribute, value: first }
  if (pieces.every((piece) => piece.length === 0)) return { kind: 'present', attribute }
  return { kind: 'substring', attribute, pieces: tidy(pieces) }
}

/** Removes empty pieces in the middle: `a**b` is `a*b`. */
function tidy(pieces: Buffer[]): Buffer[] {
  return pieces.filter((piece, at) => piece.length > 0 || at === 0 || at === pieces.length - 1)
}

/** Parses `attribute:dn:rule:=value`, in which the attribute or the rule may be missing, but not both. */
function parseExtensible(name: string, value: Buffer, position: number): Filter {
  const [attribute = '', ...rest] = name.split(':')
  const dn = rest[0]?.toLowerCase() === 'dn'
  const [rule = '', ...surplus] = dn ? rest.slice(1) : rest
  if (surplus.length > 0 || (attribute === '' && rule === '')) {
    throw new FilterSyntaxError('a matching rule is malformed', position)
  }
  if (attribute !== '') checkAttribute(attribute, position)
  if (rule !== '') checkAttribute(rule, position)
  return { kind: 'extensible', attribute, rule, dn, value }
}

/**
 * Reads the value up to the closing parenthesis as bytes, split at its wildcards; unescaped blanks around it are ignored.
 */
function readValue(reader: FilterReader): Buffer[] {
  const start = reader.at
  let end = start
  while (end < reader.text.length && reader.text[end] !== ')') {
    if (reader.text[end] === '(' || reader.text[end] === '\0') {
      throw new FilterSyntaxError('a character that has to be escaped', end)
    }
    end++
  }
  reader.at = end
  const value = reader.text.slice(start, end).trim()
  if (value === '') throw new FilterSyntaxError('a value is missing', start)
  return value.split('*').map((piece) => unescapePiece(piece, start))
}

function unescapePiece(piece: string, position: number): Buffer {
  const bytes: Buffer[] = []
  for (const part of piece.split(/((?:\\[0-9a-fA-F]{2})+)/)) {
    if (/^(?:\\[0-9a-fA-F]{2})+$/.test(part)) bytes.push(Buffer.from(part.replaceAll('\\', ''), 'hex'))
    else if (part.includes('\\')) throw new FilterSyntaxError('a backslash without two hexadecimal digits', position)
    else bytes.push(Buffer.from(part, 'utf8'))
  }
  return Buffer.concat(bytes)
}

function joinPieces(pieces: Buffer[], position: number): Buffer {
  const [value] = pieces
  if (!value || pieces.length > 1) throw new FilterSyntaxError('a wildcard is not possible here', position)
  return value
}

function expect(reader: FilterReader, char: string): void {
  if (reader.text[reader.at] !== char) throw new FilterSyntaxError(`'${char}' expected`, reader.at)
  reader.at++
}

function skipBlanks(reader: FilterReader): void {
  while (/\s/.test(reader.text[reader.at] ?? '')) reader.at++
}
