import { z } from 'zod'
import { badParameter } from '../../errors.ts'
import { visible } from '../../kernel/authorize.ts'
import type { Action } from '../../kernel/resource.ts'
import type { Input } from '../../kernel/route.ts'
import { follow, LAST_EVENT } from '../../runs/events.ts'
import { outputText } from '../../runs/stored-output.ts'
import { findId } from './running.ts'

const VIEW = 'view_config_runs'
const HEARTBEAT_MS = 15_000

/** All that is kept of what a run printed, as plain text. */
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
  handle: async (ctx, resource, input) => {
    const id = await findId(ctx, resource, input, visible(ctx, resource, VIEW))
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    return { status: 200, headers, body: await outputText(ctx.db, id) }
  },
}

/** Output and changes of state while they happen. */
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
  handle: async (ctx, resource, input) => {
    const id = await findId(ctx, resource, input, visible(ctx, resource, VIEW))
    const after = lastEventId(input)
    if (after === LAST_EVENT) return { status: 204 }
    const { db, followers } = ctx
    return {
      status: 200,
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
      stream: (signal) => follow(db, id, { followers, after, signal, heartbeatMs: HEARTBEAT_MS }),
    }
  },
}

function lastEventId({ headers }: Input): number | typeof LAST_EVENT {
  const sent = headers?.['last-event-id'] ?? ''
  if (sent === '') return 0
  if (sent === LAST_EVENT) return LAST_EVENT
  if (typeof sent === 'string' && /^\d{1,9}$/.test(sent)) return Number(sent)
  throw badParameter('Last-Event-ID', sent, `must be the id of an event: a number, or ${LAST_EVENT}`)
}
