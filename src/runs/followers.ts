import type { Database } from '../database/connect.ts'

/** Everybody in this process who waits for something to happen in a run; all share one channel of the database. */
export interface Followers extends Disposable {
  /** Waits with one run from now on; dispose it when nobody listens any more. */
  follow(runId: number): Follower
  /** How many there are. */
  waiting(): number
}

export interface Follower extends Disposable {
  /**
   * Resolves when something has changed since the last call or may have, when the time is over, and with `closed` once
   * the signal or the end of the service asks to stop waiting.
   */
  change(timeoutMs: number, signal?: AbortSignal): Promise<'changed' | 'timeout' | 'closed'>
}

/** Begins to listen. Disposing it ends every wait. */
export async function openFollowers(database: Pick<Database, 'listen'>): Promise<Followers> {
  const followers = new Map<number, Set<Waiting>>()
  let closed = false
  const everybody = () => [...followers.values()].flatMap((some) => [...some])
  await database.listen(
    'config_runs',
    (payload) => {
      for (const waiting of followers.get(Number(payload)) ?? []) waiting.tell('changed')
    },
    () => {
      for (const waiting of everybody()) waiting.tell('changed')
    },
  )
  return {
    follow(runId) {
      const waiting = wait(closed)
      const others = followers.get(runId) ?? new Set()
      followers.set(runId, others.add(waiting))
      return {
        change: waiting.change,
        [Symbol.dispose]() {
          others.delete(waiting)
          if (others.size === 0 && followers.get(runId) === others) followers.delete(runId)
        },
      }
    },
    waiting: () => everybody().length,
    [Symbol.dispose]() {
      closed = true
      for (const waiting of everybody()) waiting.tell('closed')
    },
  }
}

interface Waiting {
  tell(what: 'changed' | 'closed'): void
  readonly change: Follower['change']
}

function wait(startsClosed: boolean): Waiting {
  let pending: 'changed' | 'closed' | null = startsClosed ? 'closed' : null
  let wake: (() => void) | null = null
  return {
    tell(what) {
      pending = pending === 'closed' ? 'closed' : what
      wake?.()
    },
    async change(timeoutMs, signal) {
      if (signal?.aborted) return 'closed'
      if (pending === null) await sleep(timeoutMs, signal)
      if (signal?.aborted) return 'closed'
      const what = pending ?? 'timeout'
      if (pending === 'changed') pending = null
      return what
    },
  }

  async function sleep(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    const timer = setTimeout(resolve, timeoutMs)
    signal?.addEventListener('abort', () => resolve(), { once: true })
    await promise
    clearTimeout(timer)
    wake = null
  }
}
