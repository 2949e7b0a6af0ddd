/**
 * Shares `work` among many callers. Calls that come while it is running share the next execution, so that each gets a result
 * that began after its call, and only one execution runs at a time.
 */
export function shareNext<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null
  let next: Promise<Result> | null = null
  return () => {
    if (next) return next
    if (!running) return begin()
    next = running.then(begin, begin)
    return next
  }

  function begin(): Promise<Result> {
    next = null
    const mine = work().finally(() => {
      if (running === mine) running = null
    })
    running = mine
    return mine
  }
}
