import { sql } from 'kysely'
import { z } from 'zod'
import type { Sql } from '../../database/sql.ts'
import { integer, link, links, text } from '../../kernel/fields/index.ts'
import { defineResource, type Field } from '../../kernel/resource.ts'
import { taxonomyFields } from '../../kernel/taxonomies.ts'
import { address } from '../address.ts'
import { shownParameters } from '../parameter/hidden.ts'
import { parameterParts } from '../parameter/owner.ts'
import { IPAM, maskOf, NETWORK_TYPES, subnetRules, typeOf } from './addressing.ts'

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
  'dns_id',
  'template_id',
  'template_name',
  'bmc_id',
  'bmc_name',
  'dhcp',
  'tftp',
  'dns',
  'template',
  'bmc',
]

/** Core-api §11. */
export const subnets = defineResource({
  name: 'subnet',
  summary: 'A network that interfaces of hosts are in.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    description: text({ max: 65_535, doc: 'For people.' }),
    network_type: text({ oneOf: NETWORK_TYPES, blank: 'IPv4', doc: 'What the network is by default. Never changes.' }),
    network: address({ required: true, search: 'free', doc: 'Its first address; unique together with the mask.' }),
    mask: everPresent(address({ search: 'free', doc: 'Needed, unless cidr is sent.' })),
    cidr: prefixLength(),
    gateway: address({ search: 'free', doc: 'Inside of it.' }),
    dns_primary: address({ search: 'free', doc: 'First name server.' }),
    dns_secondary: address({ search: 'free', doc: 'Second name server.' }),
    from: address({ doc: 'First address that is suggested for new interfaces.' }),
    to: address({ doc: 'The last one.' }),
    vlanid: integer({ min: 0, max: 4095, search: 'explicit', doc: 'VLAN.' }),
    mtu: withInitial(1500, integer({ min: 68, max: 4_294_967, search: 'explicit', doc: 'Largest packet, in bytes.' })),
    nic_delay: integer({ min: 0, max: 1024, search: 'explicit', doc: 'Seconds that interfaces wait before they ask.' }),
    ipam: text({ oneOf: IPAM, blank: 'None', search: 'explicit', doc: 'How addresses are suggested.' }),
    boot_mode: text({ oneOf: ['Static', 'DHCP'], blank: 'DHCP', search: 'explicit', doc: 'Of new interfaces.' }),
    dhcp: proxy('that gives out its addresses'),
    tftp: proxy('that hosts boot from'),
    dns: proxy('that keeps its reverse DNS records'),
    template: proxy('that hosts get their templates through'),
    bmc: proxy('that reaches the management controllers in it'),
    domains: links('domain', { through: 'subnet_domains', search: true, doc: 'Domains of the hosts in it.' }),
    parameters: parameterParts('subnet'),
    ...taxonomyFields('subnet'),
  },
  label: 'name',
  shown: shownParameters,
  views: { list: KEYS, show: [...KEYS, 'domains', 'parameters', 'locations', 'organizations'] },
  readable: {
    network_address: {
      schema: () => z.string().meta({ description: 'The network with its length, e.g. 192.0.2.0/24.' }),
      sql: (alias) => sql`host(${sql.ref(`${alias}.network`)}) || '/' || ${lengthOf(alias)}`,
    },
  },
  search: [{ name: 'type', type: 'text', column: 'network_type' }],
  taxable: true,
  parents: { domain: 'domains' },
  rules: [subnetRules],
  around: {
    create: (_ctx, draft, next) => {
      const network_type = typeOf(draft)
      return next({ ...draft, network_type, mask: draft.mask ?? maskOf(network_type, draft.cidr) })
    },
    update: (_ctx, stored, draft, next) =>
      next({
        ...draft,
        ...(draft.mask === undefined && draft.cidr ? { mask: maskOf(typeOf(stored), draft.cidr) } : {}),
      }),
  },
})

function proxy(what: string) {
  return link('smart_proxy', { show: ['id', 'name', 'url'], doc: `The smart proxy ${what}.` })
}

/** The mask as the number of its ones: written instead of it, or beside it. */
function prefixLength(): Field<number | null> {
  const { column: _none, ...field } = integer({ min: 0, max: 128, doc: 'Length of the mask.' })
  return {
    ...field,
    readable: () => ({
      cidr: { schema: () => z.int().meta({ description: 'Length of the mask.' }), sql: (alias) => lengthOf(alias) },
    }),
  }
}

/** An address is sent by the database with four bytes about it in front. */
function lengthOf(alias: string): Sql {
  return sql`bit_count(substring(inet_send(${sql.ref(`${alias}.mask`)}) from 5))::integer`
}

function withInitial(initial: number, field: Field<number | null>): Field<number | null> {
  return {
    ...everPresent(field),
    read: async (_ctx, { name }, sent) => (sent[name] === null ? initial : (sent[name] as number | undefined)),
  }
}

/** Null in requests, but never in the table. */
function everPresent<Value>(field: Field<Value>): Field<Value> {
  const { column } = field
  return { ...field, ...(column && { column: (at) => ({ ...column(at), nullable: false }) }) }
}
