import { type Context, holdsForAll } from '../../../context.ts'
import { row, rows, type Sql } from '../../../database/sql.ts'
import { denied } from '../../../errors.ts'
import type { Registry } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { isEverywhere, limitToVisibleMatch, limitToWritableMatch, SHARED } from './within-reach.ts'

const MATCH = sql`o.match`

/** Loads the ids of overrides of these parameters that the caller may not see. No statement for callers who see all. */
export async function loadInvisibleOverrides(
  ctx: Context,
  registry: Registry,
  parameters: readonly number[],
): Promise<ReadonlySet<number>> {
  const seen = parameters.length === 0 ? null : limitToVisibleMatch(ctx, registry, MATCH)
  if (!seen) return new Set()
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select o.id from override_values o where o.smart_class_parameter_id = any (${parameters}::bigint[]) and not ${seen}`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Loads the ids of overrides of all parameters that the caller may not see. */
export async function loadAllInvisibleOverrides(ctx: Context, registry: Registry): Promise<ReadonlySet<number>> {
  const seen = limitToVisibleMatch(ctx, registry, MATCH)
  if (!seen) return new Set()
  const found = await rows<{ id: number }>(ctx.db, sql`select o.id from override_values o where not ${seen}`)
  return new Set(found.map(({ id }) => id))
}

/** Refuses callers who may see the override but not change it. {@throws Failure} denied */
export async function refuseShared(ctx: Context, registry: Registry, id: number): Promise<void> {
  await refuseWhere(ctx, registry, sql`o.id = ${id}`)
}

/**
 * Refuses changes that affect all overrides of these parameters unless the caller may write all of them, or has the
 * permission for shared ones. `parameters` selects ids. {@throws Failure} denied
 */
export async function refuseForeignOverrides(ctx: Context, registry: Registry, parameters: Sql): Promise<void> {
  if (holdsForAll(ctx, SHARED.edit)) return
  await refuseWhere(ctx, registry, sql`o.smart_class_parameter_id in (${parameters})`)
}

/**
 * Requires the permission for shared overrides, for changes that may delete overrides of anybody. {@throws Failure}
 * denied
 */
export function requireShared(ctx: Context): void {
  if (!isEverywhere(ctx) && !holdsForAll(ctx, SHARED.edit)) throw denied([SHARED.edit])
}

async function refuseWhere(ctx: Context, registry: Registry, condition: Sql): Promise<void> {
  const writable = limitToWritableMatch(ctx, registry, MATCH)
  if (!writable) return
  const other = await row(
    ctx.db,
    sql`select o.id from override_values o where ${condition} and not ${writable} limit 1`,
  )
  if (other) throw denied([SHARED.edit])
}
