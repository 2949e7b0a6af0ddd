import { z } from 'zod'
import { APPENDED } from '../database/appended-rows.ts'
import { buildPageSchema, contentListQuery, listQuery, textParameter } from '../requests/paging.ts'
import type { Resource } from './definition.ts'
import { buildObjectSchema } from './fields/links.ts'
import type { Operation } from './record.ts'
import { typeOf } from './resources.ts'

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
  const { audited, nestedOnly, views, summary } = resource
  const isRebuilt = audited && !nestedOnly && (view === views.show || view === views.list)
  const record = buildObjectSchema(resource, view).extend(isRebuilt ? { unknown: UNKNOWN } : {})
  return record.meta({ title: titleOf(resource, view), description: summary })
}

const UNKNOWN = z.array(z.string()).optional().meta({ description: 'With as_of: keys whose value then is not known.' })

/** Builds the schema of a single record; keys that a query must request are optional. */
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
  return buildPageSchema(buildListedSchema(resource), resource.surface, resource.table === APPENDED).meta({
    title: `${typeOf({ name: resource.name })}List`,
    description: `A page of ${resource.plural.replaceAll('_', ' ')}.`,
  })
}

/**
 * Builds the schema of a body with the keys under the resource's word; `readAttributes` also accepts them at the top
 * level.
 */
export function buildBodySchema(resource: Resource, operation: Operation): z.ZodType {
  const isNew = operation === 'create'
  const required = new Set(isNew ? resource.placed.flatMap(({ field, key }) => (field.required ? [key] : [])) : [])
  const keys = Object.entries(resource.writable).map(([key, { schema, initial }]) => {
    const told = isNew && initial !== undefined ? schema().meta({ default: initial }) : schema()
    return [key, required.has(key) ? told : told.optional()]
  })
  const title = `${typeOf({ name: resource.name })}${isNew ? 'ToCreate' : 'ToUpdate'}`
  return z.object({
    [resource.word]: z.object(Object.fromEntries(keys)).meta({ title, description: resource.summary }),
  })
}
