import { z } from 'zod'
import { rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { type Action, findResource, lock, readBack, removeStored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { bodyFields, readActionBody } from '../content-view/action-body.ts'

const BODY = z.object({ filter_ids: bodyFields.ids('Ids of filters of the view.') })

/** Deletes several filters of a view, all of the named ones or none. */
export const removeFilters: Action = {
  method: 'PUT',
  path: '/:id/remove_filters',
  name: 'remove_filters',
  summary: 'Delete filters of a content view',
  body: BODY,
  refuses: 422,
  record: { how: 'locked' },
  handle: async (tx, views, input, view) => {
    const ids = [...new Set(readActionBody(BODY, views, input.body).filter_ids ?? [])]
    if (ids.length === 0) throw invalid({ filter_ids: ["can't be blank"] }, view.id)
    const own = await rows<{ id: number }>(
      tx.db,
      sql`select id from content_view_filters where content_view_id = ${view.id} and id = any (${ids}::bigint[]) order by id`,
    )
    const known = new Set(own.map(({ id }) => id))
    const others = ids.filter((id) => !known.has(id))
    if (others.length > 0)
      throw invalid({ filter_ids: [`${others.slice(0, 100).join(', ')} are no filters of this view`] }, view.id)
    const filters = findResource(views.registry, 'content_view_filter')
    for (const { id } of own) await removeStored(tx, filters, await lock(tx, filters, id))
    return { status: 200, body: await readBack(tx, views, view.id) }
  },
}
