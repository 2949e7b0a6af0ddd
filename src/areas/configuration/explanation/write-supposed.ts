import { asService, type Context } from '../../../context.ts'
import { limitToVisible, permissionOf } from '../../../kernel/authorize.ts'
import type { Resource } from '../../../kernel/definition.ts'
import { readDraft, validate } from '../../../kernel/input.ts'
import { lock } from '../../../kernel/operations/change.ts'
import { createRecord } from '../../../kernel/operations/create.ts'
import { updateStored } from '../../../kernel/operations/update.ts'
import type { Sent } from '../../../kernel/record.ts'
import { selectRecord } from '../../../kernel/store/select.ts'
import { readObjects } from '../../../values.ts'
import { withOtherParameters } from '../../parameters/index.ts'

/** Creates the supposed host, or changes the existing one of that name; the calling function rolls the transaction back. */
export async function writeSupposed(tx: Context, hosts: Resource, sent: Sent): Promise<number> {
  const known = await selectRecord(
    tx.db,
    hosts,
    ['id'],
    String(sent.name).toLowerCase(),
    limitToVisible(tx, hosts, permissionOf(hosts, 'view')),
  )
  const allowed: Context = asService(tx)
  if (!known) {
    const draft = await readDraft(tx, hosts, await validate(tx, hosts, { managed: false, ...sent }), null)
    return createRecord(allowed, hosts, draft)
  }
  const stored = await lock(tx, hosts, known.id)
  const { name: _name, host_parameters_attributes: _items, ...others } = sent
  const items = readObjects(sent, 'host_parameters_attributes') ?? []
  const changes = {
    ...others,
    host_parameters_attributes: await withOtherParameters(tx, 'host', stored.id, items),
  }
  await updateStored(allowed, hosts, stored, await readDraft(tx, hosts, await validate(tx, hosts, changes), stored))
  return stored.id
}
