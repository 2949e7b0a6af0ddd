import { cast, isTemplate, type Type } from '../../classification/cast.ts'
import { printJson, readJson } from '../../classification/json.ts'
import { Unfit, type Value } from '../../classification/values.ts'
import type { FieldErrors } from '../../errors.ts'
import { boolean, type Draft, type Field, type Stored, type Unstored } from '../../kernel/index.ts'
import { parseExact, printExact } from '../../lib/lossless-json.ts'

/** A key that is not stored: whether numbers and booleans keep their type where that of the parameter is string. */
export function asSent(): Field<boolean> & Unstored {
  const doc = 'A number or a boolean is not made text where the type is string.'
  return { ...boolean({ initial: false, doc }), column: undefined, elsewhere: undefined, readable: () => ({}) }
}

/** The fields that decide what a value is. */
type ValueFields = {
  readonly parameter_type: Field<string>
  readonly value: Field<unknown>
  readonly as_sent: ReturnType<typeof asSent>
}

/** Validates that a value fits the type of its parameter. */
export function validateParameterValue(
  record: Draft<ValueFields>,
  draft: Draft<ValueFields>,
  _ctx: unknown,
  stored: Stored<ValueFields> | null,
): FieldErrors | undefined {
  if (!isCast(draft, stored)) return undefined
  try {
    castFor(record)
    return undefined
  } catch (error) {
    if (!(error instanceof Unfit)) throw error
    return { value: [`is invalid ${record.parameter_type}`] }
  }
}

/**
 * Casts the value of a draft to its type; a value that was not sent only when the type changes. An equal value is left
 * out: numbers that are equal may be written in several ways.
 */
export function withCastValue<Values extends Draft<ValueFields>>(draft: Values, stored: Stored<ValueFields> | null) {
  if (!isCast(draft, stored)) return draft
  const value = castFor({ ...stored, ...draft })
  const { value: _sent, ...others } = draft
  if (stored && printJson(value) === printJson(read(stored.value))) return others
  return { ...others, value: value === null ? null : parseExact(printJson(value)) }
}

function isCast(draft: Draft<ValueFields>, stored: Stored<ValueFields> | null): boolean {
  const retyped =
    stored !== null && draft.parameter_type !== undefined && draft.parameter_type !== stored.parameter_type
  return draft.value !== undefined || retyped
}

/** {@throws Unfit} */
function castFor({ parameter_type = 'string', value = null, as_sent }: Draft<ValueFields>): Value {
  const sent = read(value)
  if (as_sent === true && parameter_type === 'string' && typeof sent !== 'object') return sent
  return isTemplate(sent) ? sent : cast(parameter_type as Type, sent) // the schema of the field allows only types
}

function read(value: unknown): Value {
  return readJson(printExact(value ?? null))
}
