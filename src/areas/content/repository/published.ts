import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/** The most versions that a message names. */
const NAMED_AT_MOST = 20

/** Loads the first published versions with some of these repositories `r`, for a message: by view and number, `Web 2.0`. */
export async function loadPublishedVersions(ctx: Context, repositories: Sql): Promise<string[]> {
  const found = await rows<{ called: string }>(
    ctx.db,
    sql`select distinct w.name || ' ' || v.version as called from repositories r
      join content_view_version_repositories p on p.repository_id = r.id
      join content_view_versions v on v.id = p.content_view_version_id
      join content_views w on w.id = v.content_view_id
      where ${repositories} order by 1 limit ${NAMED_AT_MOST}`,
  )
  return found.map(({ called }) => called)
}
