import { afterAll, beforeAll, expect, test } from 'vitest'
import { row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'

// Totals of audits are kept up instead of counted again, and estimated while somebody counts; they never prevent a list.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi({ database: { statementTimeoutMs: 2000 } })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const SEARCH = '/api/audits?per_page=1&search=type+%3D+architecture'

/** Does work while a transaction that has done `before` is open. */
async function whileOpen<Result>(
  before: (tx: TestApi['database']['db']) => Promise<unknown>,
  work: () => Promise<Result>,
) {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const open = api.database.db.transaction(async (tx) => {
    await before(tx)
    begun.resolve()
    await end.promise
  })
  await Promise.race([begun.promise, open])
  try {
    return await work()
  } finally {
    end.resolve()
    await open
  }
}

const holdTable = <Result>(table: string, work: () => Promise<Result>) =>
  whileOpen((tx) => rows(tx, sql`lock table ${sql.table(table)} in access exclusive mode`), work)

const insert = (db: TestApi['database']['db'], name: string) =>
  rows(
    db,
    sql`insert into audits (action, auditable_type, auditable_id, auditable_name, audited_changes, version)
      select 'create', 'Architecture', n, ${name} || n, '{}', 1 from generate_series(1, 3) n`,
  )

/** Compares the answer with the rows that there are. */
async function expectExact(path = SEARCH, type = 'Architecture'): Promise<void> {
  const { db } = api.database
  const stored = await row<{ count: number }>(
    db,
    sql`select count(*) as count from audits where auditable_type = ${type}`,
  )
  const { body } = await api.admin.get(path)
  expect([body.subtotal, body.estimated]).toEqual([stored?.count, undefined])
}

test('a total that is kept up is exact: for rows of slow transactions, numbered events, and deleted rows', async () => {
  const { db } = api.database
  await insert(db, 'first')
  await expectExact()
  await using work = await api.startEvents()
  expect(work).toBeDefined()
  // The open transaction has ids below those of the rows that are counted meanwhile.
  const fillSlowly = (tx: typeof db) => insert(tx, 'slow')
  await whileOpen(fillSlowly, async () => {
    await expectCreated(api.admin.post('/api/architectures', { architecture: { name: 'meanwhile' } }))
    await expectExact()
    await expect.poll(() => row(db, sql`select count(*) as count from event_queue`)).toEqual({ count: 0 })
    await expectExact()
  })
  await expectExact()
  await rows(db, sql`delete from audits where auditable_name = 'first1'`)
  await expectExact()
  await insert(db, 'again')
  await rows(db, sql`delete from audits where auditable_name = 'first2'`)
  await expectExact()
})

test('a list does not wait long for its total: it says that it is an estimate, until the rows are counted', async () => {
  await insert(api.database.db, 'estimated')
  const path = `${SEARCH}+and+action+%3D+create`
  const first = await holdTable('event_queue', () => api.admin.get(path))
  expect(first.status, first.text).toBe(200)
  expect(first.body).toMatchObject({ estimated: ['subtotal'], results: [{ auditable_type: 'Architecture' }] })
  expect(first.body.subtotal).toBeGreaterThanOrEqual(1)
  await expect.poll(async () => (await api.admin.get(path)).body.estimated).toBeUndefined()
  await insert(api.database.db, 'later')
  await expectExact(path)
})

test('pages by key keep an estimate, and the word for it', async () => {
  const path = `${SEARCH}+and+action+%21%3D+destroy&after=`
  const first = await holdTable('event_queue', () => api.admin.get(path))
  const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1]
  const second = await api.admin.get(next ?? '')
  expect(second.body).toMatchObject({ subtotal: first.body.subtotal, estimated: ['subtotal'] })
})

test('a search that reads too many audits is refused with advice', async () => {
  const refused = await holdTable('audits_order', () => api.admin.get('/api/audits?search=rare'))
  expect(refused.status).toBe(400)
  expect(refused.body.error.message).toMatch(/^search reads too many audits: add a condition on the time/)
})

test('a user in one organization sees the audits there, those without places, and their exact number', async () => {
  const works = await expectCreated(api.admin.post('/api/organizations', { organization: { name: 'Works' } }))
  const other = await expectCreated(api.admin.post('/api/organizations', { organization: { name: 'Other' } }))
  const part = await expectCreated(
    api.admin.post('/api/organizations', { organization: { name: 'Part', parent_id: works.id } }),
  )
  const { db } = api.database
  await rows(
    db,
    sql`with made as (
      insert into audits (action, auditable_type, auditable_id, auditable_name, audited_changes, version)
      select 'create', 'Model', n, 'placed' || n, '{}', 1 from generate_series(1, 4) n returning id, auditable_id
    )
    insert into audit_organizations select id, (array[${works.id}, ${other.id}, ${part.id}]::bigint[])[auditable_id] from made
    where auditable_id < 4`,
  )
  const viewer = await api.can(['view_audit_logs', 'view_models'], { organization_ids: [works.id] })
  const read = async () => (await viewer.get('/api/audits?search=type+%3D+model')).body
  await expect.poll(async () => (await read()).estimated).toBeUndefined()
  expect((await read()).subtotal).toBe(3)
})
