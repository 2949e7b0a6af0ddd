import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/database/database.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { openApi } from '../../src/service/service.ts'
import { BEHIND_PROXY } from '../registration/clients.ts'
import { ADMIN, openTestApi, type TestApi } from '../support/api.ts'
import { urlOfServerDatabase } from '../support/database.ts'
import { given, type Shown, unique } from '../support/given.ts'
import { quiet, testConfig } from '../support/settings.ts'
import { type NodeWorld, nodeWorld } from './node-world.ts'

// Two services on one server keep documents, each for itself. Once a change is answered, neither sends what was before.

let api: TestApi
let world: NodeWorld
let elsewhere: Database
let other: Awaited<ReturnType<typeof openApi>>
let hosts: readonly Shown[]
let groups: readonly Shown[]
let classes: readonly Shown[]
let fields: readonly Shown[]

beforeAll(async () => {
  api = await openTestApi({ env: BEHIND_PROXY })
  elsewhere = await connect(testConfig({ url: await urlOfServerDatabase(api.database.db) }), quiet)
  const env = {
    ...{ MILLWRIGHT_DATA_DIR: 'memory', MILLWRIGHT_ADMIN_LOGIN: ADMIN.login },
    ...{ MILLWRIGHT_ADMIN_PASSWORD: ADMIN.password, MILLWRIGHT_PASSWORD_MEMORY: '8', ...BEHIND_PROXY },
  }
  other = await openApi(
    elsewhere,
    readConfig([], env, () => ''),
    quiet,
  )
  await other.server.ready()
  world = await nodeWorld(api)
  const { admin } = api
  await admin.put('/api/settings/trusted_hosts', { setting: { value: ['engine.example.test'] } })
  groups = [await given(admin, 'hostgroup'), await given(admin, 'hostgroup')]
  classes = [await world.plain(), await world.plain(), await world.plain()]
  const order = 'fqdn\nhostgroup\nzone'
  fields = await Promise.all(
    classes.map((configclass, index) =>
      world.parameter({ configclass, name: `field_${index}`, columns: { override_value_order: order } }),
    ),
  )
  hosts = [await world.host(), await world.host({ configclass_ids: classes.map(({ id }) => id) }), await world.host()]
})
afterAll(async () => {
  await other?.server.close()
  await elsewhere?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})

const pick = <Item>(items: readonly Item[], at: number) => items[at % items.length] as Item
const url = (kind: string, { id }: Shown) => `/api/${kind}/${id}`

/** Changes of what documents are made of; each takes three random numbers. */
const CHANGES: readonly ((
  a: number,
  b: number,
  c: number,
) => Promise<{ readonly status: number; readonly text: string }>)[] = [
  (a, b) => api.admin.put(url('hosts', pick(hosts, a)), { hostgroup_id: pick(groups, b).id }),
  (a, b) => api.admin.put(url('hosts', pick(hosts, a)), { comment: `comment ${b}` }),
  (a, b) => api.admin.put(url('hosts', pick(hosts, a)), { configclass_ids: [pick(classes, b).id] }),
  (a, b) => api.admin.put(url('hostgroups', pick(groups, a)), { configclass_ids: [pick(classes, b).id] }),
  (a) => api.admin.put(url('hostgroups', pick(groups, a)), { name: unique('group') }),
  (a) => api.admin.put(url('configclasses', pick(classes, a)), { name: unique('renamed') }),
  (a, b) => api.admin.put(url('smart_class_parameters', pick(fields, a)), { default_value: `default ${b}` }),
  (a, b) =>
    api.admin.post('/api/hosts/facts', { name: pick(hosts, a).name, facts: { zone: pick(['lan', 'dmz'], b), up: b } }),
  (a, b) =>
    api.admin.post(`${url('hosts', pick(hosts, a))}/parameters`, { parameter: { name: unique('p'), value: `${b}` } }),
  (a, b) =>
    api.admin.post(`${url('hostgroups', pick(groups, a))}/parameters`, {
      parameter: { name: unique('p'), value: `${b}` },
    }),
  (a, b, c) => {
    const match = pick([`fqdn=${pick(hosts, b).name}`, `hostgroup=${pick(groups, b).name}`, 'zone=dmz'], c)
    return api.admin.post(`${url('smart_class_parameters', pick(fields, a))}/override_values`, {
      override_value: { match, value: `override ${b}` },
    })
  },
]

const MACHINE = { ssl_client_verify: 'SUCCESS', ssl_client_s_dn: 'CN=engine.example.test' }
const there = async (name: string) =>
  (await other.server.inject({ url: `/node/${name}?format=yml`, headers: MACHINE })).body
const here = async (name: string) => (await api.as(MACHINE).get(`/node/${name}?format=yml`)).text
/** Worked out anew, for a user. */
const anew = async (name: string) => (await api.admin.get(`/node/${name}?format=yml`)).text

test('after each change that is answered both send the document that is worked out anew', async () => {
  const numbers = fc.tuple(fc.nat(CHANGES.length - 1), fc.nat(99), fc.nat(99), fc.nat(99))
  let altered = 0
  await fc.assert(
    fc.asyncProperty(fc.array(numbers, { minLength: 1, maxLength: 8 }), async (changes) => {
      for (const [which, a, b, c] of changes) {
        const before = await Promise.all(hosts.map(({ name }) => there(name)))
        const answer = await pick(CHANGES, which)(a, b, c)
        if (answer.status > 201) expect(answer.text).toContain('Validation failed') // such an override again, or of a former name
        for (const [index, { name }] of hosts.entries()) {
          const document = await anew(name)
          expect(await there(name)).toBe(document)
          expect(await here(name)).toBe(document)
          if (document !== before[index]) altered++
        }
      }
    }),
    { numRuns: 15 },
  )
  expect(altered).toBeGreaterThan(10)
})
