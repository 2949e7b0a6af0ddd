import { inTransaction } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { notVisible, visible } from '../../kernel/authorize.ts'
import { readBack } from '../../kernel/operations/show.ts'
import { idSegment } from '../../kernel/operations/within.ts'
import type { Action } from '../../kernel/resource.ts'
import { selectRecord } from '../../kernel/store/select.ts'
import { cancelTask } from '../../tasks/queue.ts'

const EDIT = 'edit_tasks'

/** Cancels what has not begun at once, and has what runs end after its step: then it is cancelled a moment later. */
export const cancel: Action = {
  method: 'POST',
  path: '/:id/cancel',
  name: 'cancel',
  summary: 'Cancel a task',
  permissions: [EDIT],
  own: true,
  refuses: 422,
  handle: async (ctx, resource, input) =>
    inTransaction(ctx, async (tx) => {
      const segment = idSegment(input)
      const found = await selectRecord(tx.db, resource, ['id'], segment, visible(tx, resource, EDIT, true))
      if (!found) throw notVisible(tx, resource, EDIT, segment)
      const id = found.id as number // every id is a number
      const became = await cancelTask(tx.db, id, tx.user.login)
      const task = await readBack(tx, resource, id)
      if (became === 'ended' && task.result !== 'cancelled') {
        throw invalid({ base: [`the task has ended already: its result is ${task.result}`] }, id)
      }
      return { status: 200, body: task }
    }),
}
