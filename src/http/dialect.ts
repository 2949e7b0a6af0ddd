import type { IncomingHttpHeaders } from 'node:http'
import type { Taxonomy } from '../kernel/index.ts'
import { type ErrorForm, errorFormOf } from '../requests/surface.ts'
import type { ErrorAnswer } from './answers/errors.ts'
import { canonicalizePath } from './paths.ts'

/**
 * How a listener speaks to its clients. All listeners have equal routes; they differ in the form of paths, the names of
 * headers, and the wording of errors.
 */
export interface Dialect {
  /** Converts the URL of a request to the form in which it is routed. */
  readonly path: (url: string) => string
  /** Tells whether a request asks for a version of the API that does not exist (core-api §2.1). */
  readonly refusesVersion: (url: string, headers: IncomingHttpHeaders) => boolean
  /** Headers of every answer, errors included. */
  readonly everywhere: Readonly<Record<string, string>>
  /** Headers of answers to admitted callers (core-api §2.8). */
  readonly headers: (version: string, context: ScopeNames) => Readonly<Record<string, string>>
  /** Tells whether a parameter that no schema of the route names is a word of this dialect. */
  readonly isKnownWord: (name: string) => boolean
  /**
   * The cookie that a login with a password is answered with, and that replaces the password from then on; null where
   * sessions are started explicitly.
   */
  readonly loginCookie: string | null
  /** Yields the form of errors for a routed path. */
  readonly errorForm: (path: string) => ErrorForm
  /** Yields the name under which classifications show a parameter that the service itself adds. */
  readonly nodeParameter: (name: string) => string
  /** Translates the answer for an error; `thrown` is the error itself, which may tell more. */
  readonly error: (answer: ErrorAnswer, thrown: unknown) => ErrorAnswer
}

/** Organization and location of a request for the headers of its answer: id and title, `4; Berlin`; null for any. */
export type ScopeNames = Readonly<Record<Taxonomy['kind'], string | null>>

/** The dialect of the specification. */
export const PLAIN: Dialect = {
  path: canonicalizePath,
  // A version in the path takes precedence over one in `Accept`; there is only one version.
  refusesVersion: (url, { accept }) => !/^(?:\/content)?\/api\/v2/.test(url) && isOtherVersionRequested(accept),
  everywhere: {},
  headers: (version, { organization, location }) => ({
    'millwright-version': version,
    'millwright-api-version': '2',
    'millwright-current-organization': organization ?? '; ANY',
    'millwright-current-location': location ?? '; ANY',
  }),
  isKnownWord: () => false,
  loginCookie: null,
  errorForm: errorFormOf,
  nodeParameter: (name) => name,
  error: (answer) => answer,
}

export { toErrorAnswer } from './answers/errors.ts'

/** Tells whether an `Accept` header names a version other than 2. */
function isOtherVersionRequested(accept: string | undefined): boolean {
  const version = /version=(\d+)/.exec(accept ?? '')?.[1]
  return version !== undefined && version !== '2'
}
