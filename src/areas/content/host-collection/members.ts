import { type Context, hasPermission } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import {
  findResource,
  joinConditions,
  limitToVisible,
  type Registry,
  type Resource,
  type Transform,
} from '../../../kernel/index.ts'
import { readNumbers } from '../../../lib/values.ts'
import { sql } from '../../../sql.ts'

/** A host, with what the caller may do with it. */
export interface MemberCandidate {
  readonly id: number
  readonly name: string
  readonly organization_id: number | null
  readonly editable: boolean
}

/**
 * Loads those of the hosts that the caller may see, in any organization. They stay in their organizations until the
 * transaction ends (see `refuseOrganizationChange`).
 */
export async function loadMemberCandidates(
  ctx: Context,
  registry: Registry,
  ids: readonly number[],
): Promise<MemberCandidate[]> {
  const hosts = findResource(registry, 'host')
  const anywhere = withoutPlaces(ctx)
  return rows<MemberCandidate>(
    ctx.db,
    sql`select t.id, t.name, t.organization_id, ${limitToEditable(anywhere, hosts)} as editable from hosts t
      where t.id = any (${ids}::bigint[]) and ${joinConditions(limitToVisible(anywhere, hosts, 'view_hosts'))} order by t.id for key share of t`,
  )
}

/** The condition for hosts `t` that the caller may edit. */
function limitToEditable(ctx: Context, hosts: Resource): Sql {
  return hasPermission(ctx, 'edit_hosts')
    ? sql`(${joinConditions(limitToVisible(ctx, hosts, 'edit_hosts'))})`
    : sql`false`
}

/** Loads the ids of those hosts that the caller may not edit, and so neither add to a collection nor remove. */
export async function loadUneditableMembers(
  ctx: Context,
  registry: Registry,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const hosts = findResource(registry, 'host')
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from hosts t where t.id = any (${ids}::bigint[]) and not ${limitToEditable(withoutPlaces(ctx), hosts)}`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Removes from `host_ids` those that the caller may not see: one statement, none for administrators. */
export const presentMembers: Transform = async (ctx, { registry }, records) => {
  const seen = limitToVisible(withoutPlaces(ctx), findResource(registry, 'host'), 'view_hosts')
  const all = records.flatMap((record) => readNumbers(record, 'host_ids') ?? [])
  if (seen.length === 0 || all.length === 0) return records
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from hosts t where t.id = any (${all}::bigint[]) and ${joinConditions(seen)}`,
  )
  const known = new Set(found.map(({ id }) => id))
  return records.map((record) => {
    const ids = readNumbers(record, 'host_ids')
    return ids ? { ...record, host_ids: ids.filter((id) => known.has(id)) } : record
  })
}

/**
 * Yields a context without scope: members may be in any organization, and another one than the collection's has a
 * message of its own.
 */
function withoutPlaces(ctx: Context): Context {
  return { ...ctx, scope: { ...ctx.scope, organization: null } }
}
