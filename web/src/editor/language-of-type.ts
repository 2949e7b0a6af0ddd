import type { Language } from './languages.ts'

/** Yields the language of values of a type; null for plain text. */
export function languageOfType(type: string | null | undefined, text: string): Language | null {
  if (type === 'json' || type === 'yaml') return type
  if (type !== 'array' && type !== 'hash') return null
  // Both types are parsed as YAML; a text that begins like JSON is checked as JSON, for better messages.
  return /^\s*[[{]/.test(text) ? 'json' : 'yaml'
}
