import type { Wall } from './zones.ts'

/** A time of day found in a value, and the rest of the value. */
export interface TimeOfDay {
  readonly clock: Pick<Wall, 'hour' | 'minute' | 'second' | 'millisecond'>
  readonly unit: 'second' | 'minute' | 'hour'
  /** Minutes ahead of UTC where the value gives an offset, otherwise null. */
  readonly offset: number | null
  readonly rest: string
}

/**
 * Finds the first time of day in a value in lower case, or null: `10:30`, `10:30:15.5`, `10:30 pm`, `10 pm`, `10h30`, `t10`.
 */
export function readTime(text: string): TimeOfDay | null {
  for (const form of FORMS) {
    const match = form.exec(text)
    const found = match?.groups && timeOf(match.groups)
    if (match && found)
      return { ...found, rest: `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}` }
  }
  return null
}

/** Minutes ahead of UTC of the zone names that may follow a time. */
const OFFSETS: Readonly<Record<string, number>> = {
  z: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 60,
  bst: 60,
  cet: 60,
  cest: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  jst: 540,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
}

const BEFORE = String.raw`(?:^|(?<=[\s,_]))(?:at\s+)?t?|(?<=\d)t`
const HALF = String.raw`\s*(?<half>[ap])(?:m\b|\.m\.)`
const AFTER = String.raw`(?:\s*(?<zone>(?:gmt|utc)?[-+]\d{1,2}(?::?\d{2})?|${Object.keys(OFFSETS).join('|')}))?(?=$|[\s,])`

const FORMS = [
  String.raw`(?<hour>\d{1,2})\s*:\s*(?<minute>\d{1,2})(?:\s*:\s*(?<second>\d{1,2})(?:[.,](?<fraction>\d{1,9}))?)?(?:${HALF})?`,
  String.raw`(?<hour>\d{1,2})${HALF}`,
  String.raw`(?<hour>\d{1,2})h(?:(?<minute>\d{1,2})m?(?:(?<second>\d{1,2})s?)?)?`,
  String.raw`(?<=\dt)(?<hour>\d{2})`, // the shortest form of ISO 8601: 2026-03-31T10
].map((form) => new RegExp(`(?:${BEFORE})${form}${AFTER}`))

function timeOf(groups: Record<string, string | undefined>): Omit<TimeOfDay, 'rest'> | null {
  const minute = Number(groups.minute ?? 0)
  const second = Number(groups.second ?? 0)
  const hour = hourOf(Number(groups.hour), groups.half)
  // Midnight may be written as the end of a day, and a leap second as the 60th; both carry over.
  const valid = hour !== null && minute <= 59 && second <= 60 && (hour <= 23 || (hour === 24 && minute + second === 0))
  if (!valid) return null
  const millisecond = groups.fraction ? Math.floor(Number(`0.${groups.fraction}`) * 1000) : 0
  return {
    clock: { hour, minute, second, millisecond },
    unit: groups.second ? 'second' : groups.minute ? 'minute' : 'hour',
    offset: groups.zone ? offsetOf(groups.zone) : null,
  }
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (!half) return hour
  // 14:00 pm is redundant but valid, 14:00 am contradicts itself.
  if (hour > 12) return half === 'p' ? hour : null
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

function offsetOf(zone: string): number | null {
  const named = OFFSETS[zone]
  if (named !== undefined) return named
  const [, sign, hours, minutes] = /([-+])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0))
}
