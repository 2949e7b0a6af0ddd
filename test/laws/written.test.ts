import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { row } from '../../src/database/sql.ts'
import type { BoundField, Resource } from '../../src/kernel/definition.ts'
import { sql } from '../../src/sql.ts'
import {
  type Body,
  given,
  leastBody,
  pathFor,
  pathOf,
  resourceNamed,
  type Shown,
  segmentOf,
  wrapped,
} from '../support/given.ts'
import { FIXED } from './content-values.ts'
import { errorsOf, recordNotFound, refusedFields } from './refusals.ts'
import { names, turns } from './subjects.ts'
import {
  acceptable,
  asShown,
  bodies,
  numberFacts,
  requiredKeys,
  shownValue,
  textFacts,
  unused,
  withSecrets,
  written,
} from './values.ts'
import { openWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.api[Symbol.asyncDispose]())

const RUNS = { numRuns: 8 }

describe.each(turns('create'))('%s', (name) => {
  const resource = resourceNamed(name)

  test('a created record shows what was sent', async () => {
    const path = await pathFor(world.api.admin, resource)
    const property = fc.asyncProperty(bodies(resource, world.pool), async (any) => {
      const body = acceptable(resource, any)
      const created = await create(resource, path, body)
      expectWritten(resource, body, created)
      const { status, body: shown } = await world.api.admin.get(`${path}/${segmentOf(resource, created.id)}`)
      expect(status).toBe(200)
      expectWritten(resource, body, shown)
    })
    await fc.assert(property, RUNS)
  })

  test.each(requiredKeys(resource))('a create without %s is refused and names it', async (key) => {
    const path = await pathFor(world.api.admin, resource)
    const { [key]: _left, ...others } = { ...(await leastBody(world.api.admin, name)) }
    const before = await size(resource)
    for (const body of [others, { ...others, [key]: null }, { ...others, [key]: '' }, { ...others, [key]: ' \t ' }]) {
      if (key.endsWith('_ids') && !Array.isArray(body[key]) && key in body) continue // null leaves a list unchanged, and text is of the wrong type
      const { status, body: answer } = await world.api.admin.post(path, wrapped(resource, body))
      expect({ body, status, answer }).toMatchObject({
        status: 422,
        answer: refusedFields(resource, { [key]: expect.any(Array) }, null),
      })
    }
    expect(await size(resource)).toBe(before)
  })

  const texts = written(resource).filter(
    (placed) =>
      placed.field.kind === 'text' &&
      textFacts(placed).max &&
      !SHORT_ALPHABETS.has(`${name}.${placed.name}`) &&
      !IN_ASCII.has(placed.name),
  )
  test.each(texts.map((placed) => [placed.key, textFacts(placed).max ?? 0]))(
    '%s takes %i characters of any script and not one more',
    async (key, max) => {
      const path = await pathFor(world.api.admin, resource)
      const least = await leastBody(world.api.admin, name)
      const letters = NO_EMOJI.has(`${name}.${key}`) ? ['a', 'ж', '語'] : ['a', '🦊', 'ש']
      for (const [index, letter] of letters.entries()) {
        const number = `${name.at(-1)}${index}` // resources that share a table share its names
        const fits = letter.repeat(max - number.length) + number
        const created = await create(resource, path, acceptable(resource, { ...least, [key]: fits }, {}, [key]))
        if (key in created) expect(created[key]).toBe(fits)
        const { status, body } = await world.api.admin.post(path, wrapped(resource, { ...least, [key]: letter + fits }))
        expect({ letter, status, errors: errorsOf(resource, body) }).toEqual({
          letter,
          status: 422,
          errors: { [key]: [`is too long (maximum is ${max} characters)`] },
        })
      }
    },
  )

  test.each(written(resource).map((placed) => [placed.key, wrongFor(placed)] as const))(
    '%s of a wrong type is refused and named',
    async (key, values) => {
      const path = await pathFor(world.api.admin, resource)
      const least = await leastBody(world.api.admin, name)
      const before = await size(resource)
      for (const value of values) {
        const { status, body } = await world.api.admin.post(path, wrapped(resource, { ...least, [key]: value }))
        expect({ value, status, body }).toMatchObject({
          status: 422,
          body: refusedFields(resource, { [key]: expect.any(Array) }),
        })
      }
      expect(await size(resource)).toBe(before)
    },
  )
})

