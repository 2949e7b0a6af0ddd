import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Input } from './definition.ts'
import type { Access, Answer, Method, RouteFacts } from './facts.ts'

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
  /** A list or show route, which a replica of the database can answer. */
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
  /** A status that routes of its method do not usually answer. */
  readonly refuses?: 412 | 422
  readonly answers: Readonly<Record<number, z.ZodType | null>>
  readonly handle: (ctx: Context, input: Input) => Promise<Answer>
}
