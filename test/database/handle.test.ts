import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { type Db, row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.[Symbol.asyncDispose]())

describe('inside a transaction', () => {
  test('the outer handle refuses at once', async () => {
    const work = database.db.transaction(async () => row(database.db, sql`select 1`))
    await expect(work).rejects.toThrow('outer database handle was used inside a transaction')
  })

  test('the outer handle refuses a second transaction, in whatever function it is opened', async () => {
    const helper = async () => database.db.transaction(async (tx) => row(tx, sql`select 1`))
    const work = database.db.transaction(async (tx) => {
      await row(tx, sql`select 1`)
      await helper()
    })
    await expect(work).rejects.toThrow('outer database handle was used inside a transaction')
  })

  test('work started there may use the outer handle once the transaction is over', async () => {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const later = await database.db.transaction(async (tx) => {
      await row(tx, sql`select 1`)
      return { answer: over.then(() => row(database.db, sql`select 2 as two`)) }
    })
    resolve()
    expect(await later.answer).toEqual({ two: 2 })
  })

  test('a refusal undoes what the transaction did', async () => {
    const work = database.db.transaction(async (tx) => {
      await sql`insert into architectures (name) values ('undone')`.execute(tx)
      await row(database.db, sql`select 1`)
    })
    await expect(work).rejects.toThrow()
    expect(await rows(database.db, sql`select name from architectures where name = 'undone'`)).toEqual([])
  })
})

test('a transaction of which a statement failed is no success, even if nobody heard of it', async () => {
  const work = database.db.transaction(async (tx) => {
    await sql`insert into architectures (name) values ('lost')`.execute(tx)
    await sql`select 1 / 0`.execute(tx).catch(() => undefined)
  })
  await expect(work).rejects.toThrow('A statement of the transaction has failed')
  const enqueued = database.db.transaction(async (tx) => {
    for (let n = 0; n < 150; n++) void tx.enqueue(sql`select 1 / ${n === 0 ? 0 : 1}::int`)
  })
  await expect(enqueued).rejects.toThrow(/division by zero|aborted/)
  expect(await rows(database.db, sql`select name from architectures where name = 'lost'`)).toEqual([])
})

test('the handle of a transaction that is over refuses', async () => {
  let leaked: Db = database.db
  await database.db.transaction(async (tx) => {
    leaked = tx
  })
  await expect(row(leaked, sql`select 1`)).rejects.toThrow('The transaction is over')
})

test('statements and transactions of parallel work do not mix', async () => {
  const work = Array.from({ length: 20 }, (_, index) =>
    database.db.transaction(async (tx) => {
      await sql`select set_config('test.owner', ${String(index)}, true)`.execute(tx)
      await row(tx, sql`select 1`)
      return (await row<{ owner: string }>(tx, sql`select current_setting('test.owner') as owner`))?.owner
    }),
  )
  expect(await Promise.all(work)).toEqual(Array.from({ length: 20 }, (_, index) => String(index)))
})

test('a failed statement leaves the handle usable, and its error names the constraint', async () => {
  await sql`insert into architectures (name) values ('twice')`.execute(database.db)
  for (const _ of [1, 2, 3]) {
    const again = sql`insert into architectures (name) values (${'twice'})`.execute(database.db)
    await expect(again).rejects.toMatchObject({
      code: '23505',
      severity: 'ERROR',
      table: 'architectures',
      constraint: 'architectures_name_key',
      detail: 'Key (name)=(twice) already exists.',
    })
  }
  expect(await row(database.db, sql`select 1 as one`)).toEqual({ one: 1 })
})

test('affected rows are counted', async () => {
  const inserted = await sql`insert into architectures (name) values (${'a1'}), (${'a2'})`.execute(database.db)
  const updated = await sql`update architectures set updated_at = now() where name = ${'a1'}`.execute(database.db)
  expect([inserted.rowCount, updated.rowCount]).toEqual([2, 1])
})

test('ping answers in milliseconds', async () => {
  expect(await database.ping()).toBeGreaterThan(0)
})

describe('messages', () => {
  test('arrive when they commit, outside of the transaction that sent them', async () => {
    const received: string[] = []
    const { promise: done, resolve } = Promise.withResolvers<unknown>()
    await database.listen('test_channel', (payload) => {
      received.push(payload)
      // Would refuse if it ran as part of the sender's transaction.
      if (payload === 'kept') resolve(row(database.db, sql`select 3 as three`))
    })
    const undone = database.db.transaction(async (tx) => {
      await sql`select pg_notify('test_channel', 'undone')`.execute(tx)
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    await database.db.transaction(async (tx) => {
      await sql`select pg_notify('test_channel', ${'kept'})`.execute(tx)
    })
    expect(await done).toEqual({ three: 3 })
    expect(received).toEqual(['kept'])
  })
})
