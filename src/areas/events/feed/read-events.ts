import { type Context, hasPermission } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import {
  type Condition,
  compileRequestSearch,
  findResource,
  joinConditions,
  limitToVisible,
  permissionOf,
  permitsOwn,
  type Registry,
  type Resource,
} from '../../../kernel/index.ts'
import { limitToAuditsOfSeen } from '../../../records/audited-records.ts'
import { selectMoment } from '../../../requests/times.ts'
import { joinAll, joinAny, sql } from '../../../sql.ts'
import { buildCloudEvent, type CloudEvent, type StoredEvent } from './cloud-event.ts'
import { type Kind, listKinds, listKindsByRecord, matchesType, recordKeyOf } from './kinds.ts'

/** The permission to read the feed. */
export const VIEW_EVENTS = 'view_audit_logs'

/** Which events a reader wants. */
export interface EventFilter {
  /** Patterns of types; null: all. */
  readonly types: readonly string[] | null
  /** The record that they are about. */
  readonly record: { readonly resource: Resource; readonly id: number } | null
  /** A condition in the words of audits, which only events with an audit meet. */
  readonly search: string | null
}

/** Some events, and the number up to which there are no others. */
export interface EventPage {
  readonly events: readonly NumberedEvent[]
  readonly last: number
}

/** An event with its number. */
export interface NumberedEvent {
  readonly number: number
  readonly event: CloudEvent
}

/** So many numbers are looked at by one statement, and by one request: a reader who sees little must not wait for a timeout. */
const WINDOW = 2000
const MOST_WINDOWS = 10

/** Reads at most `limit` events after a number, up to the last one, that the reader may see now. */
export async function readEvents(
  ctx: Context,
  registry: Registry,
  filter: EventFilter,
  { after, upTo, limit }: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<EventPage> {
  const conditions = await compileFilter(ctx, registry, filter)
  const events: NumberedEvent[] = []
  let last = after
  for (let looked = 0; looked < MOST_WINDOWS && last < upTo && events.length < limit; looked++) {
    const end = Math.min(upTo, last + WINDOW)
    const room = limit - events.length
    const seen = await limitToSeen(ctx, registry, conditions, last, end)
    const found = await rows<StoredRow>(ctx.db, selectEvents(seen, last, end, room))
    for (const stored of found) {
      const kind = listKindsByRecord(registry).get(`${stored.about} ${stored.action}`)
      if (kind) events.push({ number: stored.number, event: buildCloudEvent(kind.type, kind.resource, stored) })
    }
    last = found.length < room ? end : (found.at(-1)?.number ?? end)
  }
  return { events, last }
}

interface StoredRow extends StoredEvent {
  /** The type in audits, or the resource in notes. */
  readonly about: string
}

/** The conditions on audits `t` and on notes `n`. */
interface FilterConditions {
  /** The kinds and the record that a reader wants. */
  readonly wanted: Sql
  /** What else audits have to meet. */
  readonly audits: Sql
  readonly notes: Sql
}

/** Compiles what a reader wants, but for what they see of records with audits. {@throws Failure} bad_search */
async function compileFilter(ctx: Context, registry: Registry, filter: EventFilter): Promise<FilterConditions> {
  const audits = findResource(registry, 'audit')
  const kinds = [...listKinds(registry).values()].filter(
    ({ type }) => filter.types?.some((one) => matchesType(one, type)) ?? true,
  )
  const wanted = { audited: kinds.filter(({ noted }) => !noted), noted: kinds.filter(({ noted }) => noted) }
  const { record, search } = filter
  const visible: Condition[] = [
    ...limitToVisible(ctx, audits, VIEW_EVENTS),
    ...(await compileRequestSearch(ctx, audits, search)),
  ]
  const ofRecord = record
    ? sql`t.auditable_type = ${record.resource.type} and t.auditable_id = ${record.id}`
    : sql`true`
  return {
    wanted: joinAll([isAmong(sql`t.auditable_type || ' ' || t.action`, wanted.audited), ofRecord]),
    audits: joinConditions(visible),
    notes: search === null ? limitNotes(ctx, wanted.noted, record) : sql`false`,
  }
}

/**
 * Limits audits to those of records that the reader may see now. Only the types that occur between the numbers are asked about:
 * to plan a statement about all of them takes ten times as long as to execute it.
 */
async function limitToSeen(
  ctx: Context,
  registry: Registry,
  conditions: FilterConditions,
  after: number,
  upTo: number,
): Promise<FilterConditions> {
  if (ctx.user.admin) return conditions
  const statement = sql`select distinct t.auditable_type as type from ${selectNumbers(after, upTo)}
    join audits t on t.id = o.audit_id where ${conditions.wanted}`
  const types = (await rows<{ readonly type: string }>(ctx.db, statement)).map(({ type }) => type)
  const seen = limitToAuditsOfSeen(ctx, registry, types)
  return { ...conditions, audits: joinAll([conditions.audits, joinConditions(seen)]) }
}

function isAmong(words: Sql, kinds: readonly Kind[]): Sql {
  return sql`${words} = any (${kinds.map(recordKeyOf)}::text[])`
}

/** Limits notes to those about records that the reader may see now. */
function limitNotes(ctx: Context, kinds: readonly Kind[], record: EventFilter['record']): Sql {
  const about = [...new Set(kinds.map(({ resource }) => resource))].filter(
    (resource) => record === null || record.resource === resource,
  )
  const ways = about.flatMap((resource) => {
    const permission = permissionOf(resource, 'view')
    const own = permitsOwn(resource, 'show')
    if (!own && !hasPermission(ctx, permission)) return []
    const visible = limitToVisible(ctx, resource, permission, own)
    const seen =
      visible.length === 0
        ? sql`true`
        : sql`n.record_id in (select t.id from ${sql.table(resource.table)} t where ${joinConditions(visible)})`
    return [sql`n.resource = ${resource.name} and ${seen}`]
  })
  return joinAll([
    isAmong(sql`n.resource || ' ' || n.action`, kinds),
    ...(record ? [sql`n.record_id = ${record.id}`] : []),
    joinAny(ways),
  ])
}

function selectEvents({ wanted, audits, notes }: FilterConditions, after: number, upTo: number, limit: number): Sql {
  const numbers = selectNumbers(after, upTo)
  return sql`
    (select o.number, t.action, t.auditable_id as "recordId", t.auditable_name as "recordName", t.user_id as "userId",
        coalesce(t.user_login, t.user_name) as "userLogin", ${selectMoment(sql`t.created_at`, 'iso')} as time, false as noted,
        t.audited_changes as content, t.version, t.comment, t.request_uuid as "requestId", t.auditable_type as about
      from ${numbers} join audits t on t.id = o.audit_id
      where ${wanted} and ${audits} order by o.number limit ${limit})
    union all
    (select o.number, n.action, n.record_id, n.record_name, n.user_id, n.user_login, ${selectMoment(sql`n.created_at`, 'iso')}, true,
        n.data, null, null, null, n.resource
      from ${numbers} join event_notes n on n.id = o.note_id
      where ${notes} order by o.number limit ${limit})
    order by number limit ${limit}`
}

function selectNumbers(after: number, upTo: number): Sql {
  // Without the literal, PostgreSQL plans for a two-hundredth of all numbers, and starts parallel workers for one page.
  return sql`(select * from event_order where number > ${after} and number <= ${upTo}
        order by number limit ${sql.lit(WINDOW)}) o`
}
