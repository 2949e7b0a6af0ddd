import { z } from 'zod'
import type { Context } from '../context.ts'
import { rows } from '../database/sql.ts'
import { complete, SearchError, valuesStatement } from '../search/index.ts'
import { permissionFor, visible } from './authorize.ts'
import { ROOT, where } from './condition.ts'
import { single } from './input.ts'
import { create } from './operations/create.ts'
import { remove } from './operations/delete.ts'
import { list } from './operations/list.ts'
import { ownFor } from './operations/own.ts'
import { show } from './operations/show.ts'
import { update } from './operations/update.ts'
import { belowVisibleParents } from './operations/within.ts'
import { listQuery } from './paging.ts'
import { readableKeys } from './present.ts'
import type { Action, Operation, Registry, Resource } from './resource.ts'
import type { Access, Answer, Input, Method, Route } from './route.ts'
import { searchOptions } from './searching.ts'

/** The whole API of the declared resources, as data: HTTP, OpenAPI, the permission page and tests are folds over it. */
export function routesOf(registry: Registry): Route[] {
  return [...registry.values()].flatMap((resource) => [
    ...basesOf(resource, registry).flatMap((base) =>
      resource.operations
        .filter((operation) => operation !== 'create' || base.creates)
        .map((operation) => standard(resource, operation, base)),
    ),
    ...basesOf(resource, registry).flatMap((base) => actions(resource, base)),
    ...(resource.operations.includes('list') ? [suggestions(resource)] : []),
  ])
}

/** A permission and the class-like name of what it is for. */
export interface PermissionDeclaration {
  readonly name: string
  readonly resourceType: string | null
}

