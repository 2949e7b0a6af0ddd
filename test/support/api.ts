import type { InjectOptions } from 'fastify'
import type { Logger } from 'pino'
import { vi } from 'vitest'
import type { EventTiming } from '../../src/areas/events/index.ts'
import type { Timing } from '../../src/areas/runs/workers.ts'
import type { Job } from '../../src/areas/server/jobs/jobs.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Database, DatabaseConfig } from '../../src/database/database.ts'
import { rows } from '../../src/database/sql.ts'
import { countStatements } from '../../src/database/statements.ts'
import { connect } from '../../src/postgresql/connect.ts'
import type { Workers } from '../../src/queue/workers.ts'
import type { Route } from '../../src/requests/route.ts'
import { openApi } from '../../src/service/service.ts'
import type { TaskOptions } from '../../src/service/work.ts'
import { sql } from '../../src/sql.ts'
import { checkAnswer, checkHeaders } from './answers.ts'
import { openTestDatabase, urlOfServerDatabase } from './database.ts'
import { declared } from './declared.ts'
import { quiet, testConfig } from './settings.ts'

export const ADMIN = { login: 'admin', password: 'admin-password' }

/** An answer with its parsed JSON. */
export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
}

/** Sends requests as one caller. A body is sent as JSON. */
export interface Caller {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Reply>
  readonly post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>
  readonly put: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>
  readonly delete: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>
  /** Sends any other request. */
  readonly send: (options: InjectOptions) => Promise<Reply>
}

export interface TestApi extends AsyncDisposable {
  readonly database: Database
  readonly routes: readonly Route[]
  /** Jobs run only when a test runs them. */
  readonly jobs: readonly Job[]
  /** Starts workers of configuration runs; dispose them before the service. */
  readonly startRunWorkers: (timing?: Partial<Timing>) => Promise<Workers>
  /** Starts workers of tasks; dispose them before the service. `finishTasks` works until no task is left. */
  readonly startTaskWorkers: (options?: TaskOptions) => Promise<Workers>
  readonly finishTasks: () => Promise<void>
  /** Starts to give events their numbers and to send them; dispose it before the service. */
  readonly startEvents: (timing?: EventTiming) => Promise<Workers>
  /** Listens on a free port of this machine and yields the address, for answers that do not end. */
  readonly listen: () => Promise<string>
  /** The same for the vendor listener; needs `MILLWRIGHT_VENDOR_PORT`. */
  readonly listenAsVendor: () => Promise<string>
  readonly admin: Caller
  readonly nobody: Caller
  /** Yields the caller with these headers, e.g. an `authorization`. */
  readonly as: (headers: Record<string, string>) => Caller
  /** Yields the same user, or nobody, on the vendor listener; needs `MILLWRIGHT_VENDOR_PORT`. */
  readonly asVendor: (caller?: { readonly authorization: string }) => Caller
  /** Creates a user with a role that grants these permissions without conditions, in these organizations and locations. */
  readonly can: (
    permissions: readonly string[],
    options?: UserOptions,
  ) => Promise<Caller & { id: number; login: string; authorization: string }>
  /** Counts the statements of a piece of work. */
  readonly counting: typeof countStatements
}

export interface UserOptions {
  readonly search?: string | null
  /** Further permissions, which the search does not limit. */
  readonly also?: readonly string[]
  readonly organization_ids?: readonly number[]
  readonly location_ids?: readonly number[]
}

export interface TestApiOptions {
  /** The configuration as environment variables. */
  readonly env?: Readonly<Record<string, string>>
  readonly log?: Logger
  /** Settings of its database, which then is one that no other file has used. */
  readonly database?: Partial<DatabaseConfig>
  /** A service whose database this one shares, as a second process would; close this one first. Needs a server. */
  readonly beside?: TestApi
}

/**
 * Opens the whole service on a new database, without a network; every answer is checked against what its route declares.
 * Close it after the tests of the file.
 */
