import { generateKeyPairSync } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { row, rows } from '../../src/database/sql.ts'
import { permissionOf } from '../../src/kernel/authorize.ts'
import type { BoundField, Resource } from '../../src/kernel/definition.ts'
import type { Stored } from '../../src/kernel/index.ts'
import { sql } from '../../src/sql.ts'
import { basic, type Caller, expectCreated, type Reply } from '../support/api.ts'
import {
  type Body,
  given,
  leastBody,
  pathBelow,
  pathFor,
  pathOf,
  resourceNamed,
  type Shown,
  segmentOf,
  wrapped,
} from '../support/given.ts'
import { names, turns } from './subjects.ts'
import { acceptable, bodies, requiredKeys, SHOWN_AS_NULL, shownValue, unused, written } from './values.ts'
import { openWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
})
afterAll(() => world?.api[Symbol.asyncDispose]())

describe.each(turns('create'))('%s', (name) => {
  const resource = resourceNamed(name)

  test('a create leaves one audit with all values', async () => {
    const path = await pathFor(world.api.admin, resource)
    const before = await count(resource)
    const created = await create(resource, path)
    expect(await count(resource)).toBe(before + 1)
    const audit = await lastAudit(resource)
    expect(audit).toMatchObject({
      action: 'create',
      auditable_type: resource.type,
      auditable_id: created.id,
      auditable_name: await nameOf(resource, created.id),
      version: 1,
      user_name: 'Admin User',
      remote_address: '127.0.0.1',
      request_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(Object.keys(audit.audited_changes).sort()).toEqual(audited(resource).map(auditName).sort())
    for (const placed of audited(resource)) {
      const value = audit.audited_changes[auditName(placed)]
      if (placed.field.secret) expect(['[redacted]', null]).toContain(value)
      else
        expect([placed.name, comparable(placed, value)]).toEqual([
          placed.name,
          shownValue(resource, placed, created) ?? comparable(placed, value),
        ])
    }
  })

  test('a refused create leaves none', async () => {
    const path = await pathFor(world.api.admin, resource)
    const before = await count(resource)
    if (requiredKeys(resource).length > 0)
      expect((await world.api.admin.post(path, wrapped(resource, {}))).status).toBe(422)
    const least = await leastBody(world.api.admin, name)
    const made = await count(resource)
    for (const [key, value] of wrongValues(resource))
      expect((await world.api.admin.post(path, wrapped(resource, { ...least, [key]: value }))).status).toBe(422)
    expect(await count(resource)).toBe(made)
    expect(made).toBeGreaterThanOrEqual(before)
  })
})

describe.each(turns('update'))('%s', (name) => {
  const resource = resourceNamed(name)
  const path = pathOf(resource)

  test('an update leaves one audit with the old and the new values of what changed', async () => {
    const { id } = await create(resource, path)
    const property = fc.asyncProperty(bodies(resource, world.pool, { partial: true }), async (any) => {
      const audits = await count(resource)
      const { body: before } = await world.api.admin.get(`${path}/${segmentOf(resource, id)}`)
      const body: Record<string, unknown> = { ...acceptable(resource, any, before) }
      // A secret cannot be read, so that nobody could tell whether clearing it changes anything.
      for (const { field, key } of written(resource)) if (field.secret && !body[key]) delete body[key]
      const {
        status,
        body: after,
        text,
      } = await world.api.admin.put(`${path}/${segmentOf(resource, id)}`, wrapped(resource, body))
      expect(status, text).toBe(200)
      const changed = audited(resource).filter(
        (placed) =>
          !COMPUTED.has(`${name}.${placed.name}`) &&
          !same(shownValue(resource, placed, before), shownValue(resource, placed, after)),
      )
      const secrets = written(resource).filter(({ field, column, key }) => field.secret && column && body[key])
      expect(await count(resource)).toBe(audits + (changed.length + secrets.length > 0 ? 1 : 0))
      if (changed.length + secrets.length > 0) {
        const audit = await lastAudit(resource)
        expect(audit).toMatchObject({ action: 'update', auditable_type: resource.type, auditable_id: after.id })
        const values = changed.map((placed) => [
          auditName(placed),
          [shownValue(resource, placed, before), shownValue(resource, placed, after)],
        ])
        const masked = secrets.map((placed) => [
          auditName(placed),
          [expect.toBeOneOf([null, '[redacted]']), '[redacted]'],
        ])
        expect(comparableChanges(resource, audit.audited_changes)).toEqual(Object.fromEntries([...values, ...masked]))
      }
    })
    await fc.assert(property, { numRuns: 10 })
  })

  test('each of its versions is shown later as it was read at the time', async () => {
    const { admin } = world.api
    const created = await create(resource, path)
    const [record, list] = [`${path}/${segmentOf(resource, created.id)}`, pathOf(resource)]
    const versions: { at: string; shown: Shown; listed: Shown }[] = []
    for (const any of [{}, ...fc.sample(bodies(resource, world.pool, { partial: true }), 3)]) {
      const { body: before } = await admin.get(record)
      const changed = await admin.put(record, wrapped(resource, acceptable(resource, any, before)))
      expect(changed.status, changed.text).toBe(200)
      const { body: shown } = await admin.get(record)
      const listed = findListed(await admin.get(`${list}?per_page=all`), created.id)
      const clock = await row<{ at: string }>(world.api.database.db, sql`select clock_timestamp()::text as at`)
      await setTimeout(2) // the next change is in another millisecond
      versions.push({ at: encodeURIComponent(new Date(clock?.at ?? '').toISOString()), shown, listed })
    }
    // A change may have linked it to a record that needs it, such as a class to a host group.
    if (resource.operations.includes('delete') && !DELETED_LATER.has(name))
      expect([200, 409, 422]).toContain((await admin.delete(record)).status)
    for (const { at, shown, listed } of versions) {
      const one = await admin.get(`${path}/${created.id}?as_of=${at}`)
      expect(one.status, one.text).toBe(200)
      expectPast(one.body, shown)
      const page = await admin.get(`${list}?as_of=${at}&per_page=all`)
      if (name === 'configclass')
        expect(page.status).toBe(422) // its list is an object by module
      else expectPast(findListed(page, created.id), listed)
    }
  })

  function findListed({ body: { results } }: Reply, id: number) {
    return Array.isArray(results) ? results.find((one) => one.id === id) : undefined
  }

  function expectPast({ unknown, ...past }: Shown, shown: Shown) {
    expect(Object.keys(past)).toEqual(Object.keys(shown))
    const known = Object.keys(past).filter((key) => !unknown.includes(key))
    for (const key of known) expect.soft([key, past[key]]).toEqual([key, shown[key]])
    for (const key of ['name', 'value', 'location_ids']) if (key in shown) expect(known).toContain(key)
  }

  test('a refused update leaves none', async () => {
    const record = await given(world.api.admin, name)
    const before = await count(resource)
    for (const [key, value] of wrongValues(resource)) {
      expect(
        (await world.api.admin.put(`${path}/${segmentOf(resource, record.id)}`, wrapped(resource, { [key]: value })))
          .status,
      ).toBe(422)
    }
    expect(await count(resource)).toBe(before)
  })
})

/** Fields that the database computes from values in the audit. */
const COMPUTED = new Set(['operatingsystem.title', 'host_collection.total_hosts'])

describe.each(turns('delete'))('%s', (name) => {
  const resource = resourceNamed(name)

  test('a delete leaves one audit with the last values, and the history stays', async () => {
    const path = pathOf(resource)
    const created = await create(resource, path)
    const made = await lastAudit(resource)
    const before = await count(resource)
    expect((await world.api.admin.delete(`${path}/${segmentOf(resource, created.id)}`)).status).toBe(200)
    expect(await count(resource)).toBe(before + 1)
    const audit = await lastAudit(resource)
    expect(audit).toMatchObject({
      action: 'destroy',
      auditable_type: resource.type,
      auditable_id: created.id,
      auditable_name: made.auditable_name,
      version: 2,
    })
    expect(audit.audited_changes).toEqual(made.audited_changes)
    expect((await world.api.admin.delete(`${path}/${segmentOf(resource, created.id)}`)).status).toBe(404)
    expect(await count(resource)).toBe(before + 1)
  })
})

// Who may not see a record learns from its audits who did something to one of its kind, and when; and nothing by searching.
describe.each(turns('create').filter((name) => resourceNamed(name).operations.includes('show')))('%s', (name) => {
  const resource = resourceNamed(name)

  test('its audits tell the changes to those who may see it, and to nobody else', async () => {
    const { admin } = world.api
    const { path, own } = await placeWithin(resource)
    const [one, other] = [await createOwn(resource, path, own), await createOwn(resource, path, own)]
    const readers: Readonly<Record<string, Reader>> = {
      nobody: await readerOf([]),
      everybody: await readerOf(await viewPermissions()),
      // Conditions on a part are about its whole.
      ...(!resource.partOf && {
        some: await world.limited([permissionOf(resource, 'view')], `id = ${one.id}`, [
          'view_audit_logs',
          ...(resource.nestedOnly ? [`view_${resourceNamed(parentOf(resource)).permission}`] : []),
        ]),
      }),
    }
    const seen: Record<string, boolean[]> = {}
    for (const [called, reader] of Object.entries(readers)) {
      seen[called] = []
      for (const record of called === 'some' ? [one, other] : [other]) {
        const { status } = await reader.get(`${path}/${segmentOf(resource, record.id)}`)
        seen[called].push(status === 200)
        const told = { called, reader, resource, ...record }
        // The vendor port answers with the same lists.
        await expectTold(told, status === 200, called === 'some' ? world.api.asVendor(reader) : reader)
      }
    }
    const isPublic = name === 'bookmark'
    const isOwned = name === 'webhook' // and not by these readers
    expect(seen).toEqual({
      nobody: [isPublic],
      everybody: [!isOwned],
      ...(readers.some && { some: [!isOwned, isPublic] }),
    })
    if (!resource.operations.includes('delete') || DELETED_LATER.has(name)) return
    expect((await admin.delete(`${path}/${segmentOf(resource, other.id)}`)).status).toBe(200)
    for (const [called, reader] of Object.entries(readers))
      for (const { id } of other.audits) {
        const could = called === 'everybody' && !UNKNOWN_ONCE_GONE.has(name)
        expect([called, tellsOf((await reader.get(`/api/audits/${id}`)).body)]).toEqual([called, could])
      }
  })
})

/** Tasks delete them. */
const DELETED_LATER = new Set(['content_view', 'product'])
/** Nothing tells who saw them: members of a place, owners of a bookmark or a webhook. */
const UNKNOWN_ONCE_GONE = new Set(['organization', 'location', 'bookmark', 'webhook'])

type Reader = Caller & { readonly authorization: string }

interface Told {
  readonly called: string
  readonly reader: Reader
  readonly resource: Resource
  readonly id: number
  readonly audits: readonly Shown[]
}

/** Expects that a reader is told by the audits of a record what was changed, or not; nor by searching them. */
async function expectTold(
  { called, reader, resource, audits }: Told,
  told: boolean,
  port: Caller = reader,
): Promise<void> {
  for (const { id, auditable_id, auditable_name, audited_changes, user_name, action } of audits) {
    const { body } = await port.get(`/api/audits/${id}`)
    expect([called, tellsOf(body)]).toEqual([called, told])
    expect(body).toMatchObject({ user_name, action })
    const parts = [`auditable_id = ${auditable_id}`, `changes ~ ${Object.keys(audited_changes)[0]}`]
    if (auditable_name) parts.push(`auditable = ${JSON.stringify(auditable_name)}`)
    const search = `(${parts.join(' or ')})`
    for (const [asked, expected] of [
      [search, told],
      [`not ${search}`, !told],
    ] as const) {
      const found = await listAudits(port, `type = ${resource.name} and id = ${id} and ${asked}`)
      expect([called, asked, found.map(tellsOf)]).toEqual([called, asked, expected ? [told] : []])
    }
  }
}

function tellsOf({ auditable_id, auditable_name, audited_changes, comment }: Shown): boolean {
  return auditable_id !== null || auditable_name !== null || comment !== null || Object.keys(audited_changes).length > 0
}

async function listAudits(caller: Caller, search: string): Promise<Shown[]> {
  const { status, body, text } = await caller.get(`/api/audits?per_page=50&search=${encodeURIComponent(search)}`)
  expect(status, text).toBe(200)
  return body.results
}

/** Yields a path, and keys of a record there, that put it where limited callers see it. */
async function placeWithin(resource: Resource): Promise<{ path: string; own: Body }> {
  const { admin } = world.api
  const own = { ...world.inside(resource) }
  const { compute_resource: seenWith } = resource.fields
  if (seenWith)
    own.compute_resource_id = (
      await given(admin, 'compute_resource', world.inside(resourceNamed('compute_resource')))
    ).id
  if (!resource.nestedOnly) return { path: pathOf(resource, world.organization), own }
  const parent = parentOf(resource)
  const { id } = await given(admin, parent, world.inside(resourceNamed(parent)))
  return { path: pathBelow(parent, id, resource), own }
}

function parentOf({ parents }: Resource): string {
  return 'host' in parents ? 'host' : (Object.keys(parents)[0] ?? '')
}

/** Creates a record and yields its id with the audits about it. */
async function createOwn(resource: Resource, path: string, own: Body) {
  const { admin } = world.api
  const body = { ...(await leastBody(admin, resource.name, own)), ...own }
  const { id } = await expectCreated(admin.post(path, wrapped(resource, body)))
  return { id: Number(id), audits: await listAudits(admin, `type = ${resource.name} and auditable_id = ${id}`) }
}

/** Yields a reader of audits with these permissions, made once for each set of them. */
function readerOf(permissions: readonly string[]): Promise<Reader> {
  const key = permissions.toSorted().join()
  const reader = readers.get(key) ?? world.limited(['view_audit_logs', ...permissions])
  readers.set(key, reader)
  return reader
}

const readers = new Map<string, Promise<Reader>>()

async function viewPermissions(): Promise<string[]> {
  const { body } = await world.api.admin.get('/api/permissions?per_page=all')
  const found: string[] = body.results.map(({ name }: Shown) => name)
  return found.filter((name) => name.startsWith('view_') && name !== 'view_audit_logs')
}

test('no secret is ever told or kept as it was sent', async () => {
  const secrets = ['Geheimnis-äöü-4711', 'another-Secret-0815']
  const heard: string[] = []
  const admin = listening(world.api.admin, heard)
  const withSecret = names('create').flatMap((name) =>
    written(resourceNamed(name)).flatMap(({ field, key }) => (field.secret ? [`${name}.${key}`] : [])),
  )
  expect(withSecret.sort()).toEqual(
    [
      ...STORED_SECRETS,
      'auth_source_ldap.account_password',
      'user.password',
      'user.current_password',
      'webhook.http_headers',
    ].sort(),
  )
  const keys = [privateKey(), privateKey()]
  for (const field of STORED_SECRETS) {
    const [name = '', key = ''] = field.split('.')
    const [first, second] = key === 'ssh_key' ? keys : secrets
    const path = await pathFor(admin, resourceNamed(name))
    const { id } = await expectCreated(
      admin.post(path, wrapped(resourceNamed(name), { ...(await leastBody(admin, name)), [key]: first })),
    )
    expect((await admin.put(`${path}/${id}`, wrapped(resourceNamed(name), { [key]: second }))).status).toBe(200)
    expect(
      (await admin.put(`${path}/${id}`, wrapped(resourceNamed(name), { [key]: second, name: ['wrong'] }))).status,
    ).toBe(422)
    await admin.get(`${path}/${id}`)
  }

  await given(admin, 'webhook', { http_headers: JSON.stringify({ 'x-key': secrets[1] }) })
  const hidden = await plantHiddenParameters(admin)

  const source = await given(admin, 'auth_source_ldap', { host: 'ldap.example.test', account_password: secrets[0] })
  await admin.put(`/api/auth_source_ldaps/${source.id}`, { auth_source_ldap: { account_password: secrets[1] } })
  await admin.put(`/api/auth_source_ldaps/${source.id}`, {
    auth_source_ldap: { account_password: secrets[1], port: 'x' },
  })

  const least = await leastBody(admin, 'user')
  const user = await given(admin, 'user', { ...least, password: secrets[0] })
  await admin.put(`/api/users/${user.id}-`, { user: { password: secrets[1], firstname: 'x' } })
  await admin.put(`/api/users/${user.id}-`, { user: { password: secrets[1], firstname: ['wrong'] } })
  await admin.post('/api/users', { user: { ...least, password: secrets[0], auth_source_id: 999_999 } })
  const caller = listening(world.api.as({ authorization: basic(String(user.login), secrets[1] ?? '') }), heard)
  expect((await caller.get('/api/current_user')).status).toBe(200)
  await listening(world.api.as({ authorization: basic(String(user.login), secrets[0] ?? '') }), heard).get('/api/users')

  const made = await world.api.admin.post(`/api/users/${user.id}/personal_access_tokens`, { name: 'mine' })
  const token: string = made.body.token_value
  expect(token.length).toBeGreaterThan(20)
  const holder = listening(world.api.as({ authorization: `Bearer ${token}` }), heard)
  expect((await holder.get(`/api/users/${user.id}/personal_access_tokens`)).body.total).toBe(1)
  await admin.delete(`/api/users/${user.id}/personal_access_tokens/${made.body.id}`)
  expect((await holder.get('/api/current_user')).status).toBe(401)

  for (const path of names('list')
    .map((name) => resourceNamed(name))
    .filter(({ nestedOnly }) => !nestedOnly)) {
    await admin.get(`${path.path}?per_page=all`)
    await admin.get(`${path.path}/auto_complete_search?search=${encodeURIComponent('password = ')}`)
  }
  await admin.delete(`/api/users/${user.id}-`)

  const [hash] = await rows<{ password: string }>(
    world.api.database.db,
    sql`select password from users where password is not null limit 1`,
  )
  expect(hash?.password).toMatch(/^\$argon2id\$/)
  const told = heard.join('\n')
  const kept = await everythingAsText()
  for (const secret of [...secrets, token, ...keys.map(bodyOf)]) {
    expect(told).not.toContain(secret)
    expect(kept).not.toContain(secret)
    expect(kept).not.toContain(Buffer.from(secret).toString('hex'))
    expect(kept).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''))
  }
  expect(told, 'hidden values that nobody asked for').not.toContain(hidden)
  expect(told).not.toContain('$argon2')
  expect(told).not.toContain('$6$')
})

