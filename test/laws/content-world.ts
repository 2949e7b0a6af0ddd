import { row } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { expectCreated, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

const SOME = 3

/** Records into which new ones are put. */
export interface Filled {
  readonly product: number
  readonly view: number
}

/**
 * Creates a few views, versions, a composite view, products with repositories, and the tasks of these, in this organization.
 * Yields one of the products and one of the views.
 */
export async function fillContent(api: TestApi, organization_id: number): Promise<Filled> {
  const { admin } = api
  const views: number[] = []
  let product = 0
  for (let number = 0; number < SOME; number++) {
    const view = await given(admin, 'content_view', { organization_id })
    const { status, text } = await admin.post(`/content/api/content_views/${view.id}/publish`, {})
    if (status !== 202) throw new Error(`not published: ${text}`)
    views.push(view.id)
    await given(admin, 'content_view_filter', { content_view_id: view.id })
    product = (await given(admin, 'product', { organization_id })).id
    await given(admin, 'repository', { product_id: product })
  }
  await api.finishTasks()
  const failed = await row(api.database.db, sql`select errors from tasks where result <> 'success'`)
  if (failed) throw new Error(JSON.stringify(failed))
  const whole = await expectCreated(
    admin.post('/content/api/content_views', {
      content_view: { name: 'A view that is made of others', composite: true, organization_id },
    }),
  )
  const components = views.map((content_view_id) => ({ content_view_id, latest: true }))
  const { status, text } = await admin.put(`/content/api/content_views/${whole.id}/content_view_components/add`, {
    components,
  })
  if (status !== 200) throw new Error(`not added: ${text}`)
  return { product, view: views[0] ?? 0 }
}
