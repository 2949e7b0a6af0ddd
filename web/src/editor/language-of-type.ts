import type { Language } from './languages.ts'

/** The language that a value of a type is typed in; null where it is just text. */
export function languageOfType(type: string | null | undefined, text: string): Language | null {
  if (type === 'json' || type === 'yaml') return type
  if (type !== 'array' && type !== 'hash') return null
  // Both are read as YAML; who begins as in JSON is told what is wrong with that.
  return /^\s*[[{]/.test(text) ? 'json' : 'yaml'
}
