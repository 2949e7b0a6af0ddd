import type { Registry } from '../../kernel/resource.ts'
import type { TaskHandler } from '../../tasks/task.ts'
import { DELETING_VERSION, DELETING_VIEW, deletingVersion, deletingView } from './delete.ts'
import { PROMOTING, promoting } from './promote.ts'
import { PUBLISHING, publishing } from './publish.ts'
import { REMOVING, removing } from './remove.ts'

/** The kinds of tasks about views and versions, and who does them. */
export function contentViewTasks(registry: Registry): Readonly<Record<string, TaskHandler>> {
  return {
    [PUBLISHING]: publishing(registry),
    [PROMOTING]: promoting(registry),
    [REMOVING]: removing(registry),
    [DELETING_VIEW]: deletingView(registry),
    [DELETING_VERSION]: deletingVersion(registry),
  }
}
