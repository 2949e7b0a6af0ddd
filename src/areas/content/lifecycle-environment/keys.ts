import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import type { ReadableKey, Transform } from '../../../kernel/index.ts'
import { membersOf, readNumber } from '../../../lib/values.ts'
import {
  buildNestedSchema,
  type NestedKey,
  type NestedKeys,
  nestedList,
  nestedOne,
  selectNested,
} from '../../../records/nested.ts'
import { permissionsKey, presentPermissions } from '../../../records/permissions.ts'
import { sql } from '../../../sql.ts'
import { ERRATA } from '../shared/nested-records.ts'

/** The actions that callers may perform on an environment; the keys have the names of the permissions. */
export const LIFECYCLE_ENVIRONMENT_PERMISSIONS = {
  create_lifecycle_environments: 'create_lifecycle_environments',
  view_lifecycle_environments: 'view_lifecycle_environments',
  edit_lifecycle_environments: 'edit_lifecycle_environments',
  destroy_lifecycle_environments: 'destroy_lifecycle_environments',
  promote_or_remove_content_views_to_environments: 'promote_or_remove_content_views_to_environments',
}

const count = (description: string) => z.int().meta({ description })

const countKeys = (alias: string): NestedKeys => ({
  content_hosts: [
    count('Hosts that get content from it.'),
    sql`(select count(distinct h.host_id) from host_environments h where h.environment_id = ${selectOwn(alias, 'id')})`,
  ],
  content_views: [
    count('Views with a version in it, except the default view.'),
    sql`(select count(*) from ${selectViews(alias)})`,
  ],
})

/** Counts of content in the Library, all zero, because this service holds none. */
const libraryKeys = (organization: Sql): NestedKeys => ({
  packages: [count('Always 0: the service does not store content.'), sql`0`],
  module_streams: [count('Always 0.'), sql`0`],
  debs: [count('Always 0.'), sql`0`],
  errata: [ERRATA.meta({ description: 'Always 0.' }), NO_ERRATA],
  yum_repositories: repositoriesOf('yum'),
  docker_repositories: repositoriesOf('docker'),
  ostree_repositories: repositoriesOf('ostree'),
  deb_repositories: repositoriesOf('deb'),
  products: [
    count('Products of the organization.'),
    sql`(select count(*) from products p where p.organization_id = ${organization})`,
  ],
})

const NO_ERRATA = sql`${sql.lit(JSON.stringify({ security: 0, bugfix: 0, enhancement: 0, total: 0 }))}::json`

function repositoriesOf(type: string): NestedKey {
  return [count('Repositories of this type.'), sql`count(*) filter (where r.content_type = ${sql.lit(type)})`]
}

const named = (alias: string): NestedKeys => ({
  name: [z.string().meta({ description: 'Its name.' }), sql.raw(`${alias}.name`)],
  id: [count('Its id.'), sql.raw(`${alias}.id`)],
})

/** Readable keys of environments that are no fields (content-api §8.2). */
export const readable: Readonly<Record<string, ReadableKey>> = {
  permissions: permissionsKey(LIFECYCLE_ENVIRONMENT_PERMISSIONS),
  successor: nestedOne(
    'Next environment of the path; for the Library, that of the first path.',
    (own) => ({
      keys: named('x'),
      from: sql`lifecycle_environments x where x.prior_id = ${own('id')} order by x.id limit 1`,
    }),
    { nullable: true },
  ),
  content_views: nestedList('Views with a version in it, except the default view.', (_own, alias) => ({
    keys: named('v'),
    from: selectViews(alias),
    order: sql`v.name, v.id`,
  })),
  counts: {
    schema: () =>
      buildNestedSchema(countKeys('t'))
        .extend(buildNestedSchema(libraryKeys(sql`t`)).partial().shape)
        .meta({ description: 'Numbers of contents and records by kind; the Library has more of them.' }),
    sql: (alias) =>
      sql`${selectNested(countKeys(alias))}::jsonb || case when ${selectOwn(alias, 'library')} then ${selectLibraryCounts(alias)} else '{}' end`,
  },
}

function selectOwn(alias: string, column: string): Sql {
  return sql.ref(`${alias}.${column}`)
}

function selectViews(alias: string): Sql {
  return sql`content_view_environments e join content_views v on v.id = e.content_view_id where e.environment_id = ${selectOwn(alias, 'id')} and not v."default"`
}

function selectLibraryCounts(alias: string): Sql {
  const organization = selectOwn(alias, 'organization_id')
  return sql`(
    select ${selectNested(libraryKeys(organization))}::jsonb
    from repositories r join products p on p.id = r.product_id where p.organization_id = ${organization})`
}

const withPermissions = presentPermissions(LIFECYCLE_ENVIRONMENT_PERMISSIONS)

/** Adds what the caller may do. Nobody may delete the Library, or an environment that hosts get content from. */
export const presentLifecycleEnvironments: Transform = async (ctx, resource, records, query) => {
  const shown = await withPermissions(ctx, resource, records, query)
  return shown.map((record) => {
    const { library, counts, permissions } = record
    if (typeof permissions !== 'object' || permissions === null) return record
    const hosts = readNumber(membersOf(counts), 'content_hosts') ?? 0
    return library || hosts > 0
      ? { ...record, permissions: { ...permissions, destroy_lifecycle_environments: false } }
      : record
  })
}
