import type { Logger } from 'pino'
import type { Database } from '../../../database/database.ts'
import { numberEvents } from './number-events.ts'

interface NumberingOptions {
  readonly database: Pick<Database, 'db'>
  readonly log: Logger
  /** Called after each look, whether or not there were new events. */
  readonly afterwards?: () => Promise<void>
  readonly lookMs?: number
}

/** How late an event may be noticed. A notification with each write would let its commits wait for one another. */
const LOOK_MS = 100

/** Looks for committed events ten times a second, and gives them their numbers. Every process does, so that any may die. */
export function openNumbering({ database, log, afterwards, lookMs = LOOK_MS }: NumberingOptions): AsyncDisposable {
  let isAway = false
  let isClosing = false
  let looking = Promise.resolve()
  let timer = setTimeout(look, lookMs)
  return {
    async [Symbol.asyncDispose]() {
      isClosing = true
      clearTimeout(timer)
      await looking
    },
  }

  function look(): void {
    looking = numberAll().finally(() => {
      if (!isClosing) timer = setTimeout(look, lookMs)
    })
  }

  async function numberAll(): Promise<void> {
    try {
      await numberEvents(database.db)
      await afterwards?.()
      isAway = false
    } catch (err) {
      if (!isAway) log.warn({ err }, 'events got no numbers')
      isAway = true
    }
  }
}
