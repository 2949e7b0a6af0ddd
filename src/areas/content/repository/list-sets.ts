import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { Failure, parentNotFound } from '../../../errors.ts'
import {
  findResource,
  joinConditions,
  limitToVisible,
  type Resource,
  referenceNotFound,
  resolveParents,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { listContentsOfKey } from '../activation-key/product-content.ts'
import { listContents } from '../shared/content-rows.ts'
import { listSetsOfHost, ownerOf } from './list-sets-of-host.ts'

/** Lists sets of a product, of an organization, or of a key or a host with its overrides. */
export async function listSets(ctx: Context, sets: Resource, input: Input): Promise<Answer> {
  await resolveParents(ctx, sets, input) // refuses a product that the caller cannot see
  const { registry } = sets
  const product = input.params.product_id ?? readSingle(input.query, 'product_id')
  const wanted = { ...input, query: { ...input.query, product_id: product ?? undefined } }
  const key = readSingle(input.query, 'activation_key_id')
  if (key) {
    const id = await findVisibleId(ctx, registry.get('activation_key'), key, 'view_activation_keys')
    return listContentsOfKey(ctx, keysOf(sets), wanted, id)
  }
  const host = readSingle(input.query, 'host_id')
  if (host) return listSetsOfHost(ctx, sets, wanted, await findVisibleId(ctx, registry.get('host'), host, 'view_hosts'))
  const organization = product ? await ownerOf(ctx, 'products', product) : ctx.scope.organization
  if (organization === null)
    throw new Failure('not_found', 'One of parameters [ organization_id ] required but not specified.')
  return listContents(ctx, registry, wanted, { organization, conditions: [], overridden: null })
}

function keysOf({ registry }: Resource): Resource {
  const keys = findResource(registry, 'activation_key')
  return keys
}

/** Finds the id of a visible record. {@throws Failure} not_found, parent_not_found */
async function findVisibleId(
  ctx: Context,
  resource: Resource | undefined,
  id: string,
  permission: string,
): Promise<number> {
  if (!resource) throw new Error(`there is no resource for ${permission}`)
  const found = /^\d{1,15}$/.test(id)
    ? await row<{ id: number }>(
        ctx.db,
        sql`select t.id from ${sql.table(resource.table)} t where t.id = ${id}::bigint and ${joinConditions(limitToVisible(ctx, resource, permission))}`,
      )
    : undefined
  if (found) return found.id
  throw resource.surface === 'content' ? referenceNotFound(resource, id) : parentNotFound(resource.name, id)
}
