import type { Cursor } from './cursor.ts'
import { isTarget, parsePrimary, send } from './parse-primary.ts'
import type { Node } from './syntax.ts'

const ASSIGNMENTS = ['+=', '-=', '*=', '/=', '%=', '**=', '||=', '&&=', '<<=', '>>=', '|=', '&=']

/** Parses an expression without `and`, `or`, `not`: assignments, `?:`, ranges, operators. */
export function parseExpression(cursor: Cursor): Node {
  return cursor.within(() => {
    const left = parseTernary(cursor)
    if (cursor.isOperator('=')) return parseAssignment(cursor, left)
    return cursor.isOperator(...ASSIGNMENTS) ? update(cursor, left) : left
  })
}

function parseAssignment(cursor: Cursor, left: Node): Node {
  if (!isTarget(left)) return cursor.refuse('this cannot be assigned to')
  const line = cursor.next().line
  cursor.skipLines()
  if (left.kind === 'variable' || isPlainName(left)) cursor.variables.add(left.name)
  const target = isPlainName(left) ? ({ kind: 'variable', name: left.name, line } as const) : left
  const value = cursor.accept('*') ? spread(parseExpression(cursor)) : parseExpression(cursor)
  if (!cursor.isOperator(',') || !cursor.takesLists) return { kind: 'assign', target, value, line }
  const items = [value]
  while (cursor.accept(',')) items.push(parseExpression(cursor))
  return { kind: 'assign', target, value: { kind: 'list', items }, line }
}

function update(cursor: Cursor, left: Node): Node {
  if (!isTarget(left)) return cursor.refuse('this cannot be assigned to')
  const { text, line } = cursor.next()
  cursor.skipLines()
  const target = isPlainName(left) ? ({ kind: 'variable', name: left.name, line } as const) : left
  if (target.kind === 'variable') cursor.variables.add(target.name)
  return { kind: 'update', target, operator: text.slice(0, -1), value: parseExpression(cursor), line }
}

function spread(value: Node): Node {
  return { kind: 'list', items: [{ kind: 'splat', value }] }
}

function isPlainName(node: Node): node is Extract<Node, { kind: 'call' }> {
  return node.kind === 'call' && node.receiver === null && !node.explicit
}

function parseTernary(cursor: Cursor): Node {
  const test = parseRange(cursor)
  if (!cursor.isOperator('?')) return test
  return cursor.within(() => {
    cursor.next()
    cursor.skipLines()
    const yes = parseExpression(cursor)
    cursor.skipLines()
    // the lexer takes `b:` in `a ? b: c` as one token
    cursor.expect(':')
    cursor.skipLines()
    return { kind: 'if', test, yes, no: parseExpression(cursor) }
  })
}

function parseRange(cursor: Cursor): Node {
  if (cursor.isOperator('..', '...')) {
    const exclusive = cursor.next().text === '...'
    return { kind: 'range', first: null, last: parseBinary(cursor, 1), exclusive }
  }
  const first = parseBinary(cursor, 1)
  if (!cursor.isOperator('..', '...')) return first
  const exclusive = cursor.next().text === '...'
  const isOpen = cursor.isOperator(')', ']') || cursor.is('line') || cursor.is('close') || cursor.isKeyword('then')
  return { kind: 'range', first, last: isOpen ? null : parseBinary(cursor, 1), exclusive }
}

const LEVELS: ReadonlyMap<string, number> = new Map([
  ['||', 1],
  ['&&', 2],
  ...['<=>', '==', '===', '!=', '=~', '!~'].map((operator) => [operator, 3] as const),
  ...['<', '<=', '>', '>='].map((operator) => [operator, 4] as const),
  ['|', 5],
  ['^', 5],
  ['&', 6],
  ['<<', 7],
  ['>>', 7],
  ['+', 8],
  ['-', 8],
  ['*', 9],
  ['/', 9],
  ['%', 9],
])

/** Parses operators that bind at least as tightly as `level`, from left to right. */
export function parseBinary(cursor: Cursor, level: number): Node {
  let left = parseUnary(cursor)
  for (;;) {
    const { type, text, line } = cursor.token
    const own = type === 'operator' ? LEVELS.get(text) : undefined
    if (own === undefined || own < level) return left
    cursor.next()
    cursor.skipLines()
    const right = cursor.within(() => parseBinary(cursor, own + 1))
    left = buildCombined(left, text, right, line)
  }
}

function buildCombined(left: Node, operator: string, right: Node, line: number): Node {
  if (operator === '&&') return { kind: 'and', left, right }
  if (operator === '||') return { kind: 'or', left, right }
  if (operator === '!=') return { kind: 'not', value: send(left, '==', [right], line) }
  if (operator === '!~') return { kind: 'not', value: send(left, '=~', [right], line) }
  return send(left, operator, [right], line)
}

function parseUnary(cursor: Cursor): Node {
  const { line } = cursor
  if (cursor.accept('!')) return cursor.within(() => ({ kind: 'not', value: parseUnary(cursor) }))
  if (cursor.isOperator('-') && !isNegativeNumber(cursor)) {
    cursor.next()
    return cursor.within(() => send(parseUnary(cursor), '-@', [], line))
  }
  if (cursor.accept('+')) return cursor.within(() => parseUnary(cursor))
  const base = parsePrimary(cursor)
  if (!cursor.isOperator('**')) return base
  cursor.next()
  cursor.skipLines()
  return cursor.within(() => send(base, '**', [parseUnary(cursor)], line))
}

/** Tells whether a minus belongs to a number: `-2` is one, but `-2 ** 2` is minus four. */
function isNegativeNumber(cursor: Cursor): boolean {
  const number = cursor.peek()
  const after = cursor.peek(2)
  return number.type === 'number' && !number.spaced && !(after.type === 'operator' && after.text === '**')
}
