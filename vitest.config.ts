import { defineConfig } from 'vitest/config'
import { postgresqlBinaries } from './test/support/postgresql.ts'

// Files ending in .unit.test.ts need no test database and run once, those ending in .postgresql.test.ts are about what
// only a server does; all others run on PGlite and on PostgreSQL.
const UNIT = 'test/**/*.unit.test.ts'
const SERVER = 'test/**/*.postgresql.test.ts'
const ALL = 'test/**/*.test.ts'
const limits = { testTimeout: 30_000, hookTimeout: 60_000 }

const pglite = {
  name: 'pglite',
  include: [ALL],
  exclude: [UNIT, SERVER],
  globalSetup: 'test/support/prepare-pglite.ts',
  ...limits,
}
const postgresql = {
  name: 'postgresql',
  include: [ALL],
  exclude: [UNIT],
  globalSetup: 'test/support/prepare-postgresql.ts',
  ...limits,
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [{ test: { name: 'unit', include: [UNIT], ...limits } }, ...databases().map((test) => ({ test }))],
  },
})

/** TEST_DATABASE limits the run to one of them; without PostgreSQL the rest still runs, except where CI=true asks for all. */
function databases(): (typeof pglite)[] {
  const { TEST_DATABASE, TEST_DATABASE_URL, CI } = process.env
  if (TEST_DATABASE === 'pglite') return [pglite]
  const hasServer = Boolean(TEST_DATABASE_URL) || postgresqlBinaries() !== null
  if (TEST_DATABASE === 'postgresql' || hasServer || CI === 'true')
    return TEST_DATABASE ? [postgresql] : [pglite, postgresql]
  console.log(
    'skipped: the tests on PostgreSQL (no initdb and postgres here; install PostgreSQL or set TEST_DATABASE_URL)',
  )
  return [pglite]
}