/** Secrets that are stored encrypted or hashed and are not used to log in. */
const STORED_SECRETS = [
  'webhook.http_password',
  'smart_proxy.ssh_key',
  'http_proxy.password',
  'hostgroup.root_pass',
  'host.root_pass',
  'host.otp',
  'interface.password',
  'auth_source_oidc.client_secret',
]

/** Plants a hidden parameter wherever records have parameters, and answers the text that all have in their values. */
async function plantHiddenParameters(caller: Caller): Promise<string> {
  const hidden = (name: string) => ({ name, value: `hidden-Mark-4711-${name}`, hidden_value: true })
  await given(caller, 'common_parameter', hidden('planted_global'))
  const lists = names('create').flatMap((name) =>
    written(resourceNamed(name)).flatMap(({ key }) => (key.endsWith('_parameters_attributes') ? [{ name, key }] : [])),
  )
  expect(lists.length).toBeGreaterThan(4)
  for (const { name, key } of lists) await given(caller, name, { [key]: [hidden(`planted_${name}`)] })
  return 'hidden-Mark-4711'
}

function privateKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Yields the secret part of a PEM text. */
function bodyOf(pem: string): string {
  return pem.split('\n')[1] ?? ''
}

/** Wraps a caller so that all its answers, headers included, are recorded. */
function listening(caller: Caller, heard: string[]): Caller {
  const hear = async (reply: Promise<Reply>) => {
    const { headers, text } = await reply
    heard.push(JSON.stringify(headers), text)
    return reply
  }
  return {
    get: (...call) => hear(caller.get(...call)),
    post: (...call) => hear(caller.post(...call)),
    put: (...call) => hear(caller.put(...call)),
    delete: (...call) => hear(caller.delete(...call)),
    send: (...call) => hear(caller.send(...call)),
  }
}

