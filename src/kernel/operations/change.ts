import type { Context } from '../../context.ts'
import { flushAuditsAndCheck } from '../../database/audits.ts'
import { invalid, notFound } from '../../errors.ts'
import { sql } from '../../sql.ts'
import { compareAuditedValues, readAuditedValues, recordAudit } from '../audit.ts'
import { limitToVisible, permissionOf } from '../authorize.ts'
import { joinConditions } from '../condition.ts'
import type { Fields, Resource } from '../definition.ts'
import type { Draft, Stored } from '../record.ts'
import { lockStored } from '../store/select.ts'
import { updateRecord, type Values } from '../store/write.ts'

/** Reads the stored row of a record and locks it until the transaction ends. {@throws Failure} not_found when it is gone */
export async function lock<F extends Fields>(tx: Context, resource: Resource<F>, id: number): Promise<Stored<F>> {
  const stored = await lockStored(tx, resource, id)
  if (!stored) throw notFound(resource.name, id)
  await tx.beforeWrite?.(tx, resource.name)
  return stored
}

/** Yields what audits and messages call a record; null where its resource declares neither `label` nor `called`. */
export function labelOf(resource: Resource, stored: Stored): string | null {
  if (resource.called) return resource.called(stored)
  const placed = resource.byName.get(resource.label)
  const value = placed ? stored[placed.key] : null
  return value === null || value === undefined ? null : String(value)
}

/** Audits a record that is new, or about to be deleted, with all its values. */
export async function recordWhole(tx: Context, resource: Resource, action: 'create' | 'destroy', stored: Stored) {
  const record = { id: stored.id, label: labelOf(resource, stored) }
  await recordAudit(tx, resource, action, record, readAuditedValues(resource, stored))
}

/** Stores the values of a record that differ from the stored ones, and audits them. */
export async function storeChange(tx: Context, resource: Resource, stored: Stored, changed: Values): Promise<void> {
  const label = labelOf(resource, await updateRecord(tx, resource, stored, changed))
  await recordAudit(tx, resource, 'update', { id: stored.id, label }, compareAuditedValues(resource, stored, changed))
}

/** Writes the records of other resources in a draft, such as the parts of this record. */
export async function saveNested(
  tx: Context,
  resource: Resource,
  id: number,
  draft: Draft,
  isNew = false,
): Promise<void> {
  for (const { name, at, field } of resource.placed) {
    if (field.saveNested && draft[name] !== undefined) await field.saveNested(tx, at, id, draft[name], isNew)
  }
}

/** Asserts that the caller may write the record as it is after the write (core-api §2.5, §7.2). {@throws Failure} invalid */
export async function assertWritable(
  tx: Context,
  resource: Resource,
  verb: 'create' | 'edit',
  id: number,
  own = false,
): Promise<void> {
  const permission = permissionOf(resource, verb)
  const conditions = limitToVisible(tx, resource, permission, own)
  if (conditions.length === 0) return
  const isKept = sql`exists (select from ${sql.table(resource.table)} t where t.id = ${id} and ${joinConditions(conditions)})`
  if (await flushAuditsAndCheck(tx.db, isKept)) return
  const message = `You don't have permission ${permission} with attributes that you have specified or you don't have access to specified organizations or locations`
  throw invalid({ base: [message] }, verb === 'create' ? null : id)
}
