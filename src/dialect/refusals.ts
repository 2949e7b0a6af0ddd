import { type ErrorDetails, Failure, type FieldErrors, invalid, notFound, unknownReference } from '../errors.ts'
import { toErrorAnswer } from '../http/dialect.ts'
import { isMembers, membersOf } from '../lib/values.ts'
import type { Route } from '../requests/route.ts'
import { translateError } from './errors.ts'
import { ERRORS_ON_TOP, MESSAGES, TAXONOMIES, TYPES_IN_MESSAGES, UNFOUND } from './messages.ts'
import { translateName } from './names.ts'
import type { Step } from './shapes.ts'

/** Stands for a text in a list of ids, because no record has this id. Clients see it as 0. */
export const NO_RECORD = Number.MAX_SAFE_INTEGER

/** Builds the step that says a refusal on top of the body, too, where clients read it there. */
export function buildOnTopStep({ id }: Route): Step | null {
  if (!ERRORS_ON_TOP.includes(id)) return null
  return (inner) => (ctx, input) =>
    inner(ctx, input).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.code !== 'invalid') throw error
      const { status, body } = translateError(toErrorAnswer(error), error)
      const { errors, full_messages } = membersOf(membersOf(body).error)
      const message = Array.isArray(full_messages) ? full_messages.join(', ') : error.message
      return { status, body: isMembers(body) ? { ...body, message, errors } : body }
    })
}

/** Builds the step that translates refused fields to the keys and sentences of clients. */
export function buildRefusalStep({ method, group }: Route): Step | null {
  if (method === 'GET') return null
  return (inner) => (ctx, input) =>
    inner(ctx, input).catch((error: unknown) => {
      throw error instanceof Failure ? inTheirs(error, group) : error
    })
}

function inTheirs(failure: Failure, group: string): Failure {
  const { code, details } = failure
  if (code === 'unknown_reference' && details.reference) return unfound(failure, details.reference, group)
  const errors = code === 'invalid' && MESSAGES[group] ? rewordErrors(details.errors ?? {}, MESSAGES[group]) : null
  return errors ? new Failure(code, failure.message, { ...details, errors }, { cause: failure }) : failure
}

/**
 * Words the failure for one missing record: an id of a list stands in brackets, and organizations and locations are called
 * taxonomies.
 */
function unfound(failure: Failure, reference: NonNullable<ErrorDetails['reference']>, group: string): Failure {
  const { type, ids, listed } = reference
  const [id, ...others] = ids
  if (others.length > 0) return failure
  const answered = UNFOUND[group]?.[type]
  if (answered === 'not_found') return notFound(translateName('theirs', type.toLowerCase()), String(id))
  if (answered) return invalid({ [answered.key]: [`must name a known record: there is no ${type} with the id ${id}`] })
  const isPlace = TAXONOMIES.types.includes(type) && listed !== TAXONOMIES.groups.includes(group)
  const word = isPlace ? TAXONOMIES.word : (TYPES_IN_MESSAGES[type] ?? type)
  return unknownReference(`Couldn't find ${word} with 'id'=${listed ? `[${id === NO_RECORD ? 0 : id}]` : id}`)
}

/** Puts each message under the fields and into the words that the table has for it. */
function rewordErrors(errors: FieldErrors, rules: NonNullable<(typeof MESSAGES)[string]>): FieldErrors {
  const result: FieldErrors = {}
  for (const [field, messages] of Object.entries(errors)) {
    for (const message of messages) {
      const rule = rules.find((each) => each.field === field && each.message.test(message))
      const said = rule
        ? rule.said.map(([key, words]) => [key, words ?? message] as const)
        : [[field, message] as const]
      for (const [key, words] of said) {
        const before = result[key] ?? []
        if (!before.includes(words)) result[key] = [...before, words]
      }
    }
  }
  return result
}
