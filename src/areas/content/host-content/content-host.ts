import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { type Resource, recordAudit } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** A host for writes of its content; `registered`: whether a subscription client has an identity for it. */
export interface ContentHost {
  readonly id: number
  readonly name: string
  readonly organization_id: number | null
  readonly registered: boolean
}

/** Finds a host that the calling function has locked, so that a missing one is an error of the program. */
export async function findContentHost(tx: Context, id: number): Promise<ContentHost> {
  const found = await row<ContentHost>(
    tx.db,
    sql`select h.id, h.name, h.organization_id, exists (select from registrations r where r.host_id = h.id) as registered
      from hosts h where h.id = ${id}`,
  )
  if (!found) throw new Error(`there is no host ${id}`)
  return found
}

/**
 * Records a change of values that are not in the host's row: sets its time of change and writes an audit of old and new
 * values.
 */
export async function recordHostChange(
  tx: Context,
  hosts: Resource,
  { id, name }: Pick<ContentHost, 'id' | 'name'>,
  changes: Readonly<Record<string, readonly [unknown, unknown]>>,
): Promise<void> {
  await sql`update hosts set updated_at = now() where id = ${id}`.execute(tx.db)
  await recordAudit(tx, hosts, 'update', { id, label: name }, changes)
}
