import type { Context } from '../../context.ts'
import { arrayOfIds, type Db, finishFragment, row, textOf } from '../../database/sql.ts'
import { selectInOrder } from '../../database/stored-order.ts'
import { openHidden } from '../../encryption/hidden-values.ts'
import { type Sql, sql } from '../../sql.ts'
import { type Condition, joinConditions, ROOT } from '../condition.ts'
import type { Fields, ReadableKey, Resource } from '../definition.ts'
import type { FoundRecord, Row, Stored } from '../record.ts'
import type { Ordering } from '../searching.ts'
import { versionOf } from './counts.ts'

/** What a statement over the row `t` selects for a view, as SQL. */
interface Selection {
  readonly keys: Sql
  /** Joins that the keys need, after `t` in `from`. */
  readonly beside: Sql
  /** The number of look-ups of other rows for each record. */
  readonly lookups: number
}

function selectionOf(resource: Resource, view: readonly string[]): Selection {
  const known = selections.get(resource) ?? new Map<string, Selection>()
  selections.set(resource, known)
  const name = view.join()
  const selection = known.get(name) ?? buildSelection(resource, view)
  known.set(name, selection)
  return selection
}

// Selections by the keys of views. Views are fixed in the program and few, so that no selection is ever dropped.
const selections = new WeakMap<Resource, Map<string, Selection>>()

function buildSelection(resource: Resource, view: readonly string[]): Selection {
  const readable = view.map((key) => [key, findReadableKey(resource, key)] as const)
  const rows = [...new Set(readable.flatMap(([, { shared }]) => shared?.row ?? []))]
  const keys = finishFragment(
    sql.join(readable.map(([key, { sql: alone, shared }]) => sql`${shared?.value ?? alone(ROOT)} as ${sql.ref(key)}`)),
  )
  const beside = finishFragment(
    sql`${sql.join(
      rows.map(({ name, select }) => sql` left join lateral (${select(ROOT)}) ${sql.ref(name)} on true`),
      sql``,
    )}`,
  )
  return { keys, beside, lookups: textOf(sql`${keys}${beside}`).split('(select').length - 1 }
}

/** Which rows of a list to select, and which keys; with `limit` null all rows. */
export interface PageRequest {
  readonly view: readonly string[]
  readonly conditions: readonly Condition[]
  readonly order: Pick<Ordering, 'order' | 'joined'>
  readonly limit: number | null
  readonly offset: number
  /** Further columns of `Page.last`, the last row. */
  readonly mark?: Sql
}

/** A page, and of its snapshot the version of the tables and, as `everything`, the number of rows in the resource's table. */
export interface Page {
  readonly rows: readonly Row[]
  /** Undefined for a page without rows, because each row carries the version. */
  readonly version: number | undefined
  readonly everything: number | undefined
  readonly last: Row | undefined
}

/** Selects a page by one statement, or by two where planning its keys for each page would take longer. */
export async function selectPage(db: Db, resource: Resource, request: PageRequest): Promise<Page> {
  const apart = isPlannedForItsValues(request) && selectionOf(resource, request.view).lookups >= MANY_LOOKUPS
  const page = apart ? await selectPageApart(db, resource, request) : undefined
  if (page) return page
  const found = await readRows<Row & { _version: number; _everything: number }>(db, pageStatementOf(resource, request))
  return { rows: found, version: found[0]?._version, everything: found[0]?._everything, last: found.at(-1) }
}

// With this many look-ups, planning them for every page takes longer than a second statement.
const MANY_LOOKUPS = 12

/**
 * Selects a page by two statements: ids by one that is planned for its values, then keys by one with a reusable plan.
 * Planning what a host shows takes three times as long as selecting it for a page. Undefined when a table that either reads
 * was written between the two.
 */
async function selectPageApart(db: Db, resource: Resource, request: PageRequest): Promise<Page | undefined> {
  const found = await readRows<{ id: number; _version: number; _everything: number }>(
    db,
    idsStatementOf(resource, request),
  )
  const [first] = found
  if (!first) return { rows: [], version: undefined, everything: undefined, last: undefined }
  const ids = found.map(({ id }) => id)
  const written = await readRows<Row & { _version: number }>(db, keysStatementOf(resource, request, ids))
  if (written.length < ids.length || written[0]?._version !== first._version) return undefined
  return { rows: written, version: first._version, everything: first._everything, last: found.at(-1) }
}

