import { sendRequest } from '../../api/client.ts'
import type { Column } from '../description.ts'
import { type ApiRecord, recordsOf, type Where } from '../resources.ts'
import { type GrowingFile, openGrowingFile } from './growing-file.ts'
import type { ListView } from './view.ts'

/** What is exported, and as what. */
export interface Exported {
  readonly format: 'csv' | 'json'
  readonly where: Where
  readonly columns: readonly Column[]
  readonly view: ListView
}

/** How far an export is; it goes on from there after an error. */
export interface Course {
  readonly file: GrowingFile
  readonly done: number
  /** The query for the records that follow: behind a position, or a page where a list has only those. */
  readonly next: { readonly after: string } | { readonly page: number } | null
}

const PORTION = 1000

/** Begins an export: what stands before the first record. */
export async function beginExport({ format, where, columns }: Exported): Promise<Course> {
  const type = format === 'json' ? 'application/json' : 'text/csv;charset=utf-8'
  const file = await openGrowingFile(`${where.resource.plural}.${format}`, type)
  await file.append(format === 'json' ? '[' : lineOf(columns.map(({ key }) => key)))
  return { file, done: 0, next: { after: '' } }
}

/** Appends the next portion: pages by key, which are each record once whatever is written meanwhile. */
export async function continueExport(exported: Exported, course: Course, signal: AbortSignal): Promise<Course> {
  const { where, view } = exported
  const { file, done, next } = course
  if (next === null) return course
  const query = { search: view.search || undefined, order: view.order || undefined, per_page: PORTION, ...next }
  const answer = await sendRequest(where.list, { query, signal })
  const records = recordsOf(answer.body.results)
  await file.append(textOf(exported, records, done === 0))
  return { file, done: done + records.length, next: nextOf(next, answer.after, records.length) }
}

/** Ends an export, and passes it to the browser. */
export async function endExport({ format }: Exported, { file }: Course): Promise<void> {
  if (format === 'json') await file.append('\n]\n')
  await file.save()
}

/** Finds what follows: a whole portion without a next one is of a list that knows pages only. */
function nextOf(last: NonNullable<Course['next']>, after: string | null, count: number): Course['next'] {
  if (after !== null) return { after }
  const isWalked = 'after' in last && last.after !== ''
  if (isWalked || count < PORTION) return null
  return { page: 'page' in last ? last.page + 1 : 2 }
}

function textOf({ format, columns }: Exported, records: readonly ApiRecord[], isFirst: boolean): string {
  if (format === 'csv') return records.map((record) => lineOf(columns.map(({ key }) => record[key]))).join('')
  return records.map((record, place) => `${isFirst && place === 0 ? '' : ','}\n${JSON.stringify(record)}`).join('')
}

/** Formats a line of CSV by RFC 4180; a text that a spreadsheet would take for a formula gets a leading apostrophe. */
function lineOf(values: readonly unknown[]): string {
  const cells = values.map((value) => {
    const text =
      value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  })
  return `${cells.join(',')}\r\n`
}
