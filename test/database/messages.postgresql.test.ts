import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { row, rows } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { startTestServer, type TestServer } from '../support/postgresql.ts'
import { quiet, testConfig } from '../support/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'millwright-messages-'))
const sockets = new Set<Socket>()
/** The first letters of the messages that the service has sent, by PostgreSQL's protocol; `!` is a write to the connection. */
let sent = ''

let server: TestServer
let database: Database
const relay = createServer((client) => {
  const upstream = createConnection(join(server.folder, SOCKET))
  for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined))
  let isBegun = false
  client.on('data', (data) => {
    if (isBegun) sent += `!${readTypes(data)}`
    isBegun = true // the first message has no letter
  })
  client.pipe(upstream).pipe(client)
})

const SOCKET = '.s.PGSQL.5432'

beforeAll(async () => {
  server = await startTestServer()
  relay.listen(join(folder, SOCKET))
  await once(relay, 'listening')
  const url = `postgresql://postgres@/postgres?host=${encodeURIComponent(folder)}`
  database = await connect(testConfig({ url, poolSize: 1 }), quiet)
})
afterAll(async () => {
  await database?.[Symbol.asyncDispose]()
  for (const socket of sockets) socket.destroy()
  relay.close()
  await server?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

function readTypes(data: Buffer): string {
  let types = ''
  for (let at = 0; at < data.length; at += 1 + data.readUInt32BE(at + 1)) types += String.fromCharCode(data[at] ?? 0)
  return types
}

async function messagesOf(work: () => Promise<unknown>): Promise<string> {
  sent = ''
  await work()
  return sent
}

// C: close, P: parse, B: bind, D: describe, E: execute, S: wait for the answers, Q: a text.
test('a statement that comes again is parsed and described once, and is one write', async () => {
  const ask = (number: number) => rows(database.db, sql`select ${number}::int as number, ${[true]}::bool[] as yes`)
  expect(await messagesOf(() => ask(1))).toBe('!PBDES')
  expect(await messagesOf(() => ask(2))).toBe('!CPBDES')
  expect(await messagesOf(() => ask(3))).toBe('!BES')
  expect(await ask(4)).toEqual([{ number: 4, yes: [true] }])
})

test('what is sent together is one write as well, in which a name is parsed once', async () => {
  const work = () =>
    database.db.transaction(async (tx) => {
      await sql`select ${1}::int as of_a_transaction`.execute(tx)
    })
  await work()
  await work()
  expect(await messagesOf(work)).toBe('!BEBES!Q')
})

test('a statement that yields nothing has no columns, now and later', async () => {
  await sql`create table counted (id int)`.execute(database.db)
  const store = (id: number) => sql`insert into counted values (${id})`.execute(database.db)
  for (const id of [1, 2, 3]) expect(await store(id)).toMatchObject({ rowCount: 1, rows: [] })
  expect(await row(database.db, sql`select count(*) from counted`)).toEqual({ count: 3 })
})

test('a statement that has failed when it was parsed under its name is parsed again', async () => {
  const divide = (by: number) => row(database.db, sql`select 12 / ${by}::int as whole`)
  await divide(1)
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect(await messagesOf(() => divide(3))).toBe('!CPBDES')
  expect(await divide(4)).toEqual({ whole: 3 })
})
