import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type ClassSourcePeer, type SourceClasses, startClassSource } from '../support/peers/class-source.ts'
import { unusedPort } from '../support/peers/listener.ts'

const DONE = 'Successfully updated environment and configclasses from the on-disk config installation'
const NOTHING = { message: 'No changes to your environments detected' }
const UNKNOWN = { message: 'The requested environment cannot be found.' }
const WEB: SourceClasses = { web: { port: { literal: 80 } } }
const DB: SourceClasses = { db: { size: { literal: 'small' } } }

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
  peer.break({})
  peer.answer(null)
  await sql`delete from hosts`.execute(api.database.db)
  await sql`delete from configclasses`.execute(api.database.db)
  await sql`delete from environments`.execute(api.database.db)
  for (const name of ['ignored_environments', 'ignored_configclasses'])
    await api.admin.put(`/api/settings/${name}`, { setting: { value: [] } })
  peer.asked.length = 0
})

/** Says it first, and then does the same. */
async function imported(body: Record<string, unknown> = {}, at = path) {
  const said = await api.admin.post(at, { ...body, dryrun: true })
  const done = await api.admin.post(at, body)
  expect(done.body).toEqual(said.body)
  expect(done.status).toBe(200)
  return done.body
}

async function environments(): Promise<string[]> {
  return (await api.admin.get('/api/environments')).body.results.map(({ name }: { name: string }) => name)
}

