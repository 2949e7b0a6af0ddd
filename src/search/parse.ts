import { SearchError } from './error.ts'
import { MAX_CONDITIONS, MAX_DEPTH, type Operator, type Query } from './query.ts'
import { type SymbolName, type SymbolToken, type Token, tokenize } from './tokens.ts'

/** The tree of a search, with the position in the text of each of its conditions. */
export interface ParsedSearch {
  readonly query: Query
  readonly positions: ReadonlyMap<Query, number>
}

/**
 * Parses a search into a frozen tree (core-api §8.2). Stricter than existing servers in one way: nothing is ignored, so that
 * a stray parenthesis or comma, empty parentheses, and an operator without its operand are refused. Only a text without any
 * word is the empty search. {@throws SearchError} saying what is wrong and where
 */
export function parseSearch(text: string): Query {
  return parse(text).query
}

/** Parses like {@link parseSearch}, and yields the position of every condition for errors about its field or value. */
export function parse(text: string): ParsedSearch {
  const reader: TokenReader = { tokens: tokenize(text), length: text.length, index: 0, positions: new Map() }
  if (reader.tokens.length === 0) return { query: EMPTY, positions: reader.positions }
  const { query } = parseSequence(reader, 1)
  const rest = peek(reader)
  if (rest) throw new SearchError(`Unexpected ) at character ${rest.at + 1}: nothing is open there`, rest.at)
  return { query, positions: reader.positions }
}

const EMPTY: Query = Object.freeze({ kind: 'and', operands: Object.freeze([]) })

const COMPARISONS: ReadonlySet<SymbolName> = new Set([
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'unlike',
  'in',
  'notin',
] satisfies Operator[])

/** The parser's position in the tokens of a search. */
interface TokenReader {
  readonly tokens: readonly Token[]
  readonly length: number
  readonly positions: Map<Query, number>
  index: number
}

/** A part of the tree with its depth, which is limited so that code may recurse over trees. */
interface TextPart {
  readonly query: Query
  readonly depth: number
}

// seq := { expression [","] }: terms that stand side by side are joined by "and".
function parseSequence(reader: TokenReader, level: number): TextPart {
  const parts: TextPart[] = []
  for (let token = peek(reader); token && !is(token, 'rparen'); token = peek(reader)) {
    parts.push(parseExpression(reader, level))
    parseSeparator(reader)
  }
  if (parts.length === 0) throw new SearchError('Empty list of operands', positionOf(reader))
  return join(reader, 'and', parts)
}

// A comma only separates two terms.
function parseSeparator(reader: TokenReader): void {
  const comma = peek(reader)
  if (!comma || !is(comma, 'comma')) return
  takeToken(reader)
  const following = peek(reader)
  if (!following || is(following, 'rparen', 'comma', 'and', 'or')) throw stray(comma)
}

// expression := primary [("and"|"or") expression], right-recursive without precedence: parsed from left to right, folded
// from the right, and each run of one operator becomes one node.
function parseExpression(reader: TokenReader, level: number): TextPart {
  const parts = [parsePrimary(reader, level)]
  const operators: ('and' | 'or')[] = []
  for (let token = peek(reader); token && is(token, 'and', 'or'); token = peek(reader)) {
    operators.push(token.symbol)
    takeToken(reader)
    if (!peek(reader) || is(peek(reader), 'rparen')) throw missing(token, 'after')
    parts.push(parsePrimary(reader, level))
  }
  let run: TextPart[] = [parts[parts.length - 1] as TextPart] // never empty
  let right = operators.length - 1
  for (let index = right; index >= 0; index--) {
    const operator = operators[index] as 'and' | 'or' // within bounds
    if (operator !== operators[right]) {
      run = [join(reader, operators[right] as 'and' | 'or', run.reverse())]
      right = index
    }
    run.push(parts[index] as TextPart) // one part more than operators
  }
  return right < 0 ? (run[0] as TextPart) : join(reader, operators[right] as 'and' | 'or', run.reverse())
}

function parsePrimary(reader: TokenReader, level: number): TextPart {
  const token = peek(reader)
  if (!token || token.type === 'value') return parseComparison(reader)
  if (token.symbol === 'lparen') return parseParenthesis(reader, level)
  if (token.symbol === 'not') return parseNegation(reader, level)
  if (token.symbol === 'notnull' || token.symbol === 'null') return parsePresence(reader)
  if (token.symbol === 'and' || token.symbol === 'or') throw missing(token, 'before')
  if (token.symbol === 'comma') throw stray(token)
  return parsePrefix(reader)
}

function parseParenthesis(reader: TokenReader, level: number): TextPart {
  const open = takeToken(reader)
  if (level >= MAX_DEPTH) throw tooDeep(open.at)
  const inner = parseSequence(reader, level + 1)
  // A missing closing parenthesis at the end is tolerated.
  if (peek(reader)) takeToken(reader)
  return inner
}

function parseNegation(reader: TokenReader, level: number): TextPart {
  const nots: Token[] = []
  for (let token = peek(reader); token && is(token, 'not'); token = peek(reader)) nots.push(takeToken(reader))
  const last = nots[nots.length - 1] as Token // the caller has seen one
  if (!peek(reader) || is(peek(reader), 'rparen', 'comma', 'and', 'or')) throw missing(last, 'after')
  let part = parsePrimary(reader, level)
  for (const not of nots) {
    if (part.depth >= MAX_DEPTH) throw tooDeep(not.at)
    part = { query: Object.freeze({ kind: 'not', operand: part.query }), depth: part.depth + 1 }
  }
  return part
}

