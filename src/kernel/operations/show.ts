import type { Context } from '../../context.ts'
import { writeAudits } from '../../database/audits.ts'
import { notFound } from '../../errors.ts'
import type { Answer, Input } from '../../requests/route.ts'
import { permissionOf, permitsOwn } from '../authorize.ts'
import type { Resource } from '../definition.ts'
import { applyShown, createPresenter, selectView } from '../present.ts'
import type { FoundRecord, Row } from '../record.ts'
import { recordStatementOf, selectRecord } from '../store/select.ts'
import { dropUnreachable, listLimited, selectReachable } from '../visibility.ts'
import { findRecord } from './find.ts'

/** Answers one record in the keys of the `show` view. {@throws Failure} not_found, also when it is invisible */
export async function show(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const keys = selectView(resource, resource.views.show, input.query)
  const own = permitsOwn(resource, 'show')
  const lists = listLimited(ctx, resource, keys)
  const found = await findRecord(ctx, resource, input, { permission: permissionOf(resource, 'view'), keys, lists, own })
  const record = createPresenter(resource, keys, 'view')(dropUnreachable(found, lists))
  const { transform } = resource.views
  return { status: 200, body: transform ? (await transform(ctx, resource, [record], input.query))[0] : record }
}

/**
 * Reads the record that a write answers with: by `reading` of the request, otherwise by the message that ends the transaction.
 * Yields a function to be called after the transaction; it yields undefined if nobody needs the record.
 */
export async function readWritten(tx: Context, resource: Resource, id: number, { reading }: Input) {
  const { show: view, transform } = resource.views
  if (reading !== undefined || transform) {
    const read: unknown =
      reading === undefined ? await readBack(tx, resource, id) : await reading?.(tx, resource.name, id)
    return async () => read
  }
  await writeAudits(tx.db) // the view may show the author, from audits
  const lists = listLimited(tx, resource, view)
  const found = tx.db.enqueue<FoundRecord>(recordStatementOf(resource, view, id, [], selectReachable(lists)))
  const present = createPresenter(resource, view, 'view')
  return async () => (await found()).map((record) => present(dropUnreachable(record, lists)))[0]
}

/** Reads the `show` view of a record that this transaction has just written; no permission to view is needed. */
export async function readBack(ctx: Context, resource: Resource, id: number): Promise<Row> {
  await writeAudits(ctx.db) // the view may show the author, from audits
  const found = await selectRecord(ctx.db, resource, resource.views.show, id, [])
  if (!found) throw notFound(resource.name, id)
  const record = createPresenter(resource, resource.views.show, 'view')(found)
  return (await applyShown(ctx, resource, [record], {}))[0] ?? record
}
