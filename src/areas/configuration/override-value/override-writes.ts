import type { WriteWrapper } from '../../../kernel/index.ts'
import { removeAbandonedOverrides, removeOverridesFor } from './remove-overrides.ts'
import { renameMatches } from './renames.ts'

/** The records that match texts name: the attribute, and the columns with their names. */
const NAMING = {
  host: { attribute: 'fqdn', name: 'name', names: ['name', 'certname'] },
  hostgroup: { attribute: 'hostgroup', name: 'title', names: ['title'] },
  organization: { attribute: 'organization', name: 'title', names: ['title'] },
  location: { attribute: 'location', name: 'title', names: ['title'] },
} as const

/**
 * Updates overrides when a record that their match texts name is created, renamed or deleted (smart-parameters §2.3):
 * abandoned overrides for its new name are deleted, its own are renamed or deleted with it.
 */
export function overrideWrites(kind: keyof typeof NAMING): WriteWrapper {
  const { attribute, name, names } = NAMING[kind]
  return {
    keepsCreated: true,
    async create(ctx, draft, next, { registry }) {
      for (const one of names) await removeAbandonedOverrides(ctx, registry, kind, draft[one])
      return next(draft)
    },
    async update(ctx, stored, draft, next, { registry }) {
      for (const one of names)
        if (draft[one] !== undefined && draft[one] !== stored[one])
          await removeAbandonedOverrides(ctx, registry, kind, draft[one])
      await next(draft)
      if (draft[name] !== undefined) await renameMatches(ctx, attribute, String(stored[name]), String(draft[name]))
    },
    async delete(ctx, stored, next, { registry }) {
      await next()
      if (attribute === 'fqdn' || attribute === 'hostgroup')
        await removeOverridesFor(ctx, registry, attribute, String(stored[name]))
    },
  }
}
