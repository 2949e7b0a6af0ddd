import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type ClassSourcePeer, type SourceClasses, startClassSource } from '../support/peers/class-source.ts'

const DONE = 'Successfully updated environment and configclasses from the on-disk config installation'
const NOTHING = { message: 'No changes to your environments detected' }

let api: TestApi
let peer: ClassSourcePeer
let proxy: { readonly id: number }
beforeAll(async () => {
  api = await openTestApi()
  peer = await startClassSource()
  proxy = await expectCreated(api.admin.post('/api/smart_proxies', { name: 'config', url: peer.url }))
})
afterAll(async () => {
  await peer?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  peer.hold({})
  peer.break({})
  peer.describe(true)
  peer.answer(null)
  await sql`delete from hosts`.execute(api.database.db)
  await sql`delete from configclasses`.execute(api.database.db)
  await sql`delete from environments`.execute(api.database.db)
  peer.asked.length = 0
})

const WEB: SourceClasses = { web: { port: { type: 'Integer', literal: 80 } }, 'web::ssl': {} }

async function importing(body: Record<string, unknown> = {}, path = `/api/smart_proxies/${proxy.id}`) {
  return api.admin.post(`${path}/import_configclasses`, body)
}

/** Says it first, and then does the same. */
async function imported(body: Record<string, unknown> = {}, path?: string) {
  const said = await importing({ ...body, dryrun: true }, path)
  const done = await importing(body, path)
  expect(done.body).toEqual(said.body)
  expect(done.status).toBe(200)
  return done.body
}

async function parameter(name: string) {
  const { body } = await api.admin.get(`/api/smart_class_parameters?search=key=${name}`)
  return body.results[0]
}

