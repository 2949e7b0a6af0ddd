import { text } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { organizationField } from '../../../records/taxonomy-fields.ts'
import { sql } from '../../../sql.ts'
import { credentialFields } from '../shared/credentials.ts'
import { indirectLink } from '../shared/indirect-link.ts'
import { contentLabel } from '../shared/label.ts'
import { contentName } from '../shared/naming.ts'

const TAKEN = 'has already been taken for a product in this organization.'

/** The fields of products (content-api §8.4). */
export const productFields = {
  name: contentName({ taken: TAKEN, doc: 'Unique in its organization.' }),
  label: contentLabel({ taken: TAKEN, among: 'in its organization' }),
  description: text({ max: 65_535, search: 'free', doc: 'Optional note.' }),
  cp_id: text({
    readOnly: true,
    required: true,
    search: 'explicit',
    doc: 'Identifier of the product in certificates and for hosts.',
  }),
  organization: organizationField(),
  ...credentialFields,
  repositories: children('repository', {
    by: 'product_id',
    show: ['id', 'name', 'label', 'content_type', 'url', 'arch'],
    doc: 'Repositories of the product.',
  }),
  subscriptions: indirectLink(
    'The subscriptions that provide it.',
    ['subscription_products'],
    (product, id) =>
      sql`exists (select from subscription_products s where s.product_id = ${sql.ref(`${product}.id`)} and s.subscription_id = ${id})`,
  ),
  activation_keys: indirectLink(
    'The keys whose subscriptions provide it.',
    ['subscription_products', 'activation_key_subscriptions'],
    (product, id) =>
      sql`exists (select from subscription_products s join activation_key_subscriptions k using (subscription_id)
        where s.product_id = ${sql.ref(`${product}.id`)} and k.activation_key_id = ${id})`,
  ),
  hosts: indirectLink(
    'The hosts whose subscriptions provide it.',
    ['subscription_products', 'host_entitlements'],
    (product, id) =>
      sql`exists (select from subscription_products s join host_entitlements e using (subscription_id)
        where s.product_id = ${sql.ref(`${product}.id`)} and e.host_id = ${id})`,
  ),
}

/** The fields above, by which drafts and rows are typed. */
export type ProductFields = typeof productFields
