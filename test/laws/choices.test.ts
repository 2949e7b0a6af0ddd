import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../src/config/config.ts'
import { row, rows } from '../../src/database/sql.ts'
import type { Route } from '../../src/requests/route.ts'
import { openApi } from '../../src/service/service.ts'
import { sql } from '../../src/sql.ts'
import { ADMIN, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { type Body, given, leastBody, pathFor, resourceNamed, type Shown, wrapped } from '../support/given.ts'
import { names } from './subjects.ts'

// A blank or empty expression never means everything: in lists, in operations on many records, in filters of roles. What is
// blank in one of them is also blank as a name.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  await api.admin.put('/api/settings/configrun', { setting: { value: true } })
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** White space of several scripts, and characters that display nothing. */
const BLANKS = [' ', '\t\n', '\u00a0', '\u3000', '\u2003', '\u0085', '\u200b', '\ufeff', '\u00ad', '\u2800 \u3164']
/** Expressions that are malformed wherever they stand. */
const EMPTY = ['()', '( )', '((', '(())', ',', ', ,', 'and', '&&', 'not', '-', 'not ()', 'id = 1 or ()', 'id ^ ()']
/** Conditions that remain of a variable without a value. */
const VALUELESS = [
  '""',
  '" "',
  '~ ""',
  '"\u200b"',
  'name ~ ""',
  'name != ""',
  'name !~ "\u00a0"',
  'id = 1 or name ~ ""',
]

describe('operations on many records', () => {
  test.each(Object.entries(bulk()))('%s wants a condition', async (_name, start) => {
    const send = await start()
    const before = await everything()
    for (const search of ['', ...BLANKS, ...EMPTY, ...VALUELESS]) {
      const { status, text } = await send(search)
      expect([400, 422], `${JSON.stringify(search)}: ${status} ${text}`).toContain(status)
    }
    expect([400, 422]).toContain((await send(undefined)).status)
    expect(await everything()).toEqual(before)
  })

  test('all=true is everything, and nothing beside it', async () => {
    const [first, second] = [await given(api.admin, 'host', { name: 'one' }), await given(api.admin, 'host')]
    const send = (body: Body) => api.admin.delete('/api/hosts/bulk', body)
    for (const body of [
      { all: true, search: 'name = one' },
      { all: true, included: { ids: [first.id] } },
    ])
      expect((await send(body)).status).toBe(400)
    for (const all of ['perhaps', 2, [true], false, null]) expect((await send({ all })).status).toBe(400)
    const others = { all: true, excluded: { ids: [second.id] } }
    expect((await send(others)).status).toBe(200)
    const { body } = await api.admin.get('/api/hosts')
    expect(body.results.map(({ id }: Shown) => id)).toEqual([second.id])
  })
})

test('every operation with a search is held to that', () => {
  const searching = api.routes.filter(
    (route) =>
      route.method !== 'GET' &&
      !['filters', 'webhooks', 'access'].includes(route.group) && // searches of filters and webhooks, stored or imagined
      [route.query, route.body].some(hasSearch),
  )
  const found = new Set(searching.map(({ group, id }) => `${group}.${id.slice(id.lastIndexOf('.') + 1)}`))
  expect([...found].sort()).toEqual(Object.keys(bulk()).sort())
})

test('lists: empty expressions are refused with their position, blanks of any script are no search', async () => {
  const lists = api.routes.filter(({ id, path }) => id.endsWith('.list') && !path.includes(':') && !OWN.has(id))
  expect(lists.length).toBeGreaterThan(30)
  for (const { path } of lists) {
    const get = (search: string) =>
      api.admin.get(`${path}?organization_id=1&search=${encodeURIComponent(search)}&per_page=1`)
    const { status, body } = await get('()')
    expect(status, path).toBe(400)
    if (path.startsWith('/api/')) expect(body.error.position, path).toBe(1)
    const { body: blank, status: fine } = await get('\u00a0\u200b')
    expect(fine, path).toBe(200)
    expect(blank.subtotal, path).toBe(blank.total)
  }
  for (const search of EMPTY) {
    const { status, body } = await api.admin.get(`/api/hosts?search=${encodeURIComponent(search)}`)
    expect([status, typeof body.error.position], search).toEqual([400, 'number'])
  }
})

/** Lists without a search. */
const OWN = new Set([
  'content_view_environments.list',
  'registration_tokens.list',
  'sessions.list',
  'users.sessions.list',
])

describe('names', () => {
  test.each(names('create').filter((name) => requiredTexts(name).length > 0))('%s: blanks are none', async (name) => {
    const resource = resourceNamed(name)
    const least = await leastBody(api.admin, name)
    const path = resource.nestedOnly ? await pathFor(api.admin, resource) : resource.path
    for (const field of requiredTexts(name)) {
      for (const blank of ['\u200b', '\u00a0\u2800']) {
        const { status, text } = await api.admin.post(path, wrapped(resource, { ...least, [field]: blank }))
        expect([status, text], `${name}.${field}`).toEqual([422, expect.stringContaining("can't be blank")])
      }
    }
  })

  test('matchers: a value of blanks is none', async () => {
    const { id } = await importedParameter(api)
    await api.admin.put(`/api/smart_class_parameters/${id}`, { override: true, override_value_order: 'fqdn\nos' })
    for (const match of ['os=\u200b', 'os=\u00a0', '\u3000'])
      expect(
        (await api.admin.post(`/api/smart_class_parameters/${id}/override_values`, { match, value: 'x' })).status,
        match,
      ).toBeGreaterThanOrEqual(400)
  })
})

describe('filters of roles', () => {
  test('a search that says nothing is refused', async () => {
    const role = await given(api.admin, 'role')
    const { body } = await api.admin.get('/api/permissions?search=name=view_hosts')
    for (const search of [...EMPTY, '""', '~ "\u200b"']) {
      const filter = { role_id: role.id, permission_ids: [body.results[0].id], search }
      expect((await api.admin.post('/api/filters', { filter })).status, search).toBe(422)
    }
  })

  test('one that is stored matches nothing, and is listed at a start', async () => {
    await given(api.admin, 'architecture')
    const stored = ['()', ' ( ) ', '""', '', '\u200b', 'no_such_field = 1']
    const caller = await api.can(['view_architectures'], { search: 'id > 0' })
    expect((await caller.get('/api/architectures')).body.total).toBeGreaterThan(0)
    const [theirs] = await filtersOf(caller.id)
    const copies: number[] = []
    for (const search of stored) {
      await sql`update filters set search = ${search} where id = ${theirs}`.execute(api.database.db)
      // Any change of the user clears what the service has cached of them.
      await api.admin.put(`/api/users/${caller.id}`, { user: { firstname: `${copies.length}` } })
      const { status, body } = await caller.get('/api/architectures')
      expect([status, body.total], search).toEqual([200, 0])
      const copy = await row<{ id: number }>(
        api.database.db,
        sql`insert into filters (role_id, search) select role_id, search from filters where id = ${theirs} returning id`,
      )
      copies.push(copy?.id ?? 0)
    }
    await sql`insert into filter_permissions (filter_id, permission_id)
      select c.id, l.permission_id from filter_permissions l, unnest(${copies}::bigint[]) as c (id) where l.filter_id = ${theirs}`.execute(
      api.database.db,
    )
    const fine = await api.can(['view_architectures'], { search: 'name ~ ""' })
    const listed = await listedAtStart()
    expect(listed).toEqual(
      [theirs ?? 0, ...copies].map((id) => ({
        id,
        role_id: expect.any(Number),
        role: expect.stringMatching(/^role of/),
      })),
    )
    expect(listed).not.toContainEqual(expect.objectContaining({ id: (await filtersOf(fine.id))[0] }))
  })
})

/** Yields how each operation is sent, once its records exist. */
function bulk(): Record<string, () => Promise<(search: string | undefined) => Promise<Reply>>> {
  return {
    'registration_tokens.delete_found': async () => (search) =>
      api.admin.delete(
        `/api/registration_tokens${search === undefined ? '' : `?search=${encodeURIComponent(search)}`}`,
      ),
    'hosts.delete_found': async () => {
      await given(api.admin, 'host')
      return (search) => api.admin.delete('/api/hosts/bulk', { included: { search } })
    },
    'hosts.content_override': async () => {
      const host = await given(api.admin, 'host', { organization_id: 1, location_id: 1 })
      const path = `/api/hosts/${host.id}/subscriptions/content_override`
      return (search) => api.admin.put(path, { content_overrides_search: { search, remove: true } })
    },
    'config_rollouts.create': async () => (search) =>
      api.admin.post('/api/config_rollouts', { config_rollout: { search } }),
    'content_views.bulk_delete_versions': async () => {
      const view = await given(api.admin, 'content_view')
      const path = `/content/api/content_views/${view.id}/bulk_delete_versions`
      return (search) => api.admin.put(path, { bulk_content_view_version_ids: { included: { search } } })
    },
    'activation_keys.reapply': async () => {
      const key = await given(api.admin, 'activation_key')
      return (search) => api.admin.post(`/content/api/activation_keys/${key.id}/reapply`, { search })
    },
  }
}

function hasSearch(schema: Route['body']): boolean {
  if (!schema) return false
  const text = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))
  return /"(?:\w+_)?search":/.test(text)
}

