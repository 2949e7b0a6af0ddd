/** When a job is due: `minutesLater` minutes after each multiple of `everyMinutes` since 1970 (UTC). */
export interface Schedule {
  readonly everyMinutes: number
  readonly minutesLater: number
}

/** Computes the first moment after `now` at which a job is due. */
export function computeNextDue({ everyMinutes, minutesLater }: Schedule, now: Date): Date {
  const step = everyMinutes * MINUTE_MS
  const shift = minutesLater * MINUTE_MS
  return new Date((Math.floor((now.getTime() - shift) / step) + 1) * step + shift)
}

const MINUTE_MS = 60_000
