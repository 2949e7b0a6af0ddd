import type { Logger } from 'pino'
import type { Context } from '../../../context.ts'
import { hasPermission } from '../../../context.ts'
import { type Db, row, rows } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import type { Registry } from '../../../kernel/index.ts'
import { isMembers } from '../../../lib/values.ts'
import { sql } from '../../../sql.ts'
import type { CloudEvent } from '../feed/cloud-event.ts'
import { readExtent } from '../feed/number-events.ts'
import { readEvents, VIEW_EVENTS } from '../feed/read-events.ts'
import { planDeliveries } from './deliveries.ts'

/** What dispatching and sending need to act for the owner of a webhook. */
export interface Acting {
  readonly db: Db
  readonly registry: Registry
  readonly log: Logger
  /** Creates the context of a user, as they are now; undefined when they are gone. */
  readonly contextOf: (user: number) => Promise<Context | undefined>
}

/** The most events that are looked at by one transaction. */
const MOST = 1000

/**
 * Plans deliveries of the events since the last time, and remembers how far it has come, in one transaction: each event once
 * for each webhook whose owner may see it. One process does it at a time; none waits for another.
 */
export async function dispatchEvents(acting: Acting): Promise<void> {
  for (;;) {
    const behind = await row<{ behind: boolean }>(
      acting.db,
      sql`select count(distinct position) > 1 as behind from event_positions`,
    )
    if (!behind?.behind || !(await dispatchSome(acting))) return
  }
}

async function dispatchSome(acting: Acting): Promise<boolean> {
  // Read before the webhooks, so that a webhook misses no event that is younger than itself.
  const { last } = await readExtent(acting.db)
  const receivers = await listReceivers(acting)
  return acting.db.transaction(async (tx) => {
    const held = await row<{ position: number }>(
      tx,
      sql`select position from event_positions where step = 'dispatched' for update skip locked`,
    )
    if (!held || held.position >= last) return false
    const upTo = Math.min(last, held.position + MOST)
    for (const receiver of receivers) await planFor(acting, tx, receiver, held.position, upTo)
    await rows(tx, sql`update event_positions set position = ${upTo} where step = 'dispatched'`)
    return upTo < last
  })
}

interface Receiver {
  readonly id: number
  readonly user: number
  readonly events: readonly string[]
  readonly search: string | null
  readonly newValues: unknown
  readonly owner: Context
}

/** Lists the webhooks whose owners may read events, with the contexts of these, which no transaction may load. */
async function listReceivers({ db, contextOf }: Acting): Promise<Receiver[]> {
  const enabled = await rows<Omit<Receiver, 'owner'>>(
    db,
    sql`select w.id, w.user_id as "user", w.events, w.search, w.new_values as "newValues" from webhooks w
      where w.enabled order by w.id`,
  )
  const receivers = await Promise.all(enabled.map(async (one) => ({ ...one, owner: await contextOf(one.user) })))
  return receivers.flatMap(({ owner, ...one }) => (owner && mayRead(owner) ? [{ ...one, owner }] : []))
}

/** Whether the owner of a webhook may read events now. */
export function mayRead(owner: Context): boolean {
  return !owner.user.disabled && hasPermission(owner, VIEW_EVENTS)
}

async function planFor(acting: Acting, tx: Db, receiver: Receiver, after: number, upTo: number): Promise<void> {
  const { id, owner, events, search, newValues } = receiver
  try {
    const filter = { types: events, record: null, search }
    const page = await readEvents({ ...owner, db: tx }, acting.registry, filter, { after, upTo, limit: MOST })
    await planDeliveries(
      tx,
      id,
      page.events
        .filter(({ event }) => hasValues(event, newValues))
        .map(({ number, event }) => ({
          eventNumber: number,
          eventType: event.type,
          subject: event.subject,
          messageId: `evt_${number}`,
        })),
    )
  } catch (err) {
    // A search of the webhook that its owner may not use any more.
    if (!(err instanceof Failure && err.code === 'bad_search')) throw err
    acting.log.warn({ err, webhook: id }, 'the search of a webhook cannot be used')
  }
}

/** Whether an event has these new values: of the fields that it changed, or among its details. */
function hasValues({ data }: CloudEvent, wanted: unknown): boolean {
  if (!isMembers(wanted)) return true
  return Object.entries(wanted).every(([key, value]) => (data.changes[key]?.[1] ?? data.details?.[key]) === value)
}
