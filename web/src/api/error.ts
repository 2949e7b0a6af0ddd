/** The kinds of errors that pages treat differently. */
export type Problem =
  | 'network'
  | 'login'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'changed'
  | 'tooLarge'
  | 'invalid'
  | 'unavailable'
  | 'fault'
  | 'refused'

const PROBLEMS: Readonly<Record<number, Problem>> = {
  0: 'network',
  401: 'login',
  403: 'forbidden',
  404: 'missing',
  409: 'conflict',
  412: 'changed',
  413: 'tooLarge',
  422: 'invalid',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
}

interface ErrorFacts {
  readonly status: number
  readonly message: string
  /** Messages by field. */
  readonly fields?: Readonly<Record<string, readonly string[]>>
  /** The position of the mistake in a search. */
  readonly position?: number | null
  readonly missingPermissions?: readonly string[]
  /** The list and the place of the item that is refused. */
  readonly item?: Readonly<Record<string, number>>
  readonly requestId?: string | null
  /** Whether the service knows the reason, whatever the status. */
  readonly isKnown?: boolean
}

/** A request that failed, with the messages of the API. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly problem: Problem
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly position: number | null
  readonly missingPermissions: readonly string[]
  readonly item: Readonly<Record<string, number>>
  readonly requestId: string | null

  constructor(facts: ErrorFacts) {
    super(facts.message)
    this.status = facts.status
    this.fields = facts.fields ?? {}
    this.problem = PROBLEMS[facts.status] ?? problemOf(facts)
    this.position = facts.position ?? null
    this.missingPermissions = facts.missingPermissions ?? []
    this.item = facts.item ?? {}
    this.requestId = facts.requestId ?? null
  }
}

/** The contract has refusals with the status 500: what names fields, or the source that classes cannot be imported from. */
function problemOf({ status, fields = {}, isKnown = false }: ErrorFacts): Problem {
  if (Object.keys(fields).length > 0) return 'invalid'
  return status >= 500 && !isKnown ? 'fault' : 'refused'
}

/** Reads the answer of a refused request. */
export async function readError(response: Response): Promise<ApiError> {
  const { status, statusText, headers } = response
  return errorOf(status, await response.json().catch(() => null), statusText, headers.get('x-request-id'))
}

/** Builds the error from a body, in whichever format a part of the API sends it. */
export function errorOf(status: number, answered: unknown, statusText = '', requestId: string | null = null): ApiError {
  const body = asRecord(answered)
  const error = asRecord(body.error)
  const fields = messagesOf(error.errors ?? (Array.isArray(body.errors) ? null : body.errors))
  const full = Array.isArray(error.full_messages) ? error.full_messages.join(' ') : undefined
  const words = [full, error.message, body.displayMessage, body.message, body.error].find(isText)
  return new ApiError({
    status,
    message: [words ?? statusText, isText(error.details) && error.details !== words ? error.details : '']
      .filter(isText)
      .join(' '),
    fields,
    position: typeof error.position === 'number' ? error.position : null,
    missingPermissions: Array.isArray(error.missing_permissions) ? error.missing_permissions.map(String) : [],
    item: numbersOf(error.item ?? body.item),
    requestId,
    // Faults have an object around their message, or are of the content API.
    isKnown: isText(body.message),
  })
}

function numbersOf(item: unknown): Record<string, number> {
  return Object.fromEntries(Object.entries(asRecord(item)).map(([key, place]) => [key, Number(place)]))
}

function messagesOf(errors: unknown): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(asRecord(errors)).map(([field, messages]) => [field, [messages].flat().map(String)]),
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