async function filtersOf(user: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    api.database.db,
    sql`select f.id from filters f join user_roles l on l.role_id = f.role_id where l.user_id = ${user} order by f.id`,
  )
  return found.map(({ id }) => id)
}

/** Counts the records that such operations affect. */
async function everything() {
  return row(
    api.database.db,
    sql`select (select count(*) from hosts) as hosts, (select count(*) from audits) as audits,
      (select count(*) from tasks) as tasks, (select count(*) from config_rollouts) as rollouts`,
  )
}

function requiredTexts(name: string): string[] {
  const resource = resourceNamed(name)
  return resource.placed.flatMap(({ field, name: key, at }) => {
    const [writable] = Object.values(field.writable(at))
    return field.kind === 'text' && field.required && writable?.schema().safeParse('probe').success ? [key] : []
  })
}

/** Yields the filters that a start of the service logs as matching nothing. */
async function listedAtStart(): Promise<unknown[]> {
  const lines: { msg: string; filters?: unknown[] }[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const env = { MILLWRIGHT_DATA_DIR: 'memory', MILLWRIGHT_ADMIN_LOGIN: ADMIN.login }
  const { server } = await openApi(
    api.database,
    readConfig([], env, () => ''),
    log,
  )
  await server.close()
  return lines.flatMap(({ msg, filters }) => (/match nothing/.test(msg) ? (filters ?? []) : []))
}
