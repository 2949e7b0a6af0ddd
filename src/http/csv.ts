/** Formats the names of the columns (RFC 4180); nothing where there are none. */
export function formatCsvHeader(columns: readonly string[]): string {
  return columns.length === 0 ? '' : `${columns.map(formatText).join()}\r\n`
}

/** Formats one record; what is nested is JSON, and what has no value is empty. */
export function formatCsvLine(record: Readonly<Record<string, unknown>>, columns: readonly string[]): string {
  return `${columns.map((column) => formatCell(record[column])).join()}\r\n`
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value === '' ? '""' : formatText(withoutFormula(value))
  return formatText(JSON.stringify(value))
}

/** Spreadsheets run text that begins like a formula, whoever has written it; behind an apostrophe it is text to them. */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

function formatText(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
