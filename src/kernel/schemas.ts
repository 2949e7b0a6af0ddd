import { z } from 'zod'
import { contentListQuery, listQuery, textParameter } from '../requests/paging.ts'
import { type Resource, typeOf } from './definition.ts'
import { buildObjectSchema } from './fields/link.ts'
import type { Operation } from './record.ts'

/** The schemas of the query parameters of every request. */
export const contextQuery = {
  organization_id: textParameter('Organization the request is about, by id or title.'),
  location_id: textParameter('Location the request is about, by id or title.'),
}

/** Builds the schemas of the query parameters of a list: pages and searches, and parents by their names and older words. */
export function buildListQuery({ surface, parents, registry, wire }: Resource): Record<string, z.ZodType> {
  const words = Object.keys(parents).map((parent) => registry.get(parent)?.word ?? parent)
  const known = words.map((word) => [`${word}_id`, textParameter(`Only those that belong to this ${word}.`)])
  const aliases = Object.entries(wire?.aliases ?? {}).filter(([, name]) => known.some(([id]) => id === name))
  const older = aliases.map(([alias, name]) => [alias, textParameter(`An older word for ${name}.`)])
  return { ...listQuery, ...(surface === 'content' && contentListQuery), ...Object.fromEntries([...known, ...older]) }
}

/** Builds the schemas of the query parameters that add keys to the view of an operation, or leave only some. */
export function buildAskedQuery({ views }: Resource, operation: Operation): Record<string, z.ZodType> {
  const askable = (views.asked ?? []).filter(({ shows }) => operation === 'list' || (shows && operation === 'show'))
  const parameters = Map.groupBy(askable, ({ parameter }) => parameter)
  const asks = Object.fromEntries(
    [...parameters].map(([parameter, asked]) => {
      const words = asked.flatMap(({ words }) => words)
      const what = asked.map(({ words, keys, alone }) => `${words[0]}: ${keys.join(', ')}${alone ? ' alone' : ''}`)
      return [
        parameter,
        z
          .union([z.string(), z.array(z.string())])
          .optional()
          .meta({ description: `What else is shown, or what alone. ${what.join('; ')}.`, examples: words.slice(0, 1) }),
      ]
    }),
  )
  return operation === 'list' || operation === 'show' ? { ...asks, ...views.query } : asks
}

/** Yields the title of a view's schema in the description of the API, e.g. `ArchitectureInList`. */
function titleOf({ name, views, deletedView }: Resource, view: readonly string[]): string {
  const suffix = view === views.show ? '' : view === views.list ? 'InList' : view === deletedView ? 'Deleted' : 'Part'
  return `${typeOf({ name })}${suffix}`
}

/** Builds the schema of a record in the keys of a view. */
export function buildRecordSchema(resource: Resource, view: readonly string[]): z.ZodObject {
  return buildObjectSchema(resource, view).meta({ title: titleOf(resource, view), description: resource.summary })
}

/** Builds the schema of a single record; keys that a query has to ask for are optional. */
export function buildShownSchema(resource: Resource, operation: Operation): z.ZodObject {
  if (operation === 'delete') return buildRecordSchema(resource, resource.deletedView)
  const whole = buildRecordSchema(resource, resource.views.show)
  const keys = (resource.views.asked ?? []).filter(({ shows }) => shows).flatMap((asked) => asked.keys)
  if (keys.length === 0) return whole
  return whole
    .extend(buildRecordSchema(resource, keys).partial().shape)
    .meta({ title: `${typeOf({ name: resource.name })}Shown`, description: resource.summary })
}

/** Builds the schema of a record in a list; keys that a query has to ask for are optional. */
function buildListedSchema(resource: Resource): z.ZodType {
  const { list, asked = [] } = resource.views
  const whole = buildRecordSchema(resource, list)
  if (asked.length === 0) return whole
  const added = buildRecordSchema(
    resource,
    asked.filter(({ alone }) => !alone).flatMap(({ keys }) => keys),
  ).partial()
  const alone = asked.filter((one) => one.alone).map(({ keys }) => buildRecordSchema(resource, keys))
  return z.union([whole.extend(added.shape), ...alone]).meta({ description: resource.summary })
}

/** Builds the schema of a page of the resource's records, with title and description. */
export function buildListEnvelope(resource: Resource): z.ZodType {
  return buildPageSchema(buildListedSchema(resource), resource.surface).meta({
    title: `${typeOf({ name: resource.name })}List`,
    description: `A page of ${resource.plural.replaceAll('_', ' ')}.`,
  })
}

/** Builds the schema of a page of records (spec 2.1); pages of the content surface have further keys. */
export function buildPageSchema(record: z.ZodType, surface: Resource['surface']): z.ZodObject {
  const sort = z.object({
    by: z.string().nullable().meta({ description: 'The field named in `order`.' }),
    order: z.string().nullable().meta({ description: 'Its direction, ASC or DESC.' }),
  })
  return z.object({
    total: z.int().meta({ description: 'Records that the caller may see.' }),
    subtotal: z.int().meta({ description: 'Records among `total` that the search finds.' }),
    page: z.int().meta({ description: 'Number of this page.', examples: [1] }),
    per_page: z.int().meta({ description: 'Records on a full page; with `all`, how many there are.', examples: [20] }),
    search: z.string().nullable().meta({ description: 'The search, as sent.' }),
    can_create: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the caller may create one; with include_permissions.' }),
    can_edit: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the caller may change some; with include_permissions.' }),
    sort: sort.meta({ description: 'The order, as sent.' }),
    results: z.array(record).meta({ description: 'The records of this page.' }),
    ...(surface === 'content' && contentEnvelope),
  })
}

/** Keys of the envelope that only lists below `/content/api` have (content-api §1.2). */
const contentEnvelope = {
  selectable: z.int().meta({ description: 'Records that the search finds.' }),
  error: z.null().meta({ description: 'Always null: a search that cannot be understood is refused.' }),
}

/** Builds the schema of a body with the keys under the resource's word; `readAttributes` takes them at the top level, too. */
export function buildBodySchema(resource: Resource, operation: Operation): z.ZodType {
  const isNew = operation === 'create'
  const required = new Set(
    isNew ? resource.placed.filter(({ field }) => field.required).map(({ name, column }) => column?.name ?? name) : [],
  )
  const keys = Object.entries(resource.writable).map(([key, { schema, initial }]) => {
    const told = isNew && initial !== undefined ? schema().meta({ default: initial }) : schema()
    return [key, required.has(key) ? told : told.optional()]
  })
  const title = `${typeOf({ name: resource.name })}${isNew ? 'ToCreate' : 'ToUpdate'}`
  return z.object({
    [resource.word]: z.object(Object.fromEntries(keys)).meta({ title, description: resource.summary }),
  })
}
