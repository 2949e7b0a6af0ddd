import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { row } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { urlOfServerDatabase } from '../support/database.ts'
import { quiet, testConfig } from '../support/settings.ts'

/** Two services on one database, and a connection that holds their writes back. */
export interface Pair {
  readonly first: TestApi
  readonly second: TestApi
  readonly gate: Database
}

/** How often a write is sent at once. */
export const TIMES = 4

/** Opens two services on one database for the tests of a file. */
export function usePair(): () => Pair {
  let pair: Pair | undefined
  let folder = ''
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millwright-pair-'))
    const env = { MILLWRIGHT_ENCRYPTION_KEY_FILE: join(folder, 'keys') }
    const first = await openTestApi({ env })
    const second = await openTestApi({ env, beside: first })
    const url = await urlOfServerDatabase(first.database.db)
    pair = { first, second, gate: await connect(testConfig({ url, poolSize: 2 }), quiet) }
  })
  afterAll(async () => {
    await pair?.gate[Symbol.asyncDispose]()
    await pair?.second[Symbol.asyncDispose]()
    await pair?.first[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    if (!pair) throw new Error('the services are not open')
    return pair
  }
}

/**
 * Sends a write several times at once, to both services in turn, and yields the answers. A table is closed to writes until
 * each of them has been answered or waits: by then all have looked up what the database held before the first. One is sent
 * after the other waits, so that those which write elsewhere are done in between.
 */
export async function sendAtOnce(
  { first, second, gate }: Pair,
  table: string,
  send: (api: TestApi, index: number) => Promise<Reply>,
): Promise<Reply[]> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: isClosed, resolve: close } = Promise.withResolvers<void>()
  const closing = gate.db.transaction(async (tx) => {
    await sql`lock table ${sql.table(table)} in share mode`.execute(tx)
    close()
    await released
  })
  await Promise.race([isClosed, closing])
  const sent: Promise<Reply>[] = []
  let answered = 0
  for (let index = 0; index < TIMES; index++) {
    sent.push(
      send(index % 2 ? second : first, index).finally(() => {
        answered += 1
      }),
    )
    while (answered + (await countWaiting(gate)) <= index) await setTimeout(5)
  }
  release()
  await Promise.all([closing, Promise.allSettled(sent)])
  return Promise.all(sent)
}

async function countWaiting({ db }: Database): Promise<number> {
  const found = await row<{ count: number }>(
    db,
    sql`select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and state = 'active' and wait_event_type = 'Lock'`,
  )
  return found?.count ?? 0
}
