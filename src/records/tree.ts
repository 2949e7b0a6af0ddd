import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { row } from '../database/sql.ts'
import { invalid } from '../errors.ts'
import { TAKEN } from '../kernel/fields/values.ts'

// The tables are those whose rows form a tree by `parent_id` and know their full name and their ancestors.

interface Position {
  readonly title: string
  readonly ancestor_ids: readonly number[]
}

/** As long as a title may be in bytes: an index has to hold it. */
const LONGEST_TITLE = 2000

/**
 * Full name and ancestors of a row, null while it is new, under this parent: `Europe/Berlin`, from the root down.
 * {@throws Failure} invalid when a sibling has the name already
 */
export async function resolvePosition(
  ctx: Context,
  table: string,
  id: number | null,
  parent: number | null,
  name: string,
): Promise<Position> {
  await lockTree(ctx, table)
  const position = await positionUnder(ctx, table, parent, name)
  if (Buffer.byteLength(position.title) > LONGEST_TITLE) throw invalid({ name: ['makes the full name too long'] }, id)
  const taken = await row(
    ctx.db,
    sql`select from ${sql.table(table)} where id is distinct from ${id}::bigint
      and (title = ${position.title} or (fold(name) = fold(${name}::text) and coalesce(parent_id, 0) = ${parent ?? 0}))`,
  )
  if (taken) throw invalid({ name: [TAKEN] }, id)
  return position
}

async function positionUnder(ctx: Context, table: string, parent: number | null, name: string): Promise<Position> {
  if (parent === null) return { title: name, ancestor_ids: [] }
  const above = await row<{ title: string; ancestor_ids: number[] }>(
    ctx.db,
    sql`select title, ancestor_ids from ${sql.table(table)} where id = ${parent}`,
  )
  if (!above) throw invalid({ parent_id: ['does not exist'] })
  return { title: `${above.title}/${name}`, ancestor_ids: [...above.ancestor_ids, parent] }
}

/** Moves and renames go one at a time, or two of them could make a loop that neither sees. */
async function lockTree(ctx: Context, table: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`tree of ${table}`}))`.execute(ctx.db)
}

/** Refuses to put a record under itself or below one of its descendants. */
export function refuseLoop(id: number, parent: number | null, ancestors: readonly number[]): void {
  if (parent === id || ancestors.includes(id)) {
    throw invalid({ parent_id: ["can't be the record itself or one of its descendants"] }, id)
  }
}

/** Rewrites full names and ancestors of everything below a record that was renamed or moved. */
export async function rewriteBelow(ctx: Context, table: string, id: number): Promise<void> {
  const tree = sql.table(table)
  await sql`
    with recursive below (id, title, ancestor_ids) as (
      select id, title, ancestor_ids from ${tree} where id = ${id}
      union all
      select child.id, below.title || '/' || child.name, below.ancestor_ids || below.id
      from ${tree} child join below on child.parent_id = below.id
    )
    update ${tree} as moved set title = below.title, ancestor_ids = below.ancestor_ids
    from below where below.id = moved.id and moved.id <> ${id}`.execute(ctx.db)
}
