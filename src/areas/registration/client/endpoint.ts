import type { X509Certificate } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { Answer, Input, Method } from '../../../requests/route.ts'

/** The request to an endpoint. */
export interface Call {
  readonly input: Input
  /** The client certificate of the connection; null: a user, or anybody. */
  readonly certificate: X509Certificate | null
  /** The body, if it is a list. */
  readonly list: readonly unknown[] | null
  /** The host name by which the client addressed the service. */
  readonly through: string | null
}

/** A path that subscription clients use (content-api §5.4). */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  /** The permission that users without a certificate need; null: none, not even a login. */
  readonly permission: string | null
  /** Whether a host's certificate is accepted as login. */
  readonly byCertificate?: true
  /** Whether clients declare the JSON of the body as text. */
  readonly isText?: true
  /** Whether this request needs no login. A certificate is then optional and only tells who asks. */
  readonly opens?: (query: Input['query']) => boolean
  /** Called with the context of the user, or of the service for requests with a certificate or without login. */
  readonly handle: (ctx: Context, call: Call) => Promise<Answer>
}
