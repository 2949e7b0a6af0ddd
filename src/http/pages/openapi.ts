import { z } from 'zod'
import type { Route } from '../../requests/route.ts'
import { ERROR_ANSWERS, type ErrorStatus } from '../answers/error-answers.ts'
import { createSchemaWriter, type SchemaWriter } from './openapi-schemas.ts'

/** An OpenAPI document; only the keys that are named here are looked at. */
interface OpenApi {
  readonly openapi: string
  readonly info: object
  readonly [key: string]: unknown
}

/**
 * Builds the description of the whole API as an OpenAPI 3.1 document, from the schemas that validate requests and answers.
 */
export function buildOpenApi(routes: readonly Route[], version: string): OpenApi {
  const writer = createSchemaWriter()
  const parameters: Parameters = new Map()
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = buildOperation(route, writer, parameters)
  }
  const responses = buildSharedResponses(writer)
  return {
    openapi: '3.1.1',
    info: { title: 'Millwright', version, summary: SUMMARY, description: DESCRIPTION, license: LICENSE },
    servers: [SERVER],
    tags: [...new Set(routes.map(({ group }) => group))].map((name) => ({ name, ...describeGroup(name, routes) })),
    paths,
    components: {
      schemas: writer.components(),
      parameters: Object.fromEntries(parameters),
      responses,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

/**
 * Builds the route that serves the description of the API, this route included, without a login. The description has the
 * contact address of the settings.
 */
export function openApiRoute(routes: readonly Route[], version: string): Route {
  let write: ReturnType<typeof writerOf> | undefined
  const route: Route = {
    method: 'GET',
    path: '/api/openapi.json',
    id: 'service.openapi',
    group: 'service',
    summary: 'This description of the API',
    access: { kind: 'public' },
    answers: { 200: z.looseObject({ openapi: z.string().meta({ description: 'Version of the format.' }) }) },
    handle: async ({ settings: { administrator }, origin: { base } }) => {
      write ??= writerOf(buildOpenApi([...routes, route], version))
      return { status: 200, body: write(administrator, base || '/') }
    },
  }
  return route
}

/**
 * Creates the function that writes the document for a contact address and the URL of the service; the long rest of it is
 * written once.
 */
function writerOf({
  openapi: format,
  info,
  servers: _,
  ...rest
}: OpenApi): (administrator: string, url: string) => string {
  const ending = JSON.stringify(rest).slice(1)
  let last: { readonly administrator: string; readonly url: string; readonly text: string } | undefined
  return (administrator, url) => {
    if (last?.administrator === administrator && last.url === url) return last.text
    const contact = administrator === '' ? {} : { contact: { name: 'Administrator', email: administrator } }
    const reached = { info: { ...info, ...contact }, servers: [{ ...SERVER, url }] }
    const beginning = JSON.stringify({ openapi: format, ...reached }).slice(0, -1)
    last = { administrator, url, text: `${beginning},${ending}` }
    return last.text
  }
}

const SERVER = { url: '/', description: 'This service.' }
const SUMMARY = 'Administer infrastructure provisioning and content.'
const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' }
const DESCRIPTION = `Every path below \`/api\` is also there below \`/api/v2\`, with a slash at its end, and with \`.json\`. PATCH does what PUT does. A JSON body on GET and DELETE is read like the query.

Bodies hold their keys in an object under the name of the resource, or at the top level: both are read. Unknown and read-only keys are ignored; those that are unknown, also in the query, are named in \`Millwright-Ignored\`, and refused with 400 where the request says \`Prefer: handling=strict\`. Values of smart class parameters and overrides that do not fit are refused with 500 and one message; with \`Prefer: errors=by-field\` with 422 and messages by field, as everywhere else. Times are \`2026-03-31 14:25:36 UTC\`; a deleted record shows them as \`2026-03-31T14:25:36.000Z\`.

\`x-millwright-permission\` names the permissions of which a caller needs one; with \`x-millwright-own\` callers without it see and change their own records.

Answers carry \`X-Request-Id\`, the id of the request in logs and audits (a caller may send one of its own), \`Millwright-Version\`, \`Millwright-Api-Version\`, and in \`Millwright-Current-Organization\` and \`Millwright-Current-Location\` what the request was about: id and title, or \`; ANY\`. Those of GET carry an \`ETag\`: sent back as \`If-None-Match\` it gives 304 when nothing changed.

Lists have pages with numbers, and pages by key for who reads everything: with \`after=\` an answer has a \`Link\` with \`rel="next"\` until the last page. What is there all the time comes exactly once, whatever is made or deleted meanwhile; \`total\` and \`subtotal\` are those of the first page, and \`page\` is 1. With \`Accept: application/x-ndjson\` such a list comes whole, a record a line, read portion by portion as it is taken; with \`Accept: text/csv\` as a table (RFC 4180), where nested values are JSON and text that begins like a formula has an apostrophe before it.

Sent as \`If-Match\` with a write to a record the \`ETag\` of its GET makes the write depend on that nobody changed the record since: else 412 with the \`ETag\` of now, and nothing is stored. \`If-Unmodified-Since\` does the same with a time. Counts of other records, which change without this one, are left out of that comparison.`

const SECURITY_SCHEMES = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'Login and password, or login and a personal access token in its place.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'A personal access token.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'millwright_session',
    description: 'The cookie of a session, from POST /api/session.',
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description: 'Token that is sent with the cookie on every write; the answer that starts the session contains it.',
  },
}

/** Parameters by name: the first of a name becomes a component to which equal ones refer. */
type Parameters = Map<string, object>

