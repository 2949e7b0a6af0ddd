import type { FormField } from '../description.ts'
import type { FormValue, FormValues } from './values.ts'

/** A kept draft of a form: the typed values, and the tag of the record when editing began. */
export interface Kept {
  readonly values: FormValues
  readonly etag: string | null
}

/** Yields the typed values that may be kept: no secrets, and nothing that may contain one. */
export function draftOf(fields: readonly FormField[], values: FormValues, begun: FormValues): FormValues {
  const isTyped = ({ key }: FormField) => JSON.stringify(values[key]) !== JSON.stringify(begun[key])
  const kept = fields.filter((field) => isTyped(field) && !maySecret(field, values))
  return Object.fromEntries(kept.map(({ key }) => [key, values[key] ?? '']))
}

/** Reads a kept draft, without fields that the form no longer has; null where there is none. */
export function readDraft(fields: readonly FormField[], found: unknown): Kept | null {
  if (found === null) return null
  const { values, etag } = found as Kept // only drafts are kept under this key
  const keys = new Set(fields.map(({ key }) => key))
  const entries = Object.entries(values).filter(([key]) => keys.has(key))
  return entries.length === 0 ? null : { values: Object.fromEntries(entries), etag }
}

function maySecret({ key, widget }: FormField, values: FormValues): boolean {
  if (widget === 'secret') return true
  if (widget === 'json') return /hidden|pass|secret|token|otp|private/i.test(textOf(values[key]))
  return values.hidden_value === true && /value$/.test(key) && key !== 'hidden_value'
}

function textOf(value: FormValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
