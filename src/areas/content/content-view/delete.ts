import type { Context } from '../../../context.ts'
import {
  type Action,
  findResource,
  lock,
  lockStored,
  type Registry,
  removeStored,
  type Stored,
} from '../../../kernel/index.ts'
import { idOf } from '../../../lib/values.ts'
import { sql } from '../../../sql.ts'
import { answersTask, answerWithTask, type TaskHandler } from '../../tasks/index.ts'
import { loadNameList, lockPermitted, refusal, refuseDefault } from '../content-view-version/refusals.ts'
import { CONTENT_VIEW_PERMISSIONS } from './readable.ts'
import { planViewTask, readViewId } from './view-task.ts'
import { loadViewUserNames } from './view-users.ts'

/** The kind of the tasks that delete views. */
export const DELETING_VIEW = 'content_view.delete'

/** The kind of the tasks that delete versions. */
export const DELETING_VERSION = 'content_view_version.delete'

const PERMISSION = CONTENT_VIEW_PERMISSIONS.destroy_content_views

/** Deletes a view that nothing uses, with its versions (content-api §8.3). */
export const deleteView: Action = {
  method: 'DELETE',
  path: '/:id',
  name: 'delete',
  summary: 'Delete one content view',
  permissions: [PERMISSION],
  ...answersTask,
  refuses: 422,
  record: { how: 'locked' },
  handle: async (tx, views, _input, view) => {
    await refuseUsedView(tx, views.registry, view)
    return answerWithTask(tx, views.registry, await planViewTask(tx, view, { kind: DELETING_VIEW, verb: 'Delete' }))
  },
}

/** Deletes a version that is in no environment and no composite view. */
export const deleteVersion: Action = {
  method: 'DELETE',
  path: '/:id',
  name: 'delete',
  summary: 'Delete one version of a content view',
  permissions: [PERMISSION],
  ...answersTask,
  refuses: 422,
  record: { how: 'locked' },
  handle: async (tx, versions, _input, version) => {
    await refuseUsedVersion(tx, version)
    const view = await lock(tx, findResource(versions.registry, 'content_view'), Number(version.content_view_id))
    const named = { id: version.id, name: `${view.name} ${version.version}` }
    const task = {
      kind: DELETING_VERSION,
      verb: 'Delete version',
      input: { content_view_version: named },
    }
    return answerWithTask(tx, versions.registry, await planViewTask(tx, view, task))
  },
}

/** Creates the handler that deletes a view in one step. A view that is already gone counts as deleted. */
export function createViewDeletionHandler(registry: Registry): TaskHandler {
  return async (_ctx, { input, step }) => {
    await step(1, async (tx) => {
      const views = findResource(registry, 'content_view')
      if (!(await lockStored(tx, views, readViewId(input)))) return
      const view = await lockPermitted(tx, views, readViewId(input), PERMISSION)
      await refuseUsedView(tx, registry, view)
      await removeStored(tx, views, view)
    })
    return undefined
  }
}

/** Creates the handler that deletes a version of a view. */
export function createVersionDeletionHandler(registry: Registry): TaskHandler {
  return async (_ctx, { input, step }) => {
    const id = idOf(input.content_view_version)
    await step(1, async (tx) => {
      const versions = findResource(registry, 'content_view_version')
      // Promotions of the version lock the view as well, so that one waits for the other.
      await lockStored(tx, findResource(registry, 'content_view'), readViewId(input))
      if (!(await lockStored(tx, versions, id))) return
      const version = await lockPermitted(tx, versions, id, PERMISSION)
      await refuseUsedVersion(tx, version)
      await removeStored(tx, versions, version)
    })
    return undefined
  }
}

/** Refuses to delete a view that is in environments, keys or composite views. {@throws Failure} bad_parameter */
async function refuseUsedView(tx: Context, registry: Registry, view: Stored): Promise<void> {
  refuseDefault(view)
  const { id } = view
  const environments = await loadNameList(
    tx,
    sql`select e.name from content_view_environments p join lifecycle_environments e on e.id = p.environment_id where p.content_view_id = ${id}`,
  )
  const composites = await loadNameList(tx, selectCompositesWith(id))
  const used = {
    environments,
    hosts: await loadViewUserNames(tx, registry, 'host', sql`u.content_view_id = ${id}`),
    'activation keys': await loadViewUserNames(tx, registry, 'activation_key', sql`u.content_view_id = ${id}`),
    'composite content views': composites,
  }
  const reasons = Object.entries(used).flatMap(([users, names]) =>
    names === null ? [] : [`Cannot delete '${view.name}' due to associated ${users}: ${names}.`],
  )
  if (reasons.length > 0) throw refusal(reasons.join(' '))
}

/** Refuses to delete a view that is part of composite ones. {@throws Failure} bad_parameter */
export async function refuseComponentView(tx: Context, { id, name }: Stored): Promise<void> {
  const composites = await loadNameList(tx, selectCompositesWith(id))
  if (composites !== null)
    throw refusal(`Cannot delete '${name}' due to associated composite content views: ${composites}.`)
}

/** Selects the composite views, and published versions of such, that have this view. */
function selectCompositesWith(id: number) {
  return sql`select v.name from content_view_components c join content_views v on v.id = c.composite_content_view_id where c.content_view_id = ${id}
    union ${compositesOf(sql`n.content_view_id = ${id}`)}`
}

/**
 * Refuses to delete a version that is in a composite view, or in environments other than these. {@throws Failure}
 * bad_parameter
 */
export async function refuseUsedVersion(tx: Context, { id }: Stored, leaving: readonly number[] = []): Promise<void> {
  const environments = await loadNameList(
    tx,
    sql`select e.name from content_view_environments p join lifecycle_environments e on e.id = p.environment_id
      where p.content_view_version_id = ${id} and not e.id = any (${leaving}::bigint[])`,
  )
  if (environments !== null) throw refusal(`Cannot delete version while it is in environments: ${environments}`)
  const composites = await loadNameList(
    tx,
    sql`select v.name from content_view_components c join content_views v on v.id = c.composite_content_view_id where c.content_view_version_id = ${id}
      union ${compositesOf(sql`n.id = ${id}`)}`,
  )
  if (composites !== null)
    throw refusal(`Cannot delete version while it is in use by composite content views: ${composites}`)
}

/** Selects the published versions of composite views that have versions (`n`) which the condition leaves. */
function compositesOf(condition: ReturnType<typeof sql>) {
  return sql`select v.name || ' Version ' || w.version from content_view_versions n
    join content_view_version_components c on c.component_version_id = n.id
    join content_view_versions w on w.id = c.content_view_version_id join content_views v on v.id = w.content_view_id where ${condition}`
}
