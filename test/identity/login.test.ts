import { hash } from '@node-rs/argon2'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '../../src/areas/access/identity/passwords.ts'
import {
  computeCsrfToken,
  createSession,
  deleteIdleSessions,
  endSession,
  endSessionsOf,
  setSessionScope,
} from '../../src/areas/access/identity/sessions.ts'
import { row, rows } from '../../src/database/sql.ts'
import { countStatements } from '../../src/database/statements.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase, truncateAll } from '../support/database.ts'
import { basic, bearer, insert, insertToken, insertUser, type Process, settled, startProcess } from './identities.ts'

const database = await openTestDatabase()
const { db } = database
afterAll(() => database[Symbol.asyncDispose]())

const HERE = '192.0.2.1'
let process: Process
let ada: number
beforeEach(async () => {
  await truncateAll(database)
  process = await startProcess(database)
  ada = await insertUser(db, { login: 'Ada', password: 'secret' })
  await settled(database)
})

const refused = (login: string) => ({ code: 'unauthenticated', message: `Unable to authenticate user ${login}` })

describe('a password', () => {
  test('proves who somebody is, whatever the case of the login', async () => {
    for (const login of ['Ada', 'ada', 'ADA']) {
      expect(await process.authenticate(basic(login, 'secret'), HERE)).toMatchObject({
        actor: { id: ada, login: 'Ada', disabled: false },
        method: 'password',
        session: null,
      })
    }
  })

  test.each([
    ['wrong', 'ada', 'Secret'],
    ['empty', 'ada', ''],
    ['with a NUL', 'ada', 'secret\0'],
    ['too long', 'ada', 'x'.repeat(1025)],
    ['of nobody', 'bob', 'secret'],
    ['for no login', '', 'secret'],
    ['for a login with a NUL', 'ada\0', 'secret'],
    ['for an overlong login', 'a'.repeat(101), 'secret'],
  ])('that is %s is refused, and counted', async (_, login, password) => {
    await expect(process.authenticate(basic(login, password), HERE)).rejects.toMatchObject(refused(login.slice(0, 100)))
    expect(await rows(db, sql`select failures from login_failures`)).toEqual([{ failures: 1 }])
  })

  test('works only with the authentication source it belongs to', async () => {
    await insertUser(db, { login: 'hidden', password: 'secret', authSource: 'AuthSourceHidden' })
    await insertUser(db, { login: 'external', password: 'secret', authSource: 'AuthSourceExternal' })
    await insertUser(db, { login: 'without' })
    for (const login of ['hidden', 'external', 'without']) {
      await expect(process.authenticate(basic(login, 'secret'), HERE)).rejects.toMatchObject(refused(login))
    }
  })

  test('of a disabled account is right all the same: refusing it is up to the caller', async () => {
    await rows(db, sql`update users set disabled = true`)
    expect(await process.authenticate(basic('ada', 'secret'), HERE)).toMatchObject({ actor: { disabled: true } })
    expect(await lastLogin()).toBeNull()
  })

  test('known to fit costs no statement, and the login is noted once', async () => {
    await process.authenticate(basic('ada', 'secret'), HERE)
    const noted = await lastLogin()
    expect(noted).not.toBeNull()
    expect(await statementsOf(() => process.authenticate(basic('ada', 'secret'), HERE))).toBe(0)
    process.cache.clear()
    await process.authenticate(basic('ada', 'secret'), HERE)
    expect(await lastLogin()).toBe(noted)
  })

  test('asked for many times at once is looked up once', async () => {
    const attempts = () =>
      Promise.all(Array.from({ length: 20 }, () => process.authenticate(basic('ada', 'secret'), HERE)))
    expect(await statementsOf(attempts)).toBeLessThanOrEqual(5)
  })

  test('hashed too weakly is hashed anew with the next login', async () => {
    await rows(db, sql`update users set password = ${await hash('secret', { memoryCost: 1024, timeCost: 1 })}`)
    await process.authenticate(basic('ada', 'secret'), HERE)
    const stored = await row<{ password: string }>(db, sql`select password from users`)
    expect(stored?.password).not.toContain('m=1024')
    expect(await verifyPassword(stored?.password ?? null, 'secret')).toBe('right')
    process.cache.clear()
    expect(await process.authenticate(basic('ada', 'secret'), HERE)).toMatchObject({ method: 'password' })
  })
})

