import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import {
  applyShown,
  createPresenter,
  findResource,
  limitToVisible,
  type Resource,
  type Stored,
  selectPage,
  withFieldErrors,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { lockPermitted, refuseDefault } from '../content-view-version/refusals.ts'
import { NO_ORDER } from '../shared/nested-records.ts'
import { CONTENT_VIEW_PERMISSIONS } from './readable.ts'
import { COMPONENT, whole, words } from './shapes.ts'

/** The permission that changing the components of a view needs. */
export const EDIT_VIEWS = CONTENT_VIEW_PERMISSIONS.edit_content_views

const nothing = (description: string) => z.null().meta({ description })

/** The schema of all components of a view, on one page (content-api §8.3). */
export const COMPONENT_PAGE = z.object({
  total: whole('Number of components of the view.'),
  subtotal: whole('The same.'),
  selectable: whole('The same.'),
  page: nothing('Always null: all of them are on one page.'),
  per_page: nothing('Always null.'),
  error: nothing('Always null.'),
  search: nothing('Always null.'),
  sort: NO_ORDER.meta({ description: 'Always null.' }),
  results: z
    .array(
      z.object({
        id: whole('Its id.'),
        created_at: words('Time when it was added.'),
        updated_at: words('Time of the last change.'),
        ...COMPONENT,
      }),
    )
    .meta({ description: 'The components.' }),
})

/** Changes the components of the view in the path, and answers all components that it then has. */
export async function changeComponents(
  ctx: Context,
  resource: Resource,
  { params }: Input,
  work: (tx: Context, view: Stored) => Promise<void>,
): Promise<Answer> {
  return inTransaction(ctx, async (tx) => {
    const views = findResource(resource.registry, 'content_view')
    const view = await lockPermitted(tx, views, params.content_view_id ?? '', EDIT_VIEWS)
    refuseDefault(view)
    // The constraint error of a view or version that is being deleted becomes the one for a missing record.
    await withFieldErrors(resource, null, () => work(tx, view))
    const page = await selectPage(tx.db, resource, {
      view: resource.views.list,
      conditions: [
        ...limitToVisible(tx, resource, EDIT_VIEWS),
        { sql: sql`t.composite_content_view_id = ${view.id}`, tables: [] },
      ],
      order: { order: sql`t.id` },
      limit: null,
      offset: 0,
    })
    const shown = page.rows.map(createPresenter(resource, resource.views.list, 'view'))
    const results = await applyShown(tx, resource, shown, {})
    const counts = { total: results.length, subtotal: results.length, selectable: results.length }
    const nothings = { page: null, per_page: null, error: null, search: null, sort: { by: null, order: null } }
    return { status: 200, body: { ...counts, ...nothings, results } }
  })
}
