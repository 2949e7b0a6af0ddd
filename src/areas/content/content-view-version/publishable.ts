import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { Stored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { selectComponentVersion } from '../content-view/shapes.ts'
import { loadNameList, refusal, refuseDefault } from './refusals.ts'

/** The permission to publish views. */
export const PUBLISH = CONTENT_VIEW_PERMISSIONS.publish_content_views

/** Refuses views that cannot be published. {@throws Failure} bad_parameter */
export async function refuseUnpublishable(tx: Context, view: Stored): Promise<void> {
  refuseDefault(view)
  if (view.import_only) throw refusal('Import-only content views can not be published directly')
  const missing = await loadNameList(
    tx,
    sql`select v.name from content_view_components c join content_views v on v.id = c.content_view_id
      where c.composite_content_view_id = ${view.id} and ${selectComponentVersion('c')} is null`,
  )
  if (missing !== null)
    throw refusal(`Content views without a version cannot be components of a published one: ${missing}`)
}

/** Refuses a number that a version of the view has. {@throws Failure} invalid */
export async function refuseTaken(tx: Context, { id }: Stored, major: number, minor: number): Promise<void> {
  const taken = await row(
    tx.db,
    sql`select id from content_view_versions where content_view_id = ${id} and major = ${major} and minor = ${minor}`,
  )
  if (taken) throw invalid({ version: ['has already been taken'] })
}
