import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadEffectiveParameters } from '../../src/areas/parameters/effective.ts'
import { printJson, readJson } from '../../src/classification/json.ts'
import { identityOf, isMap, type Value } from '../../src/classification/values.ts'
import { fromNotation, type Notation, recorded } from '../classification/recorded.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { UNKNOWN_KEYS } from '../support/encryption.ts'

// Smart-parameters §5.4: which parameter of a name is effective for a host. The recordings hold the answers of existing
// servers.

interface Given {
  readonly level: string
  readonly object?: string
  readonly name: string
  readonly type: string
  readonly value: Notation
  readonly value_entered?: string
  readonly refused?: readonly string[]
}

interface Case {
  readonly id: string
  readonly tags: readonly string[]
  readonly host: Readonly<Record<string, unknown>>
  readonly parameters: readonly Given[]
  readonly outcome: {
    readonly host_parameters: readonly (readonly [string, Notation])[]
    readonly sources: readonly (readonly [string, readonly string[]])[]
  }
}

// Records that no request can create: a request that sends a list for a text stores its text.
const NOT_BY_REQUEST = ['enc-0195']

const CASES = recorded<Case>('enc-cases').filter(
  ({ id, tags }) => !tags.includes('template') && !tags.includes('static_key') && !NOT_BY_REQUEST.includes(id),
)

const GROUPS = ['Base', 'Base/Web', 'Base/Web/Edge', 'Base/Db']
const ORGANIZATIONS = ['Acme', 'Acme/Ops', 'Acme/Dev']
const LOCATIONS = ['EU', 'EU/Ams', 'US']

let api: TestApi
/** Paths of the records with parameters: `hostgroup Base/Web`, `os`, … */
const paths = new Map<string, string>()
const hosts = new Map<string, { id: number; path: string }>()

const make = (path: string, body: object) => expectCreated(api.admin.post(`/api/${path}`, body))
const idOf = (key: string) => Number(paths.get(key)?.split('/').pop())

