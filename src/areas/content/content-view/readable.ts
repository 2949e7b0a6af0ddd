import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import type { ReadableKey } from '../../../kernel/index.ts'
import { filledIn, nestedItems } from '../../../records/nested.ts'
import { permissionsKey } from '../../../records/permissions.ts'
import { selectMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import { nothings } from '../shared/constant.ts'
import { buildNestedRecordSchema, rowKeys } from '../shared/nested-records.ts'
import { selectRepositoriesOfVersion } from './contains.ts'
import {
  COMPONENT,
  COMPONENT_VERSION,
  ENVIRONMENT,
  labelKeysOf,
  listOf,
  selectAge,
  selectChoosableVersions,
  selectComponentVersion,
  selectEnvironmentsOfVersion,
  selectJsonList,
  selectLatestVersion,
  selectVersionNumber,
  selectVersionObject,
  selectViewObject,
  whole,
  words,
} from './shapes.ts'

/** The actions that callers may perform on a view; the keys have the names of the permissions. */
export const CONTENT_VIEW_PERMISSIONS = {
  view_content_views: 'view_content_views',
  edit_content_views: 'edit_content_views',
  destroy_content_views: 'destroy_content_views',
  publish_content_views: 'publish_content_views',
  promote_or_remove_content_views: 'promote_or_remove_content_views',
}

const NAMED = buildNestedRecordSchema('id', 'name')

const ITS_ENVIRONMENT = labelKeysOf('e')

function key(schema: z.ZodType, statement: (own: (column: string) => Sql) => Sql, time?: true): ReadableKey {
  return {
    schema: () => schema,
    sql: (alias) => statement((column) => sql.ref(`${alias}.${column}`)),
    ...(time && { time }),
  }
}

/**
 * Readable keys of views that are no fields (content-api §8.3). `presentContentViews` fills in what depends on the
 * caller.
 */
export const readable: Readonly<Record<string, ReadableKey>> = {
  permissions: permissionsKey(CONTENT_VIEW_PERMISSIONS),
  ...nothings(['last_task'], 'Always null: tasks are listed by themselves.'),
  ...nothings(['errors'], 'Always null: errors report problems.'),
  filtered: key(
    z.boolean().meta({ description: 'Whether it has filters.' }),
    (own) => sql`exists (select from content_view_filters f where f.content_view_id = ${own('id')})`,
  ),
  version_count: key(
    whole('Number of versions.'),
    (own) => sql`(select count(*) from content_view_versions n where n.content_view_id = ${own('id')})`,
  ),
  latest_version: key(z.string().nullable().meta({ description: 'The number of the latest version.' }), (own) =>
    selectVersionNumber(selectLatestVersion(own('id'))),
  ),
  latest_version_id: key(z.int().nullable().meta({ description: 'Its id.' }), (own) => selectLatestVersion(own('id'))),
  latest_version_environments: key(
    z.array(ENVIRONMENT).meta({ description: 'Lifecycle environments that have the latest version.' }),
    (own) => selectEnvironmentsOfVersion(selectLatestVersion(own('id'))),
  ),
  last_published: key(
    z.string().nullable().meta({ description: 'Time of publication of the latest version.' }),
    (own) => sql`(select max(n.created_at) from content_view_versions n where n.content_view_id = ${own('id')})`,
    true,
  ),
  next_version: key(
    words('The number that the next version gets.'),
    (own) => sql`${own('next_version')}::text || '.0'`,
  ),
  needs_publish: key(
    z.boolean().meta({ description: 'Whether a new version would have other content than the latest one.' }),
    selectNeedsPublish,
  ),
  repository_ids: key(
    z.array(z.int()).meta({ description: 'Ids of its repositories; of a composite view, of those of its components.' }),
    (own) => sql`array(select r.id from repositories r where r.id in ${selectRepositories(own)} order by 1)`,
  ),
  repositories: listOf('Its repositories; of a composite view, those of its components.', (own) => ({
    keys: { ...labelKeysOf('r'), content_type: [words('Content type of the repository.'), sql`r.content_type`] },
    from: sql`repositories r where r.id in ${selectRepositories(own)}`,
    order: sql`r.id`,
  })),
  versions: listOf('Its versions, the latest first.', (own) => ({
    keys: {
      id: [whole('Its id.'), sql`n.id`],
      version: [words('Its number.'), sql`n.version`],
      published: [words('Time of publication.'), selectMoment(sql`n.created_at`)],
      description: [z.string().nullable().meta({ description: 'Optional note.' }), sql`n.description`],
      environment_ids: [
        z.array(z.int()).meta({ description: 'Environments that have it.' }),
        sql`array(select p.environment_id from content_view_environments p where p.content_view_version_id = n.id order by 1)`,
      ],
      filters_applied: [z.null().meta({ description: 'Always null: nothing is left out by filters.' }), sql`null`],
      published_at_words: [words('Time passed since then, in words.'), selectAge(sql`n.created_at`)],
    },
    from: sql`content_view_versions n where n.content_view_id = ${own('id')}`,
    order: sql`array[-n.major, -n.minor]`,
  })),
  components: key(
    z.array(COMPONENT_VERSION).meta({ description: 'The versions that its components stand for.' }),
    (own) =>
      selectJsonList(sql`
        select ${selectVersionObject(selectComponentVersion('c'), { isIssued: true })} as item, c.id as place from content_view_components c
        where c.composite_content_view_id = ${own('id')} and ${selectComponentVersion('c')} is not null`),
  ),
  content_view_components: listOf('Its components.', (own) => ({
    keys: {
      latest: [COMPONENT.latest, sql`c.latest`],
      id: [whole('Its id.'), sql`c.id`],
      created_at: [words('Time of creation.'), selectMoment(sql`c.created_at`)],
      updated_at: [words('Time of the last change.'), selectMoment(sql`c.updated_at`)],
      composite_content_view: [COMPONENT.composite_content_view, selectViewObject(sql`c.composite_content_view_id`)],
      content_view: [COMPONENT.content_view, selectViewObject(sql`c.content_view_id`)],
      content_view_version: [COMPONENT.content_view_version, selectVersionObject(selectComponentVersion('c'))],
      component_content_view_versions: [
        COMPONENT.component_content_view_versions,
        selectChoosableVersions(sql`c.content_view_id`),
      ],
    },
    from: sql`content_view_components c where c.composite_content_view_id = ${own('id')}`,
    order: sql`c.id`,
  })),
  related_cv_count: key(
    whole('Number of composite views that have it as a component.'),
    (own) => sql`(select count(*) from content_view_components c where c.content_view_id = ${own('id')})`,
  ),
  related_composite_cvs: listOf('Those composite views.', (own) => ({
    keys: rowKeys('v', 'id', 'name'),
    from: sql`content_view_components c join content_views v on v.id = c.composite_content_view_id where c.content_view_id = ${own('id')}`,
    order: sql`v.id`,
  })),
  duplicate_repositories_to_publish: listOf(
    'Repositories that several components of a composite view have.',
    (own) => ({
      keys: {
        ...rowKeys('r', 'id', 'name'),
        components: nestedItems(
          'The components that have it.',
          {
            content_view_name: [words('A view that has it.'), sql`v.name`],
            content_view_version: [
              words('The number of its version.'),
              selectVersionNumber(selectComponentVersion('c')),
            ],
          },
          sql`v.name`,
        ),
      },
      from: sql`content_view_components c join content_views v on v.id = c.content_view_id
    cross join lateral ${selectRepositoriesOfVersion(selectComponentVersion('c'))} w join repositories r on r.id = w.repository_id
    where c.composite_content_view_id = ${own('id')}
    group by r.id, r.name having count(*) > 1`,
      order: sql`r.id`,
    }),
  ),
  environments: listOf('Environments that have a version of it.', (own) => ({
    keys: {
      id: ITS_ENVIRONMENT.id,
      label: ITS_ENVIRONMENT.label,
      name: ITS_ENVIRONMENT.name,
      activation_keys: filledIn(
        z.array(z.int()).meta({ description: 'Ids of the activation keys that give it from there.' }),
      ),
      hosts: filledIn(z.array(z.int()).meta({ description: 'Ids of the hosts that get it from there.' })),
      permissions: filledIn(
        z
          .object({ readable: z.boolean().meta({ description: 'Whether the caller may view the environment.' }) })
          .meta({ description: 'Permissions of the caller on this record.' }),
      ),
    },
    from: sql`content_view_environments p join lifecycle_environments e on e.id = p.environment_id where p.content_view_id = ${own('id')}`,
    order: sql`e.id`,
  })),
  activation_keys: key(
    z.array(NAMED).meta({
      description: 'Activation keys that give it, as far as the caller may view them. Lists have the first of them.',
    }),
    () => sql`null`,
  ),
  hosts: key(
    z.array(NAMED).meta({
      description: 'Hosts that get it, as far as the caller may view them. Lists have the first of them.',
    }),
    () => sql`null`,
  ),
  activation_key_count: key(
    whole('Number of activation keys that give it.'),
    (own) => sql`(
      select count(*) from activation_keys k where k.content_view_id = ${own('id')}
        or exists (select from activation_key_environments f where f.activation_key_id = k.id and f.content_view_id = ${own('id')}))`,
  ),
  content_host_count: key(
    whole('Number of hosts that get it.'),
    (own) => sql`(select count(distinct h.host_id) from host_environments h where h.content_view_id = ${own('id')})`,
  ),
}

type Own = (column: string) => Sql

/** Selects the repositories of a view: of the default view all, of a composite one those of its components. */
function selectRepositories(own: Own): Sql {
  const id = own('id')
  return sql`(
    select w.repository_id from content_view_repositories w where w.content_view_id = ${id}
    union select w.repository_id from content_view_components c cross join lateral ${selectRepositoriesOfVersion(selectComponentVersion('c'))} w
      where c.composite_content_view_id = ${id}
    union select w.repository_id from ${selectRepositoriesOfVersion(selectLatestVersion(id))} w where ${own('default')})`
}

function selectNeedsPublish(own: Own): Sql {
  const [id, latest] = [own('id'), selectLatestVersion(own('id'))]
  const selectDiffers = (now: Sql, then: Sql) =>
    sql`array(${now} order by 1) is distinct from array(${then} order by 1)`
  return sql`case
    when ${own('default')} then false
    when ${latest} is null then true
    when ${own('composite')} then ${selectDiffers(
      sql`select ${selectComponentVersion('c')} from content_view_components c where c.composite_content_view_id = ${id}`,
      sql`select w.component_version_id from content_view_version_components w where w.content_view_version_id = ${latest}`,
    )}
    else ${selectDiffers(
      sql`select w.repository_id from content_view_repositories w where w.content_view_id = ${id}`,
      sql`select w.repository_id from content_view_version_repositories w where w.content_view_version_id = ${latest}`,
    )} end`
}
