import { Failure } from '../../../errors.ts'

/** Executes work when it is the client's turn. */
export type TakeTurn = <Result>(client: string, work: () => Promise<Result>) => Promise<Result>

const LONGEST_QUEUE = 200

/**
 * Creates a queue that executes at most `slots` works at once. Waiting clients take turns, so that one with many
 * requests delays only itself; one with too many waiting is refused with `unavailable`.
 */
export function createTurns(slots: number): TakeTurn {
  const queues = new Map<string, (() => void)[]>()
  let running = 0

  const startNext = () => {
    const first = queues.entries().next()
    if (first.done) return
    const [client, queue] = first.value
    const start = queue.shift()
    // A client with more work goes to the end of the line.
    queues.delete(client)
    if (queue.length > 0) queues.set(client, queue)
    running += 1
    start?.()
  }

  const awaitTurn = (client: string): Promise<void> => {
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
    await awaitTurn(client)
    try {
      return await work()
    } finally {
      running -= 1
      startNext()
    }
  }
}
