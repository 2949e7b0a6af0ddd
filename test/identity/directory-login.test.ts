import { hash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Fault, startFault } from '../support/directories/faults.ts'
import { startDirectory } from '../support/directories/index.ts'
import { PASSWORD, photoOf } from '../support/directories/people.ts'
import { userDn } from '../support/directories/slapd-data.ts'
import { given } from '../support/given.ts'
import { administer, change, failures, forgetLogins, givenSource, logIn, userNamed } from './directory-world.ts'

const directory = await startDirectory('slapd')
let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
beforeEach(async () => {
  await rows(api.database.db, sql`delete from users where auth_source_id not in (1, 2, 3)`)
  await rows(api.database.db, sql`delete from auth_sources where type = 'AuthSourceLdap'`)
  await rows(api.database.db, sql`delete from login_failures`)
  await forgetLogins(api)
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await directory?.[Symbol.asyncDispose]()
})

const refused = (login: string) => ({
  status: 401,
  body: { error: { message: `Unable to authenticate user ${login}` } },
})

describe.skipIf(!directory)('somebody unknown', () => {
  if (!directory) return

  test('becomes a user as the directory describes them, in the places of the source', async () => {
    const organization = await given(api.admin, 'organization')
    const location = await given(api.admin, 'location')
    const source = await givenSource(api, directory, {
      organization_ids: [organization.id],
      location_ids: [location.id],
    })
    expect((await logIn(api, 'ALICE')).status).toBe(200)
    const alice = await userNamed(api, 'alice')
    expect(alice).toMatchObject({
      login: 'alice',
      firstname: 'Alice',
      lastname: 'Archer',
      mail: 'alice@example.test',
      admin: false,
      auth_source_id: source.id,
      roles: [],
      organizations: [{ id: organization.id }],
      locations: [{ id: location.id }],
    })
    const avatar = await row<{ hash: string; image: Uint8Array }>(
      api.database.db,
      sql`select hash, image from avatars join users on avatar_hash = hash where users.id = ${alice?.id}`,
    )
    expect(avatar).toEqual({ hash: hash('sha1', photoOf()), image: photoOf() })
    const { body } = await api.admin.get(`/api/audits?search=type=user and auditable_id=${alice?.id} and action=create`)
    expect(body.results).toMatchObject([{ user_name: 'System', audited_changes: { login: 'alice', admin: false } }])
  })

  test('becomes one user, however many first logins there are at once', async () => {
    await givenSource(api, directory)
    const replies = await Promise.all(['zoe', 'Zoe', 'ZOE', 'zOe', 'zoE'].map((login) => logIn(api, login)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const found = await rows(
      api.database.db,
      sql`select login, firstname, lastname from users where fold(login) = 'zoe'`,
    )
    expect(found).toEqual([{ login: 'zoe', firstname: 'Zoë', lastname: 'Ångström-日本' }])
  })

  test('is looked for in the sources that register users, in their order, past those that fail', async () => {
    const silent = await givenSource(api, directory, { onthefly_register: false })
    const broken = await givenSource(api, directory, { account_password: 'wrong' })
    const empty = await givenSource(api, directory, { ldap_filter: '(uid=bob)' })
    const right = await givenSource(api, directory)
    await givenSource(api, directory)
    expect((await logIn(api, 'carol')).status).toBe(200)
    expect((await userNamed(api, 'carol'))?.auth_source_id).toBe(right.id)
    expect([silent.id, broken.id, empty.id, right.id]).toEqual([silent.id, broken.id, empty.id, right.id].sort())
  })

  test('is told when a directory could not answer; that counts only if another said no', async () => {
    await givenSource(api, directory, { account_password: 'wrong' })
    const details = 'The server refuses the service account: wrong name or password, or it is locked.'
    const told = { status: 401, body: { error: { message: 'Unable to authenticate user carol', details } } }
    expect(await logIn(api, 'carol')).toMatchObject(told)
    expect(await failures(api)).toBe(0)
    await givenSource(api, directory)
    expect(await logIn(api, 'carol', 'guess')).toMatchObject(told)
    expect(await failures(api)).toBe(1)
  })

  test('keeps out what cannot be stored, and comes in without it', async () => {
    const source = await givenSource(api, directory, { attr_firstname: 'homeDirectory', attr_mail: 'cn' })
    await administer(directory, (client) =>
      client.modify(userDn('nomail'), change('replace', 'homeDirectory', [`/${'x'.repeat(60)}`])),
    )
    expect((await logIn(api, 'nomail')).status).toBe(200)
    expect(await userNamed(api, 'nomail')).toMatchObject({
      firstname: null,
      lastname: 'Mail',
      mail: null,
      auth_source_id: source.id,
    })
  })

  test.each(['star*', 'paren(s)', "o'brien"])(
    'with the login %s is refused: users here have no such logins',
    async (login) => {
      await givenSource(api, directory)
      const { status, body } = await logIn(api, login)
      expect(status).toBe(401)
      expect(body.error.details).toMatch(/Logins like this one cannot be used here\.$/)
      expect(await failures(api)).toBe(0)
    },
  )

  test('never takes the place of a user of another source, nor of a user group', async () => {
    await givenSource(api, directory)
    await given(api.admin, 'user', { login: 'bob', password: 'long enough' })
    await given(api.admin, 'usergroup', { name: 'Carol' })
    expect(await logIn(api, 'bob')).toMatchObject(refused('bob'))
    expect((await logIn(api, 'bob', 'long enough')).status).toBe(200)
    expect((await logIn(api, 'carol')).body.error.details).toMatch(/is the name of a user group here/)
    expect(await userNamed(api, 'carol')).toBeUndefined()
    await api.admin.delete('/api/users/bob')
    await api.admin.delete('/api/usergroups/Carol')
  })

  test.each([
    ['a wrong password', 'alice', 'guess'],
    ['no such login', 'nobody-here', PASSWORD],
    ['a filter in the login', 'alice)(uid=*', PASSWORD],
    ['a star', '*', PASSWORD],
    ['another star', 'ali*', PASSWORD],
    ['a blank behind the login', 'alice ', PASSWORD],
    ['an empty password', 'alice', ''],
    ['a locked account', 'locked', PASSWORD],
  ])('is refused and counted for %s', async (_, login, password) => {
    await givenSource(api, directory)
    expect(await logIn(api, login, password)).toMatchObject(refused(login))
    expect(await failures(api)).toBe(1)
    expect(await rows(api.database.db, sql`select login from users where auth_source_id not in (1, 2, 3)`)).toEqual([])
  })
})

describe.skipIf(!directory)('a known user', () => {
  if (!directory) return
  let source: { id: number }

  beforeEach(async () => {
    source = await givenSource(api, directory)
    expect((await logIn(api, 'alice')).status).toBe(200)
  })
  afterEach(() =>
    administer(directory, (client) =>
      client.modify(userDn('alice'), [
        change('replace', 'givenName', ['Alice']),
        change('replace', 'mail', ['alice@example.test']),
      ]),
    ),
  )

  test('takes over what the directory says by now, but not that it says nothing', async () => {
    await administer(directory, (client) =>
      client.modify(userDn('alice'), [change('replace', 'givenName', ['Alicia']), change('delete', 'mail', [])]),
    )
    await forgetLogins(api)
    expect((await logIn(api, 'alice')).status).toBe(200)
    const alice = await userNamed(api, 'alice')
    expect(alice).toMatchObject({ firstname: 'Alicia', mail: 'alice@example.test' })
    const { body } = await api.admin.get(`/api/audits?search=type=user and auditable_id=${alice?.id} and action=update`)
    expect(body.results).toMatchObject([{ user_name: 'System', audited_changes: { firstname: ['Alice', 'Alicia'] } }])
  })

  test('keeps the profile where the source registers nobody, except for the photo', async () => {
    await api.admin.put(`/api/auth_source_ldaps/${source.id}`, { onthefly_register: false })
    await rows(api.database.db, sql`update users set firstname = 'Chosen', avatar_hash = null where login = 'alice'`)
    await forgetLogins(api)
    expect((await logIn(api, 'alice')).status).toBe(200)
    const found = await row(api.database.db, sql`select firstname, avatar_hash from users where login = 'alice'`)
    expect(found).toEqual({ firstname: 'Chosen', avatar_hash: hash('sha1', photoOf()) })
  })

  test('is asked for in the own source alone', async () => {
    const other = await givenSource(api, directory)
    await api.admin.put(`/api/auth_source_ldaps/${source.id}`, { ldap_filter: '(uid=bob)' })
    expect(await logIn(api, 'alice')).toMatchObject(refused('alice'))
    expect((await userNamed(api, 'alice'))?.auth_source_id).not.toBe(other.id)
  })

  test('is remembered: the same password costs no statement and does not reach the directory', async () => {
    await forgetLogins(api)
    await logIn(api, 'alice')
    await directory.stop()
    try {
      const { result, count } = await api.counting(() => logIn(api, 'alice'))
      expect([result.status, count]).toEqual([200, 0])
      await forgetLogins(api)
      expect((await logIn(api, 'alice')).body.error.details).toMatch(/The server refuses the connection\.$/)
    } finally {
      await directory.start()
    }
  })

  test('with a token never reaches the directory, be the token good or revoked', async () => {
    const { body: token } = await api.admin.post('/api/users/alice/personal_access_tokens', { name: 'test' })
    await using peer = await startFault('black hole', directory)
    await api.admin.put(`/api/auth_source_ldaps/${source.id}`, { port: peer.port, tls: false, ca_certificate: null })
    const bearer = api.as({ authorization: `Bearer ${token.token_value}` })
    expect((await bearer.get('/api')).status).toBe(200)
    expect((await logIn(api, 'alice', token.token_value)).status).toBe(200)
    await api.admin.delete(`/api/users/alice/personal_access_tokens/${token.id}`)
    expect((await bearer.get('/api')).status).toBe(401)
    expect(await logIn(api, 'alice', token.token_value)).toMatchObject(refused('alice'))
    expect(await logIn(api, 'alice', '')).toMatchObject(refused('alice'))
    expect(peer.connections()).toBe(0)
  })
})

describe.skipIf(!directory)('a directory that does not answer', () => {
  if (!directory) return

  test('holds up nobody but its own users, who are told why and not counted', async () => {
    await using peer: Fault = await startFault('black hole', directory)
    const source = await givenSource(api, directory, { port: peer.port, tls: false, ca_certificate: null })
    await rows(
      api.database.db,
      sql`insert into users (login, auth_source_id) select 'waiting' || n, ${source.id} from generate_series(1, 200) n`,
    )
    await given(api.admin, 'user', { login: 'local', password: 'long enough' })
    let answered = 0
    const logins = Array.from({ length: 200 }, async (_, index) => {
      const { status, body } = await logIn(api, `waiting${index + 1}`)
      answered++
      return [status, body.error.details]
    })
    while (peer.connections() === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    // More requests than database connections, some of them with passwords to hash.
    const others = await Promise.all([
      ...Array.from({ length: 50 }, () => api.admin.get('/api/architectures')),
      logIn(api, 'local', 'long enough'),
      logIn(api, 'local', 'wrong'),
    ])
    expect(others.map(({ status }) => status)).toEqual([...Array(51).fill(200), 401])
    expect(answered).toBe(0)
    peer.cut()
    const told = [401, expect.stringMatching(/^The server /)]
    expect(await Promise.all(logins)).toEqual(Array(200).fill(told))
    const { body } = await api.admin.get('/api/states')
    expect(body.directories).toContainEqual({
      ...{ id: source.id, name: source.name, state: 'ill' },
      since: expect.stringMatching(/ UTC$/),
      message: expect.stringMatching(/^The server /),
    })
    expect(await failures(api)).toBe(1) // the wrong password of the local user
    await api.admin.delete('/api/users/local')
  })
})
