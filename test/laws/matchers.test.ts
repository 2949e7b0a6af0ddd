import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { row, rows } from '../../src/database/sql.ts'
import { openVendor } from '../../src/dialect/routes/vendor.ts'
import type { Route } from '../../src/requests/route.ts'
import { sql } from '../../src/sql.ts'
import { clientBody, newKey, register, type Site } from '../registration/clients.ts'
import { type Caller, expectCreated } from '../support/api.ts'
import { given, unique } from '../support/given.ts'
import { startClassSource } from '../support/peers/class-source.ts'
import { CANARY, type MatcherWorld, openMatcherWorld } from './matchers-world.ts'

// docs/decisions/0018-matchers.md: a caller who is limited to an organization and a location neither sees nor changes
// overrides that can match other hosts. All routes are tested, so that new routes which show matchers are covered.

let world: MatcherWorld
let segments: Readonly<Record<string, readonly (string | number)[]>>

beforeAll(async () => {
  world = await openMatcherWorld()
  const { parameter, own, environment, configclass, far, near, places } = world
  segments = {
    smart_class_parameter: [parameter.id],
    override_value: [...far.values()]
      .slice(0, 6)
      .concat([...far.values()].slice(-2))
      .map(String)
      .concat([...[...far.keys()].slice(0, 3), ...near.slice(0, 1)].map((text) => encodeURIComponent(text))),
    host: [own.host.id],
    hostgroup: [own.hostgroup.id],
    environment: [environment.id],
    configclass: [configclass.id],
    domain: [own.domain.id],
    organization: places.own.organization_ids as readonly number[],
    location: places.own.location_ids as readonly number[],
  }
  // Audits of every override, created by requests.
  const { api } = world
  for (const id of [...far.values()].slice(0, 4)) {
    const path = `/api/smart_class_parameters/${parameter.id}/override_values/${id}`
    await api.admin.put(path, { value: `${CANARY} changed` })
  }
}, 120_000)
afterAll(() => world?.[Symbol.asyncDispose]())

/** Lists the paths of a route with every parameter filled in; none where a record for one is missing. */
function pathsOf({ path, group }: Pick<Route, 'path' | 'group'>): string[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return names.reduce<string[]>(
    (paths, name) => {
      const kind = name === 'id' ? singularOf(group) : name.replace(/_id$/, '')
      return paths.flatMap((one) => (segments[kind] ?? []).map((segment) => one.replace(`:${name}`, String(segment))))
    },
    [path],
  )
}

function singularOf(group: string): string {
  return Object.keys(segments).find((name) => [`${name}s`, `${name}es`].includes(group)) ?? group
}

const PORTS = [
  ['the first listener', ({ api, editor }: MatcherWorld) => ({ caller: editor, routes: api.routes })],
  [
    'the listener for existing clients',
    ({ api, editor }: MatcherWorld) => ({ caller: api.asVendor(editor), routes: openVendor(api.routes).routes }),
  ],
] as const

const QUERIES = ['', '?per_page=all&show_hidden=true&include=all_parameters,parameters']

