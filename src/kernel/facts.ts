import type { z } from 'zod'

/** The HTTP methods of routes. PATCH is routed like PUT, and HEAD like GET. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What a route requires of the caller before anything else is looked at (core-api §7.2). */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'login' }
  /** Any of the permissions; with `own`, callers without it are let in but reach only their own records. */
  | { readonly kind: 'permission'; readonly anyOf: readonly string[]; readonly own: boolean }

/** What a handler answers: a status with a body, a stream or neither. */
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
  /** Not allowed in a batch: the route concerns the login of one request, begins transactions or asks other machines. */
  readonly alone?: true
  /** Open to smart proxies and trusted hosts without a login (docs/decisions/0017-machines.md). */
  readonly forMachines?: true
  /** May take long: clients that prefer a task get one (RFC 7240). With `alone`, a task may call the handler again. */
  readonly long?: true
  /** What its writes make outdated of what processes remember: identities (users and their permissions), or settings. */
  readonly invalidates?: 'identities' | 'settings'
}

/** What the declaration of an action says beside its handler. */
export interface ActionFacts extends RouteFacts {
  readonly method: Method
  /** Relative to the resource's path, e.g. `/:id/clone`. */
  readonly path: string
  /** Parents that have this action as well, e.g. `host`. */
  readonly below?: readonly string[]
  readonly name: string
  readonly summary: string
  /** The permissions of which one is needed; default: the permission to edit records of the resource. */
  readonly permissions?: readonly string[]
  /** Callers without the permission may use it on their own records; `handle` ensures that. */
  readonly own?: true
  /** Schemas of the query parameters that the action reads beside those of every request. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  readonly body?: z.ZodType
  /** The operation whose body the action takes. */
  readonly takes?: 'create' | 'update'
  /** Schema of the answer; default: the `show` view, or what `outputs` names, with the keys that it `adds`. */
  readonly output?: z.ZodType
  readonly outputs?: 'deleted' | 'list'
  /** The action may answer 204 without a body. */
  readonly mayBeEmpty?: true
  readonly adds?: Readonly<Record<string, z.ZodType>>
  readonly status?: number
  /** Schema of the answer (200) when the query asks for a preview, which stores nothing. */
  readonly previews?: z.ZodType
  /** A status that actions of its method do not usually answer. */
  readonly refuses?: 412 | 422
}
