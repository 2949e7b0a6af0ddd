import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { rows } from '../../database/sql.ts'

/** Attributes of match texts that name a record, which may get another name or go. */
type NamingAttribute = 'fqdn' | 'hostgroup' | 'organization' | 'location'

/**
 * Match texts follow a record to its new name, and in trees also everything below it (smart-parameters §2.3): those of the
 * one attribute alone, as on existing servers; texts of several attributes stay as they are. Where a parameter has an
 * override for the new name already, both stay.
 */
export async function renameMatches(ctx: Context, attribute: NamingAttribute, from: string, to: string): Promise<void> {
  if (from === to) return
  const before = `${attribute}=${from}`
  const after = `${attribute}=${to}`
  await sql`
    with named as (
      select id, smart_class_parameter_id as parameter, ${after}::text || substr(match, ${[...before].length + 1}::int) as match
      from override_values
      where (match = ${before} or starts_with(match, ${`${before}/`}::text)) and strpos(match, ',') = 0
    )
    update override_values o set match = named.match, updated_at = now()
    from named
    where named.id = o.id and not exists (
      select from override_values other
      where other.smart_class_parameter_id = named.parameter and other.match = named.match)`.execute(ctx.db)
}

/** Ids of the overrides for this record alone, which go with it. */
export async function matchesOf(ctx: Context, attribute: NamingAttribute, name: string): Promise<readonly number[]> {
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select id from override_values where match = ${`${attribute}=${name}`} order by id`,
  )
  return found.map(({ id }) => id)
}
