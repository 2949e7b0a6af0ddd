import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Begins each project with the files that take longest, in the order of `test/long.json`, so that none of them is left for
 * the end, where other workers would wait for it. Otherwise a fresh checkout begins with the largest files.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`
    const long = Object.keys(JSON.parse(readFileSync(`${root}test/long.json`, 'utf8')))
    const placeOf = ({ moduleId }: TestSpecification) => {
      const at = long.indexOf(moduleId.replace(root, ''))
      return at < 0 ? long.length : at
    }
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...byProject.values()].flatMap((those) => those.toSorted((one, other) => placeOf(one) - placeOf(other)))
  }
}
