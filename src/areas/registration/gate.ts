import { Failure } from '../../errors.ts'

/** Runs work as soon as there is room for it. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>

const LONGEST_QUEUE = 5000

/**
 * Lets so many pieces of work run at once, the others in the order in which they came. A site that registers all of its
 * hosts at the same time waits here, and not for connections that others need. {@throws Failure} unavailable for too many
 */
export function createGate(slots: number): Gate {
  const waiting: (() => void)[] = []
  let running = 0
  const admitted = async (): Promise<void> => {
    if (running < slots) {
      running += 1
      return
    }
    if (waiting.length >= LONGEST_QUEUE)
      throw new Failure('unavailable', 'Too many registrations at once, please try again in a few seconds.')
    // Whoever leaves hands its place on.
    await new Promise<void>((start) => waiting.push(start))
  }
  return async (work) => {
    await admitted()
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
