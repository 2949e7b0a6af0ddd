import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import { findResource, joinConditions, limitToVisible, permissionOf, type Registry } from '../../../kernel/index.ts'

/** Leaves the hosts `t` that the caller may see. */
export function limitToVisibleHosts(ctx: Context, registry: Registry): Sql {
  const hosts = findResource(registry, 'host')
  return joinConditions(limitToVisible(ctx, hosts, permissionOf(hosts, 'view')))
}
