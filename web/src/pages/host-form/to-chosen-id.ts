import type { FormValue } from '../../resources/form/values.ts'

/** Yields the id of the record that a field refers to; null for none. */
export function toChosenId(value: FormValue | undefined): number | null {
  return Array.isArray(value) ? (value[0]?.id ?? null) : null
}
