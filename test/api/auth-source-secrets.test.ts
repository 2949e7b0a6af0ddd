import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'

const SECRET = 'n0body-Shall-Read-This'
const PATH = '/api/auth_source_ldaps'
/** The only organization and location of a new installation. */
const PLACES = { location_ids: [1], organization_ids: [1] }

let api: TestApi
let logged = ''

beforeAll(async () => {
  const sink = {
    write(line: string) {
      logged += line
    },
  }
  api = await openTestApi({ log: pino({ level: 'trace' }, sink) })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const source = (more: object = {}): Promise<Shown> =>
  given(api.admin, 'auth_source_ldap', { host: '127.0.0.1', port: 9, account_password: SECRET, ...more })

async function stored({ id }: Shown): Promise<string | null> {
  const found = await row<{ account_password: string | null }>(
    api.database.db,
    sql`select account_password from auth_sources where id = ${id}`,
  )
  return found?.account_password ?? null
}

/** Yields the content of the whole database as text. */
async function everything(): Promise<string> {
  const tables = await rows<{ name: string }>(
    api.database.db,
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const found = await rows<{ text: string }>(api.database.db, sql`select t::text as text from ${sql.table(name)} t`)
    texts.push(...found.map(({ text }) => text))
  }
  return texts.join('\n')
}

async function audits({ id }: Shown) {
  const { body } = await api.admin.get(`/api/audits?search=type+%3D+auth_source+and+auditable_id+%3D+${id}&order=id`)
  return body.results
}

describe('the password of a service account', () => {
  test('is in no answer, no audit, no log and not in clear in the database', async () => {
    const made = await source({ account: 'cn=service,dc=example,dc=test', onthefly_register: true })
    const path = `${PATH}/${made.id}`
    const answers = [
      await api.admin.get(path),
      await api.admin.get(PATH),
      await api.admin.get('/api/auth_sources'),
      await api.admin.get(`${PATH}?search=account_password+%3D+${SECRET}`),
      await api.admin.get(`${PATH}/auto_complete_search?search=acc`),
      await api.admin.put(path, { account_password: SECRET }),
      await api.admin.put(path, { account_password: SECRET, port: 'wrong' }),
      await api.admin.put(path, { account_password: SECRET.repeat(10) }),
      await api.admin.put(path, { account_password: [SECRET] }),
      await api.admin.post(PATH, { name: made.name, host: 'a', account_password: SECRET }),
      await api.admin.put(`${path}/test`),
      await api.admin.put(`${path}/test`, { auth_source_ldap: { account_password: SECRET } }),
      await api.admin.post(`${PATH}/test`, { name: 'new', host: '127.0.0.1', port: 9, account_password: SECRET }),
      await api.admin.get('/api/audits?per_page=all'),
    ]
    const [, , , search] = answers
    expect(search?.body.error.message).toBe("Field 'account_password' not recognized for searching!")
    // The search and its error repeat what the caller has sent.
    for (const answer of answers.filter((each) => each !== search)) expect(answer.text).not.toContain(SECRET)
    expect(JSON.stringify(made)).not.toContain('password')
    const changes = (await audits(made)).map((audit: Shown) => audit.audited_changes.account_password)
    expect(changes).toEqual(['[redacted]', ['[redacted]', '[redacted]']])
    expect(await everything()).not.toContain(SECRET)
    const deleted = await api.admin.delete(path, {})
    expect(deleted.status).toBe(200)
    expect(deleted.text).not.toMatch(new RegExp(`${SECRET}|password`))
    expect(await everything()).not.toContain(SECRET)
    expect(logged).not.toBe('')
    expect(logged.replaceAll(`account_password+%3D+${SECRET}`, '')).not.toContain(SECRET)
  })

  test('is encrypted anew whenever it is written, and only then', async () => {
    const made = await source()
    const first = await stored(made)
    expect(first).toMatch(/^[0-9a-f]{8}\.[\w-]+\.2$/)
    await api.admin.put(`${PATH}/${made.id}`, { name: 'another name' })
    expect(await stored(made)).toBe(first)
    await api.admin.put(`${PATH}/${made.id}`, { account_password: SECRET })
    const second = await stored(made)
    expect(second).not.toBe(first)
    expect(second).toMatch(/^[0-9a-f]{8}\.[\w-]+\.2$/)
    expect(await stored(await source())).not.toBe(second)
  })

  test('that looks encrypted is encrypted like any other', async () => {
    const made = await source()
    const sealed = String(await stored(made))
    const copied = await source({ account_password: sealed })
    expect(await stored(copied)).not.toBe(sealed)
    expect(await stored(await source({ account_password: 'encrypted-abc' }))).not.toContain('encrypted-abc')
  })

  test('is cleared by null and by blank text', async () => {
    for (const account_password of [null, '']) {
      const made = await source()
      expect((await api.admin.put(`${PATH}/${made.id}`, { account_password })).status).toBe(200)
      expect(await stored(made)).toBeNull()
      expect((await audits(made)).at(-1).audited_changes).toEqual({ account_password: ['[redacted]', null] })
    }
  })

  test('whose key is lost is reported as missing by the test, and can be entered anew', async () => {
    const made = await source({ account: 'cn=service,dc=example,dc=test' })
    await rows(api.database.db, sql`update auth_sources set account_password = '00000000.AAAA' where id = ${made.id}`)
    expect((await api.admin.put(`${PATH}/${made.id}/test`)).status).toBe(200)
    expect((await api.admin.put(`${PATH}/${made.id}`, { account_password: SECRET })).status).toBe(200)
    expect(await stored(made)).not.toBe('00000000.AAAA')
  })
})

describe('what GET answers', () => {
  test('can be PUT back and changes nothing: the ETag stays, nothing is audited, the password is kept', async () => {
    const location = await given(api.admin, 'location')
    const organization = await given(api.admin, 'organization')
    const made = await source({
      ...{
        account: 'cn=a',
        base_dn: 'dc=b',
        groups_base: 'dc=c',
        ldap_filter: '( a = b )',
        server_type: 'directory_a',
      },
      ...{ attr_login: 'cn', attr_photo: '', onthefly_register: true, usergroup_sync: false, use_netgroups: true },
      ...{ location_ids: [location.id], organization_ids: [organization.id] },
    })
    const path = `${PATH}/${made.id}`
    const before = await api.admin.get(path)
    const password = await stored(made)
    for (const body of [before.body, { auth_source_ldap: before.body }]) {
      const put = await api.admin.put(path, body)
      expect(put).toMatchObject({ status: 200, body: before.body })
    }
    const after = await api.admin.get(path)
    expect(after.headers.etag).toBe(before.headers.etag)
    expect(await audits(made)).toHaveLength(1)
    expect(await stored(made)).toBe(password)
    expect((await api.admin.get(path, { 'if-none-match': String(before.headers.etag) })).status).toBe(304)
  })

  test('of a source that was created with nothing but name and host, too', async () => {
    const made = await given(api.admin, 'auth_source_ldap')
    const { body, headers } = await api.admin.get(`${PATH}/${made.id}`)
    expect((await api.admin.put(`${PATH}/${made.id}`, { auth_source_ldap: body })).body).toEqual(body)
    expect((await api.admin.get(`${PATH}/${made.id}`)).headers.etag).toBe(headers.etag)
    expect(await audits(made)).toHaveLength(1)
  })
})

describe('audits of a source', () => {
  test('name it, and say what changed', async () => {
    const made = await source({ name: 'audited', ...PLACES })
    await api.admin.put(`${PATH}/${made.id}`, { host: 'b.example.test', tls: true, account_password: SECRET })
    await api.admin.put(`${PATH}/${made.id}`, { location_ids: [] })
    await api.admin.delete(`${PATH}/${made.id}`)
    const found = await audits(made)
    expect(found.map(({ action, version }: Shown) => [action, version])).toEqual([
      ['create', 1],
      ['update', 2],
      ['update', 3],
      ['destroy', 4],
    ])
    expect(found[0]).toMatchObject({ auditable_type: 'AuthSource', auditable_name: 'LDAP-audited' })
    expect(found[1].audited_changes).toEqual({
      host: ['127.0.0.1', 'b.example.test'],
      tls: [false, true],
      account_password: ['[redacted]', '[redacted]'],
    })
    expect(Object.keys(found[2].audited_changes)).toEqual(['location_ids'])
    expect(found[3].audited_changes).toMatchObject({ name: 'audited', account_password: '[redacted]' })
  })
})

describe('deleting a source', () => {
  test('is refused while it has users, who are named as far as the caller may see them', async () => {
    const made = await source({ name: 'in use', ...PLACES })
    const visible = await given(api.admin, 'user', { auth_source_id: made.id, login: 'ann', ...PLACES })
    await given(api.admin, 'user', { auth_source_id: made.id, login: 'ben', location_ids: [], organization_ids: [] })
    const refused = (...base: string[]) => ({
      status: 422,
      body: { error: { id: made.id, errors: { base }, full_messages: base } },
    })
    expect(await api.admin.delete(`${PATH}/${made.id}`)).toMatchObject(
      refused('LDAP-in use is used by ann', 'LDAP-in use is used by ben'),
    )
    const hidden = 'LDAP-in use is being used by a hidden User resource'
    const member = await api.can(['view_users', 'destroy_authenticators'], PLACES)
    expect(await member.delete(`${PATH}/${made.id}`)).toMatchObject(refused('LDAP-in use is used by ann', hidden))
    const blind = await api.can(['destroy_authenticators'], PLACES)
    expect(await blind.delete(`${PATH}/${made.id}`)).toMatchObject(refused(hidden, hidden))
    expect((await api.admin.get(`${PATH}/${made.id}`)).status).toBe(200)
    const { body } = await api.admin.get(`${PATH}/${made.id}/users`)
    expect(body.results.map(({ login }: Shown) => login)).toEqual(['ann', 'ben'])
    for (const { id } of body.results) await api.admin.delete(`/api/users/${id}`)
    expect(visible.auth_source_id).toBe(made.id)
    expect((await blind.delete(`${PATH}/${made.id}`)).status).toBe(200)
  })

  test('takes its links to locations and organizations and its external user groups along', async () => {
    const made = await source()
    const group = await given(api.admin, 'usergroup')
    await rows(
      api.database.db,
      sql`insert into external_usergroups (name, auth_source_id, usergroup_id) values ('staff', ${made.id}, ${group.id})`,
    )
    expect((await api.admin.get(`${PATH}/${made.id}`)).body.external_usergroups).toMatchObject([{ name: 'staff' }])
    expect((await api.admin.delete(`${PATH}/${made.id}`)).status).toBe(200)
    for (const table of ['auth_source_locations', 'auth_source_organizations', 'external_usergroups']) {
      const left = await rows(api.database.db, sql`select from ${sql.table(table)} where auth_source_id = ${made.id}`)
      expect(left).toEqual([])
    }
    expect((await api.admin.get(`/api/usergroups/${group.id}`)).body.external_usergroups).toEqual([])
  })

  test('needs destroy_authenticators, as creating and changing need theirs', async () => {
    const made = await source(PLACES)
    const viewer = await api.can(['view_authenticators'], PLACES)
    const path = `${PATH}/${made.id}`
    const refused = (permission: string) => ({
      status: 403,
      body: { error: { missing_permissions: [permission] } },
    })
    expect((await viewer.get(path)).status).toBe(200)
    expect(await viewer.post(PATH, {})).toMatchObject(refused('create_authenticators'))
    expect(await viewer.put(path, {})).toMatchObject(refused('edit_authenticators'))
    expect(await viewer.put(`${path}/test`, {})).toMatchObject(refused('edit_authenticators'))
    expect(await viewer.delete(path)).toMatchObject(refused('destroy_authenticators'))
    expect((await api.nobody.get(path)).status).toBe(401)
  })
})
