import type { IncomingHttpHeaders } from 'node:http'
import { type Surface, surfaceOf } from '../kernel/surface.ts'
import type { ErrorAnswer } from './errors.ts'
import { canonicalPath } from './paths.ts'
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
  /** The part of the API that a path as it is routed belongs to. */
  readonly surface: (path: string) => Surface
  /** An error in its words. */
  readonly error: (answer: ErrorAnswer) => ErrorAnswer
}

/** The words of the specification. */
export const PLAIN: Dialect = {
  path: canonicalPath,
  // A version in the path counts more than one in `Accept`; there is only one.
  refusesVersion: (url, { accept }) => !/^(?:\/content)?\/api\/v2/.test(url) && asksForAnotherVersion(accept),
  everywhere: {},
  headers: (version, { organization, location }) => ({
    'millwright-version': version,
    'millwright-api-version': '2',
    'millwright-current-organization': organization ?? '; ANY',
    'millwright-current-location': location ?? '; ANY',
  }),
  surface: surfaceOf,
  error: (answer) => answer,
}

/** Whether an `Accept` header names a version, and not 2. */
export function asksForAnotherVersion(accept: string | undefined): boolean {
  const version = /version=(\d+)/.exec(accept ?? '')?.[1]
  return version !== undefined && version !== '2'
}
