import { z } from 'zod'
import { defineResource, integer, link, type ReadableKey, text, timestamp } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { cancel } from './cancel.ts'
import { events, output } from './output.ts'
import { requesterSearch } from './requester-search.ts'

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
