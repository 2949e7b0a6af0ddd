import { existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { readDurations } from './long-first.ts'

const ROOT = join(import.meta.dirname, '../..')
const STORED = join(ROOT, 'test/durations.json')

/**
 * With TEST_DURATIONS=yes it stores how many seconds each file took, which orders the next run (`LongFirst`): see
 * CONTRIBUTING.md. What did not run keeps what it took before, and what is gone is left out.
 */
export class StoreDurations implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
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
