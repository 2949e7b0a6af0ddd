import { z } from 'zod'
import type { Sql } from '../database/sql.ts'
import { isBlank } from '../search/blank.ts'
import { sql } from '../sql.ts'

/** How times are written: `view` is `2026-03-31 14:25:36 UTC`, `iso` is `2026-03-31T14:25:36.000Z` (spec 2.1). */
export type TimeFormat = 'view' | 'iso'

/** Selects a time as text, for use inside of JSON (spec 2.1). */
export function selectMoment(moment: Sql, format: TimeFormat = 'view'): Sql {
  return sql`to_char(${moment} at time zone 'UTC', ${sql.lit(PATTERNS[format])})`
}

const PATTERNS: Readonly<Record<TimeFormat, string>> = {
  view: 'YYYY-MM-DD HH24:MI:SS "UTC"',
  iso: 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"',
}

/** Selects the time in a column in the format of subscription clients: `2021-09-27T12:22:19+0000`. */
export function selectZonedMoment(column: string): Sql {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+0000"')`
}

/** Formats a time from the text that the database prints in UTC, e.g. `2026-03-31 14:25:36.12+00`. */
export function formatTime(text: string, format: TimeFormat): string {
  if (format === 'view') return `${text.slice(0, 19)} UTC`
  const fraction = /^\.(\d+)/.exec(text.slice(19))?.[1] ?? ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

const NO_MOMENT = 'must be a date and time such as 2026-03-31T14:25:36Z'
/** Matches a time with an offset of less than sixteen hours: PostgreSQL refuses greater ones. */
const KNOWN_ZONE = /(?:Z|[+-](?:0\d|1[0-5]):\d\d)$/

/** Builds the schema of a time that the database can store, in ISO 8601. */
export function buildMomentSchema(): z.ZodType<string> {
  return z.iso
    .datetime({ offset: true, error: NO_MOMENT, abort: true })
    .refine((text) => !text.startsWith('0000'), 'must be in the years 1 to 9999')
    .refine((text) => KNOWN_ZONE.test(text), NO_MOMENT)
}

/** Converts a day, and a time as views show it, to ISO 8601, and blank text to null; other values stay. */
export function toMoment(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  if (isBlank(sent)) return null
  const text = sent.trim()
  const day = /^\d{4}-\d{2}-\d{2}$/.exec(text)
  if (day) return `${text}T00:00:00Z`
  const parts = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(UTC|Z|[+-]\d{2}:?\d{2})?$/.exec(text)
  if (!parts) return text
  const [, date, time = '', zone] = parts
  const offset = !zone || zone === 'UTC' || zone === 'Z' ? 'Z' : zone.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2')
  return `${date}T${time.length === 5 ? `${time}:00` : time}${offset}`
}