/** Every permission that some route asks for, with the type of its resource. */
export function permissionsOf(registry: Registry): PermissionDeclaration[] {
  const found = new Map<string, string | null>()
  // Where resources share a word, the one that is called by it owns its permissions.
  const note = (name: string, { plural, permission, type }: Resource) => {
    if (!found.has(name) || plural === permission) found.set(name, type)
  }
  for (const resource of registry.values()) {
    const routes = [...resource.operations.map((operation) => accessOf(resource, operation)), ...actionAccess(resource)]
    for (const access of routes) {
      for (const name of access.kind === 'permission' ? access.anyOf : []) note(name, resource)
    }
    for (const name of resource.permissions ?? []) note(name, resource)
  }
  return [...found].map(([name, resourceType]) => ({ name, resourceType })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

interface Base {
  readonly path: string
  /** Names of the operation's variants: `architectures.list` and `operatingsystems.architectures.list`. */
  readonly prefix: string
  /** Whether records are created here, too. */
  readonly creates: boolean
}

function basesOf(resource: Resource, registry: Registry): Base[] {
  const flat: Base = { path: `/api/${resource.plural}`, prefix: resource.plural, creates: true }
  const scopes = resource.taxable ? ['organization', 'location'] : []
  const nested = [...new Set([...Object.keys(resource.parents), ...scopes])].map((parent): Base => {
    const plural = registry.get(parent)?.plural ?? `${parent}s`
    return {
      path: `/api/${plural}/:${parent}_id/${resource.plural}`,
      prefix: `${plural}.${resource.plural}`,
      creates: resource.nestedOnly === true || mayBeChosen(resource, parent),
    }
  })
  return resource.nestedOnly ? nested : [flat, ...nested]
}

/** A path decides nothing that a body may not decide: below a user group, say, no user is created into it. */
function mayBeChosen(resource: Resource, parent: string): boolean {
  const placed = resource.placed.find(({ name }) => name === resource.parents[parent])
  return placed === undefined || Object.keys(placed.field.writable(placed.at)).length > 0
}

const METHODS: Readonly<
  Record<Operation, { method: Method; status: number; path: string; verb: 'view' | 'create' | 'edit' | 'destroy' }>
> = {
  list: { method: 'GET', status: 200, path: '', verb: 'view' },
  show: { method: 'GET', status: 200, path: '/:id', verb: 'view' },
  create: { method: 'POST', status: 201, path: '', verb: 'create' },
  update: { method: 'PUT', status: 200, path: '/:id', verb: 'edit' },
  delete: { method: 'DELETE', status: 200, path: '/:id', verb: 'destroy' },
}

const HANDLERS: Readonly<Record<Operation, (ctx: Context, resource: Resource, input: Input) => Promise<Answer>>> = {
  list,
  show,
  create,
  update,
  delete: remove,
}

const SUMMARIES: Readonly<Record<Operation, (resource: Resource) => string>> = {
  list: (resource) => `List ${resource.plural.replaceAll('_', ' ')}`,
  show: (resource) => `Show one ${resource.name.replaceAll('_', ' ')}`,
  create: (resource) => `Create a new ${resource.name.replaceAll('_', ' ')}`,
  update: (resource) => `Change one ${resource.name.replaceAll('_', ' ')}`,
  delete: (resource) => `Delete one ${resource.name.replaceAll('_', ' ')}`,
}

function standard(resource: Resource, operation: Operation, base: Base): Route {
  const { method, status, path } = METHODS[operation]
  return {
    method,
    path: `${base.path}${path}`,
    id: `${base.prefix}.${operation}`,
    group: resource.plural,
    summary: SUMMARIES[operation](resource),
    access: accessOf(resource, operation),
    query: z.object({ ...contextQuery, ...(operation === 'list' ? { ...listQuery, ...parentQuery(resource) } : {}) }),
    ...(method === 'POST' || method === 'PUT' ? { body: bodySchema(resource, operation) } : {}),
    answers: {
      [status]: operation === 'list' ? envelope(resource) : recordSchema(resource, viewOf(resource, operation)),
    },
    handle: (ctx, input) => HANDLERS[operation](ctx, resource, input),
  }
}

function accessOf(resource: Resource, operation: Operation): Access {
  const permission = permissionFor(resource, METHODS[operation].verb)
  return { kind: 'permission', anyOf: [permission], own: ownFor(resource, operation) }
}

function actionAccess(resource: Resource): Access[] {
  return (resource.actions ?? []).map(({ permissions, own }) => ({
    kind: 'permission',
    anyOf: permissions ?? [permissionFor(resource, 'edit')],
    own: own ?? false,
  }))
}

function actions(resource: Resource, base: Base): Route[] {
  return (resource.actions ?? []).map((action, index) => ({
    method: action.method,
    path: `${base.path}${action.path}`,
    id: `${base.prefix}.${action.name}`,
    group: resource.plural,
    summary: action.summary,
    access: actionAccess(resource)[index] ?? { kind: 'login' },
    query: z.object(contextQuery),
    ...(action.body && { body: action.body }),
    answers: { [action.status ?? 200]: outputOf(resource, action) },
    handle: (ctx, input) => action.handle(ctx, resource, input),
  }))
}

function outputOf(resource: Resource, { output, adds }: Action): z.ZodType {
  if (output) return output
  const shown = recordSchema(resource, resource.views.show)
  return adds ? z.object({ ...shown.shape, ...adds }) : shown
}

const contextQuery = {
  organization_id: z.string().optional().meta({ description: 'Organization the request is about, by id or title.' }),
  location_id: z.string().optional().meta({ description: 'Location the request is about, by id or title.' }),
}

function parentQuery(resource: Resource): Record<string, z.ZodType> {
  const parents = Object.keys(resource.parents).map((parent) => [
    `${parent}_id`,
    z
      .string()
      .optional()
      .meta({ description: `Only those that belong to this ${parent}.` }),
  ])
  return Object.fromEntries(parents)
}

function viewOf(resource: Resource, operation: Operation): readonly string[] {
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

function envelope(resource: Resource): z.ZodType {
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
      results: z.array(recordSchema(resource, resource.views.list)).meta({ description: 'The records of this page.' }),
    })
    .meta({ title: titled(resource.name, 'List'), description: `A page of ${resource.plural.replaceAll('_', ' ')}.` })
}

/** Wrapped under the resource's name; the same keys at the top level are read as well. */
function bodySchema(resource: Resource, operation: Operation): z.ZodType {
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

function suggestions(resource: Resource): Route {
  return {
    method: 'GET',
    path: `/api/${resource.plural}/auto_complete_search`,
    id: `${resource.plural}.auto_complete_search`,
    group: resource.plural,
    summary: `Suggest how a search of ${resource.plural.replaceAll('_', ' ')} could go on`,
    access: accessOf(resource, 'list'),
    query: z.object({ ...contextQuery, search: z.string().optional().meta({ description: 'What is typed so far.' }) }),
    answers: {
      200: z.array(
        z.union([
          suggestionSchema,
          z.object({ error: z.string().meta({ description: 'What is wrong with the search so far.' }) }),
        ]),
      ),
    },
    handle: (ctx, input) => suggest(ctx, resource, input),
  }
}

const suggestionSchema = z.object({
  completed: z.string().meta({ description: 'What stands before the part that is being typed.' }),
  part: z.string().meta({ description: 'That part, completed.' }),
  label: z.string().meta({ description: 'The whole search, completed.' }),
  category: z.string().meta({ description: '`Operators` for not, has, and, or; else blank.' }),
})

async function suggest(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const conditions = [...visible(ctx, resource, permissionFor(resource, 'view')), ...belowVisibleParents(ctx, resource)]
  try {
    const found = await complete(resource.searchSchema, single(input.query, 'search') ?? '', {
      ...searchOptions(ctx),
      values: async (wanted) => {
        const statement = valuesStatement(resource.searchSchema, wanted, ROOT, where(conditions))
        return (await rows<{ value: string }>(ctx.db, statement)).map(({ value }) => value)
      },
    })
    return { status: 200, body: found }
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    return { status: 200, body: [{ error: error.message }] }
  }
}
