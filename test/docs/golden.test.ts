import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Experiment, openLaboratory } from '../../scripts/description/laboratory.ts'
import { type Described, formatOpenapi } from '../../scripts/description/openapi.ts'
import { formatSql } from '../../scripts/description/sql-once.ts'
import type { Database } from '../../src/database/database.ts'
import { buildOpenApi } from '../../src/http/pages/openapi.ts'
import { openTestDatabase } from '../support/database.ts'

// What the golden files have to say. That they are what the declarations say is a gate of `npm run check`, which writes all of
// them anew: nothing here does that again.
const GENERATED = join(import.meta.dirname, '../../docs/generated')

let database: Database
let document: Described
let tried: Map<string, Experiment[]>

beforeAll(async () => {
  database = await openTestDatabase()
  await using laboratory = await openLaboratory(database)
  document = buildOpenApi(laboratory.routes, '0.0.0') as unknown as Described // its type leaves open what stands in most keys
  const [first, second] = [...laboratory.registry.values()].slice(2)
  tried = new Map()
  for (const resource of [first, second]) {
    if (resource) tried.set(resource.plural, await laboratory.tryOut(resource))
  }
}, 300_000)
afterAll(() => database?.[Symbol.asyncDispose]())

/** What no example is recorded of, and why. */
const WITHOUT_EXAMPLE = {
  'environments.import_configclasses': 'a smart proxy has to answer',
  'smart_proxies.import_configclasses': 'a smart proxy has to answer',
  'smart_proxies.import_configclasses_of_environment': 'a smart proxy has to answer',
  'smart_proxies.refresh': 'a smart proxy has to answer',
  'history.list_content': 'it answers as history.list',
  'config_runs.events': 'it is a stream, which does not end',
  'session.passkey': 'a passkey has to be there',
  'session.begin': 'a provider has to answer',
  'session.finish': 'a provider has to answer',
  'session.link': 'a provider has to answer',
  'session.back_channel_logout': 'a provider has to answer',
  'service.create': 'it makes 300 hosts with all that belongs to them',
  'service.index': 'it lists all operations, as the description does',
  'service.openapi': 'it is what the examples are beside',
  'webhooks.test': 'a receiver has to answer',
}

test('every operation of the description has an example that was recorded, or a reason why not', () => {
  const text = readFileSync(join(GENERATED, 'examples.json'), 'utf8')
  const described = Object.values(document.paths).flatMap((operations) => Object.values(operations))
  const keys = new Set(described.map(({ tags, operationId }) => `${tags[0]}.${operationId.split('.').at(-1)}`))
  expect(keys.size).toBeGreaterThan(450)
  expect([...keys].filter((key) => !Object.hasOwn(JSON.parse(text), key)).toSorted()).toEqual(
    Object.keys(WITHOUT_EXAMPLE).toSorted(),
  )
  expect(Object.keys(JSON.parse(text)).filter((key) => !keys.has(key))).toEqual([])
})

/** Whose answer is empty, and why. */
const EMPTY = {
  'activation_keys.delete': 'there is nothing to say of it',
  'activation_keys.drift': 'no host has registered with the key',
  'activation_keys.reapply': 'no host has registered with the key',
  'activation_keys.remove_subscriptions': 'there is nothing to say of it',
  'activation_keys.remove_subscriptions_by_put': 'there is nothing to say of it',
  'activation_keys.update': 'there is nothing to say of it',
  'content_view_components.remove': 'it lists what is left',
  'hosts.auto_attach': 'it lists what the host has, which needs nothing',
  'hosts.remove_subscriptions': 'it lists what is left',
  'hosts.unregister': 'there is nothing to say of it',
  'parameters.reset': 'it lists what is left',
  'session.revoke_token': 'there is nothing to say of it',
  'subnets.lint': 'no two hosts have the same address',
  'webhooks.redeliver': 'nothing has failed',
}

test('no example is empty without a reason, and what answers with a text has one', () => {
  const text = readFileSync(join(GENERATED, 'examples.json'), 'utf8')
  const examples = new Map(Object.entries(JSON.parse(text) as Record<string, { answer?: unknown }>)) // as it is formatted
  const isEmpty = (answer: unknown) => {
    const found = Object(answer ?? []).results ?? answer ?? ''
    return typeof found === 'object' ? Object.keys(found).length === 0 : found === ''
  }
  const empty = [...examples].flatMap(([key, { answer }]) => (isEmpty(answer) ? [key] : []))
  expect(empty.toSorted()).toEqual(Object.keys(EMPTY))
  const texts = Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .filter(({ responses }) => /"text\/(?:plain|csv)"/.test(JSON.stringify(responses['200'] ?? {})))
    .map(({ tags, operationId }) => `${tags[0]}.${operationId.split('.').at(-1)}`)
  expect(texts.length).toBeGreaterThan(3)
  for (const key of texts) expect([key, examples.get(key)?.answer]).toEqual([key, expect.any(String)])
})

test('every resource has its SQL written down', () => {
  const written = readdirSync(join(GENERATED, 'sql'))
  expect([...tried.keys()].filter((plural) => !written.includes(`${plural}.sql`))).toEqual([])
})

test('whatever changes in the published description changes its short form', () => {
  const written = joined(formatOpenapi(document))
  const leaves = leavesOf(document)
  expect(leaves.length).toBeGreaterThan(50_000)
  // Forty leaves from all parts, because each takes a fraction of a second.
  const step = Math.floor(leaves.length / 40)
  const unseen = leaves
    .filter((_, index) => index % step === 0)
    .filter((path) => joined(formatOpenapi(changed(document, path))) === written)
  expect(unseen).toEqual([])
}, 300_000)

test('whatever changes in a statement changes the text that writes each once', () => {
  const written = joined(formatSql(tried))
  const unseen = [...tried].flatMap(([plural, experiments]) =>
    experiments.flatMap(({ title, statements }, at) =>
      statements.flatMap((statement, index) => {
        // Every fourth, because formatting is slow.
        if ((at + index) % 4 > 0) return []
        const other = experiments.with(at, {
          ...experiments[at],
          statements: statements.with(index, `${statement} offset 1`),
        } as Experiment)
        return joined(formatSql(new Map(tried).set(plural, other))) === written ? [`${plural}: ${title}: ${index}`] : []
      }),
    ),
  )
  expect(tried.size).toBe(2)
  expect(unseen).toEqual([])
}, 300_000)

function joined(texts: ReadonlyMap<string, string>): string {
  return [...texts].map(([name, text]) => `${name}\n${text}`).join('\n')
}

/** Lists the paths to all values that contain no others. */
function leavesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
}

/** Copies a value with another value at the end of the path. */
function changed<Value>(value: Value, [key, ...rest]: readonly string[]): Value {
  if (key === undefined) return `${value} changed` as Value // whatever it was, it is something else
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  copy[key] = changed(copy[key], rest)
  return copy as Value
}
