import type { Operator, Query } from './query.ts'
import { isPlainWord } from './tokens.ts'

/** Formats a tree so that parsing yields an equal tree: `parseSearch(printSearch(query))` equals `query`. */
export function printSearch(query: Query): string {
  if (query.kind !== 'and' && query.kind !== 'or') return single(query)
  return query.operands.map((operand) => single(operand)).join(query.kind === 'and' ? ' and ' : ' or ')
}

const SIGNS: Readonly<Record<Operator, string>> = {
  eq: '=',
  ne: '!=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: '~',
  unlike: '!~',
  in: '^',
  notin: '!^',
}

// Formats one term: joined conditions get parentheses, because "and" and "or" have no precedence over each other.
function single(query: Query): string {
  switch (query.kind) {
    case 'and':
    case 'or':
      return `(${printSearch(query)})`
    case 'not':
      return `not ${single(query.operand)}`
    case 'has':
      return `has ${word(query.field)}`
    case 'null':
      return `null? ${word(query.field)}`
    case 'word':
      return word(query.value)
    case 'compare': {
      const field = query.field === null ? '' : `${word(query.field)} `
      return `${field}${SIGNS[query.operator]} ${operand(query.operator, query.value)}`
    }
  }
}

function operand(operator: Operator, value: string): string {
  if (operator !== 'in' && operator !== 'notin') return word(value)
  return `(${value.split(',').map(word).join(', ')})`
}

function word(text: string): string {
  return isPlainWord(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}
