import type { Unit, Wall } from './zones.ts'

/** A date without a time of day, and the length of its interval. */
export interface DateForm {
  readonly wall: Wall
  readonly unit: Unit
}

/** Parses a whole text in lower case as a date; null when it is none. Missing parts are taken from `today`. */
export function readDate(text: string, today: () => Wall): DateForm | null {
  const named = parseNamedDay(text, today)
  if (named) return named
  // A weekday beside a date is ignored.
  const bare = text.replace(BESIDE_A_DATE, '').trim()
  for (const [form, read] of FORMS) {
    const match = form.exec(bare)
    const parts = match?.slice(1).map((part) => part?.replace("'", '') ?? '')
    const date = parts && read(parts, today)
    if (date && isPossible(date.wall)) return date
  }
  return null
}

const DAYS: ReadonlyMap<string, number> = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
])
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const WEEKDAY =
  '(sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:s|nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?)\\.?'
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?'
const YEAR = "('?\\d{2,})"

const NAMED_DAY = new RegExp(`^(?:(last|next)\\s+)?${WEEKDAY}$`)
const BESIDE_A_DATE = new RegExp(`^${WEEKDAY}\\s*,?\\s+(?=\\S)`)

function parseNamedDay(text: string, today: () => Wall): DateForm | null {
  const distance = DAYS.get(text) ?? parseWeekdayDistance(text, today)
  if (distance === null) return null
  const { year, month, day } = today()
  return { wall: { year, month, day: day + distance }, unit: 'day' }
}

function parseWeekdayDistance(text: string, today: () => Wall): number | null {
  const [, direction, name] = NAMED_DAY.exec(text) ?? []
  if (!name) return null
  const since = (weekdayOf(today()) - WEEKDAYS.indexOf(name.slice(0, 3)) + 7) % 7
  if (direction === 'next') return 7 - since
  return direction === 'last' && since === 0 ? -7 : -since
}

function weekdayOf(wall: Wall): number {
  return new Date(Date.UTC(wall.year, wall.month - 1, wall.day)).getUTCDay()
}

type Reading = (parts: string[], today: () => Wall) => DateForm

// Tried from top to bottom. Two numbers with a slash are month and day; of three the one with more than two digits is the
// year, which comes first when none has. Years are taken literally: 26 is the year 26.
const FORMS: readonly (readonly [RegExp, Reading])[] = [
  [/^(\d{4})$/, ([year]) => inYear(year)],
  [/^(\d{4})-(\d{1,2})$/, ([year, month]) => inMonth(year, month)],
  [/^(\d{4})(\d{2})(\d{2})$/, ([year, month, day]) => onDay(year, month, day)],
  [/^(\d{4})(\d{2})(\d{2})t?(\d{2})(\d{2})(\d{2})$/, (parts) => buildAtSecond(parts)],
  [/^('?\d{1,4})-(\d{1,2})-(\d{1,2})$/, ([year, month, day]) => onDay(year, month, day)],
  [/^(\d{1,2})-(\d{1,2})-('\d{2}|\d{3,4})$/, ([day, month, year]) => onDay(year, month, day)],
  [/^('?\d{1,4})\/\s*(\d{1,2})\/\s*(\d{1,2})$/, ([year, month, day]) => onDay(year, month, day)],
  [/^(\d{1,2})\/\s*(\d{1,2})\/\s*('\d{2}|\d{3,4})$/, ([day, month, year]) => onDay(year, month, day)],
  [/^(\d{1,2})\/(\d{1,2})$/, ([month, day], today) => onDay(String(today().year), month, day)],
  [/^(\d{4})\/(\d{1,2})$/, ([year, month]) => inMonth(year, month)],
  [/^(\d{1,2})\/(\d{4})$/, ([month, year]) => inMonth(year, month)],
  [/^('?\d{1,4})\.\s*(\d{1,2})\.\s*(\d{1,2})$/, ([year, month, day]) => onDay(year, month, day)],
  [/^(\d{1,2})\.\s*(\d{1,2})\.\s*('\d{2}|\d{3,4})$/, ([day, month, year]) => onDay(year, month, day)],
  [/^(\d{2}|\d{1,2}(?:st|nd|rd|th))$/, ([day], today) => onDay(String(today().year), String(today().month), day)],
  [compileForm(`${MONTH}`), ([month], today) => inMonth(String(today().year), month)],
  [compileForm(`${MONTH}[\\s,]+('\\d{2}|\\d{3,4})`), ([month, year]) => inMonth(year, month)],
  [compileForm(`(\\d{3,4})\\s+${MONTH}`), ([year, month]) => inMonth(year, month)],
  [compileForm(`${MONTH}\\s+${DAY}`), ([month, day], today) => onDay(String(today().year), month, day)],
  [compileForm(`${MONTH}\\s+${DAY}[\\s,]+${YEAR}`), ([month, day, year]) => onDay(year, month, day)],
  [
    compileForm(`${DAY}(?:-|\\s*(?:of\\s+)?)${MONTH}`),
    ([day, month], today) => onDay(String(today().year), month, day),
  ],
  [
    compileForm(`${DAY}(?:-|\\s*(?:of\\s+)?)${MONTH}(?:-|[\\s,]*)${YEAR}`),
    ([day, month, year]) => onDay(year, month, day),
  ],
]

function compileForm(form: string): RegExp {
  return new RegExp(`^${form}$`)
}

function inYear(year = ''): DateForm {
  return { wall: { year: Number(year), month: 1, day: 1 }, unit: 'year' }
}

function inMonth(year = '', month = ''): DateForm {
  return { wall: { year: Number(year), month: monthOf(month), day: 1 }, unit: 'month' }
}

function onDay(year = '', month = '', day = ''): DateForm {
  return { wall: { year: Number(year), month: monthOf(month), day: Number.parseInt(day, 10) }, unit: 'day' }
}

function buildAtSecond(parts: readonly string[]): DateForm {
  const [year = 0, month = 0, day = 0, hour = 99, minute = 99, second = 99] = parts.map(Number)
  return { wall: { year, month, day, hour, minute, second }, unit: 'second' }
}

function monthOf(text: string): number {
  const index = MONTHS.indexOf(text.slice(0, 3))
  return index < 0 ? Number(text) : index + 1
}

// Every month may have up to 31 days here: the 30th of February is the 2nd of March.
function isPossible({ month, day, hour = 0, minute = 0, second = 0 }: Wall): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && minute <= 59 && second <= 59
}
