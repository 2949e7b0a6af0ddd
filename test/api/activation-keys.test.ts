import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'
import { KEYS, type KeyWorld, keyWorld, refused } from './activation-key-world.ts'

// Content-api §1 and §2: activation keys themselves; activation-key-contents.test.ts is about what they give.

let api: TestApi
let world: KeyWorld
beforeAll(async () => {
  api = await openTestApi()
  world = await keyWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const invalid = (errors: Record<string, string[]>) => [422, errors]
const create = (body: Body) =>
  api.admin.post(KEYS, { organization_id: world.organization.id, activation_key: { name: unique('key'), ...body } })
const list = async (query: string, path = `/content/api/organizations/${world.organization.id}/activation_keys`) =>
  (await api.admin.get(`${path}?${query}`)).body
const named = (search: string) =>
  list(`per_page=all&search=${encodeURIComponent(search)}`).then(({ results }) =>
    results.map(({ name }: Shown) => name),
  )

describe('names', () => {
  test.each([
    ['', ['must contain at least 1 character', "can't be blank"]],
    [null, ["can't be blank"]],
    ['  ', ["can't be blank", 'must not contain leading or trailing white spaces.']],
    [' key', ['must not contain leading or trailing white spaces.']],
    ['key\n', ['must not contain leading or trailing white spaces.']],
    ['a,b', ['cannot contain commas']],
    ['x'.repeat(256), ['is too long (maximum is 255 characters)']],
  ])('%j is refused', async (name, messages) => {
    expect(await refused(create({ name }))).toEqual(invalid({ name: messages }))
    const key = await world.key()
    expect(await refused(world.change(key, { name }))).toEqual(invalid({ name: messages }))
    expect((await world.show(key)).name).toBe(key.name)
  })

  test('are unique within an organization, in their very letters', async () => {
    const key = await world.key({ name: unique('Ünïque/ key') })
    expect(await refused(create({ name: key.name }))).toEqual(invalid({ name: ['has already been taken'] }))
    const answer = await create({ name: key.name })
    expect(answer.body.displayMessage).toBe('Validation failed: Name has already been taken')
    await world.key({ name: key.name.toUpperCase() })
    const elsewhere = await keyWorld(api)
    await elsewhere.key({ name: key.name })
    expect((await api.admin.delete(`${KEYS}/${key.id}`)).status).toBe(204)
    await world.key({ name: key.name })
  })
})

// Content-api §2.7: each row has the state before, the sent values, and the result.
describe('limits', () => {
  const unlimited = { unlimited_hosts: true, max_hosts: null }
  const five = { unlimited_hosts: false, max_hosts: 5 }
  const wrong = (...max_hosts: string[]) => ({ max_hosts })
  test.each<[Body, Body, Body]>([
    [unlimited, { unlimited_hosts: true, max_hosts: 7 }, unlimited],
    [unlimited, { unlimited_hosts: true, max_hosts: 0 }, unlimited],
    [five, { unlimited_hosts: true }, unlimited],
    [five, { unlimited_hosts: 'true', max_hosts: 'many' }, unlimited],
    [unlimited, { max_hosts: 7 }, { unlimited_hosts: false, max_hosts: 7 }],
    [unlimited, { max_hosts: '7' }, { unlimited_hosts: false, max_hosts: 7 }],
    [unlimited, { unlimited_hosts: 'false', max_hosts: 7 }, { unlimited_hosts: false, max_hosts: 7 }],
    [unlimited, { unlimited_hosts: null, max_hosts: 2147483647 }, { unlimited_hosts: false, max_hosts: 2147483647 }],
    [unlimited, { unlimited_hosts: null }, unlimited],
    [unlimited, { max_hosts: null }, unlimited],
    [five, { unlimited_hosts: false }, five],
    [five, {}, five],
    [unlimited, { unlimited_hosts: false }, wrong('cannot be nil')],
    [unlimited, { unlimited_hosts: false, max_hosts: null }, wrong('cannot be nil')],
    [five, { max_hosts: null }, wrong('cannot be nil')],
    [five, { max_hosts: 0 }, wrong('cannot be less than one')],
    [five, { max_hosts: -3 }, wrong('cannot be less than one')],
    [five, { max_hosts: 'many' }, wrong('is not a number', 'cannot be less than one')],
    [five, { max_hosts: true }, wrong('is not a number', 'cannot be less than one')],
    [five, { max_hosts: 2.5 }, wrong('must be an integer')],
    [five, { max_hosts: 2147483648 }, wrong('must be less than 2147483648')],
    [five, { max_hosts: '99999999999999999999' }, wrong('must be less than 2147483648')],
  ])('%j and %j come to %j', async (before, sent, after) => {
    const key = await world.key(before)
    const answer = await world.change(key, sent)
    const kept = (record: Shown) => ({ unlimited_hosts: record.unlimited_hosts, max_hosts: record.max_hosts })
    if ('unlimited_hosts' in after) return expect([answer.status, kept(answer.body)]).toEqual([200, after])
    expect([answer.status, answer.body.errors]).toEqual([422, after])
    expect(kept(await world.show(key))).toEqual(before)
  })

  test('are judged in the same way when a key is made', async () => {
    expect(await world.key()).toMatchObject(unlimited)
    expect(await world.key({ max_hosts: 3 })).toMatchObject({ unlimited_hosts: false, max_hosts: 3 })
    expect(await refused(create({ unlimited_hosts: false, max_hosts: 0 }))).toEqual(
      invalid({ max_hosts: ['cannot be less than one'] }),
    )
    expect(await refused(create({ unlimited_hosts: false }))).toEqual(invalid({ max_hosts: ['cannot be nil'] }))
  })

  test('are never below the hosts that are registered', async () => {
    const key = await world.key({ max_hosts: 5 })
    for (let count = 0; count < 3; count++) await world.registered(key)
    expect(await refused(world.change(key, { max_hosts: 2 }))).toEqual(
      invalid({ max_hosts: ['cannot be lower than current usage count (3)'] }),
    )
    expect((await world.change(key, { max_hosts: 3 })).body).toMatchObject({ max_hosts: 3, usage_count: 3 })
  })
})

describe('environment and content view', () => {
  const contents = ({ environment_id, content_view_id, content_view_environment_labels }: Shown) =>
    [environment_id, content_view_id, content_view_environment_labels] as const

  test('a new key in the Library gets the default view, elsewhere none', async () => {
    const { library, defaultView } = world
    const environment = await world.environment()
    expect(contents(await world.key({ environment_id: library }))).toEqual([library, defaultView, 'Library'])
    expect(contents(await world.key({ environment: { id: library } }))).toEqual([library, defaultView, 'Library'])
    expect(contents(await world.key({ environment_id: library, content_view_id: null }))).toEqual([library, null, ''])
    expect(contents(await world.key({ environment_id: environment.id }))).toEqual([environment.id, null, ''])
    expect(contents(await world.key({ content_view_id: defaultView }))).toEqual([null, defaultView, ''])
    const key = await world.key()
    expect(contents((await world.change(key, { environment_id: library })).body)).toEqual([library, null, ''])
  })

  test('must go together', async () => {
    const [test, web] = [await world.environment('test'), unique('web')]
    const view = await world.view(web, [world.library])
    const message = `Content view '${web}' is not in environment 'test'`
    const sent = { environment_id: test.id, content_view_id: view }
    const answer = await create(sent)
    expect(answer).toMatchObject({
      status: 422,
      body: { displayMessage: `Validation failed: ${message}`, errors: { base: [message] } },
    })
    const key = await world.key({ environment_id: world.library, content_view_id: view })
    expect(await refused(world.change(key, { environment: { id: test.id } }))).toEqual(invalid({ base: [message] }))
    expect(contents((await world.change(key, { environment_id: null })).body)).toEqual([null, view, ''])
    expect(contents((await world.change(key, { content_view: null })).body)).toEqual([null, null, ''])
    await sql`update content_views set generated_for = 'library_export' where id = ${view}`.execute(api.database.db)
    expect(await refused(create({ content_view_id: view }))).toEqual(
      invalid({ base: ['Generated content views cannot be assigned to hosts or activation keys'] }),
    )
  })

  test('must be of the organization, and there', async () => {
    const other = await keyWorld(api)
    for (const [key, word] of [
      ['environment', 'environment'],
      ['content_view', 'content view'],
    ] as const) {
      expect(await refused(create({ [`${key}_id`]: 99_999_999 }))).toEqual([404, [`Couldn't find ${word} '99999999'`]])
      expect(await refused(create({ [key]: { id: 99_999_999 } }))).toEqual([404, [`Couldn't find ${word} '99999999'`]])
    }
    expect(await refused(create({ environment_id: other.library }))).toEqual([
      404,
      [`Couldn't find environment '${other.library}'`],
    ])
    const nested = { name: unique('key'), organization_id: world.organization.id, content_view_id: other.defaultView }
    expect(await refused(api.admin.post(KEYS, { activation_key: nested }))).toEqual(
      invalid({ content_view_id: ['belongs to another organization'] }),
    )
  })

  test('several of them are an ordered list, whose first is the pair', async () => {
    const [dev, prod] = [await world.environment('dev'), await world.environment('prod')]
    const base = unique('base')
    const view = await world.view(base, [dev.id, prod.id])
    const labels = [`dev/${base}`, 'Library', `prod/${base}`]
    const key = await world.key({ content_view_environments: labels })
    expect(key).toMatchObject({
      environment: { name: 'dev', id: dev.id },
      content_view: { id: view, name: base },
      content_view_environment_labels: labels.join(','),
      multi_content_view_environment: true,
    })
    expect(key.content_view_environments[2]).toMatchObject({
      label: `prod/${base}`,
      content_view: { id: view, name: base },
      environment: { id: prod.id, name: 'prod' },
      lifecycle_environment: { id: prod.id, name: 'prod', lifecycle_environment_library: false },
    })
    // Sending a record back unchanged changes nothing; neither does sending its present pair.
    expect((await world.change(key, key)).body).toEqual(key)
    const same = { environment_id: dev.id, content_view_id: view }
    expect((await world.change(key, same)).body).toEqual(key)
    expect(await world.changes(key)).toEqual([])
    const lone = { environment_id: prod.id, content_view_id: view }
    expect(await refused(world.change(key, lone))).toEqual(
      invalid({
        base: [
          'The activation key has several content view environments: send all that it is to have as content_view_environments',
        ],
      }),
    )
    const contradicting = { ...lone, content_view_environments: labels }
    expect(await refused(world.change(key, contradicting))).toEqual(
      invalid({ base: [expect.stringContaining('agree')] }),
    )
    const turned = await world.change(key, { content_view_environment_labels: `prod/${base}, dev/${base}` })
    expect(contents(turned.body)).toEqual([prod.id, view, `prod/${base},dev/${base}`])
    const [turning] = await world.changes(key)
    expect(turning?.audited_changes).toMatchObject({
      environment_id: [dev.id, prod.id],
      content_view_environments: [expect.any(Array), [lone, same]],
    })
    const twice = { content_view_environments: [lone, lone] }
    expect(await refused(world.change(key, twice))).toEqual(
      invalid({ content_view_environments: ['must not contain an entry twice'] }),
    )
    expect(await refused(world.change(key, { content_view_environments: ['nowhere/none'] }))).toEqual(
      invalid({ content_view_environments: [expect.stringContaining('nowhere/none')] }),
    )
    expect(contents((await world.change(key, { content_view_environments: [lone] })).body)).toEqual([
      ...[prod.id, view],
      `prod/${base}`,
    ])
    expect(contents((await world.change(key, { environment_id: dev.id })).body)).toEqual([dev.id, view, `dev/${base}`])
    expect(contents((await world.change(key, { content_view_environments: [] })).body)).toEqual([null, null, ''])
    expect(await named(`content_view = ${base}`)).not.toContain(key.name)
  })
})

describe('organizations', () => {
  const missing = [404, ['One of parameters [ organization_id ] required but not specified.']]

  test('are named by whoever writes, or by an environment', async () => {
    expect(await refused(api.admin.post(KEYS, { name: '' }))).toEqual(missing)
    const made = await api.admin.post(KEYS, { name: unique('key'), environment_id: world.library })
    expect(made).toMatchObject({ status: 201, body: { organization_id: world.organization.id } })
    const below = await api.admin.post(`/content/api/environments/${world.library}/activation_keys`, {
      activation_key: { name: unique('key') },
    })
    expect(below).toMatchObject({ status: 201, body: { environment_id: world.library } })
    const path = `${KEYS}/${made.body.id}`
    expect(await refused(api.admin.put(path, { description: 'x' }))).toEqual(missing)
    expect((await api.admin.put(path, { environment_id: world.library })).status).toBe(204)
    expect((await api.admin.put(`${path}?organization_id=${world.organization.id}`, { name: 'flat' })).status).toBe(204)
    expect((await world.show(made.body)).name).toBe('flat')
  })

  test('never change, and another one does not know the key', async () => {
    const other = await keyWorld(api)
    const key = await world.key()
    const wrong = [400, ['The requested resource does not belong to the specified Organization']]
    const path = `${KEYS}/${key.id}`
    const named = { organization_id: other.organization.id }
    expect(await refused(api.admin.get(`${path}?organization_id=${other.organization.id}`))).toEqual(wrong)
    expect(await refused(api.admin.put(path, { ...named, name: 'moved' }))).toEqual(wrong)
    expect(await refused(api.admin.put(path, { activation_key: named }))).toEqual(wrong)
    expect(await refused(api.admin.put(path, { activation_key: { environment_id: other.library } }))).toEqual(wrong)
    for (const [action, body] of [
      ['host_collections', { host_collection_ids: [] }],
      ['content_override', { content_overrides: [] }],
    ] as const)
      expect(await refused(api.admin.put(`${path}/${action}`, { ...named, ...body }))).toEqual(wrong)
    expect(await world.show(key)).toEqual(key)
    const gone = await api.admin.put(path, { organization_id: 99_999_999 })
    expect(gone).toMatchObject({ status: 404, body: { message: 'Organization with id 99999999 not found' } })
  })
})

describe('writing', () => {
  test('every field is stored, shown, and cleared by null or a blank', async () => {
    const expires_at = '2031-03-31T14:25:36Z'
    const sent = {
      description: 'For the web',
      auto_attach: 'false',
      purpose_usage: 'Production',
      purpose_role: 'Web server',
      purpose_addons: ['ha', ' storage ', 'ha', ''],
      enabled: false,
      single_use: '1',
      expires_at,
      location_ids: [(await given(api.admin, 'location', { organization_ids: [world.organization.id] })).id],
    }
    const key = await world.key(sent)
    const stored = { ...sent, auto_attach: false, purpose_addons: ['ha', 'storage'], single_use: true }
    const { location_ids, ...shown } = { ...stored, expires_at: '2031-03-31 14:25:36 UTC' }
    expect(key).toMatchObject({ ...shown, user_id: 1, used_at: null, locations: [{ id: location_ids[0] }] })
    expect(await world.show(key)).toEqual(key)
    const { service_level, content_overrides, ...row } = key
    expect((await list(`name=${key.name}`)).results).toEqual([row])
    const audited = await world.change(key, { ...sent })
    expect([audited.body, await world.changes(key)]).toEqual([key, []])
    // Without it the key would be valid in every location.
    const gone = await api.admin.delete(`/api/locations/${location_ids[0]}`)
    const base = [expect.stringMatching(`is the only location of the activation key ${key.name}$`)]
    expect([gone.status, gone.body.error.errors]).toEqual([422, { base }])
    const cleared = await world.change(key, {
      ...{ description: null, purpose_usage: '', purpose_role: null, purpose_addons: [], expires_at: null },
      ...{ location_ids: [], release_version: '', service_level: '' },
    })
    expect(cleared.body).toMatchObject({
      ...{ description: null, purpose_usage: null, purpose_role: null, purpose_addons: [], expires_at: null },
      ...{ locations: [], release_version: null, service_level: null },
    })
  })

  test('a moment is one that there is', async () => {
    for (const expires_at of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00'])
      expect(await refused(create({ expires_at }))).toEqual(invalid({ expires_at: ['must be in the years 1 to 9999'] }))
    expect((await world.key({ expires_at: '2031-03-31 16:25:36.7+02:00' })).expires_at).toBe('2031-03-31 14:25:36 UTC')
  })

  test('a change answers 204, with the record to those who prefer it, and the record keeps its ETag otherwise', async () => {
    const key = await world.key()
    const path = `${KEYS}/${key.id}`
    const { etag } = (await api.admin.get(path)).headers
    const body = { organization_id: world.organization.id, activation_key: { name: key.name, max_hosts: null } }
    const silent = await api.admin.put(path, body)
    expect([silent.status, silent.text]).toEqual([204, ''])
    expect((await api.admin.get(path, { 'if-none-match': String(etag) })).status).toBe(304)
    const answer = await world.change(key, { name: `${key.name} 2` })
    expect(answer).toMatchObject({ status: 200, headers: { 'preference-applied': 'return=representation' } })
    expect(answer.body).toEqual(await world.show(key))
    expect((await world.changes(key)).map(({ audited_changes }) => audited_changes)).toEqual([
      { name: [key.name, `${key.name} 2`] },
    ])
  })

  test('a release must be in the Library, a service level with some pool', async () => {
    const own = await keyWorld(api)
    const { repository } = await own.content({ release: '8.4' })
    await own.content({ release: '7Server' })
    const dev = await own.environment()
    const view = await own.view('web', [dev.id])
    await sql`insert into content_view_version_repositories select id, ${repository} from content_view_versions where content_view_id = ${view}`.execute(
      api.database.db,
    )
    const key = await own.key({ environment_id: dev.id, content_view_id: view, release_version: '7Server' })
    expect(await refused(own.change(key, { release_version: 'foo', name: '' }))).toEqual([
      400,
      ['Invalid release version: [foo]'],
    ])
    const releases = { total: 1, subtotal: 1, selectable: 1, results: ['8.4'], page: null, error: null }
    expect((await api.admin.get(`${KEYS}/${key.id}/releases`)).body).toMatchObject(releases)
    const homeless = await own.key({ service_level: 'Whatever' })
    expect((await api.admin.get(`${KEYS}/${homeless.id}/releases`)).body.results).toEqual(['7Server', '8.4'])
    await own.pool({ support_level: 'Premium' })
    const answer = await own.change(key, { service_level: 'Gold' })
    expect([answer.status, answer.body.displayMessage]).toEqual([
      422,
      `Validation failed: Service level "Gold" is not available to units of organization ${own.organization.name}.`,
    ])
    expect((await own.change(key, { service_level: 'premium' })).body.service_level).toBe('premium')
  })

  test('a key that a host or a host group registers with is not deleted or renamed', async () => {
    const key = await world.key({ name: unique('web server') })
    const path = `${KEYS}/${key.id}`
    const value = `first, ${key.name}`
    const parameters = [{ name: 'kt_activation_keys', parameter_type: 'string', value }]
    const group = await given(api.admin, 'hostgroup', {
      organization_ids: [world.organization.id],
      group_parameters_attributes: parameters,
    })
    const { status, body } = await api.admin.delete(path)
    expect([status, body.errors]).toEqual([
      422,
      {
        base: [
          `This activation key is associated to one or more Hosts/Hostgroups. Search and unassociate Hosts/Hostgroups using params.kt_activation_keys ~ "${key.name}" before deleting.`,
        ],
      },
    ])
    const renamed = await api.admin.put(path, { organization_id: world.organization.id, name: unique('other') })
    expect([renamed.status, renamed.body.errors]).toEqual([
      422,
      { base: [expect.stringMatching(/ before renaming\.$/)] },
    ])
    const same = await api.admin.put(path, { organization_id: world.organization.id, name: key.name, description: 'x' })
    expect(same.status).toBe(204)
    expect((await api.admin.delete(`/api/hostgroups/${group.id}`)).status).toBe(200)
    // Names are unique within an organization.
    const elsewhere = await given(api.admin, 'organization')
    await given(api.admin, 'host', { organization_id: elsewhere.id, host_parameters_attributes: parameters })
    const host = await world.registered(key)
    const deleted = await api.admin.delete(path)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await api.admin.get(`/api/hosts/${host.id}`)).status).toBe(200)
    expect(await refused(api.admin.delete(path))).toEqual([
      404,
      [
        `Could not find activation_key resource with id ${key.id}. Potential missing permissions: destroy_activation_keys`,
      ],
    ])
  })
})

describe('lists', () => {
  test('are about an organization or an environment', async () => {
    const own = await keyWorld(api)
    const dev = await own.environment()
    const view = await own.view('web', [dev.id])
    const there = await own.key({ name: 'there', environment_id: dev.id, content_view_id: view })
    await own.key({ name: 'library', environment_id: own.library })
    const many = await own.key({ name: 'many', content_view_environments: ['Library', `${dev.label}/web`] })
    const names = async (path: string) => (await api.admin.get(path)).body.results?.map(({ name }: Shown) => name)
    const { id } = own.organization
    expect(await refused(api.admin.get(KEYS))).toEqual([
      400,
      ['Either organization ID or environment ID needs to be specified'],
    ])
    expect(await names(`${KEYS}?organization_id=${id}`)).toEqual(['library', 'many', 'there'])
    for (const path of [`${KEYS}?environment_id=${dev.id}`, `/content/api/environments/${dev.id}/activation_keys?`])
      expect(await names(`${path}&sort_by=name&sort_order=DESC`)).toEqual(['there', 'many'])
    expect(await names(`${KEYS}?organization_id=${id}&content_view_id=${view}`)).toEqual(['many', 'there'])
    expect(await names(`${KEYS}?organization_id=${id}&environment_id=${dev.id}&name=there`)).toEqual(['there'])
    expect(await names(`${KEYS}?organization_id=${id}&name=ther`)).toEqual([])
    for (const [query, word] of [
      ['environment_id', 'environment'],
      ['content_view_id', 'content view'],
    ] as const)
      for (const value of ['99999999', ''])
        expect(await refused(api.admin.get(`${KEYS}?organization_id=${id}&${query}=${value}`))).toEqual([
          404,
          [`Couldn't find ${word} '${value}'`],
        ])
    const page = await api.admin.get(`${KEYS}?organization_id=${id}&search=name+%3D+many&page=1&per_page=1`)
    expect(page.body).toMatchObject({
      ...{ total: 3, subtotal: 1, selectable: 1, page: 1, per_page: 1, error: null, search: 'name = many' },
      sort: { by: 'name', order: 'asc' },
    })
    expect([page.body.results[0].id, there.id].sort()).toEqual([there.id, many.id].sort())
  })

  test('are searched by every field of the contract', async () => {
    const own = await keyWorld(api)
    world = own
    const dev = await own.environment('develop')
    const web = await own.view('webview', [dev.id])
    const pool = await own.pool({ name: 'Gold pool' })
    const first = await own.key({
      ...{ name: 'first', description: 'For the laboratory', environment_id: dev.id, content_view_id: web },
      ...{ purpose_usage: 'Production', purpose_role: 'Database', purpose_addons: ['ha', 'storage'] },
    })
    await api.admin.post(`${KEYS}/${first.id}/add_subscriptions`, { subscription_id: pool.id })
    const second = await own.key({ name: 'second', content_view_environments: ['Library', 'develop/webview'] })
    await own.key({ name: 'third', purpose_usage: 'Test' })
    const { id } = own.organization
    const expected: Record<string, string[]> = {
      'name = first': ['first'],
      'description ~ labora': ['first'],
      'content_view = webview': ['first', 'second'],
      'content_view != webview': ['second'],
      [`content_view_id = ${web}`]: ['first', 'second'],
      'environment ~ devel': ['first', 'second'],
      'has environment': ['first', 'second'],
      'null? environment': ['third'],
      [`lifecycle_environment_id ^ (${dev.id})`]: ['first', 'second'],
      [`organization_id = ${id}`]: ['first', 'second', 'third'],
      'usage = Production': ['first'],
      'role ~ data': ['first'],
      'addon = ha': ['first'],
      'not addon = ha': ['second', 'third'],
      'subscription_name = "Gold pool"': ['first'],
      [`subscription_id = ${pool.id}`]: ['first'],
      'has subscription_id': ['first'],
      laboratory: ['first'],
      webvie: ['first', 'second'],
      produc: ['first'],
      storage: ['first'],
      stora: [],
      [String(web)]: [],
    }
    for (const [search, names] of Object.entries(expected))
      expect([search, await named(search)]).toEqual([search, names])
    for (const field of ['content_view', 'environment', 'usage', 'role', 'subscription_name', 'content_view_id'])
      expect((await list(`order=${field}+DESC`)).subtotal).toBe(3)
    for (const [search, message] of [
      ['subscription_id = abc', "Value 'abc' is not valid for field 'subscription_id'"],
      ['content_view_id = abc', "Value 'abc' is not valid for field 'content_view_id'"],
      ['foo = bar', "Field 'foo' not recognized for searching!"],
    ] as const)
      expect(await list(`search=${encodeURIComponent(search)}`)).toMatchObject({ displayMessage: message })
    expect(second.content_view_environments).toHaveLength(2)
    const { body } = await api.admin.get(`${KEYS}/auto_complete_search?search=${encodeURIComponent('usage = ')}`)
    expect(body.map(({ part }: Shown) => part)).toContainEqual(expect.stringContaining('Production'))
  })

  test('cost the same number of statements, however long they are', async () => {
    const own = await keyWorld(api)
    const caller = await api.can(['view_activation_keys', 'edit_activation_keys', 'view_hosts'], {
      search: 'name ~ key',
      also: [],
      organization_ids: [own.organization.id],
    })
    const key = await own.key({ environment_id: own.library })
    const path = `/content/api/organizations/${own.organization.id}/activation_keys?show_hosts=true`
    // One of the requests may refresh a cache.
    const statements = async () => {
      const counts: number[] = []
      for (const _ of Array(3)) counts.push((await api.counting(() => caller.get(path))).count)
      return Math.min(...counts)
    }
    const few = await statements()
    for (let count = 0; count < 5; count++) await own.registered(await own.key({ environment_id: own.library }))
    await own.registered(key)
    expect(await statements()).toEqual(few)
  })
})

describe('permissions', () => {
  test('are asked of everybody, record by record', async () => {
    const own = await keyWorld(api)
    const [mine, other] = [await own.key({ name: unique('mine') }), await own.key({ name: unique('other') })]
    const organization_ids = [own.organization.id]
    const viewer = await api.can(['view_activation_keys'], { organization_ids })
    const editor = await api.can(['view_activation_keys', 'edit_activation_keys'], {
      search: 'name ~ mine',
      organization_ids,
    })
    const may = (view: boolean, edit: boolean, destroy: boolean) => ({
      ...{ view_activation_keys: view, edit_activation_keys: edit, destroy_activation_keys: destroy },
    })
    expect((await viewer.get(`${KEYS}/${mine.id}`)).body.permissions).toEqual(may(true, false, false))
    expect((await editor.get(`${KEYS}/${mine.id}`)).body.permissions).toEqual(may(true, true, false))
    expect(mine.permissions).toEqual(may(true, true, true))
    expect(await refused(editor.get(`${KEYS}/${other.id}`))).toEqual([
      404,
      [
        `Could not find activation_key resource with id ${other.id}. Potential missing permissions: view_activation_keys`,
      ],
    ])
    expect(await refused(editor.put(`${KEYS}/${other.id}`, { organization_id: own.organization.id }))).toEqual([
      404,
      [
        `Could not find activation_key resource with id ${other.id}. Potential missing permissions: edit_activation_keys`,
      ],
    ])
    const denied = await viewer.put(`${KEYS}/${mine.id}`, { organization_id: own.organization.id })
    expect([denied.status, denied.body.error.missing_permissions]).toEqual([403, ['edit_activation_keys']])
    // Records that the caller may not see are unknown to keys, too.
    const sent = { organization_id: own.organization.id, environment_id: own.library }
    expect(await refused(editor.put(`${KEYS}/${mine.id}`, sent))).toEqual([
      404,
      [`Couldn't find environment '${own.library}'`],
    ])
    const outsider = await api.can(['view_activation_keys'], {
      organization_ids: [(await given(api.admin, 'organization')).id],
    })
    expect((await outsider.get(`${KEYS}/${mine.id}`)).status).toBe(404)
  })

  test('show_hosts names the hosts that the caller may see', async () => {
    const own = await keyWorld(api)
    const key = await own.key()
    const [seen, hidden] = [await own.registered(key, unique('seen')), await own.registered(key, unique('hidden'))]
    const caller = await api.can(['view_hosts'], {
      ...{ search: 'name ~ seen', also: ['view_activation_keys'], organization_ids: [own.organization.id] },
      location_ids: [...new Set([seen.location_id, hidden.location_id])].filter(Boolean),
    })
    const path = `${KEYS}/${key.id}`
    expect((await api.admin.get(path)).body).not.toHaveProperty('hosts')
    const hosts = async (from: typeof caller | typeof api.admin) =>
      (await from.get(`${path}?show_hosts=1`)).body.hosts.map(({ id }: Shown) => id).sort()
    expect(await hosts(api.admin)).toEqual([seen.id, hidden.id].sort())
    expect(await hosts(caller)).toEqual([seen.id])
  })
})
