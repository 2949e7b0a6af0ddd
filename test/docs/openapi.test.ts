import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Failure } from '../../src/errors.ts'
import { ERROR_ANSWERS, type ErrorStatus } from '../../src/http/answers/error-answers.ts'
import { toErrorAnswer } from '../../src/http/answers/errors.ts'
import type { Route } from '../../src/requests/route.ts'
import { type Caller, openTestApi, type Reply, type TestApi } from '../support/api.ts'

interface Operation {
  readonly operationId: string
  readonly security: readonly object[]
  readonly 'x-millwright-permission'?: readonly string[]
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: unknown }>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, unknown>>
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
}

let api: TestApi
let document: Document
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })

beforeAll(async () => {
  api = await openTestApi()
  document = (await api.nobody.get('/api/openapi.json')).body
  ajv.addSchema(document, 'api')
})
afterAll(() => api?.[Symbol.asyncDispose]())

test('the description is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  // The validator may resolve references in place, so that it gets a copy.
  const { valid, errors } = await validator.validate({ ...structuredClone(document) })
  expect({ valid, errors, version: validator.version }).toEqual({ valid: true, errors: undefined, version: '3.1' })
})

test('every group of operations says what it is about', () => {
  expect(document.tags.filter(({ description = '' }) => !/^[A-Z].*\.$/.test(description))).toEqual([])
})

test('every route is in it, with its permission, under its own name', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  expect(new Set(described.map(({ operation }) => operation.operationId)).size).toBe(described.length)
  const expected = api.routes.map(({ id, method, path, access }) => ({
    id,
    method: method.toLowerCase(),
    path: path.replace(/:(\w+)/g, '{$1}'),
    permissions: access.kind === 'permission' ? access.anyOf : undefined,
    open: access.kind === 'public',
  }))
  const found = described.map(({ path, method, operation }) => ({
    id: operation.operationId,
    method,
    path,
    permissions: operation['x-millwright-permission'],
    open: operation.security.length === 0,
  }))
  expect(found.sort(byId)).toEqual(expected.sort(byId))
})

/** Properties without a description. This list may only get shorter. */
const UNDESCRIBED: readonly string[] = []

