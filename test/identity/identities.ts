import { randomUUID } from 'node:crypto'
import { type IdentityCache, openIdentityCache } from '../../src/areas/access/identity/cache.ts'
import { openLockout } from '../../src/areas/access/identity/lockout.ts'
import {
  type Authenticate,
  type Authorization,
  type Credentials,
  createAuthenticate,
} from '../../src/areas/access/identity/login.ts'
import { hashPassword } from '../../src/areas/access/identity/passwords.ts'
import { generateToken } from '../../src/areas/access/identity/tokens.ts'
import type { Lockout } from '../../src/context.ts'
import type { Database } from '../../src/database/database.ts'
import { type Db, row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'

/** The parts of a serving process that concern identity. */
export interface Process {
  readonly database: Database
  readonly cache: IdentityCache
  readonly lockout: Lockout
  readonly authenticate: Authenticate
}

export async function startProcess(database: Database, settings = { limit: 30, idleTimeout: 60 }): Promise<Process> {
  const cache = await openIdentityCache(database)
  const lockout = await openLockout(database, {
    settings: () => ({ failed_login_attempts_limit: settings.limit }),
  })
  const authenticate = createAuthenticate({ database, cache, lockout, idleTimeout: () => settings.idleTimeout })
  return { database, cache, lockout, authenticate }
}

export const basic = (login: string, password: string): Credentials => offered({ kind: 'basic', login, password })
export const bearer = (token: string): Credentials => offered({ kind: 'bearer', token })

function offered(authorization: Authorization): Credentials {
  return { session: null, authorization, safe: true }
}

/** Waits until the notifications of everything committed so far have arrived. */
export async function settled(database: Database, channel = 'identity'): Promise<void> {
  const marker = randomUUID()
  const heard = Promise.withResolvers<void>()
  await database.listen(channel, (payload) => {
    if (payload === marker) heard.resolve()
  })
  await rows(database.db, sql`select pg_notify(${channel}, ${marker})`)
  await heard.promise
}

/** Stores a token and returns its value. */
export async function insertToken(db: Db, userId: number, expiresAt: Date | null = null): Promise<string> {
  const { value, digest } = generateToken()
  await insert(db, 'personal_access_tokens', { user_id: userId, name: value, token: digest, expires_at: expiresAt })
  return value
}

/** Inserts a row and returns its id. */
export async function insert(db: Db, table: string, values: Record<string, unknown>): Promise<number> {
  const columns = sql.join(Object.keys(values).map((name) => sql.ref(name)))
  const inserted = await row<{ id: number }>(
    db,
    sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(values))}) returning id`,
  )
  if (!inserted) throw new Error(`nothing inserted into ${table}`)
  return inserted.id
}

/** Connects two records in a table of pairs. */
export async function connectRecords(db: Db, table: string, pair: Record<string, number>): Promise<void> {
  const columns = sql.join(Object.keys(pair).map((name) => sql.ref(name)))
  await rows(db, sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(pair))})`)
}

export interface NewUser {
  readonly login: string
  readonly password?: string
  readonly authSource?: 'AuthSourceInternal' | 'AuthSourceHidden' | 'AuthSourceExternal'
  readonly values?: Record<string, unknown>
}

export async function insertUser(db: Db, { login, password, authSource = 'AuthSourceInternal', values }: NewUser) {
  await rows(
    db,
    sql`insert into auth_sources (type, name) values (${authSource}, ${authSource}) on conflict do nothing`,
  )
  const source = await row<{ id: number }>(db, sql`select id from auth_sources where type = ${authSource}`)
  const hash = password === undefined ? null : await hashPassword(password)
  return insert(db, 'users', { login, password: hash, auth_source_id: source?.id, ...values })
}
