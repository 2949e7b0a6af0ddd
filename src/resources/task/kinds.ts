import type { Registry } from '../../kernel/resource.ts'
import type { TaskHandler } from '../../tasks/task.ts'
import { REAPPLYING } from '../activation-key/reapply.ts'
import { reapplication } from '../activation-key/reapply-task.ts'
import { contentViewTasks } from '../content-view/tasks.ts'
import { productDeletion } from '../product/delete.ts'
import { DELETING } from '../product/deleting.ts'

/** Who does which kind of task. A kind that tasks were planned with must not be renamed. */
export function taskKinds(registry: Registry): Readonly<Record<string, TaskHandler>> {
  return {
    [REAPPLYING]: reapplication(registry),
    [DELETING]: productDeletion(registry),
    ...contentViewTasks(registry),
  }
}
