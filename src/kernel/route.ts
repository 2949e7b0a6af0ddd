import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Walk } from '../search/index.ts'
import type { Resource } from './definition.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What a route needs of the caller before anything else is looked at (core-api §7.2). */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'login' }
  /** One of the permissions; `own` lets in callers without it, who then see their own records only. */
  | { readonly kind: 'permission'; readonly anyOf: readonly string[]; readonly own: boolean }

/** A request as handlers see it: parsed, sized, and with query and body merged where the method has no body. */
export interface Input {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  /** By lower-case name; absent where there was no HTTP. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** How the record is read that a write answers with, absent: at once. Null: nobody reads it, the status is enough. */
  readonly reading?: ((tx: Context, resource: Resource, id: number) => unknown) | null
  /** Which page a list shall show in place of one with a number. */
  readonly walk?: Walk
}

export interface Answer {
  readonly status: number
  /** Undefined: no body. */
  readonly body?: unknown
  /** A body that comes in pieces, until its end or until the client is gone: then the signal says so. */
  readonly stream?: (signal: AbortSignal) => AsyncIterable<string>
  readonly headers?: Readonly<Record<string, string>>
}

/** What HTTP has to know of a route beside its method and path; stated where the route is. */
export interface RouteFacts {
  /** Not to be part of a batch: it is about the login of one request, begins transactions, or asks other machines. */
  readonly alone?: true
  /** Smart proxies and trusted hosts may ask without a login (docs/decisions/0017-machines.md). */
  readonly forMachines?: true
  /** May take long: a task does it for who prefers that (RFC 7240). One that is `alone`, too, may be begun again. */
  readonly long?: true
  /** After it has written, processes read anew what they remember of people or of the settings. */
  readonly invalidates?: 'identities' | 'settings'
}

/** One operation of the API: everything that HTTP, OpenAPI, the permission page and the command line need to know of it. */
export interface Route extends RouteFacts {
  readonly method: Method
  /** With `:name` segments; version, trailing slash and `.json` are gone before a request is routed. */
  readonly path: string
  /** Unique name, e.g. `architectures.list`. */
  readonly id: string
  /** Plural word that groups routes in documentation. */
  readonly group: string
  readonly summary: string
  /** The resource whose records it is about. */
  readonly resource?: string
  /** It reads a list or a record, which a replica of the database can do as well. */
  readonly reads?: true
  /** It locks its record before it writes, in a transaction of its own. */
  readonly locks?: true
  readonly access: Access
  /** Since when it is deprecated (RFC 9745). */
  readonly deprecated?: Date
  /** Bytes of the largest body it takes, where that is more than others take. */
  readonly bodyLimit?: number
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** A refusal that its method does not make one expect. */
  readonly refuses?: 412 | 422
  readonly answers: Readonly<Record<number, z.ZodType | null>>
  readonly handle: (ctx: Context, input: Input) => Promise<Answer>
}

/** What is said of an endpoint beside the five operations. */
export interface ActionFacts extends RouteFacts {
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
