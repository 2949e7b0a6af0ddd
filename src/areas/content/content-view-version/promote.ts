import { z } from 'zod'
import { type Action, findResource, lock, type Registry } from '../../../kernel/index.ts'
import { idOf, readNumbers } from '../../../lib/values.ts'
import { answersTask, answerWithTask, type TaskHandler } from '../../tasks/index.ts'
import { bodyFields, readActionBody } from '../content-view/action-body.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { planViewTask, readViewId } from '../content-view/view-task.ts'
import { promoteVersion, requirePromotable } from './promotion.ts'
import { refusal } from './refusals.ts'

/** The kind of the tasks that promote versions. */
export const PROMOTING = 'content_view_version.promote'

const BODY = z.object({
  environment_ids: bodyFields.ids('Environments that get the version.'),
  environment_id: bodyFields.id('An older word: one environment.'),
  force: bodyFields.truth('True: they need not be next on their paths.'),
  description: bodyFields.text('Reason, stored with the task.'),
})

/** Promotes a version to further environments (content-api §8.3). */
export const promote: Action = {
  method: 'POST',
  path: '/:id/promote',
  name: 'promote',
  summary: 'Promote a version of a content view to environments',
  permissions: [CONTENT_VIEW_PERMISSIONS.promote_or_remove_content_views],
  body: BODY,
  ...answersTask,
  refuses: 422,
  record: { how: 'locked' },
  handle: async (tx, versions, input, version) => {
    const { environment_ids, environment_id, force, description } = readActionBody(BODY, versions, input.body)
    const environments = [...new Set([...(environment_ids ?? []), ...(environment_id ? [environment_id] : [])])]
    if (environments.length === 0) throw refusal('Missing values for environment_ids.')
    const view = await lock(tx, findResource(versions.registry, 'content_view'), Number(version.content_view_id))
    const promotion = { version: version.id, environments, force: force === true }
    await requirePromotable(tx, versions.registry, view, promotion)
    const wanted = {
      content_view_version: { id: version.id, name: `${view.name} ${version.version}` },
      environment_ids: environments,
      force: promotion.force,
      ...(description && { description }),
    }
    const planned = await planViewTask(tx, view, { kind: PROMOTING, verb: 'Promote', input: wanted })
    return answerWithTask(tx, versions.registry, planned)
  },
}

/** Creates the handler that promotes a version in one step. */
export function createPromotionHandler(registry: Registry): TaskHandler {
  return async (_ctx, { input, step }) => {
    const version = idOf(input.content_view_version)
    const promotion = {
      version,
      environments: readNumbers(input, 'environment_ids') ?? [],
      force: input.force === true,
    }
    const { environment_ids: places } = await step(1, (tx) => promoteVersion(tx, registry, promotion))
    return {
      output: {
        content_view_id: readViewId(input),
        content_view_version_id: version,
        environment_ids: places,
      },
    }
  }
}