/** Text fields whose alphabet `values.ts` limits. */
const NO_EMOJI = new Set(['user.login'])
const IN_ASCII = new Set(['label'])
const SHORT_ALPHABETS = new Set([
  'auth_source_ldap.attr_login',
  'auth_source_ldap.attr_firstname',
  'auth_source_ldap.attr_lastname',
  'auth_source_ldap.attr_mail',
  'auth_source_ldap.attr_photo',
  'smart_proxy.ssh_known_hosts',
  'activation_key.release_version',
  'repository.minor',
  'repository.url',
  'webhook.target_url',
  'webhook.ssl_ca_certs',
  'webhook.header_template',
  'webhook.http_content_type',
  'webhook.http_user',
  // Fields of other types of content than in these tests.
  'repository.docker_upstream_name',
  'repository.deb_releases',
  'repository.deb_components',
  'repository.deb_architectures',
  'repository.ansible_collection_requirements',
  'repository.ansible_collection_auth_url',
  'http_proxy.url',
  'operatingsystem.major',
  'operatingsystem.minor',
  'user.mail',
  'user.timezone',
  'user.locale',
  'filter.search',
  'auth_source_ldap.ldap_filter',
  'auth_source_ldap.ca_certificate',
  ...['login', 'firstname', 'lastname', 'mail', 'groups'].map((what) => `auth_source_oidc.attr_${what}`),
  'auth_source_oidc.client_id',
  'auth_source_oidc.issuer',
  'auth_source_oidc.algorithms',
  'auth_source_oidc.scopes',
  'auth_source_oidc.ca_certificate',
  'environment.name',
  'domain.name',
  'smart_proxy.url',
  'smart_proxy.ssh_user',
  'medium.path',
  'host.name',
  'host.certname',
  'interface.name',
  'provisioning_template.audit_comment',
  'ptable.audit_comment',
  'report_template.audit_comment',
  'webhook_template.audit_comment',
])

const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  text: [[], {}, ['a'], 'a\0b'],
  boolean: ['maybe', 2, [], {}],
  integer: ['x', '1e3', 1.5, [], {}, 2147483648, true],
  timestamp: ['soon', 5, [], {}, '2026-02-30T00:00:00Z', '2026-13-01'],
  link: ['x', '12abc', 1.5, [], {}, -1, 0, true],
  links: ['x', 5, {}, ['x'], [1.5], [-1], [[]], [{}], [true]],
  words: ['User', 5, {}, ['Nothing'], [5]],
  secret: [[], {}, 5, 'x'.repeat(1000)],
}

/** Lists values that a field refuses: those of a wrong type, and those beyond the bounds that its declaration states. */
function wrongFor(placed: BoundField): readonly unknown[] {
  const { min, max } = numberFacts(placed)
  const beyond = placed.field.kind === 'integer' ? [min - 1, max + 1] : []
  return [...(WRONG[placed.field.kind] ?? []), ...beyond]
}

