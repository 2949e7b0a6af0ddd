import { sql } from '../sql.ts'
import { limitTime } from './limit-time.ts'
import { type Db, row, type Sql } from './sql.ts'
import { selectVersion } from './versions.ts'

/** The rows to count: a condition on rows `t` of a table, and all tables that the page's conditions read. */
export interface Question {
  readonly table: string
  readonly where: Sql
  readonly tables: readonly string[]
}

/** The table whose rows never change, and those that have more of its rows. Only retention deletes some, many at a time. */
export const APPENDED = 'audits'
const WRITTEN_TOGETHER = [APPENDED, 'audit_organizations', 'audit_locations']

/**
 * A number of rows to go on from. It leaves out rows without a number in the feed, whose order is not known yet: numbers are
 * given after the commit, so that no row comes later below `position` (docs/decisions/0060-events.md).
 */
export interface Base {
  readonly position: number
  readonly count: number
  /** The number of rows of the table, whatever the condition: it tells whether some were deleted. */
  readonly everything: number
  /** The version of all other tables that the condition reads. */
  readonly others: number
}

/** A number of rows at a version. */
interface Appended {
  readonly version: number
  readonly count: number
  readonly base: Base
}

/** What is known when the counting begins, in its snapshot. `queued`: rows without a number, and those that match. */
interface Head extends Omit<Base, 'count'> {
  readonly version: number
  readonly queued: number
  readonly queuedMatching: number
}

/** How long a request waits for a count. */
const PATIENCE_MS = 1000

/**
 * Counts rows in the time that a request waits: those that were added since the base, or all of them. Yields undefined where
 * counting all of them is known to take longer. {@throws Failure} where it does; `isStopped` tells
 */
export function countAppended(
  db: Db,
  question: Question,
  known: { readonly base?: Base; readonly isSlow?: boolean } = {},
): Promise<Appended | undefined> {
  return db.readSnapshot(async (tx) => {
    limitTime(tx, PATIENCE_MS)
    const head = await readHead(tx, question)
    const added = known.base?.others === head.others ? await countAdded(tx, question, known.base, head) : undefined
    if (added !== undefined) return buildCount(head, added)
    return known.isSlow ? undefined : buildCount(head, await countWithin(tx, question, sql`true`))
  })
}

/** Counts all rows in many short statements of one snapshot; undefined once the signal asks to stop, or after ten minutes. */
export function countInPortions(db: Db, question: Question, signal: AbortSignal): Promise<Appended | undefined> {
  const until = performance.now() + MOST_MS
  return db.readSnapshot(async (tx) => {
    const head = await readHead(tx, question)
    const ends = await row<{ first: number; last: number }>(
      tx,
      sql`select coalesce(min(id), 0) as first, coalesce(max(id), -1) as last from ${sql.table(question.table)}`,
    )
    const { first = 0, last = -1 } = ends ?? {}
    let count = 0
    for (let from = first; from <= last; from += PORTION) {
      if (signal.aborted || performance.now() > until) return undefined
      count += await countWithin(tx, question, sql`t.id >= ${from}::bigint and t.id < ${from + PORTION}::bigint`)
    }
    return buildCount(head, count)
  })
}

/** Ids that are looked at by one statement. */
const PORTION = 100_000
const MOST_MS = 600_000

/** Estimates the number of rows as the planner does, without reading them. */
export async function estimateRows(db: Db, { table, where }: Question): Promise<number> {
  const found = await row<{ 'QUERY PLAN': readonly { readonly Plan: { readonly 'Plan Rows': number } }[] }>(
    db,
    sql`explain (format json) select from ${sql.table(table)} t where ${where}`,
  )
  return found?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
}

async function readHead(tx: Db, { table, where, tables }: Question): Promise<Head> {
  const { version, everything } = selectVersion(table, tables)
  const others = tables.filter((one) => !WRITTEN_TOGETHER.includes(one))
  const found = await row<Head & { rows: number }>(
    tx,
    sql`select ${version} as version, ${selectVersionOf(others)} as others, ${everything} as rows,
      (select position from event_positions where step = 'numbered') as position,
      (select count(audit_id) from event_queue) as queued,
      (select count(*) from event_queue q join ${sql.table(table)} t on t.id = q.audit_id where ${where}) as "queuedMatching"`,
  )
  const { rows = 0, queued = 0, queuedMatching = 0, position = 0, others: version_ = 0, version: at = 0 } = found ?? {}
  return { version: at, others: version_, everything: rows - queued, position, queued, queuedMatching }
}

function selectVersionOf(tables: readonly string[]): Sql {
  return selectVersion(tables[0] ?? '', tables.slice(1)).version
}

/** Counts the rows since the base, and adds them to it; undefined where rows were deleted since, which may have been counted. */
async function countAdded(tx: Db, { table, where }: Question, base: Base, head: Head): Promise<number | undefined> {
  const added = await row<{ all: number; matching: number }>(
    tx,
    sql`with added as materialized (
        select audit_id from event_order where number > ${base.position}::bigint and audit_id is not null
        union all select audit_id from event_queue where audit_id is not null
      )
      select (select count(*) from added) as all,
        (select count(*) from added join ${sql.table(table)} t on t.id = added.audit_id where ${where}) as matching`,
  )
  if (!added || base.everything + added.all !== head.everything + head.queued) return undefined
  return base.count + added.matching
}

async function countWithin(tx: Db, { table, where }: Question, portion: Sql): Promise<number> {
  const statement = sql`select count(*) as count from ${sql.table(table)} t where ${portion} and ${where}`
  return (await row<{ count: number }>(tx, statement))?.count ?? 0
}

/** Yields the count, and the base for the next one. */
function buildCount({ version, queuedMatching, position, everything, others }: Head, count: number): Appended {
  return { version, count, base: { position, everything, others, count: count - queuedMatching } }
}
