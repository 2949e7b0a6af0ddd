import { z } from 'zod'
import { beginPortion, type Context } from '../../../context.ts'
import { badParameter, Failure } from '../../../errors.ts'
import type { Registry } from '../../../kernel/index.ts'
import { contextQuery, textParameter } from '../../../requests/paging.ts'
import { type Answer, createStream, type Input, type Route } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { isBlank } from '../../../search/blank.ts'
import { EVENT } from './cloud-event.ts'
import { followEvents } from './follow.ts'
import { explainPattern, listKinds } from './kinds.ts'
import { type Extent, numberEvents, readExtent } from './number-events.ts'
import { type EventFilter, readEvents, VIEW_EVENTS } from './read-events.ts'

const USUAL_LIMIT = 100
const MOST = 1000

const PAGE = z.object({
  results: z.array(EVENT).meta({ description: 'Events in the order of their numbers.' }),
  last: z
    .int()
    .meta({ description: 'Number to send as `after` next: up to it there are no other events for the caller.' }),
})

const GONE = z.object({
  error: z
    .object({
      message: z.string().meta({ description: 'The reason.' }),
      oldest: z.int().meta({ description: 'The oldest number that is kept.' }),
    })
    .meta({ description: 'Why the request was refused.' }),
})

const KIND = z
  .object({
    type: z.string().meta({ description: 'The type of such events.' }),
    resource: z.string().meta({ description: 'The resource that they are about.' }),
    description: z.string().meta({ description: 'What has happened.' }),
    schema: z
      .record(z.string(), z.unknown())
      .meta({ description: 'JSON Schema of such an event; `#/event` is the key `event` of the answer.' }),
  })
  .meta({ title: 'EventKind', description: 'A kind of events.' })

const KINDS = z.object({
  results: z.array(KIND).meta({ description: 'The kinds.' }),
  event: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of what all events have.' }),
})

/** Builds the routes of the feed: its events, as pages or as a stream, and their kinds. */
export function eventRoutes(registry: Registry): Route[] {
  const common = {
    method: 'GET',
    group: 'events',
    notInBatch: true,
    access: { kind: 'permission', anyOf: [VIEW_EVENTS], own: false },
  } as const
  return [
    {
      ...common,
      path: '/api/events',
      id: 'events.read',
      summary: 'Read what has happened: a page of events or, for `Accept: text/event-stream`, a stream without end',
      query: z.object({
        after: textParameter(
          'Number of the last event that the caller has; default: before the oldest one. `last`: only later events. A stream prefers `Last-Event-ID`.',
          '12',
        ),
        limit: textParameter(`The most events of an answer, 1 to ${MOST}; ${USUAL_LIMIT}.`, '100'),
        type: textParameter('Types of events, separated by commas: `host.created`, `host.*`, `*.deleted`.', 'host.*'),
        resource: textParameter('A resource that they are about, such as `host`.', 'host'),
        record: textParameter('A record that they are about, such as `hosts/12`.', 'hosts/12'),
        search: textParameter('Condition on the change, in the words of the search of audits.', 'username = admin'),
        ...contextQuery,
      }),
      answers: { 200: PAGE, 410: GONE },
      handle: (ctx, input) => read(ctx, registry, input),
    },
    {
      ...common,
      path: '/api/events/kinds',
      id: 'events.kinds',
      summary: 'List the kinds of events with their JSON Schemas',
      query: z.object({ resource: textParameter('Only the kinds about this resource.', 'host') }),
      answers: { 200: KINDS },
      handle: async (_ctx, input) => answerKinds(registry, input),
    },
  ]
}

async function read(ctx: Context, registry: Registry, input: Input): Promise<Answer> {
  const filter = readFilter(registry, input)
  const limit = readCount('limit', readSingle(input.query, 'limit'), 1, MOST) ?? USUAL_LIMIT
  const isStream = String(input.headers?.accept ?? '').includes('text/event-stream')
  // Who has written something reads it here at once.
  await numberEvents(ctx.db)
  const extent = await readExtent(ctx.db)
  const after = readPosition(input, extent, isStream)
  if (after < extent.oldest - 1) return answerGone(extent.oldest)
  if (isStream) return answerStream(ctx, registry, filter, after)
  const { events, last } = await readEvents(ctx, registry, filter, { after, upTo: extent.last, limit })
  return { status: 200, body: { results: events.map(({ event }) => event), last } }
}

