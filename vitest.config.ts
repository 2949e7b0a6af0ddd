import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/support/long-first.ts'
import { postgresqlBinaries } from './test/support/postgresql.ts'
import { keepTemporaryFilesInMemory } from './test/support/temporary.ts'

keepTemporaryFilesInMemory()

// Files ending in .unit.test.ts need no test database. All others run once: on PostgreSQL where a server is there, else on PGlite
// but for those that take a server (.postgresql.test.ts). What the folder of the database tests runs on both.
const UNIT = '{test,web/test}/**/*.unit.test.ts'
const SERVER = '{test,web/test}/**/*.postgresql.test.ts'
const ALL = '{test,web/test}/**/*.test.ts'
const ABOUT_DATABASES = 'test/database/*.test.ts'
// What `npm test` leaves out (docs/decisions/0046-long-tests.md). Projects have their own `exclude`, which the flag of that
// name does not reach.
const LEFT_OUT = process.env.TEST_LEFT_OUT?.split(',').filter(Boolean) ?? []
// They end what hangs, on a machine that may be busy; no test is about time.
const limits = { testTimeout: 120_000, hookTimeout: 240_000, setupFiles: 'test/support/each-file.ts' }

const program = ['test/support/prepare-program.ts']

// Importing a module does nothing and changes nothing, so the files that need a database share what they import: reading
// and compiling it for each took as long as most of their tests. Each still opens a service on a database of its own.
const shared = { ...limits, isolate: false }

const pglite = {
  name: 'pglite',
  include: [ALL],
  exclude: [UNIT, SERVER, ...LEFT_OUT],
  globalSetup: [...program, 'test/support/prepare-pglite.ts'],
  ...shared,
}
const postgresql = {
  name: 'postgresql',
  include: [ALL],
  exclude: [UNIT, ...LEFT_OUT],
  globalSetup: [...program, 'test/support/prepare-postgresql.ts'],
  ...shared,
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    projects: [
      { test: { name: 'unit', include: [UNIT], exclude: LEFT_OUT, globalSetup: program, ...limits } },
      ...databases().map((test) => ({ test })),
    ],
  },
})

/** TEST_DATABASE=pglite runs on it what else runs on a server; without PostgreSQL the rest still runs, except where CI=true asks for all. */
function databases(): (typeof pglite)[] {
  const { TEST_DATABASE, TEST_DATABASE_URL, CI } = process.env
  if (TEST_DATABASE === 'pglite') return [pglite]
  const hasServer = Boolean(TEST_DATABASE_URL) || postgresqlBinaries() !== null
  if (TEST_DATABASE === 'postgresql' || hasServer || CI === 'true')
    return TEST_DATABASE ? [postgresql] : [{ ...pglite, include: [ABOUT_DATABASES] }, postgresql]
  console.log(
    'skipped: the tests on PostgreSQL (no initdb and postgres here; install PostgreSQL or set TEST_DATABASE_URL)',
  )
  return [pglite]
}
