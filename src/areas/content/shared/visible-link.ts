import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import {
  type Field,
  joinConditions,
  limitToVisible,
  permissionOf,
  type Resource,
  referenceNotFound,
} from '../../../kernel/index.ts'
import { NOT_INTEGER, toInteger } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'

/** Restricts a field of a link or links to targets that the caller may see; others count as unknown (content-api §1.5). */
export function visibleLink<F extends Field>(field: F): F {
  return {
    ...field,
    read: async (ctx, at, sent) => {
      // Visible targets exist, so that the field's own references need not be looked up.
      const value = await field.read?.(ctx, at, sent, [])
      const ids = [value].flat().filter((id) => typeof id === 'number')
      if (field.refersTo) await requireVisible(ctx, at.target(field.refersTo.resource), ids)
      return value
    },
  }
}

/**
 * Extends the field of a link so that `{id}` may be sent under its own name, which wins over `<name>_id` (content-api
 * §1.1).
 */
export function withObjectForm<F extends Field<number | null>>(field: F): F {
  return {
    ...field,
    writable: (at) => ({
      ...field.writable(at),
      [at.name]: { schema: () => OBJECT.meta({ description: `${field.doc} As an object with its id.` }) },
    }),
    read: async (ctx, at, sent, later) => {
      const object = sent[at.name] as z.infer<typeof OBJECT> | undefined // validated by that schema
      return field.read?.(ctx, at, object === undefined ? sent : { [`${at.name}_id`]: object?.id ?? null }, later)
    },
  }
}

const NOT_OBJECT = 'must be an object with an id'

const OBJECT = z
  .object(
    {
      id: z
        .preprocess(toInteger, z.int({ error: NOT_INTEGER }).positive(NOT_INTEGER).nullable())
        .meta({ description: 'Its id.' }),
    },
    { error: NOT_OBJECT },
  )
  .nullable()

/**
 * Requires that the caller may see these records. {@throws Failure} not_found, naming the first invisible ids
 * (content-api §2.2)
 */
export async function requireVisible(ctx: Context, target: Resource, ids: readonly number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const conditions = limitToVisible(ctx, target, permissionOf(target, 'view'))
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from ${sql.table(target.table)} t where t.id = any (${wanted}::bigint[]) and ${joinConditions(conditions)}`,
  )
  const known = new Set(found.map(({ id }) => id))
  const missing = wanted.filter((id) => !known.has(id))
  if (missing.length > 0) throw referenceNotFound(target, missing.slice(0, 100).join(', '))
}
