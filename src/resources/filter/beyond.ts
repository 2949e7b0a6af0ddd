import { sql } from 'kysely'
import type { Context, Grant } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { holds } from '../../kernel/authorize.ts'
import type { Draft } from '../../kernel/resource.ts'
import { TAXONOMIES, type Taxonomy } from '../../kernel/scope.ts'

type Limits = Readonly<Record<Taxonomy['plural'], readonly number[]>>

/** Those of the permissions that a filter would grant for more records than its author has them for. */
export async function beyondOwn(ctx: Context, filter: Draft, permissions: readonly string[]): Promise<string[]> {
  if (holds(ctx, 'escalate_roles')) return []
  const limits = filter.override ? limitsOfItsOwn(filter) : await limitsOfRole(ctx, filter.role)
  const search = typeof filter.search === 'string' ? filter.search.trim() : ''
  return permissions.filter(
    (permission) => !ctx.user.grants.get(permission)?.some((grant) => covers(grant, search, limits)),
  )
}

/** Whether everything that a filter with this condition and these limits is about is within a grant. */
function covers(grant: Grant, search: string, limits: Limits): boolean {
  if (grant.search !== null && grant.search !== search) return false
  return TAXONOMIES.every(({ plural }) => {
    const granted = grant[plural]
    return granted === null || (limits[plural].length > 0 && limits[plural].every((id) => granted.includes(id)))
  })
}

function limitsOfItsOwn({ organizations, locations }: Draft): Limits {
  return {
    organizations: (organizations as number[] | undefined) ?? [],
    locations: (locations as number[] | undefined) ?? [],
  }
}

async function limitsOfRole(ctx: Context, role: unknown): Promise<Limits> {
  const found = await row<Limits>(
    ctx.db,
    sql`select array(select organization_id from role_organizations where role_id = ${role}::bigint) as organizations,
      array(select location_id from role_locations where role_id = ${role}::bigint) as locations`,
  )
  return found ?? { organizations: [], locations: [] }
}
