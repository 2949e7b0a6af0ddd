import { printExact, printIfReordered } from '../lib/lossless-json.ts'
import { sql } from '../sql.ts'
import type { AuditCall, AuditCause, AuditEntry, AuditPlaces } from './audit-call.ts'
import { type Db, keyOf, row, type Sql } from './sql.ts'
import { PLANNED_ANEW } from './statements.ts'

export type { AuditCause, AuditEntry, AuditPlaces }

/**
 * Writes audits in the transaction of their changes. All audits are written here. Their ids come from a sequence, which
 * has gaps; `version` counts the audits of one record. If the transaction buffers audits, they are written together,
 * before the deletion of a record that they need and before a read.
 */
export async function insertAudits(
  tx: Db,
  cause: AuditCause,
  entries: readonly AuditEntry[],
  places: AuditPlaces = {},
): Promise<void> {
  if (entries.length === 0) return
  const waiting = tx.waitingAudits ?? []
  waiting.push({ cause, entries: entries.toSorted((a, b) => a.id - b.id), places })
  if (!tx.waitingAudits || entries.some(({ action }) => action === 'destroy')) await writeAll(tx, waiting)
}

/**
 * Lets the audits of a transaction wait until `writeAudits`, which the caller has to call before the transaction ends.
 */
export function bufferAudits(tx: Db): void {
  tx.waitingAudits = []
}

/** Writes the audits of a transaction that wait; what ends the transaction, or a part of it, may follow then. */
export async function writeAudits(tx: Db): Promise<void> {
  await writeAll(tx, tx.waitingAudits ?? [])
}

/** Drops buffered audits after a rollback of their writes. */
export function forgetAudits(tx: Db): void {
  tx.waitingAudits?.splice(0)
}

/** Writes buffered audits and tells whether a condition holds afterwards, usually in one statement. */
export async function flushAuditsAndCheck(tx: Db, condition: Sql): Promise<boolean> {
  return (await writeAll(tx, tx.waitingAudits ?? [], condition)) ?? false
}

async function writeAll(tx: Db, waiting: AuditCall[], asked?: Sql): Promise<boolean | undefined> {
  const groups = groupCalls(waiting.splice(0))
  const last = groups.pop()
  // Nobody has to wait for an audit: the next statement fails when it cannot be written, and a transaction ends with one.
  for (const group of groups) void tx.enqueue(statementOf(group, sql`true`))
  if (last && !asked) void tx.enqueue(statementOf(last, sql`true`))
  if (!asked) return undefined
  return (await row<CheckRow>(tx, last ? statementOf(last, asked) : sql`select ${asked} as held`))?.held
}

interface CheckRow {
  readonly held: boolean
}

/** The audits that one statement writes: all of one cause, and all of one type with equal places. */
interface Group {
  readonly cause: AuditCause
  readonly entries: AuditEntry[]
  /** The places, with the types of the entries that have them, by the text of the places. */
  readonly placed: Map<string, { readonly types: Set<string>; readonly places: AuditPlaces }>
}

function groupCalls(calls: readonly AuditCall[]): Group[] {
  const groups: Group[] = []
  for (const call of calls) {
    const from = JSON.stringify([call.places.organizations, call.places.locations].map((ids) => ids && keyOf(ids)))
    const types = new Set(call.entries.map(({ type }) => type))
    const known = groups.at(-1)
    const fits = known && isSame(known.cause, call.cause) && [...types].every((type) => isFrom(known, type, from))
    const group: Group = fits ? known : { cause: call.cause, entries: [], placed: new Map() }
    if (!fits) groups.push(group)
    group.entries.push(...call.entries)
    const placed = group.placed.get(from)
    if (!placed) group.placed.set(from, { types, places: call.places })
    else for (const type of types) placed.types.add(type)
  }
  return groups
}

function isSame(left: AuditCause, right: AuditCause): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** Whether all entries of this type in the group have the places of this text. */
function isFrom({ placed }: Group, type: string, from: string): boolean {
  return [...placed].every(([known, { types }]) => known === from || !types.has(type))
}

function statementOf({ cause, entries, placed }: Group, asked: Sql) {
  return sql<CheckRow>`
    with written as (
      insert into audits (user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes,
        version, comment, remote_address, request_uuid)${sql.raw(entries.length < MANY ? '' : ` ${PLANNED_ANEW}`)}
      select nullif(${cause.userId}::bigint, 0), ${cause.userName}::text, e.action, e.type, e.id, e.name, e.changes,
        (select coalesce(max(a.version), 0) from audits a where a.auditable_type = e.type and a.auditable_id = e.id)
          + row_number() over (partition by e.type, e.id order by e.place),
        e.comment, ${cause.address}::inet, ${cause.requestId}::text
      from rows from (jsonb_to_recordset(${printExact(entries)}::jsonb)
        as (action text, type text, id bigint, name text, changes jsonb, comment text))
        with ordinality as e (action, type, id, name, changes, comment, place)
      order by e.place
      returning id, auditable_id, auditable_type
    )${selectOrders(entries)}${selectPlaces('organization', placed)}${selectPlaces('location', placed)}
    select ${asked} as held`
}

/** Keeps the order of keys in changes where `jsonb` loses it; ids are in the order of the entries. */
function selectOrders(entries: readonly AuditEntry[]): Sql {
  const ordered = entries.flatMap(({ changes }, at) =>
    Object.values(changes).some((value) => printIfReordered(value) !== null)
      ? [[at + 1, printExact(changes)] as const]
      : [],
  )
  if (ordered.length === 0) return sql``
  return sql`, kept as (
      insert into audits_order (id, ordered) select w.id, o.ordered
      from (select id, row_number() over (order by id) as place from written) w
      join unnest(${ordered.map(([place]) => place)}::bigint[], ${ordered.map(([, text]) => text)}::text[]) as o (place, ordered)
        on o.place = w.place
    )`
}

/** So many audits look for the ones before them for longer than planning takes. */
const MANY = 20

/**
 * Inserts the places of audits. It locks them as the foreign key would, so that a place which another request deletes at the
 * same time is left out.
 */
function selectPlaces(kind: 'organization' | 'location', placed: Group['placed']): Sql {
  const table = sql.table(`${kind}s`)
  const selections = [...placed.values()].flatMap(({ types, places }) => {
    const ids = places[`${kind}s`]
    const among = sql` where written.auditable_type = any (${[...types]}::text[])`
    return ids
      ? [
          sql`select written.id, places.id from written cross join lateral (${ids} offset 0) places (id)${placed.size > 1 ? among : sql``}`,
        ]
      : []
  })
  if (selections.length === 0) return sql``
  return sql`, ${sql.ref(`in_${kind}s`)} as (
      insert into ${sql.table(`audit_${kind}s`)} (audit_id, ${sql.ref(`${kind}_id`)})
      select found.audit_id, p.id from (${sql.join(selections, sql` union all `)}) found (audit_id, id)
        join ${table} p using (id) for key share of p
    )`
}
