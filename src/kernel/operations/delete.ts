import { type Context, inTransaction } from '../../context.ts'
import type { Answer, Input } from '../../requests/route.ts'
import { permissionOf, permitsOwn } from '../authorize.ts'
import type { Resource } from '../definition.ts'
import type { Row, Stored } from '../record.ts'
import { recordStatementOf } from '../store/select.ts'
import { refuseWhileUsed } from '../store/usage.ts'
import { deleteRecord } from '../store/write.ts'
import { labelOf, recordWhole, withFieldErrors } from './change.ts'
import { findLocked } from './find.ts'
import { createPresenter } from './show.ts'

/** Deletes a record and answers 200 with its `deleted` view, times in ISO format (spec 2.1). {@throws Failure} */
export async function remove(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const finding = { permission: permissionOf(resource, 'destroy'), own: permitsOwn(resource, 'delete') }
  return inTransaction(ctx, async (tx) => {
    const stored = await findLocked(tx, resource, input, finding)
    const reading = tx.db.enqueue<Row>(recordStatementOf(resource, resource.deletedView, stored.id))
    await removeStored(tx, resource, stored)
    const [gone = {}] = await reading()
    return { status: 200, body: createPresenter(resource, resource.deletedView, 'iso')(gone) }
  })
}

/** Deletes a stored record and audits the deletion. {@throws Failure} invalid when other records refer to this one */
export async function removeStored(tx: Context, resource: Resource, stored: Stored): Promise<void> {
  const { id } = stored
  const label = labelOf(resource, stored)
  await withFieldErrors(resource, id, async () => {
    await refuseWhileUsed(tx, resource, id, label ?? String(id))
    const erase = async () => {
      await recordWhole(tx, resource, 'destroy', stored)
      await deleteRecord(tx, resource, id)
    }
    await (resource.wrapWrite?.delete?.(tx, stored, erase, resource) ?? erase())
  })
}
