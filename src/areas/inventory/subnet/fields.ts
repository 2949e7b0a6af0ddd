import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import { type Field, integer, link, links, text, type Unstored } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { BLANK } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { parameterParts } from '../../parameters/index.ts'
import { address } from '../address.ts'
import { NAMED_BY_PLACES } from '../host/interface-fields.ts'

/** The protocols of subnets. */
const NETWORK_TYPES = ['IPv4', 'IPv6'] as const
/** A protocol of subnets. */
export type NetworkType = (typeof NETWORK_TYPES)[number]

/** The ways to suggest addresses, for both protocols. */
const IPAM = ['DHCP', 'Internal DB', 'Random DB', 'EUI-64', 'External IPAM', 'None'] as const
/** The fields of subnets (core-api §11). */
export const subnetFields = {
  name: text({ required: true, search: 'free', doc: 'Unique name.' }),
  description: text({ max: 65_535, doc: 'Optional note.' }),
  network_type: text({
    oneOf: NETWORK_TYPES,
    blank: 'IPv4',
    doc: 'Type of the network, IPv4 by default. Never changes.',
  }),
  network: sortAsAddress(address({ required: true, search: 'free', doc: 'An address of it, usually the first.' })),
  mask: asPresent(address({ search: 'free', doc: 'Required without cidr.' })),
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
  nic_delay: integer({
    min: 0,
    max: 1024,
    search: 'explicit',
    doc: 'Delay of interfaces before DHCP requests, in seconds.',
  }),
  ipam: refuseBlank(
    text({ required: true, oneOf: IPAM, search: 'explicit', doc: 'Method for suggesting free addresses.' }),
    'None',
  ),
  boot_mode: refuseBlank(
    text({ required: true, oneOf: ['Static', 'DHCP'], search: 'explicit', doc: 'Boot mode of new interfaces.' }),
    'DHCP',
  ),
  dhcp: buildProxy('for DHCP'),
  tftp: buildProxy('for TFTP boot'),
  httpboot: buildProxy('for HTTP boot'),
  dns: buildProxy('for reverse DNS records'),
  template: buildProxy('for templates'),
  bmc: buildProxy('for management controllers'),
  domains: links('domain', { through: 'subnet_domains', search: true, doc: 'Domains of the hosts in it.' }),
  interfaces: children('interface', {
    by: ['subnet_id', 'subnet6_id'],
    show: NAMED_BY_PLACES,
    doc: 'Interfaces of hosts in it.',
  }),
  parameters: parameterParts('subnet'),
  ...buildTaxonomyFields('subnet'),
}

/** The fields above, by which drafts and rows are typed. */
export type SubnetFields = typeof subnetFields

function buildProxy(what: string) {
  return link('smart_proxy', { show: ['id', 'name', 'url'], doc: `The smart proxy ${what}.` })
}

/** A field for the length of the mask, which may be sent instead of the mask or with it. */
function buildPrefixLength(): Field<number | null> & Unstored {
  return {
    ...integer({ min: 0, max: 128, doc: 'Length of the mask.' }),
    column: undefined,
    elsewhere: undefined,
    readable: () => ({
      cidr: { schema: () => z.int().meta({ description: 'Length of the mask.' }), sql: (alias) => lengthOf(alias) },
    }),
  }
}

/** Selects the length of a mask; the binary form of an address has four bytes in front of it. */
export function lengthOf(alias: string): Sql {
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
