import { createHash } from 'node:crypto'
import { wrapText } from '../../src/cli/wrapped.ts'
import { formatMarkdownTable, formatType, type Schema } from './text.ts'

interface Parameter extends Schema {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Schema
}
interface Media {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}
interface Operation extends Schema {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: Media & { readonly required: boolean }
  readonly responses: Readonly<Record<string, Media & { readonly $ref?: string }>>
}
/** The parts of an OpenAPI document of this service that are used here. */
export interface Described {
  readonly info: Schema
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Schema>>
    readonly securitySchemes: Readonly<Record<string, Schema>>
  }
}

type SharedParameters = Described['components']['parameters']

/** Formats the document for review: a text for each group by its name, and `README.md` for what all share. */
export function formatOpenapi(document: Described): Map<string, string> {
  const common = findCommonProperties(document)
  const owners = ownersOf(document)
  const texts = new Map([['README.md', formatShared(document, common)]])
  for (const { name, description } of document.tags) {
    const seen = new Map<string, string>()
    const operations = operationsOf(document).filter(({ operation }) => operation.tags[0] === name)
    const schemas = Object.entries(document.components.schemas).filter(([title]) => owners.get(title) === name)
    const parts = [
      `${name}: ${description}`,
      ...operations.map((one) => formatOperation(one, document.components.parameters, seen)),
      ...formatSchemas(schemas, common),
    ]
    texts.set(`${name}.txt`, `${parts.join('\n\n')}\n`)
  }
  return texts
}

interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

function operationsOf({ paths }: Described): Placed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** Formats an operation; one with the schemas of an earlier one refers to it. */
function formatOperation(
  { method, path, operation }: Placed,
  shared: SharedParameters,
  seen: Map<string, string>,
): string {
  const { operationId, deprecated, security } = operation
  const permissions = operation['x-millwright-permission'] as readonly string[] | undefined // the document's own key
  const access = permissions?.join(' or ') ?? ((security as unknown[]).length === 0 ? 'no login' : 'any login')
  const marks = [operation['x-millwright-own'] ? 'own' : '', deprecated ? 'deprecated' : ''].filter(Boolean)
  const head = [`${method} ${path}`, operationId, [access, ...marks].join(', '), hashOf(operation)].join('  ')
  const contents = contentsOf(operation, shared)
  const known = seen.get(contents)
  if (known) return `${head}\n    as ${known}`
  seen.set(contents, operationId)
  return `${head}\n    ${operation.summary}\n${contents}`
}

function contentsOf({ parameters = [], requestBody, responses }: Operation, shared: SharedParameters): string {
  const asked = parameters.flatMap((one) => {
    if (!('$ref' in one)) return one.in === 'query' ? [formatParameter(one)] : []
    const name = nameOf(String(one.$ref))
    return shared[name]?.in === 'query' ? [name] : []
  })
  const body = requestBody && `body${requestBody.required ? '' : '?'}: ${formatMedia(requestBody)}`
  const done = Object.entries(responses).filter(([, { $ref }]) => !$ref)
  const refused = Object.entries(responses).filter(([, { $ref }]) => $ref)
  const answers = [
    ...done.map(([status, answer]) => `${status} ${formatMedia(answer)}`.trim()),
    refused.map(([status]) => status).join(' '),
  ]
  const lines = [asked.length > 0 ? `query: ${asked.join(', ')}` : '', body ?? '', `answers: ${answers.join('; ')}`]
  return lines
    .filter(Boolean)
    .map((line) => wrapText(line, '    '))
    .join('\n')
}

function formatMedia({ content = {} }: Media): string {
  return Object.entries(content)
    .map(([type, { schema }]) => (type === 'application/json' ? formatType(schema) : `${type} ${formatType(schema)}`))
    .join(' or ')
}

function formatParameter({ name, required, schema }: Parameter): string {
  return `${name}${required ? '' : '?'}: ${formatType(schema)}`
}