describe('an import', () => {
  test('does nothing while it is dry, however that is said', async () => {
    peer.hold({ e: WEB })
    for (const [sent, query] of [
      [{ dryrun: true }],
      [{ dryrun: 'true' }],
      [{ dryrun: '' }],
      [{}, '?dryrun'],
    ] as const) {
      const said = await api.admin.post(`${path}${query ?? ''}`, sent)
      expect(said.body).toMatchObject({ message: DONE, environments_with_new_configclasses: 1 })
      expect(await environments()).toEqual([])
    }
    for (const dryrun of [false, 'false']) await api.admin.post(path, { dryrun })
    expect(await environments()).toEqual(['e'])
  })

  test('leaves out what it is told to', async () => {
    peer.hold({ a: { ...WEB, ...DB }, b: WEB })
    await imported()
    peer.hold({ a: { web: { port: { literal: 81 } }, more: {} } })
    expect((await imported({ except: 'obsolete' })).results).toEqual([
      { name: 'a', actions: ['new', 'updated'], new_configclasses: ['more'], updated_configclasses: ['web'] },
    ])
    expect((await imported({ except: 'new, updated' })).results).toEqual([
      { name: 'a', actions: ['obsolete'], obsolete_configclasses: ['db'] },
      { name: 'b', actions: ['obsolete'], removed_environment: 'b' },
    ])
    peer.hold({ a: WEB, c: DB })
    expect(await imported({ except: 'new,updated,obsolete' })).toEqual(NOTHING)
    const reply = await api.admin.post(path, { except: 'old' })
    expect(reply).toMatchObject({ status: 400, body: { error: { parameter_name: 'except' } } })
  })

  test('of one environment tells of that alone, by id or name and on either path', async () => {
    peer.hold({ a: WEB, b: WEB })
    const below = path.replace('/import', '/environments/a/import')
    expect(await imported({}, below)).toEqual({
      message: DONE,
      results: { name: 'a', actions: ['new'], new_configclasses: ['web'] },
    })
    expect(await imported({}, below)).toEqual(NOTHING)
    expect(await environments()).toEqual(['a'])
    peer.hold({ a: DB, b: WEB })
    const { body } = await api.admin.get('/api/environments/a')
    const above = path.replace('/api', `/api/environments/${body.id}`)
    expect((await imported({}, above)).results).toMatchObject({ actions: ['new', 'obsolete'] })
    expect(await imported({}, path.replace('/import', '/environments/zzz/import'))).toEqual(UNKNOWN)
    expect(peer.asked.filter((asked) => asked.includes('/b/'))).toEqual([])
  })

  test('removes an environment that the source has no longer, unless somebody is in it', async () => {
    peer.hold({ a: WEB, b: WEB, c: { ...WEB, ...DB } })
    await imported()
    const { body } = await api.admin.get('/api/environments/b')
    await expectCreated(
      api.admin.post('/api/hosts', { name: 'h.example.test', environment_id: body.id, managed: false }),
    )
    peer.hold({ a: WEB })
    expect(await imported()).toEqual({
      message: DONE,
      environments_with_new_configclasses: 0,
      environments_updated_configclasses: 0,
      environments_obsolete: 2,
      environments_ignored: 0,
      results: [
        { name: 'b', actions: ['obsolete'], kept_environment: 'b' },
        { name: 'c', actions: ['obsolete'], removed_environment: 'c' },
      ],
    })
    expect(await environments()).toEqual(['a', 'b'])
    expect(await rows(api.database.db, sql`select name from configclasses`)).toEqual([{ name: 'web' }])
  })

  test('has a class that moves to another environment stay the same', async () => {
    peer.hold({ a: WEB, b: {} })
    await imported()
    const id = async () => (await row<{ id: number }>(api.database.db, sql`select id from configclasses`))?.id
    const before = await id()
    peer.hold({ a: {}, b: WEB })
    expect((await imported()).results).toMatchObject([
      { obsolete_configclasses: ['web'] },
      { new_configclasses: ['web'] },
    ])
    expect(await id()).toBe(before)
  })

  test('takes nothing for removed while files cannot be read', async () => {
    peer.hold({ a: { ...WEB, ...DB } })
    await imported()
    peer.hold({ a: { web: { port: { literal: 81 } } } })
    peer.break({ a: ['/etc/modules/db.pp'] })
    const result = {
      name: 'a',
      actions: ['updated'],
      updated_configclasses: ['web'],
      unreadable_files: ['/etc/modules/db.pp'],
    }
    expect((await imported()).results).toEqual([result])
    expect(await rows(api.database.db, sql`select from configclass_environments`)).toHaveLength(2)
    peer.break({})
    expect((await imported()).results).toMatchObject([{ obsolete_configclasses: ['db'] }])
  })

  test('leaves alone what the settings say', async () => {
    peer.hold({ a: WEB, b: { ...WEB, ...DB }, 'no-name': WEB })
    await api.admin.put('/api/settings/ignored_environments', { setting: { value: ['a'] } })
    await api.admin.put('/api/settings/ignored_configclasses', { setting: { value: ['^d'] } })
    expect(await imported()).toEqual({
      message: DONE,
      environments_with_new_configclasses: 1,
      environments_updated_configclasses: 0,
      environments_obsolete: 0,
      environments_ignored: 3,
      results: [
        { name: 'a', actions: ['ignored'], ignored_environment: 'a' },
        { name: 'b', actions: ['new', 'ignored'], new_configclasses: ['web'], ignored_configclasses: ['db'] },
        { name: 'no-name', actions: ['ignored'], ignored_environment: 'no-name' },
      ],
    })
    expect(await imported({ except: 'ignored' })).toEqual(NOTHING)
    await api.admin.put('/api/settings/ignored_configclasses', { setting: { value: ['^w'] } })
    expect((await imported({ except: 'ignored' })).results).toEqual([
      { name: 'b', actions: ['new'], new_configclasses: ['db'] },
    ])
    expect(await api.admin.put('/api/settings/ignored_configclasses', { setting: { value: ['('] } })).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining('regular expressions') } },
    })
    expect((await api.admin.post(path, {})).status).toBe(200)
  })
})

