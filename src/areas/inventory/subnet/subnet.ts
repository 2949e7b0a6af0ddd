import { z } from 'zod'
import { defineResource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { HIDDEN_QUERY } from '../../access/index.ts'
import { ownParamSearch, presentParameters } from '../../parameters/index.ts'
import { maskOf, networkTypeOf, validateSubnet } from './addressing.ts'
import { lengthOf, subnetFields } from './fields.ts'
import { freeAddress } from './free-address.ts'
import { lintAddresses } from './lint-addresses.ts'

const KEYS = [
  'network',
  'network_type',
  'cidr',
  'mask',
  'vlanid',
  'mtu',
  'gateway',
  'dns_primary',
  'dns_secondary',
  'from',
  'to',
  'created_at',
  'updated_at',
  'ipam',
  'boot_mode',
  'nic_delay',
  'id',
  'name',
  'description',
  'network_address',
  'dhcp_id',
  'dhcp_name',
  'tftp_id',
  'tftp_name',
  'httpboot_id',
  'httpboot_name',
  'dns_id',
  'template_id',
  'template_name',
  'bmc_id',
  'bmc_name',
  'dhcp',
  'tftp',
  'httpboot',
  'dns',
  'template',
  'bmc',
]

/** Subnets (core-api §11). */
export const subnets = defineResource({
  name: 'subnet',
  summary: 'A network that interfaces of hosts are in.',
  fields: subnetFields,
  label: 'name',
  views: {
    query: HIDDEN_QUERY,
    list: KEYS,
    show: [...KEYS, 'domains', 'interfaces', 'parameters', 'locations', 'organizations'],
    order: 'vlanid',
    transform: presentParameters,
  },
  readable: {
    network_address: {
      schema: () => z.string().meta({ description: 'The network with its length, e.g. 192.0.2.0/24.' }),
      sql: (alias) => sql`host(${sql.ref(`${alias}.network`)}) || '/' || ${lengthOf(alias)}`,
    },
  },
  search: [{ name: 'type', type: 'text', column: 'network_type' }, ownParamSearch('subnet')],
  visibility: { taxable: true },
  routes: { parents: { domain: 'domains' } },
  rules: [validateSubnet],
  wrapWrite: {
    create: (_ctx, draft, next) => {
      const network_type = networkTypeOf(draft)
      return next({ ...draft, network_type, mask: draft.mask ?? maskOf(network_type, draft.cidr) })
    },
    update: (_ctx, stored, draft, next) =>
      next({
        ...draft,
        ...(draft.mask === undefined && draft.cidr ? { mask: maskOf(networkTypeOf(stored), draft.cidr) } : {}),
      }),
  },
  actions: [freeAddress, lintAddresses],
})
