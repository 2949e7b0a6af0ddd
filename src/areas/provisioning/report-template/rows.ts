import { stringify as formatYaml } from 'yaml'
import { Float, Hash, type HostValue, Sym, type TemplateFunction } from '../../../templates/index.ts'

/** How rows of a report are written. */
interface Format {
  readonly type: string
  readonly begin: (columns: readonly string[]) => string
  readonly write: (rows: readonly (readonly unknown[])[], columns: readonly string[], isFirst: boolean) => string
  readonly end: string
}

const toMembers = (row: readonly unknown[], columns: readonly string[]) =>
  Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))

/** The formats of reports by their names. */
export const FORMATS = {
  csv: {
    type: 'text/csv; charset=utf-8',
    begin: (columns) => formatLine(columns),
    write: (rows) => rows.map(formatLine).join(''),
    end: '',
  },
  json: {
    type: 'application/json; charset=utf-8',
    begin: () => '[',
    write: (rows, columns, isFirst) =>
      rows.map((row, index) => (isFirst && index === 0 ? '' : ',') + JSON.stringify(toMembers(row, columns))).join(''),
    end: ']',
  },
  yaml: {
    type: 'text/yaml; charset=utf-8',
    begin: () => '---\n',
    write: (rows, columns) => (rows.length === 0 ? '' : formatYaml(rows.map((row) => toMembers(row, columns)))),
    end: '',
  },
  html: {
    type: 'text/html; charset=utf-8',
    begin: (columns) =>
      `<html><head><title>Report</title></head><body><table><thead><tr>${formatCells('th', columns)}</tr></thead><tbody>`,
    write: (rows) => rows.map((row) => `<tr>${formatCells('td', row)}</tr>\n`).join(''),
    end: '</tbody></table></body></html>',
  },
} as const satisfies Readonly<Record<string, Format>>

/** The name of a format of reports. */
export type FormatName = keyof typeof FORMATS

/** Stands in the rendered text where the rows are to be. */
export const PLACE = '\0rows\0'

const MOST_HELD = 50_000_000

/** What a template wants of its rows, by `report_render`. */
interface Rendered {
  readonly format: FormatName | null
  readonly order: readonly string[]
  readonly isReversed: boolean
}

/** The rows that a template makes, and how it wants them. */
export class ReportRows {
  columns: string[] = []
  rows: unknown[][] = []
  rendered: Rendered | null = null
  /** How many rows are written already. */
  written = 0
  /** Characters in `rows`. */
  #held = 0

  /** Forgets everything, for a template that begins again. */
  clear(): void {
    this.columns = []
    this.rows = []
    this.rendered = null
    this.#held = 0
  }

  /** Adds a row of plain data. */
  add(record: Readonly<Record<string, unknown>>): void {
    if (this.columns.length === 0) this.columns = Object.keys(record)
    this.rows.push(this.columns.map((column) => record[column]))
  }

