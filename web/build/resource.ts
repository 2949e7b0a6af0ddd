import { OWN_USER_FIELDS } from '../../src/areas/access/index.ts'
import type { Registry, Resource } from '../../src/kernel/definition.ts'
import type { Route } from '../../src/requests/route.ts'
import type {
  Column,
  DescribedClone,
  DescribedOperation,
  FormField,
  OperationName,
  ResourceFull,
  ResourceShort,
} from '../src/resources/description.ts'
import { describeNested } from './nested.ts'
import { alternativesOf, createSchemaReader, type Document, type Schema, type SchemaReader, typeOf } from './schemas.ts'

const OPERATIONS: readonly OperationName[] = ['list', 'show', 'create', 'update', 'delete']

/** Describes a resource for the console: in short for all pages, and in full for its own. */
export function describeResource(
  resource: Resource,
  registry: Registry,
  routes: readonly Route[],
  document: Document,
): { readonly short: ResourceShort; readonly full: ResourceFull } {
  const reader = createSchemaReader(document)
  const find = (name: string) => findRoute(resource, routes, name)
  const [list, show, create, update] = ['list', 'show', 'create', 'update'].map(find)
  const short = {
    name: resource.name,
    plural: resource.plural,
    word: resource.word,
    surface: resource.surface,
    type: resource.type,
    label: labelOf(resource),
    operations: Object.fromEntries(OPERATIONS.flatMap((name) => operationOf(name, find(name)))),
    parents: Object.keys(resource.parents),
    within: list?.path.match(/:(\w+)_id/)?.[1] ?? null,
    ...cloneOf(resource, routes, reader),
    hasPast: show?.query?.shape.as_of !== undefined,
    completes: routes.some(({ id }) => id === `${resource.plural}.auto_complete_search`),
  }
  const columns = list
    ? columnsOf(
        resource,
        registry,
        reader.keysOf(recordOf(reader.keysOf(reader.answer('GET', list.path)).results)),
        reader,
      )
    : []
  const full = {
    summary: resource.summary,
    order: resource.views.order ?? resource.label ?? 'id',
    // What a column means is said where a record is shown.
    columns: columns
      .filter(isAlwaysListed(resource))
      .map(({ doc: _, ...column }) => ({ ...column, ...sortOf(resource, column.key) })),
    shown: show ? columnsOf(resource, registry, reader.keysOf(reader.answer('GET', show.path)), reader) : [],
    create: create ? fieldsOf(resource, { registry, routes, reader }, create) : [],
    update: update ? fieldsOf(resource, { registry, routes, reader }, update) : [],
    children: childrenOf(resource, registry, routes),
  }
  return { short, full }
}

/** Keys that a list has only on request would be empty columns. */
function isAlwaysListed({ views }: Resource): (column: Column) => boolean {
  const asked = new Set((views.asked ?? []).flatMap(({ keys }) => keys))
  return ({ key }) => views.list.includes(key) || !asked.has(key)
}

/**
 * Yields the schema of the records of a page; of grouped records that of the items, which the console lists (`recordsOf`).
 */
function recordOf(results: Schema | undefined): Schema | undefined {
  const plain = [results, ...(results?.anyOf ?? [])].find((one) => one?.items)
  if (plain) return plain.items
  const group = results?.additionalProperties as Schema | undefined // an object with names of groups as keys
  if (group?.additionalProperties === undefined) return group
  const text: Schema = { type: 'string' }
  return { properties: { host_name: text, name: text, value: group.additionalProperties as Schema } }
}

function findRoute({ plural, path }: Resource, routes: readonly Route[], name: string): Route | undefined {
  const own = routes.filter(({ id }) => id === `${plural}.${name}`)
  const nested = routes.filter(({ id, group }) => group === plural && id.endsWith(`.${plural}.${name}`))
  return own.find((route) => route.path.startsWith(path)) ?? own[0] ?? nested[0]
}

function operationOf(
  name: OperationName,
  route: Route | undefined,
): [OperationName, ResourceShort['operations'][OperationName]][] {
  return route ? [[name, describeOperation(route)]] : []
}

