import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { Draft, Stored } from '../../../kernel/index.ts'
import { BLANK } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { selectEffectiveColumn } from '../hostgroup/inherited.ts'
import type { HostFields } from './fields.ts'

/** What a managed host lacks for its installation, by the key that would set it. */
interface Missing {
  readonly architecture_id: boolean
  readonly operatingsystem_id: boolean
  readonly mac: boolean
  readonly root_pass: boolean
}

/** The fields that decide what a managed host needs. */
const CONCERNED = [
  'managed',
  'build',
  'hostgroup',
  'architecture',
  'operatingsystem',
  'compute_resource',
  'provision_method',
  'root_pass',
  'interfaces',
] as const

/**
 * Requires of a managed host what its installation needs: an operating system for its architecture, an address (unless
 * a compute resource provides it) and, to be built, a root password. {@throws Failure} invalid, naming each
 */
export async function refuseUnready(
  ctx: Context,
  id: number,
  stored: Stored<HostFields> | null,
  draft: Draft<HostFields>,
): Promise<void> {
  const managed = draft.managed ?? stored?.managed ?? true
  if (managed !== true || !CONCERNED.some((name) => stored === null || draft[name] !== undefined)) return
  const missing = await row<Missing>(
    ctx.db,
    sql`select h.architecture_id is null as architecture_id, h.operatingsystem_id is null as operatingsystem_id,
        h.compute_resource_id is null and exists (
          select from interfaces i where i.host_id = h.id and i.provision and i.managed and not i.virtual and i.mac is null) as mac,
        h.build and h.provision_method = 'build' and h.root_pass is null
          and not exists (select from hostgroups g where g.id = h.hostgroup_id and ${selectEffectiveColumn('g', 'root_pass')} is not null)
          and ${ctx.settings.root_pass === ''} as root_pass
      from hosts h where h.id = ${id}`,
  )
  const errors = Object.entries({ ...missing }).filter(([, isMissing]) => isMissing)
  if (errors.length === 0) return
  const sentenceOf = (key: string) => (key === 'root_pass' ? NO_PASSWORD : BLANK)
  throw invalid(Object.fromEntries(errors.map(([key]) => [key, [sentenceOf(key)]])), stored?.id ?? null)
}

const NO_PASSWORD = 'should not be blank - consider setting a global or host group default'
