import { Failure } from '../../errors.ts'

/** Executes work when a slot is free. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>

const LONGEST_QUEUE = 5000

/**
 * Creates a gate with so many slots; others wait in order of arrival. Hosts of a site that all register at once wait
 * here, and not for connections that other requests need. {@throws Failure} unavailable when too many wait
 */
export function createGate(slots: number): Gate {
  const waiting: (() => void)[] = []
  let running = 0
  const awaitAdmission = async (): Promise<void> => {
    if (running < slots) {
      running += 1
      return
    }
    if (waiting.length >= LONGEST_QUEUE)
      throw new Failure('unavailable', 'Too many registrations at once, please try again in a few seconds.')
    // A finished work passes its slot to the first that waits.
    await new Promise<void>((start) => waiting.push(start))
  }
  return async (work) => {
    await awaitAdmission()
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
