import type { Context } from '../context.ts'
import type { Input } from '../kernel/definition.ts'
import type { Answer } from '../kernel/facts.ts'
import type { Route } from '../kernel/route.ts'
import { resultsOf } from '../values.ts'
import { formatCsvHeader, formatCsvLines } from './csv.ts'
import { openWalk } from './walk.ts'

/** The number of records that are read at a time, and held until they are sent. */
const PORTION = 1000

/** How a list is written that is answered as a whole. */
interface Format {
  readonly type: string
  /** Writes what comes before the records. Columns are the keys of the first record, in their order. */
  readonly begin: (columns: readonly string[]) => string
  readonly write: (records: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]) => string
}

const FORMATS: ReadonlyMap<string, Format> = new Map([
  [
    'application/x-ndjson',
    {
      type: 'application/x-ndjson; charset=utf-8',
      begin: () => '',
      write: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    },
  ],
  [
    'text/csv',
    {
      type: 'text/csv; charset=utf-8; header=present',
      begin: formatCsvHeader,
      write: formatCsvLines,
    },
  ],
])

/** Tells whether a request asks for a list as a whole: as lines of JSON, or as a table. */
export function asksForLines(input: Input): boolean {
  return formatOf(input) !== undefined
}

function formatOf({ headers = {} }: Input): Format | undefined {
  const accepted = [headers.accept ?? ''].flat().flatMap((accept) => accept.split(','))
  return accepted.map((one) => FORMATS.get(one.split(';', 1)[0]?.trim().toLowerCase() ?? '')).find(Boolean)
}

/**
 * Answers with a whole list, one record a line, however long. It is read by key in portions, each when the client has taken
 * the one before; reading ends when the client is gone. Refusals come before the first line.
 */
export async function answerLines(ctx: Context, route: Route, input: Input): Promise<Answer> {
  const format = formatOf(input)
  if (!format) throw new Error('the request asks for no list as a whole')
  const readPortion = async (after: string) => {
    let next: string | null = null
    const walk = openWalk(ctx.encryption, after, (cursor) => {
      next = cursor
    })
    const { page: _page, ...query } = input.query
    const { body } = await route.handle(ctx, { ...input, query: { ...query, per_page: String(PORTION) }, walk })
    return { records: resultsOf(body), next: next as string | null }
  }
  const first = await readPortion('')
  const columns = Object.keys(first.records[0] ?? {})
  return {
    status: 200,
    headers: { 'content-type': format.type },
    stream: async function* (signal) {
      const head = format.begin(columns)
      if (head !== '') yield head
      for (let { records, next } = first; ; { records, next } = await readPortion(next)) {
        if (records.length > 0) yield format.write(records, columns)
        if (next === null || signal.aborted) return
      }
    },
  }
}
