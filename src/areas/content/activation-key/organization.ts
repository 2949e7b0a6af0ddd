import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { Failure, unknownReference } from '../../../errors.ts'
import type { Draft, Field, Link, Sent } from '../../../kernel/index.ts'
import { membersOf } from '../../../lib/values.ts'
import { organizationField } from '../../../records/taxonomy-fields.ts'
import { sql } from '../../../sql.ts'

/**
 * Resolves the organization of a key: the one that the request names, that of its scope or of the environment
 * (content-api §2.3, §2.4). {@throws Failure} not_found without one
 */
export async function resolveKeyOrganization(ctx: Context, sent: Sent | Draft): Promise<number> {
  refuseStranger(ctx, sent.organization_id)
  const named = sent.organization_id ?? ctx.scope.organization ?? (await organizationOfEnvironment(ctx, sent))
  if (typeof named === 'number') return named
  throw new Failure('not_found', 'One of parameters [ organization_id ] required but not specified.')
}

/**
 * Yields a context in the organization of the key that the path names, if the request names none and the caller belongs
 * to it.
 */
export async function withOrganizationOfKey(ctx: Context, segment: string): Promise<Context> {
  if (ctx.scope.organization !== null || !/^\d{1,15}(?:-|$)/.test(segment)) return ctx
  const found = await row<{ organization: number }>(
    ctx.db,
    sql`select organization_id as organization from activation_keys where id = ${Number.parseInt(segment, 10)}`,
  )
  if (!found || !(ctx.user.admin || ctx.user.organizations.includes(found.organization))) return ctx
  return { ...ctx, scope: { ...ctx.scope, organization: found.organization } }
}

/** Refuses callers from other organizations, because messages about values would reveal something of this one. */
function refuseStranger({ user }: Context, id: unknown): void {
  if (typeof id !== 'number' || user.admin || user.organizations.includes(id)) return
  throw unknownReference(`Couldn't find Organization with 'id'=${id}`)
}

/** The field for the organization of a key; without a value `resolveKeyOrganization` takes it from the request. */
export function keyOrganization(): Field<number> & Link {
  const field = organizationField()
  return {
    ...field,
    search: ({ name }) => [{ name: `${name}_id`, type: 'integer', column: `${name}_id`, explicit: true }],
    read: async (ctx, at, sent, later) =>
      (await field.read?.(ctx, at, sent, later)) ?? resolveKeyOrganization(ctx, sent),
  }
}

async function organizationOfEnvironment(ctx: Context, sent: Sent): Promise<number | null> {
  const environment = membersOf(sent.environment).id ?? sent.environment_id
  if (typeof environment !== 'number') return null
  const found = await row<{ organization_id: number }>(
    ctx.db,
    sql`select organization_id from lifecycle_environments where id = ${environment}`,
  )
  if (!found) throw new Failure('not_found', `Couldn't find environment '${environment}'`)
  return found.organization_id
}
