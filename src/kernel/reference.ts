import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { rows } from '../database/sql.ts'
import { unknownReference } from '../errors.ts'
import { ROOT, where } from './condition.ts'
import type { Resource } from './resource.ts'
import { inScope, members } from './scope.ts'

/** The ids themselves, once each of them names a record within scope. {@throws Failure} unknown_reference (core-api §2.5). */
export async function findIds(ctx: Context, target: Resource, ids: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return []
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from ${sql.table(target.table)} t where t.id = any (${wanted}::bigint[]) and ${where(existing(ctx, target))}`,
  )
  if (found.length === wanted.length) return wanted
  const known = new Set(found.map(({ id }) => id))
  const missing = wanted.filter((id) => !known.has(id)).slice(0, 100)
  throw unknownReference(
    wanted.length === 1
      ? `Couldn't find ${target.type} with 'id'=${wanted[0]}`
      : `Couldn't find all ${target.type}s with 'id': (${wanted.slice(0, 100).join(', ')}) (missing: ${missing.join(', ')})`,
  )
}

/** The ids behind exact names (titles of trees). {@throws Failure} unknown_reference naming the first unknown one. */
export async function findByLabel(ctx: Context, target: Resource, names: readonly string[]): Promise<number[]> {
  const wanted = [...new Set(names)]
  if (wanted.length === 0) return []
  const label = sql.ref(`${ROOT}.${target.label ?? 'id'}`)
  const found = await rows<{ id: number; label: string }>(
    ctx.db,
    sql`select t.id, ${label} as label from ${sql.table(target.table)} t where ${label} = any (${wanted}::text[]) and ${where(existing(ctx, target))}`,
  )
  const known = new Map(found.map(({ id, label }) => [label, id]))
  return wanted.map((name) => {
    const id = known.get(name)
    if (id === undefined) throw unknownReference(`Could not find ${target.name} with name: ${name}`)
    return id
  })
}

function existing(ctx: Context, target: Resource) {
  return [...members(ctx, target), ...inScope(ctx, target)]
}
