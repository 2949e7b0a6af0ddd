import type { Context } from '../../../context.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { limitToVisible, lock, notFoundFor, type Resource, type Stored, selectRecord } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** A 400 for what the present state of a view, version or environment does not allow (content-api §8.3). */
export function refusal(message: string): Failure {
  return new Failure('bad_parameter', message)
}

/** Refuses to change the default view of an organization. {@throws Failure} bad_parameter */
export function refuseDefault(view: Stored): void {
  if (view.default) throw refusal('The default content view cannot be edited, published, or deleted.')
}

/** Finds and locks the record of a path or task, with this permission. {@throws Failure} not_found */
export async function lockPermitted(
  tx: Context,
  resource: Resource,
  segment: string | number,
  permission: string,
): Promise<Stored> {
  const found = await selectRecord(tx.db, resource, ['id'], segment, limitToVisible(tx, resource, permission))
  if (!found) throw await notFoundFor(tx, resource, permission, String(segment))
  return lock(tx, resource, found.id)
}

/** Loads names for a message, by a statement that selects `name`: `a, b and 7 more`; null for none. */
export async function loadNameList(tx: Context, statement: Sql): Promise<string | null> {
  const found = await row<{ names: string[]; count: number }>(
    tx.db,
    sql`select (array_agg(name order by name))[1:${sql.lit(NAMED_AT_MOST)}] as names, count(*) as count from (${statement}) named`,
  )
  if (!found || found.count === 0) return null
  const more = found.count - found.names.length
  return more > 0 ? `${found.names.join(', ')} and ${more} more` : found.names.join(', ')
}

/** The most records that a message names. */
const NAMED_AT_MOST = 20
