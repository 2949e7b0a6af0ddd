import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assembleResources } from '../../src/areas/index.ts'
import { writeDescriptions } from '../build/descriptions.ts'
import { describeReferences } from '../build/references.ts'
import type { FormField, ResourceFull, ResourceShort } from '../src/resources/description.ts'
import { defaultColumnsOf, listChoosable } from '../src/resources/list/choosable.ts'
import { withCondition } from '../src/resources/list/conditions.ts'
import { de } from '../src/words/de.ts'
import { en } from '../src/words/en.ts'
import { LABELS } from '../src/words/labels.ts'
import { LABELS_DE } from '../src/words/labels-de.ts'
import { PERIODIC_JOBS } from '../src/words/periodic-jobs.ts'
import { RESOURCES } from '../src/words/resources.ts'
import { STATES } from '../src/words/states.ts'
import { labelOf } from '../src/words/words.ts'

const WORDS = join(import.meta.dirname, '../src/words')

test('German says all that English says, with the same values in it', () => {
  const places = (words: Readonly<Record<string, string>>) =>
    Object.entries(words).map(
      ([word, text]) => `${word} ${[...text.matchAll(/\{\w+\}/g)].map(String).sort().join(' ')}`,
    )
  expect(places(de).sort()).toEqual(places(en).sort())
  expect(Object.entries(de).filter(([, text]) => text.trim() === '')).toEqual([])
})

test('every value of an audit that refers to records is known to the history, which names them', () => {
  const registry = assembleResources()
  const references = describeReferences(registry)
  const audited = [...registry.values()].filter((resource) => resource.audited)
  const unknown = audited.flatMap(({ type, name, placed }) =>
    placed.flatMap((one) => {
      const [key, target] = [one.auditKey, one.field.refersTo?.resource]
      const isId = target !== undefined || (/_ids?$/.test(key) && one.field.kind !== 'text')
      return isId && references[type]?.[key] !== registry.get(target ?? '')?.plural ? [`${name}.${key}`] : []
    }),
  )
  expect(unknown).toEqual([])
  const plurals = new Set([...registry.values()].map(({ plural }) => plural))
  expect(Object.values(references).flatMap((keys) => Object.values(keys).filter((one) => !plurals.has(one)))).toEqual(
    [],
  )
})

test('every resource has a name in both, for one and for many', () => {
  const plurals = [...assembleResources().values()].map(({ plural }) => plural)
  expect(plurals.filter((plural) => RESOURCES[plural]?.filter((name) => name !== '').length !== 4)).toEqual([])
})

test('every key of a record or a form has a German name, and what forms and pages say of it a German sentence', async () => {
  const explanations: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(`${WORDS}/explanations-de.json`, 'utf8'),
  )
  const needed = new Set<string>()
  const unnamed = new Set<string>()
  for (const { summary, columns, shown, create, update } of await describeAll()) {
    const fields = [...create, ...update].flatMap(withInner)
    for (const text of [summary, ...[...shown, ...fields].map(({ doc = '' }) => doc)])
      needed.add(text.replace(/ By name\.$/, ''))
    for (const { key } of [...columns, ...shown, ...fields]) if (!hasGerman(key)) unnamed.add(key)
  }
  for (const { fields } of assembleResources().values())
    for (const key of Object.keys(fields)) if (!hasGerman(key)) unnamed.add(key)
  needed.delete('')
  expect([...unnamed]).toEqual([])
  expect([...needed].filter((text) => (explanations[text] ?? '').trim() === '')).toEqual([])
  expect(Object.keys(explanations).filter((text) => !needed.has(text))).toEqual([])
})

test('a list has one column for each thing: no two of one name, no ids beside names, nothing that programs alone read', async () => {
  const wrong: string[] = []
  for (const { plural, columns, label } of await describeAll()) {
    const offered = listChoosable({ columns })
    const names = Map.groupBy(offered, ({ key }) => labelOf(key))
    for (const [name, all] of names) if (all.length > 1) wrong.push(`${plural}: ${name} ${all.map(({ key }) => key)}`)
    const raw = offered.filter(({ key }) => /._ids?$|_attributes$|^inherited_/.test(key))
    for (const { key } of raw) wrong.push(`${plural}: ${key}`)
    const first = defaultColumnsOf({ plural, label } as ResourceShort, { columns }) // the rest of it does not matter here
    if (columns.length > 0 && first.length === 0) wrong.push(`${plural}: no default columns`)
    if (
      columns.length > 0 &&
      !first.some(({ key }) => key === label) &&
      !['config_reports', 'config_runs', 'settings', 'filters'].includes(plural)
    )
      wrong.push(`${plural}: without its label ${label}`)
  }
  expect(wrong).toEqual([])
})

