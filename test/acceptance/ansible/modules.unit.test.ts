import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasAnsible, namesIn } from './player.ts'

// docs/compatibility.md says of each module and each role of the collection whether it works; each that works is executed.

const DOCUMENT = join(import.meta.dirname, '../../../docs/compatibility.md')

const ansible = hasAnsible()

describe.skipIf(!ansible)('the table of modules and roles', () => {
  test('has each of the collection once, and what works is played by a playbook', async () => {
    const rows = rowsOf(await readFile(DOCUMENT, 'utf8'))
    const said = rows.flatMap(({ names }) => names)
    const roles = (await namesIn('roles')).map((name) => `role ${name}`)
    expect(said.sort()).toEqual([...(await namesIn('modules')), ...roles].sort())
    const played = await playedNames()
    const working = rows.filter(({ works }) => works).flatMap(({ names }) => names)
    expect(working.filter((name) => !played.has(name))).toEqual([])
    expect([...played].filter((name) => !working.includes(name))).toEqual([])
  })
})

interface Row {
  readonly works: boolean
  readonly names: readonly string[]
}

/** Yields the rows of the table below the heading: the first cell says whether it works, the second has the names. */
function rowsOf(document: string): Row[] {
  const [, section = ''] = document.split('\n## Ansible\n')
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\| (yes|no) \| (roles? )?(.+?) \|/gm)].map(([, works, role, names = '']) => ({
    works: works === 'yes',
    names: [...names.matchAll(/`(\w+)`/g)].map(([, name]) => (role ? `role ${name}` : `${name}`)),
  }))
}

/** Lists the modules that tasks use, and the executed roles. */
async function playedNames(): Promise<ReadonlySet<string>> {
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.yml'))
  const texts = await Promise.all(files.map((name) => readFile(join(import.meta.dirname, name), 'utf8')))
  const all = texts.join('\n')
  return new Set([
    ...[...all.matchAll(/^ {6,}theforeman\.foreman\.(\w+):/gm)].map(([, name = '']) => name),
    ...[...all.matchAll(/(?:^ {4}- |\{ name: )theforeman\.foreman\.(\w+)/gm)].map(([, name]) => `role ${name}`),
  ])
}
