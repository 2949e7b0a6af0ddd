import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rows } from '../../src/database/sql.ts'
import { ROOT } from '../../src/kernel/condition.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import { compileSearch, SearchError, type SearchField, type SearchOptions } from '../../src/search/index.ts'
import { sql } from '../../src/sql.ts'
import {
  ASKED_BY_ORGANIZATION,
  type Body,
  given,
  leastBody,
  pathFor,
  resourceNamed,
  targetOf,
  wrapped,
} from '../support/given.ts'
import { coverOf } from './subjects.ts'
import { written } from './values.ts'
import { openWorld, type World } from './world.ts'

// No value makes a statement fail: every value of a field, alone or beside that of another field, and every compared value
// is stored, matched or refused with a reason. The caller of these tests throws on every 5xx. Fields of one kind are stored and
// searched by the same code, so that resources with every kind stand for all, and the others take turns.

const SHARE = 0.3

let world: World
let six: number
/** Types of columns, by `table.column`. */
let types: ReadonlyMap<string, string>
beforeAll(async () => {
  world = await openWorld()
  const columns = await rows<{ name: string; type: string }>(
    world.api.database.db,
    sql`select concat(table_name, '.', column_name) as name, concat(udt_name, ' ', collation_name) as type
      from information_schema.columns where table_schema = 'public'`,
  )
  types = new Map(columns.map(({ name, type }) => [name, type]))
  six = (await given(world.api.admin, 'subnet', V6)).id
})
afterAll(() => world?.api[Symbol.asyncDispose]())

const V6 = { name: 'six', network_type: 'IPv6', network: '2001:db8::', mask: 'ffff:ffff:ffff:ffff::' }
const ADDRESSES = ['10.1.2.3', '2001:db8::7', '::ffff:10.1.2.3', '255.255.255.255', '::']
const NUMBERS = [0, -1, 2147483648, -2147483649, 9007199254740991]
const MOMENTS = [
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '2026-12-31T23:59:59+23:59',
]
const TEXTS = [
  ...[
    '%_',
    '\\',
    "'",
    '[(*',
    '$1',
    '{}',
    '[1,',
    '\u0001',
    'NaN',
    'Infinity',
    '-0',
    '1e400',
    '0x10',
    '-1',
    '1.5',
    'true',
  ],
  ...['null', 'now', 'infinity', '/', 'a,b', 'a=b', 'Europe/Berlin', 'http://[::1', '9'.repeat(200), 'x'.repeat(255)],
]
const OTHERS = [true, false, null, {}, [], { a: { b: [1e308, -0, 'x'] } }, [[[]]], ['x', 1, null], { '': '', '%': '%' }]
const STRANGE = ['%', '\\', "'", '\u0001', '\u{10ffff}', '9'.repeat(200), 'x'.repeat(255)]
const VALUES: readonly unknown[] = [...ADDRESSES, ...NUMBERS, ...MOMENTS, ...TEXTS, ...OTHERS]

describe.each(coverOf('create', SHARE))('%s', (name) => {
  const resource = resourceNamed(name)

  test('takes or refuses what its fields take', async () => {
    const write = await writer(resource)
    for (const key of Object.keys(resource.writable))
      for (const value of fitting(resource, key)) await write({ [key]: value })
  })

  test('takes or refuses what two of its fields take', async () => {
    const write = await writer(resource)
    const telling = tellingValues(resource)
    for (const [index, [one, ones]] of telling.entries()) {
      for (const [other, others] of telling.slice(index + 1)) {
        if (!isAddress(resource, one) && !isAddress(resource, other) && !bothScalar(resource, one, other)) continue
        for (const value of ones) for (const beside of others) await write({ [one]: value, [other]: beside })
      }
    }
  })
})

describe.each(coverOf('list', SHARE))('%s', (name) => {
  const resource = resourceNamed(name)

  test('is searched for and sorted by anything', async () => {
    const path = await pathFor(world.api.admin, resource)
    const get = (query: string) =>
      world.api.admin.get(`${path}?${ASKED_BY_ORGANIZATION.has(name) ? 'organization_id=1&' : ''}${query}`)
    for (const field of resource.searchSchema.fields) {
      const conditions = conditionsOf(resource, field, isOften(resource, field) ? turn++ : null)
      for (let from = 0; from < conditions.length; from += 250) {
        const search = conditions.slice(from, from + 250).join(' or ')
        const { status } = await get(`per_page=5&search=${encodeURIComponent(search)}`)
        expect([200, 400], `${field.name}: ${search}`).toContain(status)
      }
      expect([200, 400]).toContain((await get(`per_page=2&order=${encodeURIComponent(`${field.name} desc`)}`)).status)
    }
    for (const page of ['9007199254740991', '9223372036854775807', '9'.repeat(40), '1e9', '-1', '0'])
      for (const key of ['page', 'per_page']) expect([200, 400]).toContain((await get(`${key}=${page}`)).status)
  })
})