test('every state that the service has for a host has a word in both languages', () => {
  const root = join(import.meta.dirname, '../..')
  const views = [
    'migrations/0023-config-reports.sql',
    'src/areas/reports/host/statuses.ts',
    'src/areas/content/host-content/host.ts',
  ]
  const states = views.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const [, ...lists] = text.split(/\(array\[/)
    const cases = [...text.matchAll(/(?:then|else) '([A-Z][^']*)'/g)].map(([, label = '']) => label)
    return [
      ...cases,
      ...lists.flatMap((list) => [...(list.split(']')[0] ?? '').matchAll(/'([^']*)'/g)].map(([, label = '']) => label)),
    ]
  })
  expect([...new Set(states)].toSorted()).toEqual(Object.keys(STATES).toSorted())
})

test('every periodic job of the service has words', () => {
  const src = join(import.meta.dirname, '../../src')
  const texts = ['areas/server/jobs/declared-jobs.ts', 'service/admin-socket.ts', 'service/work.ts'].map((path) =>
    readFileSync(join(src, path), 'utf8'),
  )
  const names = [...texts.join('').matchAll(/name: '(backup|[a-z]+_[a-z_]+)'/g)].map(([, name = '']) => name)
  expect(names.toSorted()).toEqual(Object.keys(PERIODIC_JOBS).toSorted())
})

test('a chosen condition replaces the earlier one about the same field, and leaves the rest of a search as it is', () => {
  const choose = (search: string) => withCondition(search, 'environment', 'environment = "b"')
  expect(choose('')).toBe('environment = "b"')
  expect(choose('name ~ web')).toBe('name ~ web and environment = "b"')
  expect(choose('environment = "a and (c" and name ~ web')).toBe('name ~ web and environment = "b"')
  expect(choose('name = x or name = y')).toBe('(name = x or name = y) and environment = "b"')
  expect(choose('(name = x or name = y) and os = z')).toBe('(name = x or name = y) and os = z and environment = "b"')
  expect(withCondition('not has last_report and os = z', 'status', 'global_status = ok')).toBe(
    'os = z and global_status = ok',
  )
})

test('what PatternFly says of itself is said in words of the catalogue', () => {
  const wrappers = ['shell/patternfly.tsx', 'shell/patternfly-parts.tsx']
  const texts = wrappers.map((path) => readFileSync(`${WORDS}/../${path}`, 'utf8')).join('')
  const own = new Set(['SearchInput', ...[...texts.matchAll(/ as Plain(\w+)/g)].map(([, name]) => name)])
  const sources = readdirSync(`${WORDS}/..`, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.tsx') && !wrappers.includes(path),
  )
  const wrong = sources.flatMap((path) => {
    const imports = /import \{([^}]*)\} from '@patternfly\/react-core'/.exec(
      readFileSync(`${WORDS}/../${path}`, 'utf8'),
    )
    const names = imports?.[1]?.split(',').map((name) => name.trim()) ?? []
    return names.filter((name) => own.has(name)).map((name) => `${path}: ${name}`)
  })
  expect(own.size).toBeGreaterThan(8)
  expect(wrong).toEqual([])
})

/** What the console is told of the resources, from the declarations as they are now. */
async function describeAll(): Promise<(ResourceFull & Pick<ResourceShort, 'plural' | 'label'>)[]> {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-words-'))
  await writeDescriptions(folder, { withTypes: false })
  const files = readdirSync(join(folder, 'resources'))
  const short: readonly ResourceShort[] = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'))
  const described = files.map((file) => ({
    ...JSON.parse(readFileSync(join(folder, 'resources', file), 'utf8')),
    ...short.find(({ plural }) => file === `${plural}.json`),
  }))
  rmSync(folder, { recursive: true, force: true })
  return described
}

/** A field and those inside of it. */
function withInner(field: FormField): FormField[] {
  return [field, ...(field.fields ?? []).flatMap(withInner)]
}

/** Whether a key has a name that somebody has written: for it, for what it links to, or the name of a resource. */
function hasGerman(key: string): boolean {
  const linked = key.replace(/_ids$/, 's').replace(/_(?:id|name|title)$/, '')
  if ([key, linked].some((one) => one in LABELS || one in LABELS_DE)) return true
  return Object.values(RESOURCES).some(([one, many]) => [one, many].includes(labelOf(key)))
}
