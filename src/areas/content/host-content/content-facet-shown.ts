import { sql } from 'kysely'
import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import { VIEW_ENVIRONMENT_LABEL } from '../../registration/index.ts'

const named = (what: string) => ({
  id: z.int().meta({ description: `Id of the ${what}.` }),
  name: z.string().meta({ description: `Name of the ${what}.` }),
})
const VIEW = z.object({
  ...named('view'),
  composite: z.boolean().meta({ description: 'Whether it is made of views.' }),
})
const ENVIRONMENT = z.object(named('environment'))
const NONE = z.null().meta({ description: 'Always null: there is no such thing here.' })

/** `content_facet_attributes` as answers show it: of the first pair, and the list of all (content-api §5.3). */
export const FACET = z
  .object({
    id: z.int().meta({ description: 'Id of the host.' }),
    uuid: z.string().nullable().meta({ description: 'What the host is registered as.' }),
    content_view_id: z.int().nullable().meta({ description: 'Id of its first content view.' }),
    content_view_name: z.string().nullable().meta({ description: 'Name of that.' }),
    lifecycle_environment_id: z.int().nullable().meta({ description: 'Id of the environment of that.' }),
    lifecycle_environment_name: z.string().nullable().meta({ description: 'Name of that environment.' }),
    content_source_id: NONE,
    content_source_name: NONE,
    content_source: NONE,
    kickstart_repository_id: NONE,
    kickstart_repository_name: NONE,
    kickstart_repository: NONE,
    content_view: VIEW.nullable().meta({ description: 'Its first content view.' }),
    lifecycle_environment: ENVIRONMENT.nullable().meta({ description: 'The environment of that.' }),
    content_view_environments: z
      .array(
        z.object({
          label: z.string().meta({ description: 'What it is called in lists of labels.' }),
          content_view: VIEW.meta({ description: 'The view.' }),
          lifecycle_environment: ENVIRONMENT.meta({ description: 'The environment.' }),
        }),
      )
      .meta({ description: 'All that it gets content from, in order.' }),
    content_view_version: z.string().nullable().meta({ description: 'The version that the environment has.' }),
    content_view_version_id: z.int().nullable().meta({ description: 'Id of that.' }),
    content_view_version_latest: z.boolean().nullable().meta({ description: 'Whether it is the latest of its view.' }),
    'content_view_default?': z.boolean().nullable().meta({ description: 'Whether the view is the default one.' }),
    'lifecycle_environment_library?': z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the environment is the Library.' }),
  })
  .nullable()
  .meta({ description: 'Where it gets its content from; null for a host that has never been registered or given any.' })

const FIRST_VIEW = sql`json_build_object('id', v.id, 'name', v.name, 'composite', v.composite)`
const FIRST_ENVIRONMENT = sql`json_build_object('id', e.id, 'name', e.name)`

/** The facet of the host with this alias. */
export function selectFacet(alias: string): Sql {
  const host = sql.ref(`${alias}.id`)
  return sql`(
    select json_build_object(
      'id', ${host}, 'uuid', r.uuid,
      'content_view_id', v.id, 'content_view_name', v.name,
      'lifecycle_environment_id', e.id, 'lifecycle_environment_name', e.name,
      'content_source_id', null, 'content_source_name', null, 'content_source', null,
      'kickstart_repository_id', null, 'kickstart_repository_name', null, 'kickstart_repository', null,
      'content_view', case when v.id is not null then ${FIRST_VIEW} end,
      'lifecycle_environment', case when e.id is not null then ${FIRST_ENVIRONMENT} end,
      'content_view_environments', ${listSql(host)},
      'content_view_version', n.version, 'content_view_version_id', n.id,
      'content_view_version_latest', n.id = (
        select x.id from content_view_versions x where x.content_view_id = v.id order by x.major desc, x.minor desc limit 1),
      'content_view_default?', v."default", 'lifecycle_environment_library?', e.library)
    from (select) one
    left join registrations r on r.host_id = ${host}
    left join host_environments l on l.host_id = ${host} and l.position = 0
    left join content_views v on v.id = l.content_view_id
    left join lifecycle_environments e on e.id = l.environment_id
    left join content_view_environments p on p.content_view_id = v.id and p.environment_id = e.id
    left join content_view_versions n on n.id = p.content_view_version_id
    where r.host_id is not null or l.host_id is not null)`
}

function listSql(host: Sql): Sql {
  return sql`coalesce((
    select json_agg(json_build_object('label', ${VIEW_ENVIRONMENT_LABEL}, 'content_view', ${FIRST_VIEW}, 'lifecycle_environment', ${FIRST_ENVIRONMENT}) order by l.position)
    from host_environments l join content_views v on v.id = l.content_view_id join lifecycle_environments e on e.id = l.environment_id
    where l.host_id = ${host}), '[]')`
}
