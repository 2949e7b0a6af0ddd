import type { Actor, Context, Trees } from '../../context.ts'
import type { Settings } from '../../settings.ts'
import type { ClaimedTask } from './queue.ts'

/** What the contexts of all tasks of one process share. */
interface SharedByTasks
  extends Pick<
    Context,
    'db' | 'encryption' | 'lockout' | 'passwordMemoryMiB' | 'directories' | 'proxies' | 'followers' | 'counts' | 'log'
  > {
  readonly settings: () => Settings
  readonly trees: () => Promise<Trees>
  readonly actor: (userId: number) => Promise<Actor | undefined>
}

/**
 * Tasks act for who asked, with the permissions of now, within the organization that they are about. Their audits name the
 * task as the request. Undefined when the user is gone.
 */
export function createTaskContext({ settings, trees, actor, ...shared }: SharedByTasks) {
  return async ({ uuid, user: id, organization }: ClaimedTask): Promise<Context | undefined> => {
    const user = id === null ? undefined : await actor(id)
    if (!user) return undefined
    return {
      ...shared,
      user,
      scope: { organization, location: null, named: false },
      trees: await trees(),
      origin: { requestId: uuid, address: null, secure: true, login: null, session: null },
      settings: settings(),
      now: () => new Date(),
      afterCommit: (effect) => void effect(),
    }
  }
}
