import type { Cursor } from './cursor.ts'
import type { Node, RescueNode, Target } from './syntax.ts'

/** Parses statements including their `end`, with `rescue`, `else` and `ensure` before it. */
export function parseGuarded(cursor: Cursor): Node {
  const body = cursor.grammar.body(cursor, ['end', 'rescue', 'else', 'ensure'])
  const rescues: RescueNode[] = []
  while (cursor.accept('rescue')) rescues.push(rescue(cursor))
  if (rescues.length === 0 && cursor.isKeyword('else')) cursor.refuse('unexpected else', false)
  const otherwise = cursor.accept('else') ? cursor.grammar.body(cursor, ['ensure', 'end']) : null
  const always = cursor.accept('ensure') ? cursor.grammar.body(cursor, ['end']) : null
  cursor.expect('end')
  return rescues.length === 0 && always === null ? body : { kind: 'rescue', body, rescues, otherwise, always }
}

/** Parses `rescue` or `rescue StandardError => e`. There is one kind of errors, which every name stands for. */
function rescue(cursor: Cursor): RescueNode {
  while (cursor.is('constant')) {
    cursor.next()
    while (cursor.accept('::')) cursor.next()
    if (!cursor.accept(',')) break
  }
  const target = cursor.accept('=>') ? parseVariable(cursor) : null
  cursor.accept('then')
  return { target, body: cursor.grammar.body(cursor, ['rescue', 'else', 'ensure', 'end']) }
}

function parseVariable(cursor: Cursor): Target {
  const { type, text: name, line } = cursor.token
  if (type !== 'name' && type !== 'instance') cursor.refuse('expected a variable')
  cursor.next()
  if (type === 'instance') return { kind: 'instance', name }
  cursor.variables.add(name)
  return { kind: 'variable', name, line }
}
