import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assembleResources } from '../../src/areas/index.ts'
import { row } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openBothListeners } from '../dialect/support.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import {
  ASKED_BY_ORGANIZATION,
  given,
  leastBody,
  pathFor,
  resourceNamed,
  type Shown,
  wrapped,
} from '../support/given.ts'
import { names, turns } from './subjects.ts'

// If-Match and If-Unmodified-Since: a write to a record depends on what GET of its path gives this caller (RFC 9110 13.1,
// docs/decisions/0022-conditions-on-writes.md).

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  await api.admin.put('/api/settings/configrun', { setting: { value: true } })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const OTHER = '"other"'
const FUTURE = 'Fri, 01 Jan 2100 00:00:00 GMT'
const PAST = 'Thu, 01 Jan 2015 00:00:00 GMT'

const shown = turns('show').filter((name) => names('create').includes(name))
const writesOf = (name: string) =>
  (['update', 'delete'] as const).filter((operation) => resourceNamed(name).operations.includes(operation))

describe.each(shown.filter((name) => writesOf(name).length > 0))('%s', (name) => {
  const writes = writesOf(name)

  test('is written only as it was read', async () => {
    const [base, record] = await made(name)
    const path = `${base}/${record.id}${ASKED_BY_ORGANIZATION.has(name) ? '?organization_id=1' : ''}`
    const { headers, text: before } = await api.admin.get(path)
    const etag = String(headers.etag)
    const audits = await auditCount()
    for (const operation of writes) {
      const write = (sent: Record<string, string>) =>
        operation === 'update' ? api.admin.put(path, {}, sent) : api.admin.delete(path, undefined, sent)
      const refusing: Record<string, string>[] = [
        { 'if-match': OTHER },
        { 'if-match': `W/${etag}` },
        { 'if-match': `${OTHER}, W/${etag}` },
        { 'if-unmodified-since': PAST },
        { 'if-none-match': '*' },
        { 'if-none-match': `W/${etag}` },
      ]
      for (const refused of refusing) {
        const { status, headers, body } = await write(refused)
        expect([status, headers.etag], `${operation} ${JSON.stringify(refused)} ${JSON.stringify(body)}`).toEqual([
          412,
          etag,
        ])
      }
      for (const [header, value] of [
        ['if-match', 'other'],
        ['if-match', ''],
        ['if-match', '"a" "b"'],
        ['if-match', '*, "a"'],
        ['if-none-match', 'x"'],
        ['if-unmodified-since', 'yesterday'],
        ['if-unmodified-since', '2026-03-31T14:25:36Z'],
      ] as const)
        expect((await write({ [header]: value })).status, `${operation} ${header}: ${value}`).toBe(400)
      expect((await api.admin.get(path)).text).toBe(before)
    }
    expect(await auditCount()).toBe(audits)
    if (writes.includes('update')) {
      const accepting: Record<string, string>[] = [
        { 'if-match': etag },
        { 'if-match': '*' },
        { 'if-match': `${OTHER} , ${etag},` },
        { 'if-unmodified-since': FUTURE },
        { 'if-match': etag, 'if-unmodified-since': PAST },
        { 'if-none-match': OTHER },
      ]
      for (const accepted of accepting) {
        const { status, text } = await api.admin.put(path, {}, accepted)
        expect(status, `${JSON.stringify(accepted)} ${text}`).toBeLessThan(300)
      }
    }
    if (writes.includes('delete'))
      expect((await api.admin.delete(path, undefined, { 'if-match': etag })).status).toBeLessThan(300)
  })
})

test('every action on a record is held to it', async () => {
  const actions = api.routes.filter(
    ({ method, path, resource, id }) =>
      method !== 'GET' &&
      shown.includes(resource ?? '') &&
      path.startsWith(`${resourceNamed(resource ?? '').path}/:id`) &&
      !/\.(?:update|delete)$/.test(id),
  )
  expect(actions.length).toBeGreaterThan(20)
  for (const { method, path, id, resource = '' } of actions) {
    const [base, record] = await made(resource)
    const url = path
      .replace(`${resourceNamed(resource).path}/:id`, `${base}/${record.id}`)
      .replace('/:type', '/build')
      .replace(/:\w+/g, '1')
    const audits = await auditCount()
    const headers = { 'content-type': 'application/json', 'if-match': OTHER }
    const { status } = await api.admin.send({ method, url, headers, payload: '{}' })
    expect(status, `${method} ${id}`).toBe(412)
    expect(await auditCount(), id).toBe(audits)
  }
})

test('where there is no record, a tag is refused and If-None-Match has nothing to say', async () => {
  for (const url of ['/api/architectures', '/api/batch']) {
    const conditions: Record<string, string>[] = [{ 'if-match': '*' }, { 'if-unmodified-since': FUTURE }]
    for (const sent of conditions)
      expect((await api.admin.post(url, { name: 'x', operations: [] }, sent)).status).toBe(400)
  }
  expect((await api.admin.delete('/api/hosts/bulk', { search: 'name = x' }, { 'if-match': '*' })).status).toBe(400)
  const created = await api.admin.post('/api/architectures', { name: 'arm' }, { 'if-none-match': '*' })
  expect(created.status).toBe(201)
})

