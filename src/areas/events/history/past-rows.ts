import type { Context } from '../../../context.ts'
import { rows, type Sql, textOf } from '../../../database/sql.ts'
import { type ReadableKey, type Resource, ROOT, type Row } from '../../../kernel/index.ts'
import { rememberEach } from '../../../lib/lazy.ts'
import { printExact } from '../../../lib/lossless-json.ts'
import { sql } from '../../../sql.ts'
import { isAfter, limitToSeen, type PastRecord, rebuildRecords } from './rebuild.ts'

/**
 * Rows of a time in place of tables: a statement that begins with them reads records, the names of what they linked to and
 * their links as they were, with the selections that read the present (docs/decisions/0062-as-of.md).
 */
export interface PastRows {
  /** What the statement begins with. */
  readonly clause: Sql
  /** Adds `unknown`: the keys whose value at the time nobody knows, or that were computed from the data of today. */
  describe(id: number, answer: Row): Row
}

interface Rebuilt {
  readonly resource: Resource
  readonly records: ReadonlyMap<number, PastRecord>
  /** Records that have changed since in a way that the caller may not see: their names are those of today. */
  readonly hidden: ReadonlySet<number>
}

/** Rebuilds records by their ids, and those records that they linked to and that have changed since. */
export async function buildPastRows(
  ctx: Context,
  resource: Resource,
  ids: readonly number[],
  moment: string,
): Promise<PastRows> {
  const records = indexRecords(await rebuildRecords(ctx, resource, ids, moment))
  const linked = await rebuildLinked(ctx, resource, [...records.values()], moment)
  const { records: own = [], hidden = new Set<number>() } = linked.get(resource.table) ?? {}
  const tables = new Map([...linked, [resource.table, { resource, records: new Map([...own, ...records]), hidden }]])
  const replaced = [...[...tables.values()].map(replaceTable), ...replaceLinkTables(resource, [...records.values()])]
  return {
    clause: sql`with ${sql.join(replaced)} `,
    describe: (id, answer) => {
      const record = records.get(id)
      const known = listKnownKeys(resource, record, linked)
      const unknown = Object.keys(answer).filter((key) => !known.has(key))
      return {
        ...answer,
        ...(record && !record.isThere && listBlanks(resource, record, answer)),
        unknown: unknown.sort(),
      }
    },
  }
}

function indexRecords(records: readonly PastRecord[]): ReadonlyMap<number, PastRecord> {
  return new Map(records.map((record) => [record.id, record]))
}

const UNCHANGED = {
  values: new Map(),
  known: new Set<string>(),
  createdAt: null,
  changedAt: null,
  name: null,
  isThere: true,
}

/** Rebuilds the linked records that were changed after the time, by the tables that hold them. */
async function rebuildLinked(
  ctx: Context,
  resource: Resource,
  records: readonly PastRecord[],
  moment: string,
): Promise<ReadonlyMap<string, Rebuilt>> {
  const targets = new Map<Resource, Set<number>>()
  for (const { field, at, auditKey } of resource.stored) {
    if (!field.refersTo) continue
    const target = at.target(field.refersTo.resource)
    const ids = records.flatMap(({ values }) => readIds(values.get(auditKey)))
    targets.set(target, new Set([...(targets.get(target) ?? []), ...ids]))
  }
  const named = [...targets].flatMap(([target, ids]) => [...ids].map((id) => ({ target, id })))
  if (named.length === 0) return new Map()
  const types = [...new Set(named.map(({ target }) => target.type))]
  const changed = await rows<{ type: string; id: number; isSeen: boolean }>(
    ctx.db,
    sql`select t.auditable_type as type, t.auditable_id as id, bool_and(${limitToSeen(ctx, resource.registry, types)}) as "isSeen" from audits t
      join unnest(${named.map(({ target }) => target.type)}::text[], ${named.map(({ id }) => id)}::bigint[]) named (type, id)
        on t.auditable_type = named.type and t.auditable_id = named.id
      where ${isAfter(moment)} group by 1, 2`,
  )
  const found = new Map<string, Rebuilt>()
  const idsByType = Map.groupBy(changed, ({ type }) => type)
  for (const [target, ids] of targets) {
    const later = idsByType.get(target.type) ?? []
    if (later.length === 0 && target.table !== resource.table) continue
    const seen = later.flatMap(({ id, isSeen }) => (isSeen ? [id] : []))
    const hidden = later.flatMap(({ id, isSeen }) => (isSeen ? [] : [id]))
    const rebuilt = seen.length === 0 ? [] : await rebuildRecords(ctx, target, seen, moment)
    const same = [...ids].map((id): [number, PastRecord] => [id, { ...UNCHANGED, id }])
    const former = found.get(target.table)
    const records = new Map([...same, ...(former?.records ?? []), ...indexRecords(rebuilt)])
    found.set(target.table, { resource: target, records, hidden: new Set([...(former?.hidden ?? []), ...hidden]) })
  }
  return found
}

function readIds(value: unknown): number[] {
  return [value].flat().filter((id) => typeof id === 'number')
}

/** Builds rows of a time that a statement reads in place of a table; unknown values are those of today. */
function replaceTable({ resource, records }: Rebuilt): Sql {
  const changes = [...records.values()].map((record) => ({
    id: record.id,
    created: record.createdAt ?? record.changedAt,
    columns: listColumns(resource, record),
  }))
  const table = sql.table(resource.table)
  return sql`${table} as (select past.* from jsonb_to_recordset(${printExact(changes)}::jsonb) change (id bigint, created text, columns jsonb)
    left join ${table} present on present.id = change.id
    cross join lateral jsonb_populate_record(null::${table},
      jsonb_build_object('created_at', change.created, 'updated_at', change.created) || coalesce(to_jsonb(present), '{}') || change.columns) past)`
}

