import type { z } from 'zod'
import { beginPortion, type Context } from '../context.ts'
import type { Walk } from '../search/index.ts'

/** The HTTP methods of routes. PATCH is routed like PUT, and HEAD like GET. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What a route requires of the caller before anything else is looked at (core-api §7.2). */
export type Access =
  | { readonly kind: 'public' }
  /** With `unlimited`, a token with limits does not suffice. */
  | { readonly kind: 'login'; readonly unlimited?: true }
  /** Any of the permissions; with `own`, callers without it and without limits are let in but reach only their own records. */
  | { readonly kind: 'permission'; readonly anyOf: readonly string[]; readonly own: boolean; readonly unlimited?: true }

/** What a handler answers: a status with a body, a stream or neither. */
export interface Answer {
  readonly status: number
  /** Undefined: the answer has no body. */
  readonly body?: unknown
  /** A body that is sent in pieces. */
  readonly stream?: Stream
  readonly headers?: Readonly<Record<string, string>>
}

const ASKS = Symbol('asks again for each piece')

/** A body that is sent in pieces; made by `createStream` alone. */
export interface Stream {
  readonly [ASKS]: true
  /** The signal tells when the client is gone. */
  readonly open: (signal: AbortSignal) => AsyncIterable<string | Uint8Array>
}

/** Creates a body in pieces, which ends with an error before the first piece that the caller may no longer have. */
export function createStream(ctx: Context, open: Stream['open']): Stream {
  async function* askEachTime(signal: AbortSignal): AsyncGenerator<string | Uint8Array> {
    for await (const piece of open(signal)) {
      await beginPortion(ctx)
      yield piece
    }
  }
  return { [ASKS]: true, open: askEachTime }
}

/** Facts that HTTP needs about a route beside method and path. */
export interface RouteFacts {
  /** Not allowed in a batch: the route concerns the login of one request, begins transactions or asks other machines. */
  readonly notInBatch?: true
  /** Open to smart proxies and trusted hosts without a login (docs/decisions/0017-machines.md). */
  readonly forMachines?: true
  /** What its writes make outdated of what processes remember: identities (users and their permissions), or settings. */
  readonly invalidates?: 'identities' | 'settings'
  /** The body is a form instead of JSON, as other servers send it. */
  readonly form?: true
  /** A token of a provider begins a session where the dialect has a login cookie. */
  readonly beginsSession?: true
  /** A status that routes of its method do not usually answer. */
  readonly refuses?: 412 | 422
}

/** A request as handlers get it: parsed, limited in size; the query of GET and DELETE includes the keys of a body. */
export interface Input {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  /** By lower-case name; absent when the request did not come over HTTP. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Reads the record that a write answers with, by its resource and id; null: nobody needs it. Absent: it is read at once. */
  readonly reading?: ((tx: Context, resource: string, id: number) => unknown) | null
  /** Where a list starts when the client continues from a record instead of asking for a page by number. */
  readonly walk?: Walk
}

/** One operation of the API: everything that HTTP, OpenAPI, the permission page and the command line know about it. */
export interface Route extends RouteFacts {
  readonly method: Method
  /** With `:name` segments; without version prefix, trailing slash and `.json`, which are removed before routing. */
  readonly path: string
  /** The unique name of the route, e.g. `architectures.list`. */
  readonly id: string
  /** Plural word that groups routes in the documentation. */
  readonly group: string
  readonly summary: string
  /** The name of the resource that the route is about. */
  readonly resource?: string
  /** A list or show route: a backup compares its answers before and after. */
  readonly reads?: true
  /** An update or deletion, which locks its record and writes in a transaction of its own. */
  readonly locks?: true
  readonly access: Access
  /** The date since when the route is deprecated (RFC 9745). */
  readonly deprecated?: Date
  /** Largest body in bytes, for routes that take more than the default. */
  readonly bodyLimit?: number
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  readonly answers: Readonly<Record<number, z.ZodType | null>>
  readonly handle: (ctx: Context, input: Input) => Promise<Answer>
}
