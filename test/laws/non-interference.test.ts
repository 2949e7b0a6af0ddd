import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assembleResources } from '../../src/areas/index.ts'
import { row } from '../../src/database/sql.ts'
import { openVendor } from '../../src/dialect/routes/vendor.ts'
import { sql } from '../../src/sql.ts'
import { BEHIND_PROXY } from '../registration/clients.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import type { Shown } from '../support/given.ts'
import { seedOfRun } from '../support/seed.ts'
import { AWAY, copyBetween, type Moment, momentOf } from './non-interference/copy.ts'
import { CLOCKS, EXCEPTIONS, WRITES } from './non-interference/exceptions.ts'
import {
  attemptsOfMachines,
  type Machines,
  newMachines,
  placeOfNewcomer,
  questionsOfMachine,
} from './non-interference/machines.ts'
import { type Known, oneQuestionOf, type Question, questionsOf, WHAT_IF } from './non-interference/questions.ts'
import { BEYOND, fillMine, fillShared, MINE } from './non-interference/tenant.ts'
import { type Attempt, foreignRows, withoutIds, writesInPaths, writesOfLinks } from './non-interference/writes.ts'
import { stopClocks } from './world.ts'

// Data of another tenant changes no answer, and no write affects it: docs/decisions/0019-non-interference.md.

/** A caller with questions. */
interface Asking {
  readonly called: string
  readonly caller: Caller
  readonly questions: readonly Question[]
}

interface Difference extends Question {
  readonly called: string
  readonly before: string
  readonly after: string
}

let api: TestApi
let member: Caller
let known: Known
let machines: Machines
let newcomers: readonly unknown[]
let copied: ReadonlyMap<string, number>
const asked: Question[] = []
const differences: Difference[] = []

beforeAll(async () => {
  const seed = seedOfRun()
  console.log(`chosen questions: TEST_SEED=${seed} repeats them`)
  api = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0', ...BEHIND_PROXY } })
  const shared = await fillShared(api)
  const from = await momentOf(api.database)
  const mine = await fillMine(api, shared)
  const to = await momentOf(api.database)
  await addFound(mine, from, to)
  known = { shared, mine, theirs: new Map([...mine].map(([name, id]) => [name, id + AWAY])) }
  const { body } = await api.admin.get('/api/permissions?per_page=all')
  // Permissions that without conditions show values of every tenant on purpose.
  const all = body.results
    .map(({ name }: Shown) => name)
    .filter((name: string) => !name.endsWith('_shared_override_values'))
  const there = { organization_ids: [mine.get('organization') ?? 0], location_ids: [mine.get('location') ?? 0] }
  const able = await api.can(all, there)
  const viewer = await api.can(
    all.filter((name: string) => /^view_(hosts|operatingsystems|users|audits)$/.test(name)),
    there,
  )
  member = able
  machines = await newMachines(api, mine.get('organization') ?? 0)
  await stopClocks(api)
  const vendor = openVendor(api.routes).routes
  const asking: Asking[] = [
    { called: 'member', caller: able, questions: [...questionsOf(api.routes, known, { seed }), WHAT_IF] },
    {
      called: 'viewer',
      caller: viewer,
      questions: oneQuestionOf(api.routes, known).filter(({ url }) => !url.includes(String(AWAY / 100))),
    },
    {
      called: 'member, vendor',
      caller: api.asVendor(able),
      questions: oneQuestionOf(vendor, known).filter((_, index) => index % 3 === seed % 3),
    },
    { called: 'machine', caller: api.as(machines.as), questions: questionsOfMachine(machines) },
  ]
  const newcomer = await placeOfNewcomer(api, machines)
  // The first request of each caller is stored as a login, which lists of logins would show in the second round only.
  for (const { caller } of asking) await caller.get('/api/current_user')
  // So is the first time that each of them sees hidden values (docs/decisions/0066-revealing.md).
  await answersTo(
    asking.map((one) => ({ ...one, questions: one.questions.filter(({ route }) => REVEALS.test(route)) })),
  )
  const before = await answersTo(asking)
  copied = await copyBetween(api.database, [from, to], [MINE, BEYOND])
  const after = await answersTo(asking)
  newcomers = [newcomer, await placeOfNewcomer(api, machines)]
  for (const { called, questions } of asking)
    for (const question of questions) {
      asked.push(question)
      const [one = '', other = ''] = [before, after].map((answers) => answers.get(`${called} ${question.url}`))
      if (one !== other && !CLOCKS.test(question.route))
        differences.push({ called, ...question, before: one, after: other })
    }
}, 1_200_000)
afterAll(() => api?.[Symbol.asyncDispose]())

/** Adds records of the tenant that were not created by name, such as audits. */
async function addFound(mine: Map<string, number>, from: Moment, to: Moment): Promise<void> {
  for (const { name, table } of assembleResources().values()) {
    if (mine.has(name)) continue
    const found = await row<{ id: number | null }>(
      api.database.db,
      sql`select max(id) as id from ${sql.table(table)} where id > ${from.get(table) ?? 0} and id <= ${to.get(table) ?? 0}`,
    )
    if (found?.id) mine.set(name, found.id)
  }
}

/** Routes whose answers may hold hidden values. */
const REVEALS = /enc|explain|template|document|inventor|preview|node|parameters|classification/

