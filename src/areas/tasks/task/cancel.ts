import { inTransaction } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { type Action, readBack } from '../../../kernel/index.ts'
import { cancelTask } from '../queue.ts'

/** Cancels a waiting task at once; a running one ends after its present step. */
export const cancel: Action = {
  method: 'POST',
  path: '/:id/cancel',
  name: 'cancel',
  summary: 'Cancel a task',
  permissions: ['edit_tasks'],
  own: true,
  refuses: 422,
  record: { how: 'found' },
  handle: async (ctx, resource, _input, { id }) =>
    inTransaction(ctx, async (tx) => {
      const became = await cancelTask(tx.db, id, tx.user.login)
      const task = await readBack(tx, resource, id)
      if (became === 'ended' && task.result !== 'cancelled') {
        throw invalid({ base: [`the task has ended already: its result is ${task.result}`] }, id)
      }
      return { status: 200, body: task }
    }),
}
