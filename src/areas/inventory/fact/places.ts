import { type Context, withBelow, withoutScope } from '../../../context.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { limitToVisible, type Resource, selectRecord, TAXONOMIES, type Taxonomy } from '../../../kernel/index.ts'
import { SETTINGS } from '../../../settings/settings.ts'
import { sql } from '../../../sql.ts'
import { PLACE_FACTS } from '../../../words/protocols.ts'
import type { Facts } from './flatten.ts'
import type { HostPlaces } from './records.ts'

/** Titles of the organization and the location of a known host. */
export interface Titles {
  readonly organization: string | null
  readonly location: string | null
}

/**
 * Resolves the places of a new host: those in its facts, else those of the request, of the machine that uploads or of
 * the settings, else the only ones that exist. {@throws Failure} invalid for a machine that does not act there
 */
export async function resolveNewPlaces(ctx: Context, facts: Facts): Promise<HostPlaces> {
  const [organization_id, location_id] = await Promise.all(
    TAXONOMIES.map((taxonomy) => resolvePlace(ctx, taxonomy, facts)),
  )
  const place: HostPlaces = { organization_id: organization_id ?? null, location_id: location_id ?? null }
  refuseElsewhere(ctx, place)
  return place
}

/**
 * Resolves where facts move a known host: to the places that they name, or a host without a place to those of the
 * settings. Yields no key where the facts name the present place, none, or one that who tells them does not act in.
 */
export async function resolveKnownPlaces(ctx: Context, facts: Facts, known: Titles): Promise<Partial<HostPlaces>> {
  const moved = await Promise.all(
    TAXONOMIES.map(async ({ kind, plural }): Promise<[string, number][]> => {
      const title =
        findReportedTitle(ctx, kind, facts) ?? (known[kind] === null ? ctx.settings[`default_${kind}`] || null : null)
      if (title === null || title === known[kind]) return []
      const found = await row<{ id: number }>(ctx.db, selectTitled(ctx, plural, title))
      return found ? [[`${kind}_id`, found.id]] : []
    }),
  )
  return Object.fromEntries(moved.flat())
}

/**
 * Refuses to move a host to places where its uploader could not upload its facts again. {@throws Failure} invalid,
 * naming the places
 */
export async function refuseMovedAway(ctx: Context, hosts: Resource, host: number): Promise<void> {
  const reached = await selectRecord(
    ctx.db,
    hosts,
    ['id'],
    host,
    limitToVisible(withoutScope(ctx), hosts, 'upload_facts'),
  )
  if (reached) return
  const message = 'is none that who tells the facts may act in'
  throw invalid({ organization_id: [message], location_id: [message] }, host)
}

/** The title in the fact that the setting names; null if there is no setting, or no such fact. */
function findReportedTitle(ctx: Context, kind: Taxonomy['kind'], facts: Facts): string | null {
  const name = ctx.settings[`${kind}_fact`]
  if (name === '') return null
  const names = name === SETTINGS[`${kind}_fact`].default ? [name, PLACE_FACTS[kind]] : [name]
  return names.map((one) => facts.get(one)?.trim()).find((title) => title) ?? null
}

async function resolvePlace(ctx: Context, { kind, plural }: Taxonomy, facts: Facts): Promise<number | null> {
  const current = ctx.scope[kind] ?? homeOf(ctx, plural)
  const named = findReportedTitle(ctx, kind, facts) ?? (current === null ? ctx.settings[`default_${kind}`] : '')
  const found = await row<{ id: number | null }>(
    ctx.db,
    sql`select coalesce(
        (${selectTitled(ctx, plural, named)}),
        ${current}::bigint,
        (select min(id) from ${sql.table(plural)} having count(*) = 1)) as id`,
  )
  return found?.id ?? null
}

/** Selects the organization or location with this title if the caller acts in it. */
function selectTitled({ user }: Context, plural: Taxonomy['plural'], title: string): Sql {
  return sql`select id from ${sql.table(plural)} where title = ${title} and (${user.admin} or id = any (${user[plural]}::bigint[]))`
}

/** The only organization or location that a machine acts in; null when it has several, or all. */
function homeOf({ user }: Context, plural: Taxonomy['plural']): number | null {
  const ids = user.places?.map((place) => place[plural])
  const [home, ...others] = new Set(ids?.flatMap((list) => list ?? []))
  return home !== undefined && others.length === 0 && !ids?.includes(null) ? home : null
}

/** Refuses places that a machine does not act in. {@throws Failure} invalid */
function refuseElsewhere({ user, trees }: Context, place: HostPlaces): void {
  if (user.admin || !user.places) return
  const isIn = (plural: Taxonomy['plural'], ids: readonly number[] | null, id: number | null) =>
    ids === null || (id !== null && withBelow(trees[plural], ids).includes(id))
  const isWithin = user.places.some(
    ({ organizations, locations }) =>
      isIn('organizations', organizations, place.organization_id) && isIn('locations', locations, place.location_id),
  )
  if (isWithin) return
  const message =
    'is not known, and where it belongs is not clear: the smart proxy acts in several organizations or locations, so that a fact or the settings default_organization and default_location have to name one of them'
  throw invalid({ name: [message] })
}
