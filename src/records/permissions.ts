import { z } from 'zod'
import { type Context, hasPermission } from '../context.ts'
import { arrayOfIds, rows } from '../database/sql.ts'
import { joinConditions, limitToVisible, type ReadableKey, type Resource, type Transform } from '../kernel/index.ts'
import { idOf } from '../lib/values.ts'
import { sql } from '../sql.ts'

/** The permission behind each key of an answer's `permissions`, which say what the caller may do with the record. */
export type RecordPermissions = Readonly<Record<string, string>>

/**
 * The key `permissions` of a resource (core-api §1.5, content-api §1.4, §8), empty until `presentPermissions` fills it.
 */
export function permissionsKey(may: RecordPermissions): ReadableKey {
  const allowed = z.boolean().meta({ description: 'Whether the caller may do this with the record.' })
  return {
    schema: () =>
      z
        .object(Object.fromEntries(Object.keys(may).map((word) => [word, allowed])))
        .meta({ description: 'Permissions of the caller on this record.' }),
    sql: () => sql`null`,
  }
}

/** Fills the key `permissions` of each record for the caller, with at most one statement for a page. */
export function presentPermissions(may: RecordPermissions): Transform {
  return async (ctx, resource, records) => {
    const asking = records.filter((record) => 'permissions' in record)
    if (asking.length === 0) return records
    const ids = asking.map(idOf)
    const allowed = await loadAllowedIds(ctx, resource, may, ids)
    return records.map((record) =>
      'permissions' in record ? { ...record, permissions: allowed(idOf(record)) } : record,
    )
  }
}

type Allowed = (id: number) => Readonly<Record<string, boolean>>

async function loadAllowedIds(
  ctx: Context,
  resource: Resource,
  may: RecordPermissions,
  ids: readonly number[],
): Promise<Allowed> {
  const words = Object.entries(may).map(([word, permission]) => {
    const held = hasPermission(ctx, permission)
    return { word, held, conditions: held ? limitToVisible(ctx, resource, permission) : [] }
  })
  const alike = Object.fromEntries(words.map(({ word, held }) => [word, held]))
  const limited = words.filter(({ conditions }) => conditions.length > 0)
  if (limited.length === 0) return () => alike
  const answers = limited.map(({ word, conditions }) => sql`${joinConditions(conditions)} as ${sql.ref(word)}`)
  const found = await rows<Readonly<Record<string, boolean>> & { readonly _id: number }>(
    ctx.db,
    sql`select t.id as _id, ${sql.join(answers)} from ${sql.table(resource.table)} t where t.id = any (${arrayOfIds(ids)})`,
  )
  const byId = new Map(found.map(({ _id, ...allowed }) => [_id, allowed]))
  return (id) => ({ ...alike, ...byId.get(id) })
}
