import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { findResource, type Registry, recordAudit } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { VIEW_ENVIRONMENT_LABEL } from '../../registration/index.ts'
import { USERS } from '../content-view/view-users.ts'
import { recordHostChange } from '../host-content/content-host.ts'

interface Listed {
  readonly id: number
  readonly name: string
  /** The pairs by label, in order. */
  readonly list: readonly string[]
}

/**
 * Executes a change of the pairs of hosts or keys, and audits each whose list is different afterwards. The condition on
 * `u`, a row of `USERS`, leaves those that may change; it is evaluated before the change.
 */
export async function withReassignmentAudits(
  tx: Context,
  registry: Registry,
  kind: keyof typeof USERS,
  condition: Sql,
  work: () => Promise<void>,
): Promise<void> {
  const before = await listsOf(tx, kind, sql`select u.id from ${USERS[kind]} u where ${condition}`)
  await work()
  const ids = before.map(({ id }) => id)
  const after = new Map(
    (await listsOf(tx, kind, sql`select unnest(${ids}::bigint[])`)).map((one) => [one.id, one.list]),
  )
  const resource = findResource(registry, kind)
  for (const { id, name, list } of before) {
    const changes = { content_view_environments: [list, after.get(id) ?? []] } as const
    if (JSON.stringify(list) === JSON.stringify(after.get(id))) continue
    if (kind === 'host') await recordHostChange(tx, resource, { id, name }, changes)
    else await recordAudit(tx, resource, 'update', { id, label: name }, changes)
  }
}

function listsOf(tx: Context, kind: keyof typeof USERS, ids: Sql): Promise<Listed[]> {
  const { table, pairs } = PLACES[kind]
  return rows<Listed>(
    tx.db,
    sql`
      select t.id, t.name, array(
        select ${VIEW_ENVIRONMENT_LABEL} from (${pairs}) l join content_views v on v.id = l.content_view_id
        join lifecycle_environments e on e.id = l.environment_id order by l.position) as list
      from ${sql.table(table)} t where t.id in (${ids}) order by t.id`,
  )
}

/** The tables and columns of the pairs of a host or key `t`. */
const PLACES = {
  host: {
    table: 'hosts',
    pairs: sql`select position, content_view_id, environment_id from host_environments where host_id = t.id`,
  },
  activation_key: {
    table: 'activation_keys',
    pairs: sql`select 0 as position, t.content_view_id, t.environment_id
      union all select position, content_view_id, environment_id from activation_key_environments where activation_key_id = t.id`,
  },
} as const
