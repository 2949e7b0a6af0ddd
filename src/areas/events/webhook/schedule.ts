const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

/** Delays after each failed attempt: two days in all. */
const DELAYS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 16 * HOUR]

/** Delays differ by so much, so that receivers that come back are not asked by everybody at once. */
const JITTER = 0.2

/** The longest delay that a receiver can ask for. */
const LONGEST = 12 * HOUR

/**
 * Computes the milliseconds until the next attempt after this many; null when there is none. `asked` is what the receiver
 * wants to be waited for at least. `pace` shortens the delays, for tests.
 */
export function computeDelay(attempt: number, asked: number | null, pace = 1): number | null {
  const delay = DELAYS[attempt - 1]
  if (delay === undefined) return null
  const varied = delay * pace * (1 - JITTER + 2 * JITTER * Math.random())
  return Math.round(Math.max(varied, Math.min(asked ?? 0, LONGEST) * pace))
}

/** Reads `Retry-After`, in seconds or as a date, as milliseconds; null without one. */
export function readRetryAfter(header: string | undefined): number | null {
  if (header === undefined) return null
  const milliseconds = /^\d{1,9}$/.test(header) ? Number(header) * SECOND : Date.parse(header) - Date.now()
  return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : null
}
