import { randomUUID } from 'node:crypto'
import { type Db, row, rows, type Sql } from '../../../database/sql.ts'
import { type Claimed, MOST_RECLAIMED, NO_LEASE, type Queue, selectTimeIn } from '../../../queue/queue.ts'
import { sql } from '../../../sql.ts'

/** The channel that tells workers that deliveries are due. */
export const DELIVERIES_DUE = 'webhook_deliveries_due'

/** A delivery that this process has claimed. */
export interface ClaimedDelivery extends Claimed {
  readonly webhookId: number
  readonly eventNumber: number | null
  readonly eventType: string
  readonly messageId: string
  readonly payload: unknown
  readonly attempt: number
}

/** So many requests to one receiver are under way at once, so that a slow one does not hold up the others. */
const AT_ONCE = 4

/** The deliveries that may be sent now: of each record in the order of its events, and of each webhook a few. */
const DUE = sql`state = 'waiting' and id = any (array(
  select due.id from webhooks w cross join lateral (
    select d.id from webhook_deliveries d
    where d.webhook_id = w.id and d.state = 'waiting' and d.next_attempt_at <= now()
      and not exists (
        select from webhook_deliveries e
        where e.webhook_id = d.webhook_id and e.subject = d.subject and e.id < d.id and e.state in ('waiting', 'running'))
    order by d.next_attempt_at, d.id
    limit greatest(0, ${AT_ONCE} -
      (select count(*) from webhook_deliveries r where r.webhook_id = w.id and r.state = 'running'))
  ) due where w.enabled))`

/** The queue of deliveries. */
export const deliveryQueue: Queue = {
  table: 'webhook_deliveries',
  dueChannel: DELIVERIES_DUE,
  isDue: DUE,
  order: sql`id`,
  isRunning: sql`state = 'running'`,
  isCancelled: sql`false`,
  begins: sql`state = 'running'`,
  columns: sql`t.id, t.webhook_id as "webhookId", t.event_number as "eventNumber", t.event_type as "eventType",
    t.message_id as "messageId", t.payload, t.attempt`,
  reclaim: reclaimDeliveries,
  computeTimeUntilDue: async (db) => {
    const next = await row<{ milliseconds: number | null }>(
      db,
      sql`select (extract(epoch from min(d.next_attempt_at) - now()) * 1000)::float8 as milliseconds
        from webhooks w join webhook_deliveries d on d.webhook_id = w.id
        where w.enabled and d.state = 'waiting' and d.next_attempt_at > now()`,
    )
    return next?.milliseconds ?? null
  },
}

async function reclaimDeliveries(db: Db, isDead: Sql): Promise<number> {
  const taken = await rows(
    db,
    sql`
      with dead as materialized (
        select id from webhook_deliveries where ${isDead} order by id limit ${MOST_RECLAIMED} for update skip locked
      ),
      taken as (
        update webhook_deliveries t set state = 'waiting', ${NO_LEASE} from dead where t.id = dead.id returning t.id
      )
      select pg_notify(${DELIVERIES_DUE}, '') from taken`,
  )
  return taken.length
}

/** What was sent, and what came back. */
export interface Exchange {
  readonly request?: string
  readonly requestHeaders?: Readonly<Record<string, string>>
  readonly status?: number
  readonly answer?: string
  readonly answerHeaders?: Readonly<Record<string, unknown>>
  readonly error?: string
}

/** How an attempt ended: for good, or with another one after so many milliseconds. */
export type Fate = 'delivered' | 'dead' | 'dropped' | { readonly againIn: number }

/** Stores how an attempt ended. False when this worker has lost the delivery. */
export async function concludeDelivery(
  db: Db,
  { id, worker }: { readonly id: number; readonly worker: string },
  fate: Fate,
  exchange: Exchange,
): Promise<boolean> {
  const { request, requestHeaders, status, answer, answerHeaders, error } = exchange
  const end =
    typeof fate === 'string'
      ? sql`state = ${fate}, ended_at = now()`
      : sql`state = 'waiting', next_attempt_at = ${selectTimeIn(fate.againIn)}`
  const concluded = await row(
    db,
    sql`
      update webhook_deliveries
      set ${end}, request = ${request ?? null}, request_headers = ${toJson(requestHeaders)}::jsonb, status = ${status ?? null},
        answer = ${answer ?? null}, answer_headers = ${toJson(answerHeaders)}::jsonb, error = ${error ?? null}, ${NO_LEASE}
      where id = ${id} and worker = ${worker}
      returning id`,
  )
  return concluded !== undefined
}

