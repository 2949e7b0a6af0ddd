import { type FieldErrors, refuseInvalid } from '../errors.ts'
import type { Resource } from './definition.ts'
import type { Stored } from './record.ts'
import { selectChanged, type Values } from './store/write.ts'

/**
 * A stored secret must not be sent to another destination: a write that changes where it goes, or how it is protected
 * on the way, has to send the secret again or clear it (docs/decisions/0015-secrets-and-destinations.md). {@throws
 * Failure} invalid, on each secret that is missing
 */
export function refuseSendingElsewhere(resource: Resource, stored: Stored, values: Values): void {
  const errors: FieldErrors = {}
  for (const placed of resource.placed) {
    const { sentTo = [] } = placed.field.secret ?? {}
    if (sentTo.length === 0 || values[placed.name] !== undefined || !stored[placed.key]) continue
    const changed = listChanged(resource, stored, values, sentTo)
    if (changed.length > 0) errors[placed.name] = [`has to be sent again, because this changes ${changed.join(', ')}`]
  }
  refuseInvalid(errors, stored.id)
}

/** Lists those of the named fields whose new values differ from the stored ones. An empty text equals null. */
export function listChanged(resource: Resource, stored: Stored, values: Values, names: readonly string[]): string[] {
  const own = names.flatMap((name) => resource.byName.get(name) ?? [])
  const wanted = Object.fromEntries(
    own.filter(({ name }) => name in values).map(({ name }) => [name, values[name] === '' ? null : values[name]]),
  )
  const blanks = Object.fromEntries(own.flatMap(({ key }) => (stored[key] === '' ? [[key, null]] : [])))
  return Object.keys(selectChanged(resource, { ...stored, ...blanks }, wanted))
}
