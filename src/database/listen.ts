import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { unreachable } from './failures.ts'

/** A receiver of the messages of a channel. */
export interface Listener {
  readonly onMessage: (payload: string) => void
  /** Called when messages may have been missed, so that caches that depend on them are cleared. */
  readonly onLost: () => void
}

/** A connection that does nothing but listen. */
export interface Listening extends AsyncDisposable {
  add(channel: string, listener: Listener): Promise<void>
  /** Opens the connection again, because its other end may have gone without closing it. */
  distrust(): void
}

/**
 * Listens on a server through a connection that is opened for the first listener and reopened whenever it breaks. `onLost`
 * is called when it breaks and again when it listens again, because messages in between are lost.
 */
export function listenOnServer(settings: () => pg.ClientConfig, log: Logger): Listening {
  const listeners = new Map<string, Listener[]>()
  const closing = new AbortController()
  let client: pg.Client | null = null
  let opening: Promise<void> | null = null

  return {
    async add(channel, listener) {
      const known = listeners.get(channel)
      listeners.set(channel, [...(known ?? []), listener])
      if (!client) {
        return open().catch((error) => {
          throw unreachable(error)
        })
      }
      if (!known) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    },
    distrust: () => streamOf(client)?.destroy(),
    async [Symbol.asyncDispose]() {
      closing.abort()
      await opening?.catch(() => undefined)
      await client?.end().catch(() => undefined)
    },
  }

  function open(): Promise<void> {
    opening ??= connect().finally(() => {
      opening = null
    })
    return opening
  }

  async function connect(): Promise<void> {
    const next = new pg.Client(settings())
    next.on('error', (err) => log.info({ err }, 'listening database connection lost'))
    next.on('notification', ({ channel, payload }) => {
      for (const listener of listeners.get(channel) ?? []) listener.onMessage(payload ?? '')
    })
    try {
      await next.connect()
      for (const channel of listeners.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      await next.end().catch(() => undefined)
      throw error
    }
    client = next
    next.once('end', () => void reconnect())
  }

  async function reconnect(): Promise<void> {
    client = null
    if (closing.signal.aborted) return
    tellLost()
    for (let pause = FIRST_PAUSE_MS; !closing.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await sleep(pause, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      if (closing.signal.aborted) return
      try {
        await open()
        log.info({ channels: [...listeners.keys()] }, 'listening to the database again')
        return tellLost()
      } catch (err) {
        log.debug({ err }, 'database still away')
      }
    }
  }

  function tellLost(): void {
    for (const list of listeners.values()) for (const listener of list) listener.onLost()
  }
}

/**
 * Yields the socket of a client, to destroy it: closing the client properly would wait for the server, which may be gone.
 */
export function streamOf(client: pg.ClientBase | null): Duplex | undefined {
  // Every client of `pg` has this property, but only one of its types declares it.
  return (client as { readonly connection?: { readonly stream: Duplex } } | null)?.connection?.stream
}

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2000
