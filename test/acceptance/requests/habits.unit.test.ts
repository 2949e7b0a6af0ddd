import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { startService } from '../../../src/service/service.ts'
import { execFile } from '../../support/processes.ts'
import { quiet } from '../../support/settings.ts'

const SCRIPT = join(import.meta.dirname, 'habits.py')
const PYTHON = '/usr/bin/python3'
const requests = hasRequests()
const run = promisify(execFile)

describe.skipIf(!requests)('stricter clients', () => {
  test('find what they are used to', { timeout: 60_000 }, async () => {
    const env = {
      MILLWRIGHT_DATA_DIR: 'memory',
      MILLWRIGHT_PORT: '0',
      MILLWRIGHT_VENDOR_PORT: '0',
      MILLWRIGHT_ADMIN_LOGIN: 'admin',
      MILLWRIGHT_ADMIN_PASSWORD: 'admin-password',
    }
    await using service = await startService(
      readConfig([], env, () => ''),
      quiet,
    )
    const { stdout } = await run(PYTHON, [SCRIPT, service.vendorAddress ?? '', 'admin', 'admin-password'])
    expect(stdout).toMatch(/^done$/m)
  })
})

/** Tells whether Debian's package of Python's requests is installed; false is reported, and fails with CI=true. */
function hasRequests(): boolean {
  if (existsSync(PYTHON) && existsSync('/usr/lib/python3/dist-packages/requests')) return true
  const missing = 'python3-requests is not installed (.ci/run installs it)'
  if (process.env.CI === 'true') throw new Error(missing)
  console.log(`skipped: the habits of stricter clients: ${missing}`)
  return false
}