/** Yields every row of every table as text. */
async function everythingAsText(): Promise<string> {
  const { db } = world.api.database
  const tables = await rows<{ name: string }>(
    db,
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  )
  const texts = await Promise.all(
    tables.map(({ name }) =>
      row<{ text: string | null }>(db, sql`select string_agg(t::text, chr(10)) as text from ${sql.table(name)} t`),
    ),
  )
  return texts.map((found) => found?.text ?? '').join('\n')
}

async function create(resource: Resource, path: string): Promise<Shown> {
  const [any = {}] = fc.sample(bodies(resource, world.pool), 1)
  const body: Body = unused(resource, acceptable(resource, any))
  const { status, body: created, text } = await world.api.admin.post(path, wrapped(resource, body))
  if (status !== 201) throw new Error(`${JSON.stringify(body)} was refused: ${text}`)
  return created
}

/** Lists a value of a wrong type for each key that has one. */
function wrongValues(resource: Resource): [string, unknown][] {
  // Any value is valid for a JSON field.
  const typed = written(resource).filter(({ field }) => field.kind !== 'json')
  return typed.map(({ key }) => [key, { wrong: ['type'] }])
}

/** Counts the audits of one kind of record, because its parts may have further ones. */
async function count({ type }: Resource): Promise<number> {
  const found = await row<{ count: number }>(
    world.api.database.db,
    sql`select count(*) as count from audits where auditable_type = ${type}`,
  )
  return found?.count ?? 0
}

