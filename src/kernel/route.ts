import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Walk } from '../search/index.ts'
import type { Resource } from './definition.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What a route requires of the caller before anything else is looked at (core-api §7.2). */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'login' }
  /** Any of the permissions; with `own`, callers without it are let in but reach only their own records. */
  | { readonly kind: 'permission'; readonly anyOf: readonly string[]; readonly own: boolean }

/** A request as handlers get it: parsed, limited in size, with query and body merged for methods without a body. */
export interface Input {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  /** By lower-case name; absent when the request did not come over HTTP. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Reads the record that answers a write; null: nobody needs it. Absent: it is read at once, in the `show` view. */
  readonly reading?: ((tx: Context, resource: Resource, id: number) => unknown) | null
  /** Where a list starts when the client continues from a record instead of asking for a page by number. */
  readonly walk?: Walk
}

export interface Answer {
  readonly status: number
  /** Undefined: the answer has no body. */
  readonly body?: unknown
  /** A body that is sent in pieces; the signal tells when the client is gone. */
  readonly stream?: (signal: AbortSignal) => AsyncIterable<string>
  readonly headers?: Readonly<Record<string, string>>
}

/** Facts that HTTP needs about a route beside method and path. */
export interface RouteFacts {
  /** Not allowed in a batch: it concerns the login of one request, begins transactions or asks other machines. */
  readonly alone?: true
  /** Open to smart proxies and trusted hosts without a login (docs/decisions/0017-machines.md). */
  readonly forMachines?: true
  /** May take long: a task for clients that prefer that (RFC 7240). With `alone`, it may be executed again. */
  readonly long?: true
  /** What processes remember that it makes outdated: identities (users and their permissions), or settings. */
  readonly invalidates?: 'identities' | 'settings'
}

/** One operation of the API: everything that HTTP, OpenAPI, the permission page and the command line know about it. */
export interface Route extends RouteFacts {
  readonly method: Method
  /** With `:name` segments; without version prefix, trailing slash and `.json`, which are removed before routing. */
  readonly path: string
  /** Unique name, e.g. `architectures.list`. */
  readonly id: string
  /** Plural word that groups routes in the documentation. */
  readonly group: string
  readonly summary: string
  /** The resource that the route is about. */
  readonly resource?: string
  /** A list or show route, which a replica of the database can answer. */
  readonly reads?: true
  /** Locks its record and writes in a transaction of its own. */
  readonly locks?: true
  readonly access: Access
  /** The date since when it is deprecated (RFC 9745). */
  readonly deprecated?: Date
  /** Largest body in bytes, for routes that take more than the default. */
  readonly bodyLimit?: number
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** A status that routes of its method do not usually answer. */
  readonly refuses?: 412 | 422
  readonly answers: Readonly<Record<number, z.ZodType | null>>
  readonly handle: (ctx: Context, input: Input) => Promise<Answer>
}

/** What declares an action beside its handler. */
export interface ActionFacts extends RouteFacts {
  readonly method: Method
  /** Relative to the resource's path, e.g. `/:id/clone`. */
  readonly path: string
  /** Parents that have this action as well, e.g. `host`. */
  readonly below?: readonly string[]
  readonly name: string
  readonly summary: string
  /** Any of these is needed; default: the one to edit. */
  readonly permissions?: readonly string[]
  /** Callers without the permission may use it on their own records; `handle` ensures that. */
  readonly own?: true
  /** Keys of its query beside those of every request. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  readonly body?: z.ZodType
  /** The body is that of this operation. */
  readonly takes?: 'create' | 'update'
  /** Schema of the answer; default: the `show` view, or what `outputs` names, with the keys that it `adds`. */
  readonly output?: z.ZodType
  readonly outputs?: 'deleted' | 'list'
  /** May answer 204 without a body. */
  readonly mayBeEmpty?: true
  readonly adds?: Readonly<Record<string, z.ZodType>>
  readonly status?: number
  /** Schema of the answer (200) when the query asks for a preview, which stores nothing. */
  readonly previews?: z.ZodType
  /** A status that actions of its method do not usually answer. */
  readonly refuses?: 412 | 422
}
