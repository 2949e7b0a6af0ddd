import { join } from 'node:path'
import { openTestApi, type TestApi } from '../support/api.ts'
import { urlOfServerDatabase } from '../support/database.ts'

/** Opens the service that takes records, and yields the variables with which a command reaches its data and its keys. */
export async function openHere(
  folder: string,
  further: Readonly<Record<string, string>> = {},
): Promise<{ readonly api: TestApi; readonly env: Record<string, string> }> {
  const keys = { MILLWRIGHT_ENCRYPTION_KEY_FILE: join(folder, 'keys') }
  const api = await openTestApi({ env: { ...keys, ...further } })
  const url = await urlOfServerDatabase(api.database.db)
  return { api, env: { ...keys, DATABASE_URL: url, MILLWRIGHT_PASSWORD_MEMORY: '8' } }
}