function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

/** A delivery to be made. */
export interface PlannedDelivery {
  readonly eventNumber: number | null
  readonly eventType: string
  readonly subject: string
  /** The id of the message: that of the event, which is the same in every delivery of it. */
  readonly messageId: string
  readonly payload?: unknown
}

/** Plans deliveries in their order, and wakes workers when the transaction commits; yields their ids. */
export async function planDeliveries(
  tx: Db,
  webhookId: number,
  planned: readonly PlannedDelivery[],
): Promise<readonly { readonly id: number }[]> {
  if (planned.length === 0) return []
  return rows<{ id: number }>(
    tx,
    sql`
      with planned as (
        insert into webhook_deliveries (webhook_id, event_number, event_type, subject, message_id, payload)
        select ${webhookId}::bigint, p."eventNumber", p."eventType", p.subject, p."messageId", p.payload
        from rows from (jsonb_to_recordset(${JSON.stringify(planned)}::jsonb)
          as ("eventNumber" bigint, "eventType" text, subject text, "messageId" text, payload jsonb))
          with ordinality as p ("eventNumber", "eventType", subject, "messageId", payload, place)
        order by p.place
        returning id
      )
      select id, pg_notify(${DELIVERIES_DUE}, '') from planned order by id`,
  )
}

/** Plans a ping: a message that says nothing but that the webhook exists. */
export async function planPing(tx: Db, webhook: { readonly id: number; readonly name: string }): Promise<number> {
  const id = randomUUID()
  const payload = {
    specversion: '1.0',
    id,
    source: '/api/webhooks',
    type: 'webhook.ping',
    subject: `webhooks/${webhook.id}`,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data: { record: { resource: 'webhook', id: webhook.id, name: webhook.name } },
  }
  // A subject of its own: a ping waits for nothing.
  const ping = { eventNumber: null, eventType: payload.type, subject: `ping/${id}`, messageId: `ping_${id}`, payload }
  const [planned] = await planDeliveries(tx, webhook.id, [ping])
  return planned?.id ?? 0
}

/** The type of tests, which are sent once. */
export const TEST = 'webhook.test'

/** Plans a test: a message with this body. Yields the id of its delivery. */
export async function planTest(tx: Db, webhookId: number, payload: string): Promise<number> {
  const id = randomUUID()
  const test = { eventNumber: null, eventType: TEST, subject: `test/${id}`, messageId: `test_${id}`, payload }
  const [planned] = await planDeliveries(tx, webhookId, [test])
  return planned?.id ?? 0
}

/** Lets a delivery that waits be sent at once; yields its id, undefined if it does not wait. */
export async function advanceDelivery(tx: Db, id: number): Promise<number | undefined> {
  const hastened = await row<{ id: number }>(
    tx,
    sql`
      with hastened as (
        update webhook_deliveries set next_attempt_at = now(), updated_at = now() where id = ${id} and state = 'waiting' returning id
      )
      select id, pg_notify(${DELIVERIES_DUE}, '') from hastened`,
  )
  return hastened?.id
}

/** Plans deliveries of events once more, each as a message of the same id, behind those that wait; yields the new ids. */
export async function planAgain(tx: Db, webhookId: number, which: Sql): Promise<readonly number[]> {
  const again = await rows<PlannedDelivery>(
    tx,
    sql`select distinct on (coalesce(event_number, id)) event_number as "eventNumber", event_type as "eventType", subject,
        message_id as "messageId", payload
      from webhook_deliveries where webhook_id = ${webhookId} and ended_at is not null and ${which}
      order by coalesce(event_number, id), id`,
  )
  return (await planDeliveries(tx, webhookId, again)).map(({ id }) => id)
}
