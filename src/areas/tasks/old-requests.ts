import type { EncryptedColumn } from '../../encryption/encryption.ts'
import { sql } from '../../sql.ts'
import type { TaskHandler } from './task.ts'

/** The kind of the tasks by which earlier versions performed requests. */
export const REQUEST = 'request'

/** The encrypted columns in which earlier versions stored requests and answers; the rows go with their tasks. */
export const OLD_REQUESTS: readonly EncryptedColumn[] = [
  { table: 'deferred_requests', column: 'request', row: ['task_id'] },
  { table: 'deferred_requests', column: 'answer', row: ['task_id'] },
  { table: 'deferred_parts', column: 'outcome', row: ['task_id', 'position'] },
]

/** Ends a task of an earlier version that was to perform a request. What it has written stays; the stored request goes. */
export const endOldRequest: TaskHandler = async (_ctx, { id, step }) => {
  await step(0, async (tx) => {
    await sql`delete from deferred_requests where task_id = ${id}`.execute(tx.db)
  })
  return { result: 'error', errors: [NO_LONGER] }
}

const NO_LONGER = 'requests are no longer performed by tasks: what this one had not done by now is not done'
