import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type Db, row, rows } from './sql.ts'
import { tallyStatements } from './statements.ts'

/**
 * Runs checkpoints of the embedded database from time to time. PGlite by itself makes one only when it is closed: its
 * write-ahead log would grow for as long as the service runs, and recovery after a crash, or after a statement that was
 * stopped, would have to read all of it.
 */
export function keepLogShort(db: Db, log: Logger, everyMs = EVERY_MS): Disposable {
  const timer = setInterval(() => {
    checkpointWhereDue(db).catch((err: unknown) => log.debug({ err }, 'no checkpoint'))
  }, everyMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Makes a checkpoint if the log has grown enough. */
async function checkpointWhereDue(db: Db): Promise<void> {
  const found = await row<{ due: boolean }>(
    db,
    sql`select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > ${MOST_BYTES} as due from pg_control_checkpoint()`,
  )
  if (!found?.due) return
  await tallyStatements({ count: 0, milliseconds: 0, mayBeSlow: true, unlimited: true }, () =>
    rows(db, sql`checkpoint`),
  )
}

const EVERY_MS = 30_000
const MOST_BYTES = 32 * 1024 * 1024