describe('reading', () => {
  test.each(PORTS)(
    'no answer of %s to a limited caller has a text or a value of an override out of reach',
    async (_, on) => {
      const shown: string[] = []
      let asked = 0
      const { caller, routes } = on(world)
      for (const route of routes.filter(({ method }) => method === 'GET')) {
        for (const path of pathsOf(route)) {
          for (const query of QUERIES) {
            const { text } = await caller.get(`${path}${query}`)
            asked++
            for (const leak of leaks(text, path)) shown.push(`${path}${query}: ${leak}`)
          }
        }
      }
      expect(shown).toEqual([])
      expect(asked).toBeGreaterThan(300)
      // The paths have to find something, or the test would prove nothing.
      expect((await caller.get(`/api/smart_class_parameters/${world.parameter.id}/override_values`)).text).toContain(
        'own value',
      )
    },
    300_000,
  )

  test('who is in all organizations and locations sees every override', async () => {
    const { api, permissions, places, parameter } = world
    const all = await api.admin.get('/api/organizations?per_page=all')
    const locations = await api.admin.get('/api/locations?per_page=all')
    const ids = (answer: typeof all) => answer.body.results.map(({ id }: { id: number }) => id)
    const everywhere = await api.can(permissions, { organization_ids: ids(all), location_ids: ids(locations) })
    expect(await matchesFor(everywhere)).toEqual(await matchesFor(api.admin))
    const one = await api.can(permissions, { ...places.own, location_ids: ids(locations) })
    const matches = await matchesFor(one)
    expect(matches).toContain(`organization=${world.own.host.organization_name}`)
    expect(matches).not.toContain(`location=${world.own.host.location_name}`)
    expect(parameter.override_values_count).toBe(0)
  })

  test('reachable overrides are listed and counted, and the count of all stays the total', async () => {
    const { near, far, editor, parameter } = world
    expect(await matchesFor(editor)).toEqual([...near].sort())
    const { body } = await editor.get(`/api/smart_class_parameters/${parameter.id}`)
    expect(body.override_values.map(({ match }: { match: string }) => match)).toEqual(near)
    expect(body.override_values_count).toBe(near.length + far.size)
    const list = await editor.get(`/api/smart_class_parameters/${parameter.id}/override_values?per_page=2`)
    expect(list.body).toMatchObject({ total: near.length, subtotal: near.length })
  })

  test('the permission for what is shared shows attributes, and nothing that names a record out of reach', async () => {
    const { api, permissions, places, near } = world
    const auditor = await api.can([...permissions, 'view_shared_override_values'], places.own)
    const matches = await matchesFor(auditor)
    expect(matches).toEqual(expect.arrayContaining([...near, 'is_virtual=true', `domain=${world.own.domain.name}`]))
    expect(matches).not.toContain(`fqdn=${world.other.host.name}`)
    expect(matches).not.toContain(`domain=${world.other.domain.name}`)
    const path = `/api/smart_class_parameters/${world.parameter.id}/override_values`
    expect((await auditor.put(`${path}/is_virtual=true`, { value: 'mine' })).status).toBe(403)
  })
})

/** Lists what a text reveals of the other organization; the requested path may be repeated in it. */
function leaks(text: string, path: string): string[] {
  const said = text.replaceAll(decodeURIComponent(path.split('/').at(-1) ?? ''), '')
  const values = said.match(new RegExp(`${CANARY} (value \\d+|changed)`, 'g')) ?? []
  const matches = [...world.far.keys()].filter((match) => match.includes(CANARY) && said.includes(match))
  return [...values, ...matches]
}

async function matchesFor(caller: Caller): Promise<string[]> {
  const { body } = await caller.get(`/api/smart_class_parameters/${world.parameter.id}/override_values?per_page=all`)
  return body.results.map(({ match }: { match: string }) => match).sort()
}

describe('explanations', () => {
  test('a value from an override out of sight stays what the host gets, without saying which that was', async () => {
    const { api, own, editor, configclass } = world
    const parameter = await shared({ os: null })
    const path = `/api/hosts/${own.host.id}/smart_class_parameters/${parameter}/explain`
    const { body, text } = await editor.get(path)
    expect(body).toMatchObject({ status: 'value', value: 'for all', source: 'override' })
    expect(body.override_values).toEqual([
      expect.objectContaining({ id: null, match: 'a matcher that you may not see', value: null, fate: 'chosen' }),
    ])
    expect(text).not.toContain('canary of nobody')
    expect(body.tried.every((one: { override_value_id: unknown }) => one.override_value_id === null)).toBe(true)
    expect((await api.admin.get(path)).body.override_values).toHaveLength(2)
    expect((await editor.get(`/api/hosts/${own.host.id}/enc`)).text).toContain('for all')
    const supposed = await editor.post('/api/hosts/what_if', {
      attributes: { hostgroup: own.hostgroup.title, environment: 'shared_env', comment: 'own comment' },
    })
    expect(supposed.status).toBe(200)
    const [explained] = supposed.body.parameters.filter(({ id }: { id: number }) => id === parameter)
    expect(explained).toMatchObject({ status: 'value', value: '*****' })
    expect(supposed.text).not.toContain('for all')
    expect(configclass.id).toBeGreaterThan(0)
  })

  test('a hypothetical host reveals no value of others', async () => {
    const { editor, own, far } = world
    const names = [...far.keys()].filter((match) => match.includes(CANARY) && !match.includes(','))
    for (const match of names) {
      const [attribute = '', value = ''] = match.split('=')
      const beyond = ['kernel', 'tier'].includes(attribute)
      const { text } = await editor.post('/api/hosts/what_if', {
        ...(['fqdn', 'name'].includes(attribute) && { name: value }),
        attributes: {
          hostgroup: own.hostgroup.title,
          environment: 'shared_env',
          ...(['certname', 'comment'].includes(attribute) && { [attribute]: value }),
        },
        ...(beyond && { facts: { [attribute]: value }, parameters: { tier: value } }),
      })
      expect(text, match).not.toMatch(new RegExp(`${CANARY} (value \\d+|changed)`))
    }
  })

  /** Creates a parameter that an attribute of every host overrides, and one without overrides. */
  async function shared(_columns: object): Promise<number> {
    const { api, configclass } = world
    const made = await row<{ id: number }>(
      api.database.db,
      sql`with p as (
          insert into smart_class_parameters (configclass_id, parameter, override, parameter_type, override_value_order, default_value)
          values (${configclass.id}, 'shared', true, 'string', ${'environment\nos'}, '"default"') returning id
        ), e as (
          insert into class_parameter_environments (smart_class_parameter_id, environment_id)
          select p.id, ${world.environment.id}::bigint from p
        ), o as (
          insert into override_values (smart_class_parameter_id, match, value)
          select p.id, 'environment=shared_env', '"for all"'::jsonb from p
          union all select p.id, 'os=None 1', '"canary of nobody"'::jsonb from p
        ) select id from p`,
    )
    return made?.id ?? 0
  }
})

