import {
  type MatcherFields,
  type ParameterFields,
  type Policy,
  reviseParameter,
} from '../../../classification/check-parameter.ts'
import { readJson } from '../../../classification/json.ts'
import { formatRefusal, type Refusal } from '../../../classification/refusals.ts'
import { RuleError } from '../../../classification/validate.ts'
import { Unfit, type Value } from '../../../classification/values.ts'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { openKept, selectKept } from '../../../encryption/hidden-values.ts'
import { type FieldErrors, validationFailed } from '../../../errors.ts'
import {
  type Draft,
  findResource,
  lock,
  type Resource,
  type Stored,
  storeChange,
  updateRecord,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { refuseForeignOverrides } from '../override-value/guard.ts'
import type { ClassParameterFields } from './fields.ts'
import { refuseToShow } from './hidden.ts'
import { fromField, isSame, toField } from './values.ts'

/**
 * Applies an update and its consequences: values are cast to a new type, flags without meaning are cleared
 * (smart-parameters §1.5). {@throws Failure} validation_failed with the messages of smart-parameters §1.6
 */
export async function revise(
  ctx: Context,
  stored: Stored<ClassParameterFields>,
  draft: Draft<ClassParameterFields>,
  next: (draft: Draft<ClassParameterFields>) => Promise<void>,
  resource: Resource,
): Promise<void> {
  await refuseToShow(ctx, resource, stored, draft)
  const overrides = await rows<Override>(
    ctx.db,
    sql`select o.id, o.match, ${selectKept('override_values', 'o')} as value, o.omit from override_values o
      where o.smart_class_parameter_id = ${stored.id} order by o.id for no key update`,
  )
  const matchers = overrides.map(
    ({ value, ...matcher }): MatcherFields => ({ ...matcher, value: readKept(ctx, value) }),
  )
  const before = fieldsOf(stored)
  const revision = runCheck(() => reviseParameter(before, pickSent(draft, stored), matchers, policyOf(ctx)), stored)
  // The permission is checked first, because the refusals below are about all overrides.
  const isDecisive = DECISIVE.some((field) => (revision.parameter[field] || null) !== (before[field] || null))
  if (isDecisive) await refuseForeignOverrides(ctx, resource.registry, sql`${stored.id}::bigint`)
  // Without that check, what names overrides is left out: some may be invisible to the caller.
  const refusals = isDecisive ? revision.refusals : revision.refusals.map(({ field, text }) => ({ field, text }))
  refuseUnfit(refusals, stored)
  await next(columnsOf(revision.parameter, draft, stored))
  for (const [index, override] of overrides.entries()) {
    const [former, after] = [matchers[index]?.value ?? null, revision.matchers[index]?.value ?? null]
    const isHiddenAnew = revision.parameter.hidden !== before.hidden
    if (isHiddenAnew || !isSame(former, after)) await recast(ctx, resource, override.id, { former, after })
  }
}

/** The fields that decide about the effect and the validation of all overrides. */
const DECISIVE = [
  ...(['override', 'type', 'hidden', 'mergeOverrides', 'mergeDefault', 'avoidDuplicates'] as const),
  ...(['order', 'validatorType', 'validatorRule'] as const),
]

/** The rules for parameters according to the settings. */
export function policyOf({ settings }: Context): Policy {
  return {
    defaultOrder: settings.Default_parameters_Lookup_Path.join('\n'),
    templates: settings.interpolate_erb_in_parameters,
  }
}

/** Executes a check of a record, null for a new one. {@throws Failure} validation_failed, also for a malformed rule */
export function runCheck<Outcome>(
  check: () => Outcome,
  stored: { readonly id: number } | null,
  field: Refusal['field'] = 'default_value',
): Outcome {
  try {
    return check()
  } catch (error) {
    if (error instanceof RuleError)
      refuseUnfit([{ field: 'validator_rule', text: `is no regular expression: ${error.message}` }], stored)
    if (error instanceof Unfit) refuseUnfit([{ field, text: 'is invalid' }], stored)
    throw error
  }
}

/** Refuses a write if anything speaks against it. {@throws Failure} validation_failed */
export function refuseUnfit(refusals: readonly Refusal[], stored: { readonly id: number } | null): void {
  if (refusals.length === 0) return
  const errors: FieldErrors = {}
  for (const { field, text, more } of refusals) errors[field] = [...(errors[field] ?? []), more ?? text]
  throw validationFailed(refusals.map(formatRefusal), errors, stored?.id ?? null)
}

interface Override {
  readonly id: number
  readonly match: string
  readonly value: string | null
  readonly omit: boolean
}

/** The columns of a parameter's fields. */
const COLUMNS = {
  override: 'override',
  description: 'description',
  type: 'parameter_type',
  hidden: 'hidden_value',
  required: 'required',
  mergeOverrides: 'merge_overrides',
  mergeDefault: 'merge_default',
  avoidDuplicates: 'avoid_duplicates',
  order: 'override_value_order',
  validatorType: 'validator_type',
  validatorRule: 'validator_rule',
} as const satisfies Partial<Record<keyof ParameterFields, string>>

/** The fields of a stored parameter. */
export function fieldsOf(stored: Stored<ClassParameterFields>): ParameterFields {
  return {
    override: stored.override,
    description: stored.description,
    type: stored.parameter_type,
    hidden: stored.hidden_value,
    required: stored.required,
    mergeOverrides: stored.merge_overrides,
    mergeDefault: stored.merge_default,
    avoidDuplicates: stored.avoid_duplicates,
    order: stored.override_value_order,
    validatorType: stored.validator_type,
    validatorRule: stored.validator_rule,
    defaultValue: fromField(stored.default_value),
    omit: stored.omit === true,
  }
}

/** The fields that the request changes. A value sent back as it was shown does not count. */
function pickSent(draft: Draft<ClassParameterFields>, stored: Stored<ClassParameterFields>): Partial<ParameterFields> {
  const sent = Object.entries(COLUMNS).filter(([, column]) => draft[column] !== undefined)
  return {
    ...Object.fromEntries(sent.map(([field, column]) => [field, draft[column]])),
    ...(draft.omit !== undefined && { omit: draft.omit === true }),
    ...readDefault(draft, stored),
  }
}

function readDefault(
  { default_value }: Draft<ClassParameterFields>,
  stored: Stored<ClassParameterFields>,
): { readonly defaultValue?: Value } {
  if (default_value === undefined) return {}
  const defaultValue = fromField(default_value)
  return isSame(defaultValue, fromField(stored.default_value)) ? {} : { defaultValue }
}

function columnsOf(
  parameter: ParameterFields,
  draft: Draft<ClassParameterFields>,
  stored: Stored<ClassParameterFields>,
): Draft<ClassParameterFields> {
  const isKept = isSame(parameter.defaultValue, fromField(stored.default_value))
  return {
    override: parameter.override,
    description: parameter.description,
    parameter_type: parameter.type,
    hidden_value: parameter.hidden,
    required: parameter.required,
    merge_overrides: parameter.mergeOverrides,
    merge_default: parameter.mergeDefault,
    avoid_duplicates: parameter.avoidDuplicates,
    override_value_order: parameter.order,
    validator_type: parameter.validatorType,
    validator_rule: parameter.validatorRule,
    ...(draft.omit !== undefined && { omit: draft.omit }),
    ...(!isKept && { default_value: toField(parameter.defaultValue) }),
  }
}

function readKept({ encryption }: Context, text: string | null): Value {
  return readJson(openKept(encryption, 'override_values', text) ?? 'null')
}

/**
 * Stores the value of an override again, encrypted if its parameter hides it now. It was read before the parameter was changed, which
 * tells whether the stored one is encrypted.
 */
async function recast(
  ctx: Context,
  { registry }: Resource,
  id: number,
  { former, after }: { readonly former: Value; readonly after: Value },
): Promise<void> {
  const overrides = findResource(registry, 'override_value')
  const stored = { ...(await lock(ctx, overrides, id)), value: toField(former) }
  const changed = { value: toField(after) }
  if (isSame(former, after)) await updateRecord(ctx, overrides, stored, changed)
  else await storeChange(ctx, overrides, stored, changed)
}
