import { Failure } from '../errors.ts'
import { isMembers, type Members } from '../lib/values.ts'
import { translateName, translateSentence } from './names.ts'

interface ErrorAnswer {
  readonly status: number
  readonly body: unknown
}

/** Translates an error to the words of clients: keys, permissions, and words in sentences. */
export function translateError({ status, body }: ErrorAnswer, thrown: unknown): ErrorAnswer {
  if (thrown instanceof Failure && thrown.details.unread !== undefined)
    return { status, body: { status, error: `${UNREADABLE} '${thrown.details.unread}'` } }
  return { status, body: isMembers(body) ? withMessage(inTheirs(body)) : body }
}

/** Says the message of an error of content by the key of newer clients, too (newer-clients §2h). */
function withMessage(body: Members): Members {
  const { displayMessage: message, ...others } = body
  return message === undefined || 'message' in body ? body : { displayMessage: message, message, ...others }
}

/** Clients are shown the text that cannot be parsed, not its position. */
const UNREADABLE = 'There was a problem in the JSON you submitted: unexpected token at'

/** Translates every text of an error body, and the keys of `errors`, without a plan: errors are small and rare. */
function inTheirs(body: Members): Members {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      if (key === 'errors' && isMembers(value)) return [key, renameErrors(value)]
      if (key === 'missing_permissions' && Array.isArray(value))
        return [key, value.map((name) => translateName('theirs', name))]
      return [key, isMembers(value) ? inTheirs(value) : translateTexts(value)]
    }),
  )
}

function renameErrors(errors: Members): Members {
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [translateName('theirs', field), translateTexts(messages)]),
  )
}

function translateTexts(value: unknown): unknown {
  if (typeof value === 'string') return translateSentence(value)
  return Array.isArray(value) ? value.map(translateTexts) : value
}
