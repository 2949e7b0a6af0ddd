import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { translateName } from '../../src/dialect/names.ts'
import { translateSearch } from '../../src/dialect/searches.ts'
import { CONTENT_PREFIX } from '../../src/dialect/table.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import { isBlank } from '../../src/search/blank.ts'
import { type Operator, printSearch, type Query, type SearchField } from '../../src/search/index.ts'
import { sql } from '../../src/sql.ts'
import { ADMIN, basic, expectCreated } from '../support/api.ts'
import { given, pathFor, resourceNamed, type Shown, wrapped } from '../support/given.ts'
import { compareValues, type Memory, momentSuits, remember } from './memory.ts'
import { names, turns } from './subjects.ts'
import { acceptable, bodies, knownScripts } from './values.ts'
import { openWorld, stopClocks, type World } from './world.ts'

let world: World
const paths = new Map<string, string>()
beforeAll(async () => {
  world = await openWorld({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  for (const name of names('list')) paths.set(name, await pathFor(world.api.admin, resourceNamed(name)))
  for (const name of turns('create')) if (paths.has(name)) await fill(resourceNamed(name))
  await stopClocks(world.api)
  await thinAudits()
}, 120_000)
afterAll(() => world?.api[Symbol.asyncDispose]())

/** Leaves two audits of each kind of change of each resource: every list of audits shows all of them. */
async function thinAudits(): Promise<void> {
  await sql`
    delete from audits where id not in (
      select id from (
        select id, row_number() over (partition by auditable_type, action order by id desc) as place from audits
      ) numbered where place <= 2)`.execute(world.api.database.db)
}

/** Creates records with every kind of value, and without values. */
async function fill(resource: Resource): Promise<void> {
  for (const body of fc.sample(bodies(resource, world.pool, { texts: knownScripts }), 8)) {
    const { status, text } = await world.api.admin.post(pathOf(resource), wrapped(resource, acceptable(resource, body)))
    if (status !== 201) throw new Error(`${JSON.stringify(body)} was refused: ${text}`)
  }
}

const OPERATORS: Readonly<Record<string, readonly Operator[]>> = {
  text: ['eq', 'ne', 'like', 'unlike', 'in', 'notin', 'gt', 'gte', 'lt', 'lte'],
  integer: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'notin'],
  boolean: ['eq', 'ne'],
  choice: ['eq', 'ne'],
  datetime: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'],
}

/** Fields whose comparisons build their own SQL, and where they are tested. */
const ON_THEIR_OWN: Readonly<Record<string, string>> = {
  'user.role': 'what everybody holds counts; test/dialect/measured-rows is about it',
  'host.user.login': 'of the user who owns it, or of the members of the group that does; as user.role',
  'host.user.firstname': 'the same',
  'host.user.lastname': 'the same',
  'host.user.mail': 'the same',
  'host.parent_hostgroup': 'a group with all below it; test/api/hosts is about it',
  'config_report.log': 'any line of a log; test/api/config-reports is about it',
  'config_report.resource': 'the same of what lines are about',
  'host.facts': 'a field for each fact; test/api/facts-listed is about them',
  'host.params': 'a field for each parameter, by the level that counts; test/api/parameters-effective is about them',
  'host.smart_proxy': 'of its networks and its realm, too; test/dialect/further-searches is about it',
  'host.boot_time': 'by the facts that say it; test/dialect/further-searches is about it',
  'host.reported.virtual': 'the same',
  'host.reported.ram': 'the same',
  'host.reported.sockets': 'the same',
  'host.reported.cores': 'the same',
  'host.reported.kernel_version': 'the same',
  'host.reported.bios_vendor': 'the same',
  'host.reported.bios_version': 'the same',
  'host.reported.bios_release_date': 'the same',
  'user.admin': 'by the own flag or a group; test/dialect/measured-rows and beside-original are about it',
  'host.os_major': 'a number where the version is one; test/api/search-relations is about it',
  'host.os_minor': 'the same',
  'host.class': 'by groups above, too; test/api/search-relations is about it',
  'host.config_group': 'the same',
  'hostgroup.os_major': 'a number where the version is one',
  'hostgroup.os_minor': 'the same',
  'hostgroup.class': 'by groups above, too; test/api/search-relations is about it',
  'hostgroup.config_group': 'the same',
  'hostgroup.params': 'a field for each parameter; test/api/search-relations is about them',
  'domain.params': 'the same',
  'subnet.params': 'the same',
  'operatingsystem.params': 'the same',
  'parameter.value': 'hidden values are compared for some only; test/api/parameters-hidden is about it',
  'common_parameter.value': 'the same as of any parameter',
  'activation_key.content_view': 'in any entry of a list, not only the first; test/api/activation-keys is about it',
  'activation_key.content_view_id': 'the same by id',
  'activation_key.environment': 'the same of environments',
  'activation_key.lifecycle_environment_id': 'the same by id',
  'host.subscription_uuid': 'compared as a UUID; test/api/host-content is about it',
  'host.addon': 'any of a list of names; test/api/host-content is about it',
  'content_view_version.version': 'compared by its numbers; test/api/content-views is about it',
  'activation_key.addon': 'any of a list of names; test/api/activation-keys is about it',
}

describe.each(turns('list'))('%s', (name) => {
  const resource = resourceNamed(name)
  const { fields } = resource.searchSchema
  const plain = fields.filter((field) => !(`${name}.${field.name}` in ON_THEIR_OWN))

  test.each(plain.map((field) => [field.name, field] as const))(
    '%s: every operator finds what an evaluator in memory finds',
    async (_name, field) => {
      const operators = OPERATORS[field.type]
      if (!operators || field.virtual) throw new Error(`the evaluator knows nothing of ${field.name}`)
      const memory = await rememberAll(resource)
      const values = operandsFor(memory, field)
      const often = isOften(field)
      for (const [turn, operator] of operators.entries()) {
        const sampled = fc.sample(operandOf(field, operator, values), often ? 1 : 2)
        for (const [place, value] of sampled.entries()) {
          const index = often ? turn % 2 : place
          const query: Query = { kind: 'compare', operator, field: field.name, value }
          const suits = (record: Shown) => {
            if (field.type === 'datetime')
              return memory.valuesOf(field, record).some((stored) => momentSuits(operator, stored, value))
            if (field.type === 'choice')
              return memory
                .valuesOf(field, record)
                .some((stored) => stored !== null && (stored === field.values?.[value]) === (operator === 'eq'))
            return memory.finds(query, record)
          }
          if (index > 0) await expectFound(resource, query, memory, suits)
          else await expectFound(resource, { kind: 'not', operand: query }, memory, (record) => !suits(record))
        }
      }
      for (const kind of ['has', 'null'] as const) {
        const query: Query = { kind, field: field.name }
        await expectFound(resource, query, memory, (record) => memory.finds(query, record))
      }
    },
  )

  // Key/value fields and fields without a column cannot be sorted by.
  const ordering = fields.filter(
    ({ name: field, key, column, expression }) =>
      !key && (column !== null || expression) && !SORTED_OTHERWISE.has(`${name}.${field}`),
  )
  test.each(ordering.map((field) => [field.name, field] as const))(
    '%s: orders both ways, and by id where it is equal',
    async (_name, field) => {
      const memory = await rememberAll(resource)
      for (const direction of ['asc', 'desc'] as const) {
        const { body } = await world.api.admin.get(
          `${pathOf(resource)}?per_page=all&order=${encodeURIComponent(`${field.name} ${direction}`)}`,
        )
        const expected = memory.records
          .toSorted((a, b) => compareBy(memory, field, direction, a, b) || a.id - b.id)
          .map(({ id }) => id)
        expect({ direction, ids: body.results.map(({ id }: Shown) => id) }).toEqual({ direction, ids: expected })
        expect(body.sort).toEqual({ by: field.name, order: direction })
      }
    },
  )

  test('a word alone is searched for in the fields of free text', async () => {
    const memory = await rememberAll(resource)
    const texts = fields.filter(({ type, explicit }) => type === 'text' && !explicit)
    if (texts.length === 0 || name === 'content_view_version') return
    const words = fc.oneof(...texts.map((field) => operandOf(field, 'like', operandsFor(memory, field))))
    // Alone, a blank value is not a search.
    for (const value of fc.sample(
      words.filter((word) => !isBlank(word)),
      8,
    )) {
      const anywhere = (record: Shown) =>
        texts.some(({ name, freeOperator: operator = 'like' }) =>
          memory.finds({ kind: 'compare', operator, field: name, value }, record),
        ) ||
        fields.some(
          (field) =>
            field.type === 'datetime' &&
            !field.explicit &&
            /^\d/.test(value) &&
            memory.finds({ kind: 'word', value }, record),
        )
      await expectFound(resource, { kind: 'word', value }, memory, anywhere)
    }
  })
})

/** Texts that a search has to quote, or to escape. */
const HOSTILE = ['say "hi"', 'back\\slash', 'a, b', '(a) and (b)', 'not', '50% _*', 'x and y', '-1', '=', 'ä\u00a0ö']

describe('a suggestion is understood as it is, and finds the record that it was made from', () => {
  beforeAll(async () => {
    const { admin } = world.api
    const host = await given(admin, 'host')
    await expectCreated(
      admin.post('/api/hosts/facts', {
        name: host.name,
        facts: Object.fromEntries(HOSTILE.map((name) => [name, name])),
      }),
    )
    for (const name of HOSTILE)
      await admin.post(`/api/hosts/${host.id}/parameters`, {
        parameter: { name: name.replace(/\s/g, '_'), value: name },
      })
    for (const name of turns('create')) await fillHostile(resourceNamed(name))
  }, 60_000)

  const suggesting = turns('list').filter(
    (name) => resourceNamed(name).operations.includes('list') && !resourceNamed(name).nestedOnly,
  )
  test.each(suggesting)('%s', async (name) => {
    const resource = resourceNamed(name)
    const wrong: string[] = []
    for (const port of [world.api.admin, world.api.asVendor(ADMINISTRATOR)]) {
      const theirs = port !== world.api.admin
      const path = theirs ? toTheirPath(pathOf(resource)) : pathOf(resource)
      const word = (search: string) => (theirs ? translateSearch('theirs', search, resource.plural) : search)
      const suggest = async (typed: string): Promise<string[]> => {
        const { status, body, text } = await port.get(
          `${path}/auto_complete_search?search=${encodeURIComponent(typed)}`,
        )
        expect(status, `${path} ${typed}: ${text}`).toBe(200)
        for (const { error } of body) if (error !== undefined) wrong.push(`${typed}: ${error}`)
        return body.flatMap(({ label }: Shown) => (label === undefined ? [] : [label.trimStart()]))
      }
      const expectUnderstood = async (search: string, finds: boolean) => {
        const { status, body, text } = await port.get(`${path}?per_page=1&search=${encodeURIComponent(search)}`)
        if (status !== 200 || (finds && body.subtotal === 0))
          wrong.push(`${theirs ? 'vendor: ' : ''}${search}: ${status === 200 ? 'nothing' : text}`)
      }
      const offered = resource.searchSchema.fields.filter(({ hidden, noCompletion }) => !hidden && !noCompletion)
      for (const [place, field] of offered.entries()) {
        if (theirs && place % 3 !== 0) continue
        if (field.key)
          for (const label of mostHostile(await suggest(word(`${field.name}.`))))
            await expectUnderstood(`has ${label}`, name === 'host')
        const fields = field.key
          ? (await suggest(word(`${field.name}.`))).slice(0, 2)
          : [word(`${field.name} = `).slice(0, -2)]
        for (const called of fields) {
          const operators = (await suggest(called)).map((label) => label.slice(called.length).trim())
          for (const operator of operators.filter((sign) => ['=', '~', '^', '<='].includes(sign))) {
            const isMade = !['datetime', 'boolean', 'choice'].includes(field.type) && (field.words ?? []).length === 0
            for (const label of mostHostile(await suggest(`${called}${operator} `)))
              await expectUnderstood(label, isMade)
          }
        }
      }
    }
    expect(wrong).toEqual([])
  })
})

const ADMINISTRATOR = { authorization: basic(ADMIN.login, ADMIN.password) }

/** Creates records that are called by hostile names, where the resource allows these. */
async function fillHostile(resource: Resource): Promise<void> {
  const path = paths.get(resource.name)
  if (!path || !resource.label) return
  for (const name of HOSTILE) {
    const [body = {}] = fc.sample(bodies(resource, world.pool, { texts: knownScripts }), 1)
    const named = acceptable(resource, { ...body, [resource.label]: name })
    await world.api.admin.post(path, wrapped(resource, named))
  }
}

/** Picks the suggestions with most characters that mean something in a search. */
function mostHostile(labels: readonly string[]): readonly string[] {
  const count = (label: string) => label.match(/[^\w ]/gu)?.length ?? 0
  return labels.toSorted((one, other) => count(other) - count(one)).slice(0, 3)
}

function toTheirPath(path: string): string {
  const [, api, ...segments] = path.replace(CONTENT_PREFIX.ours, CONTENT_PREFIX.theirs).split('/')
  return ['', api, ...segments.map((segment) => translateName('theirs', segment))].join('/')
}

/** Fields that are sorted as addresses, which test/api/sites tests. */
const SORTED_OTHERWISE = new Set(['subnet.network', 'hostgroup.os_minor'])

function pathOf(resource: Resource): string {
  return paths.get(resource.name) ?? ''
}

const SHAPES = new Map<string, number>()

/** Tells whether enough fields of this shape were tested, because they produce equal SQL. */
function isOften({ type, through = [], expression, nullable, many, explicit, values }: SearchField): boolean {
  const choices = values && typeof Object.values(values)[0]
  const shape = JSON.stringify([type, through.length, Boolean(expression), nullable, many, explicit, choices])
  const seen = (SHAPES.get(shape) ?? 0) + 1
  SHAPES.set(shape, seen)
  return seen > 8
}

const remembered = new Map<Resource, Promise<Memory>>()

/** Loads all records once, because nothing is written later. */
function rememberAll(resource: Resource): Promise<Memory> {
  const known = remembered.get(resource) ?? readAll(resource)
  remembered.set(resource, known)
  return known
}

async function readAll(resource: Resource): Promise<Memory> {
  const { body } = await world.api.admin.get(`${pathOf(resource)}?per_page=all`)
  return remember(
    world.api.database,
    resource,
    body.results.map(({ id }: Shown) => id),
  )
}

async function expectFound(
  resource: Resource,
  query: Query,
  memory: Memory,
  suits: (record: Shown) => boolean,
): Promise<void> {
  const search = printSearch(query)
  const { status, body, text } = await world.api.admin.get(
    `${pathOf(resource)}?per_page=all&search=${encodeURIComponent(search)}`,
  )
  expect(status, `${search}: ${text}`).toBe(200)
  const expected = memory.records.filter(suits).map(({ id }) => id)
  expect({ search, ids: body.results.map(({ id }: Shown) => id).sort(ascending) }).toEqual({
    search,
    ids: expected.sort(ascending),
  })
  expect(body).toMatchObject({ total: memory.records.length, subtotal: expected.length })
}

/** Yields existing values of the field. */
function operandsFor(memory: Memory, field: SearchField): unknown[] {
  return [...new Set(memory.records.flatMap((record) => memory.valuesOf(field, record)))].filter(
    (value) => value !== null,
  )
}

/** Generates values to compare with: usually existing or similar ones. */
function operandOf(field: SearchField, operator: Operator, values: readonly unknown[]): fc.Arbitrary<string> {
  const there = fc.constantFrom(...(values.length > 0 ? values : ['1']))
  const isList = operator === 'in' || operator === 'notin'
  if (field.type === 'choice') return fc.constantFrom(...Object.keys(field.values ?? {}))
  const one = SINGLE[field.type]?.(there) ?? fc.constant('1')
  if (isList)
    return fc
      .array(
        one.map((item) => item.replaceAll(',', '').trim()).filter((item) => item !== ''),
        { minLength: 1, maxLength: 3 },
      )
      .map((items) => items.join(','))
  // A pattern that ends in a single backslash is refused, because it escapes nothing.
  return operator === 'like' || operator === 'unlike' ? one.map((value) => value.replace(/\\+$/, '')) : one
}

const SINGLE: Readonly<Record<string, (there: fc.Arbitrary<unknown>) => fc.Arbitrary<string>>> = {
  text: (there) =>
    fc.oneof(
      there.map(String),
      there.map((value) => String(value).toUpperCase()),
      fc
        .tuple(there, fc.nat(3), fc.integer({ min: 1, max: 4 }))
        .map(([value, from, length]) => [...String(value)].slice(from, from + length).join('')),
      fc
        .tuple(there, fc.constantFrom('*', '%', '_'))
        .map(([value, any]) => [...String(value)].slice(0, 2).join('') + any),
      fc.constantFrom('nowhere', '*', 'a*b', '%', '_'),
    ),
  integer: (there) =>
    fc.tuple(there, fc.integer({ min: -1, max: 1 })).map(([value, more]) => String(Number(value) + more)),
  boolean: () => fc.constantFrom('true', 'false'),
  datetime: (there) =>
    fc
      .tuple(there, fc.constantFrom(10, 19))
      .map(([value, length]) => (String(value).length < 19 ? '2026-03-31' : String(value).slice(0, length))),
}

/**
 * Compares two records: missing values come first in ascending and last in descending order; of several related values the
 * first in that direction counts.
 */
function compareBy(memory: Memory, field: SearchField, direction: 'asc' | 'desc', left: Shown, right: Shown): number {
  const sign = direction === 'asc' ? 1 : -1
  const compare = (a: unknown, b: unknown) =>
    a === null || b === null ? sign * (Number(b === null) - Number(a === null)) : sign * compareValues(a, b)
  const first = (record: Shown) => memory.valuesOf(field, record).toSorted(compare)[0] ?? null
  return compare(first(left), first(right))
}

function ascending(left: number, right: number): number {
  return left - right
}
