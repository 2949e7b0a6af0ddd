import type { Cursor } from './cursor.ts'
import { binary } from './parse-expression.ts'
import { guarded } from './parse-rescue.ts'
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
      const before = lambda === null ? [] : lambdaParameters(cursor, lambda)
      const close = cursor.isOperator('{') ? '}' : 'end'
      cursor.expect(close === '}' ? '{' : 'do')
      cursor.skipSeparators()
      const parameters = lambda === null && cursor.accept('|') ? parametersUpTo(cursor, '|') : before
      return { parameters, body: bodyUpTo(cursor, close) }
    }),
  )
}

function bodyUpTo(cursor: Cursor, close: string): Node {
  const lists = cursor.takesLists
  cursor.takesLists = true
  const body = close === 'end' ? guarded(cursor) : braced(cursor)
  cursor.takesLists = lists
  return body
}

function braced(cursor: Cursor): Node {
  const body = cursor.grammar.body(cursor, ['}'])
  cursor.expect('}')
  return body
}

function lambdaParameters(cursor: Cursor, lambda: '(' | '->'): readonly Parameter[] {
  if (lambda === '(') cursor.expect('(')
  if (lambda === '->' && !cursor.is('name')) return []
  return lambda === '(' ? parametersUpTo(cursor, ')') : parameters(cursor)
}

function parametersUpTo(cursor: Cursor, close: string): readonly Parameter[] {
  const found = cursor.isOperator(close) ? [] : parameters(cursor)
  cursor.expect(close)
  return found
}

function parameters(cursor: Cursor): readonly Parameter[] {
  const found: Parameter[] = []
  do {
    if (cursor.isOperator('|', ')')) break
    found.push(parameter(cursor))
  } while (cursor.accept(','))
  return found
}

function parameter(cursor: Cursor): Parameter {
  if (cursor.accept('(')) {
    const parts = cursor.within(() => parametersUpTo(cursor, ')'))
    return { name: '', rest: false, fallback: null, parts }
  }
  const rest = cursor.accept('*')
  if (rest && cursor.isOperator('|', ',', ')')) return { name: '', rest, fallback: null, parts: null }
  if (!cursor.is('name')) cursor.refuse('expected the name of a parameter')
  const name = cursor.next().text
  cursor.variables.add(name)
  // Parsed above the level of `|`, which ends the parameters.
  const fallback = cursor.accept('=') ? binary(cursor, 6) : null
  return { name, rest, fallback, parts: null }
}
