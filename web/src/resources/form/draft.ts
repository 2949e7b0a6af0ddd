import type { FormField } from '../description.ts'
import type { FormValue, FormValues } from './values.ts'

/** What is kept of a form: what somebody has typed, and what the record was when they began. */
export interface Kept {
  readonly values: FormValues
  readonly etag: string | null
}

/** What has been typed and may be kept: neither secrets, nor what may hold one. */
export function draftOf(fields: readonly FormField[], values: FormValues, begun: FormValues): FormValues {
  const isTyped = ({ key }: FormField) => JSON.stringify(values[key]) !== JSON.stringify(begun[key])
  const kept = fields.filter((field) => isTyped(field) && !maySecret(field, values))
  return Object.fromEntries(kept.map(({ key }) => [key, values[key] ?? '']))
}

/** What was kept, as far as the form still has such fields. */
export function readDraft(fields: readonly FormField[], found: unknown): Kept | null {
  if (found === null) return null
  const { values, etag } = found as Kept // nothing else is kept
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
