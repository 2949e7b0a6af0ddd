import { MAX_LENGTH } from '../search/query.ts'
import { type Token, tokenize } from '../search/tokens.ts'
import { createAnyValueTranslator, createValueTranslator, type Into, translateName } from './names.ts'
import { COMPARED_BY_ID, SEARCHED_BY } from './table.ts'

/**
 * Translates the field names of a search, and values of fields that have other words; values that people wrote stay.
 * `resource` is null for a stored search, which may be for any resource.
 */
export function translateSearch(into: Into, search: string, resource: string | null): string {
  if (search.includes('\0') || search.length > MAX_LENGTH) return search // the search is refused later, as it was sent
  let result = ''
  let from = 0
  let listed: string | null = null
  const tokens = tokenize(search)
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'value') {
      listed = listFieldAt(tokens, index, listed)
      continue
    }
    const text =
      listed === null
        ? translateWord(into, tokens, index, resource)
        : translateValue(into, listed, token.text, resource)
    if (text === null || text === token.text) continue
    const quoted = search.charAt(token.at) === '"' || /[\s,()]/.test(text)
    result += search.slice(from, token.at) + (quoted ? `"${text.replace(/["\\]/g, '\\$&')}"` : text)
    from = token.end
  }
  return from === 0 ? search : result + search.slice(from)
}

/** Translates an order: a field and its direction. */
export function translateOrder(into: Into, order: string): string {
  return order.replace(/\S+/, (field) => translateField(into, field))
}

/** Translates the field at the end of a search, where one is being typed or suggested. */
export function translateLastField(into: Into, search: string): string {
  if (search.length > MAX_LENGTH) return search
  const tokens = tokenize(search)
  const last = tokens.at(-1)
  if (last?.type !== 'value' || fieldOf(tokens, tokens.length - 1) !== null) return search
  return search.slice(0, last.at) + translateField(into, search.slice(last.at, last.end)) + search.slice(last.end)
}

function translateWord(into: Into, tokens: readonly Token[], index: number, resource: string | null): string | null {
  const token = tokens[index]
  if (token?.type !== 'value') return null
  if (isField(tokens, index)) return findAnother(into, token.text, resource) ?? translateField(into, token.text)
  const field = fieldOf(tokens, index)
  return field === null ? null : translateValue(into, field, token.text, resource)
}

function translateValue(into: Into, field: string, text: string, resource: string | null): string | null {
  const ours = translateField('ours', field)
  const word = resource === null ? createAnyValueTranslator(into, ours) : createValueTranslator(into, ours, resource)
  return word?.(text) ?? null
}

/** Yields the field that the values of a list are compared with, up to its closing parenthesis: `field ^ (a, b)`. */
function listFieldAt(tokens: readonly Token[], index: number, listed: string | null): string | null {
  const token = tokens[index]
  if (token?.type !== 'symbol' || token.symbol === 'comma') return listed
  const operator = tokens[index - 1]
  const isList = operator?.type === 'symbol' && (operator.symbol === 'in' || operator.symbol === 'notin')
  return token.symbol === 'lparen' && isList ? fieldOf(tokens, index) : null
}

/** Yields the field of the other side whose name is not just a translation, such as `uuid` for the id of a task. */
function findAnother(into: Into, field: string, resource: string | null): string | null {
  if (into === 'theirs' || resource === null) return null
  return COMPARED_BY_ID[resource]?.includes(field) ? `${field}_id` : (SEARCHED_BY[resource]?.[field] ?? null)
}

/** Tells whether a token is a field: it is compared with something, or asked to be set. */
function isField(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]
  const after = tokens[index + 1]
  if (before?.type === 'symbol' && (before.symbol === 'notnull' || before.symbol === 'null')) return true
  return after?.type === 'symbol' && COMPARING.has(after.symbol)
}

/** Yields the field that a value is compared with. */
function fieldOf(tokens: readonly Token[], index: number): string | null {
  const operator = tokens[index - 1]
  const field = tokens[index - 2]
  if (operator?.type !== 'symbol' || !COMPARING.has(operator.symbol)) return null
  return field?.type === 'value' ? field.text : null
}

/** Translates a field name up to the first dot; behind it stands a name that users chose, such as that of a fact. */
function translateField(into: Into, field: string): string {
  const dot = field.indexOf('.')
  return dot < 0 ? translateName(into, field) : translateName(into, field.slice(0, dot)) + field.slice(dot)
}

const COMPARING: ReadonlySet<string> = new Set(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'unlike', 'in', 'notin'])
