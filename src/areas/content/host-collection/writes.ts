import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { Draft, Resource, Stored, WriteWrapper } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { CollectionFields } from './fields.ts'
import { refuseBeyondLimit } from './limit.ts'
import { loadMemberCandidates, loadUneditableMembers } from './members.ts'

/**
 * Extends the writes of collections (content-api §8.1): callers add and remove only hosts that they may edit, other
 * members stay, and the limit holds.
 */
export const collectionWrites: WriteWrapper<CollectionFields> = {
  async create(ctx, draft, next, { registry }) {
    const hosts = draft.hosts ?? []
    await refuseStrangers(ctx, registry, hosts, draft.organization, null)
    refuseBeyondLimit([{ ...limitOf(draft, null), hosts: hosts.length }], null)
    return next(draft)
  },

  async update(ctx, stored, draft, next, { registry }) {
    const sent = draft.hosts
    if (!sent) return next(draft)
    const before = stored.hosts
    const added = sent.filter((id) => !before.includes(id))
    await refuseStrangers(ctx, registry, added, stored.organization_id, stored.id)
    const left = before.filter((id) => !sent.includes(id))
    const kept = await loadUneditableMembers(ctx, registry, left)
    const hosts = [...new Set([...sent, ...kept])].sort((a, b) => a - b)
    refuseBeyondLimit([{ ...limitOf(draft, stored), hosts: hosts.length }], stored.id)
    // Members are removed before the limit is lowered, because the database compares the two after each statement.
    await sql`delete from host_collection_hosts where host_collection_id = ${stored.id}
      and not host_id = any (${hosts}::bigint[])`.execute(ctx.db)
    await next({ ...draft, hosts })
  },
}

function limitOf(draft: Draft<CollectionFields>, stored: Stored<CollectionFields> | null) {
  const most = draft.max_hosts === undefined ? stored?.max_hosts : draft.max_hosts
  return { name: draft.name ?? stored?.name ?? '', max_hosts: most ?? null }
}

/** Refuses new hosts that the caller may not edit, or of other organizations. {@throws Failure} invalid */
async function refuseStrangers(
  ctx: Context,
  registry: Resource['registry'],
  ids: readonly number[],
  organization: number | undefined,
  collection: number | null,
): Promise<void> {
  if (ids.length === 0) return
  const found = new Map((await loadMemberCandidates(ctx, registry, ids)).map((host) => [host.id, host]))
  const messages = ids.flatMap((id) => {
    const host = found.get(id)
    if (!host) return [formatNotFound(id)]
    if (host.organization_id !== organization) return [formatForeign(host.name)]
    return host.editable ? [] : [`You were not allowed to add ${host.name}`]
  })
  if (messages.length > 0) throw invalid({ base: messages.slice(0, 100) }, collection)
}

/** The message about a host that the caller cannot see. */
export function formatNotFound(id: number): string {
  return `Host with ID ${id} not found.`
}

/** The message about a host of another organization. */
export function formatForeign(name: string): string {
  return `${name} does not belong to the organization of the host collection.`
}

/** Updates the time of change of a collection, whose members are in another table. */
export async function touchCollection(ctx: Context, id: number): Promise<void> {
  await row(ctx.db, sql`update host_collections set updated_at = now() where id = ${id}`)
}