test('every property and every parameter has a description', () => {
  const { components } = document
  expect(undescribed(document, '')).toEqual(UNDESCRIBED)
  const parameters = Object.entries(components.parameters as Record<string, { description?: string }>)
  expect(parameters.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([])
})

test('real answers are valid against what is published, also those of writes', async () => {
  const seen = new Set<string>()
  const check = (method: string, path: string, reply: Reply) => {
    expect({ path, errors: problems(method, path, reply) }).toEqual({ path, errors: [] })
    seen.add(`${method} ${reply.status}`)
  }
  const { admin } = api
  for (const { method, path } of api.routes.filter(isPlainRead)) {
    const reply = await admin.get(`${path}?include_permissions=1`)
    expect({ path, status: reply.status }).toEqual({ path, status: 200 })
    check(method, path, reply)
    const id = reply.body.results?.[0]?.id
    if (id !== undefined && document.paths[`${path}/{id}`]?.get)
      check('GET', `${path}/{id}`, await admin.get(`${path}/${id}`))
  }
  for (const { path, body, change } of WRITES) {
    const made = await admin.post(path, body)
    expect({ path, status: made.status, text: made.text }).toMatchObject({ path, status: 201 })
    check('POST', path, made)
    check('PUT', `${path}/{id}`, await admin.put(`${path}/${made.body.id}`, change))
    check('DELETE', `${path}/{id}`, await admin.delete(`${path}/${made.body.id}`))
  }
  expect([...seen].sort()).toEqual(['DELETE 200', 'GET 200', 'POST 201', 'PUT 200'])
})

test('real refusals are valid against what is published', async () => {
  const { admin, nobody } = api
  const somebody = await api.can(['view_architectures'])
  const cases: readonly [ErrorStatus, string, string, () => Promise<Reply>][] = [
    [400, 'GET', '/api/architectures', () => admin.get('/api/architectures?search=no_such_field%3D1')],
    [400, 'GET', '/api/architectures', () => admin.get('/api/architectures?page=abc')],
    [400, 'POST', '/api/architectures', () => malformed(admin)],
    [401, 'GET', '/api/architectures', () => nobody.get('/api/architectures')],
    [403, 'POST', '/api/architectures', () => somebody.post('/api/architectures', { name: 'z' })],
    [404, 'GET', '/api/architectures/{id}', () => admin.get('/api/architectures/999999')],
    [404, 'GET', '/api/architectures', () => admin.get('/api/architectures?operatingsystem_id=999999')],
    [409, 'DELETE', '/api/locations/{id}', () => removeParent(admin)],
    [413, 'POST', '/api/architectures', () => admin.post('/api/architectures', { name: 'a'.repeat(2_000_000) })],
    [
      415,
      'POST',
      '/api/architectures',
      () => admin.send({ method: 'POST', url: '/api/architectures', payload: 'name=z' }),
    ],
    [422, 'POST', '/api/architectures', () => admin.post('/api/architectures', { name: '' })],
    [
      422,
      'POST',
      '/api/architectures',
      () => admin.post('/api/architectures', { name: 'z', operatingsystem_ids: [999999] }),
    ],
  ]
  for (const [status, method, path, sent] of cases) {
    const reply = await sent()
    const found = { path, status: reply.status, errors: problems(method, path, reply) }
    expect(found).toEqual({ path, status, errors: [] })
  }
})

test('the body of every kind of failure is the published one of its status', () => {
  const codes = [
    ...['malformed', 'bad_parameter', 'bad_search', 'unauthenticated', 'locked_out', 'disabled_account'],
    ...['denied', 'not_found', 'parent_not_found', 'context_not_found', 'unroutable', 'conflict', 'too_large'],
    ...['wrong_media_type', 'invalid', 'unknown_reference', 'unavailable'],
  ] as const
  const details = {
    id: 1,
    errors: { name: ['x'] },
    missingPermissions: null,
    details: 'x',
    class: 'x',
    parameter: 'x',
    position: 3,
  }
  for (const code of codes) {
    const { status, body } = toErrorAnswer(new Failure(code as Failure['code'], 'no', details))
    const { schema } = ERROR_ANSWERS[status as ErrorStatus]
    expect({ code, ...schema.safeParse(body) }).toMatchObject({ code, success: true })
  }
  expect(ERROR_ANSWERS[500].schema.safeParse(toErrorAnswer(new Error('x')).body).success).toBe(true)
})

/** Routes that cannot succeed for a caller with a password: some need a session, others an organization. */
const WANTING = [
  '/api/session',
  ...[
    ...[
      'config_reports/last',
      'ptables/revision',
      'provisioning_templates/revision',
      'report_templates/revision',
      'webhook_templates/revision',
    ],
    ...['playbook_inventories/hosts', 'playbook_inventories/hostgroups'],
  ].map((path) => `/api/${path}`),
  ...[
    'activation_keys',
    'activation_keys/resolve',
    'environments/paths',
    'repository_sets',
    'subscriptions',
    'subscriptions.csv',
  ].map((path) => `/content/api/${path}`),
]

/** Whether a route answers a request that names nothing: no record, and no parameter of the query. */
function isPlainRead({ method, path, query }: Route): boolean {
  const asksNothing = query === undefined || query.safeParse({}).success
  return method === 'GET' && !path.includes(':') && asksNothing && !WANTING.includes(path)
}

const WRITES = [
  { path: '/api/architectures', body: { architecture: { name: 'riscv64' } }, change: { name: 'riscv' } },
  { path: '/api/operatingsystems', body: { name: 'Debian', major: '13' }, change: { description: 'Debian 13' } },
  { path: '/api/organizations', body: { organization: { name: 'Acme' } }, change: { description: 'a company' } },
  { path: '/api/roles', body: { role: { name: 'Reader' } }, change: { description: 'reads' } },
  { path: '/api/usergroups', body: { usergroup: { name: 'Readers' } }, change: { name: 'All readers' } },
]

function malformed(caller: Caller): Promise<Reply> {
  const headers = { 'content-type': 'application/json' }
  return caller.send({ method: 'POST', url: '/api/architectures', headers, payload: '{"name":' })
}

async function removeParent(caller: Caller): Promise<Reply> {
  const parent = (await caller.post('/api/locations', { name: 'Europe' })).body
  await caller.post('/api/locations', { name: 'Berlin', parent_id: parent.id })
  return caller.delete(`/api/locations/${parent.id}`)
}

/** Lists how an answer violates the published schema. */
function problems(method: string, path: string, { status, body }: Reply): unknown[] {
  const template = path.replace(/:(\w+)/g, '{$1}')
  const pointer = `/paths/${escaped(template)}/${method.toLowerCase()}/responses/${status}`
  const response = document.paths[template]?.[method.toLowerCase()]?.responses[status]
  if (!response) return [`${method} ${template} does not tell of ${status}`]
  const place = response.$ref?.slice(1) ?? pointer
  const validate = ajv.compile({ $ref: `api#${encodeURI(place)}/content/application~1json/schema` })
  return validate(body) ? [] : (validate.errors ?? [])
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Lists the paths of properties without description; a reference has the description of its schema. */
function undescribed(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const schema = value as { type?: unknown; properties?: Record<string, { description?: string; $ref?: string }> }
  const own = schema.type === 'object' ? Object.entries(schema.properties ?? {}) : []
  const missing = own.filter(([, one]) => !one.description && !one.$ref).map(([key]) => `${path}.${key}`)
  return [...missing, ...Object.entries(value).flatMap(([key, inner]) => undescribed(inner, `${path}/${key}`))]
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1
}
