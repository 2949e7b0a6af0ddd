import { afterAll, beforeAll, expect, test } from 'vitest'
import { follow } from '../../src/areas/runs/events.ts'
import { openFollowers } from '../../src/areas/runs/followers.ts'
import type { Followers } from '../../src/context.ts'
import type { Database } from '../../src/database/database.ts'
import { row } from '../../src/database/sql.ts'
import { createReadable } from '../../src/http/answers/streaming.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'
import { eventually } from './queue-world.ts'

let database: Database
let followers: Followers
beforeAll(async () => {
  database = await openTestDatabase()
  followers = await openFollowers(database)
})
afterAll(async () => {
  followers?.[Symbol.dispose]()
  await database?.[Symbol.asyncDispose]()
})

/** Inserts a run that nobody executes. */
async function queued(): Promise<number> {
  const made = await row<{ id: number }>(
    database.db,
    sql`insert into config_runs (host_name) values ('a.example.test') returning id`,
  )
  return made?.id ?? 0
}

const stream = async (heartbeatMs = 60_000) => {
  const id = await queued()
  return {
    id,
    stream: createReadable((signal) =>
      follow(database.db, id, { followers, after: 0, signal, heartbeatMs, mayFollow: async () => true }),
    ),
  }
}

test('a stream that is destroyed while nothing happens leaves nobody waiting', async () => {
  const { stream: reading } = await stream()
  await reading.iterator({ destroyOnReturn: false }).next()
  await eventually(() => followers.waiting()).toBe(1)
  reading.destroy()
  await eventually(() => followers.waiting()).toBe(0)
})

test('silence is broken by comments', async () => {
  const { stream: reading } = await stream(20)
  const said: string[] = []
  for await (const chunk of reading) {
    said.push(String(chunk))
    if (said.length === 3) break
  }
  expect(said).toEqual([expect.stringContaining('event: state\n'), ': nothing new\n\n', ': nothing new\n\n'])
})

test('a client that does not read is sent no more than it takes', async () => {
  const { id, stream: reading } = await stream()
  await sql`
    insert into config_run_output (config_run_id, number, stream, text)
    select ${id}, n, 'stdout', repeat('x', 16384) from generate_series(1, 1000) n`.execute(database.db)
  await reading.iterator({ destroyOnReturn: false }).next()
  await eventually(() => reading.readableLength).toBeGreaterThan(reading.readableHighWaterMark / 2)
  expect(reading.readableLength).toBeLessThan(4 * 16_384 + reading.readableHighWaterMark)
  reading.destroy()
})

test('the end of the service ends every stream, and those that come later', async () => {
  const { stream: reading } = await stream()
  const all = reading.toArray()
  const mortal = await openFollowers(database)
  using follower = mortal.follow(1)
  const waiting = follower.change(60_000)
  mortal[Symbol.dispose]()
  expect(await waiting).toBe('closed')
  using late = mortal.follow(2)
  expect(await late.change(60_000)).toBe('closed')
  followers[Symbol.dispose]()
  expect((await all).join('')).toMatch(/^event: state\n/)
})