describe('new classes', () => {
  test('come with their environments, and with parameters of guessed types', async () => {
    peer.hold({
      production: {
        web: {
          port: { type: 'Integer', literal: 80 },
          on: { type: 'Boolean', literal: false },
          ratio: { type: 'Float', literal: 1.5 },
          root: { literal: '/srv' },
          list: { literal: [1, 'a'] },
          map: { literal: { a: 1 } },
          none: { source: 'undef' },
          must: {},
          text: { source: '"x-$' + '{port}"' },
          fact: { source: "$facts['os']" },
          below: { type: 'Integer', source: '-5' },
        },
        'web::ssl': {},
      },
      staging: {},
    })
    expect(await imported()).toEqual({
      message: DONE,
      environments_with_new_configclasses: 1,
      environments_updated_configclasses: 0,
      environments_obsolete: 0,
      environments_ignored: 0,
      results: [{ name: 'production', actions: ['new'], new_configclasses: ['web', 'web::ssl'] }],
    })
    const { body } = await api.admin.get('/api/smart_class_parameters?per_page=all')
    const found = body.results.map((one: Record<string, unknown>) => [
      one.parameter,
      one.parameter_type,
      one.default_value,
    ])
    expect(found).toEqual([
      ['below', 'integer', -5],
      ['fact', 'string', '$' + "{facts['os']}"],
      ['list', 'array', [1, 'a']],
      ['map', 'hash', { a: 1 }],
      ['must', null, null],
      ['none', null, null],
      ['on', 'boolean', false],
      ['port', 'integer', 80],
      ['ratio', 'real', 1.5],
      ['root', 'string', '/srv'],
      ['text', 'string', '"x-$' + '{port}"'],
    ])
    expect(body.results[0]).toMatchObject({ override: false, required: false, omit: null, override_values_count: 0 })
    const environments = await api.admin.get('/api/environments')
    expect(environments.body.results.map(({ name }: { name: string }) => name)).toEqual(['production'])
    expect(await importing()).toMatchObject({ status: 200, body: NOTHING })
  })

  test('are one class in all environments, with the default of the first', async () => {
    peer.hold({ a: { web: { port: { literal: 1 } } }, b: { web: { port: { literal: 2 }, more: { literal: 3 } } } })
    expect((await imported()).results).toEqual([
      { name: 'a', actions: ['new'], new_configclasses: ['web'] },
      { name: 'b', actions: ['new'], new_configclasses: ['web'] },
    ])
    expect(await parameter('port')).toMatchObject({ default_value: 1, parameter_type: 'integer' })
    expect(await importing()).toMatchObject({ body: NOTHING })
    peer.hold({ a: { web: { port: { literal: 5 } } }, b: { web: { port: { literal: 6 }, more: { literal: 3 } } } })
    expect((await imported()).results).toMatchObject([{ name: 'a' }, { name: 'b', updated_configclasses: ['web'] }])
    expect(await parameter('port')).toMatchObject({ default_value: 6, parameter_type: null, validator_type: null })
    expect(await importing()).toMatchObject({ body: NOTHING })
    peer.hold({ a: { web: { port: { literal: 7 } } }, b: { web: { port: { literal: 7 }, more: { literal: 3 } } } })
    expect((await imported()).results).toMatchObject([{ name: 'a' }, { name: 'b', updated_configclasses: ['web'] }])
    expect(await parameter('port')).toMatchObject({ default_value: 7 })
    expect(await importing()).toMatchObject({ body: NOTHING })
  })

  test('keep numbers as they are written', async () => {
    peer.answer((request, response) => {
      const files =
        '[{"path":"a","classes":[{"name":"n","params":[{"name":"r","default_literal":2.0},{"name":"i","default_literal":9007199254740993}]}]}]'
      response.end(request.url?.endsWith('/environments') ? '["e"]' : files)
    })
    await imported()
    const reply = await api.admin.get('/api/smart_class_parameters')
    expect(reply.text).toContain('"default_value":2.0')
    expect(reply.text).toContain('"default_value":9007199254740993')
  })

  test('hide what they declare as sensitive', async () => {
    const wide = { type: 'Variant[String, Optional[Sensitive[String]]]', literal: 'abc' }
    const shown = { type: "Enum['Insensitive']", literal: 'Insensitive' }
    peer.hold({ e: { web: { secret: { type: 'Sensitive[String]', source: "Sensitive('abc')" }, wide, shown } } })
    await imported()
    expect(await parameter('wide')).toMatchObject({ 'hidden_value?': true, default_value: '*****' })
    expect(await parameter('shown')).toMatchObject({ 'hidden_value?': false })
    expect(await parameter('secret')).toMatchObject({ 'hidden_value?': true, default_value: '*****' })
    const later = { type: 'Sensitive[String]', source: "Sensitive('abc, later')" }
    peer.hold({ e: { web: { secret: { type: 'Sensitive[String]', source: "Sensitive('abc')" }, wide, shown: later } } })
    await imported()
    expect(await parameter('shown')).toMatchObject({ 'hidden_value?': true, default_value: '*****' })
    const audits = await rows<{ changes: string }>(
      api.database.db,
      sql`select audited_changes::text as changes from audits where auditable_type = 'SmartClassParameter'
        and auditable_name in ('secret', 'wide', 'shown') order by id`,
    )
    expect(audits).toHaveLength(4)
    expect(audits.map(({ changes }) => changes).join()).not.toContain('abc')
  })

  test('come from older proxies without types', async () => {
    peer.describe(false)
    peer.hold({ e: { web: { on: { literal: false }, port: { literal: 80 } } } })
    await imported()
    expect(await parameter('on')).toMatchObject({ default_value: 'false', parameter_type: 'string' })
    peer.describe(true)
    expect((await imported()).results).toMatchObject([{ updated_configclasses: ['web'] }])
    expect(await parameter('on')).toMatchObject({ default_value: false, parameter_type: null })
    await sql`update smart_class_parameters set parameter_type = 'boolean' where parameter = 'on'`.execute(
      api.database.db,
    )
    peer.describe(false)
    expect(await importing()).toMatchObject({ body: NOTHING })
    expect(await parameter('on')).toMatchObject({ default_value: false, parameter_type: 'boolean' })
  })

  test('get environments all organizations and locations of who imports', async () => {
    const { id } = await expectCreated(api.admin.post('/api/organizations', { name: 'theirs' }))
    await expectCreated(api.admin.post('/api/organizations', { name: 'others' }))
    const { id: place } = await expectCreated(api.admin.post('/api/locations', { name: 'here' }))
    await api.admin.put(`/api/smart_proxies/${proxy.id}`, { organization_ids: [id], location_ids: [place] })
    const caller = await api.can(['import_configclasses', 'view_smart_proxies', 'view_environments'], {
      organization_ids: [id],
      location_ids: [place],
    })
    peer.hold({ e: WEB })
    const reply = await caller.post(`/api/smart_proxies/${proxy.id}/import_configclasses`, {})
    expect(reply.body.results).toMatchObject([{ name: 'e', actions: ['new'] }])
    const { body } = await api.admin.get('/api/environments/e')
    expect(body.organizations.map(({ name }: { name: string }) => name)).toEqual(['theirs'])
    expect(body.locations.map(({ name }: { name: string }) => name)).toEqual(['here'])
    await api.admin.put(`/api/smart_proxies/${proxy.id}`, { organization_ids: [], location_ids: [] })
  })
})

