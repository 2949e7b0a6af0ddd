import { sql } from '../sql.ts'
import type { Db } from './sql.ts'

/** Limits how long each later statement of a transaction may take, where it may take longer than that. */
export function limitTime(tx: Db, milliseconds: number): void {
  tx.enqueue(
    sql`select set_config('statement_timeout', least(${milliseconds}::integer, nullif(extract(epoch from
      current_setting('statement_timeout')::interval) * 1000, 0))::integer::text, true)`,
  )
}

/** Yields a handle whose reads and single statements may take so long, each in a transaction that only reads. */
export function limitReads(db: Db, milliseconds: number): Db {
  if (db.isTransaction) return db
  const read: Db['read'] = (statement) =>
    db.readSnapshot((tx) => {
      limitTime(tx, milliseconds)
      return tx.execute(statement)
    })
  return {
    isTransaction: false,
    waitingAudits: null,
    execute: read,
    read,
    enqueue: (statement) => db.enqueue(statement),
    transaction: (work) => db.transaction(work),
    readSnapshot: (work) => db.readSnapshot(work),
  }
}
