import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { type Field, links, type Registry } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { requireParts } from '../content-view/parts.ts'
import { byIds } from '../shared/by-ids.ts'

/** A field for repositories by id. Whether the filter may have them is checked once its view is known. */
export function repositoriesOfFilter(doc: string): Field<readonly number[]> {
  const field = links('repository', {
    through: 'content_view_filter_repositories',
    show: ['id', 'name', 'label', 'content_type'],
    doc,
  })
  return byIds(field, 'repository_ids')
}

/** The content view of a filter; `organization` is an id. */
export interface FilteredView {
  readonly id: number
  readonly organization: number
  readonly composite: boolean
  readonly default: boolean
}

/** Loads the view of a filter and locks it, so that it is not deleted meanwhile. {@throws Failure} invalid if it is missing */
export async function loadFilteredView(tx: Context, id: number): Promise<FilteredView> {
  const found = await row<FilteredView>(
    tx.db,
    sql`select id, organization_id as organization, composite, "default" from content_views where id = ${id} for key share`,
  )
  if (!found) throw invalid({ content_view_id: ['refers to a record that does not exist'] })
  return found
}

/**
 * Requires repositories of the view that the caller may view. {@throws Failure} not_found for invisible ones, invalid
 * for others
 */
export async function requireRepositoriesOf(
  tx: Context,
  registry: Registry,
  view: FilteredView,
  ids: readonly number[],
  filter: number | null,
): Promise<void> {
  await requireParts(tx, registry, 'repository', ids, view.organization)
  const had = await rows<{ id: number }>(
    tx.db,
    sql`select repository_id as id from content_view_repositories
      where content_view_id = ${view.id} and repository_id = any (${ids}::bigint[])`,
  )
  const missing = ids.filter((id) => !had.some((one) => one.id === id))
  if (missing.length === 0) return
  throw invalid({ repository_ids: [`must be repositories of the content view: ${missing.join(', ')} are not`] }, filter)
}
