import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type DirectoryKind, startDirectory } from '../support/directories/index.ts'
import { forgetLogins, givenLinkedGroup, givenSource, logIn, membersOf, userNamed } from './directory-world.ts'

// On one database only, because only the directories differ here.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api[Symbol.asyncDispose]())

const KINDS: readonly [DirectoryKind, string][] = [
  ['slapd', 'directory_c'],
  ['ds389', 'directory_a'],
  ['samba', 'directory_b'],
]

for (const [kind, server_type] of KINDS) {
  const directory = await startDirectory(kind)
  afterAll(() => directory?.[Symbol.asyncDispose]())

  describe.skipIf(!directory)(`${server_type}, as ${kind} is one`, () => {
    if (!directory) return

    test('registers its users, puts them into groups, refreshes those, and refuses wrong passwords', async () => {
      const source = await givenSource(api, directory, { server_type, attr_login: directory.loginAttribute })
      const nested = await givenLinkedGroup(api, source.id, ['Engineering'])
      const other = await givenLinkedGroup(api, source.id, ['restricted'])
      expect((await logIn(api, 'alice', 'guess')).status).toBe(401)
      expect((await logIn(api, 'alice')).status).toBe(200)
      expect(await userNamed(api, 'alice')).toMatchObject({ firstname: 'Alice', auth_source_id: source.id })
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
