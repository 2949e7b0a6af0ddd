import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { purposeOf } from '../../../encryption/encryption.ts'
import { Failure, invalid } from '../../../errors.ts'
import {
  type Action,
  compileRequestSearch,
  createRecord,
  defineResource,
  findResource,
  lock,
  type Resource,
  readBack,
  readDraft,
  storeChange,
  validateBody,
} from '../../../kernel/index.ts'
import { isMembers } from '../../../lib/values.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { explainPattern } from '../feed/kinds.ts'
import { DELIVERIES_DUE, planAgain, planPing } from './deliveries.ts'
import { webhookFields } from './fields.ts'
import { EVENT_CONTENT } from './rendered.ts'
import { generateSecret } from './signature.ts'
import { tryOut } from './try-out.ts'

const SECRET = {
  secret: z.string().meta({ description: 'The secret by which a receiver checks signatures. It is shown only once.' }),
}

/** Creates a webhook, answers its secret this once, and sends it a ping if it gets events as they are. */
const create: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  summary: 'Create a webhook; its secret is shown only once',
  permissions: ['create_webhooks'],
  takes: 'create',
  adds: SECRET,
  status: 201,
  handle: async (ctx, resource, input) => {
    const validated = await validateBody(ctx, resource, input.body)
    const plain = generateSecret()
    return inTransaction(ctx, async (tx) => {
      const draft = await readDraft(tx, resource, validated, null)
      const id = await createRecord(tx, resource, { ...draft, secret: encryptSecret(tx, plain) })
      // With a template, the receiver expects nothing else.
      const { http_content_type: type = EVENT_CONTENT, webhook_template: template } = draft
      if (type === EVENT_CONTENT && !template) await planPing(tx.db, { id, name: String(draft.name) })
      return { status: 201, body: { ...(await readBack(tx, resource, id)), secret: plain } }
    })
  },
}

/** Replaces the secret. The former one signs, too, for a day, so that receivers can change over. */
const rotate: Action = {
  method: 'POST',
  path: '/:id/rotate_secret',
  name: 'rotate_secret',
  summary: 'Give a webhook a new secret; it is shown only once',
  adds: SECRET,
  record: { how: 'locked' },
  handle: async (tx, resource, _input, { id }) => {
    const plain = generateSecret()
    const stored = await lock(tx, resource, id)
    const until = new Date(tx.now().getTime() + 86_400_000).toISOString()
    await storeChange(tx, resource, stored, {
      secret: encryptSecret(tx, plain),
      former_secret: encryptAgain(tx, String(stored.secret)),
      former_secret_until: until,
    })
    return { status: 200, body: { ...(await readBack(tx, resource, id)), secret: plain } }
  },
}

const PLANNED = z.object({
  results: z
    .array(z.object({ id: z.int().meta({ description: 'Id of a delivery.' }) }))
    .meta({ description: 'The deliveries that were planned.' }),
})

const ping: Action = {
  method: 'POST',
  path: '/:id/ping',
  name: 'ping',
  summary: 'Send a ping to a webhook',
  output: PLANNED,
  record: { how: 'found', keys: ['id', 'name'] },
  handle: (ctx, _resource, _input, { id, name }) =>
    inTransaction(ctx, async (tx) => answerPlanned([await planPing(tx.db, { id, name: String(name) })])),
}

const redeliver: Action = {
  method: 'POST',
  path: '/:id/redeliver',
  name: 'redeliver',
  summary: 'Send events of a webhook once more, in their order',
  body: z.object({
    after: z.int().min(0).optional().meta({ description: 'Events with numbers after this one; 0.' }),
    until: z.int().min(0).optional().meta({ description: 'Events up to this number; default: the last.' }),
    all: z
      .boolean()
      .optional()
      .meta({ description: 'Also those that were delivered; otherwise only those that were not.' }),
  }),
  output: PLANNED,
  record: { how: 'found' },
  handle: (ctx, _resource, { body }, { id }) =>
    inTransaction(ctx, async (tx) => {
      const range = sql`event_number > ${readNumber(body, 'after', 0)}::bigint
        and event_number <= ${readNumber(body, 'until', Number.MAX_SAFE_INTEGER)}::bigint`
      const which =
        body.all === true
          ? range
          : sql`${range} and state <> 'delivered' and not exists (
        select from webhook_deliveries o where o.webhook_id = webhook_deliveries.webhook_id
          and o.event_number = webhook_deliveries.event_number and o.state in ('delivered', 'waiting', 'running'))`
      return answerPlanned(await planAgain(tx.db, id, which))
    }),
}

