import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
} from 'kysely'
import { type Share, shareReads } from './reads.ts'
import type { Db } from './sql.ts'

/**
 * Opens a handle over a dialect. It refuses to be used by work that already holds one of its connections, as everything inside a
 * transaction does: it would read and write outside of the transaction. `share` sends reads together.
 */
export async function openHandle(dialect: Dialect, share: Share): Promise<Db> {
  const driver = dialect.createDriver()
  await driver.init()
  const held: Held = new AsyncLocalStorage()
  const executor = new DefaultQueryExecutor(
    dialect.createQueryCompiler(),
    dialect.createAdapter(),
    refuseOuterHandle(provideAny(driver), held),
  )
  const db = new Kysely<unknown>({ config: { dialect }, dialect, driver, executor })
  shareReads(db, async (statement) => {
    refuseHeld(held)
    return share(statement)
  })
  return db
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
