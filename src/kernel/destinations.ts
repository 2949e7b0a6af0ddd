import { type FieldErrors, invalid } from '../errors.ts'
import type { Resource } from './definition.ts'
import type { Stored } from './record.ts'
import { selectChanged, storedValue, type Values } from './store/write.ts'

/**
 * A stored secret goes only where it was stored for: whoever changes to whom it goes, or how it is protected on the way,
 * sends it again in the same write, or clears it (docs/decisions/0015-secrets-and-destinations.md).
 * {@throws Failure} invalid on each secret that is missing
 */
export function refuseSendingElsewhere(resource: Resource, stored: Stored, values: Values): void {
  const errors: FieldErrors = {}
  for (const placed of resource.placed) {
    const { sentTo = [] } = placed.field.secret ?? {}
    if (sentTo.length === 0 || values[placed.name] !== undefined || !storedValue(placed, stored)) continue
    const changed = changedAmong(resource, stored, values, sentTo)
    if (changed.length > 0) errors[placed.name] = [`has to be sent again, because this changes ${changed.join(', ')}`]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors, stored.id)
}

/** The fields of these names whose values differ from what is stored. Blank text means what null means: nothing is there. */
export function changedAmong(resource: Resource, stored: Stored, values: Values, names: readonly string[]): string[] {
  const own = resource.placed.filter(({ name }) => names.includes(name))
  const wanted = Object.fromEntries(
    own.filter(({ name }) => name in values).map(({ name }) => [name, values[name] === '' ? null : values[name]]),
  )
  const blanks = Object.fromEntries(
    own.flatMap((placed) => (storedValue(placed, stored) === '' ? [[placed.column?.name ?? placed.name, null]] : [])),
  )
  return Object.keys(selectChanged(resource, { ...stored, ...blanks }, wanted))
}
