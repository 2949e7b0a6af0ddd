import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillFleet } from '../../bench/fleet.ts'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { ASKED_BY_ORGANIZATION, given, pathFor, resourceNamed } from '../support/given.ts'
import { names } from './subjects.ts'

// What the statements of lists and records cost by the planner's estimate, as a file that a change changes on purpose only. The
// plans are those for any values, which are kept (decision 0002); the tables are small enough that statistics are of all rows.

const GOLDEN = new URL('../../docs/generated/plan-costs.md', import.meta.url)

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  const { db } = api.database
  for (const name of ['architecture', 'operatingsystem']) await given(api.admin, name)
  await sql`insert into architectures (name) select 'arch ' || n from generate_series(1, 1000) n`.execute(db)
  await sql`insert into operatingsystems (name, major) select 'System' || n, '1' from generate_series(1, 20) n`.execute(
    db,
  )
  await fillFleet(db, { hosts: 1000, hostgroups: 50 }, 1, 1)
}, 300_000)
afterAll(() => api?.[Symbol.asyncDispose]())

const made = new Set(names('create'))

test('lists and records cost what is written down', async () => {
  // Tokens that can be made are of another user, below whom they are shown.
  const shown = new Set(names('show').filter((name) => name !== 'personal_access_token'))
  const asked: [string, string][] = []
  for (const name of names('list')) {
    const path = await pathFor(api.admin, resourceNamed(name))
    asked.push([`list ${name}`, path])
    const id = shown.has(name) && !ASKED_BY_ORGANIZATION.has(name) ? await findRecord(name, path) : null
    if (id !== null) asked.push([`show ${name}`, `${path.split('?')[0]}/${id}`])
  }
  await vacuumAll()
  const lines: string[] = []
  for (const [what, path] of asked) {
    const ask = () => api.admin.get(path)
    expect.soft((await ask()).status, what).toBe(200) // fills the caches
    const { texts } = await api.counting(ask)
    const costs: string[] = []
    for (const text of texts) costs.push(String(await findCost(text)))
    lines.push(`| ${what.replaceAll('_', ' ')} | ${costs.join(' + ')} |`)
  }
  await expect(report(lines)).toMatchFileSnapshot(GOLDEN.pathname)
})

/** Vacuums until plans can count on every page, which a transaction elsewhere may delay and autovacuum may do at any time. */
async function vacuumAll(): Promise<void> {
  const { db } = api.database
  await expect
    .poll(
      async () => {
        await sql`vacuum (analyze)`.execute(db)
        const left = sql`select relname from pg_class where relkind = 'r' and relallvisible < relpages and relnamespace = 'public'::regnamespace`
        return rows(db, left)
      },
      { timeout: 60_000, interval: 500 },
    )
    .toEqual([])
}

/** Yields the id of the first record in a list, which is made where there is none and it can be. */
async function findRecord(name: string, path: string): Promise<number | null> {
  const { status, body } = await api.admin.get(path)
  expect(status, name).toBe(200)
  const [first] = body.results
  if (first) return first.id
  return made.has(name) ? (await given(api.admin, name)).id : null
}

/** Yields the estimated cost of the plan that suits any values, rounded to two digits. */
function findCost(text: string): Promise<number> {
  const values = Array.from(new Set(text.match(/\$\d+/g)), () => 'null')
  const given = values.length === 0 ? '' : `(${values.join(', ')})`
  return api.database.db.transaction(async (db) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(db)
    await sql.raw(`prepare asked as ${text}`).execute(db)
    const [found] = await rows(db, sql.raw(`explain (format json) execute asked${given}`))
    await sql`deallocate asked`.execute(db)
    // Exact numbers such as 1.10 become plain ones by printing and parsing.
    const [, cost] = /"Total Cost":([\d.]+)/.exec(JSON.stringify(found)) ?? []
    return Number(Number(cost).toPrecision(2))
  })
}

function report(lines: readonly string[]): string {
  return `# What the statements of lists and records cost

By the estimate of PostgreSQL 15's planner for the administrator, with 1,000 hosts in 50 groups and 1,000 architectures; one figure
for each statement. Written by \`test/laws/plan-costs.postgresql.test.ts\` (\`--update\`): whoever makes a plan dearer changes this file on
purpose.

| request | cost |
|---|---:|
${lines.join('\n')}
`
}