function describeOperation({ access, path, method, notInBatch }: Route): DescribedOperation {
  const permissions = access.kind === 'permission' ? access.anyOf : []
  const own = access.kind === 'permission' && access.own
  return { path, method, permissions: [...permissions], own, alone: notInBatch === true }
}

/** Yields how the API copies a record; the name of the copy stands under its own key, or below the word of the resource. */
function cloneOf(
  resource: Resource,
  routes: readonly Route[],
  reader: SchemaReader,
): { readonly clone?: DescribedClone } {
  const { plural, word } = resource
  const route = ['clone', 'copy'].map((name) => findRoute(resource, routes, name)).find((one) => one !== undefined)
  if (!route?.id.startsWith(`${plural}.`)) return {}
  const { properties = {} } = reader.body(route.method, route.path)
  const keys = Object.keys(properties[word] ? reader.keysOf(properties[word]) : properties)
  const name = ['name', 'new_name'].find((key) => keys.includes(key))
  return name === undefined
    ? {}
    : { clone: { ...describeOperation(route), word: properties[word] ? word : null, name } }
}

/** Yields the key by which people know a record. */
function labelOf({ label, views }: Resource): string {
  const keys = new Set([...views.list, ...views.show])
  return [label, 'title', 'name', 'login', 'label'].find((key) => key !== undefined && keys.has(key)) ?? 'id'
}

/** Yields the search field that a column is sorted by. */
function sortOf({ searchSchema }: Resource, key: string): Pick<Column, 'sort'> {
  const names = new Set(searchSchema.fields.filter(({ column }) => column !== null).map(({ name }) => name))
  const word = [key, key.replace(/_(?:name|title)$/, '')].find((one) => names.has(one))
  return word === undefined || key.endsWith('_id') ? {} : { sort: word }
}

function columnsOf(
  resource: Resource,
  registry: Registry,
  keys: Record<string, Schema>,
  reader: SchemaReader,
): Column[] {
  // Answers of the past alone name what is unknown.
  const present = Object.entries(keys).filter(([key]) => key !== 'unknown')
  return present.map(([key, schema]) => ({
    key,
    kind: kindOf(key, schema, reader),
    doc: schema.description ?? '',
    ...targetOf(resource, registry, key, keys),
  }))
}

function kindOf(key: string, schema: Schema, reader: SchemaReader): Column['kind'] {
  const type = typeOf(schema)
  if (type === 'boolean' || type === 'integer' || type === 'number') return type
  if (type === 'string') return /_(?:at|on)$|^last_\w+$/.test(key) && isTime(schema) ? 'time' : 'text'
  if (type === 'object') return 'object'
  if (type === 'array') return Object.hasOwn(reader.keysOf(arrayOf(schema).items), 'id') ? 'records' : 'values'
  return 'any'
}

function arrayOf(schema: Schema): Schema {
  return alternativesOf(schema).find(({ items }) => items) ?? schema
}

function isTime({ examples }: Schema): boolean {
  return examples === undefined || /^\d{4}-\d\d-\d\d[ T]/.test(String(examples[0]))
}

/** Yields where a value links to: `domain_name` to the domain of `domain_id`, a list of records to each of them. */
function targetOf(resource: Resource, registry: Registry, key: string, keys: Record<string, Schema>): Partial<Column> {
  const base = key.replace(/_(?:id|name|title|login)$/, '')
  const field = resource.fields[base] ?? resource.fields[key]
  const target = field?.refersTo?.resource ?? (registry.has(base) ? base : undefined)
  const found = target === undefined ? undefined : registry.get(target)
  if (!found) return {}
  if (key.endsWith('_id')) return { target: found.plural, idKey: key }
  if (base !== key && Object.hasOwn(keys, `${base}_id`)) return { target: found.plural, idKey: `${base}_id` }
  return base === key ? { target: found.plural } : {}
}

interface Api {
  readonly registry: Registry
  readonly routes: readonly Route[]
  readonly reader: SchemaReader
}

