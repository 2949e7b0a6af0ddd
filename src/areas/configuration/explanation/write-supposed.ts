import { asService, type Context } from '../../../context.ts'
import {
  createRecord,
  limitToVisible,
  lock,
  permissionOf,
  type Resource,
  readDraft,
  type Sent,
  selectRecord,
  updateStored,
  validate,
} from '../../../kernel/index.ts'
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