function parsePresence(reader: TokenReader): TextPart {
  const token = takeToken(reader)
  const kind = is(token, 'notnull') ? 'has' : 'null'
  return countCondition(reader, token, { kind, field: parseValue(reader) })
}

function parseComparison(reader: TokenReader): TextPart {
  const token = takeToken(reader)
  const operator = peek(reader)
  if (!operator || !isComparison(operator)) return countCondition(reader, token, { kind: 'word', value: token.text })
  takeToken(reader)
  const field = token.text
  if (operator.symbol !== 'in' && operator.symbol !== 'notin') {
    return countCondition(reader, token, {
      kind: 'compare',
      operator: operator.symbol,
      field,
      value: parseValue(reader),
    })
  }
  const values = is(peek(reader), 'lparen') ? list(reader, operator) : [parseValue(reader)]
  return countCondition(reader, token, { kind: 'compare', operator: operator.symbol, field, value: values.join(',') })
}

// Parses an operator and a value without a field. A list becomes one comparison for each value, so that quoted values keep
// their commas.
function parsePrefix(reader: TokenReader): TextPart {
  const token = takeToken(reader)
  if (!isComparison(token)) throw unexpected(token, reader)
  if (token.symbol !== 'in' && token.symbol !== 'notin') {
    const operator = token.symbol
    return countCondition(reader, token, { kind: 'compare', operator, field: null, value: parseValue(reader) })
  }
  const operator = token.symbol === 'in' ? 'eq' : 'ne'
  const values = is(peek(reader), 'lparen') ? list(reader, token) : openList(reader, token)
  const parts = values.map((text) =>
    countCondition(reader, token, { kind: 'compare', operator, field: null, value: text }),
  )
  return join(reader, token.symbol === 'in' ? 'or' : 'and', parts)
}

// "(" { value [","] } ")"
function list(reader: TokenReader, operator: Token): string[] {
  takeToken(reader)
  const values: string[] = []
  for (let token = peek(reader); token; token = peek(reader)) {
    takeToken(reader)
    if (is(token, 'rparen')) break
    if (token.type === 'value') values.push(token.text)
    else if (token.symbol !== 'comma') throw notInList(token)
  }
  if (values.length === 0) throw new SearchError('Empty list of operands', operator.at)
  return values
}

function openList(reader: TokenReader, operator: Token): string[] {
  const values = [parseValue(reader)]
  for (let token = peek(reader); token && !is(token, 'rparen'); token = peek(reader)) {
    takeToken(reader)
    if (token.type === 'value') values.push(token.text)
    else if (token.symbol !== 'comma') {
      throw new SearchError(
        `Put the list after ${operator.text} in parentheses: ${token.text} cannot be part of it`,
        token.at,
      )
    }
  }
  return values
}

function parseValue(reader: TokenReader): string {
  const token = peek(reader)
  if (token?.type !== 'value') throw unexpected(token, reader)
  return takeToken(reader).text
}

function countCondition(reader: TokenReader, token: Token, query: Query): TextPart {
  if (reader.positions.size >= MAX_CONDITIONS) {
    throw new SearchError(
      `A search can hold at most ${MAX_CONDITIONS} conditions (write long lists as field ^ (a, b, c))`,
      token.at,
    )
  }
  reader.positions.set(Object.freeze(query), token.at)
  return { query, depth: 1 }
}

// Flattens operands of one kind: (a and b) and c becomes one "and" of three.
function join(reader: TokenReader, kind: 'and' | 'or', parts: readonly TextPart[]): TextPart {
  const [only] = parts
  if (only && parts.length === 1) return only
  let depth = 0
  const operands = parts.flatMap((part) => {
    const same = part.query.kind === kind && 'operands' in part.query
    depth = Math.max(depth, same ? part.depth - 1 : part.depth)
    return same && 'operands' in part.query ? part.query.operands : [part.query]
  })
  if (depth >= MAX_DEPTH) throw tooDeep(positionOf(reader))
  return { query: Object.freeze({ kind, operands: Object.freeze(operands) }), depth: depth + 1 }
}

function peek(reader: TokenReader): Token | undefined {
  return reader.tokens[reader.index]
}

function takeToken(reader: TokenReader): Token {
  return reader.tokens[reader.index++] as Token // callers have checked that there is one
}

function positionOf(reader: TokenReader): number {
  return peek(reader)?.at ?? reader.length
}

function is<Name extends SymbolName>(token: Token | undefined, ...symbols: Name[]): token is SymbolToken<Name> {
  return token?.type === 'symbol' && (symbols as readonly SymbolName[]).includes(token.symbol)
}

function isComparison(token: Token): token is SymbolToken<Operator> {
  return token.type === 'symbol' && COMPARISONS.has(token.symbol)
}

function unexpected(token: Token | undefined, reader: TokenReader): SearchError {
  if (!token) return new SearchError('Value expected but found the end of the search', reader.length)
  return new SearchError(`Value expected but found :${token.type === 'symbol' ? token.symbol : 'value'}`, token.at)
}

function missing(token: Token, side: 'before' | 'after'): SearchError {
  return new SearchError(`Something is missing ${side} '${token.text}' at character ${token.at + 1}`, token.at)
}

function stray(token: Token): SearchError {
  return new SearchError(`Unexpected , at character ${token.at + 1}: a comma stands between two conditions`, token.at)
}

function notInList(token: Token): SearchError {
  return new SearchError(`A list holds only values: '${token.text}' at character ${token.at + 1} is none`, token.at)
}

function tooDeep(at: number): SearchError {
  return new SearchError(`A search can nest at most ${MAX_DEPTH} levels deep`, at)
}
