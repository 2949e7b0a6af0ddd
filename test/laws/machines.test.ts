import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { assembleResources } from '../../src/areas/index.ts'
import { listClientEndpoints } from '../../src/areas/registration/client/endpoints.ts'
import { createGate } from '../../src/areas/registration/gate.ts'
import { createHostRecords } from '../../src/areas/registration/registration-command/host-records.ts'
import { row, rows } from '../../src/database/sql.ts'
import type { Route } from '../../src/requests/route.ts'
import { sql } from '../../src/sql.ts'
import { PLACE_FACTS } from '../../src/words/protocols.ts'
import { openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

// A machine with the certificate of a smart proxy acts only for hosts of the proxy's organizations and locations, on every
// route: other hosts look unknown to it, and nothing is written (docs/decisions/0017-machines.md).

const BEHIND_PROXY = { MILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1' }
const UNKNOWN = 'unknown.example.test'

let api: TestApi
let mine: Place
let theirs: Place
let hosts: readonly Named[] = []

interface Place {
  readonly organization: number
  readonly location: number
}

/** A host of the other organization, by one of its names. */
interface Named {
  readonly id: number
  readonly name: string
}

beforeAll(async () => {
  api = await openTestApi({ env: BEHIND_PROXY })
  mine = await newPlace()
  theirs = await newPlace()
  await newProxy('proxy.example.test', { organization_ids: [mine.organization], location_ids: [mine.location] })
  const certified = unique('cert')
  const there = [
    await newHost(theirs, { root_pass: 'a long password', host_parameters_attributes: [HIDDEN_ONE] }),
    await newHost(theirs, { certname: certified }),
    await newHost({ ...theirs, location: mine.location }),
    await newHost({ ...theirs, organization: mine.organization }),
    await newHost(null),
  ]
  hosts = there.flatMap(({ id, name }) => [
    { id, name },
    { id, name: String(id) },
  ])
  hosts = [...hosts, { id: there[1]?.id ?? 0, name: certified }]
})
afterAll(() => api?.[Symbol.asyncDispose]())

const HIDDEN_ONE = { name: 'secret', value: 'deep-secret', hidden_value: true }

async function newPlace(further: { organization?: object; location?: object } = {}): Promise<Place> {
  const organization = await given(api.admin, 'organization', { ...further.organization })
  const location = await given(api.admin, 'location', { ...further.location })
  return { organization: organization.id, location: location.id }
}

async function newHost(place: Place | null, further: object = {}): Promise<Shown> {
  const host = await given(api.admin, 'host', {
    name: `${unique('n')}.example.test`,
    ...(place && { organization_id: place.organization, location_id: place.location }),
    ...further,
  })
  if (place === null)
    await sql`update hosts set organization_id = null, location_id = null where id = ${host.id}`.execute(
      api.database.db,
    )
  return host
}

async function newProxy(name: string, places: object): Promise<Shown> {
  const proxy = await given(api.admin, 'smart_proxy', { url: `https://${name}:8443/${unique('p')}`, ...places })
  await serving(proxy.id)
  return proxy
}

const serving = (proxy: number) =>
  sql`with feature as (insert into features (name) values ('Config') on conflict (name) do update set name = excluded.name returning id)
    insert into smart_proxy_features (smart_proxy_id, feature_id) select ${proxy}::bigint, id from feature`.execute(
    api.database.db,
  )

const certified = (name: string) => ({ SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_S_DN: `CN=${name}` })
const PROXY = certified('proxy.example.test')
const setting = (name: string, value: unknown) => api.admin.put(`/api/settings/${name}`, { setting: { value } })

/** Every route on which machines without a login ask for hosts, or report about them. */
const MACHINE_ROUTES: readonly {
  readonly route: string
  readonly send: (name: string, headers: Record<string, string>) => Promise<Reply>
}[] = [
  ...['/node/:name', '/hosts/:name/externalNodes'].flatMap((route) =>
    ['yml', 'json', 'page'].map((format) => ({
      route: `GET ${route}`,
      send: (name: string, headers: Record<string, string>) =>
        api.nobody.get(`${route.replace(':name', name)}?format=${format}`, headers),
    })),
  ),
  {
    route: 'GET /node/:name',
    send: (name, headers) => api.nobody.get(`/node/x?name=${name}&format=yml`, { ...headers, 'if-none-match': '*' }),
  },
  {
    route: 'POST /api/hosts/facts',
    send: (name, headers) => api.nobody.post('/api/hosts/facts', { name, facts: { a: 'b' } }, headers),
  },
  {
    route: 'POST /api/hosts/facts',
    send: (name, headers) =>
      api.nobody.post('/api/hosts/facts', { name: `${name}.other.test`, certname: name, facts: { a: 'b' } }, headers),
  },
  {
    route: 'POST /api/config_reports',
    send: (name, headers) => api.nobody.post('/api/config_reports', { config_report: report(name) }, headers),
  },
  {
    route: 'POST /api/hosts/:host_id/config_reports',
    send: (name, headers) =>
      api.nobody.post(`/api/hosts/${name}/config_reports`, { config_report: report(name) }, headers),
  },
]

const report = (host: string) => ({ host, reported_at: '2026-01-01T00:00:00Z', status: { applied: 1 }, logs: [] })

/** Yields a digest of everything that is stored, by table. */
async function digests(): Promise<Readonly<Record<string, string>>> {
  const tables = await rows<{ name: string }>(
    api.database.db,
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const each = tables.map(
    ({ name }) =>
      sql`(select md5(coalesce(string_agg(x::text, '' order by x::text), '')) from ${sql.table(name)} x) as ${sql.ref(name)}`,
  )
  return (await row<Record<string, string>>(api.database.db, sql`select ${sql.join(each)}`)) ?? {}
}

const answered = ({ status, text, headers }: Reply, name: string) => ({
  status,
  text: text.replaceAll(name, 'N'),
  headers: Object.fromEntries(['content-type', 'etag', 'cache-control'].map((key) => [key, headers[key]])),
})

test('a certificate changes the answer of no route but of those', async () => {
  const gate = createGate(1)
  const endpoints = listClientEndpoints(createHostRecords(assembleResources()), '1', gate)
  const others = ['/register', '/register/ca.pem', '/metrics', '/docs', '/node/:name', '/hosts/:name/externalNodes']
  const every: readonly Pick<Route, 'method' | 'path'>[] = [
    ...api.routes,
    ...endpoints,
    ...others.map((path) => ({ method: 'GET', path }) as const),
  ]
  const paths = new Map(every.map(({ method, path }) => [`${method} ${path}`, { method, path }]))
  const own = await newHost(mine)
  const different: string[] = []
  for (const [route, { method, path }] of paths) {
    const url = path.replace(/:\w+/g, own.name)
    const ask = async (headers: Record<string, string>) => {
      const sent =
        method === 'GET' || method === 'DELETE'
          ? {}
          : { payload: JSON.stringify({ name: own.name, facts: { a: '1' } }) }
      const { status } = await api.nobody.send({
        ...{ method, url, headers: { ...headers, 'content-type': 'application/json' }, ...sent },
      })
      return status
    }
    if ((await ask({})) !== (await ask(PROXY))) different.push(route)
  }
  expect(different.sort()).toEqual([...new Set(MACHINE_ROUTES.map(({ route }) => route))].sort())
})

test('hosts of others look unknown to a smart proxy, and nothing is written', async () => {
  await setting('create_new_host_when_facts_are_uploaded', false)
  const before = await digests()
  for (const { send, route } of MACHINE_ROUTES) {
    const unknown = answered(await send(UNKNOWN, PROXY), UNKNOWN)
    for (const { name } of hosts) {
      // Facts are uploaded by name, so that an id is taken for the name of an unknown host.
      const found = answered(await send(name, PROXY), name)
      expect({ route, name, ...found }).toEqual({ route, name, ...unknown })
    }
  }
  expect(await digests()).toEqual(before)
  await setting('create_new_host_when_facts_are_uploaded', true)
  const again = await digests()
  for (const { name } of hosts.filter(({ name }) => !/^\d+$/.test(name))) {
    const { status } = await api.nobody.post('/api/hosts/facts', { name, facts: { a: 'b' } }, PROXY)
    expect({ name, status }).toEqual({ name, status: 404 })
  }
  expect(await digests()).toEqual(again)
})

describe('a smart proxy acts', () => {
  const reads = async (name: string, headers = PROXY) =>
    (await api.nobody.get(`/node/${name}?format=yml`, headers)).status === 200
  const tells = (name: string, headers = PROXY, facts: object = { a: 'b' }) =>
    api.nobody.post('/api/hosts/facts', { name, facts }, headers)

  test('for hosts where it is, and below', async () => {
    const below = await newPlace({
      organization: { parent_id: mine.organization },
      location: { parent_id: mine.location },
    })
    for (const place of [mine, below]) {
      const { name } = await newHost(place)
      expect(await reads(name)).toBe(true)
      expect((await tells(name)).status).toBe(201)
    }
  })

  test('for all hosts when an administrator lets it name no places, and for none when others do', async () => {
    const everywhere = certified('every.example.test')
    const proxy = await newProxy('every.example.test', { organization_ids: [], location_ids: [] })
    for (const { name } of hosts) expect(await reads(name, everywhere)).toBe(true)
    const gone = await newPlace()
    await api.admin.put(`/api/smart_proxies/${proxy.id}`, {
      organization_ids: [gone.organization],
      location_ids: [gone.location],
    })
    for (const { name } of hosts) expect(await reads(name, everywhere)).toBe(false)
    for (const [path, id] of [
      ['organizations', gone.organization],
      ['locations', gone.location],
    ])
      await sql`delete from ${sql.table(`smart_proxy_${path}`)} where ${sql.ref(`${String(path).slice(0, -1)}_id`)} = ${id}`.execute(
        api.database.db,
      )
    for (const { name } of hosts) expect(await reads(name, everywhere)).toBe(false)
    await api.admin.put(`/api/smart_proxies/${proxy.id}`, { organization_ids: [], location_ids: [] })
    for (const { name } of hosts) expect(await reads(name, everywhere)).toBe(true)
  })

  test('where each of the proxies of its name is, and not where one has the organization and another the location', async () => {
    const [one, two] = [await newPlace(), await newPlace()]
    for (const { organization, location } of [one, two])
      await newProxy('two.example.test', { organization_ids: [organization], location_ids: [location] })
    const two_ = certified('two.example.test')
    for (const place of [one, two]) expect(await reads((await newHost(place)).name, two_)).toBe(true)
    const mixed = await newHost({ organization: one.organization, location: two.location })
    expect(await reads(mixed.name, two_)).toBe(false)
    const name = `${unique('new')}.example.test`
    const { status, body } = await tells(name, two_)
    expect([status, body.error.errors.name]).toEqual([422, [expect.stringContaining('is not clear')]])
    await setting('default_organization', (await api.admin.get(`/api/organizations/${two.organization}`)).body.title)
    await setting('default_location', (await api.admin.get(`/api/locations/${two.location}`)).body.title)
    expect((await tells(name, two_)).status).toBe(201)
    expect((await api.admin.get(`/api/hosts/${name}`)).body).toMatchObject({
      organization_id: two.organization,
      location_id: two.location,
    })
    await setting('default_organization', '')
    await setting('default_location', '')
  })

  test('so that hosts that it makes known are where it is, whatever their facts say', async () => {
    const { body } = await api.admin.get(`/api/organizations/${theirs.organization}`)
    const facts = [
      { kernel: 'Linux' },
      { millwright_organization: body.title },
      { [PLACE_FACTS.organization]: body.title },
    ]
    for (const told of facts) {
      const name = `${unique('new')}.example.test`
      expect((await tells(name, PROXY, told)).status).toBe(201)
      const host = (await api.admin.get(`/api/hosts/${name}`)).body
      expect([host.organization_id, host.location_id]).toEqual([mine.organization, mine.location])
    }
  })

  test('so that facts move no host out of its reach, nor where it has the organization by another name', async () => {
    const [one, two] = [await newPlace(), await newPlace()]
    for (const { organization, location } of [one, two])
      await newProxy('moving.example.test', { organization_ids: [organization], location_ids: [location] })
    const moving = certified('moving.example.test')
    const titleOf = async (kind: string, id: number) => (await api.admin.get(`/api/${kind}s/${id}`)).body.title
    const [organization, location] = [
      await titleOf('organization', two.organization),
      await titleOf('location', two.location),
    ]
    const foreign = await titleOf('organization', theirs.organization)
    const { name } = await newHost(one)
    const whole = { millwright_organization: organization, millwright_location: location }
    for (const [facts, place] of [
      [{ millwright_organization: foreign }, one],
      [{ millwright_organization: organization }, one],
      [whole, two],
    ] as const) {
      expect((await tells(name, moving, facts)).status).toBe(201)
      const { body } = await api.admin.get(`/api/hosts/${name}`)
      expect([body.organization_id, body.location_id]).toEqual([place.organization, place.location])
    }
  })

  test('so that what facts name of others is taken as what nobody has', async () => {
    await setting('update_hostgroup_from_facts', true)
    const below = (await newPlace({ location: { parent_id: mine.location } })).location
    const group = await given(api.admin, 'hostgroup', { organization_ids: [theirs.organization] })
    const titleOf = async (kind: string, id: number) => (await api.admin.get(`/api/${kind}s/${id}`)).body.title
    const foreign = {
      millwright_organization: await titleOf('organization', theirs.organization),
      [PLACE_FACTS.organization]: await titleOf('organization', theirs.organization),
      millwright_hostgroup: group.title,
    }
    const moved = { millwright_location: await titleOf('location', below) }
    for (const [fact, title] of Object.entries(foreign)) {
      for (const named of [title, 'Nowhere']) {
        const { name } = await newHost(mine)
        expect((await tells(name, PROXY, { ...moved, [fact]: named })).status).toBe(201)
        const { body } = await api.admin.get(`/api/hosts/${name}`)
        expect([fact, named, body.organization_id, body.location_id, body.hostgroup_id]).toEqual([
          ...[fact, named, mine.organization, below, null],
        ])
      }
    }
    await setting('update_hostgroup_from_facts', false)
  })

  test('when its name is trusted, for all hosts', async () => {
    await setting('trusted_hosts', ['trusted.example.test'])
    for (const { name } of hosts) expect(await reads(name, certified('trusted.example.test'))).toBe(true)
    await setting('trusted_hosts', [])
    for (const { name } of hosts) expect(await reads(name, certified('trusted.example.test'))).toBe(false)
  })
})

describe('where smart proxies are not restricted', () => {
  afterEach(() => setting('restrict_registered_smart_proxies', true))

  test('an unknown machine gets documents without secrets, and may not report anything', async () => {
    await setting('restrict_registered_smart_proxies', false)
    const template = "<%= @host.root_pass %> <%= host_param('secret', 'none') %>"
    const host = await newHost(theirs, {
      root_pass: 'a long password',
      host_parameters_attributes: [HIDDEN_ONE, { name: 'open', value: 'seen' }, { name: 'said', value: template }],
    })
    await setting('interpolate_erb_in_parameters', true)
    for (const format of ['yml', 'json', 'page']) {
      const { status, text } = await api.nobody.get(`/node/${host.name}?format=${format}`, {})
      expect(status).toBe(200)
      expect(text).toContain('seen')
      for (const secret of ['deep-secret', '$6$', '$5$', 'root_pw', 'secret:', '"secret"'])
        expect(text).not.toContain(secret)
    }
    const before = await digests()
    for (const name of [host.name, UNKNOWN]) {
      const { status } = await api.nobody.post(
        '/api/hosts/facts',
        { name, facts: { a: 'b' } },
        certified('nobody.test'),
      )
      expect(status).toBe(401)
    }
    expect(await digests()).toEqual(before)
  })
})

describe('whoever may write smart proxies of an organization', () => {
  const MAY = ['view_smart_proxies', 'create_smart_proxies', 'edit_smart_proxies']
  const editor = ({ organization, location }: Place) =>
    api.can([...MAY, 'assign_organizations', 'assign_locations'], {
      organization_ids: [organization],
      location_ids: [location],
    })
  const sent = (further: object) => ({
    smart_proxy: { name: unique('proxy'), url: `http://127.0.0.1:1/${unique('u')}`, runner: 'ssh', ...further },
  })

  test('makes none that acts beyond it, nor leaves it so', async () => {
    const user = await editor(mine)
    const none = await user.post('/api/smart_proxies', sent({ organization_ids: [], location_ids: [] }))
    expect([none.status, Object.keys(none.body.error.errors)]).toEqual([422, ['organization_ids', 'location_ids']])
    const other = await user.post(
      '/api/smart_proxies',
      sent({ organization_ids: [theirs.organization], location_ids: [mine.location] }),
    )
    expect(other.status).toBe(422)
    const own = await user.post(
      '/api/smart_proxies',
      sent({ organization_ids: [mine.organization], location_ids: [mine.location] }),
    )
    expect(own.status).toBe(201)
    const path = `/api/smart_proxies/${own.body.id}`
    expect((await user.put(path, { organization_ids: [] })).status).toBe(422)
    expect((await user.put(path, { url: `http://127.0.0.2:1/${unique('u')}` })).status).toBe(200)
    expect((await api.admin.get(path)).body.organizations).toMatchObject([{ id: mine.organization }])
  })

  test('does not let another machine be one that acts beyond it', async () => {
    const user = await editor(mine)
    const both = { organization_ids: [mine.organization, theirs.organization], location_ids: [mine.location] }
    const proxy = await given(api.admin, 'smart_proxy', both)
    const path = `/api/smart_proxies/${proxy.id}`
    const refused = await user.put(path, { url: `http://127.0.0.2:1/${unique('u')}` })
    expect([refused.status, Object.keys(refused.body.error.errors)]).toEqual([422, ['url']])
    expect((await user.put(path, { url: `http://127.0.0.1:1/${unique('u')}` })).status).toBe(200)
  })
})
