import { type Context, familyOf, SERVICE } from '../../context.ts'
import { row, type Sql } from '../../database/sql.ts'
import { Failure } from '../../errors.ts'
import { TAXONOMIES } from '../../kernel/index.ts'
import { sql } from '../../sql.ts'
import { limitToOwnTaxonomies } from '../places/index.ts'
import type { RegistrationOwner } from './key.ts'
import type { StoredKey } from './keys.ts'

const [, LOCATION] = TAXONOMIES

/**
 * Resolves the location of a new host, for a user among their own, for a machine among those of its keys and organization:
 * the one in the request, else the only one of its keys, else that of the setting, else the only one there is, else null.
 * {@throws Failure} not_found when the request names another one, whether it exists or not
 */
export async function resolveLocation(
  ctx: Context,
  owner: RegistrationOwner,
  named: { readonly id: number | null; readonly title: string | null },
  keys: readonly StoredKey[],
): Promise<number | null> {
  const ofKeys = [...new Set(keys.flatMap(({ locations }) => locations.map(({ id }) => id)))]
  const theirs =
    ctx.user.id === SERVICE.id
      ? sql`((x.ancestor_ids || x.id) && ${ofKeys}::bigint[] or ${limitToLocationsOf(ctx, owner)})`
      : limitToOwnTaxonomies(ctx, LOCATION, 'x')
  const asked = named.id ?? named.title
  if (asked !== null) {
    const found = await loadOnly(ctx, sql`${named.id === null ? sql`x.title` : sql`x.id`} = ${asked} and ${theirs}`)
    if (found === null) throw new Failure('not_found', `Couldn't find location '${asked}'`)
    return found
  }
  const [only, ...others] = ofKeys
  if (only !== undefined && others.length === 0) return only
  const title = ctx.settings.default_location
  const usual = title === '' ? null : await loadOnly(ctx, sql`x.title = ${title} and ${theirs}`)
  return usual ?? loadOnly(ctx, theirs)
}

/** Loads the id of the only location `x` that is left; null for none and several. */
async function loadOnly(ctx: Context, left: Sql): Promise<number | null> {
  const found = await row<{ id: number }>(
    ctx.db,
    sql`select min(l.id) as id from (select x.id from locations x where ${left} limit 2) l having count(*) = 1`,
  )
  return found?.id ?? null
}

/**
 * Leaves the locations `x` where hosts of an organization may be: those that say so themselves or by what they lie in, and of
 * those that name no organization all but where only others have hosts or members. If there is only one location, all organizations use it.
 */
function limitToLocationsOf({ trees }: Context, { id }: RegistrationOwner): Sql {
  const linked = sql`from location_organizations o where o.location_id = any (x.ancestor_ids || x.id)`
  const there = sql`from (
      select h.organization_id from hosts h where h.location_id = x.id
      union all
      select m.organization_id from user_locations l join user_organizations m on m.user_id = l.user_id where l.location_id = x.id
    ) o where o.organization_id is not null`
  const own = sql`o.organization_id = any (${familyOf(trees.organizations, [id])}::bigint[])`
  return sql`case when exists (select ${linked}) then exists (select ${linked} and ${own})
    else exists (select ${there} and ${own}) or not exists (select ${there}) end
    or not exists (select from locations other where other.id <> x.id)`
}

/** Lists a location and its ancestors: keys for an ancestor are valid in it, too. */
export function listLocationAndAbove(ctx: Context, location: number | null): readonly number[] {
  return location === null ? [] : [location, ...(ctx.trees.locations.get(location)?.above ?? [])]
}
