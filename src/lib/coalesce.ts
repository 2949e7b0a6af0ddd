/**
 * Shares `work` among many callers. Calls that come while it is running share the next execution, so that each gets a result
 * that began after its call, and only one execution runs at a time. An execution begins once all requests have been read
 * that have arrived already, so that they share it, too.
 */
export function coalesce<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | null = null
  return () => {
    next ??= running.then(readArrived).then(begin)
    return next
  }

  function begin(): Promise<Result> {
    next = null
    const mine = work()
    running = mine.catch(() => undefined)
    return mine
  }
}

/** Waits two rounds of the event loop, in which it reads the requests that have arrived: they then share one execution. */
function readArrived(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}
