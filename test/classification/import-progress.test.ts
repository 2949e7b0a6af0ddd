import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type ClassSourcePeer, type SourceClasses, startClassSource } from '../support/peers/class-source.ts'

const NOTHING = { message: 'No changes to your environments detected' }
const WEB: SourceClasses = { web: { port: { literal: 80 } } }

let api: TestApi
let peer: ClassSourcePeer
let path: string
beforeAll(async () => {
  api = await openTestApi()
  peer = await startClassSource()
  const { id } = await expectCreated(api.admin.post('/api/smart_proxies', { name: 'config', url: peer.url }))
  path = `/api/smart_proxies/${id}/import_configclasses`
})
afterAll(async () => {
  await peer?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  peer.hold({})
  peer.answer(null)
  await sql`delete from configclasses`.execute(api.database.db)
  await sql`delete from environments`.execute(api.database.db)
  peer.asked.length = 0
})

async function latest() {
  return (await api.admin.get('/api/class_imports?per_page=1')).body.results[0]
}

async function imported(body: Record<string, unknown> = {}) {
  const said = await api.admin.post(path, { ...body, dryrun: true })
  const done = await api.admin.post(path, body)
  expect(done.body).toEqual(said.body)
  return done.body
}

function many(environments: number, classes: number, parameters: number) {
  const names = Array.from({ length: parameters }, (_, index) => [`p${index}`, { literal: index }])
  const each = Array.from({ length: classes }, (_, index) => [`m${index}::c`, Object.fromEntries(names)])
  const classesOfAll = Object.fromEntries(each)
  return Object.fromEntries(Array.from({ length: environments }, (_, index) => [`e${index}`, classesOfAll]))
}

describe('what an import is at', () => {
  test('can be read while it runs and afterwards', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: reached, resolve: arrive } = Promise.withResolvers<void>()
    peer.answer((request, response) => {
      if (request.url?.endsWith('/environments')) return response.end('["a","b"]')
      if (request.url?.includes('/a/')) return response.end('[{"path":"x","classes":[{"name":"web","params":[]}]}]')
      arrive()
      return void held.then(() => response.end('[]'))
    })
    const running = api.admin.post(path, {})
    await reached
    expect(await latest()).toMatchObject({
      status: 'running',
      environment_name: 'a',
      environments: 2,
      environments_done: 1,
      finished_at: null,
      source: peer.url,
      dryrun: false,
    })
    release()
    expect((await running).status).toBe(200)
    expect(await latest()).toMatchObject({ status: 'finished', environment_name: null, environments_done: 2 })
    expect((await latest()).finished_at).not.toBe(null)
  })

  test('tells why it failed', async () => {
    peer.answer((_request, response) => response.writeHead(503).end('too busy'))
    await api.admin.post(path, {})
    expect(await latest()).toMatchObject({ status: 'failed', message: expect.stringContaining('503') })
  })

  test('is for those who may see it', async () => {
    const nobody = await api.can([])
    expect((await nobody.get('/api/class_imports')).status).toBe(403)
    const { id: organization } = await expectCreated(api.admin.post('/api/organizations', { name: 'theirs' }))
    const { id: location } = await expectCreated(api.admin.post('/api/locations', { name: 'there' }))
    const places = { organization_ids: [organization], location_ids: [location] }
    await api.admin.put(path.replace('/import_configclasses', ''), places)
    const blind = await api.can(['view_class_imports'], places)
    expect((await blind.get('/api/class_imports')).body).toMatchObject({ total: 0 })
    const viewer = await api.can(['view_class_imports', 'view_smart_proxies'], places)
    expect((await viewer.get('/api/class_imports')).body.total).toBeGreaterThan(0)
    expect((await viewer.get(`/api/class_imports/${(await latest()).id}`)).status).toBe(200)
  })
})

