/**
 * The one error class of the service, and the one table of statuses and texts by code (core-api §2.5). Code that
 * refuses something throws one of the constructors below; `http/errors.ts` turns it into an answer.
 */

/** The reasons for which a request fails, as words for programs; `STATUS` has the HTTP status of each. */
export type ErrorCode =
  | 'malformed' // the request cannot be read at all
  | 'bad_parameter' // a query parameter or path is of the wrong form
  | 'wrong_organization' // the record is of another organization than the one that is named
  | 'bad_search' // search or order cannot be understood
  | 'unauthenticated'
  | 'locked_out'
  | 'disabled_account'
  | 'session_expired'
  | 'denied' // a permission is missing
  | 'not_found'
  | 'parent_not_found'
  | 'context_not_found'
  | 'unroutable'
  | 'conflict'
  | 'precondition_failed' // what the request makes itself depend on does not hold (RFC 9110 13.1)
  | 'too_large'
  | 'wrong_media_type'
  | 'invalid' // fields fail validation
  | 'unknown_reference' // a link names a record that does not exist
  | 'validation_failed' // a parameter or override does not fit: a client error that the contract answers with 500 (spec 7)
  | 'import_failed' // classes could not be read or stored: the contract answers 500 (smart-parameters §6.1)
  | 'no_import_source' // a smart proxy that classes cannot be imported from
  | 'unavailable'

const STATUS = {
  malformed: 400,
  bad_parameter: 400,
  wrong_organization: 400,
  bad_search: 400,
  unauthenticated: 401,
  locked_out: 401,
  disabled_account: 401,
  session_expired: 401,
  denied: 403,
  not_found: 404,
  parent_not_found: 404,
  context_not_found: 404,
  unroutable: 404,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  wrong_media_type: 415,
  invalid: 422,
  unknown_reference: 422,
  validation_failed: 500,
  import_failed: 500,
  no_import_source: 404,
  unavailable: 503,
} as const satisfies Record<ErrorCode, number>

/** Messages by field, in the order they were found; `base` has those about the record as a whole. */
export type FieldErrors = Record<string, string[]>

/** Further facts of an error, named as in answers. */
export interface ErrorDetails {
  /** invalid: the id of the record to be changed, null on create. */
  id?: number | null
  errors?: FieldErrors
  /** invalid: the list with the item that is refused, and its place there, from 0. */
  item?: Readonly<Record<string, number>>
  /** denied: permissions of which any one would be enough; null when the details say everything. */
  missingPermissions?: string[] | null
  details?: string
  /** locked_out: seconds after which the client may try again. */
  retryAfter?: number
  /** bad_search, bad_parameter: the error class that existing clients expect. */
  class?: string
  parameter?: string
  /** bad_search: position in the text, in characters from 0. */
  position?: number
  /** unknown_reference: the resource, the ids, and whether the request has a list of them. */
  reference?: { readonly type: string; readonly ids: readonly number[]; readonly listed: boolean }
  /** malformed: the rest of the text, from where it could not be read. */
  unread?: string
}

/**
 * An error with a reason that clients may know. Surfaces and listeners translate its code and details; the message is
 * for people.
 */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: ErrorCode
  readonly status: number
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.status = STATUS[code]
    this.details = details
  }
}

/** 404 for a record that does not exist or that the caller may not see: both look the same (core-api §7.2). */
export function notFound(resource: string, id: string | number): Failure {
  return new Failure('not_found', `Resource ${resource} not found by id '${id}'`)
}

/** 404 for a parent that the path or a filter parameter names, e.g. `Operatingsystem not found by id '99'`. */
export function parentNotFound(resource: string, id: string | number): Failure {
  return new Failure('parent_not_found', `${capitalize(resource.replaceAll('_', ' '))} not found by id '${id}'`)
}

/** 404 for an organization or location that a request names as its scope. */
export function contextNotFound(kind: 'location' | 'organization', id: string): Failure {
  return new Failure('context_not_found', `${capitalize(kind)} with id ${id} not found`)
}

/** 403 with the permissions of which any one would be enough. */
export function denied(permissions: string[]): Failure {
  return new Failure('denied', 'Access denied', {
    details: `Missing one of the required permissions: ${permissions.join(', ')}`,
    missingPermissions: permissions,
  })
}

/** 422 with the messages by field. `id` is that of the record, null on create. */
export function invalid(errors: FieldErrors, id: number | null = null): Failure {
  return new Failure('invalid', formatFullMessages(errors).join(', '), { errors, id })
}

/** Refuses a write if there are messages about its fields; `id` is the record's, null for a new one. {@throws Failure} invalid */
export function refuseInvalid(errors: FieldErrors, id: number | null = null): void {
  if (Object.keys(errors).length > 0) throw invalid(errors, id)
}

/** Rethrows an error of a create without the id of the row, which was rolled back. */
export function refuseWithoutId(error: unknown): never {
  if (!(error instanceof Failure) || error.code !== 'invalid') throw error
  throw new Failure(error.code, error.message, { ...error.details, id: null }, { cause: error.cause })
}

/**
 * 500 for a smart class parameter or an override that is not valid (spec 7), with its sentences in the contract's
 * order. The messages by field are for clients that prefer them; `id` is that of the record, null on create.
 */
export function validationFailed(sentences: readonly string[], errors: FieldErrors, id: number | null): Failure {
  return new Failure('validation_failed', `Validation failed: ${sentences.join(', ')}`, { errors, id })
}

/** 422 for ids or names of a link for which there is no visible record. */
export function unknownReference(message: string, reference?: ErrorDetails['reference']): Failure {
  return new Failure('unknown_reference', message, reference ? { reference } : {})
}

/** 400 for a parameter of the wrong form; `reason` says what is allowed. */
export function badParameter(parameter: string, value: unknown, reason: string): Failure {
  const shown = JSON.stringify(value)?.slice(0, 200) ?? 'nothing'
  return new Failure('bad_parameter', `Invalid parameter '${parameter}' value ${shown}: ${reason}`, {
    class: 'Apipie::ParamInvalid',
    parameter,
  })
}

/** Writes one sentence for each message, e.g. `Name can't be blank`; messages on `base` stay as they are. */
export function formatFullMessages(errors: FieldErrors): string[] {
  return Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((message) => (field === 'base' ? message : `${capitalize(humanizeField(field))} ${message}`)),
  )
}

/** The word for a field in sentences; for a field of a part only the last one: `Name` for `host_parameters.name`. */
function humanizeField(field: string): string {
  return field
    .slice(field.lastIndexOf('.') + 1)
    .replace(/_ids?$/, '')
    .replaceAll('_', ' ')
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
