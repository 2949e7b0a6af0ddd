import type { Context } from '../../../context.ts'
import { type Action, type Condition, list } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { buildFilterQuery, type Filter, type Filters, readFilters, readTruth } from '../shared/filtered.ts'

const NOTHING_IN_THEM: Filter = {
  doc: 'Only those that have such content: none, because what is in repositories is not known here.',
  where: () => sql`false`,
}

/** Filter parameters of the list (content-api §8.4). */
const FILTERS: Filters = {
  name: buildFilter('name', 'Only those with exactly this name.'),
  label: buildFilter('label', 'Only those with exactly this label.'),
  description: buildFilter('description', 'Only those with exactly this description.'),
  content_type: buildFilter('content_type', 'Only those with this kind of content.'),
  download_policy: buildFilter('download_policy', 'Only those whose packages are downloaded so.'),
  library: {
    doc: 'Whether only what is in the Library is wanted: everything is.',
    where: (value) => (readTruth('library', value) ? undefined : sql`true`),
  },
  archived: {
    doc: 'True: only copies that belong to versions, of which there are none.',
    where: (value) => (readTruth('archived', value) ? sql`false` : undefined),
  },
  ...Object.fromEntries(
    ['ansible_collection_id', 'deb_id', 'erratum_id', 'file_id', 'ostree_branch_id', 'rpm_id', 'with_content'].map(
      (name): [string, Filter] => [name, NOTHING_IN_THEM],
    ),
  ),
}

/** Lists repositories, with filter parameters. */
export const listRepositories: Action = {
  method: 'GET',
  path: '',
  name: 'list',
  summary: 'List repositories',
  permissions: ['view_products'],
  query: buildFilterQuery(FILTERS),
  outputs: 'list',
  handle: (ctx, repositories, input) =>
    list(ctx, repositories, input, [...readFilters(FILTERS, input), ...limitToNamedOrganization(ctx)]),
}

/** Leaves the repositories of the organization that the request names, as for resources that belong to one. */
function limitToNamedOrganization({ scope }: Context): Condition[] {
  const { named, organization } = scope
  if (!named || organization === null) return []
  return [
    {
      sql: sql`t.product_id in (select p.id from products p where p.organization_id = ${organization})`,
      tables: ['products'],
    },
  ]
}

function buildFilter(column: string, doc: string): Filter {
  return { doc, where: (value, repository) => sql`${sql.ref(`${repository}.${column}`)} = ${value}` }
}
