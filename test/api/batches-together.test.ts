import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, type Shown, unique } from '../support/given.ts'
import { seedOfRun } from '../support/seed.ts'

let api: TestApi
let editor: Caller
let architecture: Shown
let group: Shown
beforeAll(async () => {
  api = await openTestApi()
  architecture = await given(api.admin, 'architecture')
  group = await given(api.admin, 'hostgroup', { architecture_id: architecture.id })
  editor = await api.can(['edit_hosts', 'create_hosts'], {
    ...{ search: 'comment != closed', also: ['view_hosts', 'view_hostgroups', 'view_architectures'] },
    ...{ organization_ids: [1], location_ids: [1] },
  })
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** Writes a host of a set: of the set there are two, which are equal but for the word that all their names begin with. */
type Write = { readonly host: number | 'new' | 'gone'; readonly body: (word: string) => object }

const HOSTS = 4
const value = fc.oneof(
  fc.constantFrom('first', 'second', 'closed', null).map((comment) => () => ({ comment })),
  fc.constantFrom('a', 'b', 'c').map((name) => (word: string) => ({ name: `${word}-${name}.test` })),
  fc.constantFrom('a', 'b', null).map((name) => (word: string) => ({ certname: name && `${word}-${name}` })),
  fc.constantFrom('10', '11').map((end) => (word: string) => ({ mac: `02:00:00:00:${macOf(word)}:${end}` })),
  fc.constantFrom(true, false).map((build) => () => ({ build })),
  fc.constantFrom('known', 'unknown', 'none').map((kind) => () => ({ architecture_id: idOf(kind, architecture) })),
  fc.constantFrom('known', 'none').map((kind) => () => ({ hostgroup_id: idOf(kind, group) })),
  fc.constantFrom('x', 'y').map((text) => () => ({ host_parameters_attributes: [{ name: 'p', value: text }] })),
  fc.constant(() => ({ organization_id: null })),
  fc.constant(() => ({ enabled: 'neither' })),
)
const write: fc.Arbitrary<Write> = fc.record({
  host: fc.oneof({ weight: 8, arbitrary: fc.nat(HOSTS - 1) }, fc.constantFrom('new' as const, 'gone' as const)),
  body: fc
    .array(value, { minLength: 1, maxLength: 2 })
    .map((values) => (word: string) => Object.assign({}, ...values.map((of) => of(word)))),
})
/** Most writes of a run are alike, because only those are read together. */
const writes = fc
  .array(
    fc.oneof(
      write.map((one) => [one]),
      value.map((body) => numbers.map((host) => ({ host, body }))),
      // Equal names and addresses of new hosts are refused.
      value.map((body) => numbers.map(() => ({ host: 'new' as const, body }))),
      fc
        .array(value, { minLength: 2, maxLength: 5 })
        .map((bodies) => bodies.map((body) => ({ host: 'new' as const, body }))),
    ),
    { maxLength: 5 },
  )
  .map((runs): readonly Write[] => runs.flat())
const numbers = Array.from({ length: HOSTS }, (_, index) => index)

/** So that both kinds are among the random ones. */
const ACCEPTED: readonly Write[] = numbers.map((host) => ({ host, body: () => ({ comment: 'second' }) }))
const CREATED: readonly Write[] = Array.from({ length: 25 }, (_, index) => ({
  host: 'new',
  body: () => (index % 3 === 0 ? { hostgroup_id: group.id } : { comment: 'first' }),
}))
const REFUSED: readonly Write[] = [...ACCEPTED, { host: 'gone', body: () => ({ comment: 'second' }) }]

function idOf(kind: string, { id }: Shown): number | null {
  return kind === 'none' ? null : kind === 'known' ? id : 999_999_999
}

/** Macs are unique beyond one set. */
function macOf(word: string): string {
  return word.endsWith('one') ? 'aa' : 'bb'
}

test.each([
  ['an administrator', () => api.admin],
  ['somebody who may not edit all of them', () => editor],
])('a batch by %s answers, stores and audits what its operations would have, one by one', async (_who, callerOf) => {
  const seen = { stored: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(writes, async (list) => {
      const caller = callerOf()
      const base = unique('set')
      const [one, together] = [await openSet(`${base}-one`), await openSet(`${base}-two`)]
      const alone: { status: number; body: unknown }[] = []
      for (const operation of one.operations(list)) {
        const { status, body } = await caller.send({
          method: operation.method,
          url: operation.path,
          payload: operation.body,
        })
        alone.push({ status, body })
      }
      const batch = (operations: readonly Operation[]) => caller.post('/api/batch', { operations })
      const operations = together.operations(list)
      const tried = await batch(operations)
      if (list.length > 0) expect(together.neutral(tried.body.results)).toEqual(one.neutral(alone))
      const accepted = operations.filter((_, index) => (alone[index]?.status ?? 500) < 400)
      if (accepted.length < operations.length) {
        expect(tried.status).toBe(422)
        seen.refused++
        // Nothing is stored until those that can be done are sent alone.
        if (accepted.length > 0) expect((await batch(accepted)).status).toBe(200)
      } else if (list.length > 0) {
        expect(tried.status).toBe(200)
        seen.stored++
      }
      expect(await together.left()).toEqual(await one.left())
    }),
    { numRuns: 12, seed: seedOfRun(), examples: [[ACCEPTED], [CREATED], [REFUSED]] },
  )
  expect(seen.stored).toBeGreaterThan(0)
  expect(seen.refused).toBeGreaterThan(0)
})

test('an override that was left for a name is deleted once, with one audit, though two new hosts find it', async () => {
  const { id } = await importedParameter(api, { columns: { override: true, parameter_type: 'string' } })
  const path = `/api/smart_class_parameters/${id}`
  await api.admin.put(path, { smart_class_parameter: { override_value_order: 'fqdn\ncertname' } })
  const name = `${unique('left')}.test`
  const left = await expectCreated(
    api.admin.post(`${path}/override_values`, { override_value: { match: `certname=${name}`, value: 'old' } }),
  )
  await given(api.admin, 'organization') // whoever has every organization keeps what was left
  const places = { organization_ids: [1], location_ids: [1] }
  const author = await api.can(['create_hosts'], { also: ['view_hosts'], ...places })
  const place = { managed: false, organization_id: 1, location_id: 1 }
  const creating = (own: string, certname: string) => {
    return { method: 'POST', path: '/api/hosts', body: { host: { name: own, certname, ...place } } }
  }
  const [first, second] = [`${unique('other')}.test`, `${unique('other')}.test`]
  const operations = [creating(first, 'first.test'), creating(second, name), creating(name, 'last.test')]
  const { status, text } = await author.post('/api/batch', { operations })
  expect(status, text).toBe(200)
  const audits = await rows(
    api.database.db,
    sql`select action from audits where auditable_type = 'OverrideValue' and auditable_id = ${left.id} order by id`,
  )
  expect(audits).toEqual([{ action: 'create' }, { action: 'destroy' }])
})

interface Operation {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: object
}

/** Creates hosts whose names begin with a word. */
async function openSet(word: string) {
  const hosts: Shown[] = []
  const place = { organization_id: 1, location_id: 1 }
  for (const number of numbers)
    hosts.push(
      await given(api.admin, 'host', { name: `${word}-${number}.test`, managed: false, comment: 'first', ...place }),
    )
  const pathOf = (host: Write['host']) => `/api/hosts/${host === 'gone' ? 999_999_999 : hosts[Number(host)]?.id}`
  const neutral = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, inner) => (DIFFERENT.test(key) ? undefined : inner))
        .replaceAll(word, 'set')
        .replace(/ by id '\d+'/g, ' by its id')
        .replaceAll(`02:00:00:00:${macOf(word)}:`, 'mac'),
    )
  return {
    neutral,
    operations: (list: readonly Write[]) =>
      list.map(({ host, body }, index): Operation => {
        const sent = body(word)
        if (host !== 'new') return { method: 'PUT', path: pathOf(host), body: { host: sent } }
        const added = { name: `${word}-new-${index}.test`, managed: false, ...place }
        return { method: 'POST', path: '/api/hosts', body: { host: { ...added, ...sent } } }
      }),
    async left(): Promise<unknown> {
      const { body } = await api.admin.get(`/api/hosts?per_page=all&search=${encodeURIComponent(`name ~ ${word}`)}`)
      const shown: unknown[] = []
      for (const { id } of body.results) shown.push((await api.admin.get(`/api/hosts/${id}`)).body)
      const audits = await rows(
        api.database.db,
        sql`select a.action, a.version, a.auditable_name, a.auditable_type, a.user_name, a.audited_changes,
            array(select organization_id from audit_organizations where audit_id = a.id) as organizations,
            array(select location_id from audit_locations where audit_id = a.id) as locations
          from audits a where a.auditable_type = 'Host' and a.auditable_id in (select id from hosts where name like ${`${word}-%`})
          order by a.auditable_name, a.version, a.id`,
      )
      return neutral({ shown, audits })
    },
  }
}

/** Keys whose values differ between the sets: ids of hosts and of their parts, and times. */
const DIFFERENT = /^id$|_at$|^host_id$/
