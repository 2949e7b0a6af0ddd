import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toServicePath } from '../../src/dialect/paths.ts'
import { openVendor } from '../../src/dialect/routes/vendor.ts'
import { errorFormOf } from '../../src/requests/surface.ts'
import { ADMIN, basic, type Reply } from '../support/api.ts'
import { declared } from '../support/declared.ts'
import { given, leastBody, pathFor, pathOf, resourceNamed, type Shown, wrapped } from '../support/given.ts'
import { listBadBodies } from './bad-bodies.ts'
import { listMachinePaths } from './machine-paths.ts'
import { names, turns } from './subjects.ts'
import { openWorld, stopClocks, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  await stopClocks(world.api)
})
afterAll(() => world?.api[Symbol.asyncDispose]())

interface Found {
  readonly path: string
  readonly record: Shown
}

const looked = new Map<string, Promise<Found>>()

/** Yields a record for all tests: a new one where one can be created, otherwise the first that exists. */
function some(name: string): Promise<Found> {
  const found = looked.get(name) ?? look(name)
  looked.set(name, found)
  return found
}

async function look(name: string): Promise<Found> {
  const resource = resourceNamed(name)
  const { admin } = world.api
  const path = await pathFor(admin, resource)
  if (names('create').includes(name)) {
    const { body } = await admin.post(path, wrapped(resource, await leastBody(admin, name)))
    return { path, record: body }
  }
  return { path, record: (await admin.get(`${path}?per_page=1`)).body.results[0] }
}

describe.each(turns('list'))('%s', (name) => {
  test('a list has one answer under every spelling of its path', async () => {
    const { path } = await some(name)
    await oftenEnough(name, async () => {
      const plain = await world.api.admin.get(path)
      expect(plain.status).toBe(200)
      for (const spelling of spellings(path))
        expect(answerOf(await world.api.admin.get(spelling))).toEqual(answerOf(plain))
    })
  })

  test('whoever has the list already gets 304', async () => {
    const { path } = await some(name)
    await oftenEnough(name, () => expectConditional(path))
  })
})

describe.each(turns('show'))('%s', (name) => {
  const resource = resourceNamed(name)

  test('a record has one answer under every spelling of its path', async () => {
    const { path, record } = await some(name)
    await oftenEnough(name, async () => {
      const plain = await world.api.admin.get(`${path}/${record.id}`)
      expect(plain.status).toBe(200)
      for (const spelling of spellings(`${path}/${record.id}`))
        expect(answerOf(await world.api.admin.get(spelling))).toEqual(answerOf(plain))
    })
  })

  test('whoever has the record already gets 304', async () => {
    const { path, record } = await some(name)
    await oftenEnough(name, () => expectConditional(`${path}/${record.id}`))
  })

  test('a record is found by its id, its id with anything behind it, and by its name', async () => {
    const { path, record } = await some(name)
    const named = resource.label && resource.taxable !== 'organization' ? record[resource.label] : undefined
    const labels = named === undefined ? [] : [String(named)]
    const byId = resource.namedBy === 'label' ? [] : [`${record.id}-`, `${record.id}-anything at all`]
    for (const segment of [`${record.id}`, ...byId, ...labels]) {
      const { status, body } = await world.api.admin.get(`${path}/${encodeURIComponent(segment)}`)
      expect({ segment, status, id: body.id }).toEqual({ segment, status: 200, id: record.id })
    }
  })

  test('a segment that only resembles an id names no record, with any method', async () => {
    const { path, record } = await some(name)
    for (const [called, segment] of NOT_IDS) {
      const url = `${path}/${segment.replace('ID', String(record.id))}`
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const headers = { 'content-type': 'application/json' }
        const { status } = await world.api.admin.send({ method, url, headers, payload: '{}' })
        expect({ called, method, status }).toEqual({ called, method, status: 404 })
      }
    }
    expect((await world.api.admin.get(`${path}/${record.id}`)).status).toBe(200)
  })
})

const NOT_IDS: [string, string][] = [
  ['-1', '-1'],
  ['0', '0'],
  ['a sign before the id', '%2BID'],
  ['an exponent', '1e3'],
  ['an id with letters', 'IDabc'],
  ['an id with a fraction', 'ID%2E0'],
  ['an id between blanks', '%20ID%20'],
  ['an id in other digits', '%D9%A1'],
  ['2^63 - 1', '9223372036854775807'],
  ['2^63', '9223372036854775808'],
  ['2^64', '18446744073709551616'],
  ['2^63 with a name', '9223372036854775808-x'],
  ['NUL', '%00'],
  ['an id with NUL', 'ID%00'],
  ['NUL behind the hyphen', 'ID%00-x'],
  ['a slash', 'ID%2Fx'],
  ['a quote', "'%20or%201=1"],
  ['2000 characters', 'a'.repeat(2000)],
  ['1000 emoji', encodeURIComponent('🦊'.repeat(1000))],
]

