import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import {
  type Action,
  createPresenter,
  createRecord,
  limitToVisible,
  lock,
  permissionOf,
  type Resource,
  readDraft,
  selectRecord,
  validateBody,
  valuesOf,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readIdSegment } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { openRootPassword } from '../root-password.ts'

/**
 * Copies a group under the same parent: with values, parameters, organizations and locations, without the groups below.
 */
export const clone: Action = {
  method: 'POST',
  path: '/:id/clone',
  name: 'clone',
  summary: 'Copy a host group under a new name',
  permissions: ['create_hostgroups'],
  body: z.object({
    hostgroup: z
      .object({ name: z.string().meta({ description: 'Name of the copy.' }) })
      .meta({ description: 'Values of the copy that differ from the original.' }),
  }),
  status: 201,
  outputs: 'deleted',
  handle: cloneGroup,
}

async function cloneGroup(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const validated = await validateBody(ctx, resource, input.body)
  const segment = readIdSegment(input)
  return inTransaction(ctx, async (tx) => {
    const seen = limitToVisible(tx, resource, permissionOf(resource, 'view'))
    const found = await selectRecord(tx.db, resource, ['id'], segment, seen)
    if (!found) throw notFound(resource.name, segment)
    const original = await lock(tx, resource, found.id)
    const { title: _, root_pass, ...values } = valuesOf(resource, original)
    const hash = openRootPassword(tx.encryption, typeof root_pass === 'string' ? root_pass : null)
    const draft = await readDraft(tx, resource, validated, null)
    const id = await createRecord(tx, resource, { ...values, root_pass: hash, ...draft })
    await copyParameters(tx, original.id, id)
    const copy = await selectRecord(tx.db, resource, resource.deletedView, id, [])
    return { status: 201, body: createPresenter(resource, resource.deletedView, 'iso')(copy ?? {}) }
  })
}

async function copyParameters(tx: Context, from: number, to: number): Promise<void> {
  await sql`
    insert into parameters (name, parameter_type, value, hidden_value, hostgroup_id)
    select name, parameter_type, value, hidden_value, ${to}::bigint from parameters where hostgroup_id = ${from}
    on conflict do nothing`.execute(tx.db)
  await sql`
    insert into parameters_order (id, ordered)
    select copy.id, k.ordered from parameters copy
    join parameters p on p.hostgroup_id = ${from} and p.name = copy.name join parameters_order k on k.id = p.id
    where copy.hostgroup_id = ${to}`.execute(tx.db)
}
