/**
 * `work` for many who ask at once. Who comes while it is being done shares the next time with all who come meanwhile: each
 * gets what began after they had asked, and never more than one is under way.
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
