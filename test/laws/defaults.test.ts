import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type Body, leastBody, managedHost, pathFor, resourceNamed, wrapped } from '../support/given.ts'
import { names } from './subjects.ts'

// The schemas state the defaults of a new record for forms and clients, and new records have these values.

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly default?: unknown
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

let api: TestApi
let document: Document
beforeAll(async () => {
  api = await openTestApi()
  document = (await api.admin.get('/api/openapi.json')).body
})
afterAll(() => api?.[Symbol.asyncDispose]())

test.each(names('create'))('a new %s has the truths that the schema says it has, and no others', async (name) => {
  const resource = resourceNamed(name)
  const { managed: _, ...sent } = { ...(await leastBody(api.admin, name)), ...(await MORE[name]?.()) }
  const record = await expectCreated(api.admin.post(await pathFor(api.admin, resource), wrapped(resource, sent)))
  const truths = Object.entries(keysToCreate(name)).filter(
    ([key, schema]) => isTruth(schema) && key in record && !(key in sent),
  )
  const said = Object.fromEntries(truths.map(([key, schema]) => [key, schema.default ?? false]))
  expect(Object.fromEntries(truths.map(([key]) => [key, record[key] ?? false]))).toEqual(said)
})

test.each(names('create'))('a new %s has the numbers and texts that the schema says it has', async (name) => {
  const resource = resourceNamed(name)
  const sent: Body = await leastBody(api.admin, name)
  const record = await expectCreated(api.admin.post(await pathFor(api.admin, resource), wrapped(resource, sent)))
  const said = Object.entries(keysToCreate(name)).filter(
    ([key, schema]) => schema.default !== undefined && !isTruth(schema) && key in record && !(key in sent),
  )
  expect(Object.fromEntries(said.map(([key]) => [key, record[key]]))).toEqual(
    Object.fromEntries(said.map(([key, schema]) => [key, schema.default])),
  )
})

/** Required keys of hosts that say nothing about `managed`. */
const MORE: Readonly<Record<string, () => Promise<Body>>> = {
  host: async () => ({ ...(await managedHost(api.admin)), organization_id: 1, location_id: 1 }),
}

/** Yields the keys of the body that creates a record of this resource. */
function keysToCreate(name: string): Readonly<Record<string, Schema>> {
  const { plural, word } = resourceNamed(name)
  const operation = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === `${plural}.create` || operationId?.endsWith(`.${plural}.create`))
  const body = resolve(operation?.requestBody?.content['application/json']?.schema)
  const keys = resolve(body.properties?.[word]).properties
  if (!keys) throw new Error(`nothing is said of the body that creates a ${name}`)
  return Object.fromEntries(Object.entries(keys).map(([key, schema]) => [key, { ...resolve(schema), ...schema }]))
}

function resolve(schema: Schema = {}): Schema {
  return schema.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1) ?? '']) : schema
}

function isTruth({ type, anyOf = [] }: Schema): boolean {
  return [type].flat().includes('boolean') || anyOf.some((one) => one.type === 'boolean')
}
