import type { Context } from '../../../context.ts'
import { insertAudits } from '../../../database/audits.ts'
import { rows } from '../../../database/sql.ts'
import { causeOf, type Draft, type Resource, type Stored } from '../../../kernel/index.ts'
import { refuseWhileLinked } from '../../../records/linked.ts'
import { sql } from '../../../sql.ts'
import { refuseForeignOverrides } from '../override-value/guard.ts'
import type { ClassFields } from './fields.ts'

/**
 * Refuses to remove a class from an environment with hosts that it is directly assigned to. {@throws Failure} invalid,
 * naming these hosts
 */
export async function refuseLeavingHosts(
  ctx: Context,
  { registry }: Resource,
  stored: Stored<ClassFields>,
  draft: Draft<ClassFields>,
): Promise<void> {
  const left = stored.environments.filter((id) => !(draft.environments ?? stored.environments).includes(id))
  if (left.length === 0) return
  const hosts = await rows<{ id: number }>(
    ctx.db,
    sql`select h.id from hosts h join host_configclasses c on c.host_id = h.id
      where c.configclass_id = ${stored.id} and h.environment_id = any (${left}::bigint[])`,
  )
  await refuseWhileLinked(ctx, registry, stored, { target: 'host', ids: hosts.map(({ id }) => id), label: stored.name })
}

/** Adds the parameters of a class to the environments that it gets, and removes them from those that it leaves. Values stay. */
export async function moveParameters(
  ctx: Context,
  stored: Stored<ClassFields>,
  draft: Draft<ClassFields>,
): Promise<void> {
  if (draft.environments === undefined) return
  const before = stored.environments
  const after = draft.environments
  const left = before.filter((id) => !after.includes(id))
  const entered = after.filter((id) => !before.includes(id))
  const own = sql`select id from smart_class_parameters where configclass_id = ${stored.id}`
  if (left.length > 0)
    await sql`delete from class_parameter_environments
      where smart_class_parameter_id in (${own}) and environment_id = any (${left}::bigint[])`.execute(ctx.db)
  if (entered.length > 0)
    await sql`insert into class_parameter_environments (smart_class_parameter_id, environment_id)
      select own.id, entered.id from (${own}) own cross join unnest(${entered}::bigint[]) as entered (id)
      on conflict do nothing`.execute(ctx.db)
}

/** Deletes parameters that exist in this environment only, with their overrides (smart-parameters §6.2). */
export async function dropParametersOf(ctx: Context, { registry }: Resource, environment: number): Promise<void> {
  const alone = sql`select p.id from smart_class_parameters p
    where exists (select from class_parameter_environments e where e.smart_class_parameter_id = p.id and e.environment_id = ${environment})
      and not exists (select from class_parameter_environments e where e.smart_class_parameter_id = p.id and e.environment_id <> ${environment})`
  await refuseForeignOverrides(ctx, registry, alone)
  const gone = await rows<{ id: number; parameter: string }>(
    ctx.db,
    sql`delete from smart_class_parameters where id in (${alone}) returning id, parameter`,
  )
  const entries = gone.map(({ id, parameter }) => ({
    ...({ action: 'destroy', type: 'SmartClassParameter', id, name: parameter } as const),
    changes: { parameter },
  }))
  await insertAudits(ctx.db, causeOf(ctx), entries)
}
