import type { Actor, Context, Trees } from '../../context.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ClaimedTask } from './queue.ts'

/** The parts of the context that all tasks of a process share. */
interface SharedByTasks
  extends Pick<
    Context,
    | 'db'
    | 'encryption'
    | 'lockout'
    | 'passwordMemoryMiB'
    | 'directories'
    | 'openid'
    | 'references'
    | 'proxies'
    | 'followers'
    | 'counts'
    | 'log'
  > {
  readonly settings: () => Settings
  readonly trees: () => Promise<Trees>
  readonly actor: (userId: number) => Promise<Actor | undefined>
}

/**
 * Creates the context of a task: it acts for the requester with their present permissions, within the organization of
 * the task. Audits have the task as their request. Undefined when the user is gone.
 */
export function createTaskContext({ settings, trees, actor, ...shared }: SharedByTasks) {
  return async ({
    uuid,
    user: id,
    organization,
  }: Pick<ClaimedTask, 'uuid' | 'user' | 'organization'>): Promise<Context | undefined> => {
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
