import { z } from 'zod'
import { purposeOf } from '../../../encryption/encryption.ts'
import { boolean, type Draft, type Field, integer, link, secret, text } from '../../../kernel/index.ts'
import { lowerCase } from '../../../records/coerced.ts'
import { readClearable } from '../../../records/words.ts'
import { NOT_TEXT } from '../../../requests/sent.ts'
import { isBlank } from '../../../search/blank.ts'
import { sql } from '../../../sql.ts'
import { address } from '../address.ts'
import { OTHER_THERE, type Single } from './exclusive.ts'
import { HOST_NAME, NOT_HOST_NAME } from './naming.ts'

const NOT_MAC = 'is not a valid MAC address'
const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}(?:(?::[0-9a-f]{2}){14})?$/
const NOT_DEVICES = 'must be a list of identifiers'
/** The modes of bonds; the first is the default. */
export const MODES = [
  'balance-rr',
  'active-backup',
  'balance-xor',
  'broadcast',
  '802.3ad',
  'balance-tlb',
  'balance-alb',
]

/** The purpose in encrypted passwords of service processors. */
export const INTERFACE_PASSWORD = purposeOf({ table: 'interfaces', column: 'password' })

/** Keys of the primary interface that requests may send as keys of the host. */
export const primaryFields = {
  ip: address({ doc: 'IPv4 address of the primary interface.' }),
  ip6: address({ doc: 'IPv6 address of the primary interface.' }),
  mac: buildMac('MAC address of the primary interface.'),
  subnet: link('subnet', { doc: 'Subnet of the IPv4 address.' }),
  subnet6: link('subnet', { doc: 'Subnet of the IPv6 address.' }),
  domain: link('domain', { doc: 'DNS domain of the name.' }),
} as const

/** The fields of an interface of a host (spec 2.4, core-api §11). */
export const interfaceFields = {
  host: link('host', { required: true, readOnly: true, onDelete: 'cascade', doc: 'The host it belongs to.' }),
  type: text({
    oneOf: ['interface', 'bmc', 'bond', 'bridge'],
    blank: 'interface',
    doc: 'interface, bmc (a service processor), bond or bridge; never changes.',
  }),
  identifier: text({ doc: 'Name of the interface in the system, such as eth0.' }),
  name: lowerCase(
    text({
      pattern: { regexp: HOST_NAME, message: NOT_HOST_NAME },
      doc: 'DNS name; the name of the primary interface is the name of the host.',
    }),
  ),
  ...primaryFields,
  subnet: withinEither(primaryFields.subnet),
  primary: buildFlag('primary', 'Carries the name of the host; exactly one does.'),
  provision: buildFlag('provision', 'Used for the installation; exactly one interface is.'),
  managed: boolean({ initial: true, doc: 'Whether the host, DNS and DHCP configure it.' }),
  virtual: boolean({ initial: false, doc: 'An alias or a VLAN device.' }),
  tag: text({ doc: 'VLAN tag; overrides the tag of the subnet.' }),
  attached_to: text({ doc: 'Identifier of the interface that a virtual one belongs to.' }),
  mtu: integer({ min: 68, max: 4_294_967, doc: 'MTU; overrides the MTU of the subnet.' }),
  mode: text({ oneOf: MODES, doc: 'Mode of a bond.' }),
  attached_devices: buildDevices(),
  bond_options: text({ max: 2000, doc: 'Options of a bond, separated by spaces.' }),
  provider: text({ oneOf: ['IPMI', 'Redfish', 'SSH'], doc: 'Protocol of a service processor.' }),
  username: text({ doc: 'Account of a service processor.' }),
  password: secret({
    clearable: true,
    max: 255,
    encrypted: true,
    // Documents of nodes carry it to the tools that switch the host on and off.
    sentTo: ['ip', 'ip6', 'name', 'provider'],
    doc: 'Password of that account.',
  }),
} as const

/** The fields above, by which drafts and rows are typed. */
export type InterfaceFields = typeof interfaceFields

/** What requests say of the primary interface as keys of the host. */
export type PrimaryDraft = Draft<typeof primaryFields>

/** A flag that only one interface of a host has. */
function buildFlag(flag: Single, doc: string): Field<boolean> {
  return { ...boolean({ initial: false, doc }), taken: OTHER_THERE[flag] }
}

/** The condition for interfaces with an address of the subnet, of either protocol. */
function withinEither<F extends Field>(field: F): F {
  return {
    ...field,
    within: (_at, alias, id) => ({
      sql: sql`${id} in (${sql.ref(`${alias}.subnet_id`)}, ${sql.ref(`${alias}.subnet6_id`)})`,
      tables: [],
    }),
  }
}

/** The keys of interfaces that domains and subnets show. */
export const NAMED_BY_PLACES = ['id', 'name', 'ip', 'ip6', 'mac', 'identifier', 'primary', 'provision'] as const

/** A field of a hardware address: 6 octets (Ethernet) or 20 (InfiniBand), stored as `00:16:3e:0a:0b:0c`. */
function buildMac(doc: string): Field<string | null> {
  return {
    ...text({ doc }),
    writable: ({ name }) => ({
      [name]: {
        schema: () => z.string({ error: NOT_TEXT }).regex(MAC, NOT_MAC).nullable().meta({ description: doc }),
        coerce: toMac,
      },
    }),
  }
}

/** Converts octets with colons, hyphens, dots or nothing between them, in any case. */
function toMac(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  if (isBlank(sent)) return null
  const trimmed = sent.trim().toLowerCase()
  const digits = /^[0-9a-f]+(?:[:.-][0-9a-f]+)*$/.test(trimmed) ? trimmed.replace(/[:.-]/g, '') : ''
  return digits.length === 12 || digits.length === 40 ? (digits.match(/../g) ?? []).join(':') : trimmed
}

/** A field of identifiers of interfaces: sent as a list or as text with commas, shown as text with commas. */
function buildDevices(): Field<readonly string[]> {
  const doc = 'Identifiers of the interfaces in a bond or bridge.'
  const schema = z.array(z.string({ error: NOT_DEVICES }).min(1, NOT_DEVICES).max(255), { error: NOT_DEVICES }).max(100)
  return {
    kind: 'devices',
    doc,
    writable: ({ name }) => ({
      [name]: { schema: () => schema.nullable().meta({ description: doc }), coerce: toDevices },
    }),
    readable: ({ name }) => ({
      [name]: {
        schema: () => z.string().meta({ description: doc }),
        sql: (alias) => sql`array_to_string(${sql.ref(`${alias}.${name}`)}, ',')`,
      },
    }),
    search: () => [],
    column: ({ name }) => ({ name, type: 'text[]', nullable: false }),
    read: readClearable,
  }
}

function toDevices(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  return sent
    .split(',')
    .map((device) => device.trim())
    .filter((device) => device !== '')
}
