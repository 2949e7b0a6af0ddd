import { labelOf } from '../../words/words.ts'
import type { FormField } from '../description.ts'
import { cellKeyOf, type FormValues, isRows, type Messages } from './values.ts'

/** The item of a list that a request was refused for: its list, and its place there. */
export type RefusedItem = Readonly<Record<string, number>>

interface Refused {
  readonly found: Messages
  readonly item: RefusedItem
}

/**
 * Assigns the messages of the API to the places where the values were typed: those about `operatingsystem` belong to the
 * field `operatingsystem_id`, and those about `interfaces.mac` to the cell of the item that the answer names.
 */
export function placeMessages(fields: readonly FormField[], values: FormValues, { found, item }: Refused) {
  const placed: Record<string, readonly string[]> = {}
  const others: Record<string, readonly string[]> = {}
  for (const [key, messages] of Object.entries(found)) {
    const place = placeOf(fields, values, key, item)
    if (place === null) others[key] = messages
    else placed[place.key] = [...(placed[place.key] ?? []), ...messages.map((one) => `${place.about}${one}`)]
  }
  return { placed, others }
}

interface MessagePlace {
  readonly key: string
  /** What messages are about, where they stand beside more than that. */
  readonly about: string
}

function placeOf(
  fields: readonly FormField[],
  values: FormValues,
  key: string,
  item: RefusedItem,
): MessagePlace | null {
  const own = fieldOf(fields, key)
  if (own !== undefined) return { key: own, about: '' }
  // A mistake that was found here has the key of its cell.
  const list = fields.find((field) => field.fields && key.startsWith(`${field.key}.`))
  if (list) return { key, about: '' }
  const [word = '', ...rest] = key.split('.')
  const nested = fields.find((field) => field.fields && field.key.replace(/_attributes$/, '') === word)
  if (nested) return placeInRows(nested, values, rest.join('.'), item[nested.key])
  for (const group of fields) {
    const inner = group.widget === 'group' ? fieldOf(group.fields ?? [], key) : undefined
    if (inner !== undefined) return { key: cellKeyOf(group.key, { row: 'group', key: inner }), about: '' }
  }
  return null
}

function placeInRows(field: FormField, values: FormValues, column: string, place: number | undefined): MessagePlace {
  const inner = fieldOf(field.fields ?? [], column)
  const value = values[field.key]
  const row = isRows(value) && place !== undefined ? value.rows[place] : undefined
  if (inner !== undefined && row) return { key: cellKeyOf(field.key, { row: row.key, key: inner }), about: '' }
  return { key: field.key, about: column === '' || column === 'base' ? '' : `${labelOf(inner ?? column)}: ` }
}

/** Finds the field that messages under a key of an answer are about. */
function fieldOf(fields: readonly FormField[], key: string): string | undefined {
  const singular = key.replace(/ies$/, 'y').replace(/(ss)es$|s$/, '$1')
  return [key, `${key}_id`, `${singular}_ids`].find((one) => fields.some((field) => field.key === one))
}
