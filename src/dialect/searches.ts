import { type Token, tokenize } from '../search/tokens.ts'
import { type Into, nameIn, valuesIn } from './names.ts'

/**
 * A search in the words of the other side: names of fields, and the words that are values of some fields. What people
 * look for stays as it is.
 */
export function searchIn(into: Into, search: string, resource: string): string {
  if (search.includes('\0')) return search // which is refused later, as it was sent
  let result = ''
  let from = 0
  const tokens = tokenize(search)
  for (const [index, token] of tokens.entries()) {
    const text = wordFor(into, tokens, index, resource)
    if (token.type !== 'value' || text === null || text === token.text) continue
    const quoted = search.charAt(token.at) === '"' || /[\s,()]/.test(text)
    result += search.slice(from, token.at) + (quoted ? `"${text}"` : text)
    from = token.end
  }
  return from === 0 ? search : result + search.slice(from)
}

/** An order: a field, then its direction. */
export function orderIn(into: Into, order: string): string {
  const [field = '', ...rest] = order.split(' ')
  return [fieldIn(into, field), ...rest].join(' ')
}

function wordFor(into: Into, tokens: readonly Token[], index: number, resource: string): string | null {
  const token = tokens[index]
  if (token?.type !== 'value') return null
  if (isField(tokens, index)) return fieldIn(into, token.text)
  const field = fieldOf(tokens, index)
  return field === null ? null : (valuesIn(into, fieldIn('ours', field), resource)?.(token.text) ?? null)
}

/** A value that something is compared with, or that is asked to be there. */
function isField(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]
  const after = tokens[index + 1]
  if (before?.type === 'symbol' && (before.symbol === 'notnull' || before.symbol === 'null')) return true
  return after?.type === 'symbol' && COMPARING.has(after.symbol)
}

/** The field that a value is compared with. */
function fieldOf(tokens: readonly Token[], index: number): string | null {
  const operator = tokens[index - 1]
  const field = tokens[index - 2]
  if (operator?.type !== 'symbol' || !COMPARING.has(operator.symbol)) return null
  return field?.type === 'value' ? field.text : null
}

/** Behind a dot stands what users have named: facts, parameters. */
function fieldIn(into: Into, field: string): string {
  const dot = field.indexOf('.')
  return dot < 0 ? nameIn(into, field) : nameIn(into, field.slice(0, dot)) + field.slice(dot)
}

const COMPARING: ReadonlySet<string> = new Set(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'unlike', 'in', 'notin'])
