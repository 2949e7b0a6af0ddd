import { sql } from '../sql.ts'
import { forgetAudits, writeAudits } from './audits.ts'
import { type Db, rows } from './sql.ts'

/** Does work in the transaction of the handle, or in one of its own where there is none. */
export function joinTransaction<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? work(db) : db.transaction(work)
}

/** Does a part of a transaction. When it throws, its writes are undone and the transaction may go on. */
export async function inSavepoint<Result>(tx: Db, work: () => Promise<Result>): Promise<Result> {
  await writeAudits(tx)
  await sql`savepoint part`.execute(tx)
  try {
    const result = await work()
    await writeAudits(tx)
    await sql`release savepoint part`.execute(tx)
    return result
  } catch (error) {
    await undo(tx).catch(() => undefined) // a broken connection has undone everything, and the first error is the reason
    throw error
  }
}

/** Does work whose writes are undone in any case. */
export async function inUndoneSavepoint<Result>(tx: Db, work: () => Promise<Result>): Promise<Result> {
  await writeAudits(tx)
  await sql`savepoint part`.execute(tx)
  try {
    return await work()
  } finally {
    await undo(tx)
  }
}

async function undo(tx: Db): Promise<void> {
  forgetAudits(tx)
  await sql`rollback to savepoint part`.execute(tx)
  await sql`release savepoint part`.execute(tx)
}

/**
 * Waits until no other transaction holds the lock of this name (ignoring case), and holds it until the transaction
 * ends. Use it for rules that no constraint can state. The look-up must follow as a separate statement, to see writes
 * of others under the lock. A server has memory for some thousand locks, so a transaction that repeats a check must use
 * the same lock.
 */
export async function lockName(tx: Db, name: string): Promise<void> {
  await rows(tx, sql`select pg_advisory_xact_lock(hashtext(fold(${name}::text)))`)
}