function listColumns(resource: Resource, { id, values, changedAt }: PastRecord): Record<string, unknown> {
  const columns: Record<string, unknown> = { id, ...(changedAt !== null && { updated_at: changedAt }) }
  for (const { auditKey, column } of resource.stored)
    if (column && values.has(auditKey)) columns[column.name] = values.get(auditKey)
  // A value that nobody knows is hidden: whether it was secret then is not known either.
  for (const { auditKey, field } of resource.stored)
    if (field.maskedBy && !values.has(auditKey)) columns[field.maskedBy] = true
  return columns
}

/** Builds links of a time that a statement reads in place of the tables that hold them. */
function replaceLinkTables(resource: Resource, records: readonly PastRecord[]): Sql[] {
  return resource.elsewhere.flatMap(({ at, elsewhere, auditKey }) => {
    const link = elsewhere.linkTable?.(at)
    if (!link) return []
    const known = records.filter(({ values }) => values.has(auditKey))
    const pairs = known.flatMap(({ id, values }) => readIds(values.get(auditKey)).map((other) => [id, other] as const))
    const table = sql.table(link.table)
    const own = sql.ref(`present.${link.own}`)
    const owners = pairs.map(([id]) => id)
    const others = pairs.map(([, other]) => other)
    return [
      sql`${table} as (select present.* from ${table} present where not ${own} = any (${known.map(({ id }) => id)}::bigint[])
        union all select past.* from unnest(${owners}::bigint[], ${others}::bigint[]) link (owner, other)
        cross join lateral jsonb_populate_record(null::${table}, jsonb_build_object(${sql.lit(link.own)}, link.owner, ${sql.lit(link.other)}, link.other)) past)`,
    ]
  })
}

/** Lists values for keys of a deleted record that have none, although they always do: nothing is left to compute them from. */
function listBlanks(resource: Resource, { name }: PastRecord, answer: Row): Row {
  const blanks: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(answer)) {
    const schema = value === null ? resource.readable[key]?.schema() : undefined
    if (!schema || schema.safeParse(null).success) continue
    blanks[key] = key === resource.label ? name : BLANKS.find((blank) => schema.safeParse(blank).success)
  }
  return blanks
}

const BLANKS = ['', 0, false, [], {}]

/** Lists the keys whose value at the time is known: those of fields whose values and whose links' names are. */
function listKnownKeys(
  resource: Resource,
  record: PastRecord | undefined,
  linked: ReadonlyMap<string, Rebuilt>,
): ReadonlySet<string> {
  const known = new Set(['id'])
  if (!record) return known
  if (record.createdAt !== null || record.isThere) known.add('created_at')
  if (record.changedAt !== null) known.add('updated_at')
  const areKnown = (columns: readonly string[]) => columns.every((column) => record.known.has(column))
  for (const { key, columns } of listRowKeys(resource)) if (areKnown(columns)) known.add(key)
  for (const { auditKey, target, keys } of listOwnKeys(resource)) {
    if (!record.known.has(auditKey)) continue
    const areNamed = !target || readIds(record.values.get(auditKey)).every((id) => isNamed(target, id, linked))
    for (const { key, columns } of keys) if (areKnown(columns) && (areNamed || key === auditKey)) known.add(key)
  }
  return known
}

/** Lists the keys of views that a field alone gives, by the fields whose values audits have. */
const listOwnKeys = rememberEach((resource: Resource) => {
  const shown = new Set([...resource.views.show, ...resource.views.list])
  return resource.stored
    .filter(({ field, elsewhere }) => !field.secret && (!elsewhere || elsewhere.linkTable))
    .map(({ field, at, auditKey }) => {
      const readable = field.readable(at)
      const keys = Object.keys(readable).filter((key) => shown.has(key))
      const own = keys.filter((key) => printKey(readable, key) === printKey(resource.readable, key))
      const read = own.map((key) => ({ key, columns: listColumnsOf(printKey(readable, key)) }))
      return { auditKey, target: field.refersTo && at.target(field.refersTo.resource), keys: read }
    })
})

/** Lists the keys of views that are computed from columns of the row alone, with these columns. */
const listRowKeys = rememberEach((resource: Resource) => {
  const keys = [...new Set([...resource.views.show, ...resource.views.list])]
  return keys.flatMap((key) => {
    const text = printKey(resource.readable, key).replace(ORDER_OF_KEYS, '')
    const columns = listColumnsOf(text)
    return columns.length === 0 || /\bselect\b/.test(text) ? [] : [{ key, columns }]
  })
})

/** Lists the columns of the row that a selection reads, without its id. */
function listColumnsOf(text: string): string[] {
  return [...text.matchAll(/"t"\."(\w+)"/g)].flatMap(([, name]) => (name && name !== 'id' ? name : []))
}

/** Matches the look-up of the order of keys within a value. */
const ORDER_OF_KEYS = /select k\.ordered from "\w+" k where k\.id = "t"\."id"/g

function printKey(readable: Readonly<Record<string, ReadableKey>>, key: string): string {
  return readable[key] ? textOf(readable[key].sql(ROOT)) : ''
}

/** Whether the name of a linked record at the time is known: it has not changed since, or was rebuilt. */
function isNamed(target: Resource, id: number, linked: ReadonlyMap<string, Rebuilt>): boolean {
  const { records, hidden } = linked.get(target.table) ?? {}
  const record = records?.get(id)
  if (hidden?.has(id)) return false
  if (!record || record.values.size === 0) return true
  return ['name', target.label].every((key) => {
    const placed = target.byName.get(key)
    return !placed || record.known.has(placed.auditKey)
  })
}
