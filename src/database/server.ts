import type { Logger } from 'pino'
import { Failure } from '../errors.ts'
import { createAvailabilityLog, watchReachability } from './availability-log.ts'
import { buildClientConfig, type ServerConfig } from './connections.ts'
import type { Database } from './database.ts'
import type { Outage } from './failures.ts'
import { listenOnServer } from './listen.ts'
import { openHandle, openPool } from './pool.ts'
import { followPrimary } from './primary.ts'
import { measurePing } from './sql.ts'
import type { StatementRunner } from './statements.ts'

/** Opens the pool of connections to a PostgreSQL server. {@throws Failure} 'unavailable' when it does not answer. `explain` may know why it cannot be used later. */
export async function connectServer(
  config: ServerConfig,
  observe: (run: StatementRunner) => StatementRunner,
  log: Logger,
  explain: (outage: Outage) => Outage = (outage) => outage,
): Promise<Database> {
  const primary = followPrimary(config)
  if (primary.isOneOfSeveral) await awaitFirstContact(() => primary.find(), config.url)
  const pool = openPool(config, primary, log)
  const listening = listenOnServer(() => buildClientConfig(config, config.directUrl ?? primary.url()), log)
  const outages = createAvailabilityLog(log, explain)
  const reachability = watchReachability(findAgain, listening.distrust, outages)
  const db = openHandle(pool, config, primary, observe, { reachability, outages })
  await awaitFirstContact(() => measurePing(db), config.url).catch(async (error) => {
    reachability[Symbol.dispose]()
    await pool.end()
    throw error
  })
  return {
    kind: 'postgresql',
    db,
    url: config.url,
    listen: (channel, onMessage, onLost = () => undefined) => listening.add(channel, { onMessage, onLost }),
    ping: () => measurePing(db),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async [Symbol.asyncDispose]() {
      reachability[Symbol.dispose]()
      await listening[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
    },
  }

  async function findAgain(): Promise<void> {
    await primary.find()
    pool.options.connectionString = primary.url() // the pool makes new connections from this address
  }
}

async function awaitFirstContact(contact: () => Promise<unknown>, url: string): Promise<void> {
  try {
    await contact()
  } catch (error) {
    const cause = error instanceof Failure ? error.cause : error
    throw new Failure(
      'unavailable',
      `The database ${withoutPassword(url)} cannot be used: ${reasonOf(cause)}`,
      {},
      { cause },
    )
  }
}

/**
 * Yields the reason of a failed connection: a name with several addresses fails with one error for each and no message of
 * its own.
 */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(', ')
  return cause instanceof Error ? cause.message : String(cause)
}

function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, '$1:***@').replace(/([?&]password=)[^&]*/, '$1***')
}
