import { type Context, inTransaction } from '../../context.ts'
import { audit, everyValue } from '../audit.ts'
import { withFieldErrors } from '../constraints.ts'
import { attributesOf, judge, readDraft } from '../input.ts'
import type { Draft, Resource, Stored } from '../resource.ts'
import type { Answer, Input } from '../route.ts'
import { insertRecord } from '../store/write.ts'
import { assignTaxonomies } from '../taxonomies.ts'
import { insist, labelOf, lock, settle } from './change.ts'
import { ownFor } from './own.ts'
import { readBack } from './show.ts'
import { within } from './within.ts'

/** Stores a new record and answers 201 with its `show` view. All or nothing. {@throws Failure} invalid, unknown_reference */
export async function create(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { draft: given } = await within(ctx, resource, input, resource.wire?.createEditsParent ? 'edit' : 'view')
  const judged = await judge(ctx, resource, attributesOf(resource, input.body))
  return inTransaction(ctx, async (tx) => {
    const draft = await readDraft(tx, resource, judged, null, given)
    const id = await createRecord(tx, resource, draft)
    return { status: 201, ...(!input.unread && { body: await readBack(tx, resource, id) }) }
  })
}

/** The write itself, with scope, audit and permission check, for code that makes records of its own. */
export async function createRecord(tx: Context, resource: Resource, draft: Draft): Promise<number> {
  return withFieldErrors(resource, null, async () => {
    const assigned = await assignTaxonomies(tx, resource, draft, null)
    const { id, stored } = await insert(tx, resource, assigned)
    await audit(tx, resource, 'create', { id, label: labelOf(resource, stored) }, everyValue(resource, stored))
    await settle(tx, resource, id, assigned, true)
    await insist(tx, resource, 'create', id, ownFor(resource, 'create'))
    return id
  })
}

/** Stores the row. What `around` made of it, and what is kept elsewhere, has to be read again. */
async function insert(tx: Context, resource: Resource, draft: Draft): Promise<{ id: number; stored: Stored }> {
  const around = resource.around?.create
  if (around) {
    const id = await around(tx, draft, async (values) => (await insertRecord(tx, resource, values)).id, resource)
    return { id, stored: await lock(tx, resource, id) }
  }
  const inserted = await insertRecord(tx, resource, draft)
  const isWhole = !resource.placed.some(({ elsewhere }) => elsewhere)
  return { id: inserted.id, stored: isWhole ? inserted : await lock(tx, resource, inserted.id) }
}
