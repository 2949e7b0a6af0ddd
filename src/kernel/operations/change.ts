import type { Context } from '../../context.ts'
import {
  type AuditCause,
  type AuditEntry,
  flushAuditsAndCheck,
  insertAudits,
  writeAudits,
} from '../../database/audits.ts'
import { createConflict, type DatabaseError, isConflict, toDatabaseError } from '../../database/failures.ts'
import { finishFragment, type Sql } from '../../database/sql.ts'
import { Failure, invalid, notFound } from '../../errors.ts'
import { rememberPairs } from '../../lib/lazy.ts'
import type { Input } from '../../requests/route.ts'
import { CONSTRAINT_MESSAGES } from '../../requests/sent.ts'
import { sql } from '../../sql.ts'
import { limitToVisible, permissionOf } from '../authorize.ts'
import { joinConditions } from '../condition.ts'
import type { BoundField, Fields, Resource } from '../definition.ts'
import type { Draft, FoundRecord, Row, Stored } from '../record.ts'
import { listLinks } from '../resources.ts'
import { hasOwnColumn, linkTableOf, TAXONOMIES, type Taxonomy, taxonomiesOf } from '../scope.ts'
import { lockStored, recordStatementOf, selectRecord } from '../store/select.ts'
import { updateRecord, type Values } from '../store/write.ts'
import { dropUnreachable, listLimited, selectReachable } from '../visibility.ts'
import { applyShown, createPresenter } from './show.ts'

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

/**
 * Does work, and turns a violated constraint into the error of the field that it guards, as if the field had been checked
 * before: requests may race. Constraints are named `<table>_<column>_<key|fkey|check>`. {@throws Failure} invalid, conflict
 */
export async function withFieldErrors<Result>(
  resource: Resource,
  id: number | null,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const refused = toDatabaseError(error)
    throw (refused && translateError(resource, id, refused)) ?? error
  }
}

/**
 * Reads the record that a write answers with: by `reading` of the request, otherwise by the message that ends the transaction.
 * Yields a function to be called after the transaction; it yields undefined if nobody needs the record.
 */
export async function readWritten(tx: Context, resource: Resource, id: number, { reading }: Input) {
  const { show: view, transform } = resource.views
  if (reading !== undefined || transform) {
    const read: unknown =
      reading === undefined ? await readBack(tx, resource, id) : await reading?.(tx, resource.name, id)
    return async () => read
  }
  await writeAudits(tx.db) // the view may show the author, from audits
  const lists = listLimited(tx, resource, view)
  const found = tx.db.enqueue<FoundRecord>(recordStatementOf(resource, view, id, [], selectReachable(lists)))
  const present = createPresenter(resource, view, 'view')
  return async () => (await found()).map((record) => present(dropUnreachable(record, lists)))[0]
}

/** Reads the `show` view of a record that this transaction has just written; no permission to view is needed. */
export async function readBack(ctx: Context, resource: Resource, id: number): Promise<Row> {
  await writeAudits(ctx.db) // the view may show the author, from audits
  const found = await selectRecord(ctx.db, resource, resource.views.show, id, [])
  if (!found) throw notFound(resource.name, id)
  const record = createPresenter(resource, resource.views.show, 'view')(found)
  return (await applyShown(ctx, resource, [record], {}))[0] ?? record
}

/** Audits a change: values on create and destroy, on update pairs of old and new ones, with masked secrets. */
export async function recordAudit(
  ctx: Context,
  resource: Resource,
  action: AuditEntry['action'],
  record: { readonly id: number; readonly label: string | null; readonly comment?: string | null },
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!resource.audited) return
  const entry = { action, type: resource.type, id: record.id, name: record.label, changes, comment: record.comment }
  const [organizations, locations] = TAXONOMIES.map((taxonomy) => placesOfAudit(resource, taxonomy))
  await insertAudits(ctx.db, causeOf(ctx), [entry], { organizations, locations })
}

/** Yields what an audit names as the cause of a change: the user, and the address and id of the request. */
export function causeOf({ user, origin }: Pick<Context, 'user' | 'origin'>): AuditCause {
  return { userId: user.id, userName: user.name, address: origin.address, requestId: origin.requestId }
}

