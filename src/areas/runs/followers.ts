import type { Follower, Followers } from '../../context.ts'
import type { Database } from '../../database/database.ts'

/** Followed like a run, but stands for the feed of events: no run has this id. */
export const EVENTS = 0

/** Starts to listen to the database for changes of runs, and for events. Disposing of the result ends all waiting. */
export async function openFollowers(database: Pick<Database, 'listen'>): Promise<Followers> {
  const followers = new Map<number, Set<Waiter>>()
  let closed = false
  const listEverybody = () => [...followers.values()].flatMap((some) => [...some])
  const wake = () => {
    for (const waiting of listEverybody()) waiting.tell('changed')
  }
  await database.listen(
    'config_runs',
    (payload) => {
      for (const waiting of followers.get(Number(payload)) ?? []) waiting.tell('changed')
    },
    wake,
  )
  const wakeReaders = () => {
    for (const waiting of followers.get(EVENTS) ?? []) waiting.tell('changed')
  }
  await database.listen('events', wakeReaders, wakeReaders)
  return {
    wake,
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
    waiting: () => listEverybody().length,
    [Symbol.dispose]() {
      closed = true
      for (const waiting of listEverybody()) waiting.tell('closed')
    },
  }
}

interface Waiter {
  tell(what: 'changed' | 'closed'): void
  readonly change: Follower['change']
}

function wait(startsClosed: boolean): Waiter {
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