describe.each(turns('update'))('%s', (name) => {
  const resource = resourceNamed(name)
  const path = pathOf(resource)

  test('PATCH is PUT', async () => {
    const record = await given(world.api.admin, name)
    const body = wrapped(resource, {
      name: `${record.name}x`,
      description: 'changed',
      search: 'id > 1',
      firstname: 'x',
    })
    const url = `${path}/${record.id}`
    const patched = await world.api.admin.send({
      method: 'PATCH',
      url,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })
    expect(patched.status).toBe(200)
    expect(patched.body).not.toEqual(record)
    expect((await world.api.admin.put(url, body)).body).toEqual(patched.body)
  })

  test('a change makes the ETags of the record and of the list new', async () => {
    const record = await given(world.api.admin, name)
    const etags = async () => [
      (await world.api.admin.get(`${path}/${record.id}`)).headers.etag,
      (await world.api.admin.get(`${path}?per_page=all`)).headers.etag,
    ]
    const before = await etags()
    expect(await etags()).toEqual(before)
    const changed = { name: `${record.name}x`, login: `${record.login}x`, search: 'id > 1' }
    expect((await world.api.admin.put(`${path}/${record.id}`, wrapped(resource, changed))).status).toBe(200)
    for (const [index, etag] of (await etags()).entries()) expect(etag).not.toBe(before[index])
  })
})

describe('parameters of paths', () => {
  /** Routes that look at nothing, or answer what was measured at existing servers; none of them stores anything. */
  const OTHERWISE = [
    /\/status\/:type type$/, // one of four words, which the refusal (400) lists
    /\/instance_hosts\/:id id$/, // says that this is not kept here, whichever host is named
    /GET \/api\/smart_proxies\/:smart_proxy_id\/hosts smart_proxy_id$/,
    /\/auth_source_oidcs\/:id\/link id$/, // only browsers link accounts, whichever provider is named
    /\/auth_source_oidcs\/:id\/link id$/, // only browsers link accounts, whichever provider is named
  ]
  const MISSING = ['4294967290', 'no-such-thing']
  /** Answers 403 whatever is named: only the own login is answered. */
  const ANYHOW = /^\/rhsm\/users\/:login\//
  const UNSPEAKABLE = ['%00', 'a%00b', 'a'.repeat(2000), encodeURIComponent('🦊'.repeat(1000))]

  test('an id or a label that is not there is 404 in each of them, on both ports', async () => {
    const { api } = world
    const own = new Set(api.routes.map(({ method, path }) => `${method} ${path}`))
    const vendor = openVendor(api.routes).routes
    // What has a path of its own there, and what its steps may refuse before the route is asked.
    const further = vendor.filter(
      ({ method, path, locks }) =>
        !own.has(`${method} ${toServicePath(path)}`) || (method !== 'DELETE' && (locks || path.endsWith('/clone'))),
    )
    const asked = [
      { caller: api.admin, routes: api.routes },
      { caller: api.asVendor({ authorization: basic(ADMIN.login, ADMIN.password) }), routes: further },
    ]
    const found: string[] = []
    let count = 0
    for (const { caller, routes } of asked) {
      for (const route of routes) {
        const { method, path, resource } = route
        const params = [...path.matchAll(/:(\w+)/g)].map(([, param = '']) => param)
        for (const missing of params) {
          const segment = MISSING[count++ % 2] ?? ''
          let url = path
          for (const param of params)
            url = url.replace(`:${param}`, param === missing ? segment : await segmentFor(path, param, resource))
          const called = `${method} ${path} ${missing}`
          if (OTHERWISE.some((each) => each.test(called))) continue
          for (const [what, payload] of [['nothing', '{}'], ...listBadBodies(route)]) {
            const headers = { 'content-type': 'application/json' }
            const body = method === 'GET' ? {} : { payload }
            const { status, text } = await caller.send({ method, url, headers, ...body })
            if (status !== 404) found.push(`${called}=${segment}, ${what}: ${status} ${text.slice(0, 100)}`)
          }
        }
      }
    }
    expect(found).toEqual([])
    expect(count).toBeGreaterThan(1000)
  }, 120_000)

  test('what machines are asked about is 404 where it is not there, and never a fault, however it is called', async () => {
    const { api } = world
    const { label } = (await api.admin.get('/content/api/organizations/1')).body
    const { body: consumer } = await api.admin.post(`/rhsm/consumers?owner=${label}&location_id=1`, MACHINE)
    const there: Readonly<Record<string, string>> = { uuid: consumer.uuid, key: label, kind: 'provision', id: '1' }
    const found: string[] = []
    let count = 0
    for (const { method, path } of listMachinePaths()) {
      const params = [...path.matchAll(/:(\w+)/g)].map(([, param = '']) => param)
      for (const asked of params)
        for (const segment of method === 'PUT' && asked === 'guest' ? UNSPEAKABLE : [...MISSING, ...UNSPEAKABLE]) {
          const url = path.replace(/:(\w+)/g, (_, param) =>
            param === asked ? segment : (there[param] ?? 'no-such-thing'),
          )
          const headers = { 'content-type': 'application/json' }
          const body = method === 'GET' ? {} : { payload: JSON.stringify(MACHINE) }
          const { status, text } = await api.admin.send({ method, url, headers, ...body }).catch(asFault)
          count++
          if (status >= 500 || !(isUnfound(segment, status) || ANYHOW.test(path)))
            found.push(`${method} ${path} ${asked}=${segment.slice(0, 20)}: ${status} ${text.slice(0, 100)}`)
        }
    }
    expect(found).toEqual([])
    expect(count).toBeGreaterThan(300)
  })

  /** Yields a fault, which fails the request of a test, as an answer beside the others. */
  function asFault(error: unknown): Pick<Reply, 'status' | 'text'> {
    return { status: 500, text: String(error) }
  }

  /** Tells whether an answer says that there is no such thing; what cannot be a name at all may be a bad request as well. */
  function isUnfound(segment: string, status: number): boolean {
    return status === 404 || (UNSPEAKABLE.includes(segment) && status === 400)
  }

  test('a bad body for a record that the caller does not see says nothing else of it', async () => {
    const { api } = world
    const updates = api.routes.filter(
      ({ id, method, resource }) => method === 'PUT' && /^\w+\.update$/.test(id) && isPlaced(resource),
    )
    const place = { organization_ids: [world.organization], location_ids: [world.location] }
    const permissions = new Set(updates.flatMap(({ access }) => ('anyOf' in access ? access.anyOf : [])))
    const caller = await api.can([...permissions], place)
    const found: string[] = []
    let hidden = 0
    for (const route of updates) {
      const segment = await segmentFor(route.path, 'id', route.resource)
      const url = route.path.replace(':id', segment)
      // The source that comes with the service is in every organization.
      if ((await caller.put(url, {})).status !== 404) continue
      hidden++
      const missing = await caller.put(route.path.replace(':id', '4294967290'), {})
      for (const [what, payload] of listBadBodies(route)) {
        const headers = { 'content-type': 'application/json' }
        const { status, text } = await caller.send({ method: 'PUT', url, headers, payload })
        if (status !== 404 || text !== missing.text.replaceAll('4294967290', segment))
          found.push(`${route.id}, ${what}: ${status} ${text.slice(0, 200)}`)
      }
    }
    expect(found).toEqual([])
    expect(hidden).toBeGreaterThan(18)
  })

  /** Tells whether records of a resource are in organizations, so that who is in none of theirs does not see them. */
  function isPlaced(name: string | undefined): boolean {
    return name !== undefined && resourceNamed(name).taxable !== false
  }

  /** Yields the id of some record that the parameter may name; of the record of the path where it is called `id`. */
  async function segmentFor(path: string, param: string, own: string | undefined): Promise<string> {
    const word = param.replace(/_id$/, '')
    const isContent = errorFormOf(toServicePath(path)) === 'content'
    const name = param === 'id' ? own : isContent && word === 'environment' ? 'lifecycle_environment' : word
    if (name === 'organization') return '1'
    if (
      name === undefined ||
      !declared.registry.has(name) ||
      !(names('create').includes(name) || names('list').includes(name))
    )
      return '1'
    return String((await some(name)).record?.id ?? 1)
  }
})

