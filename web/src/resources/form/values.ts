import { t } from '../../words/words.ts'
import type { FormField } from '../description.ts'
import { type ApiRecord, findResourceOfType } from '../resources.ts'

/** The value of a field: a text as it was typed, so that nothing is lost, a switch, chosen records, or rows of values. */
export type FormValue = string | boolean | readonly Chosen[] | Rows
export type FormValues = Readonly<Record<string, FormValue>>

/** Messages by the key of their field; those about a cell by that of the field, the row and the column. */
export type Messages = Readonly<Record<string, readonly string[]>>

/** A row of a list as it is edited. */
export interface Row {
  /** Names the row as long as it is edited. */
  readonly key: string
  /** The id of the record; null for a new one, and where rows are no records. */
  readonly id: number | null
  readonly values: FormValues
}

/** The rows of a list; a group of fields is a single one. */
export interface Rows {
  readonly rows: readonly Row[]
}

/** The place of a value within the rows of a field. */
export interface CellPlace {
  readonly row: string
  readonly key: string
}

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
  // Records show what is yes or no with a question mark, where existing clients expect one.
  const stored = record === null ? field.initial : (record[field.key] ?? record[`${field.key}?`])
  switch (field.widget) {
    case 'reference':
      return referenceOf(field, record, stored)
    case 'rows':
    case 'group':
    case 'entries':
      return rowsOf(field, record)
    case 'references':
      return referencesOf(field, record)
    case 'switch':
      return stored === true
    case 'secret':
      return ''
    case 'values':
      return Array.isArray(stored) ? stored.join('\n') : String(stored ?? '').replace(/, */g, '\n')
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

/** Yields the referenced record: that of `subnet_id` has its name beside the id, or is there as a whole. */
function referenceOf({ key }: FormField, record: ApiRecord | null, stored: unknown): readonly Chosen[] {
  const base = key.replace(/_id$/, '')
  const whole = record?.[base]
  const { id, name }: ApiRecord = typeof whole === 'object' && whole !== null ? { ...whole } : {}
  const found = stored ?? id
  return typeof found === 'number'
    ? [{ id: found, text: String(record?.[`${base}_title`] ?? record?.[`${base}_name`] ?? name ?? found) }]
    : []
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
): { readonly body: Body; readonly mistakes: Messages } {
  const body: Body = {}
  const mistakes: Record<string, readonly string[]> = {}
  for (const field of fields) {
    const value = values[field.key]
    const isSame = (key: string) => JSON.stringify(values[key]) === JSON.stringify(before[key])
    if (value === undefined || (isSame(field.key) && isSame(field.kindKey ?? field.key))) continue
    if (isRows(value)) {
      const known = before[field.key]
      const { sent, mistakes: found } = sentOfRows(field, value, isRows(known) ? known : null)
      body[field.key] = sent
      Object.assign(mistakes, found)
      continue
    }
    try {
      body[field.key] = sentOf(field, value)
    } catch (error) {
      mistakes[field.key] = [error instanceof Error ? error.message : String(error)]
    }
  }
  return { body, mistakes }
}

function sentOf(field: FormField, value: Exclude<FormValue, Rows>): unknown {
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

// Values with values inside: lists of objects, groups of fields, and objects with any keys.

export function isRows(value: FormValue | undefined): value is Rows {
  return typeof value === 'object' && 'rows' in value
}

/** Yields the rows of a field in a record; null for a new record. */
function rowsOf(field: FormField, record: ApiRecord | null): Rows {
  const fields = field.fields ?? []
  const stored = record?.[field.from ?? field.key]
  if (field.widget === 'group')
    return { rows: [{ key: 'group', id: null, values: valuesOf(fields, recordOf(stored)) }] }
  if (field.widget === 'entries') {
    const entries = Object.entries(recordOf(stored) ?? {})
    return { rows: entries.map(([name, value], place) => rowOf(fields, { name, value: textOfEntry(value) }, place)) }
  }
  return { rows: (Array.isArray(stored) ? stored : []).map((item, place) => rowOf(fields, item, place)) }
}

/** Adds a row, with the values that a new one begins with. */
export function withRow({ rows }: Rows, fields: readonly FormField[]): Rows {
  const numbers = rows.map(({ key }) => Number(/^new-(\d+)$/.exec(key)?.[1] ?? 0))
  const key = `new-${Math.max(0, ...numbers) + 1}`
  return { rows: [...rows, { key, id: null, values: valuesOf(fields, null) }] }
}

/** The key under which messages about a cell are kept. */
export function cellKeyOf(field: string, { row, key }: CellPlace): string {
  return `${field}.${row}.${key}`
}

/** Builds what is sent for rows, and tells at which cells something cannot be. */
function sentOfRows(
  field: FormField,
  { rows }: Rows,
  before: Rows | null,
): { readonly sent: unknown; readonly mistakes: Messages } {
  const fields = field.fields ?? []
  const mistakes: Record<string, readonly string[]> = {}
  const addMistake = (row: Row, key: string, messages: readonly string[]) => {
    mistakes[cellKeyOf(field.key, { row: row.key, key })] = messages
  }
  const read = (row: Row, known: FormValues): Body => {
    const { body, mistakes: found } = bodyOf(fields, row.values, known)
    for (const [key, messages] of Object.entries(found)) addMistake(row, key, messages)
    return body
  }
  const stored = new Map(before?.rows.map((row) => [row.key, row]))
  if (field.widget === 'group') {
    const [group] = rows
    return { sent: group ? read(group, stored.get(group.key)?.values ?? {}) : {}, mistakes }
  }
  if (field.isParts) {
    const begin = valuesOf(fields, null)
    const optional = Object.fromEntries(
      fields.flatMap(({ key, required }) => (required ? [] : [[key, begin[key] ?? '']])),
    )
    const items = rows.map((row) =>
      row.id === null ? read(row, optional) : { id: row.id, ...read(row, stored.get(row.key)?.values ?? {}) },
    )
    const kept = new Set(rows.map(({ key }) => key))
    const gone = (before?.rows ?? []).filter(({ key }) => !kept.has(key))
    return { sent: [...items, ...gone.map(({ id }) => ({ id, _destroy: true }))], mistakes }
  }
  for (const row of rows)
    for (const { key, required } of fields)
      if (required && isBlank(row.values[key])) addMistake(row, key, [t('form.required')])
  if (field.widget !== 'entries') return { sent: rows.map((row) => putAround(fields, read(row, {}), row)), mistakes }
  for (const row of rows) {
    if (rows.some((other) => other !== row && other.values.name === row.values.name))
      addMistake(row, 'name', [t('form.rows.twice')])
  }
  return { sent: Object.fromEntries(rows.map((row) => [row.values.name, entryOf(fields, row, read)])), mistakes }
}

/** Puts values into the objects that are around them; what is blank and not needed is left out. */
function putAround(fields: readonly FormField[], body: Body, { values }: Row): Body {
  const whole: Record<string, unknown> = {}
  for (const { key, path = [], required } of fields) {
    if (body[key] === undefined || (!required && isBlank(values[key]))) continue
    let inner = whole
    for (const step of path) {
      inner[step] ??= {}
      inner = inner[step] as Record<string, unknown> // the line above has made it
    }
    inner[key] = body[key]
  }
  return whole
}

function entryOf(fields: readonly FormField[], row: Row, read: (row: Row, known: FormValues) => Body): unknown {
  const { value } = row.values
  if (fields.some(({ key, widget }) => key === 'value' && widget === 'number')) return read(row, {}).value
  try {
    return JSON.parse(String(value))
  } catch {
    return value
  }
}

/** Formats a value as it is typed: JSON, or a text that is none. */
function textOfEntry(value: unknown): unknown {
  if (typeof value !== 'string') return value === null ? 'null' : value
  try {
    JSON.parse(value)
    return JSON.stringify(value)
  } catch {
    return value === '' ? '""' : value
  }
}

function rowOf(fields: readonly FormField[], item: unknown, place: number): Row {
  const record = recordOf(item) ?? {}
  const id = typeof record.id === 'number' ? record.id : null
  const flat = Object.assign(
    { ...record },
    ...fields.map(({ key, path }) => path && { [key]: path.reduce(openInside, record)[key] }),
  )
  return { key: id === null ? `at-${place}` : `id-${id}`, id, values: valuesOf(fields, flat) }
}

function openInside(record: ApiRecord, key: string): ApiRecord {
  return recordOf(record[key]) ?? {}
}

function recordOf(value: unknown): ApiRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

function isBlank(value: FormValue | undefined): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}
