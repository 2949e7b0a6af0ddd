import { type Context, inTransaction } from '../context.ts'
import { inUndoneSavepoint } from '../database/savepoints.ts'

/**
 * Executes work, yields its result and rolls back all it wrote; its effects after the commit never happen, those after the
 * rollback do. Inside of another transaction, as in a batch, only the writes of the work are undone.
 */
export function withRollback<Result>(ctx: Context, work: (tx: Context) => Promise<Result>): Promise<Result> {
  return inTransaction(ctx, async (tx) => {
    const kept: ((outer: Context) => Promise<void>)[] = []
    const inner = {
      ...tx,
      afterCommit: () => undefined,
      afterRollback: (after: (typeof kept)[number]) => void kept.push(after),
    }
    const result = await inUndoneSavepoint(tx.db, () => work(inner))
    // The work around may be rolled back, too.
    for (const after of kept) await (ctx.afterRollback ? ctx.afterRollback(after) : after(tx))
    return result
  })
}
