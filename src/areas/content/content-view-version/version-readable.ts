import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import type { ReadableKey } from '../../../kernel/index.ts'
import { filledIn, type NestedKeys, nestedOne, type Own } from '../../../records/nested.ts'
import { permissionsKey } from '../../../records/permissions.ts'
import { selectMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import { selectRepositoriesOfVersion } from '../content-view/contains.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { labelKeysOf, listOf, selectAge, selectLatestVersion, whole, words } from '../content-view/shapes.ts'
import { constant, nothings } from '../shared/constant.ts'
import { ERRATA } from '../shared/nested-records.ts'

/** The actions that callers may perform on a version, with their permissions. */
export const CONTENT_VIEW_VERSION_PERMISSIONS = { deletable: CONTENT_VIEW_PERMISSIONS.destroy_content_views }

/**
 * Kinds of content that existing servers count for each version. This service knows repositories, but not their content,
 * so that the counts are 0.
 */
const NOT_HELD = [
  'rpm',
  'modulemd',
  'erratum',
  'package_group',
  'srpm',
  'ansible_collection',
  'deb',
  'docker_manifest',
  'docker_manifest_list',
  'docker_tag',
  'file',
  'ostree_ref',
  'python_package',
  'module_stream',
  'package',
].map((content) => `${content}_count`)

const TYPES = ['yum', 'ansible_collection', 'deb', 'docker', 'file', 'ostree', 'python']

/** The keys that count the contents of a version. */
export const COUNTS = [
  ...NOT_HELD,
  'component_view_count',
  ...TYPES.map((type) => `${type}_repository_count`),
  'errata_counts',
]

const allowed = (description: string) => z.boolean().meta({ description })

/** The keys of an environment `e` that a version was promoted to (`p`). */
const placeKeys = (): NestedKeys => ({
  ...labelKeysOf('e'),
  publish_date: [words('Time passed since the promotion, in words.'), selectAge(sql`p.promoted_at`)],
  host_count: [whole('Number of hosts that get the view in this environment.'), selectUsers('host_environments')],
  activation_key_count: [
    whole('Number of activation keys that give the view in this environment.'),
    sql`${selectUsers('activation_keys')} + ${selectUsers('activation_key_environments')}`,
  ],
  permissions: filledIn(
    z
      .object({
        readable: allowed('Whether the caller may view the environment.'),
        promotable_or_removable: allowed('Whether the caller may promote the view to it and remove it from it.'),
        all_hosts_editable: allowed('Whether the caller may edit all hosts that get the view there.'),
        all_keys_editable: allowed('Whether the caller may edit all activation keys that give the view there.'),
      })
      .meta({ description: 'Permissions of the caller.' }),
  ),
})

/** Counts the rows of a table that have the view in the environment. */
function selectUsers(table: string): Sql {
  return sql`(select count(*) from ${sql.table(table)} h where h.content_view_id = p.content_view_id and h.environment_id = e.id)`
}

const lastEvent = nestedOne(
  'Event of its publication; null for the default view.',
  (own) => ({
    keys: {
      user: [
        z.string().nullable().meta({ description: 'Login of who published it.' }),
        sql`(select u.login from users u where u.id = ${own('user_id')})`,
      ],
      status: [
        words('Always successful: a version that could not be published does not exist.'),
        sql.lit('successful'),
      ],
      description: [z.string().nullable().meta({ description: 'Optional note.' }), own('description')],
      action: [words('Always publish.'), sql.lit('publish')],
      created_at: [words('Time of publication.'), selectMoment(own('created_at'))],
      updated_at: [words('Time of the last change.'), selectMoment(own('updated_at'))],
      environment: [z.null().meta({ description: 'Always null.' }), sql`null`],
      task: [z.null().meta({ description: 'Always null: tasks are listed by themselves.' }), sql`null`],
      version: [words('The number.'), own('version')],
      publish: [allowed('Always true.'), sql`true`],
      version_id: [whole('The id.'), own('id')],
      triggered_by: [z.null().meta({ description: 'Always null: see the description.' }), sql`null`],
      triggered_by_id: [z.null().meta({ description: 'Always null.' }), sql`null`],
    },
    from: sql`content_views v where v.id = ${own('content_view_id')} and not v."default"`,
  }),
  { nullable: true },
)

function key(schema: z.ZodType, statement: (own: Own) => Sql): ReadableKey {
  return { schema: () => schema, sql: (alias) => statement((column) => sql.ref(`${alias}.${column}`)) }
}

const ids = (description: string) => z.array(z.int()).meta({ description })

/** Selects composite views `v` that have the version as a component at present. */
function selectComposites(own: Own): Sql {
  return sql`content_view_components c join content_views v on v.id = c.composite_content_view_id
    where c.content_view_version_id = ${own('id')} or (c.latest and c.content_view_id = ${own('content_view_id')} and ${selectLatestVersion(own('content_view_id'))} = ${own('id')})`
}

/** Selects published versions `w` of composite views `v` that have the version. */
function selectPublishedIn(own: Own): Sql {
  return sql`content_view_version_components c join content_view_versions w on w.id = c.content_view_version_id
    join content_views v on v.id = w.content_view_id where c.component_version_id = ${own('id')}`
}

/**
 * Readable keys of versions that are no fields (content-api §8.3). `presentContentViewVersions` fills in what depends
 * on the caller.
 */
export const versionReadable: Readonly<Record<string, ReadableKey>> = {
  permissions: permissionsKey(CONTENT_VIEW_VERSION_PERMISSIONS),
  ...nothings(['filters_applied'], 'Always null: nothing is left out by filters.'),
  active_history: constant(
    z.array(z.never()).meta({ description: 'Always empty: tasks are listed by themselves.' }),
    [],
  ),
  ...Object.fromEntries(
    NOT_HELD.map((name) => [name, constant(whole('Always 0: the service does not store content.'), 0)]),
  ),
  errata_counts: constant(ERRATA.meta({ description: 'Always 0: the service does not store content.' }), {
    security: 0,
    bugfix: 0,
    enhancement: 0,
    total: 0,
  }),
  ...Object.fromEntries(
    TYPES.map((type) => [
      `${type}_repository_count`,
      key(
        whole('Number of repositories of this content type.'),
        (own) =>
          sql`(select count(*) from repositories r where r.content_type = ${sql.lit(type)} and r.id in ${selectRepositoriesOfVersion(own('id'))})`,
      ),
    ]),
  ),
  component_view_count: key(
    whole('Number of component versions.'),
    (own) =>
      sql`(select count(*) from content_view_version_components c where c.content_view_version_id = ${own('id')})`,
  ),
  name: key(
    words('The name of the view and the number.'),
    (own) =>
      sql`(select v.name from content_views v where v.id = ${own('content_view_id')}) || ' ' || ${own('version')}`,
  ),
  default: key(
    allowed('Whether it belongs to the default view.'),
    (own) => sql`(select v."default" from content_views v where v.id = ${own('content_view_id')})`,
  ),
  composite_content_view_ids: key(ids('Ids of composite views that have it as a component now.'), (own) => {
    return sql`array(select v.id from ${selectComposites(own)} order by 1)`
  }),
  composite_content_views: listOf('Those composite views.', (own) => ({
    keys: labelKeysOf('v'),
    from: selectComposites(own),
    order: sql`v.id`,
  })),
  composite_content_view_versions: listOf('Versions of composite views that were published with it.', (own) => ({
    keys: {
      id: [whole('Its id.'), sql`w.id`],
      name: [words('The name of its view and the number.'), sql`v.name || ' ' || w.version`],
      version: [words('Its number.'), sql`w.version`],
    },
    from: selectPublishedIn(own),
    order: sql`w.id`,
  })),
  published_in_composite_content_view_ids: key(
    ids('Ids of composite views of which a version was published with it.'),
    (own) => sql`array(select distinct v.id from ${selectPublishedIn(own)} order by 1)`,
  ),
  published_in_composite_content_views: listOf('Those composite views.', (own) => ({
    keys: labelKeysOf('v'),
    from: sql`content_views v where v.id in (select w.content_view_id from ${selectPublishedIn(own)})`,
    order: sql`v.id`,
  })),
  environments: listOf('Environments that have it.', (own) => ({
    keys: placeKeys(),
    from: sql`content_view_environments p join lifecycle_environments e on e.id = p.environment_id where p.content_view_version_id = ${own('id')}`,
    order: sql`e.id`,
  })),
  repositories: listOf('The repositories that it has.', (own) => ({
    keys: {
      ...labelKeysOf('r'),
      content_type: [words('Content type of the repository.'), sql`r.content_type`],
      library_instance_id: [whole('Its id again: a version has the repository itself.'), sql`r.id`],
      mirroring_policy: [z.string().nullable().meta({ description: 'Mirroring policy.' }), sql`r.mirroring_policy`],
    },
    from: sql`repositories r where r.id in ${selectRepositoriesOfVersion(own('id'))}`,
    order: sql`r.id`,
  })),
  last_event: lastEvent,
}
