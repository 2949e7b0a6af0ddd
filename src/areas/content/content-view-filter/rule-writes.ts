import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { type FieldErrors, refuseInvalid } from '../../../errors.ts'
import type { Draft, WriteWrapper } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { RuleFields } from './rule-fields.ts'
import { RULE_KEYS } from './types.ts'

/** Validates rules by the type of their filter. */
export const ruleWrites: WriteWrapper<RuleFields> = {
  async create(tx, draft, next) {
    const type = await loadType(tx, draft.content_view_filter)
    return next(withoutOthers(type, draft, draft, null))
  },
  async update(tx, stored, draft, next) {
    const type = await loadType(tx, stored.content_view_filter_id)
    await next(withoutOthers(type, { ...stored, ...draft }, draft, stored.id))
  },
}

async function loadType(tx: Context, filter: number): Promise<string> {
  const found = await row<{ type: string }>(
    tx.db,
    sql`select type from content_view_filters where id = ${filter} for key share`,
  )
  return found?.type ?? ''
}

/** The draft of a rule in the form in which it is stored. {@throws Failure} invalid, by key, for what the type refuses */
function withoutOthers(
  type: string,
  record: Draft<RuleFields>,
  draft: Draft<RuleFields>,
  id: number | null,
): Draft<RuleFields> {
  const errors: FieldErrors = {}
  const keys = RULE_KEYS[type] ?? []
  for (const [key, value] of Object.entries(draft))
    if (ALL_KEYS.has(key) && !keys.includes(key) && isSaid(value))
      errors[key] = [`cannot be set in a rule of a filter of type '${type}'`]
  Object.assign(errors, validatePresence(type, record), validateVersions(record), validateErrata(record))
  refuseInvalid(errors, id)
  const byDate = type === 'erratum' && !isSaid(record.errata_id)
  return byDate && !isSaid(record.date_type) ? { ...draft, date_type: 'updated' } : draft
}

const ALL_KEYS = new Set(Object.values(RULE_KEYS).flat())

function validatePresence(type: string, record: Draft<RuleFields>): FieldErrors {
  if (type === 'modulemd') return { base: ['Modules are not known here: filters of this type have no rules'] }
  if (type === 'package_group')
    return isSaid(record.name) || isSaid(record.uuid) ? {} : { uuid: ["can't be blank without a name"] }
  if (type !== 'erratum') return isSaid(record.name) ? {} : { name: ["can't be blank"] }
  const says = (['errata_id', 'start_date', 'end_date', 'types'] as const).some((key) => isSaid(record[key]))
  return says ? {} : { base: ['Must say an errata_id, a start_date, an end_date or types'] }
}

function validateVersions({ version, min_version, max_version }: Draft<RuleFields>): FieldErrors {
  if (!isSaid(version) || (!isSaid(min_version) && !isSaid(max_version))) return {}
  return { version: ['cannot be set beside min_version or max_version'] }
}

function validateErrata(record: Draft<RuleFields>): FieldErrors {
  const { errata_id, start_date, end_date } = record
  const errors: FieldErrors = {}
  for (const key of ['start_date', 'end_date'] as const)
    if (record[key] && !isDay(record[key])) errors[key] = ['must be a day such as 2026-03-31']
  if (start_date && end_date && end_date < start_date) errors.end_date = ['must not be before start_date']
  if (isSaid(errata_id) && (['start_date', 'end_date', 'types'] as const).some((key) => isSaid(record[key])))
    errors.errata_id = ['cannot be set beside start_date, end_date or types']
  return errors
}

/** Whether text is an existing day: 30 February is not. */
function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text)
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
}
