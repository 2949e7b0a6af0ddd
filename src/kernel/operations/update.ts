import { type Context, inTransaction } from '../../context.ts'
import { type FieldErrors, refuseInvalid } from '../../errors.ts'
import type { Answer, Input } from '../../requests/route.ts'
import { permissionOf, permitsOwn } from '../authorize.ts'
import type { Fields, Resource } from '../definition.ts'
import { readDraft, validateBody } from '../input.ts'
import type { Draft, Stored } from '../record.ts'
import { selectChanged, type Values } from '../store/write.ts'
import { assignTaxonomies } from '../taxonomies.ts'
import { assertWritable, readWritten, saveNested, storeChange, withFieldErrors } from './change.ts'
import { findLocked, findRecord } from './find.ts'

/** Changes the sent fields and answers 200 with the `show` view. Values that are stored already are not written or audited. */
export async function update(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const finding = { permission: permissionOf(resource, 'edit'), own: permitsOwn(resource, 'update') }
  // Preparing a value may be slow, so that the permission to change the record is checked before.
  const validated = await validateBody(ctx, resource, input.body, () => findRecord(ctx, resource, input, finding))
  const written = await inTransaction(ctx, async (tx) => {
    const stored = await findLocked(tx, resource, input, finding)
    await updateStored(tx, resource, stored, await readDraft(tx, resource, validated, stored))
    return readWritten(tx, resource, stored.id, input)
  })
  return { status: 200, body: await written() }
}

/** Applies a draft to a stored record, with scope, audit and permission check. {@throws Failure} */
export async function updateStored<F extends Fields>(
  tx: Context,
  resource: Resource<F>,
  stored: Stored,
  draft: Draft<F>,
) {
  await withFieldErrors(resource, stored.id, async () => {
    const assigned = await assignTaxonomies(tx, resource, draft, stored)
    const write = async (values: Draft) => {
      const changed = selectChanged(resource, stored, values)
      if (Object.keys(changed).length === 0) return
      refuseSendingElsewhere(resource, stored, changed)
      await storeChange(tx, resource, stored, changed)
    }
    await (resource.wrapWrite?.update?.(tx, stored, assigned, write, resource) ?? write(assigned))
    await saveNested(tx, resource, stored.id, assigned)
    await assertWritable(tx, resource, 'edit', stored.id, permitsOwn(resource, 'update'))
  })
}

/**
 * A stored secret must not be sent to another destination: a write that changes where it goes, or how it is protected
 * on the way, has to send the secret again or clear it (docs/decisions/0015-secrets-and-destinations.md). {@throws
 * Failure} invalid, on each secret that is missing
 */
export function refuseSendingElsewhere(resource: Resource, stored: Stored, values: Values): void {
  const errors: FieldErrors = {}
  for (const placed of resource.placed) {
    const { sentTo = [] } = placed.field.secret ?? {}
    if (sentTo.length === 0 || values[placed.name] !== undefined || !stored[placed.key]) continue
    const changed = listChanged(resource, stored, values, sentTo)
    if (changed.length > 0) errors[placed.name] = [`has to be sent again, because this changes ${changed.join(', ')}`]
  }
  refuseInvalid(errors, stored.id)
}

/** Lists the named fields whose new values differ from the stored ones. An empty text equals null. */
export function listChanged(resource: Resource, stored: Stored, values: Values, names: readonly string[]): string[] {
  const own = names.flatMap((name) => resource.byName.get(name) ?? [])
  const wanted = Object.fromEntries(
    own.filter(({ name }) => name in values).map(({ name }) => [name, values[name] === '' ? null : values[name]]),
  )
  const blanks = Object.fromEntries(own.flatMap(({ key }) => (stored[key] === '' ? [[key, null]] : [])))
  return Object.keys(selectChanged(resource, { ...stored, ...blanks }, wanted))
}
