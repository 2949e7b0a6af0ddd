import { z } from 'zod'

// The schemas of the bodies that `toErrorAnswer` builds, for the description of the API and for tests.

const message = z.string().meta({ description: 'Error message for people.' })
const says = z.strictObject({
  error: z.strictObject({ message }).meta({ description: 'Why the request was refused.' }),
})
const plain = z.strictObject({ message })
const framework = z.strictObject({
  status: z.int().meta({ description: 'The status of this answer.' }),
  error: z.string().meta({ description: 'Error message for people.' }),
})
const className = z.string().meta({ description: 'The name that clients know this kind of error by.' })
const unanswered = z.strictObject({
  message,
  details: z.string().meta({ description: 'Reason why the authentication source gave no answer, for people.' }),
})
const position = z
  .int()
  .optional()
  .meta({ description: 'Position of the error in the search, from 0; absent if no position is to blame.' })
const badSearch = z.strictObject({ message, class: className, position })
const badParameter = z.strictObject({
  message,
  class: className,
  parameter_name: z.string().meta({ description: 'The parameter that it is about.' }),
})
const denied = z.strictObject({
  message,
  details: z.string().meta({ description: 'Missing permissions, for people.' }),
  missing_permissions: z
    .array(z.string())
    .nullable()
    .meta({ description: 'Permissions of which one would have been enough.' }),
})
const item = z.record(z.string(), z.int()).optional().meta({
  description: 'Where an item of a list is refused: the key of the list, and the place of the item there, from 0.',
})
const invalid = z.strictObject({
  id: z.int().nullable().meta({ description: 'The record that was to be changed, null on create.' }),
  errors: z
    .record(z.string(), z.array(z.string()))
    .meta({ description: 'Error messages by field; `base` is for the record as a whole.' }),
  full_messages: z
    .array(z.string())
    .meta({ description: 'These messages as sentences with the names of their fields.' }),
  item,
})

/** The schema of errors below `/content/api` (content-api §6). */
const displayed = z.strictObject({
  displayMessage: z.string().meta({ description: 'Error message for people.' }),
  errors: z
    .union([z.array(z.string()), z.record(z.string(), z.array(z.string()))])
    .meta({ description: 'The same as a list; where fields are refused, what is wrong by field.' }),
  item,
})

/** The schema of errors below `/oauth` (RFC 6749 5.2). */
export const oauthRefusal = z.strictObject({
  error: z.string().meta({ description: 'The reason as a word of OAuth 2.0, such as authorization_pending.' }),
  error_description: z.string().meta({ description: 'The reason for people.' }),
})

function wrapError(error: z.ZodType): z.ZodType {
  return z.strictObject({ error: error.meta({ description: 'Why the request was refused.' }) })
}

/** An error answer as the API description shows it. */
export interface ErrorDescription {
  /** The name among the shared responses of the description. */
  readonly name: string
  readonly description: string
  readonly schema: z.ZodType
}

/** The error answers of the API by status (core-api §2.5). */
export const ERROR_ANSWERS = {
  400: describeError(
    'BadRequest',
    'The request cannot be understood: malformed JSON, a parameter or a search of the wrong form.',
    z.union([wrapError(badParameter), wrapError(badSearch), framework, displayed]),
  ),
  401: describeError(
    'Unauthorized',
    'Nobody is logged in, the login is refused or locked out for a while, or only an administrator may do this. Empty for a session that has ended.',
    z.union([wrapError(denied), says, wrapError(unanswered)]),
  ),
  403: describeError('Forbidden', 'The caller lacks the permission.', wrapError(denied)),
  404: describeError(
    'NotFound',
    'There is no such record, or the caller may not see it: both look the same.',
    z.union([says, plain, framework, displayed]),
  ),
  409: describeError('Conflict', 'The request conflicts with existing records.', z.union([plain, displayed])),
  412: describeError(
    'NotAsExpected',
    'The record is not what `If-Match` or `If-Unmodified-Since` expects, and nothing was stored; or the host gets no classification, and the message names each parameter that is to blame.',
    says,
  ),
  413: describeError(
    'TooLarge',
    'The body is larger than this service accepts.',
    z.union([says, displayed, oauthRefusal]),
  ),
  415: describeError(
    'UnsupportedMediaType',
    'POST and PUT must send `Content-Type: application/json`.',
    z.union([says, oauthRefusal]),
  ),
  422: describeError(
    'Invalid',
    'Fields are refused, or a link names what does not exist; nothing was stored.',
    z.union([wrapError(invalid), says, displayed]),
  ),
  500: describeError(
    'Fault',
    'A fault of the service: its log tells more under the id in `X-Request-Id`. Or, where the message begins with `Validation failed:`, a smart class parameter or an override that does not fit; nothing was stored. Or, without `error` around the message, classes that could not be imported.',
    z.union([says, plain, displayed, oauthRefusal]),
  ),
  503: describeError(
    'Unavailable',
    'The database does not answer at the moment.',
    z.union([says, displayed, oauthRefusal]),
  ),
} as const satisfies Readonly<Record<number, ErrorDescription>>

/** A status for which the description of the API has an error answer. */
export type ErrorStatus = keyof typeof ERROR_ANSWERS

function describeError(name: string, description: string, schema: z.ZodType): ErrorDescription {
  return { name, description, schema }
}
