import { z } from 'zod'
import { inTransaction } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { type Action, defineResource, integer, link, text, timestamp } from '../../../kernel/index.ts'
import { json } from '../../../records/json.ts'
import { sql } from '../../../sql.ts'
import { advanceDelivery, planAgain } from './deliveries.ts'

const redeliver: Action = {
  method: 'POST',
  path: '/:id/redeliver',
  name: 'redeliver',
  summary: 'Send a delivery once more, as a new one if it has ended',
  permissions: ['edit_webhooks'],
  output: z.object({ id: z.int().meta({ description: 'Id of the new delivery.' }) }),
  record: { how: 'found', keys: ['id', 'webhook_id'] },
  handle: (ctx, _resource, _input, { id, webhook_id }) =>
    inTransaction(ctx, async (tx) => {
      const [ended] = await planAgain(tx.db, Number(webhook_id), sql`id = ${id}`)
      const again = ended ?? (await advanceDelivery(tx.db, id))
      if (again === undefined) throw invalid({ base: ['it is being sent right now'] }, id)
      return { status: 200, body: { id: again } }
    }),
}

const KEYS = [
  'id',
  'webhook_id',
  'event_number',
  'event_type',
  'subject',
  'message_id',
  'state',
  'attempt',
  'next_attempt_at',
  'status',
  'error',
  'created_at',
  'started_at',
  'ended_at',
]

/** Deliveries of webhooks: what was and will be sent, with the last request and its answer. */
export const webhookDeliveries = defineResource({
  name: 'webhook_delivery',
  words: { plural: 'deliveries' },
  summary: 'A message to a webhook, with its last request and answer.',
  fields: {
    webhook: link('webhook', { readOnly: true, required: true, onDelete: 'cascade', doc: 'The webhook.' }),
    event_number: integer({ readOnly: true, search: 'explicit', doc: 'Number of the event; null for a ping.' }),
    event_type: text({ readOnly: true, required: true, search: 'free', doc: 'Type of the event.' }),
    subject: text({ readOnly: true, required: true, search: 'explicit', doc: 'The record that it is about.' }),
    message_id: text({
      readOnly: true,
      required: true,
      doc: 'The header webhook-id, the same in every delivery of an event.',
    }),
    state: text({
      readOnly: true,
      required: true,
      oneOf: ['waiting', 'running', 'delivered', 'dead', 'dropped'],
      search: 'explicit',
      doc: 'waiting, running, delivered, dead (all attempts failed) or dropped (the owner may no longer see the event).',
    }),
    attempt: integer({ readOnly: true, required: true, doc: 'Counts the attempts from 1; 0 before the first.' }),
    next_attempt_at: timestamp({ readOnly: true, nullable: false, doc: 'Time of the next attempt, while it waits.' }),
    started_at: timestamp({ readOnly: true, doc: 'Time of the first attempt.' }),
    ended_at: timestamp({ readOnly: true, search: 'explicit', doc: 'Time of the end.' }),
    status: integer({ readOnly: true, search: 'explicit', doc: 'HTTP status of the last answer.' }),
    error: text({ readOnly: true, doc: 'Why the last attempt failed.' }),
    request: text({ readOnly: true, doc: 'Body of the last request.' }),
    request_headers: json({ readOnly: true, doc: 'Headers of the last request, without those of the webhook.' }),
    answer: text({ readOnly: true, doc: 'The first 4 KiB of the last answer.' }),
    answer_headers: json({ readOnly: true, doc: 'Headers of the last answer.' }),
  },
  operations: ['list', 'show'],
  routes: { parents: { webhook: 'webhook' }, nestedOnly: true },
  visibility: { partOf: 'webhook' },
  views: {
    list: KEYS,
    show: [...KEYS, 'request_headers', 'request', 'answer_headers', 'answer'],
    order: 'id desc',
  },
  records: { table: 'webhook_deliveries' },
  audited: false,
  actions: [redeliver],
})
