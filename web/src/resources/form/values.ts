import { t } from '../../words/words.ts'
import type { FormField } from '../description.ts'
import { type ApiRecord, findResourceOfType } from '../resources.ts'

/** The value of a field: a text as it was typed, so that nothing is lost, a switch, or chosen records. */
export type FormValue = string | boolean | readonly Chosen[]
export type FormValues = Readonly<Record<string, FormValue>>

/** A record that a field refers to. */
export interface Chosen {
  readonly id: number
  readonly text: string
}

/** Yields the initial values of a form: those of a record, or the defaults of a new one. */
export function valuesOf(fields: readonly FormField[], record: ApiRecord | null): FormValues {
  return Object.fromEntries(fields.map((field) => [field.key, formValueOf(field, record)]))
}

function formValueOf(field: FormField, record: ApiRecord | null): FormValue {
  const stored = record === null ? field.initial : record[field.key]
  switch (field.widget) {
    case 'reference': {
      const text = record?.[field.key.replace(/_id$/, '_name')] ?? stored
      return typeof stored === 'number' ? [{ id: stored, text: String(text) }] : []
    }
    case 'references':
      return referencesOf(field, record)
    case 'switch':
      return stored === true
    case 'secret':
      return ''
    case 'values':
      return Array.isArray(stored) ? stored.join('\n') : ''
    case 'json':
      return stored === undefined || stored === null ? '' : JSON.stringify(stored, null, 2)
    case 'value':
      return typedTextOf(stored)
    default:
      if (typeof stored === 'object' && stored !== null) return JSON.stringify(stored)
      return stored === undefined || stored === null ? '' : String(stored)
  }
}

/** Formats a value of any type for editing. */
export function typedTextOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/** Yields the referenced records: those of `operatingsystem_ids` are under `operatingsystems`. */
function referencesOf({ key, target = '' }: FormField, record: ApiRecord | null): readonly Chosen[] {
  const base = key.replace(/_ids$/, '')
  const list = [`${base}s`, base, base.replace(/y$/, 'ies'), `${base}es`, target]
    .map((name) => record?.[name])
    .find(Array.isArray)
  return (list ?? []).flatMap((one: ApiRecord) =>
    typeof one.id === 'number' ? [{ id: one.id, text: String(one.title ?? one.name ?? one.login ?? one.id) }] : [],
  )
}

/** Yields a field as it is with these values: an id that names one of several kinds is chosen among those of its kind. */
export function withTarget(field: FormField, values: FormValues): FormField {
  const kind = field.kindKey === undefined ? undefined : values[field.kindKey]
  const target = typeof kind === 'string' ? findResourceOfType(kind)?.plural : undefined
  return target === undefined ? field : { ...field, target }
}

/** Yields the values after a field was changed: an id goes together with its kind. */
export function withChange(
  fields: readonly FormField[],
  all: FormValues,
  { key, kindKey }: FormField,
  value: FormValue,
) {
  const ids = fields.filter((one) => one.kindKey === key).map((one) => [one.key, []] as const)
  const kind = fields.find((one) => one.key === kindKey)
  const isUntold = kind !== undefined && all[kind.key] === '' && Array.isArray(value) && value.length > 0
  return {
    ...all,
    ...Object.fromEntries(ids),
    ...(isUntold && { [kind.key]: kind.choices?.[0] ?? '' }),
    [key]: value,
  }
}

export type Body = Record<string, unknown>

/**
 * Builds the body of a request from what differs from the initial values. Fields that cannot be parsed are listed instead.
 */
export function bodyOf(
  fields: readonly FormField[],
  values: FormValues,
  before: FormValues,
): { readonly body: Body; readonly mistakes: Readonly<Record<string, readonly string[]>> } {
  const body: Body = {}
  const mistakes: Record<string, string[]> = {}
  for (const field of fields) {
    const value = values[field.key]
    const isSame = (key: string) => JSON.stringify(values[key]) === JSON.stringify(before[key])
    if (value === undefined || (isSame(field.key) && isSame(field.kindKey ?? field.key))) continue
    try {
      body[field.key] = sentOf(field, value)
    } catch (error) {
      mistakes[field.key] = [error instanceof Error ? error.message : String(error)]
    }
  }
  return { body, mistakes }
}

function sentOf(field: FormField, value: FormValue): unknown {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string')
    return field.widget === 'reference' ? (value[0]?.id ?? null) : value.map(({ id }) => id)
  if (field.widget === 'values') return value.split('\n').filter((line) => line.trim() !== '')
  if (value === '') return field.nullable ? null : ''
  if (field.widget === 'json') return readJson(value)
  if (field.widget !== 'number') return value
  const number = Number(value)
  if (Number.isNaN(number)) throw new Error(t('form.number'))
  return number
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(t('form.json', { reason: error instanceof Error ? error.message : '' }))
  }
}
