import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { Draft, Stored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { readNumbers } from '../../../values.ts'

/**
 * Resolves the directly assigned classes of a host in its present or new environment (smart-parameters §8): sent
 * classes have to be in that environment. Without an environment classes and config groups are removed. {@throws
 * Failure} invalid, naming classes that are not in it
 */
export async function resolveClasses(ctx: Context, draft: Draft, stored: Stored | null): Promise<Draft> {
  const before = stored?.environment_id ?? null
  const environment = draft.environment === undefined ? before : draft.environment
  const classes = readNumbers(draft, 'configclasses') ?? readNumbers(stored ?? {}, 'configclasses') ?? []
  if (environment === null && before !== null && isEmpty(draft.configclasses))
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

function isEmpty(classes: unknown): boolean {
  return !Array.isArray(classes) || classes.length === 0
}
