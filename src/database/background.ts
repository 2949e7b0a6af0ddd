/** Work that nobody waits for, one piece at a time. Disposing of it ends the present piece and forgets the others. */
export interface Background extends AsyncDisposable {
  /** Begins the work once what waits before it is done. A key that waits already, or is one too many, is left out. */
  readonly start: (key: string, work: (signal: AbortSignal) => Promise<void>) => void
}

const MOST_WAITING = 20

/** Opens a place for such work; `fail` is called with its errors. */
export function openBackground(fail: (error: unknown) => void): Background {
  const waiting = new Map<string, (signal: AbortSignal) => Promise<void>>()
  const stop = new AbortController()
  let working: Promise<void> | null = null
  return {
    start(key, work) {
      if (stop.signal.aborted || waiting.has(key) || waiting.size >= MOST_WAITING) return
      waiting.set(key, work)
      working ??= workOff().finally(() => {
        working = null
      })
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await working
    },
  }

  async function workOff(): Promise<void> {
    for (const [key, work] of waiting) {
      if (!stop.signal.aborted) await work(stop.signal).catch(fail)
      waiting.delete(key)
    }
  }
}
