import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { readAuditedValues, recordAudit } from '../../../kernel/audit.ts'
import { withFieldErrors } from '../../../kernel/constraints.ts'
import type { Action, Registry } from '../../../kernel/definition.ts'
import { lock } from '../../../kernel/operations/change.ts'
import type { Stored } from '../../../kernel/record.ts'
import { findResource } from '../../../kernel/registry.ts'
import { insertRecord } from '../../../kernel/store/write.ts'
import { answersTask, answerWithTask, type TaskHandler, type TaskValues } from '../../tasks/index.ts'
import { bodyFields, readActionBody } from './action-body.ts'
import { selectRepositoriesOfVersion } from './contains.ts'
import { promoteVersion, requirePromotable } from './promotion.ts'
import { CONTENT_VIEW_PERMISSIONS } from './readable.ts'
import { loadNameList, lockPermitted, refusal, refuseDefault } from './refusals.ts'
import { selectComponentVersion } from './shapes.ts'
import { planViewTask, readViewId } from './view-task.ts'

/** The kind of the tasks that publish views. */
export const PUBLISHING = 'content_view.publish'

const PERMISSION = CONTENT_VIEW_PERMISSIONS.publish_content_views

const BODY = z.object({
  description: bodyFields.text('For people, about the version.'),
  major: bodyFields.whole('First part of the number, with `minor`; default: the next one.'),
  minor: bodyFields.whole('Second part of the number, with `major`.'),
  environment_ids: bodyFields.ids('Environments that it is promoted to at once, beside the Library.'),
  is_force_promote: bodyFields.truth('True: those environments need not be next on their paths.'),
  repos_units: z.json().optional().meta({ description: 'Not possible here: content itself is not held.' }),
})

/** Publishes a new version of the present contents of a view, and adds it to the Library (content-api §8.3). */
export const publishView: Action = {
  method: 'POST',
  path: '/:id/publish',
  name: 'publish',
  summary: 'Publish a version of a content view',
  permissions: [PERMISSION],
  body: BODY,
  ...answersTask,
  refuses: 422,
  record: { how: 'locked' },
  handle: async (tx, views, input, view) => {
    const { repos_units, description, major, minor, environment_ids, is_force_promote } = readActionBody(
      BODY,
      views,
      input.body,
    )
    if (((major ?? null) === null) !== ((minor ?? null) === null))
      throw refusal('Both major and minor parameters have to be used to override a CV version')
    if (repos_units !== undefined && repos_units !== null)
      throw refusal(
        view.composite ? UNITS_OF_COMPOSITE : 'Setting package lists is not possible here: content itself is not held.',
      )
    await refuseUnpublishable(tx, view)
    if (typeof major === 'number') await refuseTaken(tx, view, major, minor ?? 0)
    const wanted = { description, major, minor, environment_ids, force: is_force_promote }
    if (environment_ids && environment_ids.length > 0) {
      await lockPermitted(tx, views, view.id, CONTENT_VIEW_PERMISSIONS.promote_or_remove_content_views)
      const promotion = { version: null, environments: environment_ids, force: is_force_promote === true }
      await requirePromotable(tx, views.registry, view, promotion)
    }
    const task = { kind: PUBLISHING, verb: 'Publish', input: sentOf(wanted) }
    return answerWithTask(tx, views.registry, await planViewTask(tx, view, task))
  },
}

const UNITS_OF_COMPOSITE =
  'Directly setting package lists on composite content views is not allowed. Please update the components, then re-publish the composite.'

/** The input beside the view, as it was planned. */
interface PublishInput {
  readonly description?: string
  readonly major?: number
  readonly minor?: number
  readonly environment_ids?: readonly number[]
  readonly force?: boolean
  /** The new version of a component that caused this publication, which then needs no permission. */
  readonly triggered_by?: { readonly id: number; readonly name: string }
}

function sentOf(wanted: Readonly<Record<string, unknown>>): TaskValues {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined && value !== null))
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
  const view = wanted.triggered_by ? await lock(tx, views, id) : await lockPermitted(tx, views, id, PERMISSION)
  await refuseUnpublishable(tx, view)
  const { major = Number(view.next_version), minor = 0, description = null } = wanted
  await refuseTaken(tx, view, major, minor)

  const versions = findResource(registry, 'content_view_version')
  const version = await insertRecord(tx, versions, { content_view: id, major, minor, description, user: tx.user.id })
  // The constraint error of a record that is being deleted becomes the one for a missing record.
  await withFieldErrors(versions, null, () => fill(tx, view, version.id))
  await recordAudit(
    tx,
    versions,
    'create',
    { id: version.id, label: String(version.version) },
    readAuditedValues(versions, version),
  )
  return { id: version.id, view: id, name: `${view.name} ${version.version}`, version: String(version.version) }
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

/** Publishes composite views that do so automatically when a component that they follow has a new version. */
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

/** Refuses views that cannot be published. {@throws Failure} bad_parameter */
async function refuseUnpublishable(tx: Context, view: Stored): Promise<void> {
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

async function refuseTaken(tx: Context, { id }: Stored, major: number, minor: number): Promise<void> {
  const taken = await row(
    tx.db,
    sql`select id from content_view_versions where content_view_id = ${id} and major = ${major} and minor = ${minor}`,
  )
  if (taken) throw invalid({ version: ['has already been taken'] })
}
