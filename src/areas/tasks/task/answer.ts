import type { Context } from '../../../context.ts'
import { findResource, type Registry, readBack } from '../../../kernel/index.ts'
import type { Answer } from '../../../requests/route.ts'
import type { PlannedTask } from '../task.ts'
import { TASK } from './shape.ts'

/** The status and the schema of answers with a task, for declarations of actions: `...answersTask`. */
export const answersTask = { status: 202, output: TASK } as const

/**
 * Answers 202 with the record of a task and the URL to ask for it. Call it in the transaction that planned the task, or
 * later.
 */
export async function answerWithTask(ctx: Context, registry: Registry, { id, uuid }: PlannedTask): Promise<Answer> {
  const tasks = findResource(registry, 'task')
  return { status: 202, headers: { location: `/api/tasks/${uuid}` }, body: await readBack(ctx, tasks, id) }
}
