import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { boolean, type Field, integer, link, links, text, timestamp } from '../../../kernel/index.ts'
import { blankAsNull } from '../../../records/coerced.ts'
import { organizationField } from '../../../records/taxonomy-fields.ts'
import { sql } from '../../../sql.ts'
import { indirectLink } from '../shared/indirect-link.ts'
import { comparable } from '../shared/moment.ts'
import { contentName } from '../shared/naming.ts'

const free = { search: 'explicit' } as const
const word = (doc: string): Field<string | null> => blankAsNull(text({ ...free, doc }))

/** The fields of subscriptions (content-api §3.1). */
export const subscriptionFields = {
  name: contentName({ doc: 'Name; need not be unique.' }),
  description: text({ max: 65_535, search: 'explicit', doc: 'Optional note.' }),
  organization: organizationField(),
  cp_id: text({
    readOnly: true,
    required: true,
    ...free,
    doc: 'Identifier for subscription clients, 32 hexadecimal digits.',
  }),
  product: poolProduct(),
  provided_products: links('product', {
    through: 'subscription_products',
    doc: 'Products whose content its hosts get.',
  }),
  quantity: {
    ...integer({ min: -1, required: true, ...free, doc: 'Number of uses; -1, the default: unlimited.' }),
    required: false,
  },
  start_date: comparable(timestamp({ ...free, nullable: false, doc: 'Start of its validity.' })),
  end_date: comparable(timestamp({ ...free, nullable: false, doc: 'End of its validity.' })),
  account_number: word('Account that it was bought with.'),
  contract_number: word('Contract that it is part of.'),
  support_level: word('Service level of its hosts; activation keys and hosts can ask for it.'),
  support_type: word('Type of support.'),
  roles: word('Roles of its hosts, separated by commas.'),
  usage: word('Usages of its hosts, separated by commas.'),
  addons: word('Its add-ons, separated by commas.'),
  arch: word('Architectures of its hosts, separated by commas; ALL or none: any.'),
  sockets: integer({ min: 1, ...free, doc: 'Sockets that one use covers.' }),
  cores: integer({ min: 1, ...free, doc: 'Cores that one use covers.' }),
  ram: integer({ min: 1, ...free, doc: 'Gigabytes of memory that one use covers.' }),
  instance_multiplier: integer({ min: 1, doc: 'Uses per physical host.' }),
  stacking_id: word('Subscriptions with the same value add up.'),
  multi_entitlement: boolean({ initial: false, ...free, doc: 'Whether one host may take several uses.' }),
  type: blankAsNull(text({ max: 32, blank: 'NORMAL', ...free, doc: 'Type of the subscription; NORMAL by default.' })),
  virt_only: boolean({ initial: false, ...free, doc: 'Only for virtual machines.' }),
  virt_who: boolean({ initial: false, ...free, doc: 'Only for virtual machines whose hypervisor is known.' }),
  unmapped_guest: boolean({ initial: false, ...free, doc: 'For machines with an unknown hypervisor, for a while.' }),
  upstream: boolean({ initial: false, ...free, doc: 'Whether it comes from a vendor.' }),
  upstream_pool_id: word('Identifier at the vendor.'),
  hypervisor: link('host', { onDelete: 'clear', doc: 'Only for virtual machines on this host.' }),
  activation_keys: indirectLink(
    'The keys that have it.',
    ['activation_key_subscriptions'],
    (pool, id) =>
      sql`exists (select from activation_key_subscriptions k where k.subscription_id = ${sql.ref(`${pool}.id`)} and k.activation_key_id = ${id})`,
  ),
}

/** The fields above, by which drafts and rows are typed. */
export type SubscriptionFields = typeof subscriptionFields

/** A `cp_id` has at least twelve digits, and ids have fewer, so that the two can be told apart. */
const SMALLEST_CP_ID = 100_000_000_000

/** The link to the product of a subscription, sent as id or `cp_id`; answers show its `cp_id` as `product_id`. */
function poolProduct(): Field<number | null> {
  const field = link('product', { onDelete: 'cascade', doc: 'Its product, by id or cp_id.' })
  return {
    ...field,
    read: async (ctx, at, sent, later) => {
      const id = sent.product_id
      if (typeof id !== 'number' || id < SMALLEST_CP_ID) return field.read?.(ctx, at, sent, later)
      return field.read?.(ctx, at, { product_id: (await loadByCpId(ctx, String(id))) ?? id }, later)
    },
  }
}

async function loadByCpId(ctx: Context, cpId: string): Promise<number | undefined> {
  const found = await row<{ id: number }>(ctx.db, sql`select id from products where cp_id = ${cpId}`)
  return found?.id
}
