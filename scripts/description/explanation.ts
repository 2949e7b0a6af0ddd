import { z } from 'zod'
import { wrapText } from '../../src/cli/wrapped.ts'
import type { BoundField, Registry, Resource } from '../../src/kernel/definition.ts'
import type { Access, Route } from '../../src/requests/route.ts'
import type { SearchField } from '../../src/search/index.ts'
import { formatColumns, formatType } from './text.ts'

/** Formats a list of all resources, one a line. */
export function formatOverview(registry: Registry, routes: readonly Route[]): string {
  const rows = [...registry.values()].map((resource) => [
    resource.name,
    `${routes.filter(({ group }) => group === resource.plural).length} routes`,
    resource.summary,
  ])
  return `${formatColumns(rows)}\n\nnpm run explain NAME tells more: a resource, its plural or a route such as architectures.create.`
}

/** Describes a resource: its facts, fields, routes, permissions, schemas and search fields. */
export function formatExplanation(resource: Resource, routes: readonly Route[]): string {
  return [
    `${resource.name}: ${resource.summary}`,
    formatSection('Facts', formatColumns(factsOf(resource))),
    formatSection('Fields', formatColumns(resource.placed.map(formatFieldRow))),
    formatSection('Routes', formatColumns(routes.map(routeRow))),
    formatSection('Permissions', formatColumns(formatPermissionRows(resource, routes))),
    formatSection('Schemas', schemasOf(routes)),
    formatSection('Search fields', formatColumns(resource.searchSchema.fields.map(searchRow))),
  ].join('\n')
}

function formatSection(title: string, text: string): string {
  return `\n${title}\n${text}`
}

function factsOf(resource: Resource): string[][] {
  const { table, type, label, taxable, audited, parents, searchSchema } = resource
  return [
    ['table', table],
    ['type', type],
    ['called by', label ?? 'its id'],
    ['order', searchSchema.order ?? 'id'],
    ['belongs to locations and organizations', taxable ? 'yes' : 'no'],
    ['audited', audited ? 'yes' : 'no'],
    ['lists nest under', Object.keys(parents).join(', ') || 'nothing'],
  ]
}

function formatFieldRow({ name, field, at, column }: BoundField): string[] {
  const keys = Object.keys(field.writable(at))
  const marks = [field.required ? 'required' : '', field.secret ? 'secret' : '', keys.length === 0 ? 'read only' : '']
  return [name, field.kind, column ? `${column.name} ${column.type}` : '-', marks.filter(Boolean).join(', '), field.doc]
}

function routeRow({ method, path, id, access }: Route): string[] {
  return [method, path, id, formatAccess(access)]
}

function formatAccess(access: Access): string {
  if (access.kind === 'public') return 'no login needed'
  if (access.kind === 'login') return 'any login'
  return access.anyOf.join(' or ') + (access.own ? '; none for own records' : '')
}

function formatPermissionRows(resource: Resource, routes: readonly Route[]): string[][] {
  const needed = routes.flatMap(({ access }) => (access.kind === 'permission' ? access.anyOf : []))
  const names = [...new Set([...needed, ...resource.furtherPermissions])]
  const operationsOf = (name: string) =>
    routes.filter(({ access }) => access.kind === 'permission' && access.anyOf.includes(name)).map(operationOf)
  return names.map((name) => [name, [...new Set(operationsOf(name))].join(', ') || 'asked for by the resource itself'])
}

/** Yields `create` from `operatingsystems.architectures.create`. */
export function operationOf({ id }: Pick<Route, 'id'>): string {
  return id.slice(id.lastIndexOf('.') + 1)
}

/** Formats request and answer schemas, each once. */
function schemasOf(routes: readonly Route[]): string {
  const seen = new Map<string, string>()
  const lines: string[] = []
  const note = (title: string, schema: z.ZodType, io: 'input' | 'output') => {
    const text = formatType(z.toJSONSchema(schema, { io }))
    const known = seen.get(text)
    if (!known) seen.set(text, title)
    lines.push(`  ${title}`, wrapText(known ? `the same as: ${known}` : text, '    '))
  }
  for (const route of chooseOnePerOperation(routes)) {
    if (route.body) note(`${operationOf(route)} is sent`, route.body, 'input')
    for (const [status, answer] of Object.entries(route.answers)) {
      if (answer) note(`${operationOf(route)} answers ${status}`, answer, 'output')
    }
  }
  return lines.join('\n')
}

function chooseOnePerOperation(routes: readonly Route[]): Route[] {
  return [...new Map([...routes].reverse().map((route) => [operationOf(route), route])).values()].reverse()
}

function searchRow({ name, aliases = [], type, explicit, through }: SearchField): string[] {
  const also = aliases.length > 0 ? `also ${aliases.join(', ')}` : ''
  return [
    name,
    type,
    explicit ? '' : 'free text',
    through ? `through ${through.map(({ table }) => table).join(', ')}` : '',
    also,
  ]
}