  /** The functions of templates that make rows. */
  readonly functions: Readonly<Record<string, TemplateFunction>> = {
    report_headers: ({ args }) => {
      this.columns = args.flat().map((each) => formatCell(toPlain(each as HostValue)))
      return null
    },
    report_row: ({ args, named, fail }) => {
      const cells = [
        ...args.flatMap((each) => readPairs(each)),
        ...[...named].map(([key, value]) => [key, value] as const),
      ]
      if (cells.length === 0) fail('report_row takes the cells of a row by the names of their columns')
      const row = new Map(cells.map(([key, value]) => [key, toPlain(value)]))
      if (this.columns.length === 0) this.columns = [...row.keys()]
      const isNamed = [...row.keys()].every((key) => this.columns.includes(key))
      const added = isNamed ? this.columns.map((column) => row.get(column) ?? null) : [...row.values()]
      this.#held += added.reduce<number>((sum, cell) => sum + formatCell(cell).length + 8, 0)
      if (this.#held > MOST_HELD) fail(`a report can hold ${MOST_HELD} characters of rows before it is sent`)
      this.rows.push(added)
      return null
    },
    report_render: ({ named, fail }) => {
      const format = textOf(named.get('format'))
      const order = [named.get('order') ?? []].flat().map((each) => textOf(each as HostValue))
      if (format !== '' && !Object.hasOwn(FORMATS, format))
        fail(`report_render has the formats ${Object.keys(FORMATS).join(', ')}`)
      const unknown = order.find((column) => !this.columns.includes(column))
      if (unknown !== undefined && this.rows.length > 0)
        fail(`report_render cannot order by '${unknown}', which is no column`)
      const isReversed = named.get('reverse_order') === true
      if (this.written > 0 && (order.length > 0 || isReversed || format !== ''))
        fail(
          `a report of more than ${this.written} rows is sent while it is made: it cannot be ordered or have another format`,
        )
      this.rendered = { format: format === '' ? null : (format as FormatName), order, isReversed } // has been looked up
      return PLACE
    },
  }

  /** Writes all rows in the wished order and format. */
  format(asked: FormatName): string {
    const { format, order = [], isReversed = false } = this.rendered ?? {}
    const { begin, write, end } = FORMATS[format ?? asked]
    const places = order.map((column) => this.columns.indexOf(column))
    const ordered = places.length === 0 ? this.rows : this.rows.toSorted((one, other) => compareBy(places, one, other))
    const rows = isReversed ? ordered.toReversed() : ordered
    return begin(this.columns) + write(rows, this.columns, true) + end
  }

  /** Writes what was added since, and forgets it. */
  take(asked: FormatName): string {
    const { begin, write } = FORMATS[asked]
    const text = (this.written === 0 ? begin(this.columns) : '') + write(this.rows, this.columns, this.written === 0)
    this.written += this.rows.length
    this.rows = []
    this.#held = 0
    return text
  }

  /** Writes what is left, and the end. */
  finish(asked: FormatName): string {
    return this.take(asked) + FORMATS[asked].end
  }
}

function compareBy(places: readonly number[], one: readonly unknown[], other: readonly unknown[]): number {
  for (const place of places) {
    const [left, right] = [one[place] ?? null, other[place] ?? null]
    if (left === right) continue
    if (left === null || right === null) return left === null ? 1 : -1
    if (typeof left === 'number' && typeof right === 'number') return left - right
    const [first, second] = [formatCell(left), formatCell(right)]
    if (first !== second) return first < second ? -1 : 1
  }
  return 0
}

function readPairs(given: HostValue): (readonly [string, HostValue])[] {
  if (given instanceof Hash) return [...given.entries.values()].map(([key, value]) => [textOf(key), value])
  return given instanceof Map ? [...given].map(([key, value]) => [textOf(key), value]) : []
}

/** Converts a value of a template to plain data, as JSON has it. */
export function toPlain(given: HostValue): unknown {
  if (given === undefined || given === null) return null
  if (typeof given === 'bigint') return Number.isSafeInteger(Number(given)) ? Number(given) : String(given)
  if (given instanceof Float) return given.real
  if (given instanceof Sym) return given.name
  if (Array.isArray(given)) return given.map((each: HostValue) => toPlain(each))
  if (given instanceof Hash || given instanceof Map)
    return Object.fromEntries(readPairs(given).map(([key, value]) => [key, toPlain(value)]))
  if (typeof given === 'object' && 'text' in given) return given.text
  return given
}

function textOf(given: HostValue): string {
  return given === undefined || given === null ? '' : given instanceof Sym ? given.name : formatCell(toPlain(given))
}

/** Formats a cell of a table: the members of a list with commas between them. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(formatCell).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function formatLine(cells: readonly unknown[]): string {
  return `${cells.map((cell) => quote(withoutFormula(cell))).join(',')}\n`
}

/** Spreadsheets execute text that begins like a formula; with an apostrophe in front they show it as text. */
function withoutFormula(cell: unknown): string {
  const text = formatCell(cell)
  return typeof cell !== 'number' && /^\s*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text
}

function quote(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function formatCells(tag: string, cells: readonly unknown[]): string {
  return cells
    .map((cell) => `<${tag}>${formatCell(cell).replace(/[&<>"]/g, (one) => ESCAPED[one] ?? one)}</${tag}>`)
    .join('')
}
