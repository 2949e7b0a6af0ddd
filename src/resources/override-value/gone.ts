import type { Context } from '../../context.ts'
import { lock } from '../../kernel/operations/change.ts'
import { removeStored } from '../../kernel/operations/delete.ts'
import type { Registry } from '../../kernel/resource.ts'
import { matchesOf } from './renames.ts'

/** Deletes the overrides for a host or a host group alone, which goes (smart-parameters §2.3), each with its audit. */
export async function removeOverridesFor(
  ctx: Context,
  registry: Registry,
  attribute: 'fqdn' | 'hostgroup',
  name: string,
): Promise<void> {
  const overrides = registry.get('override_value')
  if (!overrides) throw new Error('no resource is named override_value')
  for (const id of await matchesOf(ctx, attribute, name)) {
    await removeStored(ctx, overrides, await lock(ctx, overrides, id))
  }
}
