import { sql } from 'kysely'
import { z } from 'zod'
import { type Context, inTransaction } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import { referenceNotFound } from '../../kernel/reference.ts'
import type { Action, Resource, Stored } from '../../kernel/resource.ts'
import { searching } from '../../kernel/searching.ts'
import { foundRecord } from '../content/found.ts'
import { answersTask } from '../task/answer.ts'
import { asked, readAsked } from './asked.ts'
import { MAY } from './readable.ts'
import { refusal, resourceIn } from './refusals.ts'
import { planRemoval, SUCCESSORS, successorsIn } from './remove.ts'

const PERMISSION = MAY.promote_or_remove_content_views

const CHOICE = z.object(
  {
    included: z
      .object({ ids: asked.ids('Ids of versions.'), search: asked.text('A search of versions; it may be empty.') })
      .nullish()
      .meta({ description: 'The versions that are meant: by their ids, or all that a search finds.' }),
    excluded: z
      .object({ ids: asked.ids('Ids of versions.') })
      .nullish()
      .meta({ description: 'Those of them that stay.' }),
  },
  { error: 'must be an object' },
)

const BODY = z.object({
  bulk_content_view_version_ids: CHOICE.meta({ description: 'Which versions of the view are deleted.' }),
  ...SUCCESSORS,
})

/**
 * Deletes several versions of a view. Those that are in environments are taken out of them first, which is refused while
 * hosts or keys use them there and the request does not say what these get instead (content-api §2.6).
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
  handle: async (ctx, views, input) => {
    const { bulk_content_view_version_ids: choice, ...body } = readAsked(BODY, views, input.body)
    return inTransaction(ctx, async (tx) => {
      const view = await foundRecord(tx, views, input, PERMISSION)
      const versions = await chosen(tx, views, view, choice)
      if (versions.length === 0) throw refusal('There are no such versions: check bulk_content_view_version_ids.')
      const environments = await environmentsWith(tx, versions)
      const removal = { environments, versions, ...successorsIn(body) }
      return planRemoval(tx, views.registry, view, removal, 'Delete versions')
    })
  },
}

/** The ids of the versions of the view that are meant. {@throws Failure} not_found for ids of no version of it */
async function chosen(
  tx: Context,
  { registry }: Resource,
  view: Stored,
  { included, excluded }: z.infer<typeof CHOICE>,
): Promise<number[]> {
  const versions = resourceIn(registry, 'content_view_version')
  const ids = included?.ids ?? null
  const search = included?.search ?? null
  if (ids === null && search === null) return []
  const conditions = [
    ...visible(tx, versions, MAY.view_content_views),
    { sql: sql`t.content_view_id = ${view.id}`, tables: [] },
    ...(ids === null ? searching(tx, versions, search) : [{ sql: sql`t.id = any (${ids}::bigint[])`, tables: [] }]),
  ]
  const found = await rows<{ id: number }>(
    tx.db,
    sql`select t.id from content_view_versions t where ${where(conditions)} order by t.id`,
  )
  const known = new Set(found.map(({ id }) => id))
  const missing = (ids ?? []).filter((id) => !known.has(id))
  if (missing.length > 0) throw referenceNotFound(versions, missing.slice(0, 100).join(', '))
  const stay = new Set(excluded?.ids ?? [])
  return [...known].filter((id) => !stay.has(id))
}

async function environmentsWith(tx: Context, versions: readonly number[]): Promise<number[]> {
  const found = await rows<{ id: number }>(
    tx.db,
    sql`select environment_id as id from content_view_environments
      where content_view_version_id = any (${versions}::bigint[]) order by 1`,
  )
  return found.map(({ id }) => id)
}
