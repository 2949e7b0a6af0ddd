import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { visible } from '../../kernel/authorize.ts'
import { absent } from '../../kernel/operations/absent.ts'
import { lock } from '../../kernel/operations/change.ts'
import { idSegment, within } from '../../kernel/operations/within.ts'
import type { Resource, Stored } from '../../kernel/resource.ts'
import type { Input } from '../../kernel/route.ts'
import { selectRecord } from '../../kernel/store/select.ts'

/** The id of the record that the path names. {@throws Failure} not_found, wrong_organization (content-api §6) */
export async function foundId(ctx: Context, resource: Resource, input: Input, permission: string): Promise<number> {
  const segment = idSegment(input)
  const { conditions } = await within(ctx, resource, input)
  const found = await selectRecord(ctx.db, resource, ['id'], segment, [
    ...visible(ctx, resource, permission),
    ...conditions,
  ])
  if (!found) throw await absent(ctx, resource, permission, segment)
  return found.id as number // every id is a number
}

/**
 * The same record as it is stored, locked until the transaction ends. It is locked before it is read: what other tables
 * keep of it would else be as it was before the wait.
 */
export async function foundRecord(tx: Context, resource: Resource, input: Input, permission: string): Promise<Stored> {
  const id = await foundId(tx, resource, input, permission)
  await sql`select from ${sql.table(resource.table)} where id = ${id} for no key update`.execute(tx.db)
  return lock(tx, resource, id)
}
