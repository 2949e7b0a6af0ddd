import type { Context } from '../../../context.ts'
import { findResource, lock, type Registry, removeStored, type WriteWrapper } from '../../../kernel/index.ts'
import { loadOverridesFor, loadOverridesNaming, renameMatches } from './renames.ts'
import { isEverywhere } from './within-reach.ts'

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

/**
 * Deletes abandoned overrides for a name that a record is about to get, each with an audit: otherwise the record would
 * take over values that were left for another. Callers who see every override may have left some on purpose: for them
 * all stay.
 */
export async function removeAbandonedOverrides(
  ctx: Context,
  registry: Registry,
  kind: keyof typeof NAMED_BY,
  name: unknown,
): Promise<void> {
  if (typeof name !== 'string' || isEverywhere(withoutLent(ctx))) return
  await remove(ctx, registry, () => loadOverridesNaming(ctx, NAMED_BY[kind], name))
}

const NAMED_BY = {
  host: ['fqdn', 'name', 'hostname', 'certname'],
  hostgroup: ['hostgroup', 'hostgroup_name'],
  organization: ['organization', 'organization_name'],
  location: ['location', 'location_name'],
} as const

/**
 * Deletes the overrides for a host or host group alone that is being deleted (smart-parameters §2.3), each with an
 * audit.
 */
async function removeOverridesFor(
  ctx: Context,
  registry: Registry,
  attribute: 'fqdn' | 'hostgroup',
  name: string,
): Promise<void> {
  await remove(ctx, registry, () => loadOverridesFor(ctx, attribute, name))
}

function withoutLent({ user, trees }: Context): Pick<Context, 'user' | 'trees'> {
  return { user: { ...user, admin: user.admin && !user.lent }, trees }
}

/** Deletes overrides in turn: several hosts that a batch makes at once may find the same, which is deleted and audited once. */
async function remove(ctx: Context, registry: Registry, load: () => Promise<readonly number[]>): Promise<void> {
  if ((await load()).length === 0) return
  const overrides = findResource(registry, 'override_value')
  const before = removing.get(ctx.db)
  const removal = (async () => {
    await before
    for (const id of await load()) await removeStored(ctx, overrides, await lock(ctx, overrides, id))
  })()
  removing.set(
    ctx.db,
    removal.catch(() => undefined),
  )
  await removal
}

/** The last deletion that a transaction has begun. */
const removing = new WeakMap<Context['db'], Promise<void>>()
