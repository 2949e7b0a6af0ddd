import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { permissionFor, permitsOwn } from '../authorize.ts'
import type { Resource } from '../definition.ts'
import { applyShown, createPresenter, selectView } from '../present.ts'
import type { Row } from '../record.ts'
import type { Answer, Input } from '../route.ts'
import { selectRecord } from '../store/select.ts'
import { findRecord } from './find.ts'

/** One record in the keys of the `show` view. {@throws Failure} not_found, also for what the caller may not see */
export async function show(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const keys = selectView(resource, resource.views.show, input.query)
  const own = permitsOwn(resource, 'show')
  const found = await findRecord(ctx, resource, input, { permission: permissionFor(resource, 'view'), keys, own })
  const record = createPresenter(resource, keys, 'view')(found)
  return { status: 200, body: (await applyShown(ctx, resource, [record], input.query))[0] }
}

/** The body of the answer to a write: the record, unless the request says that it is read later, or not at all. */
export async function readWritten(tx: Context, resource: Resource, id: number, { reading }: Input): Promise<unknown> {
  return reading === null ? undefined : (reading ?? readBack)(tx, resource, id)
}

/** The record as it is now, whoever may see it: the answer to a write that has just happened in this transaction. */
export async function readBack(ctx: Context, resource: Resource, id: number): Promise<Row> {
  const found = await selectRecord(ctx.db, resource, resource.views.show, id, [])
  if (!found) throw notFound(resource.name, id)
  const record = createPresenter(resource, resource.views.show, 'view')(found)
  return (await applyShown(ctx, resource, [record], {}))[0] ?? record
}
