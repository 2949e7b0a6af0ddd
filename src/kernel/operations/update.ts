import { type Context, inTransaction } from '../../context.ts'
import { audit, oldAndNew } from '../audit.ts'
import { permissionFor, visible } from '../authorize.ts'
import { withFieldErrors } from '../constraints.ts'
import { attributesOf, judge, readDraft } from '../input.ts'
import type { Draft, Resource, Stored } from '../resource.ts'
import type { Answer, Input } from '../route.ts'
import { selectRecord } from '../store/select.ts'
import { differing, updateRecord } from '../store/write.ts'
import { assignTaxonomies } from '../taxonomies.ts'
import { absent } from './absent.ts'
import { insist, labelOf, lock, settle } from './change.ts'
import { ownFor } from './own.ts'
import { readBack } from './show.ts'
import { idSegment, within } from './within.ts'

/** Changes what was sent and answers 200 with the `show` view. What changes nothing leaves no trace. */
export async function update(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const segment = idSegment(input)
  const own = ownFor(resource, 'update')
  const { conditions } = await within(ctx, resource, input)
  const attributes = attributesOf(resource, input.body)
  const find = async (on: Context): Promise<number> => {
    const permission = permissionFor(resource, 'edit')
    const editable = [...visible(on, resource, permission, own), ...conditions]
    const found = await selectRecord(on.db, resource, ['id'], segment, editable)
    if (!found) throw await absent(on, resource, permission, segment)
    return found.id as number // every id is a number
  }
  // Nothing slow is done, and nobody is asked, for a record that the caller may not change.
  if (Object.keys(attributes).some((key) => resource.writable[key]?.prepare)) await find(ctx)
  const judged = await judge(ctx, resource, attributes)
  return inTransaction(ctx, async (tx) => {
    const stored = await lock(tx, resource, await find(tx))
    await updateStored(tx, resource, stored, await readDraft(tx, resource, judged, stored))
    return { status: 200, ...(!input.unread && { body: await readBack(tx, resource, stored.id) }) }
  })
}

/** The write itself, with scope, audit and permission check. */
export async function updateStored(tx: Context, resource: Resource, stored: Stored, draft: Draft): Promise<void> {
  await withFieldErrors(resource, stored.id, async () => {
    const assigned = await assignTaxonomies(tx, resource, draft, stored)
    const write = async (values: Draft) => {
      const changed = differing(resource, stored, values)
      if (Object.keys(changed).length === 0) return
      await updateRecord(tx, resource, stored.id, changed)
      const after = await lock(tx, resource, stored.id)
      await audit(
        tx,
        resource,
        'update',
        { id: stored.id, label: labelOf(resource, after) },
        oldAndNew(resource, stored, changed),
      )
    }
    await (resource.around?.update?.(tx, stored, assigned, write, resource) ?? write(assigned))
    await settle(tx, resource, stored.id, assigned)
    await insist(tx, resource, 'edit', stored.id, ownFor(resource, 'update'))
  })
}
