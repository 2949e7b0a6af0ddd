import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { recordEntered } from './entered.ts'
import { endProcesses } from './processes.ts'

// Runs before each test file.
if (process.env.TEST_SEED) fc.configureGlobal({ seed: Number(process.env.TEST_SEED) })
if (process.env.TEST_ENTERED === 'yes') recordEntered()

/** The default data directory of the service, which in a checkout belongs to the developer. */
const DATA = 'data'
const hadData = existsSync(DATA)
afterAll(() => {
  // Processes that a failed test has left end now, not after the last file.
  endProcesses()
  expect(hadData || !existsSync(DATA), `a test kept something in ${DATA}`).toBe(true)
})
