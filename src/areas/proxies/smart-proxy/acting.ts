import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { type Field, type Link, TAXONOMIES, type Taxonomy, type WriteWrapper } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** A smart proxy and the places it acts in, with all below them. */
interface Acting {
  readonly id: number
  readonly organizations: readonly number[]
  readonly locations: readonly number[]
}

/**
 * Executes a write and refuses it if these smart proxies would then act for further hosts, unless the caller belongs to
 * the places of those hosts (docs/decisions/0017-machines.md). {@throws Failure} invalid, on the field
 */
export async function keepActing<Result>(
  ctx: Context,
  { proxies, field, id }: { readonly proxies: Sql; readonly field: string; readonly id: number | null },
  write: () => Promise<Result>,
): Promise<Result> {
  if (ctx.user.admin) return write()
  const before = new Map((await actingOf(ctx, proxies)).map((one) => [one.id, one]))
  const result = await write()
  const after = await actingOf(ctx, proxies)
  if (after.some((one) => actsBeyond(ctx, before.get(one.id), one))) throw invalid({ [field]: [BEYOND] }, id)
  return result
}

const BEYOND =
  'would let a smart proxy act for hosts of organizations or locations that are not yours: that takes somebody who belongs to all of them'

/** What moves where proxies act: the parent of an organization or a location, and its proxies. */
type ActingFields = { readonly parent: Field<number | null> & Link; readonly smart_proxies: Field<readonly number[]> }

/**
 * Keeps where proxies act in step with moves and links of organizations and locations. It is nested around their
 * writes.
 */
export const actingFollows: WriteWrapper<ActingFields> = {
  update: async (ctx, stored, draft, next) => {
    const isMoved = draft.parent !== undefined && draft.parent !== stored.parent_id
    if (!isMoved && draft.smart_proxies === undefined) return next(draft)
    const field = isMoved ? 'parent_id' : 'smart_proxy_ids'
    await keepActing(ctx, { proxies: sql`select id from smart_proxies`, field, id: stored.id }, () => next(draft))
  },
}

/** Whether a proxy acts in a new pair of organization and location that is not all the caller's. */
function actsBeyond({ user }: Context, before: Acting | undefined, after: Acting): boolean {
  return TAXONOMIES.some(({ plural }, index) => {
    const other = TAXONOMIES[1 - index]?.plural ?? plural
    const known = new Set(before?.[plural])
    const gained = after[plural].filter((id) => !known.has(id))
    if (gained.length === 0 || after[other].length === 0) return false
    return [
      [gained, user[plural]],
      [after[other], user[other]],
    ].some(([ids, own]) => ids?.some((id) => !own?.includes(id)))
  })
}

function actingOf(ctx: Context, proxies: Sql): Promise<readonly Acting[]> {
  return rows<Acting>(
    ctx.db,
    sql`select p.id, ${placesOf('organization')} as organizations, ${placesOf('location')} as locations
      from smart_proxies p where p.id in (${proxies})`,
  )
}

function placesOf(kind: Taxonomy['kind']): Sql {
  const [tree, links] = [sql.table(`${kind}s`), sql.table(`smart_proxy_${kind}s`)]
  const column = sql.ref(`${kind}_id`)
  const named = sql`array(select l.${column} from ${links} l where l.smart_proxy_id = p.id)`
  return sql`array(select x.id from ${tree} x
    where x.id = any (${named}) or x.ancestor_ids && ${named}
      or (${sql.ref(`p.any_${kind}`)} and not exists (select from ${links} l where l.smart_proxy_id = p.id)))`
}
