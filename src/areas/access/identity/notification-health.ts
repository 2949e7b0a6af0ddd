import type { Database } from '../../../database/database.ts'
import { rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/** The state of listening to a channel. */
export interface ChannelListening {
  /** Whether every notification of the channel arrives: only then may results be remembered. */
  readonly alive: () => boolean
  /**
   * While not alive, sends a notification to itself, at most once a second; hearing it proves that the channel works
   * again.
   */
  readonly revive: () => Promise<void>
}

/** The handlers for the notifications of a channel, and for times when some may be lost. */
export interface Listener {
  readonly onMessage: (payload: string) => void
  /** Called when notifications may be lost from now on. */
  readonly onLost: () => void
  /** Called when notifications arrive again; those in between are lost. */
  readonly onRevived: () => void
}

const PROBE = 'probe'
const PROBE_INTERVAL_MS = 1000

/** Listens to a channel and detects when notifications may be lost. */
export async function listenToChannel(
  database: Database,
  channel: string,
  listener: Listener,
): Promise<ChannelListening> {
  let alive = false
  let lastProbe = 0

  const announceRevival = () => {
    alive = true
    listener.onRevived()
  }
  const onMessage = (payload: string) => {
    if (!alive) announceRevival()
    if (payload !== PROBE) listener.onMessage(payload)
  }
  const onLost = () => {
    if (!alive) return
    alive = false
    listener.onLost()
  }
  const revive = async () => {
    if (alive || performance.now() - lastProbe < PROBE_INTERVAL_MS) return
    lastProbe = performance.now()
    await rows(database.db, sql`select pg_notify(${channel}, ${PROBE})`)
  }

  await database.listen(channel, onMessage, onLost)
  if (!alive) announceRevival()
  return { alive: () => alive, revive }
}
