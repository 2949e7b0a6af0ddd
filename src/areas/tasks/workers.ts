import { openWorkers, type WorkerOptions, type Workers } from '../../queue/workers.ts'
import { type ClaimedTask, queueOfTasks } from './queue.ts'
import { executeTask, type TaskWorkplace } from './work.ts'

/** The dependencies of the workers of tasks. */
export interface TaskWorkerOptions
  extends Pick<WorkerOptions<ClaimedTask>, 'database' | 'afterwards' | 'timing'>,
    Omit<TaskWorkplace, 'db'> {}

/** The most tasks at a time in this process: few, because tasks are long and not urgent. */
const MOST = 2

/** Starts the task workers. Those that are running when the service stops return to the queue after their step. */
export function openTaskWorkers({ database, kinds, contextFor, log, ...options }: TaskWorkerOptions): Promise<Workers> {
  const place: TaskWorkplace = { db: database.db, kinds, contextFor, log }
  return openWorkers<ClaimedTask>(queueOfTasks(Object.keys(kinds)), {
    ...options,
    database,
    log,
    most: MOST,
    graceMs: 0,
    afterEvery: 8,
    execute: (task, lease) => executeTask(place, task, lease),
  })
}
