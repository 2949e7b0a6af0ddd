import type { Job } from '../areas/server/index.ts'
import { listenLocally, localSocketOf } from '../http/listeners/local.ts'
import { backUpOnSchedule } from '../operator/backup/scheduled.ts'
import { performOperation } from '../operator/operations.ts'
import type { Workplace } from '../operator/workplace.ts'

/** Creates the job that makes a backup every night at 02:07 UTC, where a directory for backups is configured. */
export function createBackupJob(at: Workplace): Job {
  const schedule = { everyMinutes: 24 * 60, minutesLater: 2 * 60 + 7 }
  return { name: 'backup', schedule, work: () => backUpOnSchedule(at) }
}

/**
 * Listens on a socket in the data directory, so that its owner reaches the service without a login while the
 * service uses it.
 */
export async function listenOnAdminSocket(
  stack: AsyncDisposableStack,
  server: Parameters<typeof listenLocally>[0],
  at: Workplace,
): Promise<void> {
  const socket = localSocketOf(at.config)
  if (socket === null) return
  const perform = (name: string, input: unknown) => performOperation(at, name, input)
  const listener = await listenLocally(server, socket, perform).catch((err: unknown) => {
    at.log.warn({ err, socket }, 'no socket for the owner of the data directory')
    return null
  })
  if (listener) stack.use(listener)
}
