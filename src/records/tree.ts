import type { Context } from '../context.ts'
import { lockName } from '../database/savepoints.ts'
import { row } from '../database/sql.ts'
import { invalid } from '../errors.ts'
import { TAKEN } from '../requests/sent.ts'
import { sql } from '../sql.ts'

// Tables with trees have `parent_id`, the title of a row and its ancestors, which are kept up to date here.

interface Position {
  readonly title: string
  readonly ancestor_ids: readonly number[]
}

/** The longest title in bytes, because an index holds it. */
const LONGEST_TITLE = 2000

/**
 * Computes the title (`Europe/Berlin`) and the ancestors, from the root down, of a row under this parent; `id` is null
 * for a new row. {@throws Failure} invalid when a sibling has the name
 */
export async function resolvePosition(
  ctx: Context,
  table: string,
  id: number | null,
  parent: number | null,
  name: string,
): Promise<Position> {
  await lockTree(ctx, table)
  const position = await loadPositionUnder(ctx, table, parent, name)
  if (Buffer.byteLength(position.title) > LONGEST_TITLE) throw invalid({ name: ['makes the full name too long'] }, id)
  const taken = await row(
    ctx.db,
    sql`select from ${sql.table(table)} where id is distinct from ${id}::bigint
      and (title = ${position.title} or (fold(name) = fold(${name}::text) and coalesce(parent_id, 0) = ${parent ?? 0}))`,
  )
  if (taken) throw invalid({ name: [TAKEN] }, id)
  return position
}

async function loadPositionUnder(ctx: Context, table: string, parent: number | null, name: string): Promise<Position> {
  if (parent === null) return { title: name, ancestor_ids: [] }
  const above = await row<{ title: string; ancestor_ids: number[] }>(
    ctx.db,
    sql`select title, ancestor_ids from ${sql.table(table)} where id = ${parent}`,
  )
  if (!above) throw invalid({ parent_id: ['does not exist'] })
  return { title: `${above.title}/${name}`, ancestor_ids: [...above.ancestor_ids, parent] }
}

/** Lets moves and renames happen one at a time: two at once could make a loop that neither of them sees. */
async function lockTree(ctx: Context, table: string): Promise<void> {
  await lockName(ctx.db, `tree of ${table}`)
}

/** Refuses to move a record below itself or one of its descendants. {@throws Failure} invalid */
export function refuseLoop(id: number, parent: number | null, ancestors: readonly number[]): void {
  if (parent === id || ancestors.includes(id)) {
    throw invalid({ parent_id: ["can't be the record itself or one of its descendants"] }, id)
  }
}

/** Updates titles and ancestors of all descendants of a record that was renamed or moved. */
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
