import type { Context } from '../../../context.ts'
import { insertAudits } from '../../../database/audits.ts'
import { rows } from '../../../database/sql.ts'
import { causeOf } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** Attributes of match texts whose values name a record that may be renamed or deleted. */
type NamingAttribute = 'fqdn' | 'hostgroup' | 'organization' | 'location'

/**
 * Renames a record, and in trees everything below it, in match texts (smart-parameters §2.3): in texts with this
 * attribute only, as existing servers do; texts with several attributes stay. If there is an override for the new name
 * already, both stay.
 */
export async function renameMatches(ctx: Context, attribute: NamingAttribute, from: string, to: string): Promise<void> {
  if (from === to) return
  const before = `${attribute}=${from}`
  const after = `${attribute}=${to}`
  const renamed = await rows<{ id: number; before: string; after: string }>(
    ctx.db,
    sql`
    with named as (
      select id, match as before, smart_class_parameter_id as parameter, ${after}::text || substr(match, ${[...before].length + 1}::int) as match
      from override_values
      where (match = ${before} or starts_with(match, ${`${before}/`}::text)) and strpos(match, ',') = 0
    )
    update override_values o set match = named.match, updated_at = now()
    from named
    where named.id = o.id and not exists (
      select from override_values other
      where other.smart_class_parameter_id = named.parameter and other.match = named.match)
    returning o.id, named.before, o.match as after`,
  )
  const entries = renamed.map(({ id, ...match }) => ({
    ...({ action: 'update', type: 'OverrideValue', id, name: match.after } as const),
    changes: { match: [match.before, match.after] },
  }))
  await insertAudits(ctx.db, causeOf(ctx), entries)
}

/**
 * Loads the ids of overrides whose texts name the record or, in trees, one below it, alone or among other attributes.
 */
export async function loadOverridesNaming(
  ctx: Context,
  attributes: readonly string[],
  name: string,
): Promise<readonly number[]> {
  const texts = attributes.map((attribute) => `${attribute}=${name}`)
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select o.id from override_values o where exists (
        select from unnest(string_to_array(o.match, ',')) as p (part), unnest(${texts}::text[]) as n (text)
        where p.part = n.text or starts_with(p.part, n.text || '/'))
      order by o.id`,
  )
  return found.map(({ id }) => id)
}

/** Loads the ids of overrides for this record alone, which are deleted with it. */
export async function loadOverridesFor(
  ctx: Context,
  attribute: NamingAttribute,
  name: string,
): Promise<readonly number[]> {
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select id from override_values where match = ${`${attribute}=${name}`} order by id`,
  )
  return found.map(({ id }) => id)
}
