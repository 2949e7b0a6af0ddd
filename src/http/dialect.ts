import type { IncomingHttpHeaders } from 'node:http'
import { type Surface, surfaceOf } from '../kernel/surface.ts'
import type { ErrorAnswer } from './errors.ts'
import { canonicalizePath } from './paths.ts'
import type { ScopeNames } from './scope.ts'

/**
 * How a listener speaks to its clients. Routes are the same behind every one; what differs at the edge is how paths are
 * written, what the headers are called, and how errors are worded.
 */
export interface Dialect {
  /** The URL as it is routed, of the URL as it was sent. */
  readonly path: (url: string) => string
  /** Whether a request asks for a version of the API that there is not (core-api §2.1). */
  readonly refusesVersion: (url: string, headers: IncomingHttpHeaders) => boolean
  /** Headers of every answer, also of errors. */
  readonly everywhere: Readonly<Record<string, string>>
  /** Headers of answers to callers that were let in (core-api §2.8): values are ASCII. */
  readonly headers: (version: string, context: ScopeNames) => Readonly<Record<string, string>>
  /** The header that names what a request says in vain; null where clients send much that is not for them to leave out. */
  readonly ignoredHeader: string | null
  /**
   * The cookie that a login with a password is answered with, and that counts as that login from then on; null where
   * sessions are started on purpose.
   */
  readonly loginCookie: string | null
  /** The part of the API that a path as it is routed belongs to. */
  readonly surface: (path: string) => Surface
  /** What nodes know a parameter by that the service itself makes. */
  readonly nodeParameter: (name: string) => string
  /** An error in its words; what was thrown may tell more. */
  readonly error: (answer: ErrorAnswer, thrown: unknown) => ErrorAnswer
}

/** The words of the specification. */
export const PLAIN: Dialect = {
  path: canonicalizePath,
  // A version in the path counts more than one in `Accept`; there is only one.
  refusesVersion: (url, { accept }) => !/^(?:\/content)?\/api\/v2/.test(url) && isOtherVersionRequested(accept),
  everywhere: {},
  headers: (version, { organization, location }) => ({
    'millwright-version': version,
    'millwright-api-version': '2',
    'millwright-current-organization': organization ?? '; ANY',
    'millwright-current-location': location ?? '; ANY',
  }),
  ignoredHeader: 'millwright-ignored',
  loginCookie: null,
  surface: surfaceOf,
  nodeParameter: (name) => name,
  error: (answer) => answer,
}

/** Whether an `Accept` header names a version, and not 2. */
function isOtherVersionRequested(accept: string | undefined): boolean {
  const version = /version=(\d+)/.exec(accept ?? '')?.[1]
  return version !== undefined && version !== '2'
}
