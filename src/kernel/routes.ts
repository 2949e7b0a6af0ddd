import { z } from 'zod'
import { addLazy, computeOnce, makeLazy } from '../lib/lazy.ts'
import { contextQuery } from '../requests/paging.ts'
import type { Access, Method, Route, RouteFacts } from '../requests/route.ts'
import { withPresentNames } from '../requests/sent.ts'
import { PREFIXES } from '../requests/surface.ts'
import { permissionOf, permitsOwn } from './authorize.ts'
import type { Action, Handler, Registry, Resource } from './definition.ts'
import { runAction } from './operations/action.ts'
import { create } from './operations/create.ts'
import { remove } from './operations/delete.ts'
import { list } from './operations/list.ts'
import { show } from './operations/show.ts'
import { update } from './operations/update.ts'
import type { Operation } from './record.ts'
import {
  buildAskedQuery,
  buildBodySchema,
  buildListEnvelope,
  buildListQuery,
  buildRecordSchema,
  buildShownSchema,
} from './schemas.ts'
import { taxonomiesOf } from './scope.ts'
import { createSuggestionRoute } from './suggestions.ts'

/** Builds all routes of the declared resources, as data for HTTP, OpenAPI, the permission page and tests. */
export function routesOf(registry: Registry): Route[] {
  return [...registry.values()].flatMap((resource) => [
    ...listStandard(resource, basesOf(resource, registry)),
    ...basesOf(resource, registry).flatMap((base) => listActionsAt(resource, base)),
    ...(resource.operations.includes('list') || resource.wire?.suggests
      ? [createSuggestionRoute(resource, accessOf(resource, 'list'))]
      : []),
  ])
}

/** A permission, and the class-like name of the resource that it is for. */
export interface PermissionDeclaration {
  readonly name: string
  readonly resourceType: string | null
}

