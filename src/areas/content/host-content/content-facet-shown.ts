import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import {
  buildNestedSchema,
  type NestedKey,
  type NestedKeys,
  nestedList,
  nestedOne,
  selectNested,
} from '../../../records/nested.ts'
import { sql } from '../../../sql.ts'
import { namedKeys } from '../shared/nested-records.ts'
import { PAIR_VERSION, pairKeys } from '../shared/pair.ts'

const viewKeys = (): NestedKeys => ({
  ...namedKeys('view', 'v'),
  composite: [z.boolean().meta({ description: 'Whether it is made of views.' }), sql`v.composite`],
})
const NONE: NestedKey = [z.null().meta({ description: 'Always null: there is no such thing here.' }), sql`null`]

function nestFirst(description: string, keys: NestedKeys, id: Sql): NestedKey {
  const schema = buildNestedSchema(keys).nullable().meta({ description })
  return [schema, sql`case when ${id} is not null then ${selectNested(keys)} end`]
}

const environments = nestedList('All that it gets content from, in order.', (own) => ({
  keys: pairKeys(),
  from: sql`host_environments l join content_views v on v.id = l.content_view_id join lifecycle_environments e on e.id = l.environment_id
    ${PAIR_VERSION} where l.host_id = ${own('id')}`,
  order: sql`l.position`,
}))

/** `content_facet_attributes` in answers: the first pair, and the list of all (content-api §5.3). */
export const facet = nestedOne(
  'Content view environments of the host: the first one, and the list of all; null for a host that was never registered or given any.',
  (own, alias) => ({
    keys: {
      id: [z.int().meta({ description: 'Id of the host.' }), own('id')],
      uuid: [z.string().nullable().meta({ description: 'UUID of the registration.' }), sql`r.uuid`],
      content_view_id: [z.int().nullable().meta({ description: 'Id of its first content view.' }), sql`v.id`],
      content_view_name: [z.string().nullable().meta({ description: 'Name of its first content view.' }), sql`v.name`],
      lifecycle_environment_id: [z.int().nullable().meta({ description: 'Id of the environment of that.' }), sql`e.id`],
      lifecycle_environment_name: [
        z.string().nullable().meta({ description: 'Name of that environment.' }),
        sql`e.name`,
      ],
      content_source_id: NONE,
      content_source_name: NONE,
      content_source: NONE,
      kickstart_repository_id: NONE,
      kickstart_repository_name: NONE,
      kickstart_repository: NONE,
      content_view: nestFirst('Its first content view.', viewKeys(), sql`v.id`),
      lifecycle_environment: nestFirst(
        'The first environment of that content view.',
        namedKeys('environment', 'e'),
        sql`e.id`,
      ),
      content_view_environments: [environments.schema(), environments.sql(alias)],
      content_view_version: [
        z.string().nullable().meta({ description: 'The version that the environment has.' }),
        sql`n.version`,
      ],
      content_view_version_id: [
        z.int().nullable().meta({ description: 'Id of the version that the environment has.' }),
        sql`n.id`,
      ],
      content_view_version_latest: [
        z.boolean().nullable().meta({ description: 'Whether it is the latest of its view.' }),
        sql`n.id = (
        select x.id from content_view_versions x where x.content_view_id = v.id order by x.major desc, x.minor desc limit 1)`,
      ],
      'content_view_default?': [
        z.boolean().nullable().meta({ description: 'Whether the view is the default one.' }),
        sql`v."default"`,
      ],
      'lifecycle_environment_library?': [
        z.boolean().nullable().meta({ description: 'Whether the environment is the Library.' }),
        sql`e.library`,
      ],
    },
    from: sql`(select) one
    left join registrations r on r.host_id = ${own('id')}
    left join host_environments l on l.host_id = ${own('id')} and l.position = 0
    left join content_views v on v.id = l.content_view_id
    left join lifecycle_environments e on e.id = l.environment_id
    left join content_view_environments p on p.content_view_id = v.id and p.environment_id = e.id
    left join content_view_versions n on n.id = p.content_view_version_id
    where r.host_id is not null or l.host_id is not null`,
  }),
  { nullable: true },
)
