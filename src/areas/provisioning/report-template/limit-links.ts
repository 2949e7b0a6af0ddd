import { type Context, hasPermission } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { findResource, joinConditions, limitToVisible, permissionOf, type Registry } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { HostData } from '../rendering/host-data.ts'

/** The links of hosts with more than a name, and the resource that decides who may see the rest. */
const LINKS = { subnet: 'subnet', subnet6: 'subnet', owner: 'user', medium: 'medium', ptable: 'ptable' } as const

type HostLinks = Pick<HostData, keyof typeof LINKS>

/** Empties linked records but for id and name, unless the caller may view them. At most one statement for each resource. */
export async function limitLinks<Host extends HostLinks>(
  ctx: Context,
  registry: Registry,
  hosts: readonly Host[],
): Promise<readonly Host[]> {
  const links = Object.keys(LINKS) as (keyof HostLinks)[] // the keys of a constant
  const visible = new Map<string, ReadonlySet<number> | null>()
  for (const name of new Set(Object.values(LINKS))) {
    const ids = links.flatMap((link) => (LINKS[link] === name ? hosts.map((host) => Number(host[link]?.id ?? 0)) : []))
    visible.set(name, await loadVisibleIds(ctx, registry, name, ids))
  }
  return hosts.map((host) => {
    const limited = links.map((link) => {
      const [linked, seen] = [host[link], visible.get(LINKS[link])]
      const isWhole = linked === null || seen === null || seen?.has(Number(linked.id))
      return [link, isWhole ? linked : keepName(linked)]
    })
    return { ...host, ...Object.fromEntries(limited) }
  })
}

const NAMES = ['id', 'name', 'login']

function keepName(linked: NonNullable<HostLinks['owner']>): NonNullable<HostLinks['owner']> {
  return Object.fromEntries(Object.entries(linked).map(([key, value]) => [key, NAMES.includes(key) ? value : null]))
}

/** Loads which of these records the caller may view; null: all. */
async function loadVisibleIds(
  ctx: Context,
  registry: Registry,
  name: string,
  ids: readonly number[],
): Promise<ReadonlySet<number> | null> {
  const resource = findResource(registry, name)
  const permission = permissionOf(resource, 'view')
  if (!hasPermission(ctx, permission)) return new Set()
  const conditions = limitToVisible(ctx, resource, permission)
  if (conditions.length === 0) return null
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from ${sql.table(resource.table)} t where t.id = any (${ids}::bigint[]) and ${joinConditions(conditions)}`,
  )
  return new Set(found.map(({ id }) => id))
}
