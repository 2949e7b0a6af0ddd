import { findType, validatorOf } from '../../../classification/check.ts'
import { checkMatcher } from '../../../classification/check-matcher.ts'
import { parseMatch, parseOrder } from '../../../classification/matchers.ts'
import type { Value } from '../../../classification/values.ts'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import {
  type Draft,
  joinConditions,
  limitToVisible,
  permissionOf,
  type Resource,
  type Stored,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { ClassParameterFields } from '../smart-class-parameter/fields.ts'
import { fieldsOf, policyOf, refuseUnfit, runCheck } from '../smart-class-parameter/revise.ts'
import { fromField, isSame, toField } from '../smart-class-parameter/values.ts'
import type { OverrideFields } from './fields.ts'
import { limitToWritableMatch, SHARED } from './within-reach.ts'

/**
 * Validates an override and yields it as stored: match text normalized, value cast to the type of the parameter `owner`
 * (smart-parameters §2.3). A value that was not sent is not cast again. {@throws Failure} validation_failed
 */
export async function validateOverride(
  ctx: Context,
  resource: Resource,
  owner: Stored<ClassParameterFields>,
  draft: Draft<OverrideFields>,
  stored: Stored<OverrideFields> | null,
): Promise<Draft> {
  const parameter = fieldsOf(owner)
  const { defaultOrder, templates } = policyOf(ctx)
  const match = (draft.match === undefined ? stored?.match : draft.match) ?? null
  const omit = draft.omit === undefined ? stored?.omit === true : draft.omit
  const sent = runCheck(() => readSentValue(draft, stored), stored, 'value')
  const before = fromField(stored?.value)
  const isStored = sent === undefined && stored !== null && !stored.omit
  const known = await loadKnownNames(ctx, resource, match, stored)
  const isBeyond = await reachesBeyond(ctx, resource, match, stored)
  // For a match beyond reach other overrides are not compared, because "taken" would reveal an invisible one.
  const taken = isBeyond ? NONE : await loadOtherMatches(ctx, owner.id, stored?.id ?? null)
  const { refusals, ...kept } = runCheck(
    () =>
      checkMatcher(
        { match, value: sent === undefined ? before : sent, omit, isStored },
        {
          type: findType(parameter.type) ?? null,
          validator: omit ? null : validatorOf(parameter.validatorType, parameter.validatorRule),
          hidden: parameter.hidden,
          required: parameter.required,
          order: parseOrder(parameter.order || defaultOrder),
          taken,
          isHost: (name) => known.host === null || known.host === name,
          isHostgroup: (name) => known.hostgroup === null || known.hostgroup === name,
          templates,
        },
      ),
    stored,
    'value',
  )
  refuseUnfit(isBeyond ? [...refusals, { field: 'match', text: BEYOND }] : refusals, stored)
  return { match: kept.match, omit, ...(!(stored && isSame(before, kept.value)) && { value: toField(kept.value) }) }
}

/** The value that the request changes; undefined when none was sent, or the one that the answer showed. */
function readSentValue({ value }: Draft<OverrideFields>, stored: Stored<OverrideFields> | null): Value | undefined {
  if (value === undefined) return undefined
  const sent = fromField(value)
  return stored && isSame(sent, fromField(stored.value)) ? undefined : sent
}

/**
 * Those of the named host and host group that exist; null for names that are stored already, which are not checked
 * again.
 */
interface KnownNames {
  readonly host: string | null
  readonly hostgroup: string | null
}

async function loadKnownNames(
  ctx: Context,
  resource: Resource,
  match: string | null,
  stored: Stored<OverrideFields> | null,
): Promise<KnownNames> {
  const { text, attributes, values } = parseMatch(match ?? '')
  if (stored && text === stored.match) return { host: null, hostgroup: null }
  const findValue = (attribute: string) => values[attributes.indexOf(attribute)] ?? ''
  return {
    host: (await isThere(ctx, resource, 'host', findValue('fqdn'))) ? findValue('fqdn') : NOBODY,
    hostgroup: (await isThere(ctx, resource, 'hostgroup', findValue('hostgroup'))) ? findValue('hostgroup') : NOBODY,
  }
}

// No value in a match text has a comma, so that no host matches this.
const NOBODY = ','

/** Tells whether the caller sees a record of this name. A record that the caller may not see counts as missing. */
async function isThere(
  ctx: Context,
  { registry }: Resource,
  kind: 'host' | 'hostgroup',
  name: string,
): Promise<boolean> {
  const target = registry.get(kind)
  if (!target || name === '') return false
  const named = kind === 'host' ? sql`t.name = ${name}` : sql`(t.name = ${name} or t.title = ${name})`
  const seen = joinConditions(limitToVisible(ctx, target, permissionOf(target, 'view')))
  const found = await row(ctx.db, sql`select t.id from ${sql.table(target.table)} t where ${named} and ${seen} limit 1`)
  return found !== undefined
}

const NONE: ReadonlySet<string> = new Set()

const BEYOND =
  'can match hosts beyond your organizations and locations: it has to name a host, a host group, or an organization and a location of yours, ' +
  `and nothing that is not yours; what names none of these takes the permission ${SHARED.edit}`

async function reachesBeyond(
  ctx: Context,
  { registry }: Resource,
  match: string | null,
  stored: Stored<OverrideFields> | null,
): Promise<boolean> {
  const { text, complete } = parseMatch(match ?? '')
  const writable = complete && text !== stored?.match ? limitToWritableMatch(ctx, registry, sql`${text}::text`) : null
  if (!writable) return false
  const found = await row<{ writable: boolean }>(ctx.db, sql`select ${writable} as writable`)
  return found?.writable !== true
}

async function loadOtherMatches(ctx: Context, parameter: number, id: number | null): Promise<ReadonlySet<string>> {
  const found = await rows<{ match: string }>(
    ctx.db,
    sql`select match from override_values where smart_class_parameter_id = ${parameter} and id is distinct from ${id}::bigint`,
  )
  return new Set(found.map(({ match }) => match))
}
