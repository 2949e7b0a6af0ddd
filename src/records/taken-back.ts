import { type Context, inTransaction } from '../context.ts'
import { inUndoneSavepoint } from '../database/savepoints.ts'

/**
 * What comes of work whose writes are taken back whatever happens, and whose effects never are. Inside the transaction of
 * somebody else, as that of a batch, only the work is undone: what that has written so far may still be stored.
 */
export function withRollback<Result>(ctx: Context, work: (tx: Context) => Promise<Result>): Promise<Result> {
  return inTransaction(ctx, (tx) => inUndoneSavepoint(tx.db, () => work({ ...tx, afterCommit: () => undefined })))
}
