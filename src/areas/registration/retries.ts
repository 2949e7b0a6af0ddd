import { isGone, isRace } from '../../database/failures.ts'
import { Failure } from '../../errors.ts'

const MOST_RACES = 3

/**
 * Tries again, three times at most, after a conflict: when two clients create the same new host, the second finds the host
 * of the first. {@throws Failure} conflict when something that the keys give was deleted meanwhile
 */
export async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let races = 0; ; races++) {
    try {
      return await work()
    } catch (error) {
      if (isGone(error)) throw createKeysChanged(error)
      if (!isRace(error) || races >= MOST_RACES) throw error
    }
  }
}

function createKeysChanged(cause: unknown): Failure {
  const message = 'What the activation keys give has changed at the same time, please try again'
  return new Failure('conflict', message, {}, { cause })
}
