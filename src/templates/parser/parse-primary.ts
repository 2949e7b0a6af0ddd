import type { Cursor } from './cursor.ts'
import { argumentsOf, hasArguments, hashIn, listIn, type Passed } from './parse-arguments.ts'
import { parseKeyword } from './parse-keyword.ts'
import type { CallNode, Node, Target } from './syntax.ts'
import type { Token } from './tokens.ts'

/** Parses a value with the calls and indexes behind it. */
export function parsePrimary(cursor: Cursor): Node {
  let node = start(cursor)
  for (;;) {
    const { token } = cursor
    if (token.type !== 'operator') return node
    if (token.text === '.' || token.text === '&.') node = parseMethod(cursor, node)
    else if (token.text === '[' && !token.spaced) node = index(cursor, node)
    else if (token.text === '[' && node.kind !== 'call') node = index(cursor, node)
    else if (token.text === '::') refuseInside(cursor, node)
    else return node
  }
}

/** Refuses `A::B`, which in Ruby would access classes of the program. */
function refuseInside(cursor: Cursor, node: Node): never {
  const name = node.kind === 'constant' ? `${node.name}::${cursor.peek().text}` : `::${cursor.peek().text}`
  return cursor.refuse(`names inside of constants are not offered, as ${name} is`, false)
}

/** Builds the call that an operator stands for. */
export function send(receiver: Node | null, name: string, args: readonly Node[], line: number): CallNode {
  return { kind: 'call', line, receiver, name, args, block: null, blockValue: null, safe: false, explicit: true }
}

/** Tells whether a node can be assigned to: a variable or an index. */
export function isTarget(node: Node): node is Target {
  if (node.kind === 'variable' || node.kind === 'instance') return true
  return node.kind === 'call' && (node.name === '[]' || (node.receiver === null && !node.explicit))
}

function start(cursor: Cursor): Node {
  const { token } = cursor
  if (token.type === 'keyword') return parseKeyword(cursor)
  const callsConstant = token.type === 'constant' && cursor.peek().text === '(' && !cursor.peek().spaced
  if (token.type === 'name' || callsConstant) return parseName(cursor)
  if (token.type === 'operator') return parseBracket(cursor)
  const node = parseLiteral(cursor, token)
  if (node === null) return cursor.refuse('expected a value')
  return node
}

function parseLiteral(cursor: Cursor, token: Token): Node | null {
  const { text, line } = token
  if (token.type === 'string') return parseJoinedTexts(cursor)
  if (!['number', 'instance', 'global', 'constant', 'symbol', 'regexp', 'words'].includes(token.type)) return null
  cursor.next()
  if (token.type === 'number') return { kind: 'literal', value: token.value ?? null }
  if (token.type === 'instance') return { kind: 'instance', name: text }
  if (token.type === 'global') return { kind: 'global', name: text, line }
  if (token.type === 'constant') return { kind: 'constant', name: text, line }
  const parts = cursor.parts(token.parts ?? [])
  if (token.type === 'symbol') return { kind: 'symbol', parts }
  if (token.type === 'regexp') return { kind: 'regexp', parts, flags: text, line }
  return buildWordList(cursor, parts, text === 'i')
}

/** Joins adjacent text literals. */
function parseJoinedTexts(cursor: Cursor): Node {
  const parts: (string | Node)[] = []
  while (cursor.is('string')) for (const part of cursor.parts(cursor.next().parts ?? [])) parts.push(part)
  const texts = parts.filter((part) => typeof part === 'string')
  return texts.length === parts.length ? { kind: 'literal', value: texts.join('') } : { kind: 'join', parts }
}

function buildWordList(cursor: Cursor, parts: readonly (string | Node)[], symbols: boolean): Node {
  const texts = parts.filter((part) => typeof part === 'string')
  if (texts.length < parts.length) return cursor.refuse('interpolation in a list of words is not offered', false)
  const words = texts
    .join('')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
  return {
    kind: 'list',
    items: words.map((word) => (symbols ? { kind: 'symbol', parts: [word] } : { kind: 'literal', value: word })),
  }
}

function parseBracket(cursor: Cursor): Node {
  const { line } = cursor
  if (cursor.accept('(')) return parseParenthesis(cursor)
  if (cursor.accept('[')) return cursor.within(() => ({ kind: 'list', items: listIn(cursor) }), true)
  if (cursor.accept('{')) return cursor.within(() => hashIn(cursor, line), true)
  if (cursor.accept('->')) return parseLambda(cursor)
  if (cursor.isOperator('-') && cursor.peek().type === 'number') {
    cursor.next()
    const { value } = cursor.next()
    return { kind: 'literal', value: value === undefined ? null : -value }
  }
  return cursor.refuse('expected a value')
}

function parseParenthesis(cursor: Cursor): Node {
  return cursor.within(() => {
    const before = cursor.takesLists
    cursor.takesLists = true
    const node = cursor.grammar.body(cursor, [')'])
    cursor.takesLists = before
    cursor.expect(')')
    return { kind: 'sequence', nodes: [node] }
  }, true)
}

function parseLambda(cursor: Cursor): Node {
  const hasBrackets = cursor.isOperator('(')
  const block = cursor.grammar.block(cursor, hasBrackets ? '(' : '->')
  if (block === null) return cursor.refuse('expected { or do')
  return { kind: 'lambda', block }
}

/** Parses a variable, or a call of a function. */
function parseName(cursor: Cursor): Node {
  const { text: name, line } = cursor.next()
  const opensCall = cursor.isOperator('(') && !cursor.token.spaced
  if (cursor.variables.has(name) && !opensCall) return { kind: 'variable', name, line }
  const explicit = opensCall || hasArguments(cursor)
  const passed = argumentsOf(cursor)
  if (name.startsWith('snippet')) noteSnippet(cursor, passed)
  if (!cursor.calls.has(name)) cursor.calls.set(name, line)
  const block = cursor.grammar.block(cursor)
  return {
    kind: 'call',
    line,
    receiver: null,
    name,
    ...passed,
    block,
    safe: false,
    explicit: explicit || block !== null,
  }
}

/** Remembers the name of a snippet, so that it can be loaded before the template runs. */
function noteSnippet(cursor: Cursor, passed: Passed): void {
  const [name] = passed.args
  if (name?.kind === 'literal' && typeof name.value === 'string') cursor.snippets.add(name.value)
}

function parseMethod(cursor: Cursor, receiver: Node): Node {
  const safe = cursor.next().text === '&.'
  cursor.skipLines()
  const { token } = cursor
  const { line } = token
  if (cursor.isOperator('(')) {
    const passed = argumentsOf(cursor)
    return { kind: 'call', line, receiver, name: 'call', ...passed, block: null, safe, explicit: true }
  }
  if (token.type === 'label') return cursor.refuse('expected a blank before :', false)
  if (token.type !== 'name' && token.type !== 'constant') return cursor.refuse('expected the name of a method')
  const name = cursor.next().text
  if (cursor.isOperator('=') && !cursor.peek().text.startsWith('=')) cursor.refuse(`${name} cannot be set`, false)
  const passed = argumentsOf(cursor)
  const block = cursor.grammar.block(cursor)
  return { kind: 'call', line, receiver, name, ...passed, block, safe, explicit: true }
}

function index(cursor: Cursor, receiver: Node): Node {
  const { line } = cursor.next()
  const args = cursor.within(() => listIn(cursor), true)
  return send(receiver, '[]', args, line)
}
