/** The moment by which a whole piece of work has to be done; every network step gets the time that is left. */
export interface Deadline {
  /** Yields the milliseconds left, never negative. */
  remaining(): number
  /** Yields the earlier of this deadline and one in so many milliseconds. */
  within(milliseconds: number): Deadline
}

/** Creates a deadline in so many milliseconds. */
export function createDeadline(milliseconds: number): Deadline {
  return createDeadlineAt(performance.now() + milliseconds)
}

/** Waits for the work until the deadline, then fails with `late()`; an error of the work after that is ignored. */
export async function withinDeadline<T>(limit: Deadline, work: Promise<T>, late: () => Error): Promise<T> {
  work.catch(() => {})
  let timer: NodeJS.Timeout | undefined
  const alarm = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), limit.remaining())
  })
  return Promise.race([work, alarm]).finally(() => clearTimeout(timer))
}

function createDeadlineAt(moment: number): Deadline {
  return {
    remaining: () => Math.max(0, moment - performance.now()),
    within: (milliseconds) => createDeadlineAt(Math.min(moment, performance.now() + milliseconds)),
  }
}
