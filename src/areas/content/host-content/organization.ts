import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { Draft, Stored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { HostFields } from '../../inventory/index.ts'

type Moving = Pick<HostFields, 'organization'>

const HAS_CONTENT =
  'cannot be changed while the host is registered, has content of its organization or is in its host collections: unregister it first'

/**
 * Refuses to change the organization of a host that has content of its present organization. The lock waits for whoever is
 * giving it some now, and keeps it from later ones. {@throws Failure} invalid
 */
export async function refuseOrganizationChange(
  tx: Context,
  stored: Stored<Moving>,
  { organization }: Draft<Moving>,
): Promise<void> {
  const before = stored.organization_id
  if (organization === undefined || before === null || organization === before) return
  const { id } = stored
  await sql`select from hosts where id = ${id} for update`.execute(tx.db)
  const found = await row(
    tx.db,
    sql`select from registrations where host_id = ${id}
      union all select from host_environments where host_id = ${id}
      union all select from host_content_overrides where host_id = ${id}
      union all select from host_entitlements where host_id = ${id}
      union all select from host_collection_hosts where host_id = ${id}
      limit 1`,
  )
  if (found) throw invalid({ organization_id: [HAS_CONTENT] }, id)
}
