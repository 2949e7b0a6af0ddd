import { asTrustedService, type Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { findResource, lock, type Registry, removeStored, type Taxonomy } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/**
 * Ends what roles and filters grant in an organization or location that is about to be deleted. A filter that is limited
 * to it alone, itself or by its role, is deleted, because without its last limit it would grant everything. Call it in
 * the transaction that deletes the locked place.
 */
export async function endLimitedGrants(
  ctx: Context,
  registry: Registry,
  { kind, plural }: Taxonomy,
  place: number,
): Promise<void> {
  const column = sql.ref(`l.${kind}_id`)
  const [ofFilters, ofRoles] = [sql.table(`filter_${plural}`), sql.table(`role_${plural}`)]
  const limitedFilters = sql`select l.filter_id from ${ofFilters} l where ${column} = ${place}`
  const limitedRoles = sql`select l.role_id from ${ofRoles} l where ${column} = ${place}`
  // Nobody takes another limit from them meanwhile.
  await sql`select from roles where id in (${limitedRoles}) order by id for update`.execute(ctx.db)
  await sql`select from filters where id in (${limitedFilters}) order by id for update`.execute(ctx.db)
  const ended = await rows<{ id: number }>(
    ctx.db,
    sql`
      select f.id from filters f
      where f.override and f.id in (${limitedFilters})
          and not exists (select from ${ofFilters} l where l.filter_id = f.id and ${column} <> ${place})
        or not f.override and f.role_id in (${limitedRoles})
          and not exists (select from ${ofRoles} l where l.role_id = f.role_id and ${column} <> ${place})
      order by f.id`,
  )
  const filters = findResource(registry, 'filter')
  const trusted = asTrustedService(ctx)
  for (const { id } of ended) await removeStored(trusted, filters, await lock(trusted, filters, id))
}
