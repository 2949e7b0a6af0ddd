import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { rows, type Sql } from '../../database/sql.ts'
import { holds, visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import type { Registry, Resource, Shown } from '../../kernel/resource.ts'
import { resourceOf } from '../fact/records.ts'

/** What the caller may know of a host, and do with it. */
export interface Candidate {
  readonly id: number
  readonly name: string
  readonly organization_id: number | null
  readonly editable: boolean
}

/** Those of the hosts that the caller may see, in any organization. */
export async function candidates(ctx: Context, registry: Registry, ids: readonly number[]): Promise<Candidate[]> {
  const hosts = resourceOf(registry, 'host')
  const anywhere = outside(ctx)
  return rows<Candidate>(
    ctx.db,
    sql`select t.id, t.name, t.organization_id, ${mayEdit(anywhere, hosts)} as editable from hosts t
      where t.id = any (${ids}::bigint[]) and ${where(visible(anywhere, hosts, 'view_hosts'))} order by t.id`,
  )
}

/** Those of the hosts that the caller may edit, as a condition on `t`. */
export function mayEdit(ctx: Context, hosts: Resource): Sql {
  return holds(ctx, 'edit_hosts') ? sql`(${where(visible(ctx, hosts, 'edit_hosts'))})` : sql`false`
}

/** Members that the caller may not edit: nobody adds them, and nobody takes them out. */
export async function untouchable(ctx: Context, registry: Registry, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const hosts = resourceOf(registry, 'host')
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from hosts t where t.id = any (${ids}::bigint[]) and not ${mayEdit(outside(ctx), hosts)}`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Leaves of `host_ids` those that the caller may see: one statement, none for administrators. */
export const shownMembers: Shown = async (ctx, { registry }, records) => {
  const seen = visible(outside(ctx), resourceOf(registry, 'host'), 'view_hosts')
  const all = records.flatMap(({ host_ids }) => (Array.isArray(host_ids) ? (host_ids as number[]) : [])) // its schema
  if (seen.length === 0 || all.length === 0) return records
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from hosts t where t.id = any (${all}::bigint[]) and ${where(seen)}`,
  )
  const known = new Set(found.map(({ id }) => id))
  return records.map((record) =>
    Array.isArray(record.host_ids)
      ? { ...record, host_ids: (record.host_ids as number[]).filter((id) => known.has(id)) }
      : record,
  )
}

/** Hosts are members wherever they are: of which organization they must be is said by a sentence of its own. */
function outside(ctx: Context): Context {
  return { ...ctx, scope: { ...ctx.scope, organization: null } }
}
