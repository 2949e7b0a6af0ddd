import { type Context, inTransaction } from '../../context.ts'
import { audit, everyValue } from '../audit.ts'
import { permissionFor, visible } from '../authorize.ts'
import { withFieldErrors } from '../constraints.ts'
import { presenter } from '../present.ts'
import type { Resource, Stored } from '../resource.ts'
import type { Answer, Input } from '../route.ts'
import { selectRecord } from '../store/select.ts'
import { refuseWhileUsed } from '../store/usage.ts'
import { deleteRecord } from '../store/write.ts'
import { absent } from './absent.ts'
import { labelOf, lock } from './change.ts'
import { ownFor } from './own.ts'
import { idSegment, within } from './within.ts'

/** Deletes a record that nothing needs and answers 200 with its own columns, times in ISO form (spec 2.1). */
export async function remove(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const segment = idSegment(input)
  const { conditions } = await within(ctx, resource, input)
  return inTransaction(ctx, async (tx) => {
    const own = ownFor(resource, 'delete')
    const permission = permissionFor(resource, 'destroy')
    const removable = [...visible(tx, resource, permission, own), ...conditions]
    const found = await selectRecord(tx.db, resource, ['id'], segment, removable)
    if (!found) throw await absent(tx, resource, permission, segment)
    const id = found.id as number
    const stored = await lock(tx, resource, id)
    const gone = await selectRecord(tx.db, resource, resource.deletedView, id, [])
    await removeStored(tx, resource, stored)
    return { status: 200, body: presenter(resource, resource.deletedView, 'iso')(gone ?? {}) }
  })
}

/** The deletion itself, refused while others need the record, with its audit. */
export async function removeStored(tx: Context, resource: Resource, stored: Stored): Promise<void> {
  const { id } = stored
  const label = labelOf(resource, stored)
  await withFieldErrors(resource, id, async () => {
    await refuseWhileUsed(tx, resource, id, label ?? String(id))
    const erase = async () => {
      await audit(tx, resource, 'destroy', { id, label }, everyValue(resource, stored))
      await deleteRecord(tx, resource, id)
    }
    await (resource.around?.delete?.(tx, stored, erase, resource) ?? erase())
  })
}