function buildOperation(route: Route, writer: SchemaWriter, known: Parameters): object {
  const { access } = route
  const parameters = parametersOf(route, writer).map((parameter) => shareParameter(parameter, known))
  return {
    operationId: route.id,
    tags: [route.group],
    summary: route.summary,
    ...(route.deprecated && { deprecated: true }),
    ...(access.kind === 'permission' && {
      'x-millwright-permission': access.anyOf,
      ...(access.own && { 'x-millwright-own': true }),
    }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: describeRequestBody(route.body, writer) }),
    responses: responsesOf(route, writer),
  }
}

function securityOf({ method, access }: Route): object[] {
  if (access.kind === 'public') return []
  return [{ basic: [] }, { bearer: [] }, method === 'GET' ? { session: [] } : { session: [], csrf: [] }]
}

interface Parameter {
  readonly name: string
  readonly [keyword: string]: unknown
}

function shareParameter(parameter: Parameter, known: Parameters): object {
  const first = known.get(parameter.name)
  if (first && JSON.stringify(first) !== JSON.stringify(parameter)) return parameter
  known.set(parameter.name, parameter)
  return { $ref: `#/components/parameters/${parameter.name}` }
}

function parametersOf({ path, query }: Route, writer: SchemaWriter): Parameter[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: describeSegment(name),
    schema: { type: 'string' },
  }))
  const named = new Set(inPath.map(({ name }) => name))
  const inQuery = Object.entries(query?.shape ?? {}).filter(([name]) => !named.has(name))
  return [...inPath, ...inQuery.map(([name, schema]) => queryParameter(name, schema as z.ZodType, writer))]
}

function describeSegment(name: string): string {
  const whose = name === 'id' ? 'the record' : `the ${name.replace(/_id$/, '').replaceAll('_', ' ')}`
  return `Id of ${whose}, \`<id>-<anything>\`, or its exact name, title or login where it has one.`
}

function queryParameter(name: string, schema: z.ZodType, writer: SchemaWriter): Parameter {
  const { description, ...written } = writer.write(schema, 'input')
  return { name, in: 'query', required: !schema.safeParse(undefined).success, description, schema: written }
}

function describeRequestBody(body: z.ZodType, writer: SchemaWriter): object {
  return {
    description: 'The keys stand under the name of the resource, or at the top level without it: both are read.',
    required: !body.safeParse({}).success,
    content: { 'application/json': { schema: writer.write(body, 'input') } },
  }
}

function responsesOf(route: Route, writer: SchemaWriter): Record<string, object> {
  const answers = Object.entries(route.answers).map(([status, schema]) => [
    status,
    buildSuccess(status, schema, writer),
  ])
  const notModified = route.method === 'GET' ? [['304', { $ref: '#/components/responses/NotModified' }]] : []
  const others = errorsOf(route).filter((status) => !(status in route.answers))
  const errors = others.map((status) => [
    String(status),
    { $ref: `#/components/responses/${ERROR_ANSWERS[status].name}` },
  ])
  return Object.fromEntries([...answers, ...notModified, ...errors])
}

const DONE: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'A task does it.',
  204: 'Done; no body.',
  400: 'Refused, in the form of OAuth 2.0.',
}

function buildSuccess(status: string, schema: z.ZodType | null, writer: SchemaWriter): object {
  const type = schema?.meta()?.contentMediaType ?? 'application/json'
  const content = schema && { [String(type)]: { schema: writer.write(schema, 'output') } }
  return { description: DONE[status] ?? 'Done.', ...(content && { content }) }
}

/** Lists the errors that a route can answer with, besides its own answers. */
function errorsOf({ method, path, access, query, refuses }: Route): ErrorStatus[] {
  const reads = method === 'GET'
  const sends = method === 'POST' || method === 'PUT'
  const login = access.kind !== 'public'
  const possible: readonly [ErrorStatus, boolean][] = [
    [400, true],
    [401, login],
    [403, login],
    [404, path.includes(':') || query !== undefined],
    [409, method === 'DELETE'],
    [412, refuses === 412 || (!reads && path.includes(':'))],
    [413, !reads],
    [415, sends],
    [422, refuses === 422 || (!reads && access.kind === 'permission')],
    [500, true],
    [503, true],
  ]
  return possible.filter(([, is]) => is).map(([status]) => status)
}

function buildSharedResponses(writer: SchemaWriter): Record<string, object> {
  const errors = Object.values(ERROR_ANSWERS).map(({ name, description, schema }) => [
    name,
    { description, content: { 'application/json': { schema: writer.write(schema, 'output') } } },
  ])
  const notModified = { description: 'The representation named by `If-None-Match` is still current. No body.' }
  return { NotModified: notModified, ...Object.fromEntries(errors) }
}

/** Describes a group of routes by the description of the records that it lists. */
function describeGroup(group: string, routes: readonly Route[]): { description?: string } {
  const list = routes.find((route) => route.group === group && route.id.endsWith('.list'))?.answers[200]
  const results = list instanceof z.ZodObject ? list.shape.results : undefined
  const description = results instanceof z.ZodArray ? (results.element as z.ZodType).description : OTHER_GROUPS[group]
  return description === undefined ? {} : { description }
}

const OTHER_GROUPS: Readonly<Record<string, string>> = {
  service: 'The service itself: its health, its version, its description.',
  session: 'Logins of browsers.',
  access: 'Why somebody may do something or may not, and what a change would give and take.',
  states: 'Directories, smart proxies and periodic jobs that do not work.',
  batch: 'Many operations in one request.',
  configclasses: 'Classes of the configuration engine, which hosts are given, with their parameters.',
  events: 'What has happened: changes of records, logins, runs and tasks, in one order.',
  history: 'How a record has changed.',
  fact_values: 'What hosts have reported of themselves: names and values.',
  registration_commands: 'Commands that register a machine as a host, for its root to run.',
  playbook_inventories: 'Inventories of hosts for playbooks.',
}