async function answersTo(asking: readonly Asking[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const { called, caller, questions } of asking)
    for (const { url, body } of questions) {
      const { status, text, headers } = await (body ? caller.post(url, body) : caller.get(url))
      const { 'x-request-id': _id, date: _date, ...others } = headers
      answers.set(`${called} ${url}`, `${status} ${JSON.stringify(others)} ${text}`)
    }
  return answers
}

const isAbout =
  ({ routes, url }: (typeof EXCEPTIONS)[number]) =>
  (question: Question) =>
    routes.test(question.route) && (url?.test(question.url) ?? true)

/** Yields the position where two answers differ, with the text before it. */
function parting({ called, url, before, after }: Difference) {
  let at = 0
  const [one, other] = [before, after].map((text) => text.replace(/"(?:etag|content-length)":"(?:[^"\\]|\\.)*",?/g, ''))
  while (at < (one ?? '').length && one?.[at] === other?.[at]) at++
  return {
    called,
    url,
    before: one?.slice(Math.max(0, at - 60), at + 80),
    after: other?.slice(Math.max(0, at - 60), at + 80),
  }
}

test('there is another tenant with what this one has, and everything is asked', () => {
  const empty = [...copied].filter(([table, count]) => count === 0 && !OF_EVERYBODY.has(table)).map(([table]) => table)
  expect(empty).toEqual([])
  const reads = api.routes.filter(({ method }) => method === 'GET').map(({ id }) => id)
  expect(reads.filter((id) => !asked.some(({ route }) => route === id))).toEqual([])
})

/** Tables with shared rows, or rows that connect two shared records. */
const OF_EVERYBODY = new Set([
  ...['usergroups', 'usergroup_roles', 'usergroup_usergroups', 'roles', 'filters', 'filter_permissions'],
  ...[
    'architectures',
    'operatingsystems',
    'architecture_operatingsystems',
    'compute_profiles',
    'models',
    'template_kinds',
    'mail_notifications',
  ],
  ...[
    'configclasses',
    'config_groups',
    'config_group_configclasses',
    'smart_class_parameters',
    'smart_class_parameters_order',
    'audits_order',
    'parameters_order',
    'leftover_classes',
  ],
  ...['features', 'certificate_authorities', 'bookmarks', 'event_positions', 'event_queue'],
  'imported_records', // only the owner of the data reads them
  // Links within one organization, of records that are compared without them.
  ...['smart_proxy_features', 'activation_key_environments'],
  ...['content_view_version_components', 'content_view_version_repositories'],
])

test('no read tells of the other tenant', () => {
  const unexplained = differences.filter((one) => !EXCEPTIONS.some((exception) => isAbout(exception)(one)))
  expect(unexplained.slice(0, 40).map(parting)).toEqual([])
})

test.each(EXCEPTIONS.map((exception) => [exception.reason, exception] as const))(
  'but one may: %s',
  (_reason, exception) => expect(differences.some(isAbout(exception))).toBe(true),
)

test('a machine that names no place comes to be where it would without the other tenant', () => {
  expect(newcomers[0]).toMatchObject({ status: 200, organization_id: known.mine.get('organization') })
  expect(newcomers[1]).toEqual(newcomers[0])
})

describe('writes', () => {
  test('of machines that name what the other tenant has are answered as those that name nothing, and change nothing', async () => {
    const before = await foreignRows(api.database)
    const different: unknown[] = []
    for (const { about, foreign, unknown, ask } of await attemptsOfMachines(api, machines, known)) {
      const [one, other] = await Promise.all(
        [foreign, unknown].map(async (named) => {
          const { status, text } = await api.nobody.send(ask(named))
          return `${status} ${text.replaceAll(named, 'NAMED')}`.slice(0, 300)
        }),
      )
      if (one !== other) different.push({ about, foreign: one, unknown: other })
    }
    expect(different).toEqual([])
    expect(await foreignRows(api.database)).toEqual(before)
  })

  test('that name records of the other tenant are answered as those that name nothing, and change nothing', async () => {
    const before = await foreignRows(api.database)
    const attempts = [...writesInPaths(api.routes, known), ...writesOfLinks(known)]
    expect(attempts.length).toBeGreaterThan(500)
    const different: (Attempt & { readonly answers: unknown })[] = []
    for (const attempt of attempts) {
      const [foreign, unknown] = [await answerTo(attempt, 'foreign'), await answerTo(attempt, 'unknown')]
      if (foreign !== unknown) different.push({ ...attempt, answers: { foreign, unknown } })
    }
    const isExcepted = ({ route }: Attempt) => WRITES.some(({ routes }) => routes.test(route))
    expect(different.filter((attempt) => !isExcepted(attempt))).toEqual([])
    // An exception that no longer applies has to be removed from the list.
    expect(WRITES.filter(({ routes }) => !different.some(({ route }) => routes.test(route)))).toEqual([])
    const after = await foreignRows(api.database)
    const untouched = (rows: typeof after) =>
      Object.entries(rows).filter(([table]) => !WRITES.some((exception) => exception.table === table))
    expect(untouched(after)).toEqual(untouched(before))
  }, 600_000)
})

async function answerTo({ method, ...attempt }: Attempt, which: 'foreign' | 'unknown'): Promise<string> {
  const { url, body } = attempt[which]
  const { status, text } = await member.send({
    method,
    url,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  })
  return `${status} ${withoutIds(text)}`
}
