import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import {
  type Action,
  findParent,
  findResource,
  labelOf,
  lock,
  type Registry,
  recordAudit,
  removeStored,
  type Stored,
} from '../../../kernel/index.ts'
import type { Answer } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { answersTask, answerWithTask, type TaskHandler } from '../../tasks/index.ts'
import { bodyFields, readActionBody } from '../content-view/action-body.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { planViewTask, readViewId } from '../content-view/view-task.ts'
import { reassignHosts, reassignKeys, type ViewInEnvironment } from './reassign.ts'
import { withReassignmentAudits } from './reassignment-audits.ts'
import { lockPermitted, refusal } from './refusals.ts'
import { type Removal, requireRemovable } from './removable.ts'

/** The kind of the tasks that remove a view from environments or delete its versions. */
export const REMOVING = 'content_view.remove'

const PERMISSION = CONTENT_VIEW_PERMISSIONS.promote_or_remove_content_views

/** The keys of a body for replacements: what users of the removed pairs get instead. */
export const SUCCESSORS = {
  system_content_view_id: bodyFields.id('The view that hosts get instead.'),
  system_environment_id: bodyFields.id('The environment that they get it from.'),
  key_content_view_id: bodyFields.id('The view that activation keys give instead.'),
  key_environment_id: bodyFields.id('The environment that they give it from.'),
}

const BODY = z.object({
  environment_ids: bodyFields.ids('Environments that the view is removed from.'),
  content_view_version_ids: bodyFields.ids('Versions that are deleted after that.'),
  destroy_content_view: bodyFields.truth('Removes it from all environments, and deletes all its versions and itself.'),
  ...SUCCESSORS,
})

/** Removes a view from environments, deletes versions of it, and replaces it for its users (content-api §2.6). */
export const removeFromEnvironments: Action = {
  method: 'PUT',
  path: '/:id/remove',
  name: 'remove',
  summary: 'Remove a content view from environments, and delete versions of it',
  permissions: [PERMISSION],
  body: BODY,
  ...answersTask,
  refuses: 422,
  record: { how: 'locked' },
  handle: async (tx, views, input, view) => {
    const body = readActionBody(BODY, views, input.body)
    const destroys = body.destroy_content_view === true
    const removal: Removal = {
      ...(destroys ? await loadWhole(tx, view.id) : readParts(body)),
      ...readSuccessors(body),
      destroys,
    }
    if (!destroys && removal.environments.length + removal.versions.length === 0) throw refusal(NOTHING)
    return planRemoval(tx, views.registry, view, removal, 'Remove versions and/or environments')
  },
}

function readParts(body: z.infer<typeof BODY>): Pick<Removal, 'environments' | 'versions'> {
  return {
    environments: [...new Set(body.environment_ids ?? [])],
    versions: [...new Set(body.content_view_version_ids ?? [])],
  }
}

/** Loads all environments and versions of a view. */
async function loadWhole(tx: Context, view: number): Promise<Pick<Removal, 'environments' | 'versions'>> {
  const found = await rows<{ id: number }>(
    tx.db,
    sql`select id from content_view_versions where content_view_id = ${view} order by id`,
  )
  return { environments: await placesOf(tx, view), versions: found.map(({ id }) => id) }
}

const NOTHING =
  'There either were no environments nor versions specified or there were invalid environments/versions specified. Please check environment_ids and content_view_version_ids parameters.'

/** Removes a view from one environment, unless a host or a key uses it there. */
export const removeFromEnvironment: Action = {
  method: 'DELETE',
  path: '/:id/environments/:environment_id',
  name: 'remove_from_environment',
  summary: 'Remove a content view from an environment',
  permissions: [PERMISSION],
  ...answersTask,
  refuses: 422,
  record: { how: 'locked' },
  handle: async (tx, views, input, view) => {
    const environments = findResource(views.registry, 'lifecycle_environment')
    const environment = await findParent(tx, environments, input.params.environment_id ?? '', 'view')
    const removal = { environments: [environment], versions: [], hosts: null, keys: null }
    return planRemoval(tx, views.registry, view, removal, 'Remove from environment')
  },
}

type Successors = { readonly [Key in keyof typeof SUCCESSORS]?: number | null | undefined }

/** The replacements for hosts and for keys; null where the body has none. */
export function readSuccessors(body: Successors): Pick<Removal, 'hosts' | 'keys'> {
  return {
    hosts: pairOf(body.system_content_view_id, body.system_environment_id),
    keys: pairOf(body.key_content_view_id, body.key_environment_id),
  }
}

function pairOf(view: number | null | undefined, environment: number | null | undefined): ViewInEnvironment | null {
  return view && environment ? { view, environment } : null
}

/** Plans a removal of the locked view, and refuses at once what the task could not do. */
export async function planRemoval(
  tx: Context,
  registry: Registry,
  view: Stored,
  removal: Removal,
  verb: string,
): Promise<Answer> {
  await requireRemovable(tx, registry, view, removal)
  const planned = await planViewTask(tx, view, { kind: REMOVING, verb, input: { ...removal } })
  return answerWithTask(tx, registry, planned)
}

/** Creates the handler that executes a planned removal in one step, all or nothing. */
export function createRemovalHandler(registry: Registry): TaskHandler {
  return async (_ctx, { input, step }) => {
    const removal = input as unknown as Removal // as the actions planned it
    await step(1, (tx) => executeRemoval(tx, registry, readViewId(input), removal))
    return {
      output: {
        content_view_id: readViewId(input),
        environment_ids: removal.environments,
        content_view_version_ids: removal.versions,
      },
    }
  }
}

/** Removes a view from environments and deletes versions of it, with the present permissions of the requester. */
async function executeRemoval(tx: Context, registry: Registry, id: number, removal: Removal): Promise<void> {
  const views = findResource(registry, 'content_view')
  const view = await lockPermitted(tx, views, id, CONTENT_VIEW_PERMISSIONS.promote_or_remove_content_views)
  await requireRemovable(tx, registry, view, removal)
  const { environments, versions, hosts, keys, destroys } = removal
  const before = await placesOf(tx, id)
  const gone = sql`u.content_view_id = ${id} and u.environment_id = any (${environments}::bigint[])`
  if (hosts) await withReassignmentAudits(tx, registry, 'host', gone, () => reassignHosts(tx, id, environments, hosts))
  if (keys)
    await withReassignmentAudits(tx, registry, 'activation_key', gone, () => reassignKeys(tx, id, environments, keys))
  await sql`delete from content_view_environments where content_view_id = ${id} and environment_id = any (${environments}::bigint[])`.execute(
    tx.db,
  )
  if (environments.length > 0)
    await recordAudit(
      tx,
      views,
      'update',
      { id, label: labelOf(views, view) },
      { environment_ids: [before, await placesOf(tx, id)] },
    )
  const resource = findResource(registry, 'content_view_version')
  for (const version of versions)
    await removeStored(
      tx,
      resource,
      await lockPermitted(tx, resource, version, CONTENT_VIEW_PERMISSIONS.destroy_content_views),
    )
  if (destroys) await removeStored(tx, views, await lock(tx, views, id))
}

async function placesOf(tx: Context, view: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    tx.db,
    sql`select environment_id as id from content_view_environments where content_view_id = ${view} order by 1`,
  )
  return found.map(({ id }) => id)
}
