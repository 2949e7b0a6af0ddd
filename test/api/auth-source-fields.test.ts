import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { makeCertificates } from '../support/directories/certificates.ts'
import { makeFolder, removeFolder } from '../support/directories/server.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'

let api: TestApi
let ca: string

beforeAll(async () => {
  api = await openTestApi()
  const folder = makeFolder()
  ca = (await makeCertificates(folder)).ca.trim()
  removeFolder(folder)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const create = (body: object): Promise<Reply> =>
  api.admin.post('/api/auth_source_ldaps', {
    auth_source_ldap: { name: unique('fields'), host: 'ldap.example.test', ...body },
  })
const change = ({ id }: Shown, body: object): Promise<Reply> =>
  api.admin.put(`/api/auth_source_ldaps/${id}`, { auth_source_ldap: body })
const source = (body: Body = {}): Promise<Shown> => given(api.admin, 'auth_source_ldap', body)
const refused = (errors: object) => ({ status: 422, body: { error: { errors } } })

const BLANK = ["can't be blank"]

const DEFAULTS = {
  port: 389,
  account: null,
  base_dn: null,
  ldap_filter: null,
  attr_login: 'uid',
  attr_firstname: 'givenName',
  attr_lastname: 'sn',
  attr_mail: 'mail',
  attr_photo: 'jpegPhoto',
  onthefly_register: false,
  usergroup_sync: true,
  tls: false,
  start_tls: false,
  ca_certificate: null,
  server_type: 'posix',
  groups_base: null,
  use_netgroups: false,
}

describe('defaults', () => {
  test('of a source that is created with name and host only', async () => {
    expect((await create({})).body).toMatchObject(DEFAULTS)
  })

  test('count for null as well', async () => {
    const nulls = Object.fromEntries(Object.keys(DEFAULTS).map((key) => [key, null]))
    expect(await create({ ...nulls, account_password: null, location_ids: null })).toMatchObject({
      status: 201,
      body: DEFAULTS,
    })
  })

  test('of an update leave what is not sent', async () => {
    const own = { port: 636, tls: true, usergroup_sync: false, attr_login: 'cn', server_type: 'directory_c' }
    const made = await source(own)
    expect((await change(made, { base_dn: 'dc=example' })).body).toMatchObject({ ...own, base_dn: 'dc=example' })
  })

  test('null in an update clears texts and gives flags and the server type their defaults', async () => {
    const made = await source({
      ...{ base_dn: 'dc=example', attr_photo: 'photo', account: 'cn=a', server_type: 'directory_a' },
      ...{ tls: true, usergroup_sync: false, ca_certificate: ca },
    })
    const nulls = {
      ...{ base_dn: null, attr_photo: null, account: null, server_type: null, tls: null, usergroup_sync: null },
      ...{ attr_login: null, ca_certificate: null },
    }
    expect((await change(made, nulls)).body).toMatchObject({
      ...nulls,
      server_type: 'posix',
      tls: false,
      usergroup_sync: true,
    })
  })

  test('blank attribute names stay blank', async () => {
    expect((await create({ attr_login: '', attr_photo: ' ' })).body).toMatchObject({ attr_login: '', attr_photo: '' })
  })
})

describe('flags', () => {
  const FLAGS = ['onthefly_register', 'usergroup_sync', 'tls', 'start_tls', 'use_netgroups']
  const ENABLING = [true, 1, '1', 'true', 'TRUE', 't', 'yes', 'on', ' true ']
  const DISABLING = [false, 0, '0', 'false', 'False', 'f', 'no', 'off']

  test.each(FLAGS)('%s is read from every usual word', async (flag) => {
    const made = await source(flag === 'onthefly_register' ? { account_password: 'secret' } : {})
    for (const value of ENABLING) {
      expect((await change(made, { [flag]: value })).body[flag], JSON.stringify(value)).toBe(true)
    }
    for (const value of DISABLING) {
      await change(made, { [flag]: true })
      expect((await change(made, { [flag]: value })).body[flag], JSON.stringify(value)).toBe(false)
    }
    for (const value of [null, '']) {
      expect((await change(made, { [flag]: value })).body[flag]).toBe(flag === 'usergroup_sync')
    }
    for (const value of ['maybe', 2, -1, [], {}, [true]]) {
      expect(await change(made, { [flag]: value }), JSON.stringify(value)).toMatchObject(
        refused({ [flag]: ['must be true or false'] }),
      )
    }
  })

  test('use_netgroups is forced off for directory_b, whichever is set first', async () => {
    const both = await create({ server_type: 'directory_b', use_netgroups: true })
    expect(both).toMatchObject({ status: 201, body: { use_netgroups: false } })
    expect((await change(both.body, { use_netgroups: true })).body.use_netgroups).toBe(false)
    const made = await source({ server_type: 'posix', use_netgroups: true })
    expect(made.use_netgroups).toBe(true)
    expect((await change(made, { server_type: 'directory_b' })).body.use_netgroups).toBe(false)
    expect((await change(made, { server_type: 'directory_a', use_netgroups: true })).body.use_netgroups).toBe(true)
  })

  test('tls and start_tls exclude each other, also with what is stored', async () => {
    const errors = { start_tls: ['cannot be used together with tls'] }
    expect(await create({ tls: true, start_tls: true })).toMatchObject(refused(errors))
    const made = await source({ tls: true })
    expect(await change(made, { start_tls: true })).toMatchObject(refused(errors))
    expect((await change(made, { tls: false, start_tls: true })).body).toMatchObject({ tls: false, start_tls: true })
  })
})

describe('port', () => {
  test.each([
    [636, 636],
    ['636', 636],
    [' 3269 ', 3269],
    [1, 1],
    [65_535, 65_535],
    [null, 389],
    ['', 389],
  ])('%j creates a source with %j', async (sent, stored) => {
    expect((await create({ port: sent })).body.port).toBe(stored)
  })

  test.each([
    ['abc', 'must be an integer'],
    [1.5, 'must be an integer'],
    [true, 'must be an integer'],
    [[389], 'must be an integer'],
    [0, 'must be greater than or equal to 1'],
    [-1, 'must be greater than or equal to 1'],
    [65_536, 'must be less than or equal to 65535'],
  ])('%j is refused', async (sent, message) => {
    expect(await create({ port: sent })).toMatchObject(refused({ port: [message] }))
  })

  test('null in an update is refused', async () => {
    const made = await source()
    for (const port of [null, '']) {
      expect(await change(made, { port })).toMatchObject({
        status: 422,
        body: { error: { id: made.id, errors: { port: ["can't be blank", 'is not a number'] } } },
      })
    }
  })
})

describe('texts', () => {
  const LENGTHS = {
    ...{ name: 60, host: 255, account: 255, base_dn: 255, groups_base: 255, attr_photo: 255 },
    ...{ attr_login: 30, attr_firstname: 30, attr_lastname: 30, attr_mail: 30 },
    account_password: 128,
  }

  test.each(Object.entries(LENGTHS))('%s takes %i characters, and not one more', async (key, most) => {
    const longest = unique('x').padEnd(most, key.startsWith('attr_') ? 'x' : 'ü')
    const made = await create({ [key]: longest })
    expect(made.status).toBe(201)
    if (key !== 'account_password') expect(made.body[key]).toBe(longest)
    expect(await create({ [key]: 'x'.repeat(most + 1) })).toMatchObject(
      refused({ [key]: [`is too long (maximum is ${most} characters)`] }),
    )
  })

  test('lose surrounding blanks', async () => {
    const name = unique('trimmed')
    const made = await create({ name: `  ${name}\t`, host: ' a.example.test ', base_dn: '\ndc=example ' })
    expect(made.body).toMatchObject({ name, host: 'a.example.test', base_dn: 'dc=example' })
  })

  test('name and host cannot be blank', async () => {
    const made = await source()
    for (const value of ['', '  ', null]) {
      expect(await create({ name: value, host: value })).toMatchObject(refused({ name: BLANK, host: BLANK }))
      expect(await change(made, { name: value, host: value })).toMatchObject(refused({ name: BLANK, host: BLANK }))
    }
  })

  test('of another type are refused', async () => {
    expect(await create({ host: ['a'], base_dn: {}, account_password: 5 })).toMatchObject(
      refused({ host: ['must be text'], base_dn: ['must be text'], account_password: ['must be text'] }),
    )
  })

  test('a filter has no limit that a person would reach, and $login stands in accounts', async () => {
    const ldap_filter = `(|${'(uid=somebody)'.repeat(1000)})`
    const made = await create({ ldap_filter, account: 'uid=$login,ou=people,dc=example,dc=test' })
    expect(made.body).toMatchObject({ ldap_filter, account: 'uid=$login,ou=people,dc=example,dc=test' })
  })
})

describe('what onthefly_register needs', () => {
  const ATTRIBUTES = ['attr_login', 'attr_firstname', 'attr_lastname', 'attr_mail']

  test('is the password', async () => {
    const missing = refused({ account_password: BLANK })
    expect(await create({ onthefly_register: true })).toMatchObject(missing)
    expect(await create({ onthefly_register: true, account_password: '' })).toMatchObject(missing)
    expect(await create({ onthefly_register: true, account_password: null })).toMatchObject(missing)
    expect((await create({ onthefly_register: true, account_password: 'secret' })).status).toBe(201)
    const made = await source()
    expect(await change(made, { onthefly_register: true })).toMatchObject(missing)
    expect((await change(made, { onthefly_register: true, account_password: 'secret' })).status).toBe(200)
    expect(await change(made, { account_password: '' })).toMatchObject(missing)
    expect(await change(made, { account_password: null })).toMatchObject(missing)
    expect((await change(made, { onthefly_register: false, account_password: null })).status).toBe(200)
  })

  test.each(ATTRIBUTES)('is %s, which has a default when a source is created', async (attribute) => {
    const registering = { onthefly_register: true, account_password: 'secret' }
    expect(await create({ ...registering, [attribute]: '' })).toMatchObject(refused({ [attribute]: BLANK }))
    const made = await create({ ...registering, [attribute]: null })
    expect(made.status).toBe(201)
    for (const value of ['', ' ', null]) {
      expect(await change(made.body, { [attribute]: value })).toMatchObject(refused({ [attribute]: BLANK }))
    }
    expect((await change(made.body, { onthefly_register: false, [attribute]: null })).status).toBe(200)
    expect(await change(made.body, { onthefly_register: true })).toMatchObject(refused({ [attribute]: BLANK }))
  })

  test('is not the photo', async () => {
    const made = await create({ onthefly_register: true, account_password: 'secret', attr_photo: '' })
    expect(made).toMatchObject({ status: 201, body: { attr_photo: '' } })
  })
})

describe('values out of a set', () => {
  test.each(['directory_a', 'directory_b', 'posix', 'directory_c'])('server_type may be %s', async (server_type) => {
    expect((await create({ server_type })).body.server_type).toBe(server_type)
  })

  test.each(['active_directory', 'POSIX', 5, []])('server_type %j is not included in the list', async (server_type) => {
    const { status, body } = await create({ server_type })
    expect(status).toBe(422)
    expect(body.error.errors.server_type[0]).toMatch(/^is not included in the list/)
  })

  test.each([
    '(uid=*)',
    'objectClass=person',
    '(&(a=b)(!(c=d)))',
    '( | (a>=1) (b<=2) )',
    '(cn:dn:=x)',
    '(cn=\\2a)',
    ' ',
  ])('ldap_filter %s is accepted', async (ldap_filter) => {
    expect(await create({ ldap_filter })).toMatchObject({ status: 201, body: { ldap_filter: ldap_filter.trim() } })
  })

  test.each(['(uid=*', 'uid', '(&(a=b)', '(a=b)(c=d)', '(=x)', '(a=b)) or', '(cn=\\zz)'])(
    'ldap_filter %s is refused',
    async (ldap_filter) => {
      const errors = { ldap_filter: ['invalid LDAP filter syntax'] }
      expect(await create({ ldap_filter })).toMatchObject(refused(errors))
    },
  )

  test('ca_certificate takes certificates in PEM format only', async () => {
    for (const pem of [ca, `${ca}\n${ca}`]) {
      expect(await create({ ca_certificate: ` ${pem}\n` })).toMatchObject({
        status: 201,
        body: { ca_certificate: pem },
      })
    }
    const cut = ca.slice(0, ca.length / 2)
    for (const value of ['nonsense', cut, ca.replace('CERTIFICATE', 'KEY'), `${ca}\n${cut}`]) {
      expect(await create({ ca_certificate: value }), value).toMatchObject(
        refused({ ca_certificate: ['is not a certificate in PEM format'] }),
      )
    }
    expect((await create({ ca_certificate: '' })).status).toBe(201)
  })
})

describe('names', () => {
  const taken = refused({ name: ['has already been taken'] })

  test('are unique among all kinds of sources, whoever asks', async () => {
    const made = await source()
    for (const name of [made.name, 'Internal', 'External', 'Hidden'])
      expect(await create({ name })).toMatchObject(taken)
    expect(await change(await source(), { name: made.name })).toMatchObject(taken)
    expect(await change(made, { name: made.name })).toMatchObject({ status: 200 })
    const external = await api.admin.get('/api/auth_source_externals')
    const path = `/api/auth_source_externals/${external.body.results[0].id}`
    expect(await api.admin.put(path, { name: made.name })).toMatchObject(taken)
    const blind = await api.can(['create_authenticators'])
    const body = { auth_source_ldap: { name: made.name, host: 'a' } }
    expect(await blind.post('/api/auth_source_ldaps', body)).toMatchObject(taken)
  })

  test('differ by case', async () => {
    expect((await create({ name: 'INTERNAL' })).status).toBe(201)
  })

  test('of two creations at the same time one wins', async () => {
    const name = unique('race')
    const replies = await Promise.all([create({ name }), create({ name }), create({ name })])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422])
  })
})

