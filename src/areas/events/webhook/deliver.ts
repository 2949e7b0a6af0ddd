import { asTrustedService, inTransaction, SERVICE } from '../../../context.ts'
import { type Db, row } from '../../../database/sql.ts'
import { decryptIfPossible, type Encryption, purposeOf } from '../../../encryption/encryption.ts'
import { Failure } from '../../../errors.ts'
import { findResource, lock, storeChange } from '../../../kernel/index.ts'
import { isMembers } from '../../../lib/values.ts'
import { type Lease, storeWhileHeld } from '../../../queue/lease.ts'
import { sql } from '../../../sql.ts'
import type { HttpProxy, ProxyAnswer } from '../../proxies/index.ts'
import { formatPrintable } from '../../proxies/index.ts'
import { readEvents } from '../feed/read-events.ts'
import type { AddressCheck } from './addresses.ts'
import { type ClaimedDelivery, concludeDelivery, type Exchange, type Fate, TEST } from './deliveries.ts'
import { type Acting, mayRead } from './dispatch.ts'
import { type Rendered, RenderingError, renderGiven, renderMessage, type Templates } from './render-message.ts'
import { computeDelay, readRetryAfter } from './schedule.ts'
import { sendMessage } from './send.ts'
import { sign } from './signature.ts'

/** What sending needs. */
export interface Sending extends Acting {
  readonly encryption: Encryption
  readonly addresses: AddressCheck
  readonly through: () => HttpProxy | null
  readonly version: string
  readonly timeoutMs: number
  /** Shortens the delays between attempts, for tests; 1. */
  readonly pace: number
}

interface Target extends Templates {
  readonly user: number
  readonly enabled: boolean
  readonly method: string
  readonly login: string | null
  readonly password: string | null
  readonly verifies: boolean
  readonly authorities: string | null
  readonly headers: string | null
  readonly secret: string
  readonly former: string | null
}

/** Sends a claimed delivery, and stores how that ended. */
export async function executeDelivery(sending: Sending, delivery: ClaimedDelivery, lease: Lease): Promise<void> {
  const { db, log } = sending
  const target = await loadTarget(db, delivery.webhookId)
  if (!target) return
  const { fate, exchange } = await attempt(sending, delivery, target, lease)
  const isStored = await storeWhileHeld(lease, log, () =>
    concludeDelivery(db, { id: delivery.id, worker: lease.worker }, fate, exchange),
  )
  if (!isStored) return
  if (exchange.status === 410) await disable(sending, delivery.webhookId, target).catch(ignoreMissing)
  if (fate === 'dead')
    log.warn({ webhook: delivery.webhookId, delivery: delivery.id, error: exchange.error }, 'delivery failed for good')
}

