import { z } from 'zod'
import {
  type Decided,
  type EffectiveRegistration,
  type KeyRefusal,
  type Pair,
  type RecordName,
  type RegistrationOwner,
  SUBSCRIPTION_ATTRIBUTES,
} from '../../registration/index.ts'

const NAMED = z.object({
  id: z.int().meta({ description: 'Its id.' }),
  name: z.string().meta({ description: 'Its name.' }),
})
const KEY = NAMED.meta({ description: 'The key that it comes from.' })

/** Values of keys: text, numbers or lists of names. */
type Value = string | number | readonly string[] | null

const VALUE = z.union([z.string(), z.int(), z.array(z.string()), z.null()])
const SAYS = z.object({ key: KEY, value: VALUE.meta({ description: 'Value that the key gives.' }) })

const DECIDED = z.object({
  value: VALUE.meta({ description: 'Resulting value of the host; content view environments by their labels.' }),
  key: KEY.nullable().meta({ description: 'The key that it comes from; null where no key says anything.' }),
  from: z
    .enum(['key', 'host', 'organization'])
    .nullable()
    .meta({ description: 'Source of the value: a key, the host itself, or the default of the organization.' }),
})

const FIELDS = ['content_view_environments', ...SUBSCRIPTION_ATTRIBUTES] as const

/** The schema of what several keys grant. */
export const EFFECTIVE = z.object({
  organization: z
    .object({ ...NAMED.shape, label: z.string().meta({ description: 'Its label.' }) })
    .meta({ description: 'The organization of the keys.' }),
  keys: z.array(NAMED).meta({ description: 'The keys, in the order in which they count: later ones win.' }),
  fields: z
    .object(Object.fromEntries(FIELDS.map((name) => [name, DECIDED.meta({ description: `Its ${name}.` })])))
    .meta({ description: 'Single values of the host.' }),
  host_collections: z
    .array(z.object({ ...NAMED.shape, keys: z.array(NAMED).meta({ description: 'The keys that are in it.' }) }))
    .meta({ description: 'Host collections that the host comes to, of all keys.' }),
  content_overrides: z
    .array(
      z.object({
        content_label: z.string().meta({ description: 'Label of the content.' }),
        name: z.string().meta({ description: 'The property.' }),
        value: z.string().meta({ description: 'Its value.' }),
        key: KEY,
      }),
    )
    .meta({ description: 'Overrides of properties of contents, for the host.' }),
  subscriptions: z
    .array(
      z.object({
        ...NAMED.shape,
        quantity: z.int().nullable().meta({ description: 'Number of uses; null: as many as the host needs.' }),
        key: KEY,
      }),
    )
    .meta({ description: 'Pools that the host takes uses of.' }),
  auto_attach: z
    .array(
      z.object({
        key: KEY,
        among: z.array(z.int()).nullable().meta({ description: 'Pools to choose from; null: all.' }),
      }),
    )
    .meta({ description: 'Activation keys for which subscriptions are chosen for the host.' }),
  conflicts: z
    .array(
      z.object({
        field: z.string().meta({ description: 'Field for which the keys give different values.' }),
        about: z.string().nullable().meta({ description: 'Entry of a list: a content and its property, or a pool.' }),
        says: z
          .array(SAYS)
          .meta({ description: 'Values that the keys give, in the order of the keys; the last one wins.' }),
        wins: KEY.meta({ description: 'The key that wins.' }),
      }),
    )
    .meta({ description: 'Every contradiction between the keys.' }),
  unavailable_service_levels: z
    .array(SAYS)
    .meta({ description: 'Service levels that no pool has: they do not count.' }),
  refusals: z
    .array(
      z.object({
        key: KEY.nullable().meta({ description: 'The key that refuses; null: all of them together.' }),
        reason: z
          .enum(['disabled', 'expired', 'used', 'full', 'location', 'no_environment'])
          .meta({ description: 'Reason, as a word for programs.' }),
        message: z.string().meta({ description: 'Reason, for people.' }),
      }),
    )
    .meta({ description: 'Reasons why a host could not register with these keys now; empty if it could.' }),
})

/** Presents what several keys grant, in the form of `EFFECTIVE`. */
export function presentResolvedKeys(
  { id, name, label }: RegistrationOwner,
  effective: EffectiveRegistration,
  refusals: readonly KeyRefusal[],
): z.infer<typeof EFFECTIVE> {
  const { content_view_environments: pairs } = effective
  const fields: Record<(typeof FIELDS)[number], Decided<Value>> = {
    content_view_environments: { ...pairs, value: labelsOf(pairs.value), conflicts: pairs.conflicts.map(toLabels) },
    service_level: effective.service_level,
    release_version: effective.release_version,
    purpose_usage: effective.purpose_usage,
    purpose_role: effective.purpose_role,
    purpose_addons: effective.purpose_addons,
  }
  return {
    organization: { id, name, label },
    keys: [...effective.keys],
    fields: Object.fromEntries(
      Object.entries(fields).map(([field, { value, key, from }]) => [field, { value: toPlain(value), key, from }]),
    ),
    host_collections: effective.host_collections.map(({ keys, ...one }) => ({ ...one, keys: [...keys] })),
    content_overrides: effective.content_overrides.map(({ content_label, name, value, key }) => ({
      content_label,
      name,
      value,
      key,
    })),
    subscriptions: effective.subscriptions.map(({ id, name, quantity, key }) => ({ id, name, quantity, key })),
    auto_attach: effective.auto_attach.map(({ key, among }) => ({ key, among: among && [...among] })),
    conflicts: [
      ...Object.entries(fields).flatMap(([field, { value, key, conflicts }]) =>
        key ? describeContradiction(effective.keys, field, null, { key, value }, conflicts) : [],
      ),
      ...effective.content_overrides.flatMap(({ content_label, name, value, key, conflicts }) =>
        describeContradiction(
          effective.keys,
          'content_overrides',
          `${content_label} ${name}`,
          { key, value },
          conflicts,
        ),
      ),
      ...effective.subscriptions.flatMap(({ name, quantity, key, conflicts }) =>
        describeContradiction(effective.keys, 'subscriptions', name, { key, value: quantity }, conflicts),
      ),
    ],
    unavailable_service_levels: effective.unavailable_service_levels.map(({ key, value }) => ({ key, value })),
    refusals: [...refusals, ...(pairs.value.length === 0 ? [NO_ENVIRONMENT] : [])],
  }
}

const NO_ENVIRONMENT = {
  key: null,
  reason: 'no_environment' as const,
  message: 'At least one activation key must have a lifecycle environment and content view assigned to it',
}

interface Says {
  readonly key: RecordName
  readonly value: Value
}

function describeContradiction(
  keys: readonly RecordName[],
  field: string,
  about: string | null,
  winner: Says,
  others: readonly Says[],
): z.infer<typeof EFFECTIVE>['conflicts'] {
  if (others.length === 0) return []
  const placeOf = ({ key }: Says) => keys.findIndex(({ id }) => id === key.id)
  const says = [...others, winner].sort((a, b) => placeOf(a) - placeOf(b))
  return [{ field, about, says: says.map(({ key, value }) => ({ key, value: toPlain(value) })), wins: winner.key }]
}

function toLabels({ key, value }: { readonly key: RecordName; readonly value: readonly Pair[] }): {
  readonly key: RecordName
  readonly value: readonly string[]
} {
  return { key, value: labelsOf(value) }
}

function labelsOf(pairs: readonly Pair[]): readonly string[] {
  return pairs.map(({ label }) => label)
}

function toPlain(value: Value): string | number | string[] | null {
  return value === null || typeof value !== 'object' ? value : [...value]
}
