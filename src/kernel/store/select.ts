import { sql } from 'kysely'
import { type Db, finished, row, rows, type Sql } from '../../database/sql.ts'
import { type Condition, joinConditions, ROOT } from '../condition.ts'
import type { Found, Stored } from '../field.ts'
import { type Row, selectReadableKeys } from '../present.ts'
import type { Resource } from '../resource.ts'
import type { Ordering } from '../searching.ts'
import { versionOf } from './counts.ts'

/** The view's keys as a select list over the row `t`. */
export function selection(resource: Resource, view: readonly string[]): Sql {
  const known = selections.get(resource) ?? new Map<string, Sql>()
  selections.set(resource, known)
  const name = view.join()
  const selected =
    known.get(name) ??
    finished(
      sql.join(
        selectReadableKeys(resource, view).map(([key, { sql: value }]) => sql`${value(ROOT)} as ${sql.ref(key)}`),
      ),
    )
  known.set(name, selected)
  return selected
}

// Views are facts of the program, and few.
const selections = new WeakMap<Resource, Map<string, Sql>>()

export interface PageRequest {
  readonly view: readonly string[]
  readonly conditions: readonly Condition[]
  readonly order: Ordering
  readonly limit: number | null
  readonly offset: number
}

/** One page and, in the same snapshot, the version of the tables behind it and how many rows the table has. */
export interface Page {
  readonly rows: readonly Row[]
  /** Undefined for a page without rows: nothing carried it. */
  readonly version: number | undefined
  readonly everything: number | undefined
}

export async function selectPage(db: Db, resource: Resource, request: PageRequest): Promise<Page> {
  const found = await rows<Row & { _version: number; _everything: number }>(db, pageStatement(resource, request))
  return { rows: found, version: found[0]?._version, everything: found[0]?._everything }
}

export function pageStatement(resource: Resource, { view, conditions, order, limit, offset }: PageRequest): Sql {
  const { version, everything } = versionOf(resource, conditions)
  const selected = sql`select ${selection(resource, view)}, ${version} as _version, ${everything} as _everything`
  const { joins, order: by } = order.joined ?? { joins: sql``, order: order.order }
  const rest = sql`
    from ${sql.table(resource.table)} t ${joins}
    where ${joinConditions(conditions)}
    order by ${by}, t.id
    limit ${limitOf(limit, conditions)}`
  // Keys are worked out for the rows of the page alone, not for those that are passed over or sorted behind it.
  if (limit === null || (offset === 0 && conditions.length === 0 && !order.joined))
    return sql`
    ${selected}${rest}`
  const skipped = offset === 0 ? sql`` : sql` offset ${offset}`
  return sql`
    ${selected} from (select t.*${rest}${skipped}) t order by ${order.order}, t.id`
}

/**
 * With a bound limit PostgreSQL plans each execution for its values. Under conditions that has to be so: many rows are
 * found by the index of the order, few by that of the condition, and a plan for all values would be a thousand times too
 * slow for some (docs/decisions/0002-prepared-statements.md). Without conditions one plan serves all, and saves a third.
 */
function limitOf(limit: number | null, conditions: readonly Condition[]): Sql {
  return limit !== null && conditions.length === 0 && limit <= MOST_USUAL ? sql.raw(String(limit)) : sql`${limit}`
}

// Every limit that is written out makes a statement of its own, and the names of those are numbered.
const MOST_USUAL = 100

/** What names a record: a path segment, or the id itself. */
export type Segment = string | number

/** The record a segment names among those that the conditions leave (core-api §2.6), in the keys of a view. */
export async function selectRecord(
  db: Db,
  resource: Resource,
  view: readonly string[],
  segment: Segment,
  conditions: readonly Condition[],
): Promise<Found | undefined> {
  return row(db, recordStatement(resource, view, segment, conditions))
}

export function recordStatement(
  resource: Resource,
  view: readonly string[],
  segment: Segment,
  conditions: readonly Condition[],
): Sql {
  return sql`select ${selection(resource, view)} ${namedRow(resource, segment, conditions)}`
}

function namedRow(resource: Resource, segment: Segment, conditions: readonly Condition[]): Sql {
  const { condition, preference } = named(resource, segment)
  return sql`
    from ${sql.table(resource.table)} t
    where (${condition}) and ${joinConditions(conditions)}
    order by ${preference}
    limit 1`
}

/** `7-x86_64` is the id 7 before it is a name, `7` is a name before it is the id; anything else is a name. */
function named(resource: Resource, segment: Segment): { condition: Sql; preference: Sql } {
  if (typeof segment === 'number') return { condition: sql`t.id = ${segment}::bigint`, preference: sql`t.id` }
  if (segment.includes('\0')) return { condition: sql`false`, preference: sql`t.id` }
  const digits = (resource.namedBy === 'label' ? /^(\d{1,18})$/ : /^(\d{1,18})(-.*)?$/s).exec(segment)
  // Names are unique within organizations only: there, paths take ids alone (content-api §1.1).
  const byLabel =
    resource.label && resource.taxable !== 'organization'
      ? sql`${sql.ref(`${ROOT}.${resource.label}`)} = ${segment}::text`
      : sql`false`
  if (!digits) return { condition: byLabel, preference: sql`t.id` }
  const byId = sql`t.id = ${digits[1]}::bigint`
  if (!resource.label || resource.taxable === 'organization') return { condition: byId, preference: sql`t.id` }
  return {
    condition: sql`${byId} or ${byLabel}`,
    preference: digits[2] ? sql`(${byId}) desc` : sql`(${byLabel}) desc`,
  }
}

/**
 * The whole stored row that a segment names among those that the conditions leave, locked, with the values kept elsewhere
 * under their fields' names. Those are read once the lock is held: one statement would read them as they were before it
 * waited for the lock.
 */
export async function lockStored(
  db: Db,
  resource: Resource,
  segment: Segment,
  conditions: readonly Condition[] = [],
): Promise<Stored | undefined> {
  const isWhole = !resource.placed.some(({ elsewhere }) => elsewhere)
  const statement = sql`select ${isWhole ? sql`t.*` : sql`t.id`} ${namedRow(resource, segment, conditions)} for no key update of t`
  const locked = await row<Stored>(db, statement)
  return locked && !isWhole ? readStored(db, resource, locked.id) : locked
}

/** The whole stored row of a record that nobody else can change by now. */
export async function readStored(db: Db, { table, placed }: Resource, id: number): Promise<Stored | undefined> {
  const elsewhere = placed.flatMap(({ name, at, elsewhere }) =>
    elsewhere ? [sql`${elsewhere.sql(at, ROOT)} as ${sql.ref(name)}`] : [],
  )
  return row(db, sql`select ${sql.join([sql`t.*`, ...elsewhere])} from ${sql.table(table)} t where t.id = ${id}`)
}
