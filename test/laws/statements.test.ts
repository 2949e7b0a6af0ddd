import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { permissionOf } from '../../src/kernel/authorize.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import { linkTableOf, TAXONOMIES } from '../../src/kernel/scope.ts'
import { sql } from '../../src/sql.ts'
import type { Caller } from '../support/api.ts'
import {
  ASKED_BY_ORGANIZATION,
  given,
  leastBody,
  pathBelow,
  pathOf,
  resourceNamed,
  type Shown,
  wrapped,
} from '../support/given.ts'
import { names, turns } from './subjects.ts'
import { openWorld, stopClocks, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
  await world.api.database.listen(SETTLED, () => arrived())
})
afterAll(() => world?.api[Symbol.asyncDispose]())

const SETTLED = 'laws_settled'
let arrived = () => {}

/** Waits until the process has received the notifications of all writes: they arrive in the order of commits. */
async function settle(): Promise<void> {
  const heard = new Promise<void>((resolve) => {
    arrived = resolve
  })
  await sql`select pg_notify(${SETTLED}, '')`.execute(world.api.database.db)
  await heard
}

const made = new Set(names('create'))

describe.each(turns('list').filter((name) => made.has(name)))('%s', (name) => {
  const resource = resourceNamed(name)

  test('a list costs the same number of statements however many records there are', async () => {
    const { admin } = world.api
    const path = resource.nestedOnly ? await nestedPath(resource) : pathOf(resource, world.organization)
    const inside = world.inside(resource)
    const { body: seed } = await admin.post(
      path,
      wrapped(resource, { ...(await leastBody(admin, name, inside)), ...inside }),
    )
    const permissions = [
      ...new Set([resource, ...parentsOf(resource).map(resourceNamed)].map((seen) => permissionOf(seen, 'view'))),
    ]
    const callers = {
      administrator: admin,
      member: await world.limited(permissions),
      filtered: await world.limited(permissions, 'id > 0'),
    }
    const queries = [
      '?per_page=1',
      '?per_page=1&search=id%20%3E%200',
      '?per_page=1&order=id%20desc&page=2',
      `?per_page=1&organization_id=${world.organization}`,
    ]
    const all = ['?per_page=all', '?per_page=all&search=id%20%3E%200']
    await copies(resource, seed.id, 2)
    const few = await costs(callers, path, queries)
    const fewAll = await costs(callers, path, all)
    await copies(resource, seed.id, 100)
    const large = queries.map((query) => query.replace('per_page=1', 'per_page=50'))
    expectSame(resource, await costs(callers, path, large), few)
    expectSame(resource, await costs(callers, path, all), fewAll)
    expect((await admin.get(path)).body.total).toBeGreaterThan(100)
    // The page, `total` and `subtotal`; one statement each for the scope and the parent of the request; and those for values
    // that depend on the caller.
    for (const cost of [...few, ...fewAll]) {
      expect(cost).toBeGreaterThan(0)
      expect(cost).toBeLessThanOrEqual(resource.views.transform ? 8 : 5)
    }
  })
})

describe.each(turns('show').filter((name) => made.has(name) && name !== 'personal_access_token'))('%s', (name) => {
  test('a record costs one statement, and a few where it depends on the caller', async () => {
    const { id } = await given(world.api.admin, name)
    await settle()
    await world.api.admin.get(`${pathOf(resourceNamed(name))}/${id}`)
    const { count, texts } = await world.api.counting(() => world.api.admin.get(`${pathOf(resourceNamed(name))}/${id}`))
    // One further statement finds the organization of the request; values that depend on the caller may take two.
    const organization = ASKED_BY_ORGANIZATION.has(name) ? 1 : 0
    const most = 1 + organization + (resourceNamed(name).views.transform ? 2 : 0)
    expect(count, texts.join('\n')).toBeGreaterThan(organization)
    expect(count, texts.join('\n')).toBeLessThanOrEqual(most)
  })
})

/** Expects as many statements as before, at most one more where an empty page needed none for something. */
function expectSame({ views }: Resource, costs: readonly number[], before: readonly number[]): void {
  if (!views.transform) expect(costs).toEqual(before)
  expect(costs.length).toBe(before.length)
  for (const [index, cost] of costs.entries()) expect(cost).toBeLessThanOrEqual((before[index] ?? 0) + 1)
}

/** Parents that the requests name, which have to be visible. */
const PARENTS = ['user', 'organization']

/** Lists these parents, and those below which records of a resource exist. */
function parentsOf({ nestedOnly, parents }: Resource): string[] {
  return nestedOnly ? [...PARENTS, ...Object.keys(parents).slice(0, 1)] : PARENTS
}

/** Counts the statements of each query by each caller: first after a write, and again with cached counts. */
async function costs(
  callers: Readonly<Record<string, Caller>>,
  path: string,
  queries: readonly string[],
): Promise<number[]> {
  const counted: number[] = []
  await stopClocks(world.api)
  await settle()
  for (const caller of Object.values(callers)) await caller.get('/api/status')
  for (const caller of Object.values(callers)) {
    for (const query of queries) {
      for (let time = 0; time < 2; time++) {
        const { result, count } = await world.api.counting(() => caller.get(path + query))
        expect(result.status).toBe(200)
        counted.push(count)
      }
    }
  }
  return counted
}

async function nestedPath(resource: Resource): Promise<string> {
  const [name = ''] = Object.keys(resource.parents)
  const parent = resourceNamed(name)
  const { id }: Shown = await given(world.api.admin, name, world.inside(parent))
  return pathBelow(name, id, resource)
}

/**
 * Inserts copies of a record with unique names where limited callers see them; by SQL, because only their number matters.
 */
async function copies(resource: Resource, id: number, many: number): Promise<void> {
  const { db } = world.api.database
  const columns = await rows<{ name: string; type: string }>(
    db,
    sql`select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = ${resource.table} and is_generated = 'NEVER' and column_name <> 'id'`,
  )
  const values = columns.map(({ name, type }) => {
    const own = sql.ref(`t.${name}`)
    if (DISTINCT.has(name)) return sql`${own} || '_' || n || '_' || ${many}::text`
    if (name === 'cp_id') return sql`translate(md5(${own} || n || ${many}::text), 'abcdef', '012345')`
    if (name === 'network') return sql`${own} + (n + ${many}::bigint) * 65536`
    return type === 'bytea' ? sql`sha256(convert_to(${own}::text || n || ${many}::text, 'UTF8'))` : own
  })
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  const copied = await rows<{ id: number }>(
    db,
    sql`insert into ${sql.table(resource.table)} (${names}) select ${sql.join(values)} from ${sql.table(resource.table)} t, generate_series(1, ${many}) n
      where t.id = ${id} returning id`,
  )
  if (!resource.taxable || resource.taxable === 'own' || resource.taxable === 'organization') return
  const ids = copied.map((row) => row.id)
  for (const taxonomy of TAXONOMIES) {
    const link = linkTableOf(resource, taxonomy)
    await sql`insert into ${sql.table(link.table)} (${sql.ref(link.own)}, ${sql.ref(`${taxonomy.kind}_id`)})
      select unnest(${ids}::bigint[]), ${world[taxonomy.kind]}::bigint`.execute(db)
  }
}

/** Text columns in which all records differ. */
const DISTINCT = new Set(['name', 'label', 'login', 'title', 'url', 'path'])