test('paths name records by anything', async () => {
  const segments = [
    '9'.repeat(18),
    '9'.repeat(19),
    '9'.repeat(40),
    '-1',
    '0',
    '1e3',
    '%25',
    '%5c',
    "'",
    '1-',
    '%00',
    '%ef%bf%bf',
  ]
  const routes = world.api.routes.filter(
    ({ method, path, id }) => method === 'GET' && path.includes(':') && !/events$/.test(id),
  )
  for (const { path } of routes)
    for (const segment of segments) {
      const { status } = await world.api.admin.get(path.replace(/:\w+/g, segment))
      expect(status, `${path} ${segment}`).toBeLessThan(500)
    }
})

/** JSON texts, because JavaScript has no values for some of them. */
const HOSTILE = [
  ...['1e308', '-1e308', '1e400', '9007199254740993', '-2147483649', '0.1', 'true', 'null', '[]', '{}', '[null]'],
  ...['""', '"\\u0000"', '"\\ud800"', '"\\u202e"', '"infinity"', '"0000-01-01T00:00:00Z"', '"%_\\\\"', '"1,2"'],
  ...['[1e308, "x", {}]', '{"id": "\\u0000"}', '[{"id": 1e308, "name": "\\ud800"}]', '{"\\u0000": "\\u0000"}'],
  ...[`"${'9'.repeat(300)}"`, `${'['.repeat(60)}${']'.repeat(60)}`, `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
]

test('actions accept or refuse any value', async () => {
  const actions = world.api.routes.filter(
    ({ method, body, id, path }) =>
      method !== 'GET' &&
      body &&
      !/\.(create|update)$/.test(id) &&
      !/^\/api\/(organizations|locations)\/:/.test(path) &&
      id !== 'webhooks.test', // it waits for a receiver; test/events/webhook-templates is about it
  )
  let sent = 0
  for (const { method, path, group, body } of actions) {
    const url = path.replace(/:(\w+)/g, (_, name: string) => segmentFor(name, group))
    const keys = body instanceof z.ZodObject ? Object.keys(body.shape) : []
    const payloads = keys.flatMap((key) => HOSTILE.map((value) => `{${JSON.stringify(key)}: ${value}}`))
    for (const payload of [...payloads, ...HOSTILE]) {
      const headers = { 'content-type': 'application/json' }
      const { status, text } = await world.api.admin.send({ method, url, headers, payload })
      expect(status, `${method} ${url} ${payload.slice(0, 200)} ${text.slice(0, 500)}`).toBeLessThan(500)
      sent++
    }
  }
  expect(sent).toBeGreaterThan(1000)
}, 600_000)

/** Yields the record that a path parameter names, or a plausible segment. */
function segmentFor(name: string, group: string): string {
  const word = name === 'id' ? group : `${name.replace(/_id$/, '')}s`
  const found = [...world.api.routes].find((route) => route.group === word && route.resource)?.resource
  return String(world.pool[found ?? '']?.at(-1) ?? 1)
}

/** Yields a function that writes a body to a record of the resource, or to a new one where there is no update. */
async function writer(resource: Resource): Promise<(body: Body) => Promise<void>> {
  const { admin } = world.api
  const path = await pathFor(admin, resource)
  const query = ASKED_BY_ORGANIZATION.has(resource.name) ? '?organization_id=1' : ''
  const least = await leastBody(admin, resource.name)
  const record = resource.operations.includes('update') ? (await admin.post(path, wrapped(resource, least))).body : null
  return async (body) => {
    const { status, text } = record
      ? await admin.put(`${path}/${record.id}${query}`, wrapped(resource, body))
      : await admin.post(path, wrapped(resource, { ...least, ...body }))
    // A 500 that is not a fault (spec 7).
    expect(status, `${JSON.stringify(body)} ${text}`).toBeLessThan(500)
  }
}

/** Lists values that the schema of a key accepts; for free text those that SQL might misinterpret. */
function fitting(resource: Resource, key: string): unknown[] {
  const { schema, coerce } = resource.writable[key] ?? {}
  const isFree = schema?.().safeParse('a\nb').success === true && schema().safeParse({}).success === false
  return (isFree ? STRANGE : VALUES).filter((value) => schema?.().safeParse(coerce ? coerce(value) : value).success)
}

/** Lists keys whose values have a meaning, each with a few values: addresses, numbers, times, links. */
function tellingValues(resource: Resource): [string, unknown[]][] {
  const links = new Map(written(resource).map((placed) => [placed.key, placed]))
  return Object.keys(resource.writable).flatMap((key): [string, unknown[]][] => {
    const values = fitting(resource, key)
    if (isAddress(resource, key)) return [[key, values.slice(0, 2)]]
    const placed = links.get(key)
    if (placed?.field.kind === 'link') {
      const target = targetOf(placed)
      return [[key, [...(world.pool[target]?.slice(-1) ?? []), ...(target === 'subnet' ? [six] : [])]]]
    }
    if (placed && ['integer', 'timestamp'].includes(placed.field.kind)) return [[key, [values[0], values.at(-1)]]]
    return []
  })
}

function isAddress(resource: Resource, key: string): boolean {
  const values = fitting(resource, key)
  return ADDRESSES.some((address) => values.includes(address)) && !values.includes('a\nb')
}

function bothScalar(resource: Resource, one: string, other: string): boolean {
  const kinds = new Map(written(resource).map(({ key, field }) => [key, field.kind]))
  return kinds.get(one) !== 'link' && kinds.get(other) !== 'link'
}

const SHAPES = new Map<string, number>()
let turn = 0

/** Tells whether enough fields of this shape were compared with every value, because they produce equal SQL. */
function isOften({ table }: Resource, field: SearchField): boolean {
  const { name, column, through = [], type, expression, virtual, present, sorted, key, ...others } = field
  const { nullable, many, explicit, asText, counting, leadsTo, freeOperator } = others
  const isOwn = column === null || expression || virtual || present || sorted || key
  const at = isOwn ? `${table}.${name}` : types.get(`${through.at(-1)?.table ?? table}.${column}`)
  const facts = [nullable, many, explicit, asText, Boolean(counting), leadsTo?.resource, freeOperator]
  const shape = JSON.stringify([type, at, through.length, ...facts])
  const seen = (SHAPES.get(shape) ?? 0) + 1
  SHAPES.set(shape, seen)
  return at !== undefined && seen > 2
}

/**
 * Combines every operator with every value that the language accepts for the field; where a turn is given, with every eighth
 * value, beginning with another one in each turn.
 */
function conditionsOf({ searchSchema }: Resource, field: SearchField, turn: number | null): string[] {
  const names = field.key ? [`${field.name}.x`] : [field.name]
  const plain = VALUES.filter((value) => typeof value !== 'object').map(String)
  const values = field.type === 'text' && !field.virtual && !field.key ? STRANGE : [...plain, '1,2,x', 'Debian 12.4']
  return names.flatMap((name) => [
    `has ${name}`,
    `null? ${name}`,
    ...['=', '!=', '<', '>=', '~', '!~', '^', '!^'].flatMap((operator) =>
      values
        .filter((_, index) => turn === null || index % 8 === turn % 8)
        .map((value) => `${name} ${operator} "${value.replace(/["\\]/g, '\\$&')}"`)
        .filter((condition) => {
          try {
            return compileSearch(searchSchema, condition, OPTIONS).condition !== null
          } catch (error) {
            if (error instanceof SearchError) return false
            throw error
          }
        }),
    ),
  ])
}

const OPTIONS: SearchOptions = { now: new Date(), zone: 'UTC', words: { current_user: 'admin' }, root: ROOT }

test('writes name records by anything, also below records that exist', async () => {
  const routes = world.api.routes.filter(({ method, path }) => method !== 'GET' && path.includes(':'))
  expect(routes.length).toBeGreaterThan(200)
  for (const { method, path } of routes)
    for (const segment of ['%00', '9'.repeat(40), '%ef%bf%bf', '1-%00']) {
      // The last of several names nothing, so that nothing is changed; what a single one names is no record, either.
      const names = path.match(/:\w+/g) ?? []
      const url = path.replace(/:\w+/g, (name) => (name === names.at(-1) ? segment : '1'))
      const { status } = await world.api.admin.send({ method, url, payload: {} })
      expect(status, `${method} ${url}`).toBeLessThan(500)
    }
})
