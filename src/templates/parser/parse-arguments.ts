import type { Cursor } from './cursor.ts'
import type { CallNode, Node } from './syntax.ts'

/** The arguments of a call. */
export type Passed = Pick<CallNode, 'args' | 'blockValue'>

const NOTHING: Passed = { args: [], blockValue: null }

/** Parses arguments in parentheses, or without them after a blank, if there are any. */
export function argumentsOf(cursor: Cursor): Passed {
  if (cursor.isOperator('(') && !cursor.token.spaced) {
    cursor.next()
    return cursor.within(() => list(cursor, ')'), true)
  }
  return hasArguments(cursor) ? cursor.within(() => list(cursor, null), false) : NOTHING
}

const VALUE_KEYWORDS = ['nil', 'true', 'false', 'not', 'defined?', 'case']
const VALUES = ['string', 'number', 'name', 'constant', 'instance', 'global', 'symbol', 'regexp', 'words', 'label']

/** Tells whether arguments without parentheses follow after a blank. */
export function hasArguments(cursor: Cursor): boolean {
  const { token } = cursor
  if (!token.spaced) return false
  if (VALUES.includes(token.type)) return true
  if (token.type === 'keyword') return VALUE_KEYWORDS.includes(token.text)
  if (token.type !== 'operator') return false
  if (token.text === '->' || token.text === '(') return true
  return ['[', '-', '*', '**', '&', '!', '::'].includes(token.text) && !cursor.peek().spaced
}

/** Parses the items of a list or index, including its closing bracket. */
export function listIn(cursor: Cursor): readonly Node[] {
  const { args, blockValue } = list(cursor, ']')
  return blockValue === null ? args : cursor.refuse('a block cannot be an item', false)
}

/** Parses the pairs of a hash, including its closing brace. */
export function hashIn(cursor: Cursor, line: number): Node {
  const pairs: [Node | null, Node][] = []
  cursor.skipLines()
  while (!cursor.isOperator('}')) {
    const found = parsePair(cursor) ?? cursor.refuse('expected a key and =>')
    pairs.push(found)
    cursor.skipLines()
    if (!cursor.accept(',')) break
    cursor.skipLines()
  }
  cursor.expect('}')
  return { kind: 'hash', pairs, line }
}

function list(cursor: Cursor, close: string | null): Passed {
  const before = cursor.takesLists
  cursor.takesLists = false
  const { line } = cursor
  const args: Node[] = []
  const pairs: [Node | null, Node][] = []
  let blockValue: Node | null = null
  if (close !== null) cursor.skipLines()
  while (close === null || !cursor.isOperator(close)) {
    if (cursor.isOperator('&')) {
      cursor.next()
      blockValue = cursor.grammar.expression(cursor)
    } else if (cursor.isOperator('*')) {
      cursor.next()
      args.push({ kind: 'splat', value: cursor.grammar.expression(cursor) })
    } else parseArgument(cursor, args, pairs)
    if (close !== null) cursor.skipLines()
    if (!cursor.accept(',')) break
    cursor.skipLines()
  }
  if (close !== null) cursor.expect(close)
  if (pairs.length > 0) args.push({ kind: 'hash', pairs, line })
  cursor.takesLists = before
  return { args, blockValue }
}

/** Parses one value, or one pair of the hash that becomes the last argument. */
function parseArgument(cursor: Cursor, args: Node[], pairs: [Node | null, Node][]): void {
  if (cursor.is('label') || cursor.isOperator('**')) {
    pairs.push(parsePair(cursor) ?? cursor.refuse('expected a value'))
    return
  }
  const node = cursor.accept('not')
    ? ({ kind: 'not', value: cursor.grammar.expression(cursor) } as const)
    : cursor.grammar.expression(cursor)
  if (!cursor.accept('=>')) {
    args.push(node)
    return
  }
  cursor.skipLines()
  pairs.push([node, cursor.grammar.expression(cursor)])
}

function parsePair(cursor: Cursor): [Node | null, Node] | null {
  if (cursor.accept('**')) return [null, cursor.grammar.expression(cursor)]
  const { token } = cursor
  if (token.type === 'label') {
    cursor.next()
    const key: Node = { kind: 'symbol', parts: token.parts === undefined ? [token.text] : cursor.parts(token.parts) }
    const isShort = cursor.isOperator(',', '}', ')')
    if (isShort) return [key, parseShorthand(cursor, token.text, token.line)]
    cursor.skipLines()
    return [key, cursor.grammar.expression(cursor)]
  }
  const key = cursor.grammar.expression(cursor)
  cursor.skipLines()
  if (!cursor.accept('=>')) return null
  cursor.skipLines()
  return [key, cursor.grammar.expression(cursor)]
}

/** Parses `{ name: }`, which stands for `{ name: name }`. */
function parseShorthand(cursor: Cursor, name: string, line: number): Node {
  if (cursor.variables.has(name)) return { kind: 'variable', name, line }
  return {
    kind: 'call',
    line,
    receiver: null,
    name,
    args: [],
    block: null,
    blockValue: null,
    safe: false,
    explicit: false,
  }
}