test('the record is compared as this caller sees it, and who may not see it learns nothing', async () => {
  const host = await given(api.admin, 'architecture')
  const path = `/api/architectures/${host.id}`
  const editor = await api.can(['edit_architectures'])
  const reader = await api.can(['view_architectures'])
  const nowhere = await api.can(['view_architectures', 'edit_architectures'], { search: 'name = none' })
  const etag = String((await api.admin.get(path)).headers.etag)
  const tried = async (caller: Caller, tag: string) => {
    const { status, headers } = await caller.put(path, { name: 'taken' }, { 'if-match': tag })
    return [status, headers.etag]
  }
  for (const tag of [etag, OTHER]) {
    expect(await tried(editor, tag)).toEqual([403, undefined])
    expect(await tried(reader, tag)).toEqual([403, undefined])
    expect(await tried(nowhere, tag)).toEqual([404, undefined])
  }
  expect((await api.admin.put('/api/architectures/999999', {}, { 'if-match': OTHER })).status).toBe(404)
  expect((await api.admin.get(path)).headers.etag).toBe(etag)
})

test.each(['architecture', 'host', 'hostgroup', 'user', 'product'])(
  '%s: of two writers with one tag, one wins',
  async (name) => {
    const resource = resourceNamed(name)
    for (let round = 0; round < 5; round++) {
      const { id } = await given(api.admin, name)
      const path = `${resource.path}/${id}`
      const etag = String((await api.admin.get(path)).headers.etag)
      const write = (word: string) => {
        const body = name === 'user' ? { firstname: word, password: `long enough ${word}` } : CHANGES[name]?.(word)
        return api.admin.put(path, { [resource.word]: body }, { 'if-match': etag })
      }
      const answers = await Promise.all([write('one'), write('two')])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
      const lost = answers.find(({ status }) => status === 412)
      expect(lost?.headers.etag).toBe((await api.admin.get(path)).headers.etag)
    }
  },
)

let changes = 0
const CHANGES: Readonly<Record<string, (word: string) => object>> = {
  architecture: (word) => ({ name: `${word}${++changes}` }),
  host: (word) => ({ comment: word }),
  hostgroup: (word) => ({ description: word }),
  product: (word) => ({ description: word }),
}

describe('counts', () => {
  test('of others do not stand in the way of a write, and still are seen', async () => {
    const place = await given(api.admin, 'location')
    const path = `/api/locations/${place.id}`
    const before = await api.admin.get(path)
    await sql`insert into hosts (name, managed, location_id) values ('counted', false, ${place.id})`.execute(
      api.database.db,
    )
    const tag = String(before.headers.etag)
    const after = await api.admin.get(path, { 'if-none-match': tag })
    expect(after.status).toBe(200)
    expect(after.body.hosts_count).toBe(before.body.hosts_count + 1)
    expect(after.headers.etag).not.toBe(tag)
    expect((await api.admin.put(path, { description: 'changed' }, { 'if-match': tag })).status).toBe(200)
    expect((await api.admin.put(path, { description: 'again' }, { 'if-match': tag })).status).toBe(412)
  })

  test('are what nobody writes', () => {
    const keys = [...assembleResources().values()].flatMap(({ name, writable }) =>
      Object.keys(writable).map((key) => `${name}.${key}`),
    )
    expect(keys.filter((key) => /(?:^|_)counts?$/.test(key))).toEqual([])
  })
})

test('smart class parameters and settings, which are written by actions of their own', async () => {
  const { id } = await importedParameter(api)
  const { body } = await api.admin.get('/api/settings/configrun_wait')
  for (const path of [`/api/smart_class_parameters/${id}`, `/api/settings/${body.id}`]) {
    const etag = String((await api.admin.get(path)).headers.etag)
    expect((await api.admin.put(path, {}, { 'if-match': OTHER })).status).toBe(412)
    expect((await api.admin.put(path, {}, { 'if-match': etag })).status).not.toBe(412)
  }
})

test('on the port of existing clients: the tag of that port counts', async () => {
  await using both = await openBothListeners()
  const { body } = await both.ours.post('/api/architectures', { name: 'shared' })
  const path = `/api/architectures/${body.id}`
  const etag = String((await both.theirs.get(path)).headers.etag)
  const refused = await both.theirs.put(path, { name: 'other' }, { 'if-match': OTHER })
  expect([refused.status, refused.headers.etag]).toEqual([412, etag])
  expect((await both.theirs.put(path, { name: 'new' }, { 'if-match': etag })).status).toBe(200)
  expect((await both.theirs.delete(path, undefined, { 'if-match': etag })).status).toBe(412)
})

/** Creates a record and yields the path of its resource, and the record. */
async function made(name: string): Promise<[string, Shown]> {
  const resource = resourceNamed(name)
  if (!resource.nestedOnly) return [resource.path, await given(api.admin, name)]
  const path = await pathFor(api.admin, resource)
  const { body } = await api.admin.post(path, wrapped(resource, await leastBody(api.admin, name)))
  return [path, body]
}

async function auditCount(): Promise<number> {
  const found = await row<{ count: number }>(api.database.db, sql`select count(*) as count from audits`)
  return found?.count ?? -1
}
