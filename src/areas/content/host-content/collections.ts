import { z } from 'zod'
import { type Context, hasPermission } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { badParameter, invalid } from '../../../errors.ts'
import {
  type Action,
  type Field,
  type FieldPosition,
  joinConditions,
  limitToVisible,
  links,
  permissionOf,
  type Resource,
  readAttributes,
  readBack,
  readDraft,
  type Stored,
  updateStored,
  validate,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { lockCollections, refuseBeyondLimit } from '../host-collection/limit.ts'
import { type ContentHost, findContentHost, recordHostChange } from './content-host.ts'

/**
 * A field for the host collections of a host (content-api §5.3), set by `host_collection_ids`. Collections that the
 * caller may not edit stay.
 */
export function collectionsOfHost(): Field<readonly number[]> {
  const { elsewhere: _elsewhere, ...field } = links('host_collection', {
    through: 'host_collection_hosts',
    own: 'host_id',
    other: 'host_collection_id',
    doc: 'Its host collections. Collections that the caller may not edit stay in the list.',
  })
  return {
    ...field,
    saveNested: async (tx, at, host, ids) => storeMemberships(tx, at, await findContentHost(tx, host), ids),
  }
}

async function storeMemberships(
  tx: Context,
  at: FieldPosition,
  host: ContentHost,
  wanted: readonly number[],
): Promise<void> {
  const before = await collectionsOf(tx, host.id)
  const touched = [...wanted.filter((id) => !before.includes(id)), ...before.filter((id) => !wanted.includes(id))]
  if (touched.length === 0) return
  const collections = at.target('host_collection')
  const editable = new Set(await loadEditable(tx, collections, touched))
  const joins = wanted.filter((id) => !before.includes(id))
  const leaves = before.filter((id) => !wanted.includes(id) && editable.has(id))
  const locked = await lockCollections(tx, [...joins, ...leaves])
  const joining = locked.filter(({ id }) => joins.includes(id))
  const messages = joining.flatMap(({ id, name, organization_id }) => {
    if (organization_id !== host.organization_id) return [`Host collection ${name} belongs to another organization`]
    return editable.has(id) ? [] : [`You were not allowed to change host collection ${name}`]
  })
  if (messages.length > 0) throw invalid({ base: messages.slice(0, 100) }, host.id)
  refuseBeyondLimit(
    joining.map(({ name, max_hosts, total_hosts }) => ({ name, max_hosts, hosts: total_hosts + 1 })),
    host.id,
  )
  if (joins.length + leaves.length === 0) return
  await sql`delete from host_collection_hosts where host_id = ${host.id} and host_collection_id = any (${leaves}::bigint[])`.execute(
    tx.db,
  )
  await sql`insert into host_collection_hosts (host_collection_id, host_id) select unnest(${joins}::bigint[]), ${host.id}::bigint`.execute(
    tx.db,
  )
  await sql`update host_collections set updated_at = now() where id = any (${[...joins, ...leaves]}::bigint[])`.execute(
    tx.db,
  )
  const after = await collectionsOf(tx, host.id)
  await recordHostChange(tx, at.target('host'), host, { host_collection_ids: [before, after] })
}

async function collectionsOf(tx: Context, host: number): Promise<readonly number[]> {
  const found = await row<{ ids: number[] }>(
    tx.db,
    sql`select array(select host_collection_id from host_collection_hosts where host_id = ${host} order by 1) as ids`,
  )
  return found?.ids ?? []
}

async function loadEditable(tx: Context, collections: Resource, ids: readonly number[]): Promise<number[]> {
  const permission = permissionOf(collections, 'edit')
  if (!hasPermission(tx, permission)) return []
  const anywhere = { ...tx, scope: { ...tx.scope, organization: null } }
  const found = await rows<{ id: number }>(
    tx.db,
    sql`select t.id from host_collections t where t.id = any (${ids}::bigint[]) and ${joinConditions(limitToVisible(anywhere, collections, permission))}`,
  )
  return found.map(({ id }) => id)
}

/** `PUT /api/hosts/:id/host_collections`: replaces the collections of a host. */
export const setCollections: Action = {
  method: 'PUT',
  path: '/:id/host_collections',
  name: 'host_collections',
  summary: 'Replace the host collections of a host',
  permissions: ['edit_hosts'],
  body: z.object({
    host_collection_ids: z.array(z.int()).meta({ description: 'Ids of the collections that it is to be in.' }),
  }),
  record: { how: 'locked' },
  handle: replaceCollections,
}

async function replaceCollections(tx: Context, resource: Resource, input: Input, host: Stored): Promise<Answer> {
  const { host_collection_ids: ids } = readAttributes(resource, input.body)
  if (!Array.isArray(ids)) throw badParameter('host_collection_ids', ids, 'must be a list of ids of host collections')
  const validated = await validate(tx, resource, { host_collection_ids: ids })
  await updateStored(tx, resource, host, await readDraft(tx, resource, validated, host))
  return { status: 200, body: await readBack(tx, resource, host.id) }
}
