import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

// Every citation in a comment names a section that this repository has.
const ROOT = join(import.meta.dirname, '../..')
const CITING = ['src', 'test', 'bench', 'scripts', 'migrations', 'docs']
const PAPERS = ['core-api', 'content-api', 'smart-parameters', 'clients'] as const

const NUMBERS = String.raw`§?\d+(?:\.\d+)*`
const CITATION = new RegExp(
  String.raw`(${PAPERS.join('|')}|spec(?:ification)?)(?:\.md)?[\s*/]+(${NUMBERS}(?:[\s*/]*(?:,|and|or|to)[\s*/]+${NUMBERS}(?![\w-]))*)`,
  'gi',
)

/** Public standards are cited by number and are not part of the repository. */
const STANDARD = /RFC \d+ §\d+(?:\.\d+)*/g
const NOTE = /\bnotes ((?:[A-D]\d*)(?:, [A-D]\d+)*)\b/g

const texts = CITING.flatMap((folder) => filesIn(folder)).map((path) => ({ path, text: read(path) }))

describe('citations', () => {
  const sections = new Map<string, ReadonlySet<string>>([
    ...PAPERS.map((paper) => [paper, headingsOf(paper)] as const),
    ['spec', specificationRows()],
  ])

  test('each has its target', () => {
    const missing = texts.flatMap(({ path, text }) =>
      citationsIn(text).flatMap(({ paper, section }) =>
        sections.get(paper)?.has(section) ? [] : [`${path}: ${paper} §${section}`],
      ),
    )
    expect(missing).toEqual([])
  })

  test('no section is cited without the name of its paper', () => {
    const nameless = texts.filter(({ text }) => {
      const named = [...text.matchAll(CITATION), ...text.matchAll(STANDARD)]
      const sections = named.flatMap(([whole]) => whole.match(/§/g) ?? [])
      return sections.length !== (text.match(/§(?=\d)/g) ?? []).length
    })
    expect(nameless.map(({ path }) => path)).toEqual([])
  })

  test('each note has its row', () => {
    const rows = new Set(
      [...read('docs/reference/smart-parameters.md').matchAll(/^\| ([A-D]\d*) \|/gm)].map(([, note]) => note),
    )
    const cited = texts.flatMap(({ text }) => [...text.matchAll(NOTE)].flatMap(([, list = '']) => list.split(', ')))
    expect(cited.filter((note) => !rows.has(note))).toEqual([])
    expect(cited.length).toBeGreaterThan(15)
  })

  test('there are citations to check', () => {
    expect(texts.flatMap(({ text }) => citationsIn(text)).length).toBeGreaterThan(400)
  })
})

function citationsIn(text: string): { readonly paper: string; readonly section: string }[] {
  return [...text.matchAll(CITATION)].flatMap(([, name = '', list = '']) => {
    const paper = name.toLowerCase().replace('specification', 'spec')
    return [...list.matchAll(/\d+(?:\.\d+)*/g)].map(([section]) => ({ paper, section }))
  })
}

function headingsOf(paper: string): ReadonlySet<string> {
  const headings = read(`docs/reference/${paper}.md`).matchAll(/^#{2,3} (\d+(?:\.\d+)*)/gm)
  return new Set([...headings].map(([, number = '']) => number))
}

/** Lists the sections of the specification that docs/contract.md covers, with their parents. */
function specificationRows(): ReadonlySet<string> {
  const rows = read('docs/contract.md').matchAll(/^\| ([\d., ]+) \|/gm)
  const named = [...rows].flatMap(([, list = '']) => list.split(',').map((section) => section.trim()))
  return new Set(named.flatMap((section) => [section, section.split('.')[0] ?? section]))
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(?:ts|mjs|sql|md|yml)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .filter((path) => !/^docs\/(?:reference|generated)\//.test(path) && !path.includes('/recorded/'))
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
