import { sql } from 'kysely'
import { type Context, inTransaction } from '../../context.ts'

/**
 * What comes of work whose writes are taken back whatever happens, and whose effects never are. Inside the transaction of
 * somebody else, as that of a batch, only the work is undone: what that has written so far may still be stored.
 */
export function takenBack<Result>(ctx: Context, work: (tx: Context) => Promise<Result>): Promise<Result> {
  return inTransaction(ctx, async (tx) => {
    await sql`savepoint taken_back`.execute(tx.db)
    try {
      return await work({ ...tx, afterCommit: () => undefined })
    } finally {
      await sql`rollback to savepoint taken_back`.execute(tx.db)
      await sql`release savepoint taken_back`.execute(tx.db)
    }
  })
}
