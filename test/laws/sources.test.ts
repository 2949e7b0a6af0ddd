import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LDAP_EFFECTS, listFieldsWith } from '../../src/areas/access/auth-source/effects.ts'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { administer, change, forgetLogins, givenSource, logIn } from '../identity/directory-world.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { type Fault, startFault } from '../support/directories/faults.ts'
import { startDirectory } from '../support/directories/index.ts'
import { PASSWORD } from '../support/directories/people.ts'
import { userDn } from '../support/directories/slapd-data.ts'
import { type Body, given, resourceNamed, type Shown, unique } from '../support/given.ts'
import { written } from './values.ts'

// No sequence of writes by an editor of sources reveals the password of somebody else, or allows a login as somebody else.

const PATH = '/api/auth_source_ldaps'
const HERE = { organization_ids: [1], location_ids: [1] }
const OWN_PASSWORD = 'The-Editors-0wn'

const directory = await startDirectory('slapd')
let api: TestApi
let thief: Fault
let editor: Caller
let source: Shown
beforeAll(async () => {
  if (!directory) return
  thief = await startFault('records plain', directory)
  api = await openTestApi()
  await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 0 })
  const assigning = ['assign_locations', 'assign_organizations']
  editor = await api.can(['view_authenticators', 'create_authenticators', 'edit_authenticators', ...assigning], HERE)
  source = await givenSource(api, directory, HERE)
  await given(api.admin, 'user', { login: 'alice', auth_source_id: source.id, admin: true, ...HERE })
  // The editor also has an entry in the directory and controls its content.
  await administer(directory, async (client) => {
    await client.modify(userDn('bob'), change('replace', 'userPassword', [OWN_PASSWORD]))
    await client.modify(userDn('bob'), change('replace', 'description', ['alice']))
  })
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await thief?.[Symbol.asyncDispose]()
  await directory?.[Symbol.asyncDispose]()
})

describe.skipIf(!directory)('an editor of sources', () => {
  if (!directory) return

  /** Values that an attacker would send, and harmless ones. */
  const values = (): Readonly<Record<string, readonly unknown[]>> => ({
    name: [undefined],
    host: ['127.0.0.1', `127.0.0.1:${thief.port}`, `127.0.0.1:${thief.port},127.0.0.1`],
    port: [thief.port, directory.port, directory.tlsPort],
    tls: [true, false],
    start_tls: [true, false],
    ca_certificate: [directory.ca, directory.otherCa, null],
    account: [userDn('bob'), directory.serviceAccount.dn, `uid=$login,${directory.usersBase}`, null],
    account_password: [OWN_PASSWORD, null],
    base_dn: [directory.usersBase, userDn('bob')],
    groups_base: [directory.groupsBase, null],
    ldap_filter: [null, '(uid=bob)', '(description=*)'],
    attr_login: ['uid', 'description'],
    attr_firstname: ['givenName', 'cn'],
    attr_lastname: ['sn', 'cn'],
    attr_mail: ['mail', 'cn'],
    attr_photo: ['jpegPhoto', ''],
    onthefly_register: [true, false],
    usergroup_sync: [true, false],
    use_netgroups: [true, false],
    server_type: ['posix', 'directory_a', 'directory_b', 'directory_c'],
    organizations: [[1]],
    locations: [[1]],
  })

  const anyBody = (): fc.Arbitrary<Body> => {
    const known = values()
    const keys = written(resourceNamed('auth_source_ldap')).map(({ name, key }) => {
      const some = known[name]
      if (!some) throw new Error(`say which values ${name} may have`)
      return [key, fc.constantFrom(...some)] as const
    })
    return fc.record(Object.fromEntries(keys), { requiredKeys: [] })
  }

  test('learns no password and becomes nobody else, whatever they send', async () => {
    const mine: number[] = []
    const run = async ({ way, body }: { way: string; body: Body }) => {
      const named = { name: unique('own'), host: '127.0.0.1', port: thief.port, base_dn: directory.usersBase, ...HERE }
      const own = mine.at(-1) ?? source.id
      switch (way) {
        case 'change':
          return editor.put(`${PATH}/${source.id}`, { auth_source_ldap: body })
        case 'test':
          return editor.put(`${PATH}/${source.id}/test`, { auth_source_ldap: body })
        case 'test what is stored':
          return editor.put(`${PATH}/${source.id}/test`)
        case 'change an own one':
          return editor.put(`${PATH}/${own}`, { auth_source_ldap: body })
        case 'test what is new':
          return editor.post(`${PATH}/test`, { auth_source_ldap: { ...named, ...body } })
        default: {
          const made = await editor.post(PATH, { auth_source_ldap: { ...named, ...body } })
          if (made.status === 201) mine.push(made.body.id)
          return made
        }
      }
    }
    const ways = ['change', 'change', 'test', 'test what is stored', 'create', 'change an own one', 'test what is new']
    const steps = fc.array(fc.record({ way: fc.constantFrom(...ways), body: anyBody() }), {
      minLength: 1,
      maxLength: 4,
    })
    const deciding = listFieldsWith(LDAP_EFFECTS, 'login', 'follows')
    const before = (await api.admin.get(`${PATH}/${source.id}`)).body

    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        for (const step of sequence) {
          const { status, text } = await run(step)
          expect([200, 201, 422], text).toContain(status)
        }
        await rows(api.database.db, sql`delete from users where login in ('zoe', 'bob')`)
        await forgetLogins(api)
        expect((await logIn(api, 'alice', OWN_PASSWORD)).status).toBe(401)
        await logIn(api, 'alice')
        await logIn(api, 'zoe')
        expect(thief.sent().includes(PASSWORD)).toBe(false)
        expect(thief.sent().includes(directory.serviceAccount.password)).toBe(false)
        const after = (await api.admin.get(`${PATH}/${source.id}`)).body
        for (const name of deciding) expect([name, after[name]]).toEqual([name, before[name]])
      }),
      { numRuns: 40, endOnFailure: true, examples: [[[{ way: 'test what is new', body: {} }]]] },
    )
    expect(thief.connections(), 'what is the own password may be sent there').toBeGreaterThan(0)
    expect((await logIn(api, 'alice')).status).toBe(200)
  })
})
