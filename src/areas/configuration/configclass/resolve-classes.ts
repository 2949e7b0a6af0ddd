import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { Draft, Stored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { HostFields } from '../../inventory/index.ts'
import type { AssignedFields } from './applied.ts'

/** The fields that decide which classes a host may have. */
export type InEnvironment = AssignedFields & Pick<HostFields, 'environment'>

/**
 * Resolves the directly assigned classes of a host in its present or new environment (smart-parameters §8): sent
 * classes have to be in that environment. Without an environment classes and config groups are removed. {@throws
 * Failure} invalid, naming classes that are not in it
 */
export async function resolveClasses(
  ctx: Context,
  draft: Draft<InEnvironment>,
  stored: Stored<InEnvironment> | null,
): Promise<Draft<InEnvironment>> {
  const before = stored?.environment_id ?? null
  const environment = draft.environment === undefined ? before : draft.environment
  const classes = draft.configclasses ?? stored?.configclasses ?? []
  if (environment === null && before !== null && !draft.configclasses?.length)
    return { configclasses: [], config_groups: [] }
  if (classes.length === 0 || (draft.configclasses === undefined && environment === before)) return {}
  const foreign = await rows<{ message: string }>(
    ctx.db,
    sql`select coalesce(c.name || ' does not belong to the ' || e.name || ' environment', 'need an environment') as message
      from configclasses c left join environments e on e.id = ${environment}::bigint
      where c.id = any (${classes}::bigint[]) and not exists (
        select from configclass_environments there where there.configclass_id = c.id and there.environment_id = e.id)
      order by c.name`,
  )
  if (foreign.length === 0) return {}
  throw invalid({ configclasses: [...new Set(foreign.map(({ message }) => message))] }, stored?.id ?? null)
}
