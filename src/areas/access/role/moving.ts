import type { Context } from '../../../context.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { Registry, Taxonomy } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { isAdministrator } from '../user/groups.ts'
import { loadLacking, mayEscalate } from './escalation.ts'
import { hasGrant, isWithinOwnPlaces, loadGrants } from './rights.ts'

/** An organization or location, and its new parent. */
interface Move {
  readonly id: number
  readonly parent: number
}

/**
 * Refuses to move an organization or location unless the caller may give what the move gives: members of the new
 * ancestors become members of what is moved, and permissions limited to them hold there, too. {@throws Failure} invalid
 */
export async function refuseMove(ctx: Context, registry: Registry, taxonomy: Taxonomy, move: Move): Promise<void> {
  if (ctx.user.admin) return
  const [from, to] = [await lineOf(ctx, taxonomy, move.id), await lineOf(ctx, taxonomy, move.parent)]
  const gained = to.filter((id) => !from.includes(id))
  const createRefusal = (message: string) => invalid({ parent_id: [message] }, move.id)
  if (await loadLacking(ctx, { users: selectJoining(taxonomy, gained, from) })) throw createRefusal(JOINING)
  if (mayEscalate(ctx)) return
  const limited = await loadGrants(ctx, selectLimitedRoles(taxonomy, gained))
  const isExtended = limited
    .filter(({ [taxonomy.plural]: ids }) => isAmong(ids, gained) && !isAmong(ids, from))
    .map((grant) => ({ ...grant, [taxonomy.plural]: [move.id] }))
    .some((grant) => !(hasGrant(ctx, grant) && isWithinOwnPlaces(ctx, registry, grant)))
  if (isExtended) throw createRefusal(EXTENDING)
}

const JOINING =
  'would take in people who may do more than you, or who belong to organizations or locations that are not yours'
const EXTENDING = 'would extend permissions that are limited to it and that you do not have yourself'

function isAmong(ids: readonly number[], others: readonly number[]): boolean {
  return ids.some((id) => others.includes(id))
}

/** The id and those of all its ancestors. */
async function lineOf(ctx: Context, { plural }: Taxonomy, id: number): Promise<readonly number[]> {
  const found = await row<{ ancestor_ids: readonly number[] }>(
    ctx.db,
    sql`select ancestor_ids from ${sql.table(plural)} where id = ${id}`,
  )
  return [id, ...(found?.ancestor_ids ?? [])]
}

/**
 * Selects members of `these` who are not members of `those`; administrators are left out, because they gain nothing.
 */
function selectJoining({ kind, plural }: Taxonomy, these: readonly number[], those: readonly number[]): Sql {
  const column = sql.ref(`l.${kind}_id`)
  const selectLinks = (ids: readonly number[]) =>
    sql`select from ${sql.table(`user_${plural}`)} l where l.user_id = t.id and ${column} = any (${ids}::bigint[])`
  return sql`select t.id from users t
    where exists (${selectLinks(these)}) and not exists (${selectLinks(those)}) and not ${isAdministrator('t')}`
}

/** Selects the roles that are limited to one of these places, directly or by a filter. */
function selectLimitedRoles({ kind, plural }: Taxonomy, ids: readonly number[]): Sql {
  const column = sql.ref(`l.${kind}_id`)
  const named = sql`${column} = any (${ids}::bigint[])`
  return sql`select l.role_id from ${sql.table(`role_${plural}`)} l where ${named}
    union select f.role_id from ${sql.table(`filter_${plural}`)} l join filters f on f.id = l.filter_id where ${named}`
}
