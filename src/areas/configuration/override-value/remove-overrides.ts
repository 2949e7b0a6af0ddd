import type { Context } from '../../../context.ts'
import { findResource, lock, type Registry, removeStored } from '../../../kernel/index.ts'
import { loadOverridesFor, loadOverridesNaming } from './renames.ts'
import { isEverywhere } from './within-reach.ts'

/**
 * Deletes the overrides for a host or host group alone that is being deleted (smart-parameters §2.3), each with an
 * audit.
 */
export async function removeOverridesFor(
  ctx: Context,
  registry: Registry,
  attribute: 'fqdn' | 'hostgroup',
  name: string,
): Promise<void> {
  await remove(ctx, registry, () => loadOverridesFor(ctx, attribute, name))
}

const NAMED_BY = {
  host: ['fqdn', 'name', 'hostname', 'certname'],
  hostgroup: ['hostgroup', 'hostgroup_name'],
  organization: ['organization', 'organization_name'],
  location: ['location', 'location_name'],
} as const

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
