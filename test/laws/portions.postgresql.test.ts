import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openRunsWorld, type RunsWorld } from '../api/configrun-world.ts'
import { eventually, insertHosts } from '../runs/queue-world.ts'
import { expectCreated, type Reply, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'
import { type ClassSourcePeer, startClassSource } from '../support/peers/class-source.ts'

// Whatever commits or yields more than once for somebody stops when they may no longer do it (docs/decisions/0049-portions.md).

let world: RunsWorld
let peer: ClassSourcePeer
let address: string
beforeAll(async () => {
  world = await openRunsWorld()
  peer = await startClassSource()
  address = await world.api.listen()
  // Each thousand is more than the sockets between the service and a client hold.
  await sql`insert into models (name, info) select 'many ' || lpad(n::text, 6, '0'), repeat('x', 4000) from generate_series(1, 6000) n`.execute(
    world.api.database.db,
  )
})
afterAll(async () => {
  await peer?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

type Caller = Awaited<ReturnType<TestApi['can']>>

const LOSSES: Record<string, (caller: Caller) => Promise<Reply>> = {
  disabled: ({ id }) => world.api.admin.put(`/api/users/${id}`, { user: { disabled: true } }),
  deleted: ({ id }) => world.api.admin.delete(`/api/users/${id}`),
  'without the role': ({ id }) => world.api.admin.put(`/api/users/${id}`, { user: { role_ids: [] } }),
}

/** Work for a caller: it begins, calls `lose` in the middle, and yields how much was done and whether the end tells of it. */
type Member = (lose: (caller: Caller) => Promise<unknown>) => Promise<{ done: string; told: boolean }>

const MEMBERS: Record<string, Member> = {
  'a list as lines': (lose) => readList(lose, 'application/x-ndjson', ''),
  'a list as a table': (lose) => readList(lose, 'text/csv', ''),
  'a list on one page': (lose) => readList(lose, 'application/json', '?per_page=all'),
  'a batch that is not atomic': async (lose) => {
    const caller = await world.api.can(['view_models', 'create_models', 'edit_models'])
    const { names, operations, held } = await batchOf()
    const sent = await whileLocked(
      (tx) => sql`update models set info = 'held' where id = ${held}`.execute(tx),
      () => caller.post('/api/batch', { operations, atomic: false }),
      () => lose(caller),
    )
    const statuses: number[] = sent.body.results.map(({ status }: { status: number }) => status)
    return { done: await presentOf(names), told: statuses.slice(2).every((status) => status === 401 || status === 403) }
  },
  'an import of classes': async (lose) => {
    const caller = await importer()
    const proxy = await sourceOf(peer)
    const sent = await whileLocked(
      lockImports,
      () => caller.post(`/api/smart_proxies/${proxy}/import_configclasses`, {}),
      () => lose(caller),
    )
    return { done: await environments(), told: sent.status === 401 || sent.status === 403 }
  },
  'a rollout': async (lose) => {
    await world.clear()
    const { organization_id, location_id } = world.place
    const caller = await world.api.can(['configrun_hosts', 'view_config_runs'], {
      also: ['view_hosts'],
      organization_ids: [organization_id],
      location_ids: [location_id],
    })
    const names = ['wait-1.example.test', 'wait-2.example.test', 'wait-3.example.test']
    await insertHosts(world.api.database.db, world.proxy, names)
    await sql`update hosts set organization_id = ${organization_id}, location_id = ${location_id}`.execute(
      world.api.database.db,
    )
    const before = world.program.hosts('finished').length
    const rollout = { search: 'name ~ wait-', parallel: 1 }
    const { id } = await expectCreated(caller.post('/api/config_rollouts', { config_rollout: rollout }))
    await using _workers = await world.workers()
    await eventually(() => world.program.hosts('started').length).toBe(before + 1)
    await lose(caller)
    world.program.letGo()
    const read = async () => (await world.api.admin.get(`/api/config_rollouts/${id}`)).body
    await eventually(async () => (await read()).finished_at).not.toBeNull()
    const { succeeded, cancelled, status, message } = await read()
    return { done: `${succeeded} of 3`, told: cancelled === 2 && status === 'stopped' && message !== null }
  },
}

describe.each(Object.entries(MEMBERS))('%s', (_member, work) => {
  test.each(Object.entries(LOSSES))('stops when its caller is %s', async (_name, lose) => {
    const checked = async (caller: Caller) => expect((await lose(caller)).status).toBe(200)
    const { done, told } = await work(checked)
    expect({ done: done.split(' of ')[0], told }).toEqual({ done: done.startsWith('some') ? 'some' : '1', told: true })
  })
})

/** Reads a list until the first part has come, then lets the caller lose it, and reads the rest. */
async function readList(lose: (caller: Caller) => Promise<unknown>, accept: string, query: string) {
  const caller = await world.api.can(['view_models'])
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { accept, authorization: caller.authorization }
    get(`${address}/api/models${query}`, { headers }, resolve).on('error', reject)
  })
  let records = 0
  let told = false
  try {
    for await (const part of answer.setEncoding('utf8')) {
      if (records === 0) await lose(caller)
      records += part.match(/\bmany \d{6}\b/g)?.length ?? 0
    }
  } catch {
    told = true
  }
  return { done: records > 0 && records < 6000 ? 'some' : `${records} of 6000`, told }
}

/** Begins work that has to wait for a lock of another transaction, does something meanwhile, and waits for its end. */
async function whileLocked<Result>(
  lock: (tx: Db) => Promise<unknown>,
  begin: () => Promise<Result>,
  meanwhile: () => Promise<unknown>,
): Promise<Result> {
  const { db } = world.api.database
  const [locked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db.transaction(async (tx) => {
    await lock(tx)
    locked.resolve()
    await left.promise
  })
  await locked.promise
  const work = begin()
  try {
    await eventually(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length
    }).toBeGreaterThan(0)
    await meanwhile()
  } finally {
    left.resolve()
    await holding
  }
  return work
}

const lockImports = (tx: Db) => sql`select pg_advisory_xact_lock(hashtext('import of classes'))`.execute(tx)

/** A batch that creates a model, changes one that is locked, and creates two more. */
async function batchOf() {
  const held = (await given(world.api.admin, 'model')).id
  const names = [unique('one'), unique('two'), unique('three')]
  const [first, ...rest] = names.map((name) => ({ method: 'POST', path: '/api/models', body: { model: { name } } }))
  const changing = { method: 'PUT', path: `/api/models/${held}`, body: { model: { info: 'changed' } } }
  return { names, operations: [first, changing, ...rest], held }
}

async function presentOf(names: readonly string[]): Promise<string> {
  const { rows } = await sql`select from models where name = any (${names}::text[])`.execute(world.api.database.db)
  return `${rows.length} of ${names.length}`
}

function importer(): Promise<Caller> {
  const { organization_id, location_id } = world.place
  return world.api.can(['import_configclasses', 'view_smart_proxies', 'view_environments'], {
    organization_ids: [organization_id],
    location_ids: [location_id],
  })
}

/** Has a source with three new environments, and yields the id of its smart proxy. */
async function sourceOf({ url, hold }: ClassSourcePeer): Promise<number> {
  const { db } = world.api.database
  await sql`delete from environments`.execute(db)
  await sql`delete from configclasses`.execute(db)
  hold({ one: { web: {} }, two: { web: {} }, three: { web: {} } })
  const { organization_id, location_id } = world.place
  const known = await sql<{ id: number }>`select id from smart_proxies where url = ${url}`.execute(db)
  const [found] = known.rows
  if (found) return found.id
  const places = { organization_ids: [organization_id], location_ids: [location_id] }
  return (await expectCreated(world.api.admin.post('/api/smart_proxies', { name: 'config', url, ...places }))).id
}

async function environments(): Promise<string> {
  return `${(await sql`select from environments`.execute(world.api.database.db)).rows.length} of 3`
}
