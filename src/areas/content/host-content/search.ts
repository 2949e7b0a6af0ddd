import type { SearchField } from '../../../search/schema.ts'

/** Search fields of hosts by their content (content-api §5.3). */
export const contentSearch: readonly SearchField[] = [
  ...buildLinkSearch('activation_key', 'activation_key_hosts', 'activation_keys'),
  ...buildLinkSearch('host_collection', 'host_collection_hosts', 'host_collections'),
  ...buildLinkSearch('content_view', 'host_environments', 'content_views'),
  ...buildLinkSearch('lifecycle_environment', 'host_environments', 'lifecycle_environments', 'environment_id'),
  {
    name: 'subscription_uuid',
    type: 'uuid',
    column: 'uuid',
    through: [{ table: 'registrations', column: 'host_id', previous: 'id' }],
    nullable: true,
    explicit: true,
  },
]

/** A search field over a link table, by name and by id. */
function buildLinkSearch(name: string, between: string, table: string, column = `${name}_id`): SearchField[] {
  const toLink = { table: between, column: 'host_id', previous: 'id' }
  const common = { many: true, nullable: true, explicit: true }
  return [
    { name, type: 'text', column: 'name', through: [toLink, { table, column: 'id', previous: column }], ...common },
    { name: `${name}_id`, type: 'integer', column, through: [toLink], ...common },
  ]
}
