import { type ErrorCode, Failure, formatFullMessages } from '../../errors.ts'
import type { ErrorForm } from '../../requests/surface.ts'

/** The answer for an error, with a body of core-api §2.5. */
export interface ErrorAnswer {
  readonly status: number
  /** Undefined for an empty text/plain body. */
  readonly body: unknown
}

/** The message for faults of the service; the log has the details under the request id. */
const INTERNAL =
  'Internal Server Error: the server was unable to finish the request. There is more information in its log under this request id.'

/** Translates an error to the form that clients of a path expect. An error without one of our codes becomes a 500 without details. */
export function toErrorAnswer(error: unknown, form: ErrorForm = 'core'): ErrorAnswer {
  const failure = asFailure(error)
  if (form === 'oauth') return { status: failure?.status ?? 500, body: buildOAuthBody(failure) }
  if (form === 'content') {
    return { status: failure?.status ?? 500, body: failure ? buildContentBody(failure) : buildDisplayedBody(INTERNAL) }
  }
  return failure
    ? { status: failure.status, body: bodyOf(failure) }
    : { status: 500, body: { error: { message: INTERNAL } } }
}

/**
 * Builds the body of an error below `/content/api` (content-api §6). Errors about logins, permissions, scope and media types
 * have the body that they have everywhere.
 */
function buildContentBody(failure: Failure): unknown {
  switch (failure.code) {
    case 'unauthenticated':
    case 'locked_out':
    case 'disabled_account':
    case 'session_expired':
    case 'denied':
    case 'context_not_found':
    case 'wrong_media_type':
      return bodyOf(failure)
    case 'invalid': {
      const { errors = {}, item } = failure.details
      return {
        displayMessage: `Validation failed: ${formatFullMessages(errors).join(', ')}`,
        errors,
        ...(item && { item }),
      }
    }
    case 'unroutable':
      return buildDisplayedBody('Not Found')
    default:
      return buildDisplayedBody(failure.message)
  }
}

function buildDisplayedBody(message: string): unknown {
  return { displayMessage: message, errors: [message] }
}

/** Builds the body of an error below `/oauth` (RFC 6749 5.2). */
function buildOAuthBody(failure: Failure | null): unknown {
  if (failure === null) return { error: 'server_error', error_description: INTERNAL }
  const error = failure.status === 503 ? 'temporarily_unavailable' : 'invalid_request'
  return { error, error_description: failure.message }
}

/**
 * Tells whether an error needs attention: a status from 500 on, except for refusals that the contract answers with 500
 * (spec 7).
 */
export function isFault(error: unknown): boolean {
  return toErrorAnswer(error).status >= 500 && !(error instanceof Failure && NO_FAULTS.includes(error.code))
}

const NO_FAULTS: readonly ErrorCode[] = ['validation_failed', 'import_failed']

function bodyOf(failure: Failure): unknown {
  const { message, details } = failure
  switch (failure.code) {
    case 'malformed':
      return { status: failure.status, error: message }
    case 'unroutable':
      return { status: failure.status, error: 'Not Found' }
    case 'session_expired':
      return undefined
    case 'parent_not_found':
    case 'context_not_found':
    case 'conflict':
    case 'import_failed':
    case 'no_import_source':
      return { message }
    case 'invalid':
      return {
        error: {
          id: details.id ?? null,
          errors: details.errors ?? {},
          full_messages: formatFullMessages(details.errors ?? {}),
          ...(details.item && { item: details.item }),
        },
      }
    case 'denied':
      return {
        error: {
          message,
          details: details.details ?? message,
          missing_permissions: details.missingPermissions ?? null,
        },
      }
    case 'bad_search':
      return { error: { message, class: details.class, position: details.position } }
    case 'bad_parameter':
      return { error: { message, class: details.class, parameter_name: details.parameter } }
    case 'unauthenticated':
      return { error: details.details === undefined ? { message } : { message, details: details.details } }
    default:
      return { error: { message } }
  }
}

/** Converts errors that Fastify raises before a route is reached to failures; null for errors that have no code of ours. */
function asFailure(error: unknown): Failure | null {
  if (error instanceof Failure) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Failure('too_large', 'The request body is larger than this service accepts')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Failure('malformed', 'The request body is not as long as Content-Length says')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return new Failure('malformed', 'The path of the request is not a valid URL')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Failure(
        'wrong_media_type',
        "Content-Type cannot be understood. Please use 'Content-Type: application/json'.",
      )
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Failure('unroutable', 'Not Found')
    default:
      return null
  }
}
