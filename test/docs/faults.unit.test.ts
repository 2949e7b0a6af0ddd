import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('each fault of docs/faults.md names a test that there is', () => {
  const lines = read('docs/faults.md').matchAll(/^\| (?!what fails|-)([^|]+) \| [^|]+ \| `([^`|]+)`: ([^|]+) \|$/gm)
  const cells = [...lines].map(([, fault = '', path = '', name = '']) => ({ fault, path, name }))
  const missing = cells.filter(({ path, name }) => !existsSync(join(ROOT, path)) || !read(path).includes(name))
  expect(missing).toEqual([])
  // A line in another form would be skipped.
  expect(cells).toHaveLength([...read('docs/faults.md').matchAll(/^\| /gm)].length - 1)
  expect(cells.length).toBeGreaterThan(20)
})
