import { MAX_LENGTH } from '../search/query.ts'
import { type Token, tokenize } from '../search/tokens.ts'
import { createAnyValueTranslator, createValueTranslator, type Into, translateName } from './names.ts'
import { COMPARED_BY_ID, SEARCHED_BY } from './table.ts'

/**
 * A search in the words of the other side: names of fields, and the words that are values of some fields. What people
 * look for stays as it is. A search that is kept for later may be one of any resource: null.
 */
export function translateSearch(into: Into, search: string, resource: string | null): string {
  if (search.includes('\0') || search.length > MAX_LENGTH) return search // which is refused later, as it was sent
  let result = ''
  let from = 0
  let listed: string | null = null
  const tokens = tokenize(search)
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'value') {
      listed = listFieldAt(tokens, index, listed)
      continue
    }
    const text = listed === null ? wordFor(into, tokens, index, resource) : valueIn(into, listed, token.text, resource)
    if (text === null || text === token.text) continue
    const quoted = search.charAt(token.at) === '"' || /[\s,()]/.test(text)
    result += search.slice(from, token.at) + (quoted ? `"${text.replace(/["\\]/g, '\\$&')}"` : text)
    from = token.end
  }
  return from === 0 ? search : result + search.slice(from)
}

/** An order: a field, then its direction. */
export function translateOrder(into: Into, order: string): string {
  return order.replace(/\S+/, (field) => fieldIn(into, field))
}

/** The field at the end of a search, where one has just been begun or suggested there. */
export function translateLastField(into: Into, search: string): string {
  if (search.length > MAX_LENGTH) return search
  const tokens = tokenize(search)
  const last = tokens.at(-1)
  if (last?.type !== 'value' || fieldOf(tokens, tokens.length - 1) !== null) return search
  return search.slice(0, last.at) + fieldIn(into, search.slice(last.at, last.end)) + search.slice(last.end)
}

function wordFor(into: Into, tokens: readonly Token[], index: number, resource: string | null): string | null {
  const token = tokens[index]
  if (token?.type !== 'value') return null
  if (isField(tokens, index)) return another(into, token.text, resource) ?? fieldIn(into, token.text)
  const field = fieldOf(tokens, index)
  return field === null ? null : valueIn(into, field, token.text, resource)
}

function valueIn(into: Into, field: string, text: string, resource: string | null): string | null {
  const ours = fieldIn('ours', field)
  const word = resource === null ? createAnyValueTranslator(into, ours) : createValueTranslator(into, ours, resource)
  return word?.(text) ?? null
}

/** The field that the values up to the next parenthesis are compared with: `field ^ (a, b)`. */
function listFieldAt(tokens: readonly Token[], index: number, listed: string | null): string | null {
  const token = tokens[index]
  if (token?.type !== 'symbol' || token.symbol === 'comma') return listed
  const operator = tokens[index - 1]
  const isList = operator?.type === 'symbol' && (operator.symbol === 'in' || operator.symbol === 'notin')
  return token.symbol === 'lparen' && isList ? fieldOf(tokens, index) : null
}

/** What is compared with another field of ours than the one of that name. */
function another(into: Into, field: string, resource: string | null): string | null {
  if (into === 'theirs' || resource === null) return null
  return COMPARED_BY_ID[resource]?.includes(field) ? `${field}_id` : (SEARCHED_BY[resource]?.[field] ?? null)
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
  return dot < 0 ? translateName(into, field) : translateName(into, field.slice(0, dot)) + field.slice(dot)
}

const COMPARING: ReadonlySet<string> = new Set(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'unlike', 'in', 'notin'])
