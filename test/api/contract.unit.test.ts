import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const contract = readFileSync(join(ROOT, 'docs/contract.md'), 'utf8')

test('every test and page that docs/contract.md names is there', () => {
  const tests = [...contract.matchAll(/test\/[\w/.-]+\.test\.ts/g)].map(([path]) => path)
  const pages = [...contract.matchAll(/\]\(([\w/.-]+\.md)\)/g)].map(([, path]) => join('docs', path ?? ''))
  expect(tests.length).toBeGreaterThan(20)
  expect([...new Set([...tests, ...pages])].filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('every deviation has a row of its own, and rows are complete', () => {
  const rows = contract.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| there'))
  expect(new Set(rows).size).toBe(rows.filter((row) => !/^\| (section|behaviour)/.test(row)).length + 2)
  for (const row of rows) expect(row.split('|').length, row).toBeGreaterThanOrEqual(4)
})
