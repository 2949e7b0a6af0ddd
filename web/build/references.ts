import type { Registry, Resource } from '../../src/kernel/definition.ts'
import type { References } from '../src/resources/description.ts'

/** What audits say of records beside their fields. */
const OTHERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  host: { host_collection_ids: 'host_collection', subscriptions: 'subscription' },
  activation_key: { subscriptions: 'subscription', content_view_environments: 'content_view' },
  content_view: { environment_ids: 'lifecycle_environment' },
  content_view_version: { environment_ids: 'lifecycle_environment' },
}

/** Describes which values in audits are ids of other records, by the types of the audited ones. */
export function describeReferences(registry: Registry): References {
  const found: Record<string, Record<string, string>> = {}
  for (const resource of registry.values())
    if (resource.audited) found[resource.type] = { ...found[resource.type], ...referencesOf(resource, registry) }
  return found
}

function referencesOf(resource: Resource, registry: Registry): Record<string, string> {
  const linked = resource.placed.flatMap((placed) => {
    const target = placed.field.refersTo?.resource
    return target === undefined ? [] : [[placed.auditKey, target] as const]
  })
  const all = [...linked, ...Object.entries(OTHERS[resource.name] ?? {})]
  return Object.fromEntries(
    all.flatMap(([key, target]) => {
      const plural = registry.get(target)?.plural
      return plural === undefined ? [] : [[key, plural]]
    }),
  )
}
