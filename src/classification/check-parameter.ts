import { type Checked, checkValue, findType, validatorOf } from './check.ts'
import { type Order, parseMatch, parseOrder } from './matchers.ts'
import { isMergeable } from './merge.ts'
import type { Refusal } from './refusals.ts'
import { identityOf, type Value } from './values.ts'

/**
 * The fields of a parameter that an update may change, as they are stored. Type names and validator rules may be invalid.
 */
export interface ParameterFields {
  readonly override: boolean
  readonly description: string | null
  readonly type: string | null
  readonly defaultValue: Value
  readonly hidden: boolean
  readonly omit: boolean
  readonly required: boolean
  readonly mergeOverrides: boolean
  readonly mergeDefault: boolean
  readonly avoidDuplicates: boolean
  /** Null means the default order from the settings. */
  readonly order: string | null
  readonly validatorType: string | null
  readonly validatorRule: string | null
}

/** The fields of a matcher that matter while its parameter changes. */
export interface MatcherFields {
  readonly match: string
  readonly value: Value
  readonly omit: boolean
}

/** The settings that matter: the default order of parameters, and whether templates are rendered. */
export interface Policy {
  readonly defaultOrder: string
  readonly templates: boolean
}

/** A parameter and its matchers as an update would store them, with the reasons that forbid it. */
export interface Revision {
  readonly parameter: ParameterFields
  readonly matchers: readonly MatcherFields[]
  readonly refusals: readonly Refusal[]
}

/**
 * Works out a parameter after an update, with refusals in the order of smart-parameters §1.6 (notes C10). The default is
 * cast when it is sent, when the type changes, and when it starts to count because the parameter becomes overridden or is no
 * longer omitted; matchers are cast when the type changes (notes C9). {@throws RuleError} for an invalid regexp.
 */
export function reviseParameter(
  before: ParameterFields,
  sent: Partial<ParameterFields>,
  matchers: readonly MatcherFields[],
  policy: Policy,
): Revision {
  const wanted = { ...before, ...trimFields(sent) }
  const order = parseOrder(wanted.order || policy.defaultOrder)
  const after = { ...wanted, order: ownOrderOf(wanted.order, policy) }
  const type = findType(after.type)
  const retyped = type !== undefined && type !== findType(before.type)
  const counts = after.override && !after.omit
  const isNew = 'defaultValue' in sent || retyped || !before.override || before.omit
  const hidden = before.hidden || after.hidden
  const checked = counts && type !== undefined ? checkDefault({ ...after, hidden }, policy, isNew) : null
  const revised = matchers.map((matcher) => reviseMatcher(matcher, after, order, policy, retyped))
  const flags = before.override && !after.override ? NO_MERGING : {}
  return {
    parameter: { ...after, ...flags, ...(checked?.isOfType ? { defaultValue: checked.value } : {}) },
    matchers: revised.map(({ matcher }) => matcher),
    refusals: [
      ...(!after.override && isChanged(before, after) ? [NOT_OVERRIDDEN] : []),
      ...validateNames(after),
      ...(after.override ? validateMerging(after) : []),
      ...validateValues(
        checked,
        revised.flatMap(({ matcher, isValid }) => (isValid ? [] : [matcher.match])),
      ),
    ],
  }
}

const NOT_OVERRIDDEN: Refusal = { field: 'override', text: 'must be true to edit the parameter' }

const NO_MERGING = { mergeOverrides: false, mergeDefault: false, avoidDuplicates: false }

// Blanks around texts are removed, except in the default value (smart-parameters §1.5).
function trimFields({ defaultValue, ...sent }: Partial<ParameterFields>): Partial<ParameterFields> {
  const entries = Object.entries(sent).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value])
  return { ...Object.fromEntries(entries), ...(defaultValue === undefined ? {} : { defaultValue }) }
}

