import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONSEQUENCES } from '../../src/areas/access/user/consequences.ts'
import { assembleResources } from '../../src/areas/index.ts'
import { type Caller, expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { type Body, given, permissionId, resourceNamed, unique } from '../support/given.ts'

// Whoever acts as another user has at least that user's permissions, organizations and locations
// (docs/decisions/0016-speaking-for-others.md).

const HELPDESK = [
  ...['view_users', 'edit_users', 'view_roles', 'view_usergroups', 'assign_organizations', 'assign_locations'],
  ...['view_personal_access_tokens', 'create_personal_access_tokens', 'revoke_personal_access_tokens'],
  ...['view_ssh_keys', 'create_ssh_keys', 'destroy_ssh_keys', 'view_organizations', 'edit_organizations'],
  ...['view_second_factors', 'create_second_factors', 'destroy_second_factors'],
]

let api: TestApi
let helper: Caller & { id: number }
/** A user with a permission that the helper lacks, in the same place. */
let stronger: number
/** A user without permissions, who is also in another organization. */
let elsewhere: number
/** A user with fewer permissions, in the same place. */
let weaker: number
let home: { organization_ids: number[]; location_ids: number[] }
let other: number

beforeAll(async () => {
  api = await openTestApi()
  home = {
    organization_ids: [(await given(api.admin, 'organization')).id],
    location_ids: [(await given(api.admin, 'location')).id],
  }
  other = (await given(api.admin, 'organization')).id
  helper = await api.can(HELPDESK, home)
  stronger = await person(['view_users', 'destroy_users'])
  elsewhere = await person([], { organization_ids: [...home.organization_ids, other] })
  weaker = await person(['view_users'])
})
afterAll(() => api?.[Symbol.asyncDispose]())

async function person(permissions: readonly string[], more: Body = {}): Promise<number> {
  return (await given(api.admin, 'user', { ...home, role_ids: [await roleWith(permissions)], ...more })).id
}

async function roleWith(permissions: readonly string[], more: Body = {}, filter: Body = {}): Promise<number> {
  const { id } = await given(api.admin, 'role', more)
  for (const name of permissions)
    await given(api.admin, 'filter', { role_id: id, permission_ids: [await permissionId(api.admin, name)], ...filter })
  return id
}

/** Ways to act as a user, or to enable another to do so, each as a request of a caller. */
const WAYS: Readonly<Record<string, (caller: Caller, id: number) => Promise<Reply>>> = {
  login: (caller, id) => caller.put(`/api/users/${id}`, { login: unique('renamed') }),
  auth_source: (caller, id) => caller.put(`/api/users/${id}`, { auth_source_id: 3 }),
  password: (caller, id) => caller.put(`/api/users/${id}`, { password: 'chosen by another' }),
  disabled: async (caller, id) => {
    await api.admin.put(`/api/users/${id}`, { disabled: true })
    return caller.put(`/api/users/${id}`, { disabled: false })
  },
  'personal_access_token created': (caller, id) =>
    caller.post(`/api/users/${id}/personal_access_tokens`, { name: unique('token') }),
  'ssh_key created': (caller, id) => caller.post(`/api/users/${id}/ssh_keys`, { name: unique('key'), key: newKey() }),
  'ssh_key deleted': async (caller, id) => {
    const key = await expectCreated(api.admin.post(`/api/users/${id}/ssh_keys`, { name: unique('key'), key: newKey() }))
    return caller.delete(`/api/users/${id}/ssh_keys/${key.id}`)
  },
  'second_factor created': (caller, id) => caller.post(`/api/users/${id}/second_factors`, { kind: 'totp' }),
  'second_factor deleted': async (caller, id) => {
    const factor = await expectCreated(api.admin.post(`/api/users/${id}/second_factors`, { kind: 'totp' }))
    return caller.delete(`/api/users/${id}/second_factors/${factor.id}`)
  },
}

/** What is written below a user, and whether it lets its author act as the user. */
const BELOW_USERS: Readonly<Record<string, 'speaks for' | 'for administrators' | 'harmless'>> = {
  ssh_key: 'speaks for',
  personal_access_token: 'speaks for',
  second_factor: 'speaks for',
  user_identity: 'for administrators',
  table_preference: 'harmless',
  user_mail_notification: 'harmless',
}

describe('every way to act as somebody', () => {
  test('is known: all that requests write of users and below them is classified', () => {
    const written = resourceNamed('user').placed.filter(({ field, at }) => Object.keys(field.writable(at)).length > 0)
    expect(written.map(({ name }) => name).sort()).toEqual(Object.keys(CONSEQUENCES).sort())
    const below = [...assembleResources().values()].filter(({ parents, nestedOnly }) => nestedOnly && 'user' in parents)
    expect(below.map(({ name }) => name).sort()).toEqual(Object.keys(BELOW_USERS).sort())
    const speaking = Object.entries({ ...CONSEQUENCES, ...BELOW_USERS }).filter(([, kind]) => kind.startsWith('speaks'))
    const tried = new Set(Object.keys(WAYS).map((way) => way.split(' ')[0]))
    expect([...tried].sort()).toEqual(speaking.map(([name]) => name).sort())
  })

  test.each(Object.keys(WAYS))('%s takes what the user may do, and where', async (way) => {
    const attempt = WAYS[way]
    if (!attempt) throw new Error(way)
    for (const id of [stronger, elsewhere])
      expect(await attempt(helper, id), `${way} of ${id}`).toMatchObject({
        status: 422,
        body: {
          error: { errors: { base: [expect.stringContaining("You can't do this for somebody who may do more")] } },
        },
      })
    const done = await attempt(helper, weaker)
    expect(done.status, done.text).toBeLessThan(300)
    await api.admin.put(`/api/users/${weaker}`, { auth_source_id: 1 })
  })

  test('is not open by a role that is limited less, nor by another condition', async () => {
    const limited = await api.can(HELPDESK, { ...home, search: 'id > 0' })
    expect((await WAYS.password?.(limited, weaker))?.status).toBe(422)
  })

  test('is open to whoever has the same by a group', async () => {
    const role = await roleWith(['view_domains'])
    const member = await person([])
    await given(api.admin, 'usergroup', { user_ids: [member], role_ids: [role] })
    expect((await WAYS.password?.(helper, member))?.status).toBe(422)
    await given(api.admin, 'usergroup', { user_ids: [helper.id], role_ids: [role] })
    expect((await WAYS.password?.(helper, member))?.status).toBe(200)
  })

  test('harmless fields of a user need no further permission', async () => {
    const put = (body: Body) => helper.put(`/api/users/${stronger}`, body)
    for (const body of [{ firstname: 'Ada' }, { mail: 'ada@example.test' }, { timezone: 'UTC' }, { disabled: true }])
      expect((await put(body)).status, JSON.stringify(body)).toBe(200)
  })
})

describe('who gives somebody more', () => {
  test('takes nobody into a further organization who may do more there, from either side', async () => {
    const second = (await given(api.admin, 'organization')).id
    await api.admin.put(`/api/users/${helper.id}`, { organization_ids: [...home.organization_ids, second] })
    const into = { organization_ids: [...home.organization_ids, second] }
    expect((await helper.put(`/api/users/${stronger}`, into)).status).toBe(422)
    expect((await helper.put(`/api/organizations/${second}`, { user_ids: [helper.id, stronger] })).status).toBe(422)
    expect((await helper.put(`/api/users/${weaker}`, into)).status).toBe(200)
  })

  test('hands roles without limits to nobody who is elsewhere, directly or by a group', async () => {
    const [free, bound] = [await roleWith(['view_domains']), await roleWith(['view_domains'], home)]
    const giver = await api.can([...HELPDESK, 'edit_usergroups'], home)
    const { roles } = (await api.admin.get(`/api/users/${giver.id}`)).body
    const own = roles.map(({ id }: { id: number }) => id)
    await api.admin.put(`/api/users/${giver.id}`, { role_ids: [...own, free, bound] })
    const there = await person([], { organization_ids: [...home.organization_ids, other] })
    const { roles: held } = (await api.admin.get(`/api/users/${there}`)).body
    const before = held.map(({ id }: { id: number }) => id)
    const group = await given(api.admin, 'usergroup', { role_ids: [free] })
    expect((await giver.put(`/api/users/${there}`, { role_ids: [...before, free] })).status).toBe(422)
    expect((await giver.put(`/api/usergroups/${group.id}`, { user_ids: [there] })).status).toBe(422)
    expect((await giver.put(`/api/users/${there}`, { role_ids: [...before, bound] })).status).toBe(200)
    expect((await giver.put(`/api/usergroups/${group.id}`, { user_ids: [await person([])] })).status).toBe(200)
    expect((await giver.put(`/api/usergroups/${group.id}`, { usergroup_ids: [await groupOf(there)] })).status).toBe(422)
  })

  test('nor puts a group into one with such roles whose members a source names', async () => {
    const free = await roleWith(['view_domains'])
    const giver = await api.can([...HELPDESK, 'edit_usergroups'], home)
    const { roles } = (await api.admin.get(`/api/users/${giver.id}`)).body
    await api.admin.put(`/api/users/${giver.id}`, { role_ids: [...roles.map(({ id }: { id: number }) => id), free] })
    const [outer, linked, plain] = [
      await given(api.admin, 'usergroup', { role_ids: [free] }),
      await given(api.admin, 'usergroup'),
      await given(api.admin, 'usergroup'),
    ]
    const link = { usergroup_id: linked.id, auth_source_id: 3, name: unique('there') }
    await expectCreated(api.admin.post(`/api/usergroups/${linked.id}/external_usergroups`, link))
    expect((await giver.put(`/api/usergroups/${outer.id}`, { usergroup_ids: [linked.id] })).status).toBe(422)
    expect((await giver.put(`/api/usergroups/${linked.id}`, { role_ids: [free] })).status).toBe(422)
    expect((await giver.put(`/api/usergroups/${outer.id}`, { usergroup_ids: [plain.id] })).status).toBe(200)
  })

  async function groupOf(user: number): Promise<number> {
    return (await given(api.admin, 'usergroup', { user_ids: [user] })).id
  }
})

describe.each([
  ['organization', 'organizations', 'location'],
  ['location', 'locations', 'organization'],
] as const)('%s put under another', (kind, plural, otherKind) => {
  const ids = `${kind}_ids`
  const MOVER = [`view_${plural}`, `edit_${plural}`, 'view_users']

  /** Creates two root locations of a caller who may move them, with further permissions. */
  async function twoRoots(permissions: readonly string[] = []) {
    const [moved, under] = [(await given(api.admin, kind)).id, (await given(api.admin, kind)).id]
    const places = { ...home, [ids]: [moved, under] }
    const mover = await api.can([...MOVER, ...permissions], places)
    const move = () => mover.put(`/api/${plural}/${moved}`, { parent_id: under })
    const back = () => api.admin.put(`/api/${plural}/${moved}`, { parent_id: null })
    return { moved, under, places, move, back }
  }

  test('takes in people with no more rights and places than its mover has', async () => {
    const { move, back, under } = await twoRoots()
    const inside = { ...home, [ids]: [under] }
    expect((await move()).status, 'nobody is there').toBe(200)
    for (const [permissions, more, status] of [
      [['view_users'], {}, 200],
      [['destroy_users'], {}, 422],
      [[], { [`${otherKind}_ids`]: [(await given(api.admin, otherKind)).id] }, 422],
    ] as const) {
      await back()
      const member = await person(permissions, { ...inside, ...more })
      const answer = await move()
      expect(answer.status, JSON.stringify([permissions, more])).toBe(status)
      if (status === 422) expect(Object.keys(answer.body.error.errors)).toEqual(['parent_id'])
      await api.admin.delete(`/api/users/${member}`)
    }
  })

  test('extends no role that is limited to the other one beyond what its mover has', async () => {
    const { move, back, under } = await twoRoots()
    const limit = { ...home, [ids]: [under] }
    const role = await roleWith(['view_users'], limit)
    expect((await move()).status).toBe(200)
    await back()
    await given(api.admin, 'filter', { role_id: role, permission_ids: [await permissionId(api.admin, 'edit_domains')] })
    const refused = await move()
    expect([refused.status, Object.keys(refused.body.error.errors)]).toEqual([422, ['parent_id']])
  })

  test('lets no smart proxy act where its mover is not', async () => {
    const { move, back, under, moved } = await twoRoots([
      'view_smart_proxies',
      'edit_smart_proxies',
      `assign_${plural}`,
    ])
    const near = await given(api.admin, 'smart_proxy', { ...home, [ids]: [under] })
    expect((await move()).status).toBe(200)
    await back()
    const far = { [`${otherKind}_ids`]: [...home[`${otherKind}_ids`], (await given(api.admin, otherKind)).id] }
    const proxy = await given(api.admin, 'smart_proxy', { ...far, [ids]: [under] })
    const refused = await move()
    expect([refused.status, Object.keys(refused.body.error.errors)]).toEqual([422, ['parent_id']])
    expect(refused.text).toContain('act for hosts')
    expect([near.id, moved]).not.toContain(proxy.id)
  })

  test('nor do links from either side', async () => {
    const { moved, under, places } = await twoRoots()
    const permissions = ['view_smart_proxies', 'edit_smart_proxies', `assign_${plural}`, `assign_${otherKind}s`]
    const linker = await api.can([...MOVER, ...permissions], places)
    const far = { [`${otherKind}_ids`]: [...home[`${otherKind}_ids`], (await given(api.admin, otherKind)).id] }
    const proxy = await given(api.admin, 'smart_proxy', { ...far, [ids]: [under] })
    const near = await given(api.admin, 'smart_proxy', { ...home, [ids]: [under] })
    const link = (id: number) => linker.put(`/api/smart_proxies/${id}`, { [ids]: [under, moved] })
    const linked = (id: number) => linker.put(`/api/${plural}/${moved}`, { smart_proxy_ids: [id] })
    expect(Object.keys((await link(proxy.id)).body.error.errors)).toEqual([ids])
    expect(Object.keys((await linked(proxy.id)).body.error.errors)).toEqual(['smart_proxy_ids'])
    expect((await linked(near.id)).status).toBe(200)
    expect((await link(near.id)).status).toBe(200)
  })
})

describe('a role that is limited', () => {
  const KEEPER = [
    ...['view_roles', 'create_roles', 'edit_roles', 'view_filters', 'create_filters', 'edit_filters'],
    ...['view_organizations', 'view_locations'],
  ]
  let keeper: Caller & { id: number }
  let role: number
  let filter: number

  beforeAll(async () => {
    keeper = await api.can([...KEEPER, 'view_domains'], home)
    role = await roleWith(['view_domains'], home)
    filter = (await api.admin.get(`/api/roles/${role}`)).body.filters[0].id
  })

  test.each([
    ['its organizations', () => keeper.put(`/api/roles/${role}`, { organization_ids: [] })],
    ['its locations', () => keeper.put(`/api/roles/${role}`, { location_ids: [] })],
    ['the switch of its filter', () => keeper.put(`/api/filters/${filter}`, { override: true, organization_ids: [] })],
    ['a copy', () => keeper.post(`/api/roles/${role}/clone`, { role: { name: unique('copy'), organization_ids: [] } })],
  ])('does not become unlimited by %s', async (_what, attempt) => {
    const { status, text } = await attempt()
    expect(status, text).toBe(422)
  })

  test('is copied with its limits, and stays changeable', async () => {
    const copy = await expectCreated(keeper.post(`/api/roles/${role}/clone`, { role: { name: unique('copy') } }))
    expect(copy.organizations.map(({ id }: { id: number }) => id)).toEqual(home.organization_ids)
    expect((await keeper.put(`/api/roles/${role}`, { description: 'ours' })).status).toBe(200)
    expect((await keeper.put(`/api/filters/${filter}`, { search: 'name ~ ours' })).status).toBe(200)
    expect((await keeper.put(`/api/filters/${filter}`, { search: '' })).status, 'they have it without').toBe(200)
  })

  test('is needed: what belongs to places is granted without limits by nobody who has some', async () => {
    const permission_ids = [await permissionId(api.admin, 'view_domains')]
    const free = (await expectCreated(keeper.post('/api/roles', { name: unique('free') }))).id
    expect((await keeper.post('/api/filters', { role_id: free, permission_ids })).status).toBe(422)
    const own = { role_id: free, permission_ids, override: true, ...home }
    expect((await keeper.post('/api/filters', own)).status).toBe(201)
    expect((await keeper.put(`/api/roles/${free}`, home)).status).toBe(200)
    expect((await keeper.post('/api/filters', { role_id: free, permission_ids })).status).toBe(201)
  })

  test('of somebody else stays as it is: a filter beyond the editor’s is neither widened nor copied wider', async () => {
    const wide = await roleWith(['destroy_domains'], {}, { search: 'name = a' })
    const [{ id }] = (await api.admin.get(`/api/roles/${wide}`)).body.filters
    expect((await keeper.put(`/api/filters/${id}`, { search: null })).status).toBe(422)
    expect((await keeper.put(`/api/roles/${wide}`, home)).status, 'narrower').toBe(200)
    expect((await keeper.put(`/api/roles/${wide}`, { organization_ids: [], location_ids: [] })).status).toBe(422)
  })
})

describe('a password that somebody else sets', () => {
  const reset = async (setting: boolean) => {
    await api.admin.put('/api/settings/revoke_tokens_on_password_reset', { setting: { value: setting } })
    const { id } = await given(api.admin, 'user', home)
    const token = await expectCreated(api.admin.post(`/api/users/${id}/personal_access_tokens`, { name: 'old' }))
    const by = api.as({ authorization: `Bearer ${token.token_value}` })
    expect((await by.get('/api/current_user')).status).toBe(200)
    expect((await by.get('/api/current_user')).body.id).toBe(id)
    expect((await api.admin.put(`/api/users/${id}`, { password: 'another one' })).status).toBe(200)
    const audits = await api.admin.get(
      `/api/audits?search=${encodeURIComponent(`type = personal_access_token and auditable_id = ${token.id}`)}`,
    )
    return { id, by, audits: audits.body.results.map(({ audited_changes }: Body) => audited_changes) }
  }

  test('ends the tokens of the user, with audits, unless a setting keeps them', async () => {
    const ended = await reset(true)
    expect((await ended.by.get('/api/current_user')).status).toBe(401)
    expect(ended.audits).toContainEqual({ revoked: [false, true] })
    const kept = await reset(false)
    expect((await kept.by.get('/api/current_user')).status).toBe(200)
    await api.admin.put('/api/settings/revoke_tokens_on_password_reset', { setting: { value: true } })
  })

  test('is not one’s own: who changes it themselves keeps their tokens', async () => {
    const self = await api.can([])
    expect(
      (await self.put(`/api/users/${self.id}`, { password: 'a new one', current_password: 'long enough' })).status,
    ).toBe(200)
    expect((await self.get('/api/current_user')).status).toBe(200)
  })
})

test('audits name the login beside the display name, also of whoever is gone or renamed', async () => {
  const author = await api.can(['create_architectures', 'view_architectures'])
  await api.admin.put(`/api/users/${author.id}`, { firstname: 'Ad', lastname: 'Min' })
  const { id } = await expectCreated(author.post('/api/architectures', { name: unique('arch') }))
  const audit = async () => {
    const search = encodeURIComponent(`type = architecture and auditable_id = ${id}`)
    return (await api.admin.get(`/api/audits?search=${search}`)).body.results[0]
  }
  expect(await audit()).toMatchObject({ user_name: 'Ad Min', user_login: author.login })
  await api.admin.put(`/api/users/${author.id}`, { login: unique('renamed') })
  expect(await audit()).toMatchObject({ user_name: 'Ad Min', user_login: author.login })
  await api.admin.delete(`/api/users/${author.id}`)
  expect(await audit()).toMatchObject({ user_name: 'Ad Min', user_login: author.login })
})

function newKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const parts = [Buffer.from('ssh-ed25519'), raw].flatMap((part) => [lengthOf(part), part])
  return `ssh-ed25519 ${Buffer.concat(parts).toString('base64')}`
}

function lengthOf(part: Buffer): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(part.length)
  return bytes
}
