import { isMembers, membersOf } from '../lib/values.ts'
import { cellOf } from './cell.ts'
import type { Format, Shape } from './format.ts'

/** A record as an answer shows it. */
export type Row = Readonly<Record<string, unknown>>

/** Prints records as they arrive. */
export interface Printer {
  readonly rows: (rows: readonly Row[]) => Promise<void>
  readonly end: () => Promise<void>
}

/** Writes text and waits until it is taken. */
export type Write = (text: string) => Promise<void>

/** Creates a printer for a list that arrives in pieces; only one piece is held in memory. */
export function createPrinter(shape: Shape, write: Write): Printer {
  return PRINTERS[shape.format](shape, write)
}

const PRINTERS: Readonly<Record<Format, (shape: Shape, write: Write) => Printer>> = {
  table: createTablePrinter,
  csv: createCsvPrinter,
  json: createJsonPrinter,
  yaml: createYamlPrinter,
  jsonl: (shape, write) => ({
    rows: (rows) => write(rows.map((row) => `${JSON.stringify(pickColumns(shape, row))}\n`).join('')),
    end: async () => undefined,
  }),
  name: ({ label }, write) => ({
    rows: (rows) =>
      write(
        rows
          .map((row) => `${cellOf(row[label] ?? row['name'] ?? row['login'] ?? row['title'] ?? row['id'])}\n`)
          .join(''),
      ),
    end: async () => undefined,
  }),
}

/** Prints one record, or another value that is not a list. */
export async function printRecord(shape: Shape, value: unknown, write: Write): Promise<void> {
  if (shape.format === 'json') return write(`${JSON.stringify(pickFromValue(shape, value), null, 2)}\n`)
  if (shape.format === 'yaml') return write(await formatYaml(pickFromValue(shape, value)))
  if (typeof value !== 'object' || value === null) return write(value === undefined ? '' : `${cellOf(value)}\n`)
  const row: Row = { ...value }
  if (shape.format !== 'table') {
    const printer = createPrinter(shape, write)
    await printer.rows([row])
    return printer.end()
  }
  const keys = shape.columns ? resolveColumns(shape.columns, [row]) : Object.keys(value)
  const lines = keys.filter((key) => shape.columns || (isRead(key, row) && isListed(key, row[key])))
  const width = Math.max(0, ...lines.map((key) => headingOf(key).length))
  const { treeOf } = lines.some((key) => isRich(row[key])) ? await import('./tree.ts') : { treeOf: null }
  const text = lines.map((key) => {
    const held = row[key]
    const shown = treeOf && isRich(held) ? `\n${treeOf(held, '    ').join('\n')}` : blockOf(held, width + 3)
    return `${formatBold(shape, `${headingOf(key)}:`.padEnd(width + 2))} ${shown}`.trimEnd()
  })
  return write(`${text.join('\n')}\n`)
}

/** Tells whether a value is an object without a name that could stand for it. */
function isRich(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((each) => Array.isArray(each) || isRich(each))
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return false
  const { name, title, label } = membersOf(value)
  return typeof (title ?? name ?? label) !== 'string'
}

/** Tells whether a key is printed: ids of linked records are not, where their names are there. */
function isShown(key: string, row: Row): boolean {
  const base = key.replace(/_(?:id|name)$/, '')
  return (
    !(key.endsWith('_id') && (`${base}_name` in row || base in row)) &&
    !(key.endsWith('_name') && base in row && base !== key)
  )
}

/** Tells whether people read a key: a number gives way to its label, and a name to a title. */
function isRead(key: string, row: Row): boolean {
  const title = key.endsWith('_name') ? key.replace(/_name$/, '_title') : null
  return isShown(key, row) && !(`${key}_label` in row) && !(title !== null && title in row)
}

/** Of a record only values that are there are listed, and not what the caller may do with it: that is for programs. */
function isListed(key: string, value: unknown): boolean {
  if (key === 'permissions') return Array.isArray(value)
  return !(value === null || value === '' || (Array.isArray(value) && value.length === 0))
}

function blockOf(value: unknown, indent: number): string {
  const text = cellOf(value)
  return text.includes('\n') ? `\n${text.trimEnd().replace(/^/gm, ' '.repeat(Math.min(indent, 4)))}` : text
}

