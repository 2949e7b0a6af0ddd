import { sql } from '../sql.ts'
import { forgetAudits, writeAudits } from './audits.ts'
import type { Db } from './sql.ts'

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
