import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import {
  type Field,
  findReferences,
  joinConditions,
  limitToVisible,
  lock,
  permissionOf,
  type Resource,
  readDraft,
  updateStored,
  validate,
} from '../../../kernel/index.ts'
import { readNumbers } from '../../../lib/values.ts'
import { buildIdsSchema } from '../../../requests/named.ts'
import { toIds } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'

/**
 * A field that writes links from the other side: `<resource>_ids` are all hosts (host groups) that shall link to this
 * record. They are updated by their own rules and need the permission to edit them; those that the caller does not see
 * stay.
 */
export function takers(target: 'host' | 'hostgroup', doc: string): Field<readonly number[]> {
  const key = `${target}_ids`
  const ids = buildIdsSchema().max(1000).nullable()
  return {
    kind: 'takers',
    doc,
    writable: () => ({
      [key]: { schema: () => ids.meta({ description: `${doc} Replaces the list.` }), coerce: toIds },
    }),
    readable: () => ({}),
    search: () => [],
    read: async (ctx, at, sent) => {
      const sentIds = readNumbers(sent, key)
      if (!sentIds) return undefined
      const wanted = [...new Set(sentIds)]
      await findReferences(ctx, [{ target: at.target(target), ids: wanted, listed: true }])
      return wanted
    },
    saveNested: async (ctx, at, id, wanted) => {
      const resource = at.target(target)
      const seen = joinConditions(limitToVisible(ctx, resource, permissionOf(resource, 'view')))
      const taking = await rows<{ id: number; seen: boolean }>(
        ctx.db,
        sql`select t.id, ${seen} as seen from ${sql.table(resource.table)} t where t.ptable_id = ${id} order by t.id`,
      )
      const now = new Set(taking.map((one) => one.id))
      for (const one of wanted) if (!now.has(one)) await take(ctx, resource, one, id)
      for (const one of taking) if (one.seen && !wanted.includes(one.id)) await take(ctx, resource, one.id, null)
    },
  }
}

async function take(ctx: Context, resource: Resource, id: number, ptable: number | null): Promise<void> {
  const stored = await lock(ctx, resource, id)
  const validated = await validate(ctx, resource, { ptable_id: ptable })
  await updateStored(ctx, resource, stored, await readDraft(ctx, resource, validated, stored))
}
