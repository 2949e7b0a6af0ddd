import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { limitToVisible } from '../../../kernel/authorize.ts'
import type { Registry, Resource } from '../../../kernel/definition.ts'
import { lock } from '../../../kernel/operations/change.ts'
import { notFoundFor } from '../../../kernel/operations/find.ts'
import type { Stored } from '../../../kernel/record.ts'
import { findResource } from '../../../kernel/registry.ts'
import { selectRecord } from '../../../kernel/store/select.ts'

/** 400 for what cannot be done with a view, a version or an environment as it is (content-api §8.3). */
export function refusal(message: string): Failure {
  return new Failure('bad_parameter', message)
}

/** {@throws Failure} bad_parameter for the view that every organization has, which stays as it is */
export function refuseDefault(view: Stored): void {
  if (view.default) throw refusal('The default content view cannot be edited, published, or deleted.')
}

/** The record of a path or of a task that the caller may do this to, locked. {@throws Failure} not_found */
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

/** A resource that is there. */
export function resourceIn(registry: Registry, name: string): Resource {
  const resource = findResource(registry, name)
  return resource
}

/** Names of records, by a statement that selects `name`, as they stand in messages: `a, b and 7 more`; null for none. */
export async function loadNameList(tx: Context, statement: Sql): Promise<string | null> {
  const found = await row<{ names: string[]; count: number }>(
    tx.db,
    sql`select (array_agg(name order by name))[1:${sql.lit(NAMED_AT_MOST)}] as names, count(*) as count from (${statement}) named`,
  )
  if (!found || found.count === 0) return null
  const more = found.count - found.names.length
  return more > 0 ? `${found.names.join(', ')} and ${more} more` : found.names.join(', ')
}

/** As many as a person wants to read about. */
const NAMED_AT_MOST = 20
