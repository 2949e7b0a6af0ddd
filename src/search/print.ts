import type { Operator, Query } from './query.ts'
import { isPlainWord } from './tokens.ts'

/** Formats a tree so that parsing yields an equal tree: `parseSearch(printSearch(query))` equals `query`. */
export function printSearch(query: Query): string {
  if (query.kind !== 'and' && query.kind !== 'or') return printSingle(query)
  return query.operands.map((operand) => printSingle(operand)).join(query.kind === 'and' ? ' and ' : ' or ')
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
function printSingle(query: Query): string {
  switch (query.kind) {
    case 'and':
    case 'or':
      return `(${printSearch(query)})`
    case 'not':
      return `not ${printSingle(query.operand)}`
    case 'has':
      return `has ${printWord(query.field)}`
    case 'null':
      return `null? ${printWord(query.field)}`
    case 'word':
      return printWord(query.value)
    case 'compare': {
      const field = query.field === null ? '' : `${printWord(query.field)} `
      return `${field}${SIGNS[query.operator]} ${printOperand(query.operator, query.value)}`
    }
  }
}

function printOperand(operator: Operator, value: string): string {
  if (operator !== 'in' && operator !== 'notin') return printWord(value)
  return `(${value.split(',').map(printWord).join(', ')})`
}

/** Formats a name or value so that parsing yields it: in quotes where it is no plain word. */
export function printWord(text: string): string {
  return isPlainWord(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}
