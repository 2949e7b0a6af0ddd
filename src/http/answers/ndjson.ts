import { beginPortion, type Context } from '../../context.ts'
import { printExact } from '../../lib/lossless-json.ts'
import { isMembers, type Members, membersOf } from '../../lib/values.ts'
import { readPaging } from '../../requests/paging.ts'
import { type Answer, createStream, type Input, type Route } from '../../requests/route.ts'
import { toBoolean } from '../../requests/sent.ts'
import { formatCsvHeader, formatCsvLines } from '../csv.ts'
import { openWalk } from './cursor-pagination.ts'

/** The number of records that are read at a time, and held until they are sent. */
const PORTION = 1000

/** How a list that is answered as a whole is written. */
interface Format {
  readonly type: string
  /** Writes what comes before the records. Columns are the keys of the first record, in their order. */
  readonly begin: (columns: readonly string[], envelope: Members) => string
  readonly write: (records: readonly Members[], columns: readonly string[], isFirst: boolean) => string
  readonly end: string
}

/** The JSON object that every page of a list is, with all records in it. */
const ENVELOPE: Format = {
  type: 'application/json; charset=utf-8',
  begin: (_columns, envelope) => JSON.stringify({ ...envelope, results: [] }).slice(0, -2),
  write: (records, _columns, isFirst) => `${isFirst ? '' : ','}${printExact(records).slice(1, -1)}`,
  end: ']}',
}

const FORMATS: ReadonlyMap<string, Format> = new Map([
  [
    'application/x-ndjson',
    {
      type: 'application/x-ndjson; charset=utf-8',
      begin: () => '',
      write: (records) => records.map((record) => `${printExact(record)}\n`).join(''),
      end: '',
    },
  ],
  [
    'text/csv',
    {
      type: 'text/csv; charset=utf-8; header=present',
      begin: formatCsvHeader,
      write: formatCsvLines,
      end: '',
    },
  ],
])

/** Tells whether a request accepts a list as a whole: as lines of JSON, or as a table of CSV. */
export function asksForLines(input: Input): boolean {
  return formatOf(input) !== undefined
}

function formatOf({ headers = {} }: Input): Format | undefined {
  const accepted = [headers.accept ?? ''].flat().flatMap((accept) => accept.split(','))
  return accepted.map((one) => FORMATS.get(one.split(';', 1)[0]?.trim().toLowerCase() ?? '')).find(Boolean)
}

/** Tells whether a request wants all records on one page: `per_page=all` or, if the route has it, `full_result`. */
export function asksForAll({ query: declared }: Route, { query }: Input): boolean {
  if (query.after !== undefined) return false
  return (
    query.per_page === 'all' || (declared?.shape.full_result !== undefined && toBoolean(query.full_result) === true)
  )
}

/** Yields one portion of a list for this input, with the permissions of that moment. */
export type Ask = (ctx: Context, input: Input) => Promise<Answer>

/**
 * Answers with a whole list of any length, one record per line. Reads the list by key in portions, each after the
 * client has received the previous one, and stops when the client disconnects. Errors of the request come before the
 * first line.
 */
export async function answerLines(ctx: Context, input: Input, ask: Ask): Promise<Answer> {
  const format = formatOf(input)
  if (!format) throw new Error('the request asks for no list as a whole')
  const readPortion = createPortions(ctx, input, ask)
  return streamPortions(ctx, format, await readPortion(''), readPortion)
}

/**
 * Answers with all records on one page. Streams lists of more than one portion. A list that cannot be read by key, such
 * as a list of groups of records, is read at once.
 */
export async function answerAll(ctx: Context, input: Input, ask: Ask): Promise<Answer> {
  const { page } = readPaging({ page: input.query.page }, PORTION)
  const readPortion = createPortions(ctx, input, ask)
  const { answer, envelope, records, next } = await readPortion('')
  if (records === null || (next === null && records.length >= PORTION)) return ask(ctx, input)
  const whole = { ...envelope, page, per_page: envelope.total }
  if (next !== null) return streamPortions(ctx, ENVELOPE, { answer, envelope: whole, records, next }, readPortion)
  return { ...answer, body: { ...membersOf(answer.body), page, per_page: envelope.total } }
}

interface Portion {
  readonly answer: Answer
  /** The keys of the body beside the records. */
  readonly envelope: Members
  /** Null where the answer is no list of records. */
  readonly records: readonly Members[] | null
  /** The cursor of the next portion; null behind the last one. */
  readonly next: string | null
}

/** Cursors between portions of one answer never leave it. */
const OWN = { text: 'portions', readsOlder: false }

function createPortions(ctx: Context, input: Input, ask: Ask): (after: string) => Promise<Portion> {
  const { page: _page, full_result: _full, ...query } = input.query
  return async (after) => {
    let next: string | null = null
    const walk = openWalk(ctx.encryption, OWN, after, (cursor) => {
      next = cursor
    })
    const answer = await ask(await beginPortion(ctx), {
      ...input,
      query: { ...query, per_page: String(PORTION) },
      walk,
    })
    const { results, ...envelope } = membersOf(answer.body)
    const records = Array.isArray(results) && results.every(isMembers) ? results : null
    return { answer, envelope, records, next }
  }
}

function streamPortions(
  ctx: Context,
  format: Format,
  first: Portion,
  readPortion: (after: string) => Promise<Portion>,
): Answer {
  const columns = Object.keys(first.records?.[0] ?? {})
  return {
    status: 200,
    headers: { 'content-type': format.type },
    stream: createStream(ctx, async function* (signal) {
      const begun = format.begin(columns, first.envelope) + format.write(first.records ?? [], columns, true)
      if (begun !== '') yield begun
      for (let { next } = first; next !== null; ) {
        if (signal.aborted) return
        const portion = await readPortion(next)
        if (portion.records && portion.records.length > 0) yield format.write(portion.records, columns, false)
        next = portion.next
      }
      if (format.end !== '') yield format.end
    }),
  }
}
