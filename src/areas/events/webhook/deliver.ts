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
import { type ClaimedDelivery, concludeDelivery, type Exchange, type Fate } from './deliveries.ts'
import { type Acting, mayRead } from './dispatch.ts'
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

interface Target {
  readonly url: string
  readonly user: number
  readonly enabled: boolean
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
  const body = await buildBody(sending, delivery, target)
  if (body === null)
    return {
      fate: 'dropped',
      exchange: { error: 'the event is no longer kept, or the owner of the webhook may no longer see it' },
    }
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
    headers: { ...secrets.headers, ...own },
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

function failAttempt({ pace }: Sending, { attempt }: ClaimedDelivery, exchange: Exchange, asked: number | null) {
  const againIn = computeDelay(attempt, asked, pace)
  const fate: Fate = againIn === null ? 'dead' : { againIn }
  return { fate, exchange }
}

function loadTarget(db: Db, id: number): Promise<Target | undefined> {
  return row<Target>(
    db,
    sql`select target_url as url, user_id as "user", enabled, verify_ssl as verifies, ssl_ca_certs as authorities,
        http_headers as headers, secret, case when former_secret_until > now() then former_secret end as former
      from webhooks where id = ${id}`,
  )
}

/** Builds the body: what was planned, or the event as the owner may see it now; null when they may not. */
async function buildBody(
  acting: Acting,
  { payload, eventNumber }: ClaimedDelivery,
  { user }: Target,
): Promise<string | null> {
  if (isMembers(payload)) return JSON.stringify(payload)
  const owner = await acting.contextOf(user)
  if (eventNumber === null || !owner || !mayRead(owner)) return null
  const one = { after: eventNumber - 1, upTo: eventNumber, limit: 1 }
  const { events } = await readEvents(owner, acting.registry, { types: null, record: null, search: null }, one)
  return events[0] ? JSON.stringify(events[0].event) : null
}

function decryptSecrets(encryption: Encryption, { secret, former, headers }: Target) {
  const decrypt = (stored: string | null, column: string) =>
    decryptIfPossible(encryption, stored, purposeOf({ table: 'webhooks', column }))
  const current = decrypt(secret, 'secret')
  const older = decrypt(former, 'former_secret')
  const further = decrypt(headers, 'http_headers')
  if (current === null || (headers !== null && further === null)) return null
  const read: Record<string, string> = further ? JSON.parse(further) : {} // checked when it was stored
  return { signing: older === null ? [current] : [current, older], headers: read }
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
