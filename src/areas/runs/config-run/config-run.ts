import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { invalid, notFound } from '../../../errors.ts'
import {
  type Action,
  defineResource,
  integer,
  link,
  type ReadableKey,
  type Resource,
  readBack,
  resolveParents,
  selectRecord,
  text,
  timestamp,
} from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { readIdSegment } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { cancelRun } from '../queue.ts'
import { events, output } from './output.ts'
import { requesterSearch } from './requester-search.ts'
import { limitToRunsOfRunnable, RUN_PERMISSION } from './running.ts'

/** Cancels a queued run at once; a running one is stopped by its worker soon after. */
const cancel: Action = {
  method: 'PUT',
  path: '/:id/cancel',
  name: 'cancel',
  summary: 'Cancel a configuration run',
  permissions: [RUN_PERMISSION],
  handle: async (ctx, resource, input) => {
    const id = await findCancellable(ctx, resource, input)
    const became = await cancelRun(ctx.db, id, ctx.user.login)
    if (became === undefined) throw notFound(resource.name, id)
    const run = await readBack(ctx, resource, id)
    if (became === 'ended' && run.status !== 'cancelled') {
      throw invalid({ base: [`the run has ended already: it ${run.status}`] }, id)
    }
    return { status: 200, body: run }
  },
}

/**
 * Finds the id of the run in the path, for callers who may run the configuration of its host. {@throws Failure}
 * not_found
 */
async function findCancellable(ctx: Context, resource: Resource, input: Input): Promise<number> {
  const segment = readIdSegment(input)
  const conditions = [
    ...limitToRunsOfRunnable(ctx, resource.registry),
    ...(await resolveParents(ctx, resource, input)).conditions,
  ]
  const found = await selectRecord(ctx.db, resource, ['id'], segment, conditions)
  if (!found) throw notFound(resource.name, segment)
  return Number(found.id)
}

const KEYS = [
  'id',
  'host_id',
  'host_name',
  'rollout_id',
  'user_id',
  'requested_by',
  'status',
  'runner',
  'attempt',
  'exit_status',
  'message',
  'created_at',
  'started_at',
  'finished_at',
]

/** Configuration runs (spec 4.3): they are stored, and can be followed and cancelled here. */
export const configRuns = defineResource({
  name: 'config_run',
  summary: 'A configuration run of a host, with its requester, status and output.',
  fields: {
    host: link('host', { readOnly: true, onDelete: 'clear', doc: 'The host; null once it is deleted.' }),
    host_name: text({ readOnly: true, required: true, doc: 'Its name, also once it is deleted.' }),
    rollout: link('config_rollout', { readOnly: true, onDelete: 'cascade', doc: 'Its rollout.' }),
    user: link('user', { readOnly: true, onDelete: 'clear', doc: 'User who requested it.' }),
    requested_by: text({ readOnly: true, doc: 'Login of that user at the time of the request.' }),
    status: text({
      readOnly: true,
      required: true,
      oneOf: ['queued', 'running', 'succeeded', 'failed', 'cancelled'],
      search: 'free',
      doc: 'queued, running, succeeded, failed or cancelled.',
    }),
    runner: text({
      readOnly: true,
      oneOf: ['proxy', 'ssh', 'command'],
      search: 'explicit',
      doc: 'Method by which the run reached the host; null before the start.',
    }),
    attempt: integer({
      readOnly: true,
      required: true,
      search: 'explicit',
      doc: 'Counts the attempts from 1; 0 before the first.',
    }),
    attempts: integer({
      readOnly: true,
      required: true,
      doc: 'Maximum number of attempts; only a run that has certainly not started is retried.',
    }),
    next_attempt_at: timestamp({
      readOnly: true,
      doc: 'Time of the next attempt; null while other runs of its rollout go first.',
    }),
    worker: text({ readOnly: true, doc: 'The process that runs it, as host:process:word.' }),
    lease_expires_at: timestamp({
      readOnly: true,
      doc: 'Time at which the process is considered dead unless it renews the lease.',
    }),
    launched_at: timestamp({ readOnly: true, doc: 'Time when the last attempt began.' }),
    cancelled_by: text({ readOnly: true, doc: 'Login of the user who cancelled it.' }),
    reason: text({ readOnly: true, search: 'explicit', doc: 'Reason of the failure, as a word for programs.' }),
    exit_status: integer({
      readOnly: true,
      search: 'explicit',
      doc: 'Exit status of the command, if it ended by itself.',
    }),
    message: text({
      readOnly: true,
      search: 'explicit',
      doc: 'Description of the end of the run; null if it succeeded.',
    }),
    started_at: timestamp({ readOnly: true, search: 'explicit', doc: 'Time when the first attempt was claimed.' }),
    finished_at: timestamp({ readOnly: true, search: 'explicit', doc: 'Time of the end.' }),
  },
  operations: ['list', 'show'],
  views: {
    list: KEYS,
    show: [
      ...KEYS,
      'attempts',
      'next_attempt_at',
      'worker',
      'launched_at',
      'cancelled_by',
      'reason',
      'output_size',
      'output_left_out',
      'updated_at',
    ],
    order: 'id desc',
  },
  readable: {
    host_name: {
      schema: () => z.string().meta({ description: 'Name of the host, also once it is deleted.' }),
      sql: (alias) => sql.ref(`${alias}.host_name`),
    },
    output_size: buildBytesKey('output_size', 'Size of its output in bytes; known at its end.'),
    output_left_out: buildBytesKey('output_left_out', 'Bytes of the output that are not stored.'),
  },
  search: [
    { name: 'host', aliases: ['host_name'], type: 'text', column: 'host_name' },
    { name: 'host_id', type: 'integer', column: 'host_id', nullable: true, explicit: true },
    { name: 'rollout', aliases: ['rollout_id'], type: 'integer', column: 'rollout_id', nullable: true, explicit: true },
    { ...requesterSearch, explicit: true },
    { name: 'created_at', type: 'datetime', column: 'created_at', explicit: true },
  ],
  routes: { parents: { host: 'host', config_rollout: 'rollout' } },
  visibility: { about: 'host' },
  audited: false,
  actions: [output, events, cancel],
})

function buildBytesKey(column: string, description: string): ReadableKey {
  return { schema: () => z.int().meta({ description }), sql: (alias) => sql.ref(`${alias}.${column}`) }
}
