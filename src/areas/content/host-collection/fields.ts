import { integer, links, text } from '../../../kernel/index.ts'
import { organizationField } from '../../../records/taxonomy-fields.ts'
import { sql } from '../../../sql.ts'
import { indirectLink } from '../shared/indirect-link.ts'
import { contentName } from '../shared/naming.ts'
import { limitFields } from './limit.ts'

/** The fields of host collections (content-api §8.1). */
export const collectionFields = {
  name: contentName({ taken: 'must be unique within one organization', doc: 'Unique within the organization.' }),
  description: text({ max: 65_535, doc: 'Optional note.' }),
  organization: organizationField(),
  ...limitFields,
  total_hosts: integer({ readOnly: true, required: true, search: 'explicit', doc: 'Number of hosts.' }),
  hosts: links('host', {
    through: 'host_collection_hosts',
    search: true,
    doc: 'Its hosts. Hosts that the caller may not edit stay in the list.',
  }),
  activation_keys: indirectLink(
    'Keys whose hosts come to it.',
    ['activation_key_host_collections'],
    (alias, key) =>
      sql`exists (select from activation_key_host_collections l where l.host_collection_id = ${sql.ref(`${alias}.id`)} and l.activation_key_id = ${key})`,
  ),
}

/** The fields above, by which drafts and rows are typed. */
export type CollectionFields = typeof collectionFields
