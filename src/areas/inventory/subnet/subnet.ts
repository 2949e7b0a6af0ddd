import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import { defineResource, type Field, integer, link, links, text } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { BLANK } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { HIDDEN_QUERY, ownParamSearch, parameterParts, presentParameters } from '../../parameters/index.ts'
import { address } from '../address.ts'
import { NAMED_BY_PLACES } from '../host/interface-fields.ts'
import { IPAM, maskOf, NETWORK_TYPES, networkTypeOf, validateSubnet } from './addressing.ts'
import { freeAddress } from './free-address.ts'

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
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    description: text({ max: 65_535, doc: 'For people.' }),
    network_type: text({
      oneOf: NETWORK_TYPES,
      blank: 'IPv4',
      doc: 'Type of the network, IPv4 by default. Never changes.',
    }),
    network: sortAsAddress(address({ required: true, search: 'free', doc: 'An address of it, usually the first.' })),
    mask: asPresent(address({ search: 'free', doc: 'Needed, unless cidr is sent.' })),
    cidr: buildPrefixLength(),
    gateway: address({ search: 'free', doc: 'Address of the gateway.' }),
    dns_primary: address({ search: 'free', doc: 'First name server.' }),
    dns_secondary: address({ search: 'free', doc: 'Second name server.' }),
    from: address({ doc: 'First address that is suggested for new interfaces.' }),
    to: address({ doc: 'Last address that is suggested for new interfaces.' }),
    vlanid: integer({ min: 0, max: 4095, search: 'explicit', doc: 'VLAN.' }),
    mtu: refuseBlank(
      integer({ required: true, min: 68, max: 65_536, search: 'free', doc: 'Largest packet, in bytes.' }),
      1500,
    ),
    nic_delay: integer({ min: 0, max: 1024, search: 'explicit', doc: 'Seconds that interfaces wait before they ask.' }),
    ipam: refuseBlank(
      text({ required: true, oneOf: IPAM, search: 'explicit', doc: 'Way in which free addresses are suggested.' }),
      'None',
    ),
    boot_mode: refuseBlank(
      text({ required: true, oneOf: ['Static', 'DHCP'], search: 'explicit', doc: 'Boot mode of new interfaces.' }),
      'DHCP',
    ),
    dhcp: buildProxy('that gives out its addresses'),
    tftp: buildProxy('that hosts boot from'),
    httpboot: buildProxy('that hosts boot from by HTTP'),
    dns: buildProxy('that keeps its reverse DNS records'),
    template: buildProxy('that hosts get their templates through'),
    bmc: buildProxy('that reaches the management controllers in it'),
    domains: links('domain', { through: 'subnet_domains', search: true, doc: 'Domains of the hosts in it.' }),
    interfaces: children('interface', {
      by: ['subnet_id', 'subnet6_id'],
      show: NAMED_BY_PLACES,
      doc: 'Interfaces of hosts that are in it.',
    }),
    parameters: parameterParts('subnet'),
    ...buildTaxonomyFields('subnet'),
  },
  label: 'name',
  views: {
    query: HIDDEN_QUERY,
    list: KEYS,
    show: [...KEYS, 'domains', 'interfaces', 'parameters', 'locations', 'organizations'],
    shown: presentParameters,
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
  around: {
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
  actions: [freeAddress],
})

function buildProxy(what: string) {
  return link('smart_proxy', { show: ['id', 'name', 'url'], doc: `The smart proxy ${what}.` })
}

/** A field for the length of the mask, which may be sent instead of the mask or with it. */
function buildPrefixLength(): Field<number | null> {
  const { column: _none, ...field } = integer({ min: 0, max: 128, doc: 'Length of the mask.' })
  return {
    ...field,
    readable: () => ({
      cidr: { schema: () => z.int().meta({ description: 'Length of the mask.' }), sql: (alias) => lengthOf(alias) },
    }),
  }
}

/** Selects the length of a mask; the binary form of an address has four bytes in front of it. */
function lengthOf(alias: string): Sql {
  return sql`bit_count(substring(inet_send(${sql.ref(`${alias}.mask`)}) from 5))::integer`
}

/** Makes a field refuse blank values; one that is left out gets the default of the column, which is `initial`. */
function refuseBlank<Value>(field: Field<Value>, initial: number | string): Field<Value> {
  return {
    ...field,
    required: false,
    writable: (at) => {
      const { [at.name]: own } = field.writable(at)
      if (!own) return {}
      const buildSchema = () =>
        own
          .schema()
          .nullable()
          .superRefine((value, issues) => {
            if (value === null) issues.addIssue({ code: 'custom', message: BLANK })
          })
          .meta({ description: field.doc })
      return { [at.name]: { ...own, initial, schema: buildSchema } }
    },
  }
}

/** Makes lists sort a field by address instead of by text. */
function sortAsAddress<F extends Field>(field: F): F {
  return {
    ...field,
    search: (at) => field.search(at).map((found) => ({ ...found, sorted: (alias) => sql.ref(`${alias}.${at.name}`) })),
  }
}

/** Makes the column of a field not nullable, although requests may send null: the column has a default. */
function asPresent<F extends Field>(field: F): F {
  const { column } = field
  return { ...field, ...(column && { column: (at) => ({ ...column(at), nullable: false }) }) }
}
