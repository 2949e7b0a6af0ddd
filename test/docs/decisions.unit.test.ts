import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// Decision records have one form, their index knows every number, and what cites a record cites one that exists.
const ROOT = join(import.meta.dirname, '../..')
const FOLDER = 'docs/decisions'
const PARTS = ['Context', 'Decision', 'Consequences']
const STATUS = /^Date: \d{4}-\d\d-\d\d\. Status: (accepted|deprecated|superseded by \d{4}(?:, \d{4})*)\.$/m
const NAMED = /\.(?:json|mjs|tsx?)$/
const CITING = /^(?:docs|src|test|web|scripts|bench|migrations)\/.*\.(?:md|mjs|sql|tsx?)$|^[A-Z]+\.md$/

const records = readdirSync(join(ROOT, FOLDER))
  .filter((name) => /^\d{4}-.*\.md$/.test(name))
  .map((name) => ({ name, number: name.slice(0, 4), text: read(`${FOLDER}/${name}`) }))

test('a record has a title, a date, a status and three parts, in at most 400 words', () => {
  expect(records.flatMap(({ name, text }) => validateRecord(text).map((fault) => `${name}: ${fault}`))).toEqual([])
})

test('the index lists every number once, with title and status, or says why it is gone', () => {
  const rows = [...read(`${FOLDER}/README.md`).matchAll(/^\| (?:\[(\d{4})\]\((.*)\)|(\d{4})) \| (.*) \| (.*) \|$/gm)]
  const present = new Map(records.map((record) => [record.number, record]))
  const expected = Array.from({ length: Number(records.at(-1)?.number) }, (_, at) => String(at + 1).padStart(4, '0'))
  expect(rows.map(([, linked, , gone]) => linked ?? gone)).toEqual(expected)
  const wrong = rows.flatMap(([, linked = '', path = '', , title = '', status = '']) => {
    const record = present.get(linked)
    if (!record) return linked === '' && status.startsWith('gone: ') ? [] : [`${linked} has no record`]
    const [, listed] = STATUS.exec(record.text) ?? []
    return path === record.name && record.text.startsWith(`# ${linked} ${title}\n`) && status === listed ? [] : [linked]
  })
  expect(wrong).toEqual([])
  expect(rows.filter(([, , , gone]) => gone !== undefined && present.has(gone)).map(([row]) => row)).toEqual([])
})

test('whoever cites a record cites one that exists', () => {
  const numbers = new Set(records.map(({ number }) => number))
  const names = new Set(records.map(({ name }) => name.replace(/\.md$/, '')))
  const cited = listFiles(CITING).flatMap((path) => {
    const text = read(path)
    return [
      ...[...text.matchAll(/decisions\/(\d{4}(?:-[\w-]*\w)?)/g)].map(([, name = '']) => ({ path, name })),
      ...[...text.matchAll(/\bdecisions? (\d{4}(?:(?:, | and | to )\d{4})*)/gi)].flatMap(([, list = '']) =>
        (list.match(/\d{4}/g) ?? []).map((name) => ({ path, name })),
      ),
    ]
  })
  const missing = cited.filter(({ name }) => !numbers.has(name) && !names.has(name))
  expect(missing.map(({ path, name }) => `${path}: ${name}`)).toEqual([])
  expect(cited.length).toBeGreaterThan(80)
})

test('every file that a record names exists', () => {
  const files = listFiles(NAMED)
  const missing = records.flatMap(({ name, text }) =>
    [...text.matchAll(/`((?!\/)[\w./-]+\.(?:json|mjs|ts)|test\/[\w/-]+)`/g)]
      .filter(([, path = '']) => !files.some((file) => `/${file}`.includes(`/${path}`)))
      .map(([, path]) => `${name}: ${path}`),
  )
  expect(missing).toEqual([])
})

function validateRecord(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '').length
  const [, status = ''] = STATUS.exec(text) ?? []
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
  return [
    ...(/^# \d{4} \S.*\n\n/.test(text) ? [] : ['no title']),
    ...(status === '' ? ['no date and status'] : []),
    ...(headings.join() === PARTS.join() || status.startsWith('superseded') ? [] : [`parts: ${headings.join()}`]),
    ...(words > 400 ? [`${words} words`] : []),
  ]
}

function listFiles(kind: RegExp): string[] {
  return readdirSync(ROOT, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile()) return kind.test(entry.name) ? [entry.name] : []
    if (!/^(?:docs|src|test|web|scripts|bench|migrations)$/.test(entry.name)) return []
    return readdirSync(join(ROOT, entry.name), { recursive: true, withFileTypes: true })
      .filter((inner) => inner.isFile())
      .map((inner) => join(inner.parentPath, inner.name).slice(ROOT.length + 1))
      .filter((path) => kind.test(path) && !/node_modules|\/dist\/|\/recorded\//.test(path))
  })
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
