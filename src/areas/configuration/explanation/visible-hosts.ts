import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import { limitToVisible, permissionOf } from '../../../kernel/authorize.ts'
import { joinConditions } from '../../../kernel/condition.ts'
import type { Registry } from '../../../kernel/definition.ts'
import { findResource } from '../../../kernel/registry.ts'

/** Leaves the hosts `t` that the caller may see. */
export function limitToVisibleHosts(ctx: Context, registry: Registry): Sql {
  const hosts = findResource(registry, 'host')
  return joinConditions(limitToVisible(ctx, hosts, permissionOf(hosts, 'view')))
}
