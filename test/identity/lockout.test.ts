import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createSession } from '../../src/areas/access/identity/sessions.ts'
import { rows } from '../../src/database/sql.ts'
import { countStatements } from '../../src/database/statements.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase, truncateAll } from '../support/database.ts'
import { basic, bearer, insertUser, type Process, settled, startProcess } from './identities.ts'

const database = await openTestDatabase()
const { db } = database
afterAll(() => database[Symbol.asyncDispose]())

const [HERE, THERE] = ['192.0.2.1', '198.51.100.7']
const LOCKED = { code: 'locked_out', message: 'Too many tries, please try again in a few minutes.' }
const LIMIT = 3
let process: Process
let ada: number
beforeEach(async () => {
  await truncateAll(database)
  // Notifications of one test must not reach the process of the next.
  await settled(database, 'login_failures')
  process = await startProcess(database, { limit: LIMIT, idleTimeout: 60 })
  ada = await insertUser(db, { login: 'ada', password: 'secret' })
})

describe('an address with too many failures', () => {
  test('is refused even with the right password, others are not', async () => {
    await failOften(HERE)
    await expect(process.authenticate(basic('ada', 'secret'), HERE)).rejects.toMatchObject(LOCKED)
    await expect(process.authenticate(basic('ada', 'secret'), `::ffff:${HERE}`)).rejects.toMatchObject(LOCKED)
    expect(await process.authenticate(basic('ada', 'secret'), THERE)).toMatchObject({ actor: { id: ada } })
  })

  test('is refused what it proved before, except for a session', async () => {
    await process.authenticate(basic('ada', 'secret'), HERE)
    const { cookie } = await createSession(db, ada)
    await failOften(HERE)
    await expect(process.authenticate(basic('ada', 'secret'), HERE)).rejects.toMatchObject(LOCKED)
    const session = { session: { cookie, csrf: null }, authorization: null, safe: true }
    expect(await process.authenticate(session, HERE)).toMatchObject({ method: 'session' })
  })

  test('stays refused by a process that starts later', async () => {
    await failOften(HERE)
    const later = await startProcess(database, { limit: LIMIT, idleTimeout: 60 })
    await expect(later.authenticate(basic('ada', 'secret'), HERE)).rejects.toMatchObject(LOCKED)
  })

  test('is let in again when five minutes have passed, and starts anew', async () => {
    await failOften(HERE)
    await settled(database, 'login_failures')
    await rows(db, sql`update login_failures set expires_at = now() - interval '1 second'`)
    const later = await startProcess(database, { limit: LIMIT, idleTimeout: 60 })
    expect(await later.authenticate(basic('ada', 'secret'), HERE)).toMatchObject({ actor: { id: ada } })
    await expect(later.authenticate(basic('ada', 'wrong'), HERE)).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await rows(db, sql`select failures from login_failures`)).toEqual([{ failures: 1 }])
  })

  test('cannot have more passwords tried by asking for many at once', async () => {
    const guesses = Array.from({ length: 20 }, (_, n) => process.authenticate(basic('ada', `guess ${n}`), HERE))
    const results = await Promise.allSettled(guesses)
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'accepted'))
    expect(codes.filter((code) => code === 'unauthenticated').length).toBeLessThanOrEqual(LIMIT + 2)
    expect(codes.filter((code) => code === 'locked_out').length).toBeGreaterThanOrEqual(20 - LIMIT - 2)
  })
})

test('a success does not forgive failures, and each failure starts the five minutes anew', async () => {
  await fail(HERE)
  await rows(db, sql`update login_failures set expires_at = now() + interval '1 second'`)
  await process.authenticate(basic('ada', 'secret'), HERE)
  await fail(HERE)
  const remaining = sql`select failures, expires_at > now() + interval '4 minutes' as renewed from login_failures`
  expect(await rows(db, remaining)).toEqual([{ failures: 2, renewed: true }])
})

test('failures at the same moment are all counted, whichever statement began first', async () => {
  const open = await startProcess(database, { limit: 100, idleTimeout: 60 })
  await Promise.all(Array.from({ length: 40 }, () => open.lockout.fail(HERE)))
  expect(await rows(db, sql`select failures from login_failures`)).toEqual([{ failures: 40 }])
  await rows(db, sql`update login_failures set expires_at = now() + interval '5 minutes 1 second'`)
  const other = await startProcess(database, { limit: 100, idleTimeout: 60 }) // its first failure removes what expired
  await other.lockout.fail(HERE)
  expect(await rows(db, sql`select failures from login_failures`)).toEqual([{ failures: 41 }])
})

test('the limit 0 turns it off', async () => {
  const open = await startProcess(database, { limit: 0, idleTimeout: 60 })
  for (let n = 0; n < LIMIT + 1; n += 1)
    await expect(open.authenticate(bearer('x'), HERE)).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(await open.authenticate(basic('ada', 'secret'), HERE)).toMatchObject({ actor: { id: ada } })
})

test('checking costs no statement, with failures or without', async () => {
  await process.lockout.check(HERE)
  const checks = async () => {
    await process.lockout.check(HERE)
    await process.lockout.check(THERE)
  }
  expect((await countStatements(checks)).count).toBe(0)
  await failOften(HERE)
  expect((await countStatements(() => process.lockout.check(HERE).catch(() => undefined))).count).toBe(0)
})

test('addresses whose failures are forgotten leave no trace', async () => {
  await rows(db, sql`insert into login_failures values ('203.0.113.9', 2, now() - interval '1 second')`)
  await fail(HERE)
  expect(await rows(db, sql`select host(address) as address from login_failures`)).toEqual([{ address: HERE }])
})

async function failOften(address: string): Promise<void> {
  for (let n = 0; n < LIMIT; n += 1) await fail(address)
}

async function fail(address: string): Promise<void> {
  await expect(process.authenticate(bearer('wrong'), address)).rejects.toMatchObject({ code: 'unauthenticated' })
}
