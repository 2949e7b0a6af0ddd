import { z } from 'zod'
import { readableKeys } from './present.ts'
import type { Operation, Resource } from './resource.ts'

/** Query keys of every request. */
export const contextQuery = {
  organization_id: z.string().optional().meta({ description: 'Organization the request is about, by id or title.' }),
  location_id: z.string().optional().meta({ description: 'Location the request is about, by id or title.' }),
}

/** Query keys of a list that name parents. */
export function parentQuery(resource: Resource): Record<string, z.ZodType> {
  const parents = Object.keys(resource.parents).map((parent) => [
    `${parent}_id`,
    z
      .string()
      .optional()
      .meta({ description: `Only those that belong to this ${parent}.` }),
  ])
  const aliases = Object.entries(resource.wire?.aliases ?? {}).filter(([, name]) => parents.some(([id]) => id === name))
  const aliased = aliases.map(([alias, name]) => [
    alias,
    z
      .string()
      .optional()
      .meta({ description: `An older word for ${name}.` }),
  ])
  return Object.fromEntries([...parents, ...aliased])
}

/** Query keys of a list that ask for more, or less, than its view. */
export function askedQuery({ views }: Resource): Record<string, z.ZodType> {
  const parameters = Map.groupBy(views.asked ?? [], ({ parameter }) => parameter)
  return Object.fromEntries(
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
}

/** The keys that an operation answers with. */
export function viewOf(resource: Resource, operation: Operation): readonly string[] {
  return operation === 'delete' ? resource.deletedView : resource.views.show
}

/** What the description of the API calls a record in one of its views, e.g. `ArchitectureInList`. */
function titleOf({ name, views, deletedView }: Resource, view: readonly string[]): string {
  return titled(
    name,
    view === views.show ? '' : view === views.list ? 'InList' : view === deletedView ? 'Deleted' : 'Part',
  )
}

function titled(name: string, suffix: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()) + suffix
}

/** The schema of a record in the keys of a view. */
export function recordSchema(resource: Resource, view: readonly string[]): z.ZodObject {
  const keys = readableKeys(resource, view).map(([key, readable]) => [key, readable.schema()])
  return z.object(Object.fromEntries(keys)).meta({ title: titleOf(resource, view), description: resource.summary })
}

/** A record of a list; the keys that only some queries ask for may be absent. */
function listedSchema(resource: Resource): z.ZodType {
  const { list, asked = [] } = resource.views
  const whole = recordSchema(resource, list)
  if (asked.length === 0) return whole
  const added = recordSchema(
    resource,
    asked.filter(({ alone }) => !alone).flatMap(({ keys }) => keys),
  ).partial()
  const alone = asked.filter((one) => one.alone).map(({ keys }) => recordSchema(resource, keys))
  return z.union([whole.extend(added.shape), ...alone]).meta({ description: resource.summary })
}

/** A page of records (spec 2.1). */
export function envelope(resource: Resource): z.ZodType {
  const sort = z.object({
    by: z.string().nullable().meta({ description: 'The field named in `order`.' }),
    order: z.string().nullable().meta({ description: 'Its direction, ASC or DESC.' }),
  })
  return z
    .object({
      total: z.int().meta({ description: 'Records that the caller may see.' }),
      subtotal: z.int().meta({ description: 'Those of them that the search finds.' }),
      page: z.int().meta({ description: 'Number of this page.', examples: [1] }),
      per_page: z
        .int()
        .meta({ description: 'Records on a full page; with `all`, how many there are.', examples: [20] }),
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
      results: z.array(listedSchema(resource)).meta({ description: 'The records of this page.' }),
    })
    .meta({ title: titled(resource.name, 'List'), description: `A page of ${resource.plural.replaceAll('_', ' ')}.` })
}

/** Wrapped under the resource's name; the same keys at the top level are read as well. */
export function bodySchema(resource: Resource, operation: Operation): z.ZodType {
  const required = new Set(
    operation === 'create'
      ? resource.placed.filter(({ field }) => field.required).map(({ name, column }) => column?.name ?? name)
      : [],
  )
  const keys = Object.entries(resource.writable).map(([key, { schema }]) => [
    key,
    required.has(key) ? schema : schema.optional(),
  ])
  const title = titled(resource.name, operation === 'create' ? 'ToCreate' : 'ToUpdate')
  return z.object({
    [resource.name]: z.object(Object.fromEntries(keys)).meta({ title, description: resource.summary }),
  })
}
