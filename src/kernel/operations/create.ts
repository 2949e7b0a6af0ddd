import { type Context, inTransaction } from '../../context.ts'
import { refuseWithoutId } from '../../errors.ts'
import { readAuditedValues, recordAudit } from '../audit.ts'
import { withFieldErrors } from '../constraints.ts'
import type { Draft, Stored } from '../field.ts'
import { readAttributes, readDraft, validate } from '../input.ts'
import type { Resource } from '../resource.ts'
import type { Answer, Input } from '../route.ts'
import { insertRecord } from '../store/write.ts'
import { assignTaxonomies } from '../taxonomies.ts'
import { assertWritable, labelOf, lock, saveNested } from './change.ts'
import { permitsOwn } from './own.ts'
import { readBack } from './show.ts'
import { resolveParents } from './within.ts'

/** Stores a new record and answers 201 with its `show` view. All or nothing. {@throws Failure} invalid, unknown_reference */
export async function create(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { draft: given } = await resolveParents(
    ctx,
    resource,
    input,
    resource.wire?.createEditsParent ? 'edit' : 'view',
  )
  const judged = await validate(ctx, resource, readAttributes(resource, input.body))
  return inTransaction(ctx, async (tx) => {
    const draft = await readDraft(tx, resource, judged, null, given)
    const id = await createRecord(tx, resource, draft)
    return { status: 201, ...(!input.unread && { body: await readBack(tx, resource, id) }) }
  }).catch(refuseWithoutId)
}

/** The write itself, with scope, audit and permission check, for code that makes records of its own. */
export async function createRecord(tx: Context, resource: Resource, draft: Draft): Promise<number> {
  return withFieldErrors(resource, null, async () => {
    const assigned = await assignTaxonomies(tx, resource, draft, null)
    const { id, stored } = await insert(tx, resource, assigned)
    await recordAudit(
      tx,
      resource,
      'create',
      { id, label: labelOf(resource, stored) },
      readAuditedValues(resource, stored),
    )
    await saveNested(tx, resource, id, assigned, true)
    await assertWritable(tx, resource, 'create', id, permitsOwn(resource, 'create'))
    return id
  })
}

/** Stores the row. What `around` made of it, and what is kept elsewhere, has to be read again. */
async function insert(tx: Context, resource: Resource, draft: Draft): Promise<{ id: number; stored: Stored }> {
  const around = resource.around?.create
  if (around) {
    const id = await around(tx, draft, async (values) => (await insertRecord(tx, resource, values)).id, resource)
    return { id, stored: await lock(tx, resource, id, true) }
  }
  const inserted = await insertRecord(tx, resource, draft)
  const isWhole = !resource.placed.some(({ elsewhere }) => elsewhere)
  return { id: inserted.id, stored: isWhole ? inserted : await lock(tx, resource, inserted.id, true) }
}