function fieldsOf(resource: Resource, api: Api, route: Route): FormField[] {
  const { registry, reader } = api
  const body = reader.body(route.method, route.path)
  const inner = reader.resolve(body.properties?.[resource.word] ?? body)
  const keys = reader.keysOf(inner)
  const owners = new Map(
    resource.placed.flatMap(({ name, field, at }) => {
      const written = field.writable(at)
      // A field that is accepted under several names is shown under its own.
      const isAlias = (key: string) => key !== at.name && written[key] === written[at.name]
      return Object.keys(written).map((key) => [key, { name, field, isAlias: isAlias(key) }] as const)
    }),
  )
  const required = new Set(inner.required ?? [])
  const fields = Object.entries(keys).flatMap(([key, schema]): FormField[] => {
    const owner = owners.get(key)
    if (owner?.isAlias || isOtherSpelling(key, keys, owner?.field.refersTo !== undefined)) return []
    const target = owner?.field.refersTo?.resource ?? findTargetByName(key, registry)
    const kind = owner?.field.kind
    return [
      {
        key,
        doc: docOfPart(key, owner?.name, registry) ?? owner?.field.doc ?? schema.description ?? '',
        required: required.has(key),
        ...widgetOf(
          key,
          schema,
          target === undefined ? undefined : registry.get(target),
          owner?.field.secret !== undefined,
          kind,
        ),
        ...limitsOf(schema),
        ...kindOfTarget(key, keys, registry),
        ...onlyOf(resource, key, owner?.name),
        ...describeNested(schema, {
          reader,
          fieldOf: (inner, given, isRequired) => fieldOfKey(inner, given, isRequired, resource),
          partsOf: () => partsOf(resource, key, api),
        }),
      },
    ]
  })
  // What an id names is chosen first.
  const listBefore = ({ kindKey }: FormField) => fields.filter(({ key }) => key === kindKey)
  const moved = new Set(fields.flatMap(listBefore))
  return fields.filter((field) => !moved.has(field)).flatMap((field) => [...listBefore(field), field])
}

/** Yields what is said of a value of a part, where the owner accepts it as its own: the address of its primary interface. */
function docOfPart(key: string, field: string | undefined, registry: Registry): string | undefined {
  const part = [...registry.values()].find(({ plural }) => plural === field)
  return part?.fields[key.replace(/_id$/, '')]?.doc
}

/** Describes a key inside of a value; the environments of content are other ones than those of configuration. */
function fieldOfKey(key: string, schema: Schema, required: boolean, { surface, registry }: Resource): FormField {
  const found = findTargetByName(key, registry)
  const name = surface === 'content' && found === 'environment' ? 'lifecycle_environment' : found
  const target = name === undefined ? undefined : registry.get(name)
  return {
    key,
    doc: schema.description ?? '',
    required,
    ...widgetOf(key, schema, target, false, undefined),
    ...limitsOf(schema),
  }
}

/** Describes records that are written together with their owner: `interfaces_attributes` are interfaces of a host. */
function partsOf(owner: Resource, key: string, api: Api): Pick<FormField, 'fields' | 'from'> | null {
  const word = key.replace(/_attributes$/, '')
  const part = [...api.registry.values()].find(({ plural }) => word === plural || word.endsWith(`_${plural}`))
  const create = word === key || !part ? undefined : findRoute(part, api.routes, 'create')
  if (!part || !create) return null
  const fields = fieldsOf(part, api, create).filter(({ target }) => target !== owner.plural)
  return { fields, from: part.plural }
}

/** Describes an id whose kind another key names: `owner_id` is a user or a group, as `owner_type` says. */
function kindOfTarget(
  key: string,
  keys: Record<string, Schema>,
  registry: Registry,
): Partial<Pick<FormField, 'widget' | 'target' | 'kindKey'>> {
  const kindKey = key.replace(/_id$/, '_type')
  const types = kindKey === key ? [] : choicesOf(keys[kindKey] ?? {})
  const [first, ...others] = types.map((type) => [...registry.values()].find((one) => one.type === type))
  return first && others.every(Boolean) ? { widget: 'reference', target: first.plural, kindKey } : {}
}

/** Yields who may write a field, where that is not everybody who may write the record (core-api §7.3). */
function onlyOf({ name }: Resource, key: string, field: string | undefined): Pick<FormField, 'only'> {
  if (key === 'admin') return { only: 'administrators' }
  return name !== 'user' || OWN_USER_FIELDS.has(field ?? key) ? {} : { only: 'permitted' }
}