describe('what is unchanged', () => {
  test('is not compared again, and costs two statements for each environment', async () => {
    const costOf = async (environments: number) => {
      peer.hold(many(environments, 3, 4))
      await imported()
      const tally = await api.counting(async () => void (await api.admin.post(path, {})))
      expect(await latest()).toMatchObject({ environments_done: environments, environments_unchanged: environments })
      return tally.count
    }
    const [one, three] = [await costOf(1), await costOf(3)]
    expect(three - one).toBeLessThanOrEqual(2 * 2)
  })

  test('is found again when somebody has changed it here', async () => {
    const found = async () => (await imported()).results?.[0]
    peer.hold({ e: { ...WEB, db: { size: { literal: 1 } } } })
    await imported()
    await api.admin.delete('/api/configclasses/web')
    expect(await found()).toMatchObject({ actions: ['new'], new_configclasses: ['web'] })
    await api.admin.put('/api/configclasses/web', { configclass: { name: 'renamed' } })
    expect(await found()).toMatchObject({ new_configclasses: ['web'], obsolete_configclasses: ['renamed'] })
    await sql`delete from class_parameter_environments`.execute(api.database.db)
    expect(await found()).toMatchObject({ updated_configclasses: ['db', 'web'] })
    await sql`insert into configclass_environments select c.id, e.id from configclasses c, environments e on conflict do nothing`.execute(
      api.database.db,
    )
    expect(await found()).toBe(undefined)
    const added = await expectCreated(api.admin.post('/api/configclasses', { name: 'by_hand' }))
    await sql`insert into configclass_environments select ${added.id}, id from environments`.execute(api.database.db)
    expect(await found()).toMatchObject({ obsolete_configclasses: ['by_hand'] })
    expect(await imported()).toEqual(NOTHING)
  })

  test('is asked for by its tag where the server behind the proxy has one', async () => {
    peer.hold({ e: WEB })
    const reply = await api.admin.post(path, { source: 'server' })
    expect(reply.body.results).toMatchObject([{ new_configclasses: ['web'] }])
    const tagged: (string | undefined)[] = []
    expect((await api.admin.post(path, { source: 'server' })).body).toEqual(NOTHING)
    expect(await latest()).toMatchObject({ environments_unchanged: 1 })
    peer.answer((request, response) => {
      tagged.push(request.headers['if-none-match'])
      if (request.url?.includes('environment_classes')) return response.writeHead(304).end()
      return response.end('{"environments": {"e": {}}}')
    })
    expect((await api.admin.post(path, { source: 'server' })).body).toEqual(NOTHING)
    expect(tagged).toEqual([undefined, expect.stringMatching(/^".+"$/)])
    peer.answer((_request, response) => response.writeHead(403).end('Forbidden request'))
    expect(await api.admin.post(path, { source: 'server' })).toMatchObject({
      status: 500,
      body: { message: expect.stringContaining('answered 403 Forbidden') },
    })
  })
})

describe('two sources', () => {
  test('leave each other alone', async () => {
    await using other = await startClassSource()
    const { id } = await expectCreated(api.admin.post('/api/smart_proxies', { name: 'other', url: other.url }))
    peer.hold({ a: WEB })
    other.hold({ b: WEB })
    await imported()
    const reply = await api.admin.post(`/api/smart_proxies/${id}/import_configclasses`, {})
    expect(reply.body.results).toEqual([{ name: 'b', actions: ['new'], new_configclasses: ['web'] }])
    expect(await imported()).toEqual(NOTHING)
    await api.admin.delete(`/api/smart_proxies/${id}`)
    expect((await imported()).results).toMatchObject([{ removed_environment: 'b' }])
  })

  test('and two imports at once do the work once', async () => {
    peer.hold(many(3, 4, 5))
    const both = await Promise.all([api.admin.post(path, {}), api.admin.post(path, {})])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await rows(api.database.db, sql`select from configclasses`)).toHaveLength(4)
    expect(await rows(api.database.db, sql`select from class_parameter_environments`)).toHaveLength(60)
    expect((await api.admin.post(path, {})).body).toEqual(NOTHING)
  })
})

test('every class and parameter that comes, changes and goes has its audit', async () => {
  const since = (await rows<{ id: number }>(api.database.db, sql`select coalesce(max(id), 0) as id from audits`))[0]?.id
  const audits = async () => {
    const found = await rows<{ what: string }>(
      api.database.db,
      sql`select auditable_type || ' ' || auditable_name || ' ' || action || ' ' || version as what from audits
        where id > ${since} and user_name is not null order by auditable_type, id`,
    )
    return found.map(({ what }) => what)
  }
  peer.hold({ e: { ...WEB, db: {} } })
  await imported()
  peer.hold({ e: { web: { port: { literal: 81 } } } })
  await imported()
  peer.hold({ e: { web: {} } })
  await imported()
  expect(await audits()).toEqual([
    'Configclass db create 1',
    'Configclass web create 1',
    'Configclass db update 2',
    'Configclass db destroy 3',
    'Environment e create 1',
    'SmartClassParameter port create 1',
    'SmartClassParameter port update 2',
    'SmartClassParameter port destroy 3',
  ])
  const changed = await rows<{ changes: unknown }>(
    api.database.db,
    sql`select audited_changes as changes from audits where id > ${since} and auditable_type = 'SmartClassParameter' and action = 'update'`,
  )
  expect(changed).toEqual([{ changes: { default_value: [80, 81], parameter_type: ['integer', null] } }])
})
