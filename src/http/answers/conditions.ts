import type { IncomingHttpHeaders } from 'node:http'
import { type Context, inTransaction } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { badParameter, Failure } from '../../errors.ts'
import type { Registry } from '../../kernel/index.ts'
import { printExact } from '../../lib/lossless-json.ts'
import type { Answer, Input, Route } from '../../requests/route.ts'
import { sql } from '../../sql.ts'
import { requireAccess } from '../access/access.ts'
import { etagOf, matchesRecord, readTags, type Tags } from './etag.ts'

/** The conditions of a write (RFC 9110 13.1); null for each that the request does not have. */
export interface Conditions {
  readonly match: Tags | null
  readonly noneMatch: Tags | null
  /** The time of `If-Unmodified-Since` in seconds since 1970. */
  readonly unmodifiedSince: number | null
}

/** Reads the conditions of a write; null where there are none. {@throws Failure} bad_parameter for malformed ones */
export function readConditions(headers: IncomingHttpHeaders): Conditions | null {
  const { 'if-match': match, 'if-unmodified-since': since, 'if-none-match': noneMatch } = headers
  if (match === undefined && since === undefined && noneMatch === undefined) return null
  return {
    match: match === undefined ? null : readTags('If-Match', match),
    noneMatch: noneMatch === undefined ? null : readTags('If-None-Match', noneMatch),
    // With a tag the time is ignored, because the tag is more exact (RFC 9110 13.2.2).
    unmodifiedSince: since === undefined || match !== undefined ? null : readDate(since),
  }
}

/** Reads a date as seconds since 1970; a malformed one is refused, because its sender relies on the condition. */
function readDate(header: string): number {
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header)
  const time = isDate ? Date.parse(header) : Number.NaN
  if (Number.isNaN(time))
    throw badParameter('If-Unmodified-Since', header, 'must be a time such as Tue, 31 Mar 2026 14:25:36 GMT')
  return Math.floor(time / 1000)
}

/** The routes whose answers the conditions of a write refer to: the GET of its path, and the GET of its record. */
export interface Representation {
  readonly shown: Route
  readonly record: Route
}

/**
 * Creates the function that finds the GET route for the conditions of a write: the GET of its path, otherwise the GET
 * of its record. Null for paths without a record, such as paths that create one.
 */
export function createRepresentationFinder(routes: readonly Route[]): (route: Route) => Representation | null {
  const shown = new Map(routes.filter(({ method }) => method === 'GET').map((route) => [shapeOf(route.path), route]))
  return (route) => {
    const record = listRecordsAbove(route.path)
      .map((path) => shown.get(shapeOf(path)))
      .find((found) => found && (found.resource ?? route.resource) === (route.resource ?? found.resource))
    return record ? { shown: shown.get(shapeOf(route.path)) ?? record, record } : null
  }
}

/** Lists the beginnings of a path that may name a record, the longest first. */
function listRecordsAbove(path: string): string[] {
  return [...path.matchAll(/\/:\w+/g)].map(({ index, 0: { length } }) => path.slice(0, index + length)).reverse()
}

function shapeOf(path: string): string {
  return path.replace(/:\w+/g, ':')
}

/** A write with conditions, and what is needed to check these. */
export interface ConditionalWrite {
  readonly route: Route
  readonly compared: Representation | null
  readonly input: Input
  readonly conditions: Conditions
  readonly registry: Registry
  /** Yields the context of a GET by this caller, without the scope in the body. */
  readonly reading: (ctx: Context) => Promise<Context>
  /** The query of the URL. */
  readonly query: Input['query']
  /** Called with the present tag of the record, '' for none, when the conditions do not hold. */
  readonly refused: (etag: string) => void
}

/**
 * Does a write if its conditions hold. Compares them, under the lock of the record, with the answer of GET to this
 * caller. Updates and deletions lock the record themselves, after slow work; actions run in a transaction that holds
 * the lock. Conditions of actions that wait for other machines are checked before the start. {@throws Failure}
 * precondition_failed
 */
