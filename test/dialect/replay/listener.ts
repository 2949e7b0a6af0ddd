import type { FastifyInstance } from 'fastify'
import { vi } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import type { Database } from '../../../src/database/database.ts'
import { row } from '../../../src/database/sql.ts'
import { openApi } from '../../../src/service/service.ts'
import { sql } from '../../../src/sql.ts'
import { CONFIG_CLASSES_PATH } from '../../../src/words/protocols.ts'
import { ADMIN, basic } from '../../support/api.ts'
import { openTestDatabase, truncateAll } from '../../support/database.ts'
import { BEHAVIOURS, type Behaviour, type ProxyPeer, startProxy } from '../../support/peers/proxy.ts'
import { quiet } from '../../support/settings.ts'
import { startDirectory } from './directory.ts'
import { isObject, type Json, type JsonObject } from './exchanges.ts'
import { rowsOf } from './records.ts'
import type { Ground, Say, Send } from './world.ts'

/** The vendor listener of a service that can be reinstalled. */
export interface Listener extends AsyncDisposable {
  /** Resets the service to its state after installation. */
  readonly fresh: () => Promise<Ground>
}

/** Opens the listener on a new database, with a peer that stands for all smart proxies. */
export async function openListener(): Promise<Listener> {
  const database = await openTestDatabase()
  const peer = await startProxy()
  const { server, vendor, workers } = await install(database)
  const directory = await startDirectory()
  const token = await makeToken(vendor)
  let installations = 0
  return {
    fresh: async () => {
      await uninstall(database, ++installations)
      const made = ground(vendor, database, { proxies: peer, directory }, token)
      // These requests also clear the cache of organizations and locations.
      await made.send('POST', '/api/organizations', { organization: { name: 'Default Organization' } })
      await made.send('POST', '/api/locations', { location: { name: 'Default Location' } })
      return made
    },
    async [Symbol.asyncDispose]() {
      await workers[Symbol.asyncDispose]()
      await vendor.close()
      await server.close()
      await directory[Symbol.asyncDispose]()
      await peer[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

// Tables that migrations and the first start fill, which is slow because of password hashing.
const KEPT = ['template_kinds', 'users', 'personal_access_tokens', 'auth_sources', 'roles', 'permissions', 'settings']

/** Empties the database of a running service and invalidates cached totals. */
async function uninstall(database: Database, times: number): Promise<void> {
  await truncateAll(database, KEPT)
  await sql`delete from users where login <> ${ADMIN.login}`.execute(database.db)
  await sql`delete from auth_sources where type = 'AuthSourceLdap'`.execute(database.db)
  await sql`insert into table_changes select tablename, 0, ${times * 1_000_000} from pg_tables where schemaname = 'public'`.execute(
    database.db,
  )
}

async function install(database: Database) {
  const env = {
    MILLWRIGHT_DATA_DIR: 'memory',
    MILLWRIGHT_ADMIN_LOGIN: ADMIN.login,
    MILLWRIGHT_ADMIN_PASSWORD: ADMIN.password,
    MILLWRIGHT_VENDOR_PORT: '0',
  }
  const { server, vendor, startTaskWorkers } = await openApi(
    database,
    readConfig([], env, () => ''),
    quiet,
  )
  if (!vendor) throw new Error('the vendor listener is not open')
  await vendor.ready()
  return { server, vendor, workers: await startTaskWorkers() }
}

/** Creates a token, so that no service has to verify a password first. */
async function makeToken(server: FastifyInstance): Promise<string> {
  const { body } = await server.inject({
    method: 'POST',
    url: '/api/users/admin/personal_access_tokens',
    headers: { authorization: basic(ADMIN.login, ADMIN.password), 'content-type': 'application/json' },
    payload: JSON.stringify({ personal_access_token: { name: 'replay' } }),
  })
  const read: { readonly token_value: string } = JSON.parse(body)
  return read.token_value
}

interface Peers {
  readonly proxies: ProxyPeer
  readonly directory: { readonly port: number }
}

function ground(
  server: FastifyInstance,
  database: Database,
  { proxies: peer, directory }: Peers,
  token: string,
): Ground {
  const saying = (authorization: string): Say => {
    return async ({ method, url, headers, payload }) => {
      const answer = await server.inject({
        method: method as 'GET', // inject wants a literal
        url,
        headers: { authorization, ...headers },
        ...(payload !== undefined && { payload }),
      })
      if (answer.statusCode === 202) await vi.waitFor(() => expectNoTasks(database), { timeout: 30_000, interval: 5 })
      const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json') && answer.body !== ''
      const read = (text: string): Json => JSON.parse(text)
      return { status: answer.statusCode, body: isJson ? read(answer.body) : undefined, text: answer.body }
    }
  }
  const as = (authorization: string): Send => {
    const say = saying(authorization)
    return (method, url, body) => {
      if (body === undefined) return say({ method, url, headers: {} })
      return say({ method, url, headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) })
    }
  }
  const send = as(`Bearer ${token}`)
  const pages: Record<string, Behaviour> = {}
  let proxies = 0
  return {
    send,
    say: saying(`Bearer ${token}`),
    powerless: async (...request) => {
      await send('POST', '/api/users', { user: POWERLESS })
      return as(basic(POWERLESS.login, POWERLESS.password))(...request)
    },
    colleagueOf: async (user) => as(await makeColleague(send, user)),
    directory: { host: '127.0.0.1', port: directory.port, tls: false },
    storeParameter: (puppetclass, name, record) => storeParameter(database, puppetclass, name, record),
    silenceProxy: (url) => {
      pages[`${new URL(url).pathname}/v2/features`] = BEHAVIOURS['resets at once']
      peer.offer(pages)
    },
    proxyUrl: () => {
      const path = `/proxy${++proxies}`
      pages[`${path}/v2/features`] = json(FEATURES)
      pages[`${path}/${CONFIG_CLASSES_PATH}`] = json(['production'])
      pages[`${path}/${CONFIG_CLASSES_PATH}/production/classes`] = json([
        { ntp: { name: 'ntp', module: null, params: {} } },
      ])
      peer.offer(pages)
      return `${peer.url}${path}`
    },
  }
}

/** Fails if tasks are left: their work has to be done before anybody asks for them. */
async function expectNoTasks({ db }: Database): Promise<void> {
  const left = await row(db, sql`select from tasks where state <> 'stopped' limit 1`)
  if (left) throw new Error('a task has not ended')
}

/** Creates a user in the same place who may view users, and yields the credentials. */
async function makeColleague(send: Send, user: number): Promise<string> {
  const place = { organization_ids: [1], location_ids: [1] }
  await send('PUT', `/api/users/${user}`, { user: place })
  const role = { name: `views user ${user}` }
  const { body: made } = await send('POST', '/api/roles', { role })
  const { body: permissions } = await send('GET', '/api/permissions?search=name%3Dview_users')
  const [{ id: permission } = {}] = rowsOf(permissions)
  const role_id = isObject(made) ? made.id : null
  await send('POST', '/api/filters', { filter: { role_id, permission_ids: [permission] } })
  const login = `colleague-of-${user}`
  await send('POST', '/api/users', { user: { ...POWERLESS, ...place, login, role_ids: [role_id] } })
  return basic(login, POWERLESS.password)
}

const POWERLESS = {
  login: 'powerless',
  password: 'powerless-password',
  mail: 'powerless@example.test',
  auth_source_id: 1,
}

function json(value: unknown): Behaviour {
  return (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

const RUNNING = { state: 'running', http_enabled: true, https_enabled: true, settings: {}, capabilities: [] }
const FEATURES = { puppet: RUNNING, puppetca: RUNNING, dhcp: RUNNING, dns: RUNNING, tftp: RUNNING }

/** Stores a class parameter as an import of classes does, in all environments of its class. */
async function storeParameter(
  { db }: Database,
  puppetclass: number,
  name: string,
  { override, parameter_type, override_value_order }: JsonObject,
): Promise<number> {
  const order = typeof override_value_order === 'string' ? override_value_order : null
  const type = typeof parameter_type === 'string' ? parameter_type : 'string'
  const stored = await row<{ id: number }>(
    db,
    sql`insert into smart_class_parameters (configclass_id, parameter, parameter_type, override, override_value_order, default_value)
      values (${puppetclass}, ${name}, ${type}, ${override !== false}, ${order}, '"abc"'::jsonb) returning id`,
  )
  await sql`
    with of_class as (select environment_id from configclass_environments where configclass_id = ${puppetclass})
    insert into class_parameter_environments (smart_class_parameter_id, environment_id)
    select ${stored?.id}::bigint, id from environments
    where id in (select environment_id from of_class) or not exists (select from of_class)`.execute(db)
  return Number(stored?.id)
}