async function lastAudit({ type }: Resource): Promise<Shown> {
  const { body } = await world.api.admin.get('/api/audits?per_page=20')
  return body.results.find(({ auditable_type }: Shown) => auditable_type === type)
}

async function nameOf(resource: Resource, id: number): Promise<string | null> {
  const stored = await row<Stored>(
    world.api.database.db,
    sql`select * from ${sql.table(resource.table)} where id = ${id}`,
  )
  if (!stored) throw new Error(`there is no ${resource.name} ${id}`)
  if (resource.called) return resource.called(stored)
  const label = resource.label ? stored[resource.label] : null
  return label === null ? null : String(label)
}

function audited(resource: Resource): BoundField[] {
  return resource.placed.filter(({ column, elsewhere }) => column || elsewhere)
}

function auditName({ name, at, column, elsewhere }: BoundField): string {
  return column?.name ?? elsewhere?.auditedAs(at) ?? name
}

function comparableChanges(resource: Resource, changes: Readonly<Record<string, unknown>>): Body {
  const placed = new Map(audited(resource).map((one) => [auditName(one), one]))
  const values = Object.entries(changes).flatMap(([name, value]) => {
    const field = placed.get(name)
    // These columns of a smart proxy are not keys of answers.
    if (resource.name === 'smart_proxy' && name.startsWith('any_')) return []
    if (!field || !Array.isArray(value)) return [[name, value]]
    const compared = value.map((one) => comparable(field, one))
    const withinTheSecond = field.field.kind === 'timestamp' && same(compared[0], compared[1])
    return withinTheSecond ? [] : [[name, compared]]
  })
  return Object.fromEntries(values)
}

/** Rounds times to seconds, and clears empty lists and comments, as `shownValue` has them. */
function comparable({ field, name }: BoundField, value: unknown): unknown {
  if (SHOWN_AS_NULL.has(name) && same(value, [])) return null
  if (name === 'comment' && value === '') return null
  if (field.kind === 'devices' && Array.isArray(value)) return value.join()
  return field.kind === 'timestamp' && typeof value === 'string' ? `${value.slice(0, 19).replace('T', ' ')} UTC` : value
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
