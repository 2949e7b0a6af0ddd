import type { Caller } from '../../api/session.ts'
import { labelOf } from '../../words/words.ts'
import type { FormField, ResourceFull, ResourceShort } from '../description.ts'
import { bodyOf, type FormValue, valuesOf } from '../form/values.ts'
import { findResourceOfType } from '../resources.ts'

/** A field that can be set to one value in several records. */
export interface CommonField {
  readonly field: FormField
  /** The field with the kind of the record that the id names: `owner_type` for `owner_id`. */
  readonly kinds: FormField | undefined
}

const TELLING_APART = ['name', 'login', 'label', 'certname', 'uuid', 'mac', 'ip', 'ip6']

/** Lists the fields that can be set in several records: not the label, secrets, or lists of parts. */
export function listCommonFields(
  { label }: Pick<ResourceShort, 'label'>,
  { update }: ResourceFull,
  { admin }: Pick<Caller, 'admin'>,
): CommonField[] {
  const kindsOf = ({ key }: FormField) =>
    key.endsWith('_id') ? update.find((one) => one.key === key.replace(/_id$/, '_type')) : undefined
  const kinds = new Set(update.map(kindsOf))
  const isCommon = (field: FormField) =>
    field.fields === undefined &&
    (admin || field.only !== 'administrators') &&
    !['json', 'secret'].includes(field.widget) &&
    ![label, ...TELLING_APART].includes(field.key) &&
    !kinds.has(field)
  return update
    .filter(isCommon)
    .map((field) => ({ field, kinds: kindsOf(field) }))
    .toSorted((one, other) => labelOf(one.field.key).localeCompare(labelOf(other.field.key)))
}

/** The state of such a field in the dialog. */
export interface TypedField {
  readonly common: CommonField
  readonly kind: string
  /** The field for the form: an id of a record of several kinds is chosen among the records of the chosen kind. */
  readonly field: FormField
  readonly value: FormValue
}

/** Yields the state without a value. */
export function begin(common: CommonField, kind: string = common.kinds?.choices?.[0] ?? ''): TypedField {
  const target = common.kinds && findResourceOfType(kind)?.plural
  const field = target === undefined ? common.field : { ...common.field, widget: 'reference' as const, target }
  return { common, kind, field, value: valuesOf([field], null)[field.key] ?? '' }
}

/** Yields the values to send, or the messages about why they cannot be sent. */
export function changeOf({ common, kind, field, value }: TypedField) {
  const { body, mistakes } = bodyOf([field], { [field.key]: value }, {})
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
  const mayBeEmpty = field.widget === 'references' || field.widget === 'values' || field.nullable === true
  return {
    body: common.kinds ? { ...body, [common.kinds.key]: kind } : body,
    messages: mistakes[field.key] ?? [],
    isEmpty,
    isReady: Object.keys(mistakes).length === 0 && (!isEmpty || mayBeEmpty),
  }
}
