import { existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { chooseTests } from './choose-tests.ts'
import { readDurations } from './long-first.ts'

const ROOT = join(import.meta.dirname, '../..')
const STORED = join(ROOT, 'test/durations.json')
const CHOICE = join(ROOT, 'test/entered.json')

/**
 * With TEST_DURATIONS=yes it stores how many seconds each file took, which orders the next run (`LongFirst`): see
 * CONTRIBUTING.md. What did not run keeps what it took before, and what is gone is left out. With TEST_ENTERED=yes it stores which
 * tests tell most about each source file, for `npm test -- --changed`.
 */
export class StoreDurations implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (process.env.TEST_ENTERED === 'yes')
      writeFileSync(CHOICE, `${JSON.stringify(chooseTests(readDurations(STORED)))}\n`)
    if (process.env.TEST_DURATIONS !== 'yes') return
    const found = modules.map((module): [string, number] => {
      const { duration, collectDuration } = module.diagnostic()
      return [relative(ROOT, module.moduleId), Math.round((duration + collectDuration) / 100) / 10]
    })
    const all = Object.entries({ ...readDurations(STORED), ...Object.fromEntries(found) })
    const sorted = all.filter(([path]) => isThere(path)).sort(([one], [other]) => (one < other ? -1 : 1))
    writeFileSync(STORED, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
  }
}

function isThere(path: string): boolean {
  return existsSync(join(ROOT, path))
}
