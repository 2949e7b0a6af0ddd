/** What dates are counted in. */
export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year'

/** A date and a time of day as a wall clock shows them; out-of-range parts carry over into the next unit. */
export interface Wall {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour?: number
  readonly minute?: number
  readonly second?: number
  readonly millisecond?: number
}

/**
 * Yields the instant at which clocks of a time zone show `wall`. Of a time that occurs twice (clocks set back) it is the
 * first; a time that is skipped (clocks set forward) is moved forward by the length of the gap.
 */
export function instantOf(wall: Wall, zone: string): Date {
  const shown = toMilliseconds(wall)
  const before = computeOffset(shown - DAY, zone)
  const after = computeOffset(shown + DAY, zone)
  if (before === after) return new Date(shown - before)
  const candidates = [shown - before, shown - after].filter(
    (instant) => instant + computeOffset(instant, zone) === shown,
  )
  return new Date(candidates.length > 0 ? Math.min(...candidates) : shown - before)
}

/** Yields what clocks of a time zone show at an instant. */
export function computeWall(instant: Date, zone: string): Required<Wall> {
  const shown = new Date(instant.getTime() + computeOffset(instant.getTime(), zone))
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
    second: shown.getUTCSeconds(),
    millisecond: shown.getUTCMilliseconds(),
  }
}

/** Yields the wall time with all parts in range: 30 February becomes 2 March. */
export function normalizeWall(wall: Wall): Required<Wall> {
  return computeWall(new Date(toMilliseconds(wall)), 'UTC')
}

/** Yields the wall time some months later, on the last day of the month where that is shorter. */
export function addMonths(wall: Wall, months: number): Wall {
  const first = normalizeWall({ year: wall.year, month: wall.month + months, day: 1 })
  const last = normalizeWall({ year: first.year, month: first.month + 1, day: 0 })
  return { ...wall, year: first.year, month: first.month, day: Math.min(wall.day, last.day) }
}

const DAY = 86_400_000

// Date.UTC alone would take the years 0 to 99 as 1900 to 1999.
function toMilliseconds(wall: Wall): number {
  const date = new Date(0)
  date.setUTCFullYear(wall.year, wall.month - 1, wall.day)
  date.setUTCHours(wall.hour ?? 0, wall.minute ?? 0, wall.second ?? 0, wall.millisecond ?? 0)
  return date.getTime()
}

// Yields how far the zone's clocks are ahead of UTC at an instant, in milliseconds.
function computeOffset(instant: number, zone: string): number {
  if (zone === 'UTC' || Number.isNaN(instant)) return 0
  const parts: Record<string, string> = {}
  for (const { type, value } of formatOf(zone).formatToParts(instant)) parts[type] = value
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year)
  const shown = toMilliseconds({
    year,
    month: Number(parts.month),
    day: Number(parts.day),
    hour: Number(parts.hour),
    minute: Number(parts.minute),
    second: Number(parts.second),
  })
  return shown - Math.floor(instant / 1000) * 1000
}

// Creating a format takes a hundred times longer than using it.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone, format)
  return format
}