function readNumber(body: Input['body'], name: string, otherwise: number): number {
  const sent = body[name] ?? otherwise
  if (Number.isSafeInteger(sent) && Number(sent) >= 0) return Number(sent)
  throw invalid({ [name]: ['must be the number of an event'] })
}

/** Answers with the ids of planned deliveries. */
function answerPlanned(ids: readonly number[]): Answer {
  return { status: 200, body: { results: ids.map((id) => ({ id })) } }
}

const KEYS = [
  'id',
  'name',
  'target_url',
  'events',
  'search',
  'new_values',
  'enabled',
  'disabled_reason',
  'user_id',
  'created_at',
  'updated_at',
]

const SENDING_KEYS = [
  'http_method',
  'http_content_type',
  'webhook_template_id',
  'webhook_template_name',
  'header_template',
  'http_user',
  'http_password_set',
  'verify_ssl',
  'ssl_ca_certs',
  'former_secret_until',
]

const NOT_VALUES = 'must be an object of at most 20 texts, numbers and booleans, such as {"build": true}'

/** Whether this is nothing, or an object of values to compare new ones with. */
function areValues(sent: unknown): boolean {
  if (sent === null || sent === undefined) return true
  const values = isMembers(sent) ? Object.values(sent) : []
  return values.length > 0 && values.length <= 20 && values.every((one) => one === null || typeof one !== 'object')
}

/** Webhooks: receivers of events. Only their owners and administrators see them, because they tell what owners may see. */
export const webhooks = defineResource({
  name: 'webhook',
  summary: 'A receiver to which the service sends events.',
  fields: webhookFields,
  label: 'name',
  operations: ['list', 'show', 'update', 'delete'],
  views: { list: KEYS, show: [...KEYS, ...SENDING_KEYS] },
  readable: {
    http_password_set: {
      schema: () => z.boolean().meta({ description: 'Whether there is a password of basic authentication.' }),
      sql: (alias) => sql`(${sql.ref(`${alias}.http_password`)} is not null)`,
    },
  },
  rules: [({ new_values }) => (areValues(new_values) ? undefined : { new_values: [NOT_VALUES] })],
  records: {
    where: (ctx, alias) => (ctx.user.admin ? sql`true` : sql`${sql.ref(`${alias}.user_id`)} = ${ctx.user.id}`),
  },
  wrapWrite: {
    create: async (tx, draft, next, resource) => {
      await refuseUnreadable(tx, resource, draft, null)
      return next({ ...draft, user: tx.user.id })
    },
    update: async (tx, stored, draft, next, resource) => {
      await refuseUnreadable(tx, resource, draft, stored.id)
      const isAgain = draft.enabled === true && !stored.enabled
      await next(isAgain ? { ...draft, disabled_reason: null } : draft)
      if (isAgain) await rows(tx.db, sql`select pg_notify(${DELIVERIES_DUE}, '')`)
    },
  },
  actions: [create, rotate, ping, tryOut, redeliver],
})

interface Chosen {
  readonly events?: readonly string[] | undefined
  readonly search?: string | null | undefined
}

/** Refuses patterns that no event matches, and searches that audits cannot be searched by. {@throws Failure} invalid */
async function refuseUnreadable(ctx: Context, { registry }: Resource, { events, search }: Chosen, id: number | null) {
  const reasons = (events ?? []).flatMap((pattern) => explainPattern(registry, pattern) ?? [])
  if (reasons.length > 0) throw invalid({ events: reasons.slice(0, 1) }, id)
  if (typeof search !== 'string') return
  try {
    await compileRequestSearch(ctx, findResource(registry, 'audit'), search)
  } catch (error) {
    if (error instanceof Failure && error.code === 'bad_search') throw invalid({ search: [error.message] }, id)
    throw error
  }
}

const SECRET_COLUMN = purposeOf({ table: 'webhooks', column: 'secret' })
const FORMER_COLUMN = purposeOf({ table: 'webhooks', column: 'former_secret' })

function encryptSecret({ encryption }: Context, plain: string): string {
  return encryption.encrypt(plain, SECRET_COLUMN)
}

function encryptAgain({ encryption }: Context, stored: string): string {
  return encryption.encrypt(encryption.decrypt(stored, SECRET_COLUMN), FORMER_COLUMN)
}