function createTablePrinter(shape: Shape, write: Write): Printer {
  let keys: readonly string[] | undefined
  let widths: readonly number[] = []
  const formatLine = (cells: readonly string[]) =>
    cells
      .map((cell, at) => fitText(cell, widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return {
    rows: async (rows) => {
      const isFirst = keys === undefined
      keys ??= shape.columns ? resolveColumns(shape.columns, rows) : chooseDefaultKeys(rows, shape)
      const cells = rows.map((row) => (keys ?? []).map((key) => cellOf(row[key]).replace(/\s+/g, ' ')))
      if (isFirst) widths = widthsOf(keys, cells, shape)
      const head =
        isFirst && shape.hasHeaders && keys.length > 0
          ? [formatBold(shape, formatLine(keys.map((key) => headingOf(key).toUpperCase())))]
          : []
      const text = [...head, ...cells.map(formatLine)].map((each) => `${each}\n`).join('')
      if (text) await write(text)
    },
    end: async () => undefined,
  }
}

/** Counts the columns of a text in a terminal, approximately: wide characters of East Asia and emoji take two. */
function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += WIDE.test(letter) ? 2 : 1
  return width
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

function fitText(text: string, width: number): string {
  const real = widthOf(text)
  if (real <= width) return text + ' '.repeat(width - real)
  let cut = ''
  for (const letter of text) {
    if (widthOf(cut + letter) > width - 1) break
    cut += letter
  }
  return `${cut}…${' '.repeat(Math.max(0, width - widthOf(cut) - 1))}`
}

/** Computes column widths: that of the longest cell; where the terminal is too narrow the widest columns shrink. */
function widthsOf(keys: readonly string[], cells: readonly (readonly string[])[], { width }: Shape): number[] {
  const widths = keys.map((key, at) => Math.max(headingOf(key).length, ...cells.map((row) => widthOf(row[at] ?? ''))))
  if (width === null) return widths.map((each) => Math.min(each, WIDEST))
  const computeTotal = () => widths.reduce((sum, each) => sum + each + 2, -2)
  while (computeTotal() > width) {
    const widest = widths.indexOf(Math.max(...widths))
    if ((widths[widest] ?? 0) <= MIN_WIDTH) break
    widths[widest] = Math.max(MIN_WIDTH, (widths[widest] ?? 0) - Math.max(1, computeTotal() - width > 20 ? 8 : 1))
  }
  return widths
}

const MIN_WIDTH = 6

/** The widest column without a terminal, in characters; longer values that come later are cut. */
const WIDEST = 200

/** Chooses the columns where none are given: id, names, and then short values as long as they fit. */
function chooseDefaultKeys(rows: readonly Row[], { label }: Shape): string[] {
  const [first = {}] = rows
  const all = Object.keys(first).filter((key) => isRead(key, first))
  const begin = ['id', label, 'name', 'title', 'login', ...OF_HOSTS].filter(
    (key, at, list) => key in first && list.indexOf(key) === at,
  )
  const isPlain = (key: string) =>
    rows.every((row) => typeof row[key] !== 'object' || row[key] === null || isNamed(row[key]))
  const isTold = (key: string) => rows.some((row) => row[key] !== null && row[key] !== '' && row[key] !== undefined)
  const rest = all.filter((key) => !begin.includes(key) && !LATE.test(key) && isPlain(key) && isTold(key))
  return [...begin, ...rest].slice(0, MAX_COLUMNS)
}

/** Whether a host is well, and its group: people look for them first. */
const OF_HOSTS = ['global_status_label', 'hostgroup_title']
const LATE = /^(?:created_at|updated_at|permissions)$|_id$/
const MAX_COLUMNS = 7

function isNamed(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && ('name' in value || 'title' in value)
}

function createCsvPrinter(shape: Shape, write: Write): Printer {
  let keys: readonly string[] | undefined
  return {
    rows: async (rows) => {
      const isFirst = keys === undefined
      keys ??= shape.columns
        ? resolveColumns(shape.columns, rows)
        : Object.keys(rows[0] ?? {}).filter((key) => isShown(key, rows[0] ?? {}))
      const head = isFirst && shape.hasHeaders && keys.length > 0 ? [keys.map(titleOf)] : []
      const cells = rows.map((row) => (keys ?? []).map((key) => cellOf(row[key])))
      const text = [...head, ...cells]
        .map((row) => `${row.map((cell) => formatCsvCell(cell, shape.separator)).join(shape.separator)}\n`)
        .join('')
      if (text) await write(text)
    },
    end: async () => undefined,
  }
}

function formatCsvCell(text: string, separator: string): string {
  return /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
}

function createJsonPrinter(shape: Shape, write: Write): Printer {
  let count = 0
  return {
    rows: async (rows) => {
      const texts = rows.map((row) => {
        const before = count++ === 0 ? '[\n' : ',\n'
        return before + JSON.stringify(pickColumns(shape, row), null, 2).replace(/^/gm, '  ')
      })
      await write(texts.join(''))
    },
    end: () => write(count === 0 ? '[]\n' : '\n]\n'),
  }
}

function createYamlPrinter(shape: Shape, write: Write): Printer {
  let count = 0
  return {
    rows: async (rows) => {
      count += rows.length
      if (rows.length > 0) await write(await formatYaml(rows.map((row) => pickColumns(shape, row))))
    },
    end: async () => (count === 0 ? write('[]\n') : undefined),
  }
}

async function formatYaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(value, { lineWidth: 0 })
}

function pickFromValue(shape: Shape, value: unknown): unknown {
  return isMembers(value) ? pickColumns(shape, value) : value
}

function pickColumns({ columns }: Shape, row: Row): Row {
  return columns ? Object.fromEntries(resolveColumns(columns, [row]).map((key) => [key, row[key] ?? null])) : row
}

/** Resolves column names given as keys of the API or as headings, in any case. */
function resolveColumns(columns: readonly string[], rows: readonly Row[]): string[] {
  const known = [...new Set(rows.slice(0, 5).flatMap((row) => Object.keys(row)))]
  return columns.map((column) => {
    const word = column.trim().toLowerCase().replaceAll(/[\s-]/g, '_')
    return (
      known.find((key) => key === word) ??
      known.find((key) => [word, word.replaceAll('_', '')].includes(titleOf(key).toLowerCase().replaceAll(' ', '_'))) ??
      known.find((key) => key === `${word}_name`) ??
      word
    )
  })
}

/** Yields the heading of a key: `operatingsystem_name` is Operatingsystem, `id` is Id. */
function titleOf(key: string): string {
  const words = key.replace(/_name$/, '').replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** Yields the heading of a key for people: `global_status_label` is Global status. */
function headingOf(key: string): string {
  return titleOf(key.replace(/_(?:label|title)$/, ''))
}

function formatBold({ hasColours }: Shape, text: string): string {
  return hasColours ? `\u001b[1m${text}\u001b[22m` : text
}
