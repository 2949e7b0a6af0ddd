import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { endProcesses } from './processes.ts'

// Set up before each file.
if (process.env.TEST_SEED) fc.configureGlobal({ seed: Number(process.env.TEST_SEED) })

/** Where a service keeps its data when nobody says where: those of a checkout belong to whoever works in it. */
const DATA = 'data'
const hadData = existsSync(DATA)
afterAll(() => {
  // What a failed test has left does not stay until the last file has ended.
  endProcesses()
  expect(hadData || !existsSync(DATA), `a test kept something in ${DATA}`).toBe(true)
})
