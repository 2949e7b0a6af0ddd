import type { Context } from '../../../context.ts'
import {
  findResource,
  insertRecord,
  type Registry,
  recordWhole,
  type Stored,
  type Values,
  withFieldErrors,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { selectRepositoriesOfVersion } from './contains.ts'
import { selectComponentVersion } from './shapes.ts'

/** Creates a version of the view with its present contents, in the Library, and audits it. */
export async function createVersion(tx: Context, registry: Registry, view: Stored, values: Values): Promise<Stored> {
  const versions = findResource(registry, 'content_view_version')
  const version = await insertRecord(tx, versions, { ...values, content_view: view.id, user: tx.user.id })
  // The constraint error of a record that is being deleted becomes the one for a missing record.
  await withFieldErrors(versions, null, () => fill(tx, view, version.id))
  await recordWhole(tx, versions, 'create', version)
  return version
}

/** Copies the present contents of the view to the version and adds it to the Library. */
async function fill(tx: Context, { id, organization_id }: Stored, version: number): Promise<void> {
  await sql`
    insert into content_view_version_components (content_view_version_id, component_version_id)
    select ${version}::bigint, ${selectComponentVersion('c')} from content_view_components c where c.composite_content_view_id = ${id}`.execute(
    tx.db,
  )
  await sql`
    insert into content_view_version_repositories (content_view_version_id, repository_id)
    select ${version}::bigint, w.repository_id from content_view_repositories w where w.content_view_id = ${id}
    union select ${version}::bigint, w.repository_id
      from content_view_components c cross join lateral ${selectRepositoriesOfVersion(selectComponentVersion('c'))} w where c.composite_content_view_id = ${id}`.execute(
    tx.db,
  )
  await sql`update content_views set next_version = greatest(next_version, (select major + 1 from content_view_versions where id = ${version})) where id = ${id}`.execute(
    tx.db,
  )
  await sql`
    insert into content_view_environments (content_view_id, environment_id, content_view_version_id)
    select ${id}::bigint, e.id, ${version}::bigint from lifecycle_environments e where e.organization_id = ${organization_id} and e.library
    on conflict (content_view_id, environment_id) do update set content_view_version_id = excluded.content_view_version_id, promoted_at = now()`.execute(
    tx.db,
  )
}