function idsStatementOf(resource: Resource, request: PageRequest): Sql {
  const { version, everything } = versionOf(resource, request.conditions)
  return sql`
    select t.id, ${version} as _version, ${everything} as _everything${request.mark ?? sql``} ${selectRows(resource, request, sql``)}`
}

function keysStatementOf(resource: Resource, { view, conditions }: PageRequest, ids: readonly number[]): Sql {
  const { version } = versionOf(resource, conditions)
  const { keys, beside } = selectionOf(resource, view)
  return sql`
    select ${keys}, ${version} as _version
    from ${sql.table(resource.table)} t${beside}
    where t.id = any (${arrayOfIds(ids)})
    order by array_position(${ids}::bigint[], t.id)`
}

/** Builds the statement that selects ids and keys of a page at once. */
export function pageStatementOf(resource: Resource, request: PageRequest): Sql {
  const { version, everything } = versionOf(resource, request.conditions)
  const { keys, beside } = selectionOf(resource, request.view)
  const selected = sql`select ${keys}, ${version} as _version, ${everything} as _everything${request.mark ?? sql``}`
  // Keys are computed after limit and offset, only for the rows of the page.
  if (!isPlannedForItsValues(request))
    return sql`
    ${selected}${selectRows(resource, request, beside)}`
  return sql`
    ${selected} from (select t.*${selectRows(resource, request, sql``)}) t${beside} order by ${request.order.order}, t.id`
}

function selectRows(resource: Resource, { conditions, order, limit, offset }: PageRequest, beside: Sql): Sql {
  const { joins, order: by } = order.joined ?? { joins: sql``, order: order.order }
  const skipped = limit === null || offset === 0 ? sql`` : sql` offset ${offset}`
  return sql`
    from ${sql.table(resource.table)} t ${joins}${beside}
    where ${joinConditions(conditions)}
    order by ${by}, t.id
    limit ${limitOf(limit, conditions)}${skipped}`
}

/** Whether a page is planned for its values: one plan suits all rows, and the first page without conditions and joins. */
function isPlannedForItsValues({ conditions, order, limit, offset }: PageRequest): boolean {
  return limit !== null && (offset !== 0 || conditions.length > 0 || order.joined !== undefined)
}

/**
 * Binds a limit, which makes PostgreSQL plan for the values, as conditions need (docs/decisions/0002-prepared-statements.md),
 * or writes it out: without conditions one plan serves all, which saves a third of the time.
 */
function limitOf(limit: number | null, conditions: readonly Condition[]): Sql {
  return limit !== null && conditions.length === 0 && limit <= MOST_USUAL ? sql.raw(String(limit)) : sql`${limit}`
}

// Each limit that is written out makes a prepared statement of its own, so that only small ones are written out.
const MOST_USUAL = 100

/** The name of a record: a segment of a path, or an id. */
export type Segment = string | number

/** Selects keys of the record that a segment names (core-api §2.6) with the statement of `recordStatementOf`. */
export async function selectRecord(
  db: Db,
  resource: Resource,
  view: readonly string[],
  segment: Segment,
  conditions: readonly Condition[],
  reachable: Sql | null = null,
): Promise<FoundRecord | undefined> {
  return (await readRows<FoundRecord>(db, recordStatementOf(resource, view, segment, conditions, reachable)))[0]
}

/** Builds the statement that selects keys of one record, and `reachable`, more columns over these keys as `shown`. */
export function recordStatementOf(
  resource: Resource,
  view: readonly string[],
  segment: Segment,
  conditions: readonly Condition[] = [],
  reachable: Sql | null = null,
): Sql {
  const { keys, beside } = selectionOf(resource, view)
  const record = sql`select ${keys} ${selectNamed(resource, segment, conditions, beside)}`
  return reachable ? sql`select shown.*, ${reachable} from (${record}) shown` : record
}

function selectNamed(resource: Resource, segment: Segment, conditions: readonly Condition[], beside: Sql = sql``): Sql {
  const { condition, preference } = limitToNamed(resource, segment)
  return sql`
    from ${sql.table(resource.table)} t${beside}
    where (${condition}) and ${joinConditions(conditions)}
    order by ${preference}
    limit 1`
}

