import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import {
  findResource,
  insertRecord,
  lock,
  type Registry,
  recordWhole,
  type Stored,
  type Values,
  withFieldErrors,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { TaskHandler } from '../../tasks/index.ts'
import { selectRepositoriesOfVersion } from '../content-view/contains.ts'
import { selectComponentVersion } from '../content-view/shapes.ts'
import { planViewTask, readViewId } from '../content-view/view-task.ts'
import { promoteVersion } from './promotion.ts'
import { PUBLISH, refuseTaken, refuseUnpublishable } from './publishable.ts'
import { lockPermitted } from './refusals.ts'

/** The kind of the tasks that publish views. */
export const PUBLISHING = 'content_view.publish'

/** The input of a publication beside the view, as the action planned it. */
interface PublishInput {
  readonly description?: string
  readonly major?: number
  readonly minor?: number
  readonly environment_ids?: readonly number[]
  readonly force?: boolean
  /** The new version of a component that caused this publication, which then needs no permission. */
  readonly triggered_by?: { readonly id: number; readonly name: string }
}

interface Published {
  readonly id: number
  readonly view: number
  readonly name: string
  readonly version: string
}

/**
 * Creates the handler that publishes in steps: the version with its contents, further environments, then composite
 * views that follow it.
 */
export function createPublishHandler(registry: Registry): TaskHandler {
  return async (_ctx, { input, step }) => {
    const wanted = input as PublishInput // as the action planned it
    const { environment_ids: environments = [], force = false } = wanted
    const published = await step(0.6, (tx) => publish(tx, registry, readViewId(input), wanted))
    if (environments.length > 0)
      await step(0.8, (tx) => promoteVersion(tx, registry, { version: published.id, environments, force }))
    const following = await step(1, (tx) => publishFollowing(tx, registry, published))
    return {
      output: {
        content_view_id: published.view,
        content_view_version_id: published.id,
        version: published.version,
        auto_publish_composite_ids: following,
      },
    }
  }
}

/** Creates the version. The view is locked, so that concurrent publications get successive numbers. */
async function publish(tx: Context, registry: Registry, id: number, wanted: PublishInput): Promise<Published> {
  const views = findResource(registry, 'content_view')
  const view = wanted.triggered_by ? await lock(tx, views, id) : await lockPermitted(tx, views, id, PUBLISH)
  await refuseUnpublishable(tx, view)
  const { major = Number(view.next_version), minor = 0, description = null } = wanted
  await refuseTaken(tx, view, major, minor)
  const version = await createVersion(tx, registry, view, { major, minor, description })
  return { id: version.id, view: id, name: `${view.name} ${version.version}`, version: String(version.version) }
}

/** Plans the publication of composite views that are published automatically with each new version of this component. */
async function publishFollowing(tx: Context, registry: Registry, { id, view, name }: Published): Promise<number[]> {
  const following = await rows<{ id: number }>(
    tx.db,
    sql`select v.id from content_view_components c join content_views v on v.id = c.composite_content_view_id
      where c.content_view_id = ${view} and c.latest and v.auto_publish order by v.id`,
  )
  const views = findResource(registry, 'content_view')
  for (const composite of following) {
    const input = { description: `Auto Publish - Triggered by '${name}'`, triggered_by: { id, name } }
    await planViewTask(tx, await lock(tx, views, composite.id), { kind: PUBLISHING, verb: 'Publish', input })
  }
  return following.map((composite) => composite.id)
}

/** Creates a version of the view with its present contents, by default in the Library, and audits it. */
export async function createVersion(
  tx: Context,
  registry: Registry,
  view: Stored,
  values: Values,
  { intoLibrary = true } = {},
): Promise<Stored> {
  const versions = findResource(registry, 'content_view_version')
  const version = await insertRecord(tx, versions, { ...values, content_view: view.id, user: tx.user.id })
  // The constraint error of a record that is being deleted becomes the one for a missing record.
  await withFieldErrors(versions, null, async () => {
    await fill(tx, view, version.id)
    if (intoLibrary) await addToLibrary(tx, view, version.id)
  })
  await recordWhole(tx, versions, 'create', version)
  return version
}

/** Copies the present contents of the view to the version. */
async function fill(tx: Context, { id }: Stored, version: number): Promise<void> {
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
}

async function addToLibrary(tx: Context, { id, organization_id }: Stored, version: number): Promise<void> {
  await sql`
    insert into content_view_environments (content_view_id, environment_id, content_view_version_id)
    select ${id}::bigint, e.id, ${version}::bigint from lifecycle_environments e where e.organization_id = ${organization_id} and e.library
    on conflict (content_view_id, environment_id) do update set content_view_version_id = excluded.content_view_version_id, promoted_at = now()`.execute(
    tx.db,
  )
}
