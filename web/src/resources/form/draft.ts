import type { FormField } from '../description.ts'
import { type FormValue, type FormValues, isRows, type Row } from './values.ts'

/** A kept draft of a form: the typed values, and the tag of the record when editing began. */
export interface Kept {
  readonly values: FormValues
  readonly etag: string | null
}

/** Yields the typed values that may be kept: no secrets, and nothing that may contain one. */
export function draftOf(fields: readonly FormField[], values: FormValues, initial: FormValues): FormValues {
  const isTyped = ({ key }: FormField) => JSON.stringify(values[key]) !== JSON.stringify(initial[key])
  const kept = fields.filter((field) => isTyped(field) && !maySecret(field, values))
  return Object.fromEntries(
    kept.map((field) => [field.key, keptOf(field, values[field.key] ?? '', initial[field.key])]),
  )
}

/** Reads a kept draft, without fields that the form no longer has; null where there is none. */
export function readDraft(fields: readonly FormField[], found: unknown): Kept | null {
  if (found === null) return null
  const { values, etag } = found as Kept // only drafts are kept under this key
  const known = new Map(fields.map((field) => [field.key, field.fields !== undefined]))
  const entries = Object.entries(values).filter(([key, value]) => known.get(key) === isRows(value))
  return entries.length === 0 ? null : { values: Object.fromEntries(entries), etag }
}

/** Yields what may be kept of a value: in rows, everything but secrets, which are again as they were. */
function keptOf({ fields = [] }: FormField, value: FormValue, initial: FormValue | undefined): FormValue {
  if (!isRows(value)) return value
  const before = new Map(isRows(initial) ? initial.rows.map((row) => [row.key, row.values]) : [])
  const readCell = (row: Row, field: FormField) => {
    const known = before.get(row.key)?.[field.key]
    const isKept = !maySecret(field, row.values) && !(field.widget === 'value' && speaksOfSecret(nameOf(row)))
    return isKept ? keptOf(field, row.values[field.key] ?? '', known) : (known ?? '')
  }
  const valuesOf = (row: Row) => Object.fromEntries(fields.map((field) => [field.key, readCell(row, field)]))
  return { rows: value.rows.map((row) => ({ ...row, values: valuesOf(row) })) }
}

function nameOf({ values }: Row): string {
  return textOf(values.name)
}

function speaksOfSecret(text: string): boolean {
  return /hidden|pass|secret|token|otp|private/i.test(text)
}

function maySecret({ key, widget }: FormField, values: FormValues): boolean {
  if (widget === 'secret') return true
  if (widget === 'json') return speaksOfSecret(textOf(values[key]))
  return values.hidden_value === true && /value$/.test(key) && key !== 'hidden_value'
}

function textOf(value: FormValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
