import type { Registry } from '../../../kernel/index.ts'
import type { TaskHandler } from '../../tasks/index.ts'
import { createPromotionHandler, PROMOTING } from '../content-view-version/promote.ts'
import { createPublishHandler, PUBLISHING } from '../content-view-version/publish-task.ts'
import { createRemovalHandler, REMOVING } from '../content-view-version/remove.ts'
import { createVersionDeletionHandler, createViewDeletionHandler, DELETING_VERSION, DELETING_VIEW } from './delete.ts'

/** Lists the handlers of all tasks about views and versions. */
export function listContentViewTaskHandlers(registry: Registry): Readonly<Record<string, TaskHandler>> {
  return {
    [PUBLISHING]: createPublishHandler(registry),
    [PROMOTING]: createPromotionHandler(registry),
    [REMOVING]: createRemovalHandler(registry),
    [DELETING_VIEW]: createViewDeletionHandler(registry),
    [DELETING_VERSION]: createVersionDeletionHandler(registry),
  }
}