describe('writing', () => {
  test('nothing that a limited caller sends changes an override out of reach', async () => {
    const { api, editor, parameter, configclass, far, digest, other, own } = world
    const before = await digest()
    const path = `/api/smart_class_parameters/${parameter.id}`
    for (const [match, id] of far) {
      for (const segment of [id, encodeURIComponent(match)]) {
        for (const query of segment === id ? ['', '?preview=true'] : ['']) {
          const one = `${path}/override_values/${segment}${query}`
          expect((await editor.put(one, { value: 'taken over' })).status, `${match} ${segment}`).toBe(404)
          expect((await editor.delete(one)).status, match).toBe(404)
        }
      }
      expect((await editor.post(`${path}/override_values`, { match, value: 'mine' })).status, match).not.toBe(201)
    }
    for (const change of [
      ...[{ parameter_type: 'array' }, { override: false }, { override_value_order: 'fqdn' }],
      ...[{ hidden_value: true }, { validator_type: 'list', validator_rule: 'own' }],
    ])
      expect((await editor.put(path, change)).status, JSON.stringify(change)).toBe(403)
    expect((await editor.put(path, { description: 'for people', default_value: 'hi' })).status).toBe(200)
    const unused = await api.admin.delete(`/api/hostgroups/${own.hostgroup.id}/configclass_ids/${configclass.id}`)
    expect(unused.status).toBe(200)
    expect((await editor.delete(`/api/configclasses/${configclass.id}`)).status).not.toBe(200)
    await api.admin.post(`/api/hostgroups/${own.hostgroup.id}/configclass_ids`, { configclass_id: configclass.id })
    expect((await editor.put(`/api/configclasses/${configclass.id}`, { smart_class_parameter_ids: [] })).status).toBe(
      403,
    )
    expect((await editor.delete(`/api/environments/${world.environment.id}`)).status).not.toBe(200)
    expect((await editor.put(`/api/hosts/${other.host.id}`, { name: 'renamed' })).status).toBe(404)
    expect(await digest()).toBe(before)
  }, 120_000)

  test('a text out of reach is refused alike, whether it is taken, names what others have or nothing at all', async () => {
    const { editor, parameter, other } = world
    const path = `/api/smart_class_parameters/${parameter.id}/override_values`
    const answers = await Promise.all(
      [other.host.name, 'nothing.is.called.this'].map(async (name) => {
        const { status, text } = await editor.post(path, { match: `fqdn=${name}`, value: 'mine' })
        return { status, text: text.replaceAll(name, 'NAME').replace(/"request_id":"[^"]*"/, '') }
      }),
    )
    expect(answers[0]).toEqual(answers[1])
    const domains = await Promise.all(
      [other.domain.name, 'no.domain'].map(async (name) => {
        const match = `hostgroup=${world.own.hostgroup.title},domain=${name}`
        const { status, text } = await editor.post(path, { match, value: 'mine' })
        return { status, text: text.replaceAll(name, 'NAME') }
      }),
    )
    expect(domains[0]).toEqual(domains[1])
  })

  test('reachable overrides are created, changed and deleted', async () => {
    const { editor, parameter, near } = world
    const path = `/api/smart_class_parameters/${parameter.id}/override_values`
    for (const match of near) {
      const one = `${path}/${encodeURIComponent(match)}`
      expect((await editor.put(one, { value: 'changed' })).status, match).toBe(200)
      expect((await editor.delete(one)).status, match).toBe(200)
      expect((await editor.post(path, { match, value: 'anew' })).status, match).toBe(201)
    }
  })

  test('the permission for what is shared lets them be made', async () => {
    const { api, permissions, places, parameter, other } = world
    const editor = await api.can([...permissions, 'edit_shared_override_values'], places.own)
    const path = `/api/smart_class_parameters/${parameter.id}/override_values`
    expect((await editor.put(`${path}/is_virtual=true`, { value: 'canary value 0' })).status).toBe(200)
    expect((await editor.post(path, { match: 'is_virtual=false', value: 'for many' })).status).toBe(201)
    expect((await editor.post(path, { match: `name=${other.host.name}`, value: 'x' })).status).not.toBe(201)
  })
})

describe('names that are given again', () => {
  test('a host takes over no override that somebody left behind for its name', async () => {
    const { editor, own, parameter, api } = world
    const left = `fqdn=gone.${CANARY}.test`
    const body = { hostgroup_id: own.hostgroup.id, managed: false, name: `gone.${CANARY}.test` }
    const made = await editor.post('/api/hosts', { ...placed(), ...body })
    expect(made.status).toBe(201)
    expect(await matchesFor(editor)).not.toContain(left)
    expect((await editor.get(`/api/hosts/${made.body.id}/enc`)).text).not.toContain(`${CANARY} value`)
    const audits = await editor.get(`/api/audits?per_page=all&search=${encodeURIComponent(`auditable = ${left}`)}`)
    expect(audits.text).not.toContain(`${CANARY} value`)
    expect((await api.admin.get(`/api/smart_class_parameters/${parameter.id}/override_values`)).text).not.toContain(
      left,
    )
  })

  test('nor does one that facts make known, told by a user or by a smart proxy', async () => {
    const { editor, api } = world
    const { organization_id, location_id } = placed()
    const url = `https://teller.example.test:8443/${unique('p')}`
    const places = { organization_ids: [organization_id], location_ids: [location_id] }
    const proxy = await given(api.admin, 'smart_proxy', { url, ...places })
    await sql`with feature as (insert into features (name) values ('Config') on conflict (name) do update set name = excluded.name returning id)
      insert into smart_proxy_features (smart_proxy_id, feature_id) select ${proxy.id}::bigint, id from feature`.execute(
      api.database.db,
    )
    const certified = { SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_S_DN: 'CN=teller.example.test' }
    const scope = `?organization_id=${organization_id}&location_id=${location_id}`
    const tellers = [
      (body: object) => editor.post(`/api/hosts/facts${scope}`, body),
      (body: object) => api.nobody.post('/api/hosts/facts', body, certified),
    ]
    for (const tell of tellers) {
      const name = `${unique('told')}.${CANARY}.test`
      const certname = unique('cert')
      await leave(`fqdn=${name}`, `certname=${certname}`)
      const made = await tell({ name, certname, facts: { kernel: 'Linux' } })
      expect(made.status, made.text).toBe(201)
      expect(await stored(name, certname)).toEqual([])
    }
    const kept = `${unique('told')}.${CANARY}.test`
    await leave(`fqdn=${kept}`)
    expect((await api.admin.post('/api/hosts/facts', { name: kept, facts: { kernel: 'Linux' } })).status).toBe(201)
    expect(await stored(kept), 'who sees it may have left it on purpose').toEqual([`fqdn=${kept}`])
  })

  test('nor one that registers with a key, or with the token of a user', async () => {
    const { api, own } = world
    const site = await siteOf(own.host.organization_id)
    await newKey(api, site, 'key')
    const name = `${unique('registered')}.${CANARY}.test`
    await leave(`fqdn=${name}`, `name=${name},kernel=Linux`)
    expect((await register(api, site, 'key', clientBody(name))).status).toBe(200)
    expect(await stored(name)).toEqual([])
    const scripted = `${unique('scripted')}.${CANARY}.test`
    await leave(`fqdn=${scripted}`)
    const { organization_id, location_id } = placed()
    const order = { activation_keys: ['key'], organization_id, location_id }
    const made = await world.editor.post('/api/registration_commands', { registration_command: order })
    const [, token = ''] = /Bearer ([^']*)/.exec(made.body.registration_command) ?? []
    const body = { host: { name: scripted, organization_id, location_id, managed: false } }
    const told = await api.as({ authorization: `Bearer ${token}` }).post('/register', body)
    expect(told.status, told.text).toBe(200)
    expect(await stored(scripted)).toEqual([])
  })

  /** Stores overrides that name a host which does not exist. */
  async function leave(...matches: readonly string[]): Promise<void> {
    for (const match of matches)
      await sql`insert into override_values (smart_class_parameter_id, match, value)
        values (${world.parameter.id}, ${match}, '"canary value"')`.execute(world.api.database.db)
  }

  async function stored(...names: readonly string[]): Promise<readonly string[]> {
    const found = await rows<{ match: string }>(world.api.database.db, sql`select match from override_values`)
    return found.map(({ match }) => match).filter((match) => names.some((name) => match.includes(name)))
  }

  async function siteOf(id: number): Promise<Site> {
    const site = await row<Site>(
      world.api.database.db,
      sql`select o.id, o.label, l.environment_id as library, l.content_view_id as view
        from organizations o join content_views v on v.organization_id = o.id
        join content_view_environments l on l.content_view_id = v.id where o.id = ${id}`,
    )
    if (!site) throw new Error('an organization without a Library')
    return site
  }

  test('nor does a group that is renamed', async () => {
    const { editor, own } = world
    const group = await editor.post('/api/hostgroups', { name: 'other', ...world.places.own })
    expect((await editor.put(`/api/hostgroups/${group.body.id}`, { name: 'gone' })).status).toBe(200)
    expect((await world.api.admin.get(overrides())).text).not.toContain('hostgroup=gone')
    expect(own.host.id).toBeGreaterThan(0)
  })

  function overrides(): string {
    return `/api/smart_class_parameters/${world.parameter.id}/override_values?per_page=all`
  }

  function placed() {
    const { organization_ids, location_ids } = world.places.own as Record<string, readonly number[]>
    return {
      organization_id: organization_ids?.[0],
      location_id: location_ids?.[0],
      environment_id: world.environment.id,
    }
  }
})

describe('importing classes', () => {
  test('ends overrides of others only with force, which is for those who may write all of them', async () => {
    const { api, permissions, places, editor, environment, configclass, digest } = world
    await using peer = await startClassSource()
    const site = { name: 'config', url: peer.url, ...places.own }
    const proxy = await expectCreated(api.admin.post('/api/smart_proxies', site))
    segments = { ...segments, smart_proxy: [proxy.id], environment: [environment.id, 'shared_env'] }
    // The class has left the environment, and with `force` all its overrides are deleted.
    peer.hold({ shared_env: { another: {} } })
    const before = await digest()
    const forces = [
      ['', { force: true }],
      ['', { force: 'yes', except: 'new' }],
      ['', { smart_proxy: { force: 1 } }],
      ['?force', {}],
    ] as const
    let refused = 0
    for (const [, on] of PORTS) {
      const { caller, routes } = on(world)
      for (const route of routes.filter(({ id }) => /import_configclasses/.test(id)))
        for (const path of pathsOf(route))
          for (const [query, body] of forces) {
            const { status, text } = await caller.post(`${path}${query}`, body)
            // Some paths have the proxy in place of the environment, which is then unknown.
            expect([403, 404], `${path}${query} ${text}`).toContain(status)
            if (status === 404) continue
            expect(text).toContain('edit_shared_override_values')
            refused++
          }
    }
    expect(refused).toBeGreaterThanOrEqual(16)
    expect(await digest()).toBe(before)
    const path = `/api/smart_proxies/${proxy.id}/import_configclasses`
    expect((await editor.post(path, { force: true, dryrun: true })).status).toBe(200)
    expect((await editor.post(path, {})).status).toBe(200)
    expect(await digest()).toBe(before)
    // The class returns, and is deleted with its overrides by a caller who may do that.
    const entitled = await api.can([...permissions, 'edit_shared_override_values'], places.own)
    peer.hold({ shared_env: { [configclass.name]: { greeting: { literal: 'hello' } } } })
    expect((await entitled.post(path, { force: true })).status).toBe(200)
    expect(await digest()).toBe(before)
    peer.hold({ shared_env: { another: {} } })
    expect((await entitled.post(path, { force: true })).status).toBe(200)
    expect(await digest()).toBe('[]')
  }, 60_000)
})
