import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { spawnSync } from './processes.ts'

/**
 * Begins each project with the files that have changed since the last commit or are new, because they fail most likely; then
 * with those that took longest when durations were last stored (`test/durations.json`), so that none of them is left for the end,
 * where other workers would wait for it.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`
    const durations = readDurations(`${root}test/durations.json`)
    const changed = listChanged(root)
    const durationOf = ({ moduleId }: TestSpecification) => {
      const path = moduleId.replace(root, '')
      return changed.has(path) ? Infinity : (durations[path] ?? Infinity)
    }
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...byProject.values()].flatMap((those) => those.toSorted((one, other) => compare(other, one)))

    function compare(one: TestSpecification, other: TestSpecification): number {
      const [first, second] = [durationOf(one), durationOf(other)]
      return first === second ? 0 : first - second
    }
  }
}

/** Lists the files that git sees changed; none where there is no history. */
function listChanged(root: string): ReadonlySet<string> {
  const { stdout } = spawnSync('git', ['diff', '--name-only', '--relative', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return new Set((stdout ?? '').split('\n'))
}

/** Reads how many seconds each file took. */
export function readDurations(path: string): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(path, 'utf8'))
}
