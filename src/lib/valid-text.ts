import { withoutMark } from './key-order.ts'

/** Tells whether the database can store all texts within a value: none has the NUL character or an unpaired surrogate. */
export function isValidText(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, part]) => isValidText(withoutMark(key)) && isValidText(part))
}
