import type { Cursor } from './cursor.ts'
import { parseBinary } from './parse-expression.ts'
import { parseGuarded } from './parse-rescue.ts'
import type { BlockNode, Node, Parameter } from './syntax.ts'

/**
 * Parses the block that follows a call, if there is one: `{ |a, b| … }`, `do |a, b| … end`. For `->` the parameters come
 * before it, in parentheses or bare.
 */
export function block(cursor: Cursor, lambda: '(' | '->' | null = null): BlockNode | null {
  if (lambda === null && !cursor.isOperator('{') && !(cursor.takesDo && cursor.isKeyword('do'))) return null
  const { line } = cursor
  return cursor.opened({ text: 'do', line }, () =>
    cursor.inBlock(() => {
      const before = lambda === null ? [] : parseLambdaParameters(cursor, lambda)
      const close = cursor.isOperator('{') ? '}' : 'end'
      cursor.expect(close === '}' ? '{' : 'do')
      cursor.skipSeparators()
      const parameters = lambda === null && cursor.accept('|') ? parseParametersUpTo(cursor, '|') : before
      return { parameters, body: parseBodyUpTo(cursor, close) }
    }),
  )
}

function parseBodyUpTo(cursor: Cursor, close: string): Node {
  const lists = cursor.takesLists
  cursor.takesLists = true
  const body = close === 'end' ? parseGuarded(cursor) : parseBraced(cursor)
  cursor.takesLists = lists
  return body
}

function parseBraced(cursor: Cursor): Node {
  const body = cursor.grammar.body(cursor, ['}'])
  cursor.expect('}')
  return body
}

function parseLambdaParameters(cursor: Cursor, lambda: '(' | '->'): readonly Parameter[] {
  if (lambda === '(') cursor.expect('(')
  if (lambda === '->' && !cursor.is('name')) return []
  return lambda === '(' ? parseParametersUpTo(cursor, ')') : parseParameters(cursor)
}

/** Parses the parameters of a method, in parentheses or bare. */
export function parseMethodParameters(cursor: Cursor): readonly Parameter[] {
  if (cursor.accept('(')) return parseParametersUpTo(cursor, ')')
  return cursor.is('name') || cursor.isOperator('*') ? parseParameters(cursor) : []
}

function parseParametersUpTo(cursor: Cursor, close: string): readonly Parameter[] {
  const found = cursor.isOperator(close) ? [] : parseParameters(cursor)
  cursor.expect(close)
  return found
}

function parseParameters(cursor: Cursor): readonly Parameter[] {
  const found: Parameter[] = []
  do {
    if (cursor.isOperator('|', ')')) break
    found.push(parseParameter(cursor))
  } while (cursor.accept(','))
  return found
}

function parseParameter(cursor: Cursor): Parameter {
  if (cursor.accept('(')) {
    const parts = cursor.within(() => parseParametersUpTo(cursor, ')'))
    return { name: '', rest: false, fallback: null, parts }
  }
  const rest = cursor.accept('*')
  if (rest && cursor.isOperator('|', ',', ')')) return { name: '', rest, fallback: null, parts: null }
  if (!cursor.is('name')) cursor.refuse('expected the name of a parameter')
  const name = cursor.next().text
  cursor.variables.add(name)
  // Parsed above the level of `|`, which ends the parameters.
  const fallback = cursor.accept('=') ? parseBinary(cursor, 6) : null
  return { name, rest, fallback, parts: null }
}