/** Lists every permission that a route needs or a resource declares, sorted by name, with the type of its resource. */
export function permissionsOf(registry: Registry): PermissionDeclaration[] {
  const found = new Map<string, string | null>()
  // Where several resources share a permission word, the resource with that plural owns it.
  const note = (name: string, { plural, permission, type }: Resource) => {
    if (!found.has(name) || (plural === permission && name.endsWith(`_${plural}`))) found.set(name, type)
  }
  for (const resource of registry.values()) {
    const routes = [
      ...resource.operations.map((operation) => accessOf(resource, operation)),
      ...(resource.actions ?? []).map((action) => accessOfAction(resource, action)),
    ]
    for (const access of routes) {
      for (const name of access.kind === 'permission' ? access.anyOf : []) note(name, resource)
    }
    for (const name of resource.furtherPermissions) note(name, resource)
  }
  return [...found].map(([name, resourceType]) => ({ name, resourceType })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

interface Base {
  /** The parent resource of this path; null for the resource's own path. */
  readonly parent: string | null
  readonly path: string
  /** What the names of its routes begin with: `architectures` or `operatingsystems.architectures`, before `.list`. */
  readonly prefix: string
  /** Records can be created at this path. */
  readonly creates: boolean
  readonly operations: readonly Operation[]
}

function basesOf(resource: Resource, registry: Registry): Base[] {
  const { paths = {} } = resource.wire ?? {}
  const flat: Base = {
    parent: null,
    path: resource.path,
    prefix: resource.plural,
    creates: true,
    operations: paths.flat ?? (resource.nestedOnly ? [] : resource.operations),
  }
  const scopes = taxonomiesOf(resource).map(({ kind }) => kind)
  const nested = [...new Set([...Object.keys(resource.parents), ...scopes])].map((parent): Base => {
    const { plural = `${parent}s`, path = `/${parent}s`, word = parent } = registry.get(parent) ?? {}
    return {
      parent,
      path: `${PREFIXES[resource.surface]}/${lastWordOf(path)}/:${word}_id/${lastWordOf(resource.path)}`,
      prefix: `${plural}.${resource.plural}`,
      creates: resource.nestedOnly === true || mayBeChosen(resource, parent),
      operations: paths[parent] ?? resource.operations,
    }
  })
  const bases = [...nested, ...(resource.wire?.below ?? []).map((path) => buildDeeperBase(resource, path))]
  return resource.nestedOnly && !paths.flat ? bases : [flat, ...bases]
}

function lastWordOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function buildDeeperBase({ plural, operations, surface, parents }: Resource, path: string): Base {
  const words = path.split('/').filter((word) => !word.startsWith(':'))
  return {
    parent: words.at(-1) ?? path,
    path: `${PREFIXES[surface]}/${path}/${plural}`,
    prefix: [...words, plural].join('.'),
    creates: Object.keys(parents).every((parent) => path.includes(`:${parent}_id`)), // if the path names all
    operations,
  }
}

/** Whether a body may set the link to a parent: if not, no record is created below the parent either. */
function mayBeChosen(resource: Resource, parent: string): boolean {
  const placed = resource.byName.get(resource.parents[parent])
  return placed === undefined || Object.keys(placed.field.writable(placed.at)).length > 0
}

interface Standard {
  readonly method: Method
  readonly status: number
  readonly path: string
  readonly verb: 'view' | 'create' | 'edit' | 'destroy'
  /** What the summary begins with, before the name of the resource. */
  readonly does: string
  readonly handle: Handler
}

const STANDARD: Readonly<Record<Operation, Standard>> = {
  list: { method: 'GET', status: 200, path: '', verb: 'view', does: 'List', handle: list },
  show: { method: 'GET', status: 200, path: '/:id', verb: 'view', does: 'Show one', handle: show },
  create: { method: 'POST', status: 201, path: '', verb: 'create', does: 'Create a new', handle: create },
  update: { method: 'PUT', status: 200, path: '/:id', verb: 'edit', does: 'Change one', handle: update },
  delete: { method: 'DELETE', status: 200, path: '/:id', verb: 'destroy', does: 'Delete one', handle: remove },
}

/** Lists the routes of the five operations at each path; the schemas of an operation are built once for all of its paths. */
function listStandard(resource: Resource, bases: readonly Base[]): Route[] {
  const operations = resource.operations.map((operation) => [operation, schemasOf(resource, operation)] as const)
  return bases.flatMap((base) =>
    operations
      .filter(([operation]) => base.operations.includes(operation) && (operation !== 'create' || base.creates))
      .map(([operation, schemas]) => addLazy(buildStandard(resource, operation, base), schemas)),
  )
}

function buildStandard(resource: Resource, operation: Operation, base: Base): Omit<Route, 'answers'> {
  const { method, path, does, handle } = STANDARD[operation]
  const { deprecated, aliases, handlers } = resource.wire ?? {}
  const answer = handlers?.[operation] ?? handle
  const summary = `${does} ${(operation === 'list' ? resource.plural : resource.name).replaceAll('_', ' ')}`
  return {
    ...buildRoute(resource, base, { method, path, name: operation, summary }),
    ...(operation === 'update' || operation === 'delete' ? ({ locks: true } as const) : {}),
    access: accessOf(resource, operation),
    ...(deprecated?.operations.includes(operation) && { deprecated: deprecated.since }),
    handle: (ctx, input) => answer(ctx, resource, aliases ? withPresentNames(input, resource.word, aliases) : input),
  }
}

/** Builds what routes of operations and of actions have in common. */
function buildRoute(
  resource: Resource,
  base: Base,
  { method, path, name, summary }: Pick<Action, 'method' | 'path' | 'name' | 'summary'>,
) {
  return {
    method,
    path: `${base.path}${path}`,
    id: `${base.prefix}.${name}`,
    group: resource.plural,
    summary,
    resource: resource.name,
    ...resource.routeFacts,
    ...(method === 'GET' && name in STANDARD && ({ reads: true } as const)),
  }
}

/** Yields what computes the schemas of an operation: only documentation needs all, and together they are much memory. */
function schemasOf(resource: Resource, operation: Operation) {
  const { method, status } = STANDARD[operation]
  const describeListed = () => (operation === 'list' ? buildListQuery(resource) : {})
  return {
    query: computeOnce(() =>
      z.object({ ...contextQuery, ...describeListed(), ...buildAskedQuery(resource, operation) }),
    ),
    ...((method === 'POST' || method === 'PUT') && { body: computeOnce(() => buildBodySchema(resource, operation)) }),
    answers: computeOnce(() => buildStandardAnswers(resource, operation, status)),
  }
}

/** Describes the answers of an operation, each on first use. */
function buildStandardAnswers(resource: Resource, operation: Operation, status: number): Route['answers'] {
  const describe = () => (operation === 'list' ? buildListEnvelope(resource) : buildShownSchema(resource, operation))
  return makeLazy({ [status]: describe, ...(resource.wire?.mayBeEmpty?.includes(operation) && { 204: () => null }) })
}

function accessOf(resource: Resource, operation: Operation): Access {
  const permission = permissionOf(resource, STANDARD[operation].verb)
  return { kind: 'permission', anyOf: [permission], own: permitsOwn(resource, operation) }
}

function accessOfAction(resource: Resource, { permissions, own }: Action): Access {
  return { kind: 'permission', anyOf: permissions ?? [permissionOf(resource, 'edit')], own: own ?? false }
}

/** Lists routes of actions at one path: below a parent, those `below` it and in place of an operation, or all. */
function listActionsAt(resource: Resource, base: Base): Route[] {
  const { parent } = base
  const isThere = ({ name, below = [] }: Action) =>
    parent === null || resource.nestedOnly || name in STANDARD || below.includes(parent)
  return (resource.actions ?? []).filter(isThere).map((action): Route => {
    const { takes, body } = action
    const handle: Route['handle'] = (ctx, input) => runAction(action, ctx, resource, input)
    const describeListed = () => (action.outputs === 'list' ? buildListQuery(resource) : {})
    return addLazy(
      {
        ...buildRoute(resource, base, action),
        ...factsOf(action),
        access: accessOfAction(resource, action),
        ...(body && { body }),
        handle,
      },
      {
        query: computeOnce(() => z.object({ ...contextQuery, ...describeListed(), ...action.query })),
        ...(takes && { body: computeOnce(() => buildBodySchema(resource, takes)) }),
        answers: computeOnce(() => answersOf(resource, action)),
      },
    )
  })
}

function factsOf({ notInBatch, forMachines, invalidates, refuses }: Action): RouteFacts {
  const flags = { ...(notInBatch && { notInBatch }), ...(forMachines && { forMachines }) }
  return { ...flags, ...(invalidates && { invalidates }), ...(refuses && { refuses }) }
}

function answersOf(resource: Resource, action: Action): Route['answers'] {
  const { status = 200, previews } = action
  const output: Record<number, () => z.ZodType | null> = { [status]: () => outputOf(resource, action) }
  if (previews) output[200] = () => (status === 200 ? z.union([outputOf(resource, action), previews]) : previews)
  return makeLazy(action.mayBeEmpty ? { ...output, 204: () => null } : output)
}

function outputOf(resource: Resource, { output, outputs, adds }: Action): z.ZodType {
  if (output) return output
  if (outputs === 'list') return buildListEnvelope(resource)
  const shown = outputs ? buildRecordSchema(resource, resource.deletedView) : buildShownSchema(resource, 'show')
  return adds ? z.object({ ...shown.shape, ...adds }) : shown
}
