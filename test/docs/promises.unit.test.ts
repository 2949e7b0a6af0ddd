import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// SECURITY.md promises something in each row of its table and names the test that holds it.
const ROOT = join(import.meta.dirname, '../..')
const rows = [...readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').matchAll(/^\| (?!promise |-)(.+?) \| (.+?) \|$/gm)]

test('every promise names a test that is there', () => {
  const missing = rows.flatMap(([, promise = '', tests = '']) => {
    const named = [...tests.matchAll(/test\/[\w/.-]+\.test\.ts/g)].map(([path]) => path)
    const gone = named.filter((path) => !existsSync(join(ROOT, path)))
    return named.length === 0 ? [`${promise}: names no test`] : gone.map((path) => `${promise}: ${path}`)
  })
  expect(missing).toEqual([])
  expect(rows.length).toBeGreaterThan(20)
})