describe('a refusal', () => {
  test('says what is wrong with the source', async () => {
    peer.hold({ e: WEB })
    const failing = async (words: string) => {
      const reply = await api.admin.post(path, {})
      expect(reply.status).toBe(500)
      expect(Object.keys(reply.body)).toEqual(['message'])
      expect(reply.body.message).toContain(words)
    }
    peer.answer((_request, response) => response.writeHead(406).end('Failed to list\nenvironments'))
    await failing('answered 406 Not Acceptable')
    peer.answer((_request, response) => response.end('<html>'))
    await failing('no JSON')
    peer.answer((_request, response) => response.end('{"a": 1}'))
    await failing('something else than environments')
    peer.answer((_request, response) => response.socket?.destroy())
    await failing('connection')
    expect(await environments()).toEqual([])
  })

  test('is of one environment, and the others are imported', async () => {
    peer.hold({ a: WEB, b: 503, c: WEB })
    const reply = await api.admin.post(path, {})
    expect(reply).toMatchObject({
      status: 500,
      body: { message: expect.stringContaining('b/classes_and_errors answered 503') },
    })
    expect(await environments()).toEqual(['a', 'c'])
    const one = await api.admin.post(path.replace('/import', '/environments/b/import'), {})
    expect(one.status).toBe(500)
  })

  test('of a source without any environment keeps those that are known', async () => {
    peer.hold({ a: WEB })
    await imported()
    peer.hold({})
    const reply = await api.admin.post(path, {})
    expect(reply).toMatchObject({ status: 500, body: { message: expect.stringContaining('no environments at all') } })
    expect(await environments()).toEqual(['a'])
    expect((await imported({ force: true })).results).toMatchObject([{ removed_environment: 'a' }])
    expect(await environments()).toEqual([])
  })

  test('names the environment that could not be stored; the next import goes on', async () => {
    await sql`create function refuse_it() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(
      api.database.db,
    )
    await sql`create trigger refuse_it before insert on configclasses for each row when (new.name = 'db') execute function refuse_it()`.execute(
      api.database.db,
    )
    peer.hold({ a: WEB, b: { ...WEB, ...DB }, c: WEB })
    const reply = await api.admin.post(path, {})
    await sql`drop trigger refuse_it on configclasses`.execute(api.database.db)
    await sql`drop function refuse_it`.execute(api.database.db)
    expect(reply.status).toBe(500)
    expect(reply.body).toEqual({
      message:
        'Failed to update the environments and configclasses from the on-disk config installation: the classes of b could not be stored',
    })
    expect(await environments()).toEqual(['a'])
    expect((await imported()).results.map(({ name }: { name: string }) => name)).toEqual(['b', 'c'])
  })

  test('comes from proxies that nobody listens at', async () => {
    const url = `http://127.0.0.1:${await unusedPort()}`
    const created = await expectCreated(api.admin.post('/api/smart_proxies', { name: 'gone', url, runner: 'ssh' }))
    await sql`insert into smart_proxy_features (smart_proxy_id, feature_id, capabilities, settings)
      select ${created.id}, id, '[]', '{}' from features where name = 'Config'`.execute(api.database.db)
    const reply = await api.admin.post(`/api/smart_proxies/${created.id}/import_configclasses`, {})
    expect(reply).toMatchObject({
      status: 500,
      body: { message: expect.stringContaining('the connection is refused') },
    })
  })

  test('is for those who may not, for proxies without the feature, and for those that are not seen', async () => {
    const { id } = await expectCreated(
      api.admin.post('/api/smart_proxies', { name: 'way', url: 'http://127.0.0.1:9', runner: 'ssh' }),
    )
    expect(await api.admin.post(`/api/smart_proxies/${id}/import_configclasses`, {})).toMatchObject({
      status: 404,
      body: {
        message: 'No proxy found to import classes from, ensure that the smart proxy has the Config feature enabled.',
      },
    })
    expect(await api.admin.post('/api/smart_proxies/99999/import_configclasses', {})).toMatchObject({ status: 404 })
    const viewer = await api.can(['view_smart_proxies', 'view_environments'])
    expect(await viewer.post(path, {})).toMatchObject({
      status: 403,
      body: { error: { missing_permissions: ['import_configclasses', 'import_environments'] } },
    })
    const blind = await api.can(['import_environments'])
    expect((await blind.post(path, {})).status).toBe(403)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await api.admin.send({ method: 'POST', url: path, headers: form, payload: 'dryrun=1' })).status).toBe(415)
  })

  test('is not needed for environments of others: they are left out', async () => {
    peer.hold({ a: WEB })
    await imported()
    const { id: organization } = await expectCreated(api.admin.post('/api/organizations', { name: 'their own' }))
    const { id: location } = await expectCreated(api.admin.post('/api/locations', { name: 'their place' }))
    const proxy = path.replace('/import_configclasses', '')
    await api.admin.put(proxy, { organization_ids: [organization], location_ids: [location] })
    const caller = await api.can(['import_environments', 'view_smart_proxies', 'view_environments'], {
      organization_ids: [organization],
      location_ids: [location],
    })
    peer.hold({ a: DB, b: WEB })
    const reply = await caller.post(path, {})
    expect(reply.body.results).toEqual([{ name: 'b', actions: ['new'], new_configclasses: ['web'] }])
    peer.hold({ b: WEB })
    expect((await caller.post(path, {})).body).toEqual(NOTHING)
    await api.admin.put(proxy, { organization_ids: [], location_ids: [] })
  })
})
