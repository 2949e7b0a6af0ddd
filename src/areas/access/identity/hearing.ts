import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { rows } from '../../../database/sql.ts'

export interface ChannelListening {
  /** Whether every notification of the channel arrives: only then may anything be remembered. */
  readonly alive: () => boolean
  /** While not alive: sends a message to itself, at most once a second; hearing it is the proof that all is well again. */
  readonly revive: () => Promise<void>
}

export interface Listener {
  readonly onMessage: (payload: string) => void
  /** From here on notifications may be missed. */
  readonly onLost: () => void
  /** Notifications arrive again; those of the time between are missed for good. */
  readonly onRevived: () => void
}

const PROBE = 'probe'
const PROBE_INTERVAL_MS = 1000

/** Listens to a channel and knows whether it does. */
export async function listenToChannel(
  database: Database,
  channel: string,
  listener: Listener,
): Promise<ChannelListening> {
  let alive = false
  let lastProbe = 0

  const revived = () => {
    alive = true
    listener.onRevived()
  }
  const onMessage = (payload: string) => {
    if (!alive) revived()
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
  if (!alive) revived()
  return { alive: () => alive, revive }
}
