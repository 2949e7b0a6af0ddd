import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assembleResources } from '../../src/areas/index.ts'
import { compileOrder, compileSearch, parseSearch, printSearch, type SearchSchema } from '../../src/search/index.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/search.md'), 'utf8')
const options = { now: new Date('2026-03-31T14:25:36Z'), zone: 'UTC', root: 't' }
const schemas = [...assembleResources().values()].map(({ searchSchema }) => searchSchema)

/** Yields the first cells in the tables of a section, where each holds code only. */
function examples(section: string): string[] {
  const text = guide.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...text.matchAll(/^\| (`.*?`(?:, `.*?`)*)\s*(?:\||;)/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(.*?)`/g)].map(([, code = '']) => code),
  )
}

function understood(search: string): SearchSchema | undefined {
  return schemas.find((schema) => {
    try {
      compileSearch(schema, search, options)
      return true
    } catch {
      return false
    }
  })
}

test('every search of the first table is understood by some resource', () => {
  const searches = examples('In a minute')
  expect(searches.length).toBeGreaterThan(8)
  expect(searches.filter((search) => !understood(search))).toEqual([])
})

test('every time that the guide names is one', () => {
  const times = examples('Times')
  expect(times.length).toBeGreaterThan(12)
  expect(times.filter((time) => !understood(`time = ${time}`))).toEqual([])
})

test('and, or and blanks group as the guide says', () => {
  const groupings = [...guide.matchAll(/`([abc a-z]+)` is\s+`([^`]+)`/g)].map(([, written = '', meant = '']) => [
    written,
    meant,
  ])
  expect(groupings.length).toBe(3)
  for (const [written = '', meant = ''] of groupings) {
    expect(printSearch(parseSearch(written))).toBe(printSearch(parseSearch(meant)))
  }
})

test('the examples in the text are understood, and the refused one is refused', () => {
  for (const search of ['title = "Debian 12"', 'id > "-1"', 'null? description', 'set? description', '= Debian']) {
    expect(guide).toContain(search)
    expect(understood(search), search).toBeDefined()
  }
  expect(understood('name!=x')).toBeUndefined()
  const [schema] = schemas
  if (!schema) throw new Error('there are no resources')
  expect(() => compileOrder(schema, 'name DESC', options)).not.toThrow()
  expect(() => compileSearch(schema, 'nmae = x', options)).toThrow("Field 'nmae' not recognized for searching!")
})