export async function openTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const { env: given = {}, log = quiet, beside } = options
  const database = beside
    ? await connect(testConfig({ url: await urlOfServerDatabase(beside.database.db) }), quiet)
    : await openTestDatabase(options.database)
  const env = {
    MILLWRIGHT_DATA_DIR: 'memory',
    MILLWRIGHT_ADMIN_LOGIN: ADMIN.login,
    MILLWRIGHT_ADMIN_PASSWORD: ADMIN.password,
    MILLWRIGHT_PASSWORD_MEMORY: '8',
    ...given,
  }
  const { server, vendor, routes, jobs, startRunWorkers, startTaskWorkers, startEvents } = await openApi(
    database,
    readConfig([], env, () => ''),
    log,
    declared,
  )
  const reached = new WeakMap<object, Route>()
  for (const listener of vendor ? [server, vendor] : [server]) {
    listener.addHook('onRequest', async ({ raw, routeOptions }) => {
      const { route } = routeOptions.config as { route?: Route } // missing where no route was found
      if (route && listener === server) reached.set(raw, route)
    })
    await listener.ready()
  }

  const as = (own: Record<string, string>, listener = server): Caller => {
    const send = async (options: InjectOptions): Promise<Reply> => {
      const answer = await listener.inject({ ...options, headers: { ...own, ...options.headers } })
      const { statusCode, body, headers } = answer
      const json = String(headers['content-type'] ?? '').startsWith('application/json') && body !== ''
      const request = `${options.method ?? 'GET'} ${JSON.stringify(options.url)}`
      checkHeaders(request, headers)
      if (listener === server)
        checkAnswer({ request, route: reached.get(answer.raw.req), status: statusCode, text: body, isJson: json })
      return { status: statusCode, body: json ? JSON.parse(body) : undefined, text: body, headers }
    }
    const carrying =
      (method: 'POST' | 'PUT' | 'DELETE') =>
      (url: string, body?: unknown, headers: Record<string, string> = {}) =>
        send({
          method,
          url,
          headers: { 'content-type': 'application/json', ...headers },
          ...(body !== undefined && { payload: JSON.stringify(body) }),
        })
    return {
      get: (url, headers = {}) => send({ method: 'GET', url, headers }),
      post: carrying('POST'),
      put: carrying('PUT'),
      delete: carrying('DELETE'),
      send,
    }
  }
  const admin = as({ authorization: basic(ADMIN.login, ADMIN.password) })
  let users = 0
  let listed: Promise<readonly Permission[]> | null = null
  // Permissions are constant, so that they are loaded once.
  const knownPermissions = () => {
    listed ??= listPermissions(admin)
    return listed
  }

  return {
    database,
    routes,
    jobs,
    startRunWorkers,
    startTaskWorkers,
    startEvents,
    finishTasks: async () => {
      await using _workers = await startTaskWorkers()
      const left = async () => {
        const { length } = await rows(database.db, sql`select from tasks where state <> 'stopped'`)
        if (length > 0) throw new Error(`${length} tasks have not ended`)
      }
      await vi.waitFor(left, { timeout: 30_000, interval: 20 })
    },
    listen: () => server.listen({ port: 0, host: '127.0.0.1' }),
    listenAsVendor: () => {
      if (!vendor) throw new Error('the vendor listener is not open')
      return vendor.listen({ port: 0, host: '127.0.0.1' })
    },
    admin,
    nobody: as({}),
    as,
    asVendor: (caller) => {
      if (!vendor) throw new Error('the vendor listener is not open')
      return as(caller ? { authorization: caller.authorization } : {}, vendor)
    },
    counting: countStatements,
    can: async (permissions, { search = null, also = [], organization_ids = [], location_ids = [] } = {}) => {
      const login = `user${++users}`
      const role = await expectCreated(admin.post('/api/roles', { role: { name: `role of ${login}` } }))
      const grant = async (names: readonly string[], condition: string | null) => {
        for (const permission_ids of await idsByType(knownPermissions, names)) {
          const filter = { role_id: role.id, permission_ids, search: condition }
          await expectCreated(admin.post('/api/filters', { filter }))
        }
      }
      await grant(permissions, search)
      await grant(also, null)
      const user = await expectCreated(
        admin.post('/api/users', {
          user: {
            login,
            mail: `${login}@example.test`,
            password: 'long enough',
            auth_source_id: 1,
            role_ids: [role.id],
            organization_ids,
            location_ids,
          },
        }),
      )
      const token = await expectCreated(admin.post(`/api/users/${user.id}/personal_access_tokens`, { name: 'test' }))
      const authorization = `Bearer ${token.token_value}`
      return { ...as({ authorization }), id: user.id, login, authorization }
    },
    async [Symbol.asyncDispose]() {
      await vendor?.close()
      await server.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

export function basic(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
}

/** Yields the body of an answer that must be 201. */
export async function expectCreated(sent: Promise<Reply>) {
  const { status, body, text } = await sent
  if (status !== 201) throw new Error(`expected 201, got ${status}: ${text}`)
  return body
}

interface Permission {
  readonly id: number
  readonly name: string
  readonly resource_type: string
}

async function listPermissions(admin: Caller): Promise<readonly Permission[]> {
  return (await admin.get('/api/permissions?per_page=all')).body.results
}

/** Yields the ids of permissions grouped by type, because a filter holds permissions of one type. */
async function idsByType(
  permissions: () => Promise<readonly Permission[]>,
  names: readonly string[],
): Promise<number[][]> {
  if (names.length === 0) return []
  const wanted = (await permissions()).filter(({ name }) => names.includes(name))
  if (wanted.length !== names.length) throw new Error(`unknown permission among ${names.join(', ')}`)
  return [...Map.groupBy(wanted, ({ resource_type }) => resource_type).values()].map((group) =>
    group.map(({ id }) => id),
  )
}
