import type { Interval } from '../../src/search/dates.ts'

/** A reason why a date or time is parsed differently from the recorded server. */
export interface DateRule {
  readonly id: string
  readonly sentence: string
  /** `read` is our result, null when the value is refused. */
  readonly covers: (value: string, read: Interval | null) => boolean
}

const WEEKDAY = '(sun(day)?|mon(day)?|tue(s|sday)?|wed(s|nesday)?|thu(r|rs|rsday)?|fri(day)?|sat(urday)?)'
const MONTH =
  '(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)'
const ZONE = '(z|utc|gmt|ce?st|est|(gmt|utc)?[+-]\\d{1,2}(:?\\d\\d)?)'
const CLOCK = `(([01]?\\d|2[0-3]):[0-5]\\d(:[0-5]\\d([.,]\\d+)?)?(\\s*${ZONE})?|(0?\\d|1[0-2])(:[0-5]\\d)?\\s*[ap]m(\\s+${ZONE})?)`
const YEAR = '([1-9]\\d{3})'
const DAY = '(0?[1-9]|[12]\\d|3[01])'
const NUMBER = '(0?[1-9]|1[0-2])'
const DATE = [
  `${YEAR}-${NUMBER}-${DAY}`,
  `${YEAR}/${NUMBER}/${DAY}`,
  `${DAY}[/.-]${NUMBER}[/.-]${YEAR}`,
  `(${WEEKDAY},?\\s+)?${DAY}(st|nd|rd|th)?[ -]${MONTH}([ -]${YEAR})?`,
  `(${WEEKDAY},?\\s+)?${MONTH}\\s${DAY}(st|nd|rd|th)?(,?\\s${YEAR})?`,
].join('|')

// Values that are undoubtedly well-formed; the pattern is independent of the program's own forms.
const WELL_FORMED = new RegExp(
  `^(today|yesterday|tomorrow|\\d{1,3} (minute|hour|day|week|month|year)s? (ago|from now)|${MONTH}( ${YEAR})?|${YEAR}/${NUMBER}|${NUMBER}/${YEAR}|${NUMBER}/${DAY}|(${DATE})(( |,? at |, |(?<=\\d)t)(${CLOCK}))?|${CLOCK})$`,
)

/** The first rule that applies is the reason. */
export const DATE_RULES: readonly DateRule[] = [
  {
    id: 'date-iso-span',
    sentence:
      'A year (`2024`) or a month of ISO 8601 (`2026-03`) is that year or month; the recorded server does not understand it, or reads day and month (`1231`).',
    covers: (value, read) => /^\d{4}(-\d{1,2})?$/.test(value) && read !== null,
  },
  {
    id: 'date-weekday',
    sentence:
      'A weekday is the most recent such day, today included (`last` before today, `next` after it), with a time that minute of it; to the recorded server it is today and the year that follows, or today.',
    covers: (value, read) =>
      new RegExp(`^((last|next)\\s+)?${WEEKDAY}(,?\\s+(at\\s+)?${CLOCK})?$`).test(value) && read !== null,
  },
  {
    id: 'date-word-and-time',
    sentence: '`today 10:00` is that minute; to the recorded server all of the day.',
    covers: (value, read) => read?.unit === 'minute' && /^(10:00 )?(today|yesterday|tomorrow)( 10:00)?$/.test(value),
  },
  {
    id: 'date-comma-time',
    sentence: '`Friday 13, 10:00` is that minute of the 13th; to the recorded server 13 is the second.',
    covers: (value, read) => read !== null && new RegExp(`^${WEEKDAY} \\d\\d, \\d`).test(value),
  },
  {
    id: 'date-day-of-month',
    sentence: '`31st of March 2026` is that day; the recorded server takes 31 for the day and loses the rest.',
    covers: (value, read) => /^\d+(st|nd|rd|th)? of [a-z]+( \d{4})?$/.test(value) && read?.unit === 'day',
  },
  {
    id: 'date-iso-hour',
    sentence: '`2026-03-31T10` is that hour; to the recorded server all of the day.',
    covers: (value, read) => /^\d{4}-\d\d-\d\dt\d\d$/.test(value) && read?.unit === 'hour',
  },
  {
    id: 'date-compact-comma',
    sentence: '`20260331, 10:00` is understood with its comma.',
    covers: (value, read) => /^\d{8},\s*\d/.test(value) && read !== null,
  },
  {
    id: 'date-clock-change',
    sentence: 'A month in which clocks are set ends at midnight; to the recorded server an hour before or after.',
    covers: (_value, read) => read?.unit === 'month' && (read.to.getTime() - read.from.getTime()) % 86_400_000 !== 0,
  },
  {
    id: 'date-years',
    sentence: 'Dates before the year 1 or after the year 9999 are refused, and the first and last day of these years.',
    covers: (value, read) =>
      read === null &&
      /^[+-]?\d+ (minute|hour|day|week|month|year)s? (ago|from now)$|^(0001-01-01|9999-12-31)|^[+-]?(0000|\d{5,6})-|^[+-]\d|^\d{5,}\//.test(
        value,
      ),
  },
  {
    id: 'date-refused',
    sentence:
      'A value of which the recorded server finds a date in one part and ignores the rest (`web01`, `maybe`, `i386`, `the day after tomorrow`, `2026-03-31 10:30 Berlin`, `3.14`, `365`, `2026-W14`) is refused, and in free text is no date.',
    covers: (value, read) => read === null && !WELL_FORMED.test(value),
  },
]

/** Finds the rule that covers a value, or undefined. */
export function dateRule(value: string, read: Interval | null): DateRule | undefined {
  const plain = value.trim().toLowerCase().replace(/\s+/g, ' ')
  return DATE_RULES.find((rule) => rule.covers(plain, read))
}