function choicesOf(schema: Schema): readonly string[] {
  const choices = schema.enum ?? schema.anyOf?.find((one) => one.enum)?.enum ?? []
  return choices.filter((one) => one !== null).map(String)
}

/** Tells whether a key is another way to send a link (name, title, objects): forms send the id. */
function isOtherSpelling(key: string, keys: Record<string, Schema>, isLink: boolean): boolean {
  const [, base, form] = /^(.*)_(names?|titles?|logins?|labels?)$/.exec(key) ?? []
  if (base !== undefined && form !== undefined) {
    const id = form.endsWith('s') ? `${base}_ids` : `${base}_id`
    if (Object.hasOwn(keys, id)) return true
  }
  const singular = key.replace(/ies$/, 'y').replace(/(ss)es$|s$/, '$1')
  const ids = [`${key}_id`, `${singular}_ids`, `${key === 'media' ? 'medium' : key}_ids`]
  return isLink && ids.some((id) => Object.hasOwn(keys, id))
}

/** Yields the resource that a key names: `subnet_id` and `subnet6_id` are ids of subnets. */
function findTargetByName(key: string, registry: Registry): string | undefined {
  const base = key.replace(/_ids?$/, '')
  return base === key ? undefined : [base, base.replace(/\d+$/, '')].find((name) => registry.has(name))
}

function widgetOf(
  key: string,
  schema: Schema,
  target: Resource | undefined,
  secret: boolean,
  kind: string | undefined,
): Pick<FormField, 'widget' | 'target' | 'choices'> {
  const type = typeOf(schema)
  if (target && key.endsWith('_ids')) return { widget: 'references', target: target.plural }
  if (target && key.endsWith('_id')) return { widget: 'reference', target: target.plural }
  const choices = choicesOf(schema)
  if (choices.length > 0) return { widget: 'choice', choices }
  if (type === 'boolean') return { widget: 'switch' }
  if (secret || /password|secret/.test(key)) return { widget: 'secret' }
  if (type === 'integer' || type === 'number') return { widget: 'number' }
  const isList = type === 'array' || alternativesOf(schema).some((one) => one.type === 'string')
  if (isList && ['string', 'integer'].includes(typeOf(arrayOf(schema).items ?? {}))) return { widget: 'values' }
  if (type === 'string' && (kind === 'source' || /^(?:template|layout)$/.test(key))) return { widget: 'template' }
  if (type === 'string') return { widget: isLong(key, schema) ? 'long' : 'text' }
  // Any value is accepted: a text is typed, which the service parses by the type beside it.
  return { widget: type === 'any' && schema.type === undefined && !schema.anyOf ? 'value' : 'json' }
}

function isLong(key: string, { maxLength = 0 }: Schema): boolean {
  return maxLength > 4000 || /^(?:comment|description|key|(?:\w+_)?certificate|override_value_order)$/.test(key)
}

function limitsOf(schema: Schema): Pick<FormField, 'maximum' | 'minimum' | 'maxLength' | 'nullable' | 'initial'> {
  const { maximum, minimum, maxLength, default: initial } = schema
  const nullable = [schema.type].flat().includes('null') || schema.anyOf?.some(({ type }) => type === 'null') === true
  return {
    nullable,
    ...(maximum !== undefined && { maximum }),
    ...(minimum !== undefined && { minimum }),
    ...(maxLength !== undefined && { maxLength }),
    ...(initial !== undefined && { initial }),
  }
}

/** Lists the resources below a record: `hosts/:host_id/interfaces`. */
function childrenOf(resource: Resource, registry: Registry, routes: readonly Route[]): ResourceFull['children'] {
  return [...registry.values()].flatMap((child) => {
    if (!Object.hasOwn(child.parents, resource.name)) return []
    const parameter = `:${resource.name}_id/`
    const path = routes.find(
      ({ method, path: at, id }) =>
        method === 'GET' &&
        at.includes(parameter) &&
        id.endsWith(`.${child.plural}.list`) &&
        at.match(/:/g)?.length === 1,
    )?.path
    return path === undefined ? [] : [{ resource: child.plural, path }]
  })
}
