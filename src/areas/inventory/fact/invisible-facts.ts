import { type Context, hasPermission, holdsForAll } from '../../../context.ts'
import { findResource, limitToVisible, type Registry, selectRecord } from '../../../kernel/index.ts'

/**
 * Loads the names of those facts of a host that the caller may not see. These are all or none of its facts, because permissions
 * on facts are limited by hosts. At most one statement, none for most callers.
 */
export async function loadInvisibleFacts(
  ctx: Context,
  registry: Registry,
  host: number,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  if (names.length === 0 || holdsForAll(ctx, 'view_facts')) return new Set()
  if (!hasPermission(ctx, 'view_facts')) return new Set(names)
  const hosts = findResource(registry, 'host')
  const seen = await selectRecord(ctx.db, hosts, ['id'], host, limitToVisible(ctx, hosts, 'view_facts'))
  return new Set(seen ? [] : names)
}
