import { z } from 'zod'
import { rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { type Action, lock, referenceNotFound, removeStored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { bodyFields, readActionBody } from './action-body.ts'
import { COMPONENT_PAGE, changeComponents, EDIT_VIEWS } from './change-components.ts'

const REMOVE = z.object({
  component_ids: bodyFields.ids('Ids of the components that are removed: not of views or versions.'),
})

/** Removes components of a composite view. */
export const removeComponents: Action = {
  method: 'PUT',
  path: '/remove',
  name: 'remove',
  summary: 'Remove components of a composite content view',
  permissions: [EDIT_VIEWS],
  body: REMOVE,
  output: COMPONENT_PAGE,
  handle: (ctx, resource, input) =>
    changeComponents(ctx, resource, input, async (tx, view) => {
      const { component_ids } = readActionBody(REMOVE, resource, input.body)
      if (!component_ids) throw invalid({ component_ids: ["can't be blank"] })
      const found = await rows<{ id: number }>(
        tx.db,
        sql`select id from content_view_components where composite_content_view_id = ${view.id} and id = any (${component_ids}::bigint[]) order by id`,
      )
      const known = new Set(found.map(({ id }) => id))
      const missing = component_ids.filter((id) => !known.has(id))
      if (missing.length > 0) throw referenceNotFound(resource, missing.slice(0, 100).join(', '))
      for (const { id } of found) await removeStored(tx, resource, await lock(tx, resource, id))
    }),
}
