import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { parentNotFound } from '../../../errors.ts'
import { joinConditions, limitToVisible, notFoundFor, type Resource, referenceNotFound } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'

interface NamedOwner {
  readonly id: number
  readonly organization_id: number | null
}

/** Finds the activation key that the request names. {@throws Failure} not_found */
export async function findNamedKey(
  ctx: Context,
  { registry }: Resource,
  input: Input,
): Promise<NamedOwner | undefined> {
  const keys = registry.get('activation_key')
  const segment = input.params.activation_key_id ?? readSingle(input.query, 'activation_key_id')
  if (!keys || segment === null || segment === '') return undefined
  const found = await find(ctx, keys, segment, 'view_activation_keys')
  if (found) return found
  const failure = await notFoundFor(ctx, keys, 'view_activation_keys', segment)
  throw failure.code === 'wrong_organization' ? failure : referenceNotFound(keys, segment)
}

/** Finds the host that the query names. {@throws Failure} parent_not_found */
export async function findNamedHost(
  ctx: Context,
  { registry }: Resource,
  { query }: Input,
): Promise<NamedOwner | undefined> {
  const hosts = registry.get('host')
  const segment = readSingle(query, 'host_id')
  if (!hosts || segment === null || segment === '') return undefined
  const found = await find(ctx, hosts, segment, 'view_hosts')
  if (!found) throw parentNotFound('host', segment)
  return found
}

async function find(ctx: Context, resource: Resource, id: string, permission: string): Promise<NamedOwner | undefined> {
  if (!/^\d{1,15}$/.test(id)) return undefined
  return row<NamedOwner>(
    ctx.db,
    sql`select t.id, t.organization_id from ${sql.table(resource.table)} t
      where t.id = ${id}::bigint and ${joinConditions(limitToVisible(ctx, resource, permission))}`,
  )
}