/** Formats schemas property by property; properties that all groups share, or one above has, are only named. */
function formatSchemas(schemas: readonly (readonly [string, Schema])[], common: ReadonlySet<string>): string[] {
  const seen = new Set<string>()
  return schemas.map(([title, schema]) => {
    const lines = propertiesOf(schema)
    const own = lines.filter(([, line]) => !common.has(line) && !seen.has(line))
    const formatNamed = (which: ReadonlySet<string>, word: string) => {
      const names = lines.filter(([, line]) => which.has(line)).map(([name]) => name)
      return names.length > 0 ? [wrapText(`${word}: ${names.join(', ')}`, '    ')] : []
    }
    const text = [
      `${title}  ${hashOf(schema)}`,
      ...(lines.length === 0 ? [`    ${formatType(schema)}`] : []),
      ...own.map(([, line]) => wrapText(line, '    ')),
      ...formatNamed(common, 'as everywhere'),
      ...formatNamed(seen, 'as above'),
    ]
    for (const [, line] of own) seen.add(line)
    return text.join('\n')
  })
}

/** Yields the names of properties with their descriptions. */
function propertiesOf(schema: Schema): [string, string][] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  return properties.map(([name, inner]) => {
    const description = typeof inner.description === 'string' ? `  ${inner.description}` : ''
    const marks = inner.writeOnly ? ' (never answered)' : ''
    return [name, `${name}${required.has(name) ? '' : '?'}: ${formatType(inner)}${marks}${description}`]
  })
}

/** Lists the properties that schemas of many groups describe equally. */
function findCommonProperties(document: Described): Set<string> {
  const owners = ownersOf(document)
  const groups = new Map<string, Set<string>>()
  for (const [title, schema] of Object.entries(document.components.schemas)) {
    for (const [, line] of propertiesOf(schema)) {
      groups.set(line, (groups.get(line) ?? new Set()).add(owners.get(title) ?? ''))
    }
  }
  return new Set([...groups].filter(([, { size }]) => size >= MANY).map(([line]) => line))
}

const MANY = 8

/** Assigns each schema to the first group whose operations use it. */
function ownersOf(document: Described): Map<string, string> {
  const owners = new Map<string, string>()
  const note = (value: unknown, group: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { $ref } = value as { readonly $ref?: unknown }
    if (typeof $ref === 'string' && $ref.startsWith('#/components/schemas/') && !owners.has(nameOf($ref))) {
      owners.set(nameOf($ref), group)
      note(document.components.schemas[nameOf($ref)], group)
    }
    for (const inner of Object.values(value)) note(inner, group)
  }
  for (const { operation } of operationsOf(document)) note(operation, operation.tags[0] ?? '')
  return owners
}

function formatShared(document: Described, common: ReadonlySet<string>): string {
  const { parameters, responses, securitySchemes, schemas } = document.components
  const { paths, components: _parts, tags: _groups, ...head } = document
  const order = [Object.keys(paths), Object.keys(schemas), document.tags]
  return `${[
    INTRODUCTION,
    `The beginning of the document: ${hashOf(head)}. The order of paths, schemas and groups: ${hashOf(order)}.`,
    '## Parameters of queries and paths',
    formatMarkdownTable(
      ['parameter', 'in', 'what it is', 'hash'],
      Object.values(parameters).map((one) => [
        formatParameter(one),
        one.in,
        String(one.description ?? ''),
        hashOf(one),
      ]),
    ),
    '## Answers that any operation can give',
    formatMarkdownTable(['name', 'when', 'hash'], Object.entries(responses).map(formatDescribedRow)),
    '## Ways to log in',
    formatMarkdownTable(['name', 'what it is', 'hash'], Object.entries(securitySchemes).map(formatDescribedRow)),
    '## What records of many kinds have',
    [...common].map((line) => `- ${line}`).join('\n'),
  ].join('\n\n')}\n`
}

function formatDescribedRow([name, part]: [string, Schema]): string[] {
  return [name, String(part.description ?? ''), hashOf(part)]
}

const INTRODUCTION = `# The API in short

What \`/api/openapi.json\` says, a file for each group. An operation has its name, the permission it asks for, and a hash of all
that is said of it: a hash that changed alone is a description, an example or a detail that the short form leaves out. \`name?\`
may be missing, \`(1..255)\` are bounds, \`[…]\` is a list. Schemas stand in the first group that uses them.`

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8)
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}