describe('bodies', () => {
  test('may be flat, with every key', async () => {
    const location = await given(api.admin, 'location')
    const flat = { name: unique('flat'), host: 'a', tls: 1, location_ids: [location.id], account_password: 'secret' }
    const made = await api.admin.post('/api/auth_source_ldaps', flat)
    expect(made).toMatchObject({ status: 201, body: { tls: true, locations: [{ id: location.id }] } })
  })

  test('keep unknown and read-only keys out', async () => {
    const made = await create({ type: 'AuthSourceHidden', id: 77, nonsense: true, created_at: '2001-01-01' })
    expect(made).toMatchObject({ status: 201, body: { type: 'AuthSourceLdap' } })
    expect(made.body.id).not.toBe(77)
    expect(made.body.created_at).not.toMatch(/^2001/)
  })

  test('name locations and organizations by ids, names, titles and objects', async () => {
    const [outer, organization] = [await given(api.admin, 'location'), await given(api.admin, 'organization')]
    const inner = await given(api.admin, 'location', { parent_id: outer.id })
    const scoped = { locations: [{ id: inner.id }], organizations: [{ id: organization.id }] }
    const ways = [
      { location_ids: [inner.id], organization_ids: [String(organization.id)] },
      { location_names: [inner.title], organization_names: [organization.name] },
      { location_titles: [inner.title], organization_titles: [organization.title] },
      { locations: [{ id: inner.id }], organizations: [{ name: organization.title }] },
    ]
    for (const way of ways) expect(await create(way), JSON.stringify(way)).toMatchObject({ status: 201, body: scoped })
    const made = await source({ location_ids: [outer.id], organization_ids: [] })
    expect((await change(made, { location_titles: null })).body.locations).toMatchObject([{ id: outer.id }])
    expect((await change(made, { location_titles: [] })).body.locations).toEqual([])
  })

  test('that name unknown ones are refused', async () => {
    const missing = (message: string) => ({ status: 422, body: { error: { message } } })
    expect(await create({ location_ids: [999] })).toMatchObject(missing("Couldn't find Location with 'id'=999"))
    const unknown = missing('Could not find organization with name: Nowhere')
    expect(await create({ organization_names: ['Nowhere'] })).toMatchObject(unknown)
    expect(await create({ organization_titles: ['Nowhere'] })).toMatchObject(unknown)
  })
})
