import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import type { ReadableKey } from '../../../kernel/index.ts'
import { nestedList, nestedOne } from '../../../records/nested.ts'
import { permissionsKey } from '../../../records/permissions.ts'
import { sql } from '../../../sql.ts'
import { constant, nothing } from '../shared/constant.ts'
import { KEYS, rowKeys } from '../shared/nested-records.ts'

/** The actions that callers may perform on a repository, with the permissions for its product. */
export const REPOSITORY_PERMISSIONS = {
  deletable: 'edit_products',
  editable: 'edit_products',
  view_products: 'view_products',
  edit_products: 'edit_products',
}

const UNSYNCHRONIZED = 'the service does not copy repositories.'

/** The `from` clause (alias `o`) of subselects for the organization of a repository. */
function selectFromOrganization(repository: string): Sql {
  return sql`products p join organizations o on o.id = p.organization_id where p.id = ${sql.ref(`${repository}.product_id`)}`
}

/** The `from` clause of subselects for the default view's version and the Library, which both have every repository. */
function selectFromLibrary(repository: string): Sql {
  return sql`products p
    join content_views v on v.organization_id = p.organization_id and v."default"
    join content_view_environments w on w.content_view_id = v.id
    join content_view_versions n on n.id = w.content_view_version_id
    join lifecycle_environments e on e.id = w.environment_id
    where p.id = ${sql.ref(`${repository}.product_id`)}`
}

/** Readable keys of repositories that are no fields. */
export const repositoryReadable: Readonly<Record<string, ReadableKey>> = {
  content_id: {
    schema: () => z.string().nullable().meta({ description: 'Id of the content that overrides switch, as text.' }),
    sql: (repository) => sql`${sql.ref(`${repository}.content_id`)}::text`,
  },
  content_label: {
    schema: () => z.string().nullable().meta({ description: 'Label of its content, which overrides use.' }),
    sql: (repository) => sql`(select c.label from contents c where c.id = ${sql.ref(`${repository}.content_id`)})`,
  },
  organization_id: {
    schema: () => z.int().meta({ description: 'Organization of its product.' }),
    sql: (repository) => sql`(select o.id from ${selectFromOrganization(repository)})`,
  },
  organization: nestedOne('Organization of its product.', (_own, repository) => ({
    keys: rowKeys('o', 'name', 'label', 'id'),
    from: selectFromOrganization(repository),
  })),
  content_view: nestedOne('The default view, which has every repository.', (_own, repository) => ({
    keys: rowKeys('v', 'id', 'name'),
    from: selectFromLibrary(repository),
  })),
  content_view_version_id: {
    schema: () => z.int().meta({ description: 'The version of that view.' }),
    sql: (repository) => sql`(select n.id from ${selectFromLibrary(repository)})`,
  },
  content_view_version: nestedOne('The version of that view.', (_own, repository) => ({
    keys: {
      ...rowKeys('n', 'id'),
      name: [KEYS.name, sql`v.name || ' ' || n.version`],
      content_view_id: [KEYS.content_view_id, sql`v.id`],
    },
    from: selectFromLibrary(repository),
  })),
  environment: nestedOne('The Library, which has every repository.', (_own, repository) => ({
    keys: rowKeys('e', 'id', 'name'),
    from: selectFromLibrary(repository),
  })),
  relative_path: {
    schema: () => z.string().meta({ description: 'Path of the content below the content server.' }),
    sql: (repository) =>
      sql`(select o.label || '/Library/custom/' || p.label || '/' || ${sql.ref(`${repository}.label`)} from ${selectFromOrganization(repository)})`,
  },
  full_path: nothing(`Always null: ${UNSYNCHRONIZED} Hosts find the path of its content in that.`),
  last_sync: nothing(`Always null: ${UNSYNCHRONIZED}`),
  last_sync_words: nothing(`Always null: ${UNSYNCHRONIZED}`),
  content_counts: constant(z.object({}).meta({ description: `Always empty: ${UNSYNCHRONIZED}` }), {}),
  published_in_versions: nestedList('Published versions with this repository; they prevent its deletion.', (own) => ({
    keys: rowKeys('n', 'id', 'content_view_id', 'version'),
    from: sql`content_view_version_repositories l join content_view_versions n on n.id = l.content_view_version_id
      where l.repository_id = ${own('id')}`,
    order: sql`n.id`,
  })),
  promoted: {
    schema: () => z.boolean().meta({ description: 'Whether published versions of views have it.' }),
    sql: (repository) =>
      sql`exists (select from content_view_version_repositories l where l.repository_id = ${sql.ref(`${repository}.id`)})`,
  },
  content_view_environments: nestedList('The views that have it, by environment.', (own) => ({
    keys: {
      content_view_id: [KEYS.content_view_id, sql`v.id`],
      content_view_name: [KEYS.name, sql`v.name`],
      environment_id: [z.int().meta({ description: 'Id of the environment.' }), sql`e.id`],
      environment_name: [KEYS.name, sql`e.name`],
    },
    from: sql`content_view_environments w join content_views v on v.id = w.content_view_id
      join lifecycle_environments e on e.id = w.environment_id
      where w.content_view_version_id in (select l.content_view_version_id from content_view_version_repositories l where l.repository_id = ${own('id')})
        or v."default" and v.organization_id = (select p.organization_id from products p where p.id = ${own('product_id')})`,
    order: sql`v.id, e.id`,
  })),
  permissions: permissionsKey(REPOSITORY_PERMISSIONS),
}
