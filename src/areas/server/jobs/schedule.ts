/** When a job is due: at each full number of such minutes since the beginning of 1970 in UTC, and some minutes later. */
export interface Schedule {
  readonly everyMinutes: number
  readonly minutesLater: number
}

/** The first moment after `now` at which a job is due. */
export function computeNextDue({ everyMinutes, minutesLater }: Schedule, now: Date): Date {
  const step = everyMinutes * MINUTE_MS
  const shift = minutesLater * MINUTE_MS
  return new Date((Math.floor((now.getTime() - shift) / step) + 1) * step + shift)
}

const MINUTE_MS = 60_000