describe('a change', () => {
  test('of a password ends the old one at once', async () => {
    await process.authenticate(basic('ada', 'secret'), HERE)
    const password = await hashPassword('new')
    await rows(db, sql`update users set password = ${password}`)
    process.cache.clear()
    await expect(process.authenticate(basic('ada', 'secret'), HERE)).rejects.toMatchObject(refused('ada'))
    expect(await process.authenticate(basic('ada', 'new'), HERE)).toMatchObject({ actor: { id: ada } })
  })

  test('nobody tells the process of is heard of', async () => {
    await process.authenticate(basic('ada', 'secret'), HERE)
    await rows(db, sql`update users set admin = true`)
    await settled(database)
    expect(await process.authenticate(basic('ada', 'secret'), HERE)).toMatchObject({ actor: { admin: true } })
  })

  test('that is rolled back changes nothing', async () => {
    await process.authenticate(basic('ada', 'secret'), HERE)
    const failing = db.transaction(async (tx) => {
      await rows(tx, sql`update users set disabled = true`)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await statementsOf(() => process.authenticate(basic('ada', 'secret'), HERE))).toBe(0)
  })

  test('during a login is not hidden by what the login remembers', async () => {
    const value = await insertToken(db, ada)
    const pending = process.authenticate(bearer(value), HERE)
    await rows(db, sql`update users set admin = true`)
    process.cache.clear()
    await pending
    expect(await process.authenticate(bearer(value), HERE)).toMatchObject({ actor: { admin: true } })
  })
})

describe('a token', () => {
  test('proves who somebody is, as Bearer and as password', async () => {
    const value = await insertToken(db, ada)
    await settled(database)
    for (const credentials of [bearer(value), basic('ada', value)]) {
      expect(await process.authenticate(credentials, HERE)).toMatchObject({ actor: { id: ada }, method: 'token' })
      expect(await statementsOf(() => process.authenticate(credentials, HERE))).toBe(0)
    }
    expect(await rows(db, sql`select from personal_access_tokens where last_used_at is not null`)).toHaveLength(1)
  })

  test('is no password of anybody else, and not of nobody', async () => {
    await insertUser(db, { login: 'bob', password: 'secret' })
    const value = await insertToken(db, ada)
    for (const login of ['bob', 'carol']) {
      await expect(process.authenticate(basic(login, value), HERE)).rejects.toMatchObject(refused(login))
    }
  })

  test('works for users of sources that know no passwords', async () => {
    const userId = await insertUser(db, { login: 'external', authSource: 'AuthSourceExternal' })
    const value = await insertToken(db, userId)
    expect(await process.authenticate(basic('external', value), HERE)).toMatchObject({ actor: { id: userId } })
  })

  test('that is unknown, malformed, expired or revoked is refused', async () => {
    const expired = await insertToken(db, ada, new Date(Date.now() - 1000))
    const revoked = await insertToken(db, ada)
    await rows(db, sql`update personal_access_tokens set revoked = true where expires_at is null`)
    for (const value of ['', 'mw_', expired, revoked]) {
      await expect(process.authenticate(bearer(value), HERE)).rejects.toMatchObject(refused(''))
    }
  })

  test('ends on time although it is remembered', async () => {
    const value = await insertToken(db, ada, new Date(Date.now() + 700))
    await process.authenticate(bearer(value), HERE)
    await expect
      .poll(
        () =>
          process.authenticate(bearer(value), HERE).then(
            () => 'accepted',
            (failure) => failure.code,
          ),
        { timeout: 3000 },
      )
      .toBe('unauthenticated')
  })

  test('that was revoked ends at once', async () => {
    const value = await insertToken(db, ada)
    await process.authenticate(bearer(value), HERE)
    await rows(db, sql`update personal_access_tokens set revoked = true`)
    process.cache.clear()
    await expect(process.authenticate(bearer(value), HERE)).rejects.toMatchObject(refused(''))
  })
})

describe('a session', () => {
  const reading = (cookie: string) => ({ session: { cookie, csrf: null }, authorization: null, safe: true })
  const writing = (cookie: string, csrf: string | null) => ({
    session: { cookie, csrf },
    authorization: null,
    safe: false,
  })

  test('proves who somebody is, in the default organization of that user', async () => {
    const organization = await insert(db, 'organizations', { name: 'Acme', title: 'Acme' })
    await rows(db, sql`update users set default_organization_id = ${organization}`)
    const { cookie } = await createSession(db, ada)
    await settled(database)
    expect(await process.authenticate(reading(cookie), HERE)).toMatchObject({
      actor: { id: ada },
      method: 'session',
      session: { scope: { organization, location: null } },
    })
    expect(await statementsOf(() => process.authenticate(reading(cookie), HERE))).toBe(0)
    await setSessionScope(db, cookie, { organization: null, location: null })
    process.cache.clear()
    expect(await process.authenticate(reading(cookie), HERE)).toMatchObject({
      session: { scope: { organization: null } },
    })
  })

  test('writes only with its CSRF token', async () => {
    const { cookie, csrf } = await createSession(db, ada)
    const other = await createSession(db, ada)
    expect(computeCsrfToken(cookie)).toBe(csrf)
    expect(await process.authenticate(writing(cookie, csrf), HERE)).toMatchObject({ method: 'session' })
    for (const wrong of [null, '', 'x', other.csrf]) {
      await expect(process.authenticate(writing(cookie, wrong), HERE)).rejects.toMatchObject(refused(''))
    }
  })

  test('without CSRF token gives way to the header', async () => {
    const { cookie } = await createSession(db, ada)
    const bob = await insertUser(db, { login: 'bob', password: 'secret' })
    const both = { ...writing(cookie, null), authorization: basic('bob', 'secret').authorization }
    expect(await process.authenticate(both, HERE)).toMatchObject({ actor: { id: bob }, method: 'password' })
  })

  test('ends when it was idle too long, and when somebody logs out', async () => {
    const idle = await createSession(db, ada)
    await rows(db, sql`update sessions set last_seen_at = now() - interval '62 minutes'`)
    await expect(process.authenticate(reading(idle.cookie), HERE)).rejects.toMatchObject({ code: 'session_expired' })
    const ended = await createSession(db, ada)
    await process.authenticate(reading(ended.cookie), HERE)
    await endSession(db, ended.cookie)
    process.cache.clear()
    await expect(process.authenticate(reading(ended.cookie), HERE)).rejects.toMatchObject(refused(''))
  })

  test('lives on while it is used', async () => {
    const { cookie } = await createSession(db, ada)
    await rows(db, sql`update sessions set last_seen_at = now() - interval '59 minutes'`)
    await process.authenticate(reading(cookie), HERE)
    expect(await row(db, sql`select from sessions where last_seen_at > now() - interval '1 minute'`)).toBeDefined()
  })

  test('can be ended with all others of the same user, except one', async () => {
    const bob = await insertUser(db, { login: 'bob' })
    const [kept, ended, other] = [
      await createSession(db, ada),
      await createSession(db, ada),
      await createSession(db, bob),
    ]
    await endSessionsOf(db, ada, kept.cookie)
    for (const { cookie } of [kept, other]) {
      expect(await process.authenticate(reading(cookie), HERE)).toMatchObject({ method: 'session' })
    }
    await expect(process.authenticate(reading(ended.cookie), HERE)).rejects.toMatchObject(refused(''))
    await endSessionsOf(db, bob)
    expect(await rows(db, sql`select user_id from sessions`)).toEqual([{ user_id: ada }])
  })

  test('that was idle too long can be deleted, others stay', async () => {
    await createSession(db, ada)
    await rows(db, sql`update sessions set last_seen_at = now() - interval '62 minutes'`)
    await createSession(db, ada)
    expect(await deleteIdleSessions(db, 60)).toBe(1)
    expect(await rows(db, sql`select from sessions`)).toHaveLength(1)
  })

  test('that nobody started is none', async () => {
    for (const cookie of ['', 'x', 'A'.repeat(43)]) {
      await expect(process.authenticate(reading(cookie), HERE)).rejects.toMatchObject(refused(''))
    }
  })
})

test('times of use that a clock stored which was a year ahead are set right by the next use', async () => {
  const value = await insertToken(db, ada)
  await rows(db, sql`update users set last_login_on = now() + interval '1 year'`)
  await rows(db, sql`update personal_access_tokens set last_used_at = now() + interval '1 year'`)
  process.cache.clear()
  await process.authenticate(basic('ada', 'secret'), HERE)
  await process.authenticate(bearer(value), HERE)
  const times = sql`
    select last_login_on as time from users where id = ${ada}
    union all select last_used_at from personal_access_tokens`
  expect(await rows(db, sql`select from (${times}) as stored where time <= now()`)).toHaveLength(2)
})

test('without credentials nobody is known, and nothing is counted', async () => {
  const nothing = { session: null, authorization: null, safe: true }
  await expect(process.authenticate(nothing, HERE)).rejects.toMatchObject(refused(''))
  expect(await rows(db, sql`select from login_failures`)).toEqual([])
})

async function lastLogin(): Promise<string | null> {
  const found = await row<{ last_login_on: string | null }>(db, sql`select last_login_on from users where id = ${ada}`)
  return found?.last_login_on ?? null
}

async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  return (await countStatements(work)).count
}