function spellings(path: string): string[] {
  return [
    `${path}/`,
    `${path}.json`,
    path.replace('/api/', '/api/v2/'),
    `${path.replace('/api/', '/api/v2/')}/`,
    `${path.replace('/api/', '/api/v2/')}.json`,
  ]
}

const MACHINE = { type: 'system', name: 'asked.lab.test', facts: { 'network.hostname': 'asked.lab.test' } }

/** Resources that show in words how long ago they were published, which changes once a minute. */
const SAYING_WHEN = new Set(['content_view', 'content_view_version'])

/** Repeats a comparison that fails, only for these resources, because minutes may have passed between their publications. */
async function oftenEnough(name: string, compare: () => Promise<void>, times = 4): Promise<void> {
  await compare().catch((error: unknown) => {
    if (!SAYING_WHEN.has(name) || times === 1) throw error
    return oftenEnough(name, compare, times - 1)
  })
}

function answerOf({
  status,
  text,
  headers,
}: {
  status: number
  text: string
  headers: Readonly<Record<string, unknown>>
}) {
  return { status, text, etag: headers.etag }
}

async function expectConditional(path: string): Promise<void> {
  const { admin } = world.api
  const first = await admin.get(path)
  const etag = String(first.headers.etag)
  expect(etag).toMatch(/^"[\w-]+(?:\.[\w-]+)?"$/)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await admin.get(path, { 'if-none-match': known })
    expect({ known, status: again.status, text: again.text, etag: again.headers.etag }).toEqual({
      known,
      status: 304,
      text: '',
      etag,
    })
  }
  expect(answerOf(await admin.get(path, { 'if-none-match': '"other"' }))).toEqual(answerOf(first))
}
