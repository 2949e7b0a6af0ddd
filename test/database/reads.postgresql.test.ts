import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { type Db, row, type Sql } from '../../src/database/sql.ts'
import { countStatements } from '../../src/database/statements.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { startTestServer, type TestServer } from '../support/postgresql.ts'
import { quiet, testConfig } from '../support/settings.ts'

let server: TestServer
let database: Database
beforeAll(async () => {
  server = await startTestServer()
  database = await connect(testConfig({ url: server.urlOf('postgres') }), quiet)
})
afterAll(async () => {
  await database?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

const numbers = Array.from({ length: 16 }, (_, index) => index)
const askWho = (number: number) =>
  readRows<{ pid: number; number: number }>(database.db, sql`select pg_backend_pid() as pid, ${number}::int as number`)

test('reads of one moment share connections, and each gets its own rows', async () => {
  await askWho(0)
  // On a busy machine the first may not have been quick, so that these are sent alone.
  await vi.waitFor(async () => {
    const found = (await Promise.all(numbers.map(askWho))).flat()
    expect(found.map(({ number }) => number)).toEqual(numbers)
    expect(new Set(found.map(({ pid }) => pid)).size).toBe(2)
  }, 20_000)
})

test('each is counted for the work that asked for it', async () => {
  await askWho(0)
  const counted = await Promise.all(numbers.map((number) => countStatements(() => askWho(number))))
  expect(counted.map(({ count }) => count)).toEqual(numbers.map(() => 1))
})

test('one that fails does not spoil the others', async () => {
  const divide = (by: number) => readRows<{ whole: number }>(database.db, sql`select 12 / ${by}::int as whole`)
  await divide(1)
  const [half, none, quarter] = await Promise.allSettled([divide(2), divide(0), divide(4)])
  expect(half).toMatchObject({ value: [{ whole: 6 }] })
  expect(none).toMatchObject({ reason: { code: '22012' } })
  expect(quarter).toMatchObject({ value: [{ whole: 3 }] })
})

test('nobody waits for one that is known to be slow', async () => {
  const ended: string[] = []
  const wait = async (seconds: number) => {
    await readRows(database.db, sql`select pg_sleep(${seconds}::float8)`)
    ended.push(`slept ${seconds}`)
  }
  const who = async () => {
    await askWho(0)
    ended.push('who')
  }
  await wait(0)
  await wait(0.1) // it was quick until now
  await who()
  ended.length = 0
  await Promise.all([wait(1), who(), who()])
  expect(ended).toEqual(['who', 'who', 'slept 1'])
})

test('in a transaction they see what it has written', async () => {
  await database.db.transaction(async (tx) => {
    await sql`create table written (id int)`.execute(tx)
    await sql`insert into written values (7)`.execute(tx)
    expect(await readRows(tx, sql`select id from written`)).toEqual([{ id: 7 }])
    const pid = (await row<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`))?.pid
    expect(await readRows(tx, sql`select pg_backend_pid() as pid`)).toEqual([{ pid }])
  })
})

test('all that are on their way when the server goes away are refused, and it is asked again afterwards', async () => {
  await askWho(0)
  const asked = Promise.allSettled([...numbers.map(askWho), readRows(database.db, sql`select pg_sleep(20)`)])
  await server.stop()
  const refused = (await asked).filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const one of refused) expect(one).toMatchObject({ reason: { name: 'Failure', code: 'unavailable' } })
  await expect(askWho(1)).rejects.toMatchObject({ code: 'unavailable' })
  await server.start()
  await vi.waitFor(async () => expect((await askWho(7))[0]?.number).toBe(7), 10_000)
})

/** Reads rows as the kernel does, perhaps together with other requests. */
async function readRows<Row>(db: Db, statement: Sql): Promise<Row[]> {
  return (await db.read(statement)).rows as Row[] // each statement above states its columns
}
