import { Failure } from '../../../errors.ts'

/** Runs work when it is its turn. */
export type TakeTurn = <Result>(client: string, work: () => Promise<Result>) => Promise<Result>

const LONGEST_QUEUE = 200

/**
 * Lets at most `slots` pieces of work run at once. Waiting clients take turns, so one that asks for much delays itself and
 * not the others; one that has too much waiting already is refused with `unavailable`.
 */
export function createTurns(slots: number): TakeTurn {
  const queues = new Map<string, (() => void)[]>()
  let running = 0

  const next = () => {
    const first = queues.entries().next()
    if (first.done) return
    const [client, queue] = first.value
    const start = queue.shift()
    // To the end of the line, for as long as the client has more to do.
    queues.delete(client)
    if (queue.length > 0) queues.set(client, queue)
    running += 1
    start?.()
  }

  const admitted = (client: string): Promise<void> => {
    if (running < slots) {
      running += 1
      return Promise.resolve()
    }
    const queue = queues.get(client) ?? []
    if (queue.length >= LONGEST_QUEUE) {
      throw new Failure('unavailable', 'Too many logins at once, please try again in a few seconds.')
    }
    queues.set(client, queue)
    return new Promise((resolve) => queue.push(resolve))
  }

  return async (client, work) => {
    await admitted(client)
    try {
      return await work()
    } finally {
      running -= 1
      next()
    }
  }
}
