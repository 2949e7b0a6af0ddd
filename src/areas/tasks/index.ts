export { createTaskContext } from './acting.ts'
export { endOldRequest, OLD_REQUESTS, REQUEST } from './old-requests.ts'
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
  waitForEnd,
} from './task.ts'
export { openTaskWorkers, type TaskWorkerOptions } from './workers.ts'
