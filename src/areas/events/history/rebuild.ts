import { type Context, withoutScope } from '../../../context.ts'
import { row, rows, type Sql } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import {
  findResource,
  joinConditions,
  limitToVisible,
  type Registry,
  type Resource,
  readAuditedValues,
  type Stored,
  selectWholeRow,
} from '../../../kernel/index.ts'
import { isMembers } from '../../../lib/values.ts'
import { limitToAuditsOfSeen } from '../../../records/audited-records.ts'
import { selectMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import { readChanges } from '../feed/cloud-event.ts'
import { VIEW_EVENTS } from '../feed/read-events.ts'

/** Masks values in audits. */
export const REDACTED = '[redacted]'

/** A record at a time. */
export interface PastRecord {
  readonly id: number
  /** Its values by their names in audits, as far as audits tell, and the names of those that nothing else changes. */
  readonly values: ReadonlyMap<string, unknown>
  readonly known: ReadonlySet<string>
  /** Times of its creation and of its last change before; null if no audit of one is kept. */
  readonly createdAt: string | null
  readonly changedAt: string | null
  /** What audits call it. */
  readonly name: string | null
  /** Whether it exists now. */
  readonly isThere: boolean
}

interface Change {
  readonly record: number
  readonly name: string | null
  readonly time: string
  readonly action: string
  readonly changes: unknown
  readonly isLater: boolean
}

/** Whether an audit was written after the time; times count in milliseconds, as histories show them. */
export const isAfter = (moment: string) => sql`date_trunc('milliseconds', t.created_at) > ${moment}::timestamptz`

/** Leaves the audits, as `t`, that tell the caller what was changed in records of these types, wherever those were. */
export function limitToSeen(ctx: Context, registry: Registry, types: readonly string[]): Sql {
  const audits = findResource(registry, 'audit')
  return joinConditions([
    ...limitToVisible(withoutScope(ctx), audits, VIEW_EVENTS),
    ...limitToAuditsOfSeen(ctx, registry, types),
  ])
}

/** Rebuilds records by their ids from audits, and from what is stored now. */
export async function rebuildRecords(
  ctx: Context,
  resource: Resource,
  ids: readonly number[],
  moment: string,
): Promise<readonly PastRecord[]> {
  const changes = await rows<Change>(
    ctx.db,
    sql`select t.auditable_id as record, t.auditable_name as name, t.action, t.audited_changes as changes, ${isAfter(moment)} as "isLater",
        t.created_at::text as time
      from audits t where t.auditable_type = ${resource.type} and t.auditable_id = any (${ids}::bigint[]) and t.action <> 'reveal'
      order by t.version, t.id`,
  )
  const stored = await rows<Stored>(
    ctx.db,
    sql`select ${selectWholeRow(resource)} from ${sql.table(resource.table)} t where t.id = any (${ids}::bigint[])`,
  )
  const byRecord = Map.groupBy(changes, ({ record }) => record)
  const byId = new Map(stored.map((one) => [one.id, one]))
  return ids.map((id) => rebuild(resource, id, byRecord.get(id) ?? [], byId.get(id)))
}

function rebuild(resource: Resource, id: number, changes: readonly Change[], now: Stored | undefined): PastRecord {
  const before = foldChanges(changes.filter(({ isLater }) => !isLater))
  const later = changes.filter(({ isLater }) => isLater).toReversed()
  const next = { ...(now && readAuditedValues(resource, now)), ...foldEarlier(later) }
  const values = new Map<string, unknown>()
  const known = new Set<string>()
  const last = changes.findLast(({ isLater }) => !isLater)
  for (const { auditKey: key, name, field, at } of resource.stored) {
    const value = before[key] === undefined ? next[key] : before[key]
    // A change without an audit shows by a difference to what was there before the next change.
    const isSame = before[key] === undefined || next[key] === undefined || isSameValue(before[key], next[key])
    if (value === undefined || !isSame || value === REDACTED) continue
    values.set(key, value)
    // The database may compute what no request can set; audits name records by their labels.
    if (Object.keys(field.writable(at)).length > 0 || (name === resource.label && value === last?.name)) known.add(key)
  }
  const [first] = changes
  return {
    id,
    values,
    known,
    createdAt: first?.action === 'create' ? first.time : null,
    changedAt: last?.time ?? null,
    name: last?.name ?? first?.name ?? null,
    isThere: now !== undefined,
  }
}

/** Yields the values after changes, given the oldest first. */
function foldChanges(changes: readonly Change[]): Record<string, unknown> {
  return Object.assign({}, ...changes.map((one) => pickSide(one, 1)))
}

/** Yields the values before changes, given the newest first. */
function foldEarlier(changes: readonly Change[]): Record<string, unknown> {
  return Object.assign({}, ...changes.map((one) => (one.action === 'create' ? {} : pickSide(one, 0))))
}

function pickSide({ action, changes }: Change, side: 0 | 1): Record<string, unknown> {
  const pairs = readChanges(action, isMembers(changes) ? changes : {})
  return Object.fromEntries(Object.entries(pairs).map(([key, pair]) => [key, pair[side] ?? null]))
}

/** Whether two values of an audit mean the same; lists of ids are equal in any order. */
export function isSameValue(one: unknown, other: unknown): boolean {
  const print = (value: unknown) => JSON.stringify(Array.isArray(value) ? [...value].sort() : (value ?? null))
  return print(one) === print(other)
}

/** {@throws Failure} invalid for a time before the oldest audit that is kept, and in the future */
export async function refuseUnknownTime(ctx: Context, moment: string): Promise<void> {
  const oldest = await row<{ time: string | null; isBefore: boolean; isFuture: boolean }>(
    ctx.db,
    sql`select ${selectMoment(sql`min(t.created_at)`, 'iso')} as time,
        coalesce(${moment}::timestamptz < date_trunc('milliseconds', min(t.created_at)), true) as "isBefore",
        ${moment}::timestamptz > clock_timestamp() + interval '1 minute' as "isFuture"
      from audits t`,
  )
  if (oldest?.isFuture) throw invalid({ as_of: ['is in the future'] })
  if (oldest?.isBefore)
    throw invalid({ as_of: [`is before the first change that is kept: ${oldest.time ?? 'none is kept'}`] })
}
