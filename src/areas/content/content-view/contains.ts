import { sql } from 'kysely'
import type { Sql } from '../../../database/sql.ts'

/**
 * Which repositories a version of a view has: those that were published with it; the default view has every repository of
 * its organization, without being published (content-api §8.3). Each yields a parenthesized `select repository_id` without
 * duplicates, to stand behind `in` or in a `from`; what they are given is SQL for one id, such as a column of the statement
 * around. Tables that their truth depends on are in `CONTAINING`, for the `tables` of conditions.
 */
export const CONTAINING = [
  'content_view_environments',
  'content_view_versions',
  'content_view_version_repositories',
  'content_views',
  'products',
  'repositories',
]

// Aliases that no statement around has: what they are given must not mean something else in here.
const PUBLISHED = sql`content_view_version_repositories in_p`
const PLACED = sql`content_view_environments in_e join ${PUBLISHED} on in_p.content_view_version_id = in_e.content_view_version_id`

/** The ids of the repositories of a version. */
export function selectRepositoriesOfVersion(version: Sql): Sql {
  return sql`(
    select in_p.repository_id from ${PUBLISHED} where in_p.content_view_version_id = ${version}
    union all ${everyOne(sql`content_view_versions in_n on in_n.content_view_id = in_v.id`, sql`in_n.id = ${version}`)}
  )`
}

/** The ids of the repositories that hosts and keys with this view and environment get. */
export function selectRepositoriesOfPair(view: Sql, environment: Sql): Sql {
  const pair = sql`in_e.content_view_id = ${view} and in_e.environment_id = ${environment}`
  return sql`(select in_p.repository_id from ${PLACED} where ${pair} union all ${everyOne(IN_PLACES, pair)})`
}

/** The ids of the repositories that some view in this environment has. */
export function selectRepositoriesOfEnvironment(environment: Sql): Sql {
  const here = sql`in_e.environment_id = ${environment}`
  return sql`(select in_p.repository_id from ${PLACED} where ${here} union ${everyOne(IN_PLACES, here)})`
}

const IN_PLACES = sql`content_view_environments in_e on in_e.content_view_id = in_v.id`

/** All repositories of the organization, where the condition leaves a default view. */
function everyOne(joined: Sql, condition: Sql): Sql {
  return sql`select in_r.id as repository_id from content_views in_v join ${joined}
    join products in_o on in_o.organization_id = in_v.organization_id join repositories in_r on in_r.product_id = in_o.id
    where in_v."default" and ${condition}`
}