beforeAll(async () => {
  api = await openTestApi()
  for (const [kind, plural, titles] of [
    ['organization', 'organizations', ORGANIZATIONS],
    ['location', 'locations', LOCATIONS],
    ['hostgroup', 'hostgroups', GROUPS],
  ] as const) {
    for (const title of titles) {
      const [name, ...above] = title.split('/').reverse()
      const parent = above.reverse().join('/')
      const { id } = await make(plural, { [kind]: { name, ...(parent && { parent_id: idOf(`${kind} ${parent}`) }) } })
      paths.set(`${kind} ${title}`, `/api/${plural}/${id}`)
    }
  }
  const everywhere = {
    organization_ids: ORGANIZATIONS.map((title) => idOf(`organization ${title}`)),
    location_ids: LOCATIONS.map((title) => idOf(`location ${title}`)),
  }
  const note = async (key: string, plural: string, body: object) =>
    paths.set(key, `/api/${plural}/${(await make(plural, body)).id}`)
  await note('os', 'operatingsystems', { name: 'Debian', major: '12', minor: '4', family: 'Debian', release_name: 'x' })
  await note('domain', 'domains', { name: 'lab.test', ...everywhere })
  await note('subnet', 'subnets', { name: 'four', network: '10.0.0.0', mask: '255.255.255.0', ...everywhere })
  const six = { network_type: 'IPv6', network: '2001:db8::', mask: 'ffff:ffff:ffff:ffff::' }
  await note('subnet6', 'subnets', { name: 'six', ...six, ...everywhere })
  for (const title of GROUPS) await api.admin.put(paths.get(`hostgroup ${title}`) ?? '', everywhere)
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** Creates a host like the recorded one; hosts with equal places are shared. */
async function hostFor({ hostgroup, organization, location, os, domain, subnet, subnet6 }: Case['host']) {
  const key = JSON.stringify([hostgroup, organization, location, os, domain, subnet, subnet6])
  const known = hosts.get(key)
  if (known) return known
  const linked = (name: string, what: unknown, kind = name) =>
    what ? { [`${name}_id`]: idOf(typeof what === 'string' ? `${kind} ${what}` : kind) } : { [`${name}_id`]: null }
  const { id } = await make('hosts', {
    name: `n${hosts.size}${domain ? '.lab.test' : ''}`,
    managed: false,
    ...linked('hostgroup', hostgroup),
    ...linked('organization', organization),
    ...linked('location', location),
    ...linked('operatingsystem', os, 'os'),
    domain_id: domain ? idOf('domain') : null,
    ...linked('subnet', subnet),
    ...linked('subnet6', subnet6),
  })
  const made = { id, path: `/api/hosts/${id}` }
  hosts.set(key, made)
  return made
}

/** Makes names unique for each case. */
const own = ({ id }: Case, name: string) =>
  name === '' ? '' : `${name}.${id}`.slice(-255 - (name.length > 255 ? 1 : 0))

async function giveTo(host: { path: string }, one: Case, { level, object, name, type, value, value_entered }: Given) {
  const owner = level === 'host' ? host.path : paths.get(object === undefined ? level : `${level} ${object}`)
  if (owner === undefined && level !== 'global') throw new Error(`nothing is called ${level} ${object}`)
  const json = value_entered === undefined ? printJson(fromNotation(value)) : JSON.stringify(value_entered)
  const body = `{"name":${JSON.stringify(own(one, name))},"parameter_type":"${type}","value":${json}}`
  const url = level === 'global' ? '/api/common_parameters' : `${owner}/parameters`
  return api.admin.send({ method: 'POST', url, payload: body, headers: { 'content-type': 'application/json' } })
}

/** Yields the parameters that a host shows, with numbers as they are written in the answer. */
async function shown({ path }: { path: string }): Promise<Map<string, { value: Value; associated_type: Value }>> {
  const answer = readJson((await api.admin.get(path)).text)
  const all = isMap(answer) ? answer.get('all_parameters') : undefined
  if (!Array.isArray(all)) throw new Error(`${path} shows no parameters`)
  return new Map(
    all.map((item) => [item.get('name'), { value: item.get('value'), associated_type: item.get('associated_type') }]),
  )
}

describe('what counts for a host', () => {
  test(`is what was recorded, in ${CASES.length} cases`, async () => {
    const wrong: string[] = []
    for (const one of CASES) {
      const host = await hostFor(one.host)
      for (const parameter of one.parameters) {
        const { status, body } = await giveTo(host, one, parameter)
        const messages = status === 201 ? [] : body.error.full_messages
        if (JSON.stringify(messages) !== JSON.stringify(parameter.refused ?? [])) {
          wrong.push(
            `${one.id} ${parameter.level}: ${messages.join()} instead of ${parameter.refused?.join() ?? 'taken'}`,
          )
        }
      }
      const all = await shown(host)
      const ours = [...all].filter(([name]) => name.endsWith(`.${one.id}`))
      const expected = one.outcome.host_parameters.map(
        ([name, value]) => [own(one, name), fromNotation(value)] as const,
      )
      const identities = (pairs: readonly (readonly [string, Value])[]) =>
        pairs.map(([name, value]) => `${name}=${identityOf(value)}`).sort()
      const [actual, wanted] = [identities(ours.map(([name, { value }]) => [name, value])), identities(expected)]
      if (JSON.stringify(actual) !== JSON.stringify(wanted)) wrong.push(`${one.id}: ${actual} instead of ${wanted}`)
      for (const [name, [type]] of one.outcome.sources) {
        const from = all.get(own(one, name))?.associated_type
        if (from !== type) wrong.push(`${one.id}: ${name} comes from ${from} instead of ${type}`)
      }
    }
    expect(wrong).toEqual([])
    expect(CASES.length).toBeGreaterThan(150)
  }, 120_000)

  test('of any two levels is the nearer one, in trees the deeper one', async () => {
    const ladder = [
      'global',
      'organization Acme',
      'organization Acme/Ops',
      'location EU',
      'location EU/Ams',
      'domain',
      'subnet',
      'subnet6',
    ]
    const rungs = [...ladder, 'os', 'hostgroup Base', 'hostgroup Base/Web', 'hostgroup Base/Web/Edge', 'host']
    const full = CASES.find(({ tags }) => tags.includes('ladder'))
    if (!full) throw new Error('no case stands on every level')
    const host = await hostFor(full.host)
    const wanted = new Map<string, string>()
    for (const [high, upper] of rungs.entries()) {
      for (const low of rungs.slice(0, high)) {
        const name = `${low}-${upper}`.replaceAll(/[ /]/g, '_')
        wanted.set(name, upper)
        for (const rung of [upper, low]) {
          const owner = rung === 'host' ? host.path : paths.get(rung)
          await make((owner ? `${owner}/parameters` : '/api/common_parameters').slice('/api/'.length), {
            name,
            value: rung,
          })
        }
      }
    }
    const all = await shown(host)
    expect([...wanted.keys()].map((name) => [name, all.get(name)?.value])).toEqual([...wanted])
    const found = async (name: string, value: string) =>
      (
        await api.admin.get(
          `/api/hosts?search=${encodeURIComponent(`params.${name} = "${value}" and id = ${host.id}`)}`,
        )
      ).body.subtotal
    for (const [name, value] of wanted) expect([name, await found(name, value)]).toEqual([name, 1])
    const losers = [...wanted.keys()].map((name) => [name, name.split('-')[0]?.replace('_', ' ') ?? ''] as const)
    for (const [name, value] of losers) expect([name, await found(name, value)]).toEqual([name, 0])
  }, 120_000)

  test('is the same for code, in one statement', async () => {
    const all = [...hosts.values()]
    const at = { db: api.database.db, encryption: UNKNOWN_KEYS }
    const ctx = at as Parameters<typeof loadEffectiveParameters>[0] // it only reads the database
    const { count, result } = await api.counting(() =>
      loadEffectiveParameters(
        ctx,
        all.map(({ id }) => id),
      ),
    )
    expect(count).toBe(1)
    for (const host of all) {
      const own = new Map(
        (result.get(host.id) ?? []).map(({ name, value }) => [name, identityOf(readJson(value ?? 'null'))]),
      )
      expect(own).toEqual(new Map([...(await shown(host))].map(([name, { value }]) => [name, identityOf(value)])))
    }
  })

  test('stands in lists that ask for it, at a constant number of statements', async () => {
    const { body } = await api.admin.get('/api/hosts?include=all_parameters&per_page=all')
    for (const host of body.results) {
      const { all_parameters } = (await api.admin.get(`/api/hosts/${host.id}`)).body
      expect(host.all_parameters).toEqual(all_parameters)
    }
    const statements = async (perPage: number) => {
      const path = `/api/hosts?include=all_parameters&include=parameters&per_page=${perPage}`
      return (await api.counting(() => api.admin.get(path))).count
    }
    await statements(1) // counts are cached first
    expect(await statements(1)).toBe(await statements(5))
    expect((await api.admin.get('/api/hosts')).body.results[0]).not.toHaveProperty('all_parameters')
  })

  test('is found by has, null? and the comparisons of the search language', async () => {
    const [host] = [...hosts.values()]
    await make(`hosts/${host?.id}/parameters`, { name: 'tier', value: 'gold-1' })
    const subtotal = async (search: string) =>
      (await api.admin.get(`/api/hosts?search=${encodeURIComponent(search)}`)).body.subtotal
    expect(await subtotal('has params.tier')).toBe(1)
    expect(await subtotal('null? params.tier')).toBe(hosts.size - 1)
    expect(await subtotal('params.tier ~ GOLD')).toBe(1)
    expect(await subtotal('params.tier != silver')).toBe(1)
    expect(await subtotal('params.tier ^ (silver, gold-1)')).toBe(1)
    expect(await subtotal('params.nothing = x')).toBe(0)
    await make('common_parameters', { name: 'tier', value: 'silver' })
    expect(await subtotal('params.tier = silver')).toBe(hosts.size - 1)
    expect(await subtotal('has params.tier')).toBe(hosts.size)
  })
})