async function attempt(
  sending: Sending,
  delivery: ClaimedDelivery,
  target: Target,
  { signal }: Lease,
): Promise<{ fate: Fate; exchange: Exchange }> {
  const message = await buildMessage(sending, delivery, target)
  if (message === null)
    return {
      fate: 'dropped',
      exchange: { error: 'the event is no longer kept, or the owner of the webhook may no longer see it' },
    }
  if ('error' in message) return failAttempt(sending, delivery, message, null)
  const { url, body } = message
  const secrets = decryptSecrets(sending.encryption, target)
  if (!secrets)
    return failAttempt(
      sending,
      delivery,
      { error: 'its secrets cannot be decrypted with the keys of this process' },
      null,
    )
  const timestamp = Math.floor(Date.now() / 1000)
  const id = delivery.messageId
  const own = {
    'user-agent': `Millwright/${sending.version}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secrets.signing, { id, timestamp, body }),
  }
  const outcome = await sendMessage(sending.addresses, {
    ...target,
    url,
    headers: { ...message.headers, ...secrets.headers, ...secrets.login, ...own },
    body,
    through: sending.through(),
    timeoutMs: sending.timeoutMs,
    signal,
  })
  const sent = { request: body, requestHeaders: own }
  if (!('answer' in outcome)) return failAttempt(sending, delivery, { ...sent, error: outcome.error }, null)
  const { status, headers, body: answer } = outcome.answer
  const exchange = { ...sent, status, answer: toText(answer), answerHeaders: headers }
  if (status >= 200 && status < 300) return { fate: 'delivered', exchange }
  const error = explainStatus(outcome.answer)
  if (status === 410) return { fate: 'dead', exchange: { ...exchange, error } }
  return failAttempt(sending, delivery, { ...exchange, error }, readRetryAfter(headers['retry-after']))
}

/** PostgreSQL stores no NUL. */
function toText(answer: Buffer): string {
  return answer.toString('utf8').replaceAll('\0', '\ufffd')
}

function explainStatus({ status, phrase, location }: ProxyAnswer): string {
  if (location !== null && status >= 300 && status < 400)
    return formatPrintable(`the answer is ${status}, a redirect to ${location}; redirects are not followed`)
  if (status === 410) return 'the answer is 410: the receiver wants no more events, and the webhook is disabled'
  return formatPrintable(`the answer is ${status} ${phrase}; only 2xx means that it was received`)
}

function failAttempt(
  { pace }: Sending,
  { attempt, eventType }: ClaimedDelivery,
  exchange: Exchange,
  asked: number | null,
) {
  // Somebody waits for the end of a test.
  const againIn = eventType === TEST ? null : computeDelay(attempt, asked, pace)
  const fate: Fate = againIn === null ? 'dead' : { againIn }
  return { fate, exchange }
}

function loadTarget(db: Db, id: number): Promise<Target | undefined> {
  return row<Target>(
    db,
    sql`select w.id, w.target_url as url, w.user_id as "user", w.enabled, w.verify_ssl as verifies, w.ssl_ca_certs as authorities,
        w.http_method as method, w.http_content_type as type, w.header_template as "headerTemplate", w.new_values as "newValues",
        w.http_user as login, w.http_password as password, w.http_headers as headers, w.secret,
        case when w.former_secret_until > now() then w.former_secret end as former,
        (select json_build_object('name', t.name, 'text', t.template) from webhook_templates t where t.id = w.webhook_template_id)
          as template
      from webhooks w where w.id = ${id}`,
  )
}

/** Builds the message: what was planned, or the event as the owner may see it now; null when they may not. */
async function buildMessage(
  acting: Acting,
  { payload, eventNumber }: ClaimedDelivery,
  target: Target,
): Promise<Rendered | { readonly error: string } | null> {
  const owner = await acting.contextOf(target.user)
  if (!owner) return null
  try {
    if (typeof payload === 'string') return await renderGiven(acting, owner, target, payload)
    if (isMembers(payload)) return await renderGiven(acting, owner, target, JSON.stringify(payload))
    if (eventNumber === null || !mayRead(owner)) return null
    const one = { after: eventNumber - 1, upTo: eventNumber, limit: 1 }
    const { events } = await readEvents(owner, acting.registry, { types: null, record: null, search: null }, one)
    return events[0] ? await renderMessage(acting, owner, target, events[0].event) : null
  } catch (error) {
    if (error instanceof RenderingError) return { error: formatPrintable(error.message) }
    throw error
  }
}

const NO_HEADERS: Readonly<Record<string, string>> = {}

function decryptSecrets(encryption: Encryption, { secret, former, headers, login, password }: Target) {
  const decrypt = (stored: string | null, column: string) =>
    decryptIfPossible(encryption, stored, purposeOf({ table: 'webhooks', column }))
  const current = decrypt(secret, 'secret')
  const older = decrypt(former, 'former_secret')
  const further = decrypt(headers, 'http_headers')
  const word = decrypt(password, 'http_password')
  if (current === null || (headers !== null && further === null) || (password !== null && word === null)) return null
  const isLogin = login !== null && word !== null
  const basic = Buffer.from(`${login}:${word}`).toString('base64')
  const read: Record<string, string> = further ? JSON.parse(further) : {} // checked when it was stored
  return {
    signing: older === null ? [current] : [current, older],
    headers: read,
    login: isLogin ? { authorization: `Basic ${basic}` } : NO_HEADERS,
  }
}

/** The webhook may have been deleted meanwhile. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof Failure && error.code === 'not_found')) throw error
}

/** Disables a webhook whose receiver wants no more events, as the service. */
async function disable({ contextOf, registry }: Sending, id: number, { user }: Target): Promise<void> {
  const owner = await contextOf(user)
  if (!owner) return
  const webhooks = findResource(registry, 'webhook')
  const service = { ...asTrustedService(owner), user: SERVICE }
  await inTransaction(service, async (tx) => {
    const stored = await lock(tx, webhooks, id)
    await storeChange(tx, webhooks, stored, { enabled: false, disabled_reason: 'the receiver answered 410' })
  })
}
