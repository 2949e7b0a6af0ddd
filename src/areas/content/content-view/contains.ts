import type { Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/**
 * The tables behind the selects below, for the `tables` of conditions. A version has the repositories that were
 * published with it; the default view has all of its organization, without publishing (content-api §8.3). Each select
 * yields `repository_id` without duplicates, in parentheses, for use behind `in` or `from`. Arguments are SQL for one
 * id, e.g. a column of the surrounding statement.
 */
export const CONTAINING = [
  'content_view_environments',
  'content_view_versions',
  'content_view_version_repositories',
  'content_views',
  'products',
  'repositories',
]

// These aliases occur in no surrounding statement, so that arguments keep their meaning inside.
const PUBLISHED = sql`content_view_version_repositories in_p`
const PLACED = sql`content_view_environments in_e join ${PUBLISHED} on in_p.content_view_version_id = in_e.content_view_version_id`

/** Selects the ids of the repositories of a version. */
export function selectRepositoriesOfVersion(version: Sql): Sql {
  return sql`(
    select in_p.repository_id from ${PUBLISHED} where in_p.content_view_version_id = ${version}
    union all ${selectAllRepositories(sql`content_view_versions in_n on in_n.content_view_id = in_v.id`, sql`in_n.id = ${version}`)}
  )`
}

/** Selects the ids of the repositories that hosts and keys with this view and environment get. */
export function selectRepositoriesOfPair(view: Sql, environment: Sql): Sql {
  const pair = sql`in_e.content_view_id = ${view} and in_e.environment_id = ${environment}`
  return sql`(select in_p.repository_id from ${PLACED} where ${pair} union all ${selectAllRepositories(IN_PLACES, pair)})`
}

/** Selects the ids of the repositories of all views in this environment. */
export function selectRepositoriesOfEnvironment(environment: Sql): Sql {
  const here = sql`in_e.environment_id = ${environment}`
  return sql`(select in_p.repository_id from ${PLACED} where ${here} union ${selectAllRepositories(IN_PLACES, here)})`
}

const IN_PLACES = sql`content_view_environments in_e on in_e.content_view_id = in_v.id`

/** Selects all repositories of the organization if the condition leaves a default view. */
function selectAllRepositories(joined: Sql, condition: Sql): Sql {
  return sql`select in_r.id as repository_id from content_views in_v join ${joined}
    join products in_o on in_o.organization_id = in_v.organization_id join repositories in_r on in_r.product_id = in_o.id
    where in_v."default" and ${condition}`
}
