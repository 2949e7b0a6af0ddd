import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/support/long-first.ts'
import { StoreDurations } from './test/support/store-durations.ts'
import { keepTemporaryFilesInMemory } from './test/support/temporary.ts'

keepTemporaryFilesInMemory()

// Files ending in .unit.test.ts need no test database.
const UNIT = '{test,web/test}/**/*.unit.test.ts'
const ALL = '{test,web/test}/**/*.test.ts'
// What `npm test` leaves out (docs/decisions/0046-long-tests.md). Projects have their own `exclude`, which the flag of that
// name does not reach.
const LEFT_OUT = process.env.TEST_LEFT_OUT?.split(',').filter(Boolean) ?? []
// Where the results of `.ci/run` go, for `scripts/list-failed.mjs`.
const RESULTS = process.env.TEST_RESULTS
const results: ['json', { outputFile: string }][] = RESULTS ? [['json', { outputFile: RESULTS }]] : []
const common = {
  // They end what hangs, on a machine that may be busy; no test is about time.
  testTimeout: 120_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 20_000 } },
  setupFiles: 'test/support/each-file.ts',
  // Importing a module does nothing and changes nothing, so files share what they import: reading and compiling it for each
  // took as long as most of their tests. Each still opens a service on a database of its own.
  isolate: false,
}

const program = ['test/support/prepare-program.ts']

const withDatabase = {
  name: 'database',
  include: [ALL],
  exclude: [UNIT, ...LEFT_OUT],
  globalSetup: [...program, 'test/support/prepare-postgresql.ts'],
  ...common,
}

// They run last, and wait for the programs that they start: two workers leave a fifth of two cores idle.
const withoutDatabase = {
  name: 'unit',
  include: [UNIT],
  exclude: LEFT_OUT,
  globalSetup: program,
  maxWorkers: 3,
  sequence: { groupOrder: 1 },
  ...common,
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    reporters: ['default', ...results, new StoreDurations()],
    projects: [{ test: withDatabase }, { test: withoutDatabase }],
  },
})
