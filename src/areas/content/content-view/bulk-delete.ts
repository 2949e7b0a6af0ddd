import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import {
  type Action,
  compileRequestSearch,
  findResource,
  joinConditions,
  limitToVisible,
  type Resource,
  referenceNotFound,
  type Stored,
} from '../../../kernel/index.ts'
import { readChoice } from '../../../records/choice.ts'
import { sql } from '../../../sql.ts'
import { answersTask } from '../../tasks/index.ts'
import { refusal } from '../content-view-version/refusals.ts'
import { planRemoval, readSuccessors, SUCCESSORS } from '../content-view-version/remove.ts'
import { bodyFields, readActionBody } from './action-body.ts'
import { CONTENT_VIEW_PERMISSIONS } from './readable.ts'

const PERMISSION = CONTENT_VIEW_PERMISSIONS.promote_or_remove_content_views

const CHOICE = z.object(
  {
    included: z
      .object({
        ids: bodyFields.ids('Ids of versions.'),
        search: bodyFields.text('A search of versions, with a condition.'),
        all: bodyFields.truth('True: every version of the view. Without it ids or a search are needed.'),
      })
      .nullish()
      .meta({ description: 'The versions that are meant: by their ids, or all that a search finds.' }),
    excluded: z
      .object({ ids: bodyFields.ids('Ids of versions.') })
      .nullish()
      .meta({ description: 'Versions among them that stay.' }),
  },
  { error: 'must be an object' },
)

const BODY = z.object({
  bulk_content_view_version_ids: CHOICE.meta({ description: 'Versions of the view to delete.' }),
  ...SUCCESSORS,
})

/**
 * Deletes several versions of a view, after removing them from their environments. The removal is refused while hosts or
 * keys use them there and the request names no replacement (content-api §2.6).
 */
export const deleteVersions: Action = {
  method: 'PUT',
  path: '/:id/bulk_delete_versions',
  name: 'bulk_delete_versions',
  summary: 'Delete several versions of a content view',
  permissions: [PERMISSION],
  body: BODY,
  ...answersTask,
  refuses: 422,
  record: { how: 'locked' },
  handle: async (tx, views, input, view) => {
    const { bulk_content_view_version_ids: choice, ...body } = readActionBody(BODY, views, input.body)
    const versions = await findChosen(tx, views, view, choice)
    if (versions.length === 0) throw refusal('There are no such versions: check bulk_content_view_version_ids.')
    const environments = await loadEnvironments(tx, versions)
    const removal = { environments, versions, ...readSuccessors(body) }
    return planRemoval(tx, views.registry, view, removal, 'Delete versions')
  },
}

/** Finds the versions of the view that the request names. {@throws Failure} not_found for ids of other versions */
async function findChosen(
  tx: Context,
  { registry }: Resource,
  view: Stored,
  { included, excluded }: z.infer<typeof CHOICE>,
): Promise<number[]> {
  const versions = findResource(registry, 'content_view_version')
  const ids = included?.ids ?? null
  const named = ids !== null && ids.length > 0
  const choice = { search: named ? null : (included?.search ?? null), named, all: included?.all }
  const search = readChoice(choice, 'bulk_content_view_version_ids')
  const conditions = [
    ...limitToVisible(tx, versions, CONTENT_VIEW_PERMISSIONS.view_content_views),
    { sql: sql`t.content_view_id = ${view.id}`, tables: [] },
    ...(ids === null || ids.length === 0
      ? await compileRequestSearch(tx, versions, search)
      : [{ sql: sql`t.id = any (${ids}::bigint[])`, tables: [] }]),
  ]
  const found = await rows<{ id: number }>(
    tx.db,
    sql`select t.id from content_view_versions t where ${joinConditions(conditions)} order by t.id`,
  )
  const known = new Set(found.map(({ id }) => id))
  const missing = (ids ?? []).filter((id) => !known.has(id))
  if (missing.length > 0) throw referenceNotFound(versions, missing.slice(0, 100).join(', '))
  const stay = new Set(excluded?.ids ?? [])
  return [...known].filter((id) => !stay.has(id))
}

async function loadEnvironments(tx: Context, versions: readonly number[]): Promise<number[]> {
  const found = await rows<{ id: number }>(
    tx.db,
    sql`select environment_id as id from content_view_environments
      where content_view_version_id = any (${versions}::bigint[]) order by 1`,
  )
  return found.map(({ id }) => id)
}
