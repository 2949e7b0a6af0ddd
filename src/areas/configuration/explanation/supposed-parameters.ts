import { isTemplate } from '../../../classification/cast.ts'
import { readExactly } from '../../../database/exact.ts'
import { printExact } from '../../../database/key-order.ts'
import { invalid } from '../../../errors.ts'
import type { Sent } from '../../../kernel/index.ts'

/**
 * Lists the items for sent parameters, with types that keep their values. Templates are refused: they could read what the
 * caller may not see.
 */
export function listParameters(parameters: Sent): Sent[] {
  return Object.keys(parameters).map((name) => {
    const value = readExactly(parameters, name)
    const text = typeof value === 'string' ? value : printExact(value)
    if (isTemplate(text)) throw invalid({ parameters: [`${name}: templates are not rendered for what is supposed`] })
    return { name, parameter_type: typeOf(value, text), value: text }
  })
}

function typeOf(value: unknown, text: string): string {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (Array.isArray(value)) return 'array'
  if (text.startsWith('{')) return 'hash'
  return /^-?\d+$/.test(text) ? 'integer' : text === 'null' ? 'json' : 'real'
}
