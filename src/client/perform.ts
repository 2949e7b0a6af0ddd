import { setFlagsFromString } from 'node:v8'
import { membersOf } from '../lib/values.ts'
import type { Call } from './call.ts'
import type { Target } from './commands/contexts.ts'
import type { Session } from './commands/session.ts'
import { createPrinter, printRecord, type Row } from './output.ts'
import { type ApiCall, ask, type Reply, refusal } from './request.ts'

/** Sends the request of a command and prints the answer; with `--all` every page of a list. */
export async function perform(
  session: Session,
  target: Target,
  call: Call,
  label: string | undefined,
): Promise<number> {
  if (call.isList && session.option('all') === 'true') return performAll(session, target, call, label)
  const reply = await ask(target, call.asked)
  await report(session, target, call, reply, label)
  return 0
}

async function report(
  session: Session,
  target: Target,
  call: Call,
  reply: Reply,
  label: string | undefined,
): Promise<void> {
  if (reply.status >= 400) throw refusal(reply, target, call.flags)
  if (call.asked.accepts && !reply.type.endsWith('json')) return session.write(reply.text.replace(/\n?$/, '\n'))
  const { id, state } = membersOf(reply.body)
  const isTask = reply.status === 202 && id !== undefined && typeof state === 'string' && state !== 'stopped'
  const waits = isTask && session.option('async') !== 'true'
  const answer = waits
    ? await (await import('./commands/runs.ts')).waitForTask(session, target, String(id))
    : reply.body
  const isPlain = session.option('query') === undefined && session.shape(label).format === 'table'
  // Of what is gone the name is enough; programs choose a format, and get the record.
  if (call.asked.method === 'DELETE' && !isTask && isPlain && isRow(answer))
    return reportDeletion(session, answer, label)
  await printAnswer(session, answer, label, call.isList)
}

async function reportDeletion(session: Session, record: Row, label: string | undefined): Promise<void> {
  const name = [label, 'title', 'name', 'login', 'id'].map((key) => record[key ?? '']).find((value) => value != null)
  await session.write(`Deleted: ${String(name ?? '')}\n`)
}

/** Prints the answer of a server: the records of a list, or one record. */
export async function printAnswer(session: Session, body: unknown, label?: string, isList = true): Promise<void> {
  const expression = session.option('query')
  if (expression !== undefined) {
    const { search } = await import('./jmespath.ts')
    body = search(body, expression)
  }
  const shape = session.shape(label)
  const rows = rowsOf(body)
  if (!rows || (expression !== undefined && !Array.isArray(body))) return printRecord(shape, body, session.write)
  const printer = createPrinter(shape, session.write)
  await printer.rows(rows)
  await printer.end()
  const { subtotal, estimated } = membersOf(body)
  const about = Array.isArray(estimated) && estimated.includes('subtotal') ? 'about ' : ''
  if (isList && typeof subtotal === 'number' && subtotal > rows.length)
    await session.note(`${rows.length} of ${about}${subtotal}; --all prints all`)
}

/** Yields the records of a list: an array, or an object of arrays in grouped lists; null where it is no list. */
function rowsOf(body: unknown): Row[] | null {
  if (Array.isArray(body)) return body.every(isRow) ? body : null
  const { results } = membersOf(body)
  if (Array.isArray(results)) return results.every(isRow) ? results : null
  if (!isRow(results)) return null
  const groups = Object.values(results)
  const rows = groups.flat()
  return groups.every(Array.isArray) && rows.every(isRow) ? rows : null
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Prints page after page: the next page is requested while the last is printed, and only these two are held in memory. Pages
 * are walked by key, where the list says how to go on, so that nothing that comes or goes meanwhile shifts them.
 */
async function performAll(session: Session, target: Target, call: Call, label: string | undefined): Promise<number> {
  // Each page is garbage once it is printed. A young generation that grows with them would double the memory for a list of
  // hundreds of pages and save a tenth of the time; see docs/benchmarks.md.
  setFlagsFromString('--semi-space-growth-factor=1')
  const printer = createPrinter(session.shape(label), session.write)
  const expression = session.option('query')
  let next = ask(target, pageOf(call.asked, { after: '' }))
  let walked = false
  for (let page = 1; ; page++) {
    const reply = await next
    if (reply.status >= 400) throw refusal(reply, target, call.flags)
    const rows = rowsOf(reply.body) ?? []
    const { subtotal, total } = membersOf(reply.body)
    const after = cursorOf(reply)
    const hasMore = after !== null || (!walked && rows.length > 0 && page * PAGE < Number(subtotal ?? total ?? 0))
    walked ||= after !== null
    if (hasMore) {
      next = ask(target, pageOf(call.asked, after === null ? { page: String(page + 1) } : { after }))
      // Marks the rejection as handled in case printing fails first.
      next.catch(() => undefined)
    }
    if (expression === undefined) await printer.rows(rows)
    else {
      const { search } = await import('./jmespath.ts')
      const found = search({ results: rows }, expression)
      await printer.rows([found].flat().map((each: unknown) => (isRow(each) ? each : { value: each })))
    }
    if (!hasMore) break
  }
  await printer.end()
  return 0
}

const PAGE = 1000

/** Yields the cursor of the next page; null where there is none, or where the list has numbers only. */
function cursorOf({ headers }: Reply): string | null {
  const [, query = ''] = /<[^>?]*\?([^>]*)>; rel="next"/.exec(String(headers.link ?? '')) ?? []
  return new URLSearchParams(query).get('after')
}

function pageOf(asked: ApiCall, place: { readonly after: string } | { readonly page: string }): ApiCall {
  const [path = '', query = ''] = asked.path.split('?')
  const parameters = new URLSearchParams(query)
  parameters.delete('page')
  for (const [name, value] of Object.entries(place)) parameters.set(name, value)
  parameters.set('per_page', String(PAGE))
  return { ...asked, path: `${path}?${parameters}` }
}
