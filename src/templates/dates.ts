import { fail } from './error.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = `January February March April May June July August September October November December`.split(' ')

/** Formats a time in UTC by a pattern of `%Y`, `%m` and the like. */
export function textOfTime(time: Date, pattern: string): string {
  if (pattern.length > 200) return fail('the format of a time may have 200 characters')
  return pattern.replace(/%(-?)(.)/gs, (_whole, mark: string, letter: string) => {
    const value = PARTS[letter]?.(time) ?? fail(`%${letter} is not offered in the format of a time`)
    return mark === '-' ? value.replace(/^0+(?=\d)/, '') : value
  })
}

const PARTS: Readonly<Record<string, (time: Date) => string>> = {
  Y: (time) => String(time.getUTCFullYear()),
  y: (time) => padTwo(time.getUTCFullYear() % 100),
  m: (time) => padTwo(time.getUTCMonth() + 1),
  d: (time) => padTwo(time.getUTCDate()),
  e: (time) => String(time.getUTCDate()).padStart(2),
  H: (time) => padTwo(time.getUTCHours()),
  I: (time) => padTwo(time.getUTCHours() % 12 || 12),
  M: (time) => padTwo(time.getUTCMinutes()),
  S: (time) => padTwo(time.getUTCSeconds()),
  p: (time) => (time.getUTCHours() < 12 ? 'AM' : 'PM'),
  j: (time) =>
    String(1 + Math.floor((time.getTime() - Date.UTC(time.getUTCFullYear(), 0)) / 86_400_000)).padStart(3, '0'),
  A: (time) => DAYS[time.getUTCDay()] ?? '',
  a: (time) => (DAYS[time.getUTCDay()] ?? '').slice(0, 3),
  B: (time) => MONTHS[time.getUTCMonth()] ?? '',
  b: (time) => (MONTHS[time.getUTCMonth()] ?? '').slice(0, 3),
  u: (time) => String(time.getUTCDay() || 7),
  w: (time) => String(time.getUTCDay()),
  s: (time) => String(Math.floor(time.getTime() / 1000)),
  F: (time) => time.toISOString().slice(0, 10),
  T: (time) => time.toISOString().slice(11, 19),
  Z: () => 'UTC',
  z: () => '+0000',
  '%': () => '%',
}

function padTwo(value: number): string {
  return String(value).padStart(2, '0')
}
