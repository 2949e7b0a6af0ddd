import { z } from 'zod'
import type { Action } from '../../../kernel/index.ts'
import { answersTask, answerWithTask, type TaskValues } from '../../tasks/index.ts'
import { bodyFields, readActionBody } from '../content-view/action-body.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { planViewTask } from '../content-view/view-task.ts'
import { requirePromotable } from './promotion.ts'
import { PUBLISHING } from './publish-task.ts'
import { PUBLISH, refuseTaken, refuseUnpublishable } from './publishable.ts'
import { lockPermitted, refusal } from './refusals.ts'

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
  permissions: [PUBLISH],
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

function sentOf(wanted: Readonly<Record<string, unknown>>): TaskValues {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined && value !== null))
}
