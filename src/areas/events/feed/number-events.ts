import { type Db, row, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/** The channel that tells all processes that events have got numbers. */
const EVENTS_CHANNEL = 'events'

/** The most events that get their numbers at a time. */
const MOST = 10_000

/**
 * Gives committed events their numbers, in the order of the queue, and announces them; yields whether there were any. One
 * process does it at a time, and none waits for another: its transaction holds the last number. Whatever it had begun when it
 * dies is rolled back (docs/decisions/0060-events.md).
 */
export async function numberEvents(db: Db): Promise<boolean> {
  let some = false
  for (;;) {
    const given = (await hasWaiting(db)) ? await numberSome(db) : 0
    some ||= given > 0
    if (given < MOST) return some
  }
}

async function hasWaiting(db: Db): Promise<boolean> {
  return (
    (await row<{ waiting: boolean }>(db, sql`select exists (select from event_queue) as waiting`))?.waiting ?? false
  )
}

function numberSome(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const held = await row<{ position: number }>(
      tx,
      sql`select position from event_positions where step = 'numbered' for update skip locked`,
    )
    if (!held) return 0
    // A statement of its own: it sees everything that the last holder of the number has done.
    const [counted] = await rows<{ given: number }>(
      tx,
      sql`
        with taken as (
          delete from event_queue where id in (select id from event_queue order by id limit ${MOST})
          returning id, audit_id, note_id
        ),
        numbered as (
          insert into event_order (number, audit_id, note_id)
          select ${held.position}::bigint + row_number() over (order by id), audit_id, note_id from taken
        ),
        counted as (select count(*)::integer as given from taken),
        moved as (
          update event_positions set position = ${held.position}::bigint + (select given from counted) where step = 'numbered'
        )
        select given, pg_notify(${EVENTS_CHANNEL}, '') from counted`,
    )
    return counted?.given ?? 0
  })
}

/** The numbers that a reader can ask for. */
export interface Extent {
  /** The oldest number that is kept; after the last where none is. */
  readonly oldest: number
  /** The last number that was given. */
  readonly last: number
}

/** Reads the first and the last number of the feed. */
export async function readExtent(db: Db): Promise<Extent> {
  const found = await row<Extent>(
    db,
    sql`select coalesce((select min(number) from event_order), position + 1) as oldest, position as last
      from event_positions where step = 'numbered'`,
  )
  return found ?? { oldest: 1, last: 0 }
}
