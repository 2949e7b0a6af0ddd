/** The moment by which a whole piece of work has to be done; every network step gets what is left of it. */
export interface Deadline {
  /** Milliseconds left, never negative. */
  remaining(): number
  /** The earlier of this deadline and so many milliseconds from now. */
  within(milliseconds: number): Deadline
}

/** A deadline so many milliseconds from now. */
export function deadline(milliseconds: number): Deadline {
  return until(performance.now() + milliseconds)
}

/** Waits for the work until the deadline, then fails with `late()`; the work's own later failure is nobody's any more. */
export async function before<T>(limit: Deadline, work: Promise<T>, late: () => Error): Promise<T> {
  work.catch(() => {})
  let timer: NodeJS.Timeout | undefined
  const alarm = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), limit.remaining())
  })
  return Promise.race([work, alarm]).finally(() => clearTimeout(timer))
}

function until(moment: number): Deadline {
  return {
    remaining: () => Math.max(0, moment - performance.now()),
    within: (milliseconds) => until(Math.min(moment, performance.now() + milliseconds)),
  }
}
