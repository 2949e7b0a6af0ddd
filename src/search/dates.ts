import { readDate } from './date-forms.ts'
import { readTime } from './time-forms.ts'
import { addMonths, computeWall, instantOf, normalizeWall, type Unit, type Wall } from './zones.ts'

/** The interval that a value stands for: `from` included, `to` excluded. */
export interface Interval {
  readonly from: Date
  readonly to: Date
  /** The smallest unit in the value, which is the length of the interval. */
  readonly unit: Unit
}

/**
 * Reads a date or time as people write it (core-api §8.5), in a time zone; null when it is none. All of the value must
 * be understood, and it must lie in the years 1 to 9999.
 *
 * `today`, `yesterday`, `tomorrow`, `2 days ago`, `3 hours from now`; `2026`, `2026-03`, `2026-03-31`, `31/03/2026`,
 * `3/31`, `31.3.2026`, `March`, `March 2026`, `31 March`, `Mar 31, 2026`; each day with a time such as `10:00`, `10:30:15`,
 * `10 pm`, `10:00 +02:00` or `10:00 CET`; a time alone is today's. `Friday` is the most recent Friday, today included;
 * `last Friday` the most recent before today, `next Friday` the first after it.
 */
export function readInterval(value: string, now: Date, zone: string): Interval | null {
  if (value.length > 128) return null
  const text = value.trim().toLowerCase()
  const interval = parseRelative(text, now, zone) ?? parseAbsolute(text, now, zone)
  return interval && isInRange(interval.from) && isInRange(interval.to) ? interval : null
}

/** Yields the day in a time zone on which an instant falls, as YYYY-MM-DD. */
export function dayOf(instant: Date, zone: string): string {
  const { year, month, day } = computeWall(instant, zone)
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}

const RELATIVE = /^(\d{1,9})\s+(minute|hour|day|week|month|year)s?\s+(ago|from\s+now)$/

// Minutes and hours count from now, longer units from the beginning of today.
function parseRelative(text: string, now: Date, zone: string): Interval | null {
  const [, digits, unit, direction] = RELATIVE.exec(text) ?? []
  if (!digits || !unit || !direction) return null
  const count = Number(digits) * (direction === 'ago' ? -1 : 1)
  if (unit === 'minute' || unit === 'hour') {
    return buildSpanning(new Date(now.getTime() + count * (unit === 'hour' ? 3_600_000 : 60_000)), 'minute')
  }
  const { year, month, day } = computeWall(now, zone)
  const today = { year, month, day }
  if (unit === 'month') return buildStarting(addMonths(today, count), 'day', zone)
  if (unit === 'year') return buildStarting(addMonths(today, count * 12), 'day', zone)
  return buildStarting({ ...today, day: day + count * (unit === 'week' ? 7 : 1) }, 'day', zone)
}

// Parses a date, a time of day, or both in either order.
function parseAbsolute(text: string, now: Date, zone: string): Interval | null {
  const time = readTime(text)
  const rest = time ? time.rest.replace(/^[\s,_]+|[\s,_]+$/g, '') : text
  const readToday = () => computeWall(now, zone)
  const date = readDate(rest, readToday)
  if (!time) return date && buildStarting(date.wall, date.unit, zone)
  // A time needs a single day, which is today when the value names none.
  if (rest !== '' && date?.unit !== 'day') return null
  const { year, month, day } = date?.wall ?? readToday()
  const wall = { ...time.clock, year, month, day }
  if (time.offset === null) return buildStarting(wall, time.unit, zone)
  const instant = instantOf(wall, 'UTC').getTime() - time.offset * 60_000
  return buildSpanning(new Date(instant), time.unit)
}

// Builds the interval from a wall-clock time to that one unit later: a day lasts from midnight to midnight, whatever its
// length.
function buildStarting(wall: Wall, unit: Unit, zone: string): Interval | null {
  if (Math.abs(wall.year) > 10_000 || Math.abs(wall.day) > 10_000_000) return null
  const start = normalizeWall(wall)
  const from = instantOf(start, zone)
  if (unit === 'second' || unit === 'minute' || unit === 'hour') return buildSpanning(from, unit)
  return { from, to: instantOf(normalizeWall({ ...start, [unit]: start[unit] + 1 }), zone), unit }
}

const LENGTHS = { second: 1000, minute: 60_000, hour: 3_600_000 }

function buildSpanning(from: Date, unit: 'second' | 'minute' | 'hour'): Interval {
  return { from, to: new Date(from.getTime() + LENGTHS[unit]), unit }
}

function isInRange(instant: Date): boolean {
  return instant.getTime() >= FIRST && instant.getTime() <= LAST
}

// The second day, so that every time zone agrees on the year.
const FIRST = Date.parse('0001-01-02T00:00:00Z')
const LAST = Date.parse('9999-12-31T00:00:00Z')
