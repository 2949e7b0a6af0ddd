import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GoldenFile, goldenFiles } from '../../scripts/description/golden.ts'
import { openLaboratory } from '../../scripts/description/laboratory.ts'
import type { Database } from '../../src/database/connect.ts'
import { openTestDatabase } from '../support/database.ts'

// On both databases: what is written down must be the same on both, above all the SQL.
let database: Database
let files: readonly GoldenFile[]

beforeAll(async () => {
  database = await openTestDatabase()
  await using laboratory = await openLaboratory(database)
  files = await goldenFiles(laboratory)
}, 120_000)
afterAll(() => database[Symbol.asyncDispose]())

test('the generated documents are what the declarations say; else run npm run docs and look at the difference', async () => {
  for (const { path, text } of files) {
    const stored = await readFile(join(import.meta.dirname, '../..', path), 'utf8').catch(() => '')
    // The first difference says more than two documents of thousands of lines.
    expect(firstDifference(stored, text), path).toBe(null)
  }
})

test('every resource has its SQL written down', () => {
  const paths = files.map(({ path }) => path).filter((path) => path.endsWith('.sql'))
  expect(paths).toContain('docs/generated/sql/architectures.sql')
  expect(new Set(paths).size).toBe(paths.length)
})

function firstDifference(stored: string, made: string): { line: number; stored?: string; made?: string } | null {
  const [before, after] = [stored.split('\n'), made.split('\n')]
  const index = Array.from({ length: Math.max(before.length, after.length) }, (_, at) => at).find(
    (at) => before[at] !== after[at],
  )
  return index === undefined ? null : { line: index + 1, stored: before[index], made: after[index] }
}