function answerGone(oldest: number): Answer {
  const message = `Events before number ${oldest} are no longer kept: read the records anew, and go on with after=${oldest - 1}`
  return { status: 410, body: { error: { message, oldest } } }
}

async function answerStream(ctx: Context, registry: Registry, filter: EventFilter, after: number): Promise<Answer> {
  // A bad search is refused before the stream begins.
  await readEvents(ctx, registry, filter, { after, upTo: after + 1, limit: 1 })
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
    stream: createStream(ctx, (signal) =>
      followEvents(() => renew(ctx), registry, filter, { after, signal, followers: ctx.followers }),
    ),
  }
}

/** Finds the reader again; null once they may not read the feed any more. */
async function renew(ctx: Context): Promise<Context | null> {
  try {
    return await beginPortion(ctx)
  } catch (error) {
    if (error instanceof Failure && error.code !== 'unavailable') return null
    throw error
  }
}

function readPosition({ query, headers }: Input, { oldest, last }: Extent, isStream: boolean): number {
  const known = isStream ? headers?.['last-event-id'] : undefined
  if (typeof known === 'string' && known !== '') return limitPosition('Last-Event-ID', known, last)
  const sent = readSingle(query, 'after')
  if (sent === null || sent === '') return oldest - 1
  return sent === 'last' ? last : limitPosition('after', sent, last)
}

function limitPosition(name: string, sent: string, last: number): number {
  const after = readCount(name, sent, 0, Number.MAX_SAFE_INTEGER) ?? 0
  if (after > last) throw badParameter(name, sent, `must be at most ${last}, the number of the last event`)
  return after
}

function readCount(name: string, sent: string | null, least: number, most: number): number | null {
  if (sent === null || sent === '') return null
  const count = /^\d{1,20}$/.test(sent) ? Number(sent) : Number.NaN
  if (count >= least && count <= most) return count
  throw badParameter(name, sent, `must be a whole number from ${least} to ${most}`)
}

function readFilter(registry: Registry, { query }: Input): EventFilter {
  const types = readSingle(query, 'type')
  const resource = readSingle(query, 'resource')
  const search = readSingle(query, 'search')
  const patterns = [
    ...(types === null || isBlank(types) ? [] : types.split(',').map((one) => one.trim())),
    ...(resource === null || resource === '' ? [] : [`${resource}.*`]),
  ]
  for (const pattern of patterns) {
    const reason = explainPattern(registry, pattern)
    if (reason !== null) throw badParameter(types === null ? 'resource' : 'type', pattern, reason)
  }
  return {
    types: patterns.length === 0 ? null : patterns,
    record: readRecord(registry, readSingle(query, 'record')),
    search: search === null || isBlank(search) ? null : search,
  }
}

function readRecord(registry: Registry, sent: string | null): EventFilter['record'] {
  if (sent === null || sent === '') return null
  const [, plural, id] = /^([a-z_]+)\/(\d{1,15})$/.exec(sent) ?? []
  const kind = [...listKinds(registry).values()].find(({ resource }) => resource.plural === plural)
  if (!kind || id === undefined) throw badParameter('record', sent, 'must be the subject of an event, such as hosts/12')
  return { resource: kind.resource, id: Number(id) }
}

function answerKinds(registry: Registry, { query }: Input): Answer {
  const resource = readSingle(query, 'resource')
  const kinds = [...listKinds(registry).values()].filter((kind) => resource === null || kind.resource.name === resource)
  const results = kinds.map(({ type, resource: { name }, noted }) => ({
    type,
    resource: name,
    description: `${name} ${type.split('.')[1]}${noted ? '' : ', as its audit has it'}`,
    schema: { allOf: [{ $ref: '#/event' }], properties: { type: { const: type } } },
  }))
  return { status: 200, body: { results, event: z.toJSONSchema(EVENT, { io: 'output' }) } }
}
