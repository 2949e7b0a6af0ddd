import { cast, isTemplate, TYPES, type Type } from './cast.ts'
import { compileValidator, type ValidatorRule } from './validate.ts'
import { Unfit, type Value } from './values.ts'

/** What a value has to be: of a type, and what the validator says. */
export interface Demands {
  readonly type: Type | null
  readonly validator: ValidatorRule | null
  /** Messages do not say what the value is. */
  readonly hidden?: boolean
}

/**
 * A value that may have been sent as text, as it is to be stored, and what is wrong with it: whether it is of the type,
 * and the rest of the validator's sentence. {@throws RuleError} for a validator that cannot be understood.
 */
export interface Checked {
  readonly value: Value
  readonly isOfType: boolean
  /** Null when the validator has nothing to say, `is invalid` or `<value> is not one of <rule>` otherwise. */
  readonly refusal: string | null
}

/**
 * Casts and validates a value (smart-parameters §1.5, §2.3). A text with a template tag is stored as it was typed; the
 * validator waits for what it yields, unless templates are switched off.
 */
export function checkValue(sent: Value, { type, validator, hidden }: Demands, templates: boolean): Checked {
  const template = isTemplate(sent)
  const { value, isOfType } = template ? { value: sent, isOfType: true } : attempt(type, sent)
  const waits = template && templates
  const refusal = validator && !waits ? compileValidator(validator)(value, hidden ? '*****' : undefined) : null
  return { value, isOfType, refusal }
}

/** The type by its name; null for the names of no type (none and the empty one), undefined for a wrong one. */
export function typeNamed(name: string | null): Type | null | undefined {
  return name === null || name === '' ? null : TYPES.find((type) => type === name)
}

/** A validator from its two fields; null when its type is none or wrong. {@throws RuleError} */
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