function checkDefault(after: ParameterFields, { templates }: Policy, isNew: boolean): Checked {
  const validator = validatorOf(after.validatorType, after.validatorRule)
  const type = isNew ? (findType(after.type) ?? null) : null
  return checkValue(after.defaultValue, { type, validator, hidden: after.hidden }, templates)
}

function reviseMatcher(
  matcher: MatcherFields,
  after: ParameterFields,
  order: Order,
  { templates }: Policy,
  retyped: boolean,
): { matcher: MatcherFields; isValid: boolean } {
  const attributes = parseMatch(matcher.match).attributes.join()
  const isInOrder = order.some((line) => line.join() === attributes)
  if (matcher.omit) return { matcher, isValid: isInOrder }
  const type = retyped ? (findType(after.type) ?? null) : null
  const validator = validatorOf(after.validatorType, after.validatorRule)
  const { value, isOfType, refusal } = checkValue(matcher.value, { type, validator }, templates)
  const isValid = isInOrder && isOfType && (refusal === null || value === null)
  return { matcher: isOfType ? { ...matcher, value } : matcher, isValid }
}

// An order equal to that of the settings is stored as null (smart-parameters §1.5, notes C8).
function ownOrderOf(order: string | null, { defaultOrder }: Policy): string | null {
  const text = printOrder(order ?? '')
  return text === '' || text === printOrder(defaultOrder) ? null : text
}

function printOrder(order: string): string {
  return parseOrder(order)
    .map((line) => line.join())
    .join('\n')
}

function isChanged(before: ParameterFields, after: ParameterFields): boolean {
  // Blank text is no type and no rule, as null is.
  const formatFacts = ({ override, description, type, validatorType, validatorRule, ...rest }: ParameterFields) => {
    const words = [type, validatorType, validatorRule].map((word) => word || null)
    return JSON.stringify([{ ...rest, words, defaultValue: identityOf(rest.defaultValue) }])
  }
  return formatFacts(before) !== formatFacts(after)
}

function validateNames({ type, validatorType, validatorRule }: ParameterFields): Refusal[] {
  const isKnown = !validatorType || validatorType === 'list' || validatorType === 'regexp'
  return listFaults([
    [(validatorType ?? '').length > LONGEST, 'validator_type', TOO_LONG],
    [(validatorRule ?? '').length > LONGEST, 'validator_rule', TOO_LONG],
    [findType(type) === undefined, 'parameter_type', 'invalid'],
    [!isKnown, 'validator_type', 'invalid'],
  ])
}

const LONGEST = 255
const TOO_LONG = `is too long (maximum is ${LONGEST} characters)`

function validateMerging({ type, mergeOverrides, mergeDefault, avoidDuplicates }: ParameterFields): Refusal[] {
  const isFlat = !isMergeable(findType(type) ?? null)
  const isUnmerged = !(type === 'array' && mergeOverrides)
  const onlyMerged = 'can only be set for arrays that have merge_overrides set to true'
  return listFaults([
    [mergeOverrides && isFlat, 'merge_overrides', 'can only be set for array or hash'],
    [avoidDuplicates && isUnmerged, 'avoid_duplicates', onlyMerged],
    [mergeDefault && !mergeOverrides, 'merge_default', 'can only be set when merge overrides is set'],
  ])
}

function listFaults(faults: readonly (readonly [isFault: boolean, field: Refusal['field'], text: string])[]) {
  return faults.flatMap(([isFault, field, text]): Refusal[] => (isFault ? [{ field, text }] : []))
}

function validateValues(checked: Checked | null, unfit: readonly string[]): Refusal[] {
  const more = `that do not fit: ${unfit.join('; ')}`
  const matchers: Refusal[] = unfit.length > 0 ? [{ field: 'override_values', text: 'is invalid', more }] : []
  if (checked && !checked.isOfType) return [{ field: 'default_value', text: 'is invalid' }, ...matchers]
  const refusal = checked?.refusal ?? null
  return refusal === null ? matchers : [...matchers, { field: 'default_value', text: refusal }]
}
