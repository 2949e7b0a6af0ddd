import type { Context } from '../context.ts'
import { badParameter, type FieldErrors, refuseInvalid } from '../errors.ts'
import { isValidText, readExactly, toPlain } from '../lib/lossless-json.ts'
import { isMembers } from '../lib/values.ts'
import { formatIssue } from '../lib/zod-messages.ts'
import { messagesOf } from '../requests/by-schema.ts'
import { isMask } from '../requests/masks.ts'
import { BLANK, NOT_STORABLE } from '../requests/sent.ts'
import type { Fields, Reference, Resource } from './definition.ts'
import type { Draft, NewDraft, Sent, Stored } from './record.ts'
import { findReferences } from './reference.ts'
import { keepUnreachable } from './visibility.ts'

/** Reads the keys of a body: under the resource's word or at the top (core-api §2.7), in content both (content-api §1.1). */
export function readAttributes(resource: Resource, body: Sent): Sent {
  const wrapped = body[resource.word]
  if (wrapped === undefined) return body
  if (wrapped === null) return {}
  if (!isMembers(wrapped)) throw badParameter(resource.word, wrapped, 'must be an object')
  return resource.surface === 'content' ? { ...body, ...wrapped } : wrapped
}

/** The sent keys that are known and valid, and the messages about those that are not. */
export interface Validated {
  readonly sent: Sent
  readonly errors: FieldErrors
  /** A body that cannot be read; `readDraft` refuses it like a wrong key: once the record has been found. */
  readonly unread?: Sent
}

type Find = () => Promise<unknown>

/** Validates the keys of a body; `find` is called before values are prepared. */
export async function validateBody(ctx: Context, resource: Resource, body: Sent, find?: Find): Promise<Validated> {
  if (!isMembers(body[resource.word] ?? {})) return { sent: {}, errors: {}, unread: body }
  return validate(ctx, resource, readAttributes(resource, body), find)
}

/** Validates each known key, and prepares values, which may be slow and so is done outside of transactions. */
export async function validate(ctx: Context, resource: Resource, attributes: Sent, find?: Find): Promise<Validated> {
  const sent: Record<string, unknown> = {}
  const errors: FieldErrors = {}
  for (const key of Object.keys(resource.writable)) {
    const writable = resource.writable[key]
    if (!writable || attributes[key] === undefined) continue
    const value = writable.exact ? readExactly(attributes, key) : toPlain(attributes[key])
    if (!isValidText(value)) {
      add(errors, key, [NOT_STORABLE])
      continue
    }
    const coerced = writable.coerce ? writable.coerce(value) : value
    if (coerced === undefined) continue
    const parsed = writable.schema().safeParse(coerced, {
      error: formatIssue,
    })
    if (parsed.success) sent[key] = parsed.data
    else add(errors, key, messagesOf(parsed.error))
  }
  if (Object.keys(errors).length > 0) return { sent, errors }
  const slow = Object.keys(sent).filter((key) => resource.writable[key]?.prepare && sent[key] !== undefined)
  if (slow.length > 0) await find?.()
  for (const key of slow) sent[key] = await resource.writable[key]?.prepare?.(ctx, sent[key])
  return { sent, errors }
}

/**
 * Turns sent keys into a draft that may be stored. `given` are values by field that the path decides. {@throws Failure}
 * invalid with every wrong field, unknown_reference (below `/content/api` not_found) for links to unknown records
 */
export function readDraft<F extends Fields, S extends Stored | null>(
  ctx: Context,
  resource: Resource<F>,
  validated: Validated,
  stored: S,
  given?: Draft,
): Promise<S extends null ? NewDraft<F> : Draft<F>>
export async function readDraft(
  ctx: Context,
  resource: Resource,
  validated: Validated,
  stored: Stored | null,
  given: Draft = {},
): Promise<Draft> {
  const { errors, unread } = validated
  if (unread) readAttributes(resource, unread)
  const sent = stored ? withoutMasks(resource, validated.sent, stored) : validated.sent
  const found: FieldErrors = { ...errors }
  const draft: Draft = {}
  const references: Reference[] = []
  for (const { name, key, field, at } of resource.placed) {
    const named: Reference[] = []
    const value = field.read ? await field.read(ctx, at, sent, named) : sent[name]
    if (value !== undefined) draft[name] = value
    // A link that comes back as it is stored is no new one: nobody has to see its record again.
    if (!stored || field.kind !== 'link' || value !== stored[key]) references.push(...named)
  }
  await findReferences(ctx, references)
  if (stored) await keepUnreachable(ctx, resource, draft, stored)
  Object.assign(draft, given)
  if (!stored) requireFields(resource, draft, found)
  const record = stored ? { ...valuesOf(resource, stored), ...draft } : draft
  for (const rule of resource.rules ?? [])
    for (const [field, messages] of Object.entries(rule(record, draft, ctx, stored) ?? {})) add(found, field, messages)
  refuseInvalid(found, stored?.id ?? null)
  return draft
}

/** Leaves out what stands in answers for values that the record hides: who sends it back has not changed them. */
function withoutMasks(resource: Resource, sent: Sent, stored: Stored): Sent {
  const back = resource.placed.filter(
    ({ name, field: { maskedBy } }) => maskedBy !== undefined && stored[maskedBy] === true && isMask(sent[name]),
  )
  return Object.fromEntries(Object.entries(sent).filter(([key]) => back.every(({ name }) => name !== key)))
}

function requireFields(resource: Resource, draft: Draft, errors: FieldErrors): void {
  for (const { name, field, at, key: named } of resource.placed) {
    if (!field.required || (draft[name] ?? null) !== null) continue
    const keys = Object.keys(field.writable(at))
    if (keys.length > 0 && !keys.some((key) => errors[key])) add(errors, named, [BLANK])
  }
}

/** Yields the values of a stored row by field name. */
export function valuesOf(resource: Resource, stored: Stored): Draft {
  const values: Draft = {}
  for (const { name, key } of resource.placed) values[name] = stored[key]
  return values
}

function add(errors: FieldErrors, field: string, messages: readonly string[]): void {
  errors[field] = [...(errors[field] ?? []), ...messages]
}
