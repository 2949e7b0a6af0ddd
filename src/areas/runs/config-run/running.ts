import type { Context } from '../../../context.ts'
import { Failure } from '../../../errors.ts'
import {
  type Condition,
  findResource,
  joinConditions,
  limitToVisible,
  type Registry,
  type Resource,
  ROOT,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** The permission to run the configuration of a host, and to cancel runs of it (core-api §1.5). */
export const RUN_PERMISSION = 'configrun_hosts'

/** Conditions that leave the hosts whose configuration the caller may run. */
export function limitToRunnable(ctx: Context, registry: Registry): Condition[] {
  return limitToVisible(ctx, hostsOf(registry), RUN_PERMISSION)
}

/** Finds the resource of hosts. */
export function hostsOf(registry: Registry): Resource {
  const hosts = findResource(registry, 'host')
  return hosts
}

/** Conditions that leave the runs of hosts whose configuration the caller may run. */
export function limitToRunsOfRunnable(ctx: Context, registry: Registry): Condition[] {
  const hosts = limitToRunnable(ctx, registry)
  if (hosts.length === 0) return []
  return [
    {
      sql: sql`${sql.ref(`${ROOT}.host_id`)} in (select t.id from hosts t where ${joinConditions(hosts)})`,
      tables: ['hosts', ...hosts.flatMap(({ tables }) => tables)],
    },
  ]
}

/** Refuses runs while the setting forbids them, to everybody, as existing servers do. {@throws Failure} denied */
export function refuseWhileOff({ settings }: Context): void {
  if (settings.configrun) return
  throw new Failure('denied', 'Access denied', {
    details: 'Configuration runs are switched off: an administrator can allow them with the setting configrun',
    missingPermissions: [RUN_PERMISSION],
  })
}
