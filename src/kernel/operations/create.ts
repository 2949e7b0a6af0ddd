import { type Context, inTransaction } from '../../context.ts'
import { notFound, refuseWithoutId } from '../../errors.ts'
import type { Answer, Input } from '../../requests/route.ts'
import { permitsOwn } from '../authorize.ts'
import type { Fields, Resource } from '../definition.ts'
import { readDraft, validateBody } from '../input.ts'
import type { Draft } from '../record.ts'
import { readStored } from '../store/select.ts'
import { insertRecord } from '../store/write.ts'
import { assignTaxonomies } from '../taxonomies.ts'
import { assertWritable, readWritten, recordWhole, saveNested, withFieldErrors } from './change.ts'
import { resolveParents } from './find.ts'

/** Stores a new record and answers 201 with its `show` view. {@throws Failure} invalid, unknown_reference */
export async function create(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const verb = resource.wire?.createEditsParent ? 'edit' : 'view'
  const { draft: given } = await resolveParents(ctx, resource, input, verb)
  const validated = await validateBody(ctx, resource, input.body)
  const written = await inTransaction(ctx, async (tx) => {
    const draft = await readDraft(tx, resource, validated, null, given)
    return readWritten(tx, resource, await createRecord(tx, resource, draft), input)
  }).catch(refuseWithoutId)
  return { status: 201, body: await written() }
}

/** Creates a record from a draft, with scope, audit and permission check, and yields its id. {@throws Failure} */
export async function createRecord<F extends Fields>(
  tx: Context,
  resource: Resource<F>,
  draft: Draft<F>,
): Promise<number> {
  return withFieldErrors(resource, null, async () => {
    const assigned = await assignTaxonomies(tx, resource, draft, null)
    const id = await insert(tx, resource, assigned)
    await saveNested(tx, resource, id, assigned, true)
    await assertWritable(tx, resource, 'create', id, permitsOwn(resource, 'create'))
    return id
  })
}

/** Inserts the row of a record and audits it: at once, or as it is read again where the `wrapWrite` may change it after that. */
async function insert(tx: Context, resource: Resource, draft: Draft): Promise<number> {
  const { create: around, keepsCreated } = resource.wrapWrite ?? {}
  const kept = new Set<number>()
  const write = async (values: Draft) => {
    const stored = await insertRecord(tx, resource, values)
    if (!around || keepsCreated) {
      await recordWhole(tx, resource, 'create', stored)
      kept.add(stored.id)
    }
    return stored.id
  }
  const id = await (around ? around(tx, draft, write, resource) : write(draft))
  if (kept.has(id)) return id
  const stored = await readStored(tx, resource, id)
  if (!stored) throw notFound(resource.name, id)
  await recordWhole(tx, resource, 'create', stored)
  return id
}