describe.each(turns('update'))('%s', (name) => {
  const resource = resourceNamed(name)
  const path = pathOf(resource)

  test('an updated record shows what was sent, and nothing else has changed', async () => {
    const { id } = await given(world.api.admin, name)
    const property = fc.asyncProperty(bodies(resource, world.pool, { partial: true }), async (any) => {
      const { body: before } = await world.api.admin.get(`${path}/${segmentOf(resource, id)}`)
      const body = acceptable(resource, any, before)
      const {
        status,
        body: after,
        text,
      } = await world.api.admin.put(`${path}/${segmentOf(resource, id)}`, wrapped(resource, body))
      expect(status, text).toBe(200)
      expectWritten(resource, body, after)
      const untouched = written(resource).filter(({ key }) => !(key in body))
      for (const placed of untouched) {
        expect([placed.key, shownValue(resource, placed, after)]).toEqual([
          placed.key,
          shownValue(resource, placed, before),
        ])
      }
      expect((await world.api.admin.get(`${path}/${segmentOf(resource, id)}`)).body).toEqual(after)
    })
    await fc.assert(property, RUNS)
  })

  test('an update of nothing changes nothing', async () => {
    const { id } = await create(
      resource,
      path,
      acceptable(resource, fc.sample(bodies(resource, world.pool), 1)[0] ?? {}),
    )
    const before = await world.api.admin.get(`${path}/${segmentOf(resource, id)}`)
    const audits = await size(resourceNamed('audit'))
    for (const body of [
      {},
      wrapped(resource, {}),
      { [resource.word]: null },
      wrapped(resource, { nothing: 1, id: 9, created_at: 'x' }),
      wrapped(resource, same(resource, before.body)),
    ]) {
      expect((await world.api.admin.put(`${path}/${segmentOf(resource, id)}`, body)).body).toEqual(before.body)
    }
    const after = await world.api.admin.get(`${path}/${segmentOf(resource, id)}`)
    expect(after.headers.etag).toBe(before.headers.etag)
    expect(await size(resourceNamed('audit'))).toBe(audits)
  })

  test.each(
    written(resource)
      .filter(({ field, key }) => !field.required && !DEFAULT_ELSEWHERE.has(`${name}.${key}`))
      .filter(({ key }) => !FIXED[name]?.includes(key))
      .map(({ key }) => key),
  )('null for %s means what leaving it out meant', async (key) => {
    const bare = await given(world.api.admin, name)
    const [any = {}] = fc.sample(bodies(resource, world.pool), 1)
    const full = await create(resource, path, acceptable(resource, { ...any, ...LOOSE[name] }))
    const placed = written(resource).find((one) => one.key === key)
    if (!placed) throw new Error(`${name} has no key ${key}`)
    const { status, body, text } = await world.api.admin.put(`${path}/${segmentOf(resource, full.id)}`, {
      [resource.word]: withSecrets(resource, { [key]: null }, full),
    })
    if (NEVER_NULL.has(`${name}.${key}`)) {
      expect({ status, body }).toMatchObject({
        status: 422,
        body: refusedFields(resource, { [key]: expect.arrayContaining(["can't be blank"]) }, full.id),
      })
      return
    }
    // An operating system of the Debian family requires its release name.
    if (full.family === 'Debian' && key === 'release_name') return
    expect(status, text).toBe(200)
    if (ONLY_AT_FIRST.test(`${name}.${key}`)) return expect(shownValue(resource, placed, body)).toBe(null)
    const kept = placed.field.kind === 'links' || placed.field.kind === 'secret'
    expect(shownValue(resource, placed, body)).toEqual(shownValue(resource, placed, kept ? full : bare))
  })
})

/**
 * Values that allow other keys to be null: a managed host needs its place, an address can only be cleared where there is
 * one, and default places have to be among the user's places.
 */
const LOOSE: Readonly<Record<string, Body>> = {
  host: { managed: false },
  user: { mail: 'somebody@lab.test', default_organization_id: null, default_location_id: null },
}

/** Fields whose default depends on other fields, on peers or on samples; test/api tests them. */
const DEFAULT_ELSEWHERE = new Set([
  'smart_proxy.runner',
  'bookmark.public',
  'host.owner_id',
  'host.certname',
  'activation_key.max_hosts',
  'activation_key.unlimited_hosts',
  'host_collection.max_hosts',
  'host_collection.unlimited_hosts',
])

/** Fields that cannot be cleared once they are set. */
const NEVER_NULL = new Set([
  'user.mail',
  'auth_source_ldap.port',
  'subnet.mask',
  'subnet.mtu',
  'subnet.ipam',
  'subnet.boot_mode',
  'provisioning_template.template_kind_id',
])

