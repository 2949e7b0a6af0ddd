import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { findActingAdministrator } from '../areas/access/index.ts'
import { assembleResources, listEncryptedColumns } from '../areas/index.ts'
import { loadTrees } from '../areas/places/index.ts'
import { openProxyAccess } from '../areas/proxies/index.ts'
import type { Config } from '../config/config.ts'
import { type Context, SERVICE } from '../context.ts'
import type { Database } from '../database/database.ts'
import { openRowCounts } from '../database/row-counts.ts'
import { row } from '../database/sql.ts'
import { openDirectories } from '../directory/directories.ts'
import { openEncryption } from '../encryption/keys.ts'
import { Failure } from '../errors.ts'
import { type Registry, routesOf } from '../kernel/index.ts'
import { createRelyingParty } from '../openid/relying-party.ts'
import { NO_REFERENCES } from '../references/references.ts'
import type { Route } from '../requests/route.ts'
import { loadSettings } from '../settings/settings.ts'
import { sql } from '../sql.ts'

/** The database and the configuration of the service that records are imported into. */
export interface Place {
  readonly database: Database
  readonly config: Config
  readonly log: Logger
}

/** What an import works with: a context of an administrator, and the routes of this service by their ids. */
export interface Working {
  readonly ctx: Context
  readonly registry: Registry
  readonly routes: ReadonlyMap<string, Route>
}

/** Opens the context of an import: it acts as an administrator, everywhere, and reaches no other machine. */
export async function openWorking({ database, config, log }: Place): Promise<Working> {
  const registry = assembleResources()
  const { db } = database
  const id = await findActingAdministrator(db, config.adminLogin)
  const user = id === null ? undefined : await row<{ login: string }>(db, sql`select login from users where id = ${id}`)
  if (id === null || !user) throw new Failure('unavailable', 'start the service once: it has no administrator yet')
  const settings = await loadSettings(db, log)
  const ctx: Context = {
    db,
    user: { ...SERVICE, id, login: user.login, name: user.login },
    scope: { organization: null, location: null, named: false },
    trees: await loadTrees(db),
    origin: { requestId: randomUUID(), address: null, secure: true, login: null, session: null },
    settings,
    encryption: await openEncryption(db, config, listEncryptedColumns(registry)),
    lockout: { check: async () => undefined, fail: async () => undefined },
    passwordMemoryMiB: config.passwordMemoryMiB,
    directories: openDirectories(),
    openid: createRelyingParty(() => null),
    references: NO_REFERENCES,
    proxies: openProxyAccess(config),
    followers: NOBODY_FOLLOWS,
    counts: openRowCounts(100),
    now: () => new Date(),
    log,
    afterCommit: (effect) => void effect(),
  }
  return { ctx, registry, routes: new Map(routesOf(registry).map((route) => [route.id, route])) }
}

const NOBODY_FOLLOWS: Context['followers'] = {
  follow: () => {
    throw new Error('nobody follows runs during an import')
  },
  wake: () => undefined,
  waiting: () => 0,
  [Symbol.dispose]: () => undefined,
}