export async function writeConditionally(ctx: Context, write: ConditionalWrite): Promise<Answer> {
  const { route, compared, input } = write
  if (!compared) return withoutRecord(ctx, write)
  requireAccess(ctx, compared.record.access)
  requireAccess(ctx, compared.shown.access)
  if (route.locks) {
    let waiting = true
    const compareOnce = async (tx: Context, resource: string) => {
      if (!waiting || resource !== route.resource) return
      waiting = false
      await compare({ ...tx, beforeWrite: undefined }, write, compared.shown)
    }
    return route.handle({ ...ctx, beforeWrite: compareOnce }, input)
  }
  const withLockedRecord = <Result>(work: (tx: Context) => Promise<Result>) =>
    inTransaction(ctx, async (tx) => {
      await lockRecord(tx, write, compared.record)
      await compare(tx, write, compared.shown)
      return work(tx)
    })
  if (!route.notInBatch) return withLockedRecord((tx) => route.handle(tx, input))
  await withLockedRecord(async () => undefined)
  return route.handle(ctx, input)
}

/**
 * Does a write on a path without a record: `If-None-Match` holds, because there is nothing; other conditions are refused.
 * {@throws Failure} bad_parameter
 */
function withoutRecord(ctx: Context, { route, input, conditions }: ConditionalWrite): Promise<Answer> {
  if (conditions.match === null && conditions.unmodifiedSince === null) return route.handle(ctx, input)
  const name = conditions.match === null ? 'If-Unmodified-Since' : 'If-Match'
  throw badParameter(name, input.headers?.[name.toLowerCase()], 'is for paths of a record: there is none here')
}

async function lockRecord(tx: Context, write: ConditionalWrite, record: Route): Promise<void> {
  const table = write.registry.get(record.resource ?? '')?.table
  const { body } = await show(tx, write, record)
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null
  if (table === undefined || typeof id !== 'number') return
  await row(tx.db, sql`select id from ${sql.table(table)} where id = ${id} for no key update`)
}

async function compare(tx: Context, write: ConditionalWrite, shown: Route): Promise<void> {
  const { conditions } = write
  const answer = await show(tx, write, shown)
  const text = typeof answer.body === 'string' ? answer.body : printExact(answer.body)
  const etag = etagOf(shown, answer, text) ?? ''
  const holds =
    (conditions.match === null || matchesRecord(conditions.match, etag)) &&
    (conditions.unmodifiedSince === null || readChangeTime(answer.body) <= conditions.unmodifiedSince) &&
    (conditions.noneMatch === null || !matchesRecord(asStrong(conditions.noneMatch), etag))
  if (holds) return
  write.refused(etag)
  throw new Failure('precondition_failed', 'The record is not what the request expects it to be: read it again')
}

/** Yields tags as strong ones, because `If-None-Match` compares weakly (RFC 9110 13.1.2). */
function asStrong(tags: Tags): Tags {
  return tags === '*' ? tags : tags.map((tag) => ({ ...tag, weak: false }))
}

/** Yields the time of the last change, in seconds since 1970. {@throws Failure} bad_parameter when the record has none */
function readChangeTime(body: unknown): number {
  const said =
    typeof body === 'object' && body !== null && 'updated_at' in body ? Date.parse(String(body.updated_at)) : NaN
  if (Number.isNaN(said))
    throw badParameter(
      'If-Unmodified-Since',
      null,
      'cannot be compared: this does not say when it was changed. Use If-Match',
    )
  return Math.floor(said / 1000)
}

/** Yields what a GET by the caller answers now, without conditions. {@throws Failure} when the GET is refused */
async function show(tx: Context, write: ConditionalWrite, shown: Route): Promise<Answer> {
  const {
    'if-match': _match,
    'if-none-match': _none,
    'if-unmodified-since': _since,
    ...headers
  } = write.input.headers ?? {}
  const params = renameParams(shown.path, write.route.path, write.input.params)
  return shown.handle(await write.reading(tx), { params, query: { ...write.query }, body: {}, headers })
}

/** Renames the segments of a path to the names that another path has for them. */
function renameParams(path: string, sent: string, params: Input['params']): Input['params'] {
  const names = sent.split('/')
  return Object.fromEntries(
    path.split('/').flatMap((segment, index) => {
      const value = params[names[index]?.slice(1) ?? '']
      return segment.startsWith(':') && value !== undefined ? [[segment.slice(1), value]] : []
    }),
  )
}
