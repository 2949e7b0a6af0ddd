import type { Query } from '../../src/search/index.ts'
import { type SymbolToken, type Token, tokenize } from '../../src/search/tokens.ts'

/** What the original server silently ignores, and this service refuses. */
export type Forgiven = 'operator' | 'parenthesis' | 'comma' | 'list'

/** The original server's form of a tree: the operator first, plain strings for words. */
export type Tree = string | readonly [string, ...Tree[]]

/** Converts one of our trees to the original's form. */
export function asOriginal(query: Query): Tree {
  switch (query.kind) {
    case 'and':
    case 'or':
      return [query.kind, ...query.operands.map(asOriginal)]
    case 'not':
      return ['not', asOriginal(query.operand)]
    case 'word':
      return query.value
    case 'has':
    case 'null':
      return [query.kind === 'has' ? 'notnull' : 'null', query.field]
    case 'compare':
      return query.field === null ? [query.operator, query.value] : [query.operator, query.field, query.value]
  }
}

/** A tree, or the error message, and what was ignored. */
export interface OriginalReading {
  readonly tree?: Tree
  readonly message?: string
  readonly forgiven: ReadonlySet<Forgiven>
}

/**
 * Parses by the original's grammar, as its recorded trees show it, and records everything that it ignores, drops or
 * misinterprets.
 */
export function readAsOriginal(text: string): OriginalReading {
  const reader: Reader = { tokens: tokenize(text), index: 0, forgiven: new Set() }
  const { forgiven } = reader
  dropTrailing(reader)
  try {
    const tree = sequence(reader, true)
    if (peek(reader)) forgiven.add('parenthesis')
    return { tree, forgiven }
  } catch (error) {
    if (error instanceof Refusal) return { message: error.message, forgiven }
    throw error
  }
}

class Refusal extends Error {}

interface Reader {
  readonly tokens: Token[]
  readonly forgiven: Set<Forgiven>
  index: number
}

const COMPARISONS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'unlike', 'in', 'notin']

function dropTrailing(reader: Reader): void {
  const { tokens, forgiven } = reader
  const dropped: Token[] = []
  while (tokens.at(-1)?.type === 'symbol') dropped.push(tokens.pop() as Token)
  let open = tokens.filter((token) => is(token, 'lparen')).length - tokens.filter((token) => is(token, 'rparen')).length
  for (const token of dropped.reverse()) {
    if (is(token, 'rparen') && open-- > 0) continue
    forgiven.add(kindOf(token))
  }
}

function sequence(reader: Reader, root: boolean): Tree {
  if (!root) next(reader)
  const parts: Tree[] = []
  while (peek(reader) && !is(peek(reader), 'rparen')) parts.push(expression(reader))
  if (!root && is(peek(reader), 'rparen')) next(reader)
  if (!root && parts.length === 0) throw new Refusal('Empty list of operands')
  return join('and', parts)
}

function expression(reader: Reader): Tree {
  while (is(peek(reader), 'and', 'or')) {
    reader.forgiven.add('operator')
    next(reader)
  }
  const left = term(reader)
  const operator = peek(reader)
  if (!is(operator, 'and', 'or')) return left
  next(reader)
  return join(operator.symbol, [left, expression(reader)])
}

function term(reader: Reader): Tree {
  const token = peek(reader)
  if (is(token, 'lparen')) return sequence(reader, false)
  if (is(token, 'not')) return negation(reader)
  if (is(token, 'null', 'notnull')) {
    next(reader)
    return [token.symbol, value(reader)]
  }
  return comparison(reader)
}

function negation(reader: Reader): Tree {
  next(reader)
  if (is(peek(reader), 'not')) return ['not', negation(reader)]
  if (is(peek(reader), 'lparen')) return ['not', sequence(reader, false)]
  return ['not', comparison(reader)]
}

function comparison(reader: Reader): Tree {
  if (is(peek(reader), 'comma')) skipComma(reader, true)
  return peek(reader)?.type === 'value' ? infix(reader) : prefix(reader)
}

function infix(reader: Reader): Tree {
  const left = value(reader)
  const token = peek(reader)
  if (is(token, 'comma')) skipComma(reader, false)
  if (token?.type !== 'symbol' || !COMPARISONS.includes(token.symbol)) return left
  next(reader)
  if (token.symbol !== 'in' && token.symbol !== 'notin') return [token.symbol, left, value(reader)]
  return [token.symbol, left, values(reader, peek(reader)?.type === 'value').join(',')]
}

function prefix(reader: Reader): Tree {
  const token = next(reader) as SymbolToken
  if (!COMPARISONS.includes(token.symbol) && !is(token, 'null', 'notnull')) reader.forgiven.add(kindOf(token))
  if (token.symbol !== 'in' && token.symbol !== 'notin') return [token.symbol, value(reader)]
  const open = !is(peek(reader), 'lparen')
  const found = values(reader, false)
  const rest = reader.tokens[reader.index - 1]
  if (open && is(rest, 'rparen')) reader.forgiven.add('list')
  if (found.length === 0) throw new Refusal('Empty list of operands')
  const operator = token.symbol === 'in' ? 'eq' : 'ne'
  return join(
    token.symbol === 'in' ? 'or' : 'and',
    found.map((text): Tree => [operator, text]),
  )
}

// Reads all values up to the first ")", or only the first value.
function values(reader: Reader, one: boolean): string[] {
  const found: string[] = []
  const open = !is(peek(reader), 'lparen')
  if (!open) next(reader)
  while (peek(reader) && !is(peek(reader), 'rparen') && !(one && found.length === 1)) {
    const token = next(reader)
    if (token?.type === 'value') found.push(token.text)
    else if (!is(token, 'comma')) reader.forgiven.add('list')
    else if (open && found.length === 0) reader.forgiven.add('comma')
  }
  if (found.length === 0) reader.forgiven.add('list')
  if (!one && is(peek(reader), 'rparen')) next(reader)
  return found
}

function value(reader: Reader): string {
  const token = peek(reader)
  if (token?.type !== 'value') throw new Refusal(`Value expected but found ${token ? `:${token.symbol}` : 'nil'}`)
  reader.index++
  return token.text
}

// A comma between two conditions separates them; any other is ignored.
function skipComma(reader: Reader, before: boolean): void {
  const previous = reader.tokens[reader.index - 1]
  next(reader)
  const following = peek(reader)
  const separates = following?.type === 'value' || (following && COMPARISONS.includes(following.symbol))
  if (!separates || (before && (!previous || (previous.type === 'symbol' && !is(previous, 'rparen')))))
    reader.forgiven.add('comma')
}

function join(operator: 'and' | 'or', parts: readonly Tree[]): Tree {
  if (parts.length === 1) return parts[0] as Tree
  return [
    operator,
    ...parts.flatMap((part) => (Array.isArray(part) && part[0] === operator ? (part.slice(1) as Tree[]) : [part])),
  ]
}

function kindOf(token: Token): Forgiven {
  if (is(token, 'comma')) return 'comma'
  return is(token, 'lparen', 'rparen') ? 'parenthesis' : 'operator'
}

function peek(reader: Reader): Token | undefined {
  return reader.tokens[reader.index]
}

function next(reader: Reader): Token | undefined {
  return reader.tokens[reader.index++]
}

function is<Name extends SymbolToken['symbol']>(
  token: Token | undefined,
  ...symbols: Name[]
): token is SymbolToken<Name> {
  return token?.type === 'symbol' && (symbols as string[]).includes(token.symbol)
}
