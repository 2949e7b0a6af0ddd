import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// SECURITY.md names for each promise the test that proves it; the figures of README.md are those of docs/benchmarks.md.
const ROOT = join(import.meta.dirname, '../..')
const [, promises = ''] = read('SECURITY.md').split('\n## Promises')
const rows = [...promises.matchAll(/^\| (?!promise |-)(.+?) \| (.+?) \|$/gm)]

test('every promise names a test that is there', () => {
  const missing = rows.flatMap(([, promise = '', tests = '']) => {
    const named = [...tests.matchAll(/test\/[\w/.-]+\.test\.ts/g)].map(([path]) => path)
    const gone = named.filter((path) => !existsSync(join(ROOT, path)))
    return named.length === 0 ? [`${promise}: names no test`] : gone.map((path) => `${promise}: ${path}`)
  })
  expect(missing).toEqual([])
  expect(rows.length).toBeGreaterThan(20)
})

test('the memory that README.md speaks of is what was measured last', () => {
  const [, beside, bundled] =
    /An idle process needs (\d+) MiB .* PostgreSQL server,\s+and (\d+) MiB/.exec(read('README.md')) ?? []
  expect([beside, bundled]).toEqual([lastMeasured('PostgreSQL'), lastMeasured('bundled')])
})

/** Yields the last measured memory: tables of the benchmarks are in order of time, and their heads tell the column. */
function lastMeasured(database: string): string | undefined {
  let column = -1
  let last: string | undefined
  for (const line of read('docs/benchmarks.md').split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim())
    if (cells[1] === 'work') column = cells.indexOf('MiB')
    if (cells[1] === 'idle after the start' && cells[2] === database) last = cells[column]
  }
  return last
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