/** Fields with a default in a new record that may be cleared later. */
const ONLY_AT_FIRST = /^auth_source_(?:ldap|oidc)\.attr_|^repository\.(download|mirroring)_policy$/

describe.each(turns('delete'))('%s', (name) => {
  const resource = resourceNamed(name)

  test('a deleted record answers with its own columns in ISO times, and is gone', async () => {
    const path = pathOf(resource)
    const [any = {}] = fc.sample(bodies(resource, world.pool), 1)
    const record = await create(resource, path, unused(resource, acceptable(resource, any)))
    const { status, body } = await world.api.admin.delete(`${path}/${segmentOf(resource, record.id)}`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(resource.deletedView)
    expect(body.id).toBe(record.id)
    for (const time of ['created_at', 'updated_at']) {
      expect(body[time]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(`${body[time].slice(0, 19).replace('T', ' ')} UTC`).toBe(record[time])
    }
    const others = Object.keys(body).filter((key) => !key.endsWith('_at') && key !== 'permissions' && key in record)
    expect(pick(body, others)).toEqual(pick(record, others))
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const { status: again, body: said } = await world.api.admin.send({
        method,
        url: `${path}/${segmentOf(resource, record.id)}`,
        headers: { 'content-type': 'application/json' },
      })
      expect({ method, again, said }).toEqual({
        method,
        again: 404,
        said: recordNotFound(resource, record.id, VERBS[method]),
      })
    }
  })
})

const VERBS = { GET: 'view', PUT: 'edit', DELETE: 'destroy' } as const

test('every written field but the secret ones is shown', () => {
  const invisible = names('create').flatMap((name) => {
    const resource = resourceNamed(name)
    const shown = Object.fromEntries(resource.views.show.map((key) => [key, []])) as unknown as Shown
    return written(resource).flatMap((placed) =>
      shownValue(resource, placed, shown) === undefined ? [`${name}.${placed.name}`] : [],
    )
  })
  expect(invisible.sort()).toEqual([
    'auth_source_ldap.account_password',
    'auth_source_oidc.client_secret',
    'common_parameter.as_sent',
    'host.interfaces',
    'host.otp',
    'host.root_pass',
    'hostgroup.root_pass',
    'http_proxy.password',
    'interface.password',
    'parameter.as_sent',
    'provisioning_template.audit_comment',
    'ptable.audit_comment',
    'ptable.hostgroups',
    'ptable.hosts',
    'report_template.audit_comment',
    'smart_proxy.ssh_key',
    'user.current_password',
    'user.password',
    'webhook.http_headers',
    'webhook.http_password',
    'webhook_template.audit_comment',
  ])
})

async function create(resource: Resource, path: string, body: Body): Promise<Shown> {
  const { status, body: created, text } = await world.api.admin.post(path, wrapped(resource, body))
  if (status !== 201) throw new Error(`${JSON.stringify(body)} was refused: ${text}`)
  return created
}

function expectWritten(resource: Resource, body: Body, record: Shown): void {
  for (const placed of written(resource).filter(({ key }) => key in body)) {
    const shown = shownValue(resource, placed, record)
    if (shown !== undefined)
      expect([placed.key, shown]).toEqual([placed.key, asShown(resource, placed, body[placed.key])])
  }
}

/** Yields the values of a record in the form of a request. */
function same(resource: Resource, record: Shown): Body {
  const visible = written(resource).flatMap((placed) => {
    const value = shownValue(resource, placed, record)
    return value === undefined ? [] : [[placed.key, value] as const]
  })
  return Object.fromEntries(visible)
}

async function size(resource: Resource): Promise<number> {
  const found = await row<{ size: number }>(
    world.api.database.db,
    sql`select count(*) as size from ${sql.table(resource.table)}`,
  )
  return found?.size ?? 0
}

function pick(record: Body, keys: readonly string[]): Body {
  return Object.fromEntries(keys.map((key) => [key, record[key]]))
}
