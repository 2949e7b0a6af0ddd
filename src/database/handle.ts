import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
} from 'kysely'
import { Failure } from '../errors.ts'
import { type Share, shareReads } from './reads.ts'
import type { Db } from './sql.ts'

/**
 * Opens a handle over a dialect. It refuses, at once and on both databases, to be used by work that already holds one of its
 * connections, as everything inside a transaction does: on the embedded database this would wait for ever, on a server it
 * would read and write outside of the transaction. `turns` is given for a database with a single connection, `share` for one
 * on which reads can be sent together.
 */
export async function openHandle(dialect: Dialect, turns: Turns | null, share?: Share): Promise<Db> {
  const driver = dialect.createDriver()
  await driver.init()
  const provider = turns ? provideOneAtATime(provideAny(driver), turns) : provideAny(driver)
  const held: Held = new AsyncLocalStorage()
  const executor = new DefaultQueryExecutor(
    dialect.createQueryCompiler(),
    dialect.createAdapter(),
    refuseOuterHandle(provider, held),
  )
  const db = new Kysely<unknown>({ config: { dialect }, dialect, driver, executor })
  if (share)
    shareReads(db, async (statement) => {
      refuseHeld(held)
      return share(statement)
    })
  return db
}

/** What work that waits for the only connection depends on. */
export interface Turns {
  /** Counts how often the database behind the connection has ended; work that waited for it then is refused. */
  readonly ended: () => number
}

function provideAny(driver: Driver): ConnectionProvider {
  return {
    async provideConnection(consumer) {
      const connection = await driver.acquireConnection()
      try {
        return await consumer(connection)
      } finally {
        await driver.releaseConnection(connection)
      }
    },
  }
}

function provideOneAtATime(provider: ConnectionProvider, { ended }: Turns): ConnectionProvider {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async provideConnection(consumer) {
      const before = ended()
      const turn = last.then(() => {
        if (ended() !== before) throw new Failure('unavailable', 'The database ended while this waited for it')
        return provider.provideConnection(consumer)
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

/** Whether the current work holds a connection of the handle. */
type Held = AsyncLocalStorage<{ open: boolean }>

function refuseHeld(held: Held): void {
  if (held.getStore()?.open) throw new Error(OUTER_HANDLE)
}

function refuseOuterHandle(provider: ConnectionProvider, held: Held): ConnectionProvider {
  return {
    async provideConnection<Result>(consumer: (connection: DatabaseConnection) => Promise<Result>) {
      refuseHeld(held)
      return provider.provideConnection(async (connection) => {
        const lease = { open: true }
        try {
          return await held.run(lease, consumer, connection)
        } finally {
          lease.open = false
        }
      })
    },
  }
}

const OUTER_HANDLE =
  'The outer database handle was used inside a transaction: use the context that inTransaction gives to its work'
