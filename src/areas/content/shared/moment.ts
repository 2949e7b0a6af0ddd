import { invalid } from '../../../errors.ts'
import type { Field } from '../../../kernel/index.ts'
import { readText } from '../../../lib/values.ts'

/**
 * A time field in seconds, in the form that answers and the database print, so that sending it again changes nothing.
 */
export function comparable<F extends Field<string | null>>(field: F): F {
  return {
    ...field,
    read: async (_ctx, { name }, sent) => {
      const value = readText(sent, name)
      if (typeof value !== 'string') return value
      if (!isStorable(value)) throw invalid({ [name]: ['must be in the years 1 to 9999'] })
      return formatAsPrinted(value)
    },
  }
}

function isStorable(moment: string): boolean {
  const year = new Date(moment).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Formats `2026-03-31T16:25:36.120+02:00` as `2026-03-31 14:25:36+00`. */
function formatAsPrinted(moment: string): string {
  const [date, time = ''] = new Date(moment).toISOString().split('T')
  return `${date} ${time.slice(0, 8)}+00`
}

/** The milliseconds since 1970 of a time that the database printed, such as `2026-03-31 14:25:36+00`. */
export function millisecondsOf(printed: string): number {
  return Date.parse(`${printed.replace(' ', 'T')}:00`)
}
