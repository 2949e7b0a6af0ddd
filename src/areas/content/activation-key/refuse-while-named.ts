import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { Stored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { KEYS_PARAMETER } from '../../../words/protocols.ts'

/**
 * Refuses to delete or rename a key that a parameter of a host or host group names for registrations (content-api §2.10). Only
 * parameters in the key's organization count, because names of keys are unique within an organization.
 */
export async function refuseWhileNamed(
  ctx: Context,
  stored: Stored & { readonly name: string; readonly organization_id: number },
  doing: 'deleting' | 'renaming',
): Promise<void> {
  const { name, organization_id: organization } = stored
  const found = await row(
    ctx.db,
    sql`select p.id from parameters p
      where p.name = ${KEYS_PARAMETER} and (p.host_id is not null or p.hostgroup_id is not null)
        and ${name}::text in (select trim(w.name) from regexp_split_to_table(p.value #>> '{}', ',') as w (name))
        and (exists (select from hosts h where h.id = p.host_id and coalesce(h.organization_id, ${organization}) = ${organization})
          or exists (select from hostgroups g where g.id = p.hostgroup_id and (
            exists (select from hostgroup_organizations l where l.hostgroup_id = g.id and l.organization_id = ${organization})
            or not exists (select from hostgroup_organizations l where l.hostgroup_id = g.id))))
      limit 1`,
  )
  if (!found) return
  const search = `params.${KEYS_PARAMETER} ~ "${name}"`
  throw invalid(
    {
      base: [
        `This activation key is associated to one or more Hosts/Hostgroups. Search and unassociate Hosts/Hostgroups using ${search} before ${doing}.`,
      ],
    },
    stored.id,
  )
}
