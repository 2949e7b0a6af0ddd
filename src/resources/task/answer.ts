import type { Context } from '../../context.ts'
import { readBack } from '../../kernel/operations/show.ts'
import type { Registry } from '../../kernel/resource.ts'
import type { Answer } from '../../kernel/route.ts'
import type { PlannedTask } from '../../tasks/task.ts'
import { TASK } from './shape.ts'

/** What actions state that answer with a task: `...answersTask`. */
export const answersTask = { status: 202, output: TASK } as const

/** 202 with the record of the task, and where it can be asked for; in the transaction that planned it, or after. */
export async function taskAnswer(ctx: Context, registry: Registry, { id, uuid }: PlannedTask): Promise<Answer> {
  const tasks = registry.get('task')
  if (!tasks) throw new Error('there is no resource named task')
  return { status: 202, headers: { location: `/api/tasks/${uuid}` }, body: await readBack(ctx, tasks, id) }
}
