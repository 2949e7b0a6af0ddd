import { SearchError } from './error.ts'
import { MAX_LENGTH, type Operator } from './query.ts'

/** The name of a symbol: an operator, a word that joins conditions, or punctuation. */
export type SymbolName = Operator | 'and' | 'or' | 'not' | 'notnull' | 'null' | 'lparen' | 'rparen' | 'comma'

/** A value (a word or a quoted text), or a symbol, with its position in the search from `at` up to `end`. */
export type Token = ValueToken | SymbolToken

/** A word or a quoted text. */
export interface ValueToken {
  readonly type: 'value'
  readonly text: string
  readonly at: number
  readonly end: number
  /** The closing quote is missing. */
  readonly open: boolean
}

/** A symbol, as it was written. */
export interface SymbolToken<Name extends SymbolName = SymbolName> {
  readonly type: 'symbol'
  readonly symbol: Name
  readonly text: string
  readonly at: number
  readonly end: number
}

const PUNCTUATION: Readonly<Record<string, SymbolName>> = { '(': 'lparen', ')': 'rparen', ',': 'comma' }

const OPERATORS: Readonly<Record<string, SymbolName>> = {
  '&': 'and',
  '&&': 'and',
  '|': 'or',
  '||': 'or',
  '-': 'not',
  '!': 'not',
  '=': 'eq',
  '==': 'eq',
  '!=': 'ne',
  '<>': 'ne',
  '>': 'gt',
  '<': 'lt',
  '>=': 'gte',
  '<=': 'lte',
  '~': 'like',
  '!~': 'unlike',
  '^': 'in',
  '!^': 'notin',
}

const KEYWORDS: Readonly<Record<string, SymbolName>> = {
  and: 'and',
  or: 'or',
  not: 'not',
  has: 'notnull',
  'set?': 'notnull',
  'null?': 'null',
  before: 'lt',
  after: 'gt',
  at: 'eq',
}

// Only the six ASCII blanks separate words: a no-break or ideographic space is part of a word.
const BLANKS = /[ \t\n\v\f\r]*/y
const WORD = /[^ \t\n\v\f\r=~<>&|(),]*/y
const QUOTED = /(?:[^"\\]|\\.)*/sy

/**
 * Splits a search into tokens (core-api §8.1), in linear time. A missing closing quote is tolerated. {@throws SearchError}
 * for a text that is too long, and for a NUL character, which the database cannot store
 */
export function tokenize(text: string): Token[] {
  if (text.length > MAX_LENGTH) throw new SearchError(`A search can have at most ${MAX_LENGTH} characters`)
  const nul = text.indexOf('\0')
  if (nul >= 0) throw new SearchError('A search cannot contain the NUL character', nul)
  const tokens: Token[] = []
  for (let at = end(BLANKS, text, 0); at < text.length; ) {
    const token = read(text, at)
    tokens.push(token)
    at = end(BLANKS, text, token.end)
  }
  return tokens
}

/** Tells whether a text without quotes is parsed as one value. */
export function isPlainWord(text: string): boolean {
  if (text === '' || /[\0"]/.test(text.charAt(0))) return false
  const first = text.charAt(0)
  if (PUNCTUATION[first] || OPERATORS[first] || end(BLANKS, text, 0) > 0) return false
  return end(WORD, text, 0) === text.length && findKeyword(text) === undefined
}

function read(text: string, at: number): Token {
  const first = text.charAt(at)
  const two = text.slice(at, at + 2)
  const symbol = OPERATORS[two] ?? PUNCTUATION[first] ?? OPERATORS[first]
  if (symbol) return buildSymbol(at, symbol, OPERATORS[two] ? two : first)
  if (first === '"') return readQuoted(text, at)
  // The first character of a word may be any, even one that would end the word further on.
  const word = text.slice(at, end(WORD, text, at + 1))
  const known = findKeyword(word)
  return known ? buildSymbol(at, known, word) : { type: 'value', text: word, at, end: at + word.length, open: false }
}

function readQuoted(text: string, at: number): Token {
  const stop = end(QUOTED, text, at + 1)
  const inner = text.slice(at + 1, stop).replace(/\\(.)/gs, '$1')
  // A backslash at the very end escapes nothing and is dropped.
  const closing = text.charAt(stop) === '\\' ? stop + 2 : stop + 1
  return { type: 'value', text: inner, at, end: Math.min(closing, text.length), open: text.charAt(stop) !== '"' }
}

function buildSymbol(at: number, symbol: SymbolName, text: string): Token {
  return { type: 'symbol', symbol, text, at, end: at + text.length }
}

function findKeyword(word: string): SymbolName | undefined {
  const lower = word.toLowerCase()
  return Object.hasOwn(KEYWORDS, lower) ? KEYWORDS[lower] : undefined
}

function end(sticky: RegExp, text: string, from: number): number {
  sticky.lastIndex = from
  sticky.test(text)
  return sticky.lastIndex
}
