import { type Context, inTransaction } from '../context.ts'
import { inUndoneSavepoint } from '../database/savepoints.ts'

/**
 * Executes work, yields its result and rolls back all it wrote; its effects after the commit never happen. Inside of
 * another transaction, as in a batch, only the writes of the work are undone.
 */
export function withRollback<Result>(ctx: Context, work: (tx: Context) => Promise<Result>): Promise<Result> {
  return inTransaction(ctx, (tx) => inUndoneSavepoint(tx.db, () => work({ ...tx, afterCommit: () => undefined })))
}
