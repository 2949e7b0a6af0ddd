import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { Failure } from '../../errors.ts'
import type { StoredKey } from './keys.ts'

/**
 * Resolves the location of a new host: the one in the request, else the only one of its keys, else that of the setting,
 * else the only one there is, else null. {@throws Failure} not_found when the request names an unknown one
 */
export async function resolveLocation(
  ctx: Context,
  named: { readonly id: number | null; readonly title: string | null },
  keys: readonly StoredKey[],
): Promise<number | null> {
  const narrowed = new Set(keys.flatMap(({ locations }) => locations.map(({ id }) => id)))
  const [ofKeys = null] = narrowed.size === 1 ? narrowed : []
  if (named.id === null && named.title === null && ofKeys !== null) return ofKeys
  if (named.id !== null) {
    if (!ctx.trees.locations.has(named.id)) throw createUnknownLocation(named.id)
    return named.id
  }
  const title = named.title ?? ctx.settings.default_location
  const found =
    title === '' ? undefined : await row<{ id: number }>(ctx.db, sql`select id from locations where title = ${title}`)
  if (!found && named.title !== null) throw createUnknownLocation(named.title)
  const [only = null, ...others] = ctx.trees.locations.keys()
  return found?.id ?? (others.length === 0 ? only : null)
}

function createUnknownLocation(location: number | string): Failure {
  return new Failure('not_found', `Couldn't find location '${location}'`)
}

/** Lists a location and its ancestors: keys for an ancestor are valid in it, too. */
export function listLocationAndAbove(ctx: Context, location: number | null): readonly number[] {
  return location === null ? [] : [location, ...(ctx.trees.locations.get(location)?.above ?? [])]
}
