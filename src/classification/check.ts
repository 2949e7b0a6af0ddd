import { cast, isTemplate, TYPES, type Type } from './cast.ts'
import { compileValidator, type ValidatorRule } from './validate.ts'
import { Unfit, type Value } from './values.ts'

/** What a value is checked against: a type and a validator. */
export interface Demands {
  readonly type: Type | null
  readonly validator: ValidatorRule | null
  /** The value is secret, so that messages do not quote it. */
  readonly hidden?: boolean
}

/**
 * The result of checking a value: the value as it would be stored, whether it is of the type, and what the validator says.
 */
export interface Checked {
  readonly value: Value
  readonly isOfType: boolean
  /** Null when the validator accepts the value, otherwise `is invalid` or `<value> is not one of <rule>`. */
  readonly refusal: string | null
}

/**
 * Casts and validates a value (smart-parameters §1.5, §2.3). A text with a template tag is stored as typed and validated
 * only when rendered, unless templates are switched off. {@throws RuleError} for a validator that cannot be parsed.
 */
export function checkValue(sent: Value, { type, validator, hidden }: Demands, templates: boolean): Checked {
  const template = isTemplate(sent)
  const { value, isOfType } = template ? { value: sent, isOfType: true } : attempt(type, sent)
  const waits = template && templates
  const refusal = validator && !waits ? compileValidator(validator)(value, hidden ? '*****' : undefined) : null
  return { value, isOfType, refusal }
}

/**
 * Yields the type of this name; null for the names that mean no type (`none` and the empty text), undefined for an unknown
 * one.
 */
export function findType(name: string | null): Type | null | undefined {
  return name === null || name === '' ? null : TYPES.find((type) => type === name)
}

/** Builds a validator from its two stored fields; null when its type is none or unknown. {@throws RuleError} */
export function validatorOf(type: string | null, rule: string | null): ValidatorRule | null {
  if (type !== 'list' && type !== 'regexp') return null
  const validator: ValidatorRule = { type, rule: rule ?? '' }
  compileValidator(validator)
  return validator
}

function attempt(type: Type | null, sent: Value): { value: Value; isOfType: boolean } {
  try {
    return { value: cast(type, sent), isOfType: true }
  } catch (error) {
    if (error instanceof Unfit) return { value: sent, isOfType: false }
    throw error
  }
}
