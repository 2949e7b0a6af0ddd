import type { Context, Grant } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { findResource, joinConditions, limitToVisible, type Registry } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { grantsOf, type RoleFilter } from '../identity/actors.ts'
import { resourceOfType } from './asking.ts'
import { type Change, type Holders, loadFilters, loadHolders, SAMPLES } from './imagined.ts'

/**
 * Compares what everybody may do, of the users that the caller sees. Records are not counted, as each user sees others: a
 * user gains a permission by a filter that they did not have, unless they have the permission for all records.
 */
export async function compareForAll(ctx: Context, registry: Registry, change: Change) {
  const seen = joinConditions(limitToVisible(ctx, findResource(registry, 'user'), 'view_users'))
  const all = await loadHolders(ctx, seen, change)
  const roles = await loadChangedRoles(ctx, change)
  const holders = all.filter((one) => isConcerned(one, roles))
  const filters = await loadFilters(ctx, holders, change)
  const compared = holders.map((one) => ({
    ...one,
    before: one.admin ? 'admin' : rightsOf(one.roles, filters.before),
    after: one.admin_then ? 'admin' : rightsOf(one.roles_then, filters.after),
  }))
  const permissions = await rows<Permission>(ctx.db, sql`select name, resource_type from permissions order by name`)
  const findGaining = (name: string) => compared.filter(({ before, after }) => isMore(after, before, name))
  const findLosing = (name: string) => compared.filter(({ before, after }) => isMore(before, after, name))
  return {
    gains: listDifferences(registry, permissions, findGaining),
    losses: listDifferences(registry, permissions, findLosing),
    administrators: {
      gains: countUsers(compared.filter(({ admin, admin_then }) => admin_then && !admin)),
      losses: countUsers(compared.filter(({ admin, admin_then }) => admin && !admin_then)),
    },
  }
}

interface Permission {
  readonly name: string
  readonly resource_type: string | null
}

/** Loads the roles that would get or lose filters. */
async function loadChangedRoles({ db }: Context, { addFilters, removeFilters }: Change): Promise<readonly number[]> {
  const removed = await rows<{ role_id: number }>(
    db,
    sql`select distinct role_id from filters where id = any (${removeFilters}::bigint[])`,
  )
  return [...removed, ...addFilters].map(({ role_id }) => role_id)
}

function isConcerned({ admin, admin_then, roles, roles_then }: Holders, changed: readonly number[]): boolean {
  const isOther = admin !== admin_then || roles.join() !== roles_then.join()
  return isOther || roles.some((id) => changed.includes(id))
}

type Rights = 'admin' | ReadonlyMap<string, readonly Grant[]>

function rightsOf(roles: readonly number[], filters: readonly RoleFilter[]): Rights {
  return grantsOf(filters.filter(({ role_id }) => roles.includes(role_id)))
}

/** Whether one form of a user has a permission by a filter that the other has not, and that adds to it. */
function isMore(more: Rights, less: Rights, permission: string): boolean {
  if (less === 'admin') return false
  const known = (less.get(permission) ?? []).map(formatGrant)
  if (known.includes(EVERYTHING)) return false
  return more === 'admin' || (more.get(permission) ?? []).some((grant) => !known.includes(formatGrant(grant)))
}

const formatGrant = ({ search, organizations, locations }: Grant) => JSON.stringify([search, organizations, locations])

const EVERYTHING = formatGrant({ search: null, organizations: null, locations: null })

function listDifferences(
  registry: Registry,
  permissions: readonly Permission[],
  findHolders: (permission: string) => readonly Holders[],
) {
  const changed = permissions.flatMap(({ name, resource_type }) => {
    const holders = findHolders(name)
    const resource = resourceOfType(registry, name, resource_type)?.name ?? null
    return holders.length === 0 ? [] : [{ name, resource, holders }]
  })
  const numbers = new Map<Holders, number>()
  for (const { holders } of changed) for (const one of holders) numbers.set(one, numbers.get(one) ?? numbers.size)
  const alike = Map.groupBy(
    changed,
    ({ resource, holders }) => `${resource} ${holders.map((one) => numbers.get(one)).join()}`,
  )
  return [...alike.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const users = countUsers(first.holders)
    return [{ permissions: group.map(({ name }) => name), resource: first.resource, users }]
  })
}

function countUsers(holders: readonly Holders[]) {
  const samples = holders.flatMap((one) => one.samples).toSorted((one, other) => one.id - other.id)
  return { count: holders.reduce((sum, { count }) => sum + count, 0), samples: samples.slice(0, SAMPLES) }
}
