import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import { type EnteredRecord, RECORDS } from './choose-tests.ts'

const ROOT = join(import.meta.dirname, '../..')

const session = new Session()
let isStarted = false

/**
 * Records which functions of `src` the present test file enters in its own process. `chooseTests` reads what it records.
 * What is called while modules are loaded does not count: it says nothing about a test.
 */
export function recordEntered(): void {
  beforeAll(async () => {
    if (!isStarted) {
      session.connect()
      await session.post('Profiler.enable')
      await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
      isStarted = true
    }
    await session.post('Profiler.takePreciseCoverage') // forgets what was called until now
  })
  afterAll(async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const entered = result.flatMap(({ url, functions }): [string, string[]][] => {
      const source = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : url
      const called = functions.filter(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0)
      if (!source.startsWith('src/') || called.length === 0) return []
      return [[source, called.map(({ functionName, ranges }) => `${functionName} ${ranges[0]?.startOffset}`)]]
    })
    const test = relative(ROOT, expect.getState().testPath ?? '')
    mkdirSync(RECORDS, { recursive: true })
    const record: EnteredRecord = { test, entered: Object.fromEntries(entered) }
    writeFileSync(join(RECORDS, `${test.replaceAll('/', '+')}.json`), JSON.stringify(record))
  })
}
