import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Stored } from './field.ts'
import type { Resource } from './resource.ts'
import type { Answer, Input, Method, RouteFacts } from './route.ts'

interface ActionFacts extends RouteFacts {
  readonly method: Method
  /** Below the resource's path, e.g. `/:id/clone`. */
  readonly path: string
  /** Parents of the resource below which it is as well, e.g. `host`. */
  readonly below?: readonly string[]
  readonly name: string
  readonly summary: string
  /** One of these is needed; default: the one that edits. */
  readonly permissions?: readonly string[]
  /** Callers without the permission may do it with their own records; `handle` sees to that. */
  readonly own?: true
  /** Keys of its query beside those of every request. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  readonly body?: z.ZodType
  /** Its body is that of this operation of the resource. */
  readonly takes?: 'create' | 'update'
  /** What it answers; default: the record in the keys of the `show` view, or what is named, and `adds` to it. */
  readonly output?: z.ZodType
  readonly outputs?: 'deleted' | 'list'
  /** Sometimes there is nothing to answer: 204 then. */
  readonly mayBeEmpty?: true
  readonly adds?: Readonly<Record<string, z.ZodType>>
  readonly status?: number
  /** What it answers instead, with 200, when its query asks what would happen; nothing is stored then. */
  readonly previews?: z.ZodType
  /** A refusal that its method does not make one expect. */
  readonly refuses?: 412 | 422
}

/** A further endpoint of the collection, or of what its path names otherwise. */
export interface CollectionAction extends ActionFacts {
  readonly record?: never
  readonly handle: (ctx: Context, resource: Resource, input: Input) => Promise<Answer>
}

/**
 * A further endpoint of one record, which is found below the parents that the request names, among those that the caller
 * may do this with, before the action is called.
 */
export interface RecordAction extends ActionFacts {
  /** `found` in these keys, or `locked` as it is stored, in a transaction that ends with the action. */
  readonly record:
    | { readonly how: 'found'; readonly keys?: readonly string[]; readonly permission?: string }
    | { readonly how: 'locked'; readonly permission?: string }
  readonly handle: (ctx: Context, resource: Resource, input: Input, record: Stored) => Promise<Answer>
}

export type Action = CollectionAction | RecordAction
