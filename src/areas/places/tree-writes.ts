import type { Context } from '../../context.ts'
import { row, rows } from '../../database/sql.ts'
import { Failure } from '../../errors.ts'
import type { Draft, Stored, Taxonomy, WriteWrapper } from '../../kernel/index.ts'
import { refuseLoop, resolvePosition, rewriteBelow } from '../../records/tree.ts'
import { sql } from '../../sql.ts'
import { endLimitedGrants, refuseMove } from '../access/index.ts'
import type { PlaceFields } from './contents.ts'
import { refuseMembers } from './members.ts'

/** Builds what keeps a tree of organizations or locations in order while it is written. */
export function buildTreeWrites(taxonomy: Taxonomy): WriteWrapper<PlaceFields> {
  const { plural } = taxonomy
  return {
    async create(ctx, draft, next, resource) {
      await refuseMembers(ctx, resource, taxonomy, draft, null)
      const place = await resolvePosition(ctx, plural, null, draft.parent ?? null, draft.name)
      const proxies = plural === 'organizations' ? await withContentProxies(ctx, draft.smart_proxies) : {}
      const id = await next({ ...draft, ...proxies, title: place.title })
      await sql`update ${sql.table(plural)} set ancestor_ids = ${place.ancestor_ids}::bigint[] where id = ${id}`.execute(
        ctx.db,
      )
      if (!ctx.user.admin) await join(ctx, taxonomy, id)
      return id
    },
    async update(ctx, stored, draft, next, resource) {
      await refuseMembers(ctx, resource, taxonomy, draft, stored)
      const name = draft.name ?? stored.name
      const parent = draft.parent === undefined ? stored.parent_id : draft.parent
      const place = await resolvePosition(ctx, plural, stored.id, parent, name)
      refuseLoop(stored.id, parent, place.ancestor_ids)
      if (parent !== null && parent !== stored.parent_id)
        await refuseMove(ctx, resource.registry, taxonomy, { id: stored.id, parent })
      if (place.title === stored.title && parent === stored.parent_id) return next(draft)
      await sql`update ${sql.table(plural)} set ancestor_ids = ${place.ancestor_ids}::bigint[] where id = ${stored.id}`.execute(
        ctx.db,
      )
      await next({ ...draft, title: place.title })
      await rewriteBelow(ctx, plural, stored.id)
    },
    async delete(ctx, stored, next, resource) {
      await lockAgainstReferences(ctx, plural, stored.id)
      await refuseWithChildren(ctx, plural, stored)
      await endLimitedGrants(ctx, resource.registry, taxonomy, stored.id)
      await next()
    },
  }
}

/** Adds the proxies whose content is no mirror of another one's (`mirror: false`): they serve all organizations. */
async function withContentProxies(ctx: Context, sent: readonly number[] = []): Promise<Draft<PlaceFields>> {
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select distinct smart_proxy_id as id from smart_proxy_features where settings -> 'mirror' = 'false' order by 1`,
  )
  return found.length === 0 ? {} : { smart_proxies: [...new Set([...sent, ...found.map(({ id }) => id)])] }
}

/** Adds the creator as a member, unless they are an administrator: otherwise they could not see their new place. */
async function join(ctx: Context, { kind, plural }: Taxonomy, id: number): Promise<void> {
  await sql`insert into ${sql.table(`user_${plural}`)} (user_id, ${sql.ref(`${kind}_id`)}) values (${ctx.user.id}, ${id}) on conflict do nothing`.execute(
    ctx.db,
  )
}

/** Waits for whoever is referring to a place now, and keeps it from later ones: what is then asked stays true. */
async function lockAgainstReferences(ctx: Context, plural: string, id: number): Promise<void> {
  await sql`select from ${sql.table(plural)} where id = ${id} for update`.execute(ctx.db)
}

async function refuseWithChildren(ctx: Context, plural: string, stored: Stored<PlaceFields>): Promise<void> {
  const child = await row(ctx.db, sql`select id from ${sql.table(plural)} where parent_id = ${stored.id} limit 1`)
  if (child) throw new Failure('conflict', `Cannot delete ${stored.title} because it has nested ${plural}.`)
}
