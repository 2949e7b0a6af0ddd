export { createTaskContext } from './acting.ts'
export {
  DEFERRED,
  type DeferredAnswer,
  dropDeferred,
  loadDeferred,
  loadDeferredAnswer,
  loadDeferredParts,
  storeDeferred,
  storeDeferredAnswer,
  storeDeferredPart,
} from './deferred.ts'
export { deleteOldTasks } from './old-tasks.ts'
export { answersTask, answerWithTask } from './task/answer.ts'
export { tasks } from './task/task.ts'
export {
  type PlannedTask,
  planTask,
  storeFinishedTask,
  type TaskHandler,
  type TaskOutcome,
  type TaskValues,
  type TaskWork,
} from './task.ts'
export { openTaskWorkers, type TaskWorkerOptions } from './workers.ts'
