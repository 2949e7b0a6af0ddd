import { z } from 'zod'
import type { Context } from '../context.ts'
import { permissionFor } from './authorize.ts'
import { create } from './operations/create.ts'
import { remove } from './operations/delete.ts'
import { list } from './operations/list.ts'
import { ownFor } from './operations/own.ts'
import { show } from './operations/show.ts'
import { update } from './operations/update.ts'
import type { Action, Operation, Registry, Resource } from './resource.ts'
import type { Access, Answer, Input, Method, Route } from './route.ts'
import {
  askedQuery,
  bodySchema,
  contextQuery,
  envelope,
  listQueryOf,
  parentQuery,
  recordSchema,
  shownSchema,
} from './schemas.ts'
import { taxonomiesOf } from './scope.ts'
import { suggestions } from './suggestions.ts'
import { PREFIXES } from './surface.ts'
import { deprecationOf, isSilent, wired } from './wire.ts'

/** The whole API of the declared resources, as data: HTTP, OpenAPI, the permission page and tests are folds over it. */
export function routesOf(registry: Registry): Route[] {
  return [...registry.values()].flatMap((resource) => [
    ...basesOf(resource, registry).flatMap((base) =>
      resource.operations
        .filter((operation) => base.operations.includes(operation) && (operation !== 'create' || base.creates))
        .map((operation) => standard(resource, operation, base)),
    ),
    ...basesOf(resource, registry).flatMap((base) => actions(resource, base)),
    ...(resource.operations.includes('list') || resource.wire?.suggests
      ? [suggestions(resource, accessOf(resource, 'list'))]
      : []),
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
    if (!found.has(name) || (plural === permission && name.endsWith(`_${plural}`))) found.set(name, type)
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
  readonly operations: readonly Operation[]
}

function basesOf(resource: Resource, registry: Registry): Base[] {
  const { paths = {} } = resource.wire ?? {}
  const flat: Base = {
    path: resource.path,
    prefix: resource.plural,
    creates: true,
    operations: paths.flat ?? (resource.nestedOnly ? [] : resource.operations),
  }
  const scopes = taxonomiesOf(resource).map(({ kind }) => kind)
  const nested = [...new Set([...Object.keys(resource.parents), ...scopes])].map((parent): Base => {
    const { plural = `${parent}s`, path = `/${parent}s`, word = parent } = registry.get(parent) ?? {}
    return {
      path: `${PREFIXES[resource.surface]}/${lastWord(path)}/:${word}_id/${lastWord(resource.path)}`,
      prefix: `${plural}.${resource.plural}`,
      creates: resource.nestedOnly === true || mayBeChosen(resource, parent),
      operations: paths[parent] ?? resource.operations,
    }
  })
  const bases = [...nested, ...(resource.wire?.below ?? []).map((path) => deeperBase(resource, path))]
  return resource.nestedOnly && !paths.flat ? bases : [flat, ...bases]
}

function lastWord(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function deeperBase({ plural, operations, surface }: Resource, path: string): Base {
  const words = path.split('/').filter((word) => !word.startsWith(':'))
  return {
    path: `${PREFIXES[surface]}/${path}/${plural}`,
    prefix: [...words, plural].join('.'),
    creates: false,
    operations,
  }
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
    ...deprecationOf(resource, operation),
    query: z.object({
      ...contextQuery,
      ...(operation === 'list' ? { ...listQueryOf(resource), ...parentQuery(resource) } : {}),
      ...askedQuery(resource, operation),
    }),
    ...(method === 'POST' || method === 'PUT' ? { body: bodySchema(resource, operation) } : {}),
    answers: standardAnswers(resource, operation, status),
    handle: wired(resource, operation, HANDLERS[operation]),
  }
}

function standardAnswers(resource: Resource, operation: Operation, status: number): Route['answers'] {
  const answers = { [status]: operation === 'list' ? envelope(resource) : shownSchema(resource, operation) }
  return isSilent(resource, operation) ? { ...answers, 204: null } : answers
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
  return (resource.actions ?? []).map(
    (action, index): Route => ({
      method: action.method,
      path: `${base.path}${action.path}`,
      id: `${base.prefix}.${action.name}`,
      group: resource.plural,
      summary: action.summary,
      access: actionAccess(resource)[index] ?? { kind: 'login' },
      query: z.object({
        ...contextQuery,
        ...(action.outputs === 'list' ? { ...listQueryOf(resource), ...parentQuery(resource) } : {}),
        ...action.query,
      }),
      ...(action.takes ? { body: bodySchema(resource, action.takes) } : action.body && { body: action.body }),
      ...(action.refuses && { refuses: action.refuses }),
      answers: answersOf(resource, action),
      handle: (ctx, input) => action.handle(ctx, resource, input),
    }),
  )
}

function answersOf(resource: Resource, action: Action): Route['answers'] {
  const { status = 200, previews } = action
  const written = outputOf(resource, action)
  const output: Record<number, z.ZodType> = { [status]: written }
  if (previews) output[200] = status === 200 ? z.union([written, previews]) : previews
  return action.mayBeEmpty ? { ...output, 204: null } : output
}

function outputOf(resource: Resource, { output, outputs, adds }: Action): z.ZodType {
  if (output) return output
  if (outputs === 'list') return envelope(resource)
  const shown = outputs ? recordSchema(resource, resource.deletedView) : shownSchema(resource, 'show')
  return adds ? z.object({ ...shown.shape, ...adds }) : shown
}
