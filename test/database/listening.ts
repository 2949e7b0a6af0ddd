import { readConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/database/database.ts'
import { openApi } from '../../src/service/service.ts'
import { basic } from '../support/api.ts'
import { quiet } from '../support/settings.ts'

/** The service on a database, on a port of this machine; its administrator asks. */
export async function listening(database: Database, dataDir: string) {
  const env = { MILLWRIGHT_DATA_DIR: dataDir, MILLWRIGHT_ADMIN_PASSWORD: 'correct horse' }
  const { server } = await openApi(
    database,
    readConfig([], env, () => ''),
    quiet,
  )
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  const headers = { authorization: basic('admin', 'correct horse'), 'content-type': 'application/json' }
  return {
    fetch: (path: string, options: RequestInit = {}) => fetch(`${address}${path}`, { headers, ...options }),
    [Symbol.asyncDispose]: () => server.close(),
  }
}
