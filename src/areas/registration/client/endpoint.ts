import type { X509Certificate } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { Answer, Input, Method } from '../../../kernel/route.ts'

/** How somebody asks, beside what they ask. */
export interface Call {
  readonly input: Input
  /** The certificate that the connection was made with; null: a user asks, or nobody in particular. */
  readonly certificate: X509Certificate | null
  /** The body, where it is a list. */
  readonly list: readonly unknown[] | null
  /** The name that the service was asked by. */
  readonly through: string | null
}

/** One address that subscription clients ask (content-api §5.4). */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  /** Users without a certificate need it; null: everybody may ask. */
  readonly permission: string | null
  /** Whether certificates of hosts count here. */
  readonly byCertificate?: true
  /** Whether this request needs no login; a certificate is then no login either, and says only who asks. */
  readonly opens?: (query: Input['query']) => boolean
  /** Called as the service itself for whoever shows a certificate or needs no login, else as the user. */
  readonly handle: (ctx: Context, call: Call) => Promise<Answer>
}