/** Leaves the records that a segment may name, the preferred first: `7-x86_64` is first the id 7, `7` first a name. */
function limitToNamed(resource: Resource, segment: Segment): { condition: Sql; preference: Sql } {
  if (typeof segment === 'number') return { condition: sql`t.id = ${segment}::bigint`, preference: sql`t.id` }
  if (segment.includes('\0')) return { condition: sql`false`, preference: sql`t.id` }
  const digits = (resource.namedBy === 'label' ? /^(\d{1,18})$/ : /^(\d{1,18})(-.*)?$/s).exec(segment)
  const byLabel = limitToLabel(resource, segment)
  if (!digits) return { condition: byLabel, preference: sql`t.id` }
  const byId = sql`t.id = ${digits[1]}::bigint`
  if (!resource.label || resource.taxable === 'organization') return { condition: byId, preference: sql`t.id` }
  return {
    condition: sql`${byId} or ${byLabel}`,
    preference: digits[2] ? sql`(${byId}) desc` : sql`(${byLabel}) desc`,
  }
}

/** Leaves the record with this label; none if labels are unique only within an organization (content-api §1.1). */
function limitToLabel({ label, taxable }: Resource, word: string): Sql {
  return label && taxable !== 'organization' ? sql`${sql.ref(`${ROOT}.${label}`)} = ${word}::text` : sql`false`
}

/**
 * Locks and reads the stored row that a segment names among those that the conditions leave. Values in other tables are
 * read by a second statement, once the lock is held: the first would see them as they were before it waited for the lock.
 */
export async function lockStored<F extends Fields>(
  { db, encryption }: Pick<Context, 'db' | 'encryption'>,
  resource: Resource<F>,
  segment: Segment,
  conditions: readonly Condition[] = [],
): Promise<Stored<F> | undefined> {
  const isWhole = resource.elsewhere.length === 0
  const statement = sql`select ${isWhole ? selectRow(resource) : sql`t.id`} ${selectNamed(resource, segment, conditions)} for no key update of t`
  if (isWhole) return openHidden(encryption, resource.columns, await row<Stored<F>>(db, statement))
  const locking = db.enqueue<Stored<F>>(statement)
  const stored = await row<Stored<F>>(db, sql`select ${selectWholeRow(resource)} ${selectNamed(resource, segment, [])}`)
  const [locked] = await locking()
  return locked && locked.id !== stored?.id
    ? readStored({ db, encryption }, resource, locked.id)
    : locked && openHidden(encryption, resource.columns, stored)
}

/** Reads the stored row of a record that is already locked by this transaction. */
export async function readStored<F extends Fields>(
  ctx: Pick<Context, 'db' | 'encryption'>,
  resource: Resource<F>,
  id: number,
) {
  const statement = sql`select ${selectWholeRow(resource)} from ${sql.table(resource.table)} t where t.id = ${id}`
  return openHidden(ctx.encryption, resource.columns, await row<Stored<F>>(ctx.db, statement))
}

/** Selects all columns of the row. */
export function selectRow({ columns }: Resource): Sql {
  const ordered = columns.flatMap(({ name, ordered: table }) =>
    table ? [sql`${selectInOrder(table, ROOT)} as ${sql.ref(name)}`] : [],
  )
  return sql.join([sql`t.*`, ...ordered]) // the second column of a name is the one that counts
}

/** Selects all columns of the row and the values that other tables hold. */
export function selectWholeRow(resource: Resource): Sql {
  return sql.join([
    selectRow(resource),
    ...resource.elsewhere.map((one) => sql`${one.elsewhere.sql(one.at, ROOT)} as ${sql.ref(one.name)}`),
  ])
}

/** Finds a key by its name in answers. {@throws Error} for an unknown one, which is a mistake of the declaration */
export function findReadableKey(resource: Resource, key: string): ReadableKey {
  const readable = resource.readable[key]
  if (!readable) throw new Error(`${resource.name} has no key ${key} to show`)
  return readable
}

/** Reads rows, perhaps together with other requests (`Db.read`). */
async function readRows<Row>(db: Db, statement: Sql): Promise<Row[]> {
  return (await db.read(statement)).rows as Row[] // whoever writes a statement knows its columns
}