/** Yields the values of a record that is new or about to be deleted, by their names in audits; secrets are masked. */
export function readAuditedValues(resource: Resource, stored: Stored): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const placed of resource.stored) values[placed.auditKey] = maskValue(placed, stored[placed.key], stored)
  return values
}

/** Yields pairs of the old and the new value of each field in `changed`, by their names in audits; secrets are masked. */
function compareAuditedValues(
  resource: Resource,
  stored: Stored,
  changed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const pairs: Record<string, unknown> = {}
  for (const placed of resource.stored) {
    if (!(placed.name in changed)) continue
    const pair = [stored[placed.key], changed[placed.name]]
    pairs[placed.auditKey] = pair.map((value) => maskValue(placed, value, stored, changed))
  }
  return pairs
}

/** Masks secrets, and values that the record hides or hid before: showing one again must not reveal the earlier one. */
function maskValue(
  { field: { secret, maskedBy } }: BoundField,
  value: unknown,
  ...states: readonly Readonly<Record<string, unknown>>[]
): unknown {
  const hides = secret !== undefined || (maskedBy !== undefined && states.some((state) => state[maskedBy] === true))
  return hides && value !== null && value !== undefined ? REDACTED : value
}

const REDACTED = '[redacted]'

const AUDITED = sql`written.auditable_id`

/** Selects the organizations or locations that see an audit: those of the record and its owners (core-api §10.2). */
const placesOfAudit = rememberPairs((resource: Resource, taxonomy: Taxonomy): Sql | undefined => {
  const places = [{ resource, id: AUDITED }, ...ownersOf(resource)].flatMap((one) => placesOf(one, taxonomy))
  return places.length === 0 ? undefined : finishFragment(sql.join(places, sql` union `))
})

interface Placeable {
  readonly resource: Resource
  readonly id: Sql
}

/** Lists the records that decide where a record is visible: those that it is part of, nested below or seen with. */
function ownersOf(resource: Resource): Placeable[] {
  const { table, partOf, nestedOnly, parents, seenWith = [] } = resource
  const names = partOf ? [partOf] : nestedOnly ? Object.values(parents) : []
  return listLinks(resource, [...new Set([...names, ...seenWith])]).map(({ target, column }) => ({
    resource: target,
    id: sql`(select ${sql.ref(`t.${column}`)} from ${sql.table(table)} t where t.id = ${AUDITED})`,
  }))
}

/** Builds the statements that select the ids of a record's organizations or locations; none for resources without these. */
function placesOf({ resource, id }: Placeable, taxonomy: Taxonomy): Sql[] {
  const { kind, plural } = taxonomy
  if (resource.name === kind) return [sql`select x.id from ${sql.table(plural)} x where x.id = ${id}`]
  if (!taxonomiesOf(resource).includes(taxonomy)) return []
  if (hasOwnColumn(resource)) {
    const own = sql.ref(`x.${kind}_id`)
    return [sql`select ${own} as id from ${sql.table(resource.table)} x where x.id = ${id} and ${own} is not null`]
  }
  const link = linkTableOf(resource, taxonomy)
  return [
    sql`select ${sql.ref(`l.${kind}_id`)} as id from ${sql.table(link.table)} l where ${sql.ref(`l.${link.own}`)} = ${id}`,
  ]
}

function translateError(resource: Resource, id: number | null, error: DatabaseError): Failure | undefined {
  if (isConflict(error)) return createConflict(error)
  const message = CONSTRAINT_MESSAGES[error.code]
  if (!message) return undefined
  const guarded = findGuarded(resource, error.constraint ?? '')
  const taken = error.code === '23505' ? guarded?.field.taken : undefined
  const key = guarded?.key ?? 'base'
  return new Failure('invalid', error.message, invalid({ [key]: [taken ?? message] }, id).details, { cause: error })
}

function findGuarded(resource: Resource, constraint: string): BoundField | undefined {
  const columns = resource.placed.filter(({ column }) => constraint.startsWith(`${resource.table}_${column?.name}_`))
  return columns.toSorted((a, b) => (b.column?.name.length ?? 0) - (a.column?.name.length ?? 0))[0]
}
