import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { compileRequestSearch, findResource, joinConditions, type Registry } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { KeyOfHosts } from './drift.ts'
import { limitToDrifting } from './drift-differences.ts'
import { loadExpectations } from './drift-expected.ts'
import { limitToEditableHosts } from './reapply-hosts.ts'
import type { ReapplyRequest } from './reapply-request.ts'

/** Loads the chosen hosts that differ from their keys, by name. {@throws Failure} bad_search */
export async function loadReapplyTargets(
  ctx: Context,
  registry: Registry,
  key: KeyOfHosts,
  { search, host_ids: ids, fields }: ReapplyRequest,
): Promise<number[]> {
  const hosts = findResource(registry, 'host')
  const conditions = [
    ...limitToEditableHosts(ctx, hosts),
    ...(await compileRequestSearch(ctx, hosts, search)),
    ...(ids ? [{ sql: sql`t.id = any (${ids}::bigint[])`, tables: [] }] : []),
    limitToDrifting(key.id, await loadExpectations(ctx, key), fields),
  ]
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from hosts t where ${joinConditions(conditions)} order by t.name, t.id`,
  )
  return found.map(({ id }) => id)
}
