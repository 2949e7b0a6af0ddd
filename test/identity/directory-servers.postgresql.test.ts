import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type DirectoryKind, startDirectory } from '../support/directories/index.ts'
import { forgetLogins, givenLinkedGroup, givenSource, logIn, membersOf, userNamed } from './directory-world.ts'

// On one database only, because only the directories differ here.

const GUIDE = readFileSync(resolve('docs/directories.md'), 'utf8')

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** A row of the table in the guide, and a server that it is about. */
interface Row {
  readonly name: string
  readonly kind: DirectoryKind
  /** A group that Alice belongs to, written as it may be, and one that she does not. */
  readonly groups: readonly [string, string]
}

const NESTED = ['Engineering', 'restricted'] as const
const ROWS: readonly Row[] = [
  { name: 'OpenLDAP with `groupOfNames`', kind: 'slapd', groups: NESTED },
  { name: 'OpenLDAP with `posixGroup`', kind: 'slapd', groups: ['Posix-Developers', 'posix-tree'] },
  { name: 'FreeIPA', kind: 'ds389', groups: NESTED },
  { name: 'Active Directory', kind: 'samba', groups: NESTED },
]

test('these are all rows of the table', () => {
  const table = GUIDE.split(/^\| directory \|.*\n\|[-|]+\n/m)[1] ?? ''
  const names = Array.from(table.split('\n\n')[0]?.matchAll(/^\| ([^|]+) \|/gm) ?? [], ([, name]) => name)
  expect(names.sort()).toEqual(ROWS.map(({ name }) => name).sort())
})

/** What the guide tells to configure for a directory: its type, and the attributes that it names. */
function toldByGuide(name: string): { readonly server_type: string; readonly attributes: Record<string, string> } {
  const row = GUIDE.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? ''
  const [, , server_type = '', attr_login = '', rest = ''] = row
    .split('|')
    .map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1'))
  const named = Array.from(rest.matchAll(/`(attr_\w+)` `([^`]+)`/g), ([, field = '', value = '']) => [field, value])
  return { server_type, attributes: { attr_login, ...Object.fromEntries(named) } }
}

for (const { name, kind, groups } of ROWS) {
  const { server_type, attributes } = toldByGuide(name)
  const directory = await startDirectory(kind)
  afterAll(() => directory?.[Symbol.asyncDispose]())

  describe.skipIf(!directory)(`${server_type}, as ${kind} is one`, () => {
    if (!directory) return

    test('registers its users, puts them into groups, refreshes those, and refuses wrong passwords', async () => {
      const source = await givenSource(api, directory, { server_type, ...attributes })
      const [hers, others] = groups
      const nested = await givenLinkedGroup(api, source.id, [hers])
      const other = await givenLinkedGroup(api, source.id, [others])
      expect((await logIn(api, 'alice', 'guess')).status).toBe(401)
      expect((await logIn(api, 'alice')).status).toBe(200)
      expect(await userNamed(api, 'alice')).toMatchObject({
        ...{ firstname: 'Alice', lastname: 'Archer', mail: 'alice@example.test' },
        auth_source_id: source.id,
      })
      expect(await membersOf(api, nested.id)).toEqual(['alice'])
      expect(await membersOf(api, other.id)).toEqual([])

      await rows(api.database.db, sql`delete from usergroup_users`)
      const { body } = await api.admin.get(`/api/usergroups/${nested.id}/external_usergroups`)
      await api.admin.put(`/api/usergroups/${nested.id}/external_usergroups/${body.results[0].id}/refresh`)
      expect(await membersOf(api, nested.id)).toEqual(['alice'])

      await rows(api.database.db, sql`delete from users where auth_source_id = ${source.id}`)
      await rows(api.database.db, sql`delete from auth_sources where id = ${source.id}`)
      await forgetLogins(api)
    })
  })
}
