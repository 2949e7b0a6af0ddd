import { z } from 'zod'
import { beginPortion, type Context } from '../../../context.ts'
import { badParameter, Failure } from '../../../errors.ts'
import { type Action, findRecord, type Resource } from '../../../kernel/index.ts'
import { createStream, type Input } from '../../../requests/route.ts'
import { follow, LAST_EVENT } from '../events.ts'
import { loadOutputText } from '../stored-output.ts'

const VIEW = 'view_config_runs'
const HEARTBEAT_MS = 15_000

/** Answers the stored output of a run as plain text. */
export const output: Action = {
  method: 'GET',
  path: '/:id/output',
  name: 'output',
  summary: 'The output of a configuration run, as text',
  permissions: [VIEW],
  output: z.string().meta({
    contentMediaType: 'text/plain',
    description: 'Standard output, standard error and what the service has to say, in the order they came.',
  }),
  record: { how: 'found' },
  handle: async (ctx, _resource, _input, { id }) => {
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    return { status: 200, headers, body: await loadOutputText(ctx.db, id) }
  },
}

/** Streams output and state of a run as they change. */
export const events: Action = {
  method: 'GET',
  path: '/:id/events',
  name: 'events',
  summary: 'Follow a configuration run: output and changes of state as server-sent events',
  permissions: [VIEW],
  output: z.string().meta({
    contentMediaType: 'text/event-stream',
    description:
      'Events `state` (how the run stands), `output` (a piece with its number, which is the id of the event) and, last of all, `end`. `Last-Event-ID` goes on after that event; after the last one the answer is 204 without a body.',
  }),
  mayBeEmpty: true,
  record: { how: 'found' },
  handle: async (ctx, resource, input, { id }) => {
    const after = readLastEventId(input)
    if (after === LAST_EVENT) return { status: 204 }
    const { db, followers } = ctx
    return {
      status: 200,
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
      stream: createStream(ctx, (signal) => {
        const mayFollow = createVisibilityCheck(ctx, resource, input, id)
        return follow(db, id, { followers, after, signal, mayFollow, heartbeatMs: HEARTBEAT_MS })
      }),
    }
  },
}

/** Creates the check whether the request is still permitted; for a heartbeat it asks nothing while permissions are unchanged. */
function createVisibilityCheck(ctx: Context, resource: Resource, input: Input, id: number): () => Promise<boolean> {
  let known = { user: ctx.user, at: performance.now() }
  return async () => {
    try {
      const now = await beginPortion(ctx)
      if (now.user === known.user && performance.now() - known.at < HEARTBEAT_MS) return true
      const found = await findRecord(now, resource, input, { permission: VIEW })
      known = { user: now.user, at: performance.now() }
      return found.id === id
    } catch (error) {
      if (error instanceof Failure) return false
      throw error
    }
  }
}

function readLastEventId({ headers }: Input): number | typeof LAST_EVENT {
  const sent = headers?.['last-event-id'] ?? ''
  if (sent === '') return 0
  if (sent === LAST_EVENT) return LAST_EVENT
  if (typeof sent === 'string' && /^\d{1,9}$/.test(sent)) return Number(sent)
  throw badParameter('Last-Event-ID', sent, `must be the id of an event: a number, or ${LAST_EVENT}`)
}
