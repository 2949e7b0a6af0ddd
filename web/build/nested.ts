import type { FormField } from '../src/resources/description.ts'
import { alternativesOf, type Schema, type SchemaReader, typeOf } from './schemas.ts'

interface Describing {
  readonly reader: SchemaReader
  readonly fieldOf: (key: string, schema: Schema, isRequired: boolean) => FormField
  /** The fields of records that are written together with their owner; null where the key means none. */
  readonly partsOf: () => Pick<FormField, 'fields' | 'from'> | null
}

type Nested = Pick<FormField, 'widget' | 'fields'> & Partial<Pick<FormField, 'from' | 'isParts'>>

/**
 * Describes a value with values inside: a list of objects as rows, an object as a group of fields, and an object with any
 * keys as rows of names and values. Nothing where the schema says no more than JSON.
 */
export function describeNested(schema: Schema, describing: Describing): Nested | null {
  const { reader, fieldOf, partsOf } = describing
  const [value, ...others] = alternativesOf(schema).filter(({ type }) => type !== 'null')
  if (!value || others.length > 0) return null
  if (typeOf(value) === 'array') {
    const item = alternativesOf(reader.resolve(value.items)).map(reader.resolve).find(isObject)
    if (!item) return null
    const parts = partsOf()
    return { widget: 'rows', ...(parts ? { ...parts, isParts: true } : { fields: fieldsOf(item, [], describing) }) }
  }
  if (!isObject(value)) return null
  if (value.properties) return { widget: 'group', fields: fieldsOf(value, [], describing) }
  const { additionalProperties: inner } = value
  if (typeof inner !== 'object') return null
  const name = { ...fieldOf('name', { type: 'string' }, true), doc: '' }
  return { widget: 'entries', fields: [name, { ...fieldOf('value', inner ?? {}, true), doc: '' }] }
}

/** Lists the fields of an object; objects that only hold others are left out of the way (`path`). */
function fieldsOf(schema: Schema, path: readonly string[], describing: Describing): FormField[] {
  const { reader, fieldOf } = describing
  const required = new Set(schema.required ?? [])
  return Object.entries(reader.keysOf(schema)).flatMap(([key, given]): FormField[] => {
    if (given.type === 'null') return []
    if (isObject(given) && given.properties && required.has(key)) return fieldsOf(given, [...path, key], describing)
    const field = fieldOf(key, given, required.has(key))
    const nested = describeNested(given, { ...describing, partsOf: () => null })
    // What may be left out is yes, no, or not said.
    const isUnsaid = field.widget === 'switch' && !required.has(key) && field.initial === undefined
    return [
      {
        ...field,
        ...(isUnsaid && { widget: 'choice', choices: ['true', 'false'] }),
        ...nested,
        ...(path.length > 0 && { path }),
      },
    ]
  })
}

function isObject({ type }: Schema): boolean {
  return type === 'object'
}
