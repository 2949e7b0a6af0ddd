import { Cursor, type Grammar } from './cursor.ts'
import { lex } from './lex.ts'
import { block, parseMethodParameters } from './parse-block.ts'
import { parseExpression } from './parse-expression.ts'
import { scan } from './scan.ts'
import type { Node, Target } from './syntax.ts'

/** A parsed template. */
export interface Program {
  readonly node: Node
  /** The names of snippets that it names as plain texts. */
  readonly snippets: ReadonlySet<string>
  /**
   * The functions that it calls, with the line of the first call, so that unknown functions can be refused before it runs.
   */
  readonly calls: ReadonlyMap<string, number>
}

/** Parses a template. {@throws TemplateError} with the line of what is malformed */
export function parse(source: string): Program {
  const cursor = new Cursor(lex(scan(source)), GRAMMAR)
  const node = parseBody(cursor, [])
  if (!cursor.is('end')) cursor.refuse('expected the end of the template')
  for (const name of cursor.methods) cursor.calls.delete(name)
  return { node, snippets: cursor.snippets, calls: cursor.calls }
}

const GRAMMAR: Grammar = {
  statement: parseStatement,
  expression: parseExpression,
  body: parseBody,
  block,
  parameters: parseMethodParameters,
}

function parseBody(cursor: Cursor, ends: readonly string[]): Node {
  const nodes: Node[] = []
  for (;;) {
    cursor.skipSeparators()
    if (cursor.is('end') || cursor.isKeyword(...ends) || cursor.isOperator(...ends)) break
    nodes.push(parsePiece(cursor))
    const goesOn = cursor.is('line') || cursor.is('close') || cursor.is('text') || cursor.is('open')
    if (!goesOn && !cursor.is('end') && !cursor.isKeyword(...ends) && !cursor.isOperator(...ends)) {
      if (ends.length === 0 && cursor.isKeyword('end')) cursor.refuse('nothing is open that this could end')
      cursor.refuse('expected the end of the line or tag')
    }
  }
  return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { kind: 'sequence', nodes }
}

/** Parses text, `<%= … %>` or a statement. */
function parsePiece(cursor: Cursor): Node {
  if (cursor.is('text')) return { kind: 'text', text: cursor.next().text }
  if (!cursor.is('open')) return parseStatement(cursor)
  cursor.next()
  const nodes: Node[] = []
  const { closed } = cursor
  cursor.skipLines()
  while (!cursor.is('close')) {
    nodes.push(parseStatement(cursor))
    if (!cursor.is('line') || cursor.closed > closed) break
    cursor.skipLines()
  }
  return { kind: 'output', value: { kind: 'sequence', nodes } }
}

/** Parses an expression with `and`, `or` and the modifiers `if`, `unless`, `while`, `until`. */
function parseStatement(cursor: Cursor): Node {
  return cursor.within(() => {
    let node = parseWords(cursor)
    for (;;) {
      const isLoop = node.kind === 'sequence'
      if (cursor.accept('if')) node = buildChoice(parseCondition(cursor), node, null)
      else if (cursor.accept('unless')) node = buildChoice(parseCondition(cursor), null, node)
      else if (cursor.isKeyword('while', 'until')) {
        const until = cursor.next().text === 'until'
        node = { kind: 'while', test: parseWords(cursor), until, body: node, first: isLoop }
      } else if (cursor.accept('rescue')) node = buildRescued(node, parseWords(cursor))
      else return node
    }
  })
}

const NOTHING: Node = { kind: 'literal', value: null }

/**
 * Parses the condition of a modifier. `end if` at the end of a tag takes the text behind the tag as its condition: the text
 * is written, and counts as true. Templates of existing sites contain this mistake, and work.
 */
function parseCondition(cursor: Cursor): Node {
  if (!cursor.endsTag()) return parseWords(cursor)
  cursor.skipLines()
  const { text } = cursor.next()
  return {
    kind: 'sequence',
    nodes: [
      { kind: 'text', text },
      { kind: 'literal', value: true },
    ],
  }
}

/** Builds `value rescue otherwise`. */
function buildRescued(body: Node, otherwise: Node): Node {
  return { kind: 'rescue', body, rescues: [{ target: null, body: otherwise }], otherwise: null, always: null }
}

function buildChoice(test: Node, yes: Node | null, no: Node | null): Node {
  return { kind: 'if', test, yes: yes ?? NOTHING, no: no ?? NOTHING }
}

/** Parses `not`, `and`, `or`, which bind least; `and` and `or` have equal precedence, from left to right. */
function parseWords(cursor: Cursor): Node {
  let left = parseNegation(cursor)
  while (cursor.isKeyword('and', 'or')) {
    const kind = cursor.next().text === 'and' ? 'and' : 'or'
    cursor.skipLines()
    left = { kind, left, right: parseNegation(cursor) }
  }
  return left
}

function parseNegation(cursor: Cursor): Node {
  if (!cursor.accept('not')) return parseSeveral(cursor)
  return cursor.within(() => ({ kind: 'not', value: parseNegation(cursor) }))
}

/** Parses `a, b = list`, or an expression. */
function parseSeveral(cursor: Cursor): Node {
  const isSplat = cursor.isOperator('*') && cursor.peek().type === 'name'
  if (!isSplat && !startsSeveral(cursor)) return parseExpression(cursor)
  const targets: (Target | { kind: 'splat'; value: Node })[] = []
  do {
    if (cursor.accept('*')) targets.push({ kind: 'splat', value: parseTarget(cursor) })
    else targets.push(parseTarget(cursor))
  } while (cursor.accept(','))
  const line = cursor.line
  cursor.expect('=')
  cursor.skipLines()
  const values = [parseItem(cursor)]
  while (cursor.accept(',')) values.push(parseItem(cursor))
  const [only] = values
  const value: Node =
    values.length === 1 && only !== undefined && only.kind !== 'splat' ? only : { kind: 'list', items: values }
  return { kind: 'assign', target: { kind: 'several', targets }, value, line }
}

function parseItem(cursor: Cursor): Node {
  return cursor.accept('*') ? { kind: 'splat', value: parseExpression(cursor) } : parseExpression(cursor)
}

/** Tells whether several variables and `=` follow. */
function startsSeveral(cursor: Cursor): boolean {
  let distance = 0
  for (let isFirst = true; ; isFirst = false) {
    const type = cursor.peek(distance).type
    const star = cursor.peek(distance).text === '*' && !isFirst ? 1 : 0
    const name = cursor.peek(distance + star).type
    if (star === 0 && type !== 'name' && type !== 'instance') return false
    if (name !== 'name' && name !== 'instance') return false
    const after = cursor.peek(distance + star + 1)
    if (after.type !== 'operator') return false
    if (after.text === '=') return !isFirst
    if (after.text !== ',') return false
    distance += star + 2
  }
}

function parseTarget(cursor: Cursor): Target {
  const token = cursor.next()
  if (token.type === 'instance') return { kind: 'instance', name: token.text }
  if (token.type !== 'name') cursor.refuse('expected a variable')
  cursor.variables.add(token.text)
  return { kind: 'variable', name: token.text, line: token.line }
}
