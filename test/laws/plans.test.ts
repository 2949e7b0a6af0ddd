import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { permissionOf } from '../../src/kernel/authorize.ts'
import { sql } from '../../src/sql.ts'
import { type NodeWorld, nodeWorld } from '../classification/node-world.ts'
import { BEHIND_PROXY } from '../registration/clients.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { ASKED_BY_ORGANIZATION, given, pathOf, resourceNamed } from '../support/given.ts'
import { names } from './subjects.ts'

// A statement that is asked for again and again is planned once (decision 0002): planning takes longer than running most of
// them. PostgreSQL keeps a plan after five executions unless it thinks that planning for the values pays, and says for each
// prepared statement of a connection how often it planned. It decides by the average of what it planned before, so that
// the connection is a new one: one that has served other tests remembers tables of another size, and has no names left.

let api: TestApi
let world: NodeWorld
beforeAll(async () => {
  api = await openTestApi({ env: BEHIND_PROXY, database: { poolSize: 1 } })
  world = await nodeWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** PostgreSQL decides after five executions; the first request is not prepared, and the second may fill caches. */
const BEFORE = 8
/** One plan more may be made when the tables have been analyzed; a statement that is planned each time has one for each. */
const AGAIN = 4

const made = new Set(names('create'))
const shown = names('show').filter(
  (name) => made.has(name) && name !== 'personal_access_token' && !ASKED_BY_ORGANIZATION.has(name),
)

describe.each(shown)('%s', (name) => {
  test('a record that an administrator asks for again is not planned again', async () => {
    const { path } = await givenRecord(name)
    await expectPlannedOnce(() => api.admin.get(path))
  })
})

describe.each(['architecture', 'host', 'content_view'])('%s', (name) => {
  test('a record that a user asks for again is not planned again', async () => {
    const { path, permission } = await givenRecord(name)
    const user = await api.can([permission], { organization_ids: [1], location_ids: [1] })
    await expectPlannedOnce(() => user.get(path))
  })
})

async function givenRecord(name: string): Promise<{ path: string; permission: string }> {
  const resource = resourceNamed(name)
  const own = resource.taxable === 'own' ? { organization_id: 1, location_id: 1 } : {}
  const { id } = await given(api.admin, name, resource.taxable === 'organization' ? { organization_id: 1 } : own)
  return { path: `${pathOf(resource)}/${id}`, permission: permissionOf(resource, 'view') }
}

describe('the document of a host', () => {
  const machine = () => api.as({ SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_S_DN: 'CN=engine.example.test' })

  test('is not planned again, for one host and for several at a time', async () => {
    await api.admin.put('/api/settings/trusted_hosts', { value: ['engine.example.test'] })
    const hosts = [await world.host({}), await world.host({}), await world.host({})]
    const ask = (count: number) =>
      Promise.all(hosts.slice(0, count).map(({ name }) => machine().get(`/node/${name}?format=yml`)))
    await expectPlannedOnce(async () => (await ask(1))[0] ?? { status: 0 })
    await expectPlannedOnce(async () => (await ask(3))[0] ?? { status: 0 })
  })
})

/** Asks again and again, and expects that PostgreSQL plans no statement any more. */
async function expectPlannedOnce(ask: () => Promise<{ status: number }>): Promise<void> {
  for (let time = 0; time < BEFORE; time++) expect((await ask()).status).toBe(200)
  const before = await countPlans()
  for (let time = 0; time < AGAIN; time++) await ask()
  const again = [...(await countPlans())].filter(([statement, count]) => count >= (before.get(statement) ?? 0) + AGAIN)
  expect(again.map(([statement]) => statement.replace(/\s+/g, ' '))).toEqual([])
}

/** Yields how often the connection planned its prepared statements for their values. */
async function countPlans(): Promise<ReadonlyMap<string, number>> {
  const found = await rows<{ statement: string; count: number }>(
    api.database.db,
    sql`select statement, custom_plans as count from pg_prepared_statements`,
  )
  return new Map(found.map(({ statement, count }) => [statement, count]))
}
