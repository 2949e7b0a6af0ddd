import type { Cursor } from './cursor.ts'
import { parseGuarded } from './parse-rescue.ts'
import type { Node, Target, WhenNode } from './syntax.ts'

const NOTHING: Node = { kind: 'literal', value: null }

/** Parses what begins with a keyword: constants, branches, loops; refuses keywords that are not supported. */
export function parseKeyword(cursor: Cursor): Node {
  const { text, line } = cursor.next()
  if (text === 'nil') return NOTHING
  if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' }
  if (text === 'break' || text === 'next' || (text === 'return' && cursor.isInMethod))
    return { kind: 'leave', how: text, value: parseLeaving(cursor), line }
  if (text === 'defined?') return cursor.within(() => ({ kind: 'defined', value: parseDefined(cursor) }))
  const rule = RULES.get(text)
  if (rule !== undefined)
    return cursor.within(() => inStatements(cursor, () => cursor.opened({ text, line }, () => rule(cursor))), true)
  if (['end', 'else', 'elsif', 'when', 'then', 'do', 'in', 'and', 'or', 'not'].includes(text))
    return cursor.refuse(`unexpected ${text}`, false)
  return cursor.refuse(`${text} is not offered`, false)
}

const RULES: ReadonlyMap<string, (cursor: Cursor) => Node> = new Map([
  ['if', (cursor) => parseBranches(cursor, false)],
  ['unless', (cursor) => parseBranches(cursor, true)],
  ['while', (cursor) => loop(cursor, false)],
  ['until', (cursor) => loop(cursor, true)],
  ['for', parseFor],
  ['case', parseCase],
  ['begin', begin],
  ['def', parseMethod],
])

function inStatements(cursor: Cursor, rule: () => Node): Node {
  const before = cursor.takesLists
  cursor.takesLists = true
  const node = rule()
  cursor.takesLists = before
  return node
}

function parseLeaving(cursor: Cursor): Node {
  const isBare = cursor.is('line') || cursor.is('close') || cursor.is('end') || cursor.is('text')
  if (isBare || (cursor.is('keyword') && !cursor.isKeyword('nil', 'true', 'false')) || cursor.isOperator('}', ')', ':'))
    return NOTHING
  return cursor.grammar.expression(cursor)
}

/** Parses the operand of `defined?`; in parentheses only what is inside them. */
function parseDefined(cursor: Cursor): Node {
  if (!cursor.accept('(')) return cursor.grammar.expression(cursor)
  const node = cursor.grammar.expression(cursor)
  cursor.expect(')')
  return node
}

function parseBranches(cursor: Cursor, inverted: boolean): Node {
  const test = cursor.grammar.statement(cursor)
  cursor.accept('then')
  const yes = cursor.grammar.body(cursor, ['elsif', 'else', 'end'])
  const no = parseAlternative(cursor)
  return inverted ? { kind: 'if', test, yes: no, no: yes } : { kind: 'if', test, yes, no }
}

/** Parses what follows `elsif` or `else`, and the `end`. */
function parseAlternative(cursor: Cursor): Node {
  if (cursor.accept('elsif')) return cursor.within(() => parseBranches(cursor, false))
  const otherwise = cursor.accept('else') ? cursor.grammar.body(cursor, ['end']) : NOTHING
  cursor.expect('end')
  return otherwise
}

function loop(cursor: Cursor, until: boolean): Node {
  const test = cursor.within(() => cursor.grammar.statement(cursor), false)
  cursor.accept('do')
  const body = cursor.grammar.body(cursor, ['end'])
  cursor.expect('end')
  return { kind: 'while', test, until, body, first: false }
}

function parseFor(cursor: Cursor): Node {
  const { line } = cursor
  const targets: Target[] = []
  do {
    if (!cursor.is('name')) cursor.refuse('expected a variable')
    const { text: name } = cursor.next()
    cursor.variables.add(name)
    targets.push({ kind: 'variable', name, line })
  } while (cursor.accept(','))
  cursor.expect('in')
  const list = cursor.within(() => cursor.grammar.expression(cursor), false)
  cursor.accept('do')
  const body = cursor.grammar.body(cursor, ['end'])
  cursor.expect('end')
  const [only] = targets
  const target: Target = targets.length === 1 && only !== undefined ? only : { kind: 'several', targets }
  return { kind: 'for', target, list, body, line }
}

function parseCase(cursor: Cursor): Node {
  const subject =
    cursor.is('line') || cursor.is('close') || cursor.isKeyword('when') ? null : cursor.grammar.expression(cursor)
  cursor.skipSeparators()
  while (cursor.is('text') && cursor.token.text.trim() === '') {
    cursor.next()
    cursor.skipSeparators()
  }
  const whens: WhenNode[] = []
  while (cursor.accept('when')) whens.push(parseWhen(cursor))
  if (whens.length === 0) cursor.refuse('expected when')
  const otherwise = cursor.accept('else') ? cursor.grammar.body(cursor, ['end']) : NOTHING
  cursor.expect('end')
  return { kind: 'case', subject, whens, otherwise }
}

function parseWhen(cursor: Cursor): WhenNode {
  const values: Node[] = []
  do {
    cursor.skipLines()
    const isSplat = cursor.accept('*')
    const value = cursor.grammar.expression(cursor)
    values.push(isSplat ? { kind: 'splat', value } : value)
  } while (cursor.accept(','))
  cursor.accept('then')
  return { values, body: cursor.grammar.body(cursor, ['when', 'else', 'end']) }
}

/** Parses `def name(a, b = 1) … end` or `def name(a) = value`: a function of the template, which sees no variables around it. */
function parseMethod(cursor: Cursor): Node {
  if (!cursor.is('name')) cursor.refuse('expected the name of a method')
  const { text: name } = cursor.next()
  cursor.methods.add(name)
  const block = cursor.inMethod(() => ({
    parameters: cursor.grammar.parameters(cursor),
    body: cursor.accept('=') ? cursor.grammar.expression(cursor) : parseGuarded(cursor),
  }))
  return { kind: 'def', name, block }
}

function begin(cursor: Cursor): Node {
  return { kind: 'sequence', nodes: [parseGuarded(cursor)] }
}