describe('what operators have set', () => {
  async function managed() {
    peer.hold({ e: { web: { port: { literal: 80 }, user: { literal: 'www' } }, old: { x: { literal: 1 } } } })
    await imported()
    const { id } = await parameter('port')
    const set = { override: true, parameter_type: 'integer', default_value: 8080, description: 'ours' }
    expect(await api.admin.put(`/api/smart_class_parameters/${id}`, { smart_class_parameter: set })).toMatchObject({
      status: 200,
    })
    return id
  }

  test('stays when the manifest says something else, without being reported', async () => {
    await managed()
    peer.hold({ e: { web: { port: { literal: 81 }, user: { literal: 'nobody' } }, old: { x: { literal: 1 } } } })
    expect((await imported()).results).toEqual([{ name: 'e', actions: ['updated'], updated_configclasses: ['web'] }])
    expect(await parameter('port')).toMatchObject({ default_value: 8080, override: true, description: 'ours' })
    expect(await parameter('user')).toMatchObject({ default_value: 'nobody' })
  })

  test('stays, and is reported, when the class has the parameter no longer', async () => {
    const id = await managed()
    peer.hold({ e: { web: { user: { literal: 'www' } }, old: {} } })
    expect((await imported()).results).toEqual([
      { name: 'e', actions: ['updated'], updated_configclasses: ['old', 'web'], kept_parameters: ['web::port'] },
    ])
    expect(await importing()).toMatchObject({ body: NOTHING })
    const kept = await row<{ default_value: number }>(
      api.database.db,
      sql`select * from smart_class_parameters where id = ${id}`,
    )
    expect(kept).toMatchObject({ default_value: 8080, override: true })
    expect(await parameter('x')).toBe(undefined)
    peer.hold({ e: { web: { port: { literal: 80 }, user: { literal: 'www' } }, old: {} } })
    expect((await imported()).results).toMatchObject([{ actions: ['updated'] }])
    expect(await parameter('port')).toMatchObject({ id, default_value: 8080, override: true })
  })

  test('stays with a class that is gone, and with hosts that were given it', async () => {
    await managed()
    const environment = await api.admin.get('/api/environments/e')
    const { body } = await api.admin.get('/api/configclasses?style=list')
    const ids = body.results.map(({ id }: { id: number }) => id)
    const host = await expectCreated(
      api.admin.post('/api/hosts', {
        name: 'h.example.test',
        environment_id: environment.body.id,
        configclass_ids: ids,
        managed: false,
      }),
    )
    peer.hold({ e: { other: {} } })
    expect((await imported()).results).toEqual([
      {
        name: 'e',
        actions: ['new', 'obsolete'],
        new_configclasses: ['other'],
        obsolete_configclasses: ['old', 'web'],
        kept_configclasses: ['old', 'web'],
        kept_parameters: ['web::port'],
      },
    ])
    expect(await importing()).toMatchObject({ body: NOTHING })
    const given = await rows(api.database.db, sql`select from host_configclasses where host_id = ${host.id}`)
    expect(given).toHaveLength(2)
    expect((await api.admin.get(`/api/hosts/${host.id}`)).body.all_configclasses).toEqual([])
  })

  test('goes when that is asked for', async () => {
    await managed()
    const environment = await api.admin.get('/api/environments/e')
    const { body } = await api.admin.get('/api/configclasses?style=list')
    const ids = body.results.map(({ id }: { id: number }) => id)
    const { id } = await expectCreated(
      api.admin.post('/api/hosts', {
        name: 'h.example.test',
        environment_id: environment.body.id,
        configclass_ids: ids,
        managed: false,
      }),
    )
    peer.hold({ e: { other: {} } })
    expect((await imported({ force: true })).results).toMatchObject([{ obsolete_configclasses: ['old', 'web'] }])
    const search = encodeURIComponent(`type = host and auditable_id = ${id} and action = update`)
    const audits = (await api.admin.get(`/api/audits?search=${search}`)).body.results
    expect(audits).toMatchObject([
      {
        auditable_name: 'h.example.test',
        audited_changes: { configclass_ids: [ids.toSorted((a: number, b: number) => a - b), []] },
      },
    ])
    expect(await rows(api.database.db, sql`select name from configclasses`)).toEqual([{ name: 'other' }])
    expect(await rows(api.database.db, sql`select from smart_class_parameters`)).toEqual([])
  })

  test('is the default of the manifest again once it is not managed any more', async () => {
    const id = await managed()
    expect(await importing()).toMatchObject({ body: NOTHING })
    await api.admin.put(`/api/smart_class_parameters/${id}`, { smart_class_parameter: { override: false } })
    expect((await imported()).results).toMatchObject([{ updated_configclasses: ['web'] }])
    expect(await parameter('port')).toMatchObject({ default_value: 80 })
    expect(await importing()).toMatchObject({ body: NOTHING })
  })
})
