import { type Options, stringify } from 'csv-stringify/sync'
import { printExact } from '../lib/lossless-json.ts'

type Records = readonly Readonly<Record<string, unknown>>[]

/** Formats the names of the columns as the first line of a table (RFC 4180); an empty text where there are none. */
export function formatCsvHeader(columns: readonly string[]): string {
  return columns.length === 0 ? '' : stringify([[...columns]], OPTIONS)
}

/** Formats records as lines of a table; what is nested is JSON, what has no value is empty, and an empty text is quoted. */
export function formatCsvLines(records: Records, columns: readonly string[]): string {
  return stringify([...records], { ...OPTIONS, columns: [...columns] })
}

const asIs = (value: unknown) => ({ value: String(value), escape_formulas: false })

const OPTIONS: Options = {
  record_delimiter: 'windows',
  quoted_match: /^$|^\s|\s$|[\r\n]/,
  // Spreadsheets execute text that begins like a formula; with an apostrophe in front they show it as text.
  escape_formulas: true,
  cast: { boolean: asIs, number: asIs, bigint: asIs, object: printExact },
}
