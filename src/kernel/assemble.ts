import { z } from 'zod'
import { computeOnce } from '../lib/lazy.ts'
import { PREFIXES } from '../requests/surface.ts'
import type { SearchField } from '../search/schema.ts'
import { sql } from '../sql.ts'
import type { BoundField, Definition, FieldPosition, ReadableKey, Registry, Resource } from './definition.ts'
import { findResource, typeOf } from './resources.ts'

/** Builds the registry of all resources. {@throws Error} for a name that is declared twice, or referred to and not declared */
export function assemble(definitions: readonly Definition[]): Registry {
  const registry = new Map<string, Resource>()
  for (const definition of definitions) {
    if (registry.has(definition.name)) throw new Error(`two resources are named ${definition.name}`)
    registry.set(definition.name, complete(definition, registry))
  }
  const resources = [...registry.values()]
  const referrers = Map.groupBy(
    resources.flatMap((resource) => resource.placed.map((placed) => ({ resource, placed }))),
    ({ placed: { field } }) => field.refersTo?.onDelete && registry.get(field.refersTo.resource)?.table,
  )
  for (const resource of resources) (resource as Linked).links = buildLinks(resource) // the lists of others need them
  for (const resource of resources) {
    link(resource, referrers.get(resource.table) ?? [])
    verify(resource)
  }
  return registry
}

/** What is known of a resource only once all are: see `link`. */
type Linked = {
  -readonly [K in 'searchSchema' | 'referrers' | 'writable' | 'links' | 'lists' | 'borrowsPermissions']: Resource[K]
}

function complete(definition: Definition, registry: Registry): Resource {
  const findTarget = (other: string) => findResource(registry, other)
  const { name, words = {}, permissions = {}, visibility, routes = {}, records } = definition
  const { plural = `${name}s`, word = name, called } = words
  const { surface = 'core', parents = {}, nestedOnly = false, namedBy, ...routeFacts } = routes
  const table = records?.table ?? plural
  const placed = Object.entries(definition.fields).map(([fieldName, field]): BoundField => {
    const at: FieldPosition = { name: fieldName, resource: { name, plural, table }, target: findTarget }
    const { elsewhere } = field
    const column = field.column?.(at)
    const auditKey = column?.name ?? elsewhere?.auditedAs(at) ?? fieldName
    return { name: fieldName, field, at, column, elsewhere, key: column?.name ?? fieldName, auditKey }
  })
  const readable: Resource['readable'] = {
    ...BUILT_IN,
    ...Object.assign({}, ...placed.map(({ field, at }) => field.readable(at))),
    ...definition.readable,
  }
  return {
    ...definition,
    ...visibility,
    plural,
    word,
    called,
    type: typeOf(definition),
    surface,
    path: `${PREFIXES[surface]}/${words.word === undefined ? plural : `${word}s`}`,
    parents,
    nestedOnly,
    namedBy,
    routeFacts,
    table,
    permission: permissions.word ?? plural,
    furtherPermissions: permissions.further ?? [],
    operations: definition.operations ?? ['list', 'show', 'create', 'update', 'delete'],
    taxable: visibility?.taxable ?? false,
    audited: definition.audited ?? true,
    placed,
    byName: new Map(placed.map((one) => [one.name, one])),
    stored: placed.filter(({ column, elsewhere }) => column || elsewhere),
    columns: placed.flatMap(({ name, column }) => (column ? [{ ...column, field: name }] : [])),
    elsewhere: placed.flatMap((one) => (one.elsewhere ? [{ ...one, elsewhere: one.elsewhere }] : [])),
    links: new Map(),
    writable: {},
    readable,
    times: Object.keys(readable).filter((key) => readable[key]?.time),
    lists: new Map(),
    deletedView: definition.views.deleted ?? [
      'id',
      ...placed.flatMap(({ field, column }) => (column && !field.secret ? [column.name] : [])),
      'created_at',
      'updated_at',
    ],
    searchSchema: { resource: name, table, fields: [] },
    registry,
    borrowsPermissions: false,
    referrers: [],
  }
}

const TIME = '2026-03-31 14:25:36 UTC'

const BUILT_IN: Readonly<Record<string, ReadableKey>> = {
  id: {
    schema: () => z.int().meta({ description: 'Unique among the records of its kind.', examples: [1] }),
    sql: (alias) => sql.ref(`${alias}.id`),
  },
  created_at: momentOf('created_at', 'Time of creation.'),
  updated_at: momentOf('updated_at', 'Time of the last change.'),
}

function momentOf(column: string, description: string): ReadableKey {
  const schema = () => z.string().meta({ description, examples: [TIME] })
  return { schema, sql: (alias) => sql.ref(`${alias}.${column}`), time: true }
}

const ID: SearchField = { name: 'id', type: 'integer', column: 'id', explicit: true }

function buildLinks({ placed, registry }: Resource): Resource['links'] {
  const links = placed.flatMap(({ name, field, column }) =>
    column && field.refersTo
      ? [[name, { target: findResource(registry, field.refersTo.resource), column: column.name }] as const]
      : [],
  )
  return new Map(links)
}

function link(resource: Resource, referrers: Resource['referrers']): void {
  const linked = resource as Linked
  const named = [...resource.registry.values()].find(({ plural }) => plural === resource.permission)
  const keys = resource.placed.flatMap(({ field, at }) => Object.entries(field.writable(at)))
  linked.writable = Object.fromEntries(keys.map(([name, key]) => [name, { ...key, schema: computeOnce(key.schema) }]))
  linked.searchSchema = {
    resource: resource.name,
    table: resource.table,
    fields: [ID, ...resource.placed.flatMap(({ field, at }) => field.search(at)), ...(resource.search ?? [])],
    order: resource.views.order ?? resource.label ?? 'id',
  }
  linked.referrers = referrers
  linked.borrowsPermissions = named !== undefined && named.table !== resource.table
  const lists = Object.entries(resource.readable).flatMap(([key, { names }]) =>
    names ? [[key, names()] as const] : [],
  )
  linked.lists = new Map(lists)
}

function verify(resource: Resource): void {
  const { name, views, readable, fields } = resource
  for (const key of [...views.list, ...views.show, ...resource.deletedView]) {
    if (!readable[key]) throw new Error(`${name}: a view names ${key}, which no field gives`)
  }
  for (const field of Object.values(fields).flatMap(({ secret }) => secret?.sentTo ?? [])) {
    if (!fields[field]) throw new Error(`${name}: a secret is sent by ${field}, which is no field`)
  }
}
