import { readConfig } from '../../src/config/config.ts'
import { openApi } from '../../src/service/service.ts'
import { ADMIN, basic, type Caller, type Reply } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { quiet } from '../support/settings.ts'

/** A service with both listeners: `ours` speaks the specification's words, `theirs` those of existing clients. */
export interface BothListeners extends AsyncDisposable {
  readonly ours: Caller
  readonly theirs: Caller
  /** A caller without credentials. */
  readonly stranger: Caller
  /** Lets the listener of existing clients listen on a port of this machine, and yields its address. */
  readonly listen: () => Promise<string>
}

/** Opens both listeners on a new database, without a network. */
export async function openBothListeners(): Promise<BothListeners> {
  const database = await openTestDatabase()
  const env = {
    MILLWRIGHT_DATA_DIR: 'memory',
    MILLWRIGHT_ADMIN_LOGIN: ADMIN.login,
    MILLWRIGHT_ADMIN_PASSWORD: ADMIN.password,
    MILLWRIGHT_VENDOR_PORT: '0',
  }
  const { server, vendor } = await openApi(
    database,
    readConfig([], env, () => ''),
    quiet,
  )
  if (!vendor) throw new Error('the vendor listener is not open')
  await Promise.all([server.ready(), vendor.ready()])
  const authorization = basic(ADMIN.login, ADMIN.password)
  return {
    ours: caller(server, { authorization }),
    theirs: caller(vendor, { authorization }),
    stranger: caller(vendor, {}),
    listen: () => vendor.listen({ port: 0, host: '127.0.0.1' }),
    async [Symbol.asyncDispose]() {
      await vendor.close()
      await server.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

type Server = Awaited<ReturnType<typeof openApi>>['server']

function caller(server: Server, own: Record<string, string>): Caller {
  const send: Caller['send'] = async (options): Promise<Reply> => {
    const { statusCode, body, headers } = await server.inject({ ...options, headers: { ...own, ...options.headers } })
    const isJson = String(headers['content-type'] ?? '').startsWith('application/json') && body !== ''
    return { status: statusCode, body: isJson ? JSON.parse(body) : undefined, text: body, headers }
  }
  const carrying =
    (method: 'POST' | 'PUT' | 'DELETE') =>
    (url: string, body?: unknown, headers: Record<string, string> = {}) =>
      send({
        method,
        url,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
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
