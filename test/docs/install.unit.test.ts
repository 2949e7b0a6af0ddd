import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { blocksOf } from './terminal.ts'

const GUIDE = readFileSync('docs/install.md', 'utf8')

test('each command of the guide to install is read and run by a test, or said not to be', () => {
  const tests = globSync('test/**/*.test.ts').map((path) => readFileSync(path, 'utf8'))
  const readers = tests.filter((text) => text.includes("readFileSync('docs/install.md'"))
  const sections = GUIDE.split(/^##? /m).filter((text) => text.includes('```'))
  expect(sections.length).toBeGreaterThan(4)
  const untested = sections.flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'))
    expect(blocksOf(GUIDE, heading).length).toBeGreaterThan(0)
    const isRead = readers.some((text) => text.includes(`'${heading}'`))
    return isRead || section.includes('Not run by a test:') ? [] : [heading]
  })
  expect(untested).toEqual([])
})
