import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { Failure, notFound } from '../../errors.ts'
import { visible } from '../../kernel/authorize.ts'
import { type Condition, ROOT, where } from '../../kernel/condition.ts'
import { idSegment, within } from '../../kernel/operations/within.ts'
import type { Registry, Resource } from '../../kernel/resource.ts'
import type { Input } from '../../kernel/route.ts'
import { selectRecord } from '../../kernel/store/select.ts'

/** Needed to have the configuration of a host run, and to take that back (core-api §1.5). */
export const RUN_PERMISSION = 'configrun_hosts'

/** The hosts whose configuration the caller may run, as conditions on their table. */
export function runnable(ctx: Context, registry: Registry): Condition[] {
  return visible(ctx, hostsOf(registry), RUN_PERMISSION)
}

/** The resource that runs are about. */
export function hostsOf(registry: Registry): Resource {
  const hosts = registry.get('host')
  if (!hosts) throw new Error('there is no resource named host')
  return hosts
}

/** The runs of those hosts, as conditions on the table of runs. */
export function runsOfRunnable(ctx: Context, registry: Registry): Condition[] {
  const hosts = runnable(ctx, registry)
  if (hosts.length === 0) return []
  return [
    {
      sql: sql`${sql.ref(`${ROOT}.host_id`)} in (select t.id from hosts t where ${where(hosts)})`,
      tables: ['hosts', ...hosts.flatMap(({ tables }) => tables)],
    },
  ]
}

/** The id of the record that a request names among those that the conditions leave. {@throws Failure} not_found */
export async function findId(
  ctx: Context,
  resource: Resource,
  input: Input,
  conditions: readonly Condition[],
): Promise<number> {
  const segment = idSegment(input)
  const all = [...conditions, ...(await within(ctx, resource, input)).conditions]
  const found = await selectRecord(ctx.db, resource, ['id'], segment, all)
  if (!found) throw notFound(resource.name, segment)
  return found.id as number // every id is a number
}

/** {@throws Failure} denied to everybody while the setting forbids runs, as existing servers do */
export function refuseWhileOff({ settings }: Context): void {
  if (settings.configrun) return
  throw new Failure('denied', 'Access denied', {
    details: 'Configuration runs are switched off: an administrator can allow them with the setting configrun',
    missingPermissions: [RUN_PERMISSION],
  })
}
