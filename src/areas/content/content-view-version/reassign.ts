import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/** A content view in a lifecycle environment. */
export interface ViewInEnvironment {
  readonly view: number
  readonly environment: number
}

/**
 * Replaces the view in these environments by another pair, for all hosts; of a pair that a host then has twice, the
 * first one stays.
 */
export async function reassignHosts(
  tx: Context,
  view: number,
  environments: readonly number[],
  to: ViewInEnvironment,
): Promise<void> {
  await sql`
    with gone as (
      delete from host_environments where host_id in (select h.host_id from host_environments h where ${selectLeaving('h', view, environments)})
      returning *
    ), kept as (${selectReplaced(sql`select host_id as owner, position, content_view_id, environment_id from gone`, view, environments, to)})
    insert into host_environments (host_id, position, content_view_id, environment_id)
    select owner, row_number() over (partition by owner order by position) - 1, content_view_id, environment_id from kept`.execute(
    tx.db,
  )
}

/**
 * Replaces the view in these environments by another pair, for all keys; the first pair of a key is in its own columns.
 */
export async function reassignKeys(
  tx: Context,
  view: number,
  environments: readonly number[],
  to: ViewInEnvironment,
): Promise<void> {
  await sql`
    with affected as (
      select k.id from activation_keys k where ${selectLeaving('k', view, environments)}
      union select f.activation_key_id from activation_key_environments f where ${selectLeaving('f', view, environments)}
    ), gone as (
      delete from activation_key_environments where activation_key_id in (select id from affected) returning *
    ), kept as (${selectReplaced(
      sql`
        select k.id as owner, 0 as position, k.content_view_id, k.environment_id from activation_keys k where k.id in (select id from affected)
        union all select activation_key_id, position, content_view_id, environment_id from gone`,
      view,
      environments,
      to,
    )}), placed as (
      select owner, row_number() over (partition by owner order by position) - 1 as position, content_view_id, environment_id from kept
    ), firsts as (
      update activation_keys k set content_view_id = p.content_view_id, environment_id = p.environment_id, updated_at = now()
      from placed p where p.owner = k.id and p.position = 0
    )
    insert into activation_key_environments (activation_key_id, position, content_view_id, environment_id)
    select owner, position, content_view_id, environment_id from placed where position > 0`.execute(tx.db)
}

/** The condition for rows whose pair is replaced: the view in one of these environments. */
function selectLeaving(alias: string, view: number, environments: readonly number[]): Sql {
  const selectOwn = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`${selectOwn('content_view_id')} = ${view} and ${selectOwn('environment_id')} = any (${environments}::bigint[])`
}

/** Selects lists with the replacement, without repeated pairs. */
function selectReplaced(lists: Sql, view: number, environments: readonly number[], to: ViewInEnvironment): Sql {
  const goes = selectLeaving('l', view, environments)
  return sql`
    select owner, min(position) as position, content_view_id, environment_id
    from (
      select l.owner, l.position,
        case when ${goes} then ${to.view}::bigint else l.content_view_id end as content_view_id,
        case when ${goes} then ${to.environment}::bigint else l.environment_id end as environment_id
      from (${lists}) l
    ) replaced group by owner, content_view_id, environment_id`
}
