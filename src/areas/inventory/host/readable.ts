import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import type { ReadableKey, SharedRow } from '../../../kernel/index.ts'
import { type NestedKey, type NestedKeys, nestedList } from '../../../records/nested.ts'
import { columnOf } from '../../../records/shared-row.ts'
import { PASSWORD } from '../../../requests/masks.ts'
import { selectMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import { selectEffectiveColumn } from '../hostgroup/inherited.ts'
import { selectInterfaceName, selectMtu } from './interface.ts'

/** The row of the primary interface. `limit 1` keeps the planner from merging this subselect with a large statement. */
const PRIMARY: SharedRow = {
  name: 'primary_interface',
  select: (alias) => sql`
    select host(i.ip) as ip, host(i.ip6) as ip6, i.mac, i.domain_id, i.subnet_id, i.subnet6_id,
      ${selectName('domains', selectInterface('domain_id'))} as domain_name,
      ${selectName('subnets', selectInterface('subnet_id'))} as subnet_name,
      ${selectName('subnets', selectInterface('subnet6_id'))} as subnet6_name
    from interfaces i where i.host_id = ${sql.ref(`${alias}.id`)} and i."primary" limit 1`,
}

const PROCESSOR: SharedRow = {
  name: 'service_processor',
  select: (alias) => sql`
    select i.id, host(i.ip) as ip, i.mac, i.name, i.subnet_id
    from interfaces i where i.host_id = ${sql.ref(`${alias}.id`)} and i.type = 'bmc' order by i.id limit 1`,
}

/** Readable keys of hosts that are no columns (core-api §1.5, §11). */
export const hostReadable: Readonly<Record<string, ReadableKey>> = {
  ip: textOf(PRIMARY, 'ip', 'The IPv4 address of its primary interface.'),
  ip6: textOf(PRIMARY, 'ip6', 'The IPv6 address of its primary interface.'),
  mac: textOf(PRIMARY, 'mac', 'The MAC address of its primary interface.'),
  domain_name: textOf(PRIMARY, 'domain_name', 'The domain of its name.'),
  subnet_name: textOf(PRIMARY, 'subnet_name', 'The subnet of its IPv4 address.'),
  subnet6_name: textOf(PRIMARY, 'subnet6_name', 'The subnet of its IPv6 address.'),
  domain_id: idOf(PRIMARY, 'domain_id', 'The id behind domain_name.'),
  subnet_id: idOf(PRIMARY, 'subnet_id', 'The id behind subnet_name.'),
  subnet6_id: idOf(PRIMARY, 'subnet6_id', 'The id behind subnet6_name.'),
  sp_ip: textOf(PROCESSOR, 'ip', 'The address of its service processor.'),
  sp_mac: textOf(PROCESSOR, 'mac', 'The MAC address of its service processor.'),
  sp_name: textOf(PROCESSOR, 'name', 'The name of its service processor.'),
  sp_subnet_id: idOf(PROCESSOR, 'subnet_id', 'The id behind sp_subnet_name.'),
  certname: buildText('Name in its certificate; the name of the host by default.', selectCertificateName, false),
  hostgroup_name: buildText(
    'Its group, by the name alone.',
    (alias) => sql`(select g.name from hostgroups g where g.id = ${sql.ref(`${alias}.hostgroup_id`)})`,
  ),
  hostgroup_title: buildText(
    'Its group, with the names from the root.',
    (alias) => sql`(select g.title from hostgroups g where g.id = ${sql.ref(`${alias}.hostgroup_id`)})`,
  ),
  root_pass: buildText(
    'A mask where there is one: its own, that of its group or that of the settings.',
    selectRootPassword,
  ),
  grub_pass: buildText('A mask where there is one, else blank.', selectBootPassword, false),
  otp: buildText(
    'A mask where there is one.',
    (alias) => sql`case when ${sql.ref(`${alias}.otp`)} is not null then ${sql.lit(PASSWORD)} end`,
  ),
  lookup_value_matcher: buildText(
    'Match of values for this host alone.',
    (alias) => sql`'fqdn=' || ${sql.ref(`${alias}.name`)}`,
    false,
  ),
  bmc_available: {
    schema: () => z.boolean().meta({ description: 'Whether it has a service processor.' }),
    sql: (alias) =>
      sql`exists (select from interfaces i where i.host_id = ${sql.ref(`${alias}.id`)} and i.type = 'bmc')`,
    shared: { row: PROCESSOR, value: sql`${sql.ref(`${PROCESSOR.name}.id`)} is not null` },
  },
  capabilities: {
    schema: () => z.array(z.string()).meta({ description: 'Possible provisioning methods.' }),
    sql: (alias) =>
      sql`case when ${sql.ref(`${alias}.compute_resource_id`)} is null then '["build"]'::json else '["build","image"]'::json end`,
  },
  uptime_seconds: {
    schema: () => z.number().nullable().meta({ description: 'Uptime in seconds when it last sent facts.' }),
    sql: (alias) =>
      sql`(select left(v.value, 15)::bigint from fact_names n join fact_values v on v.fact_name_id = n.id
        where n.name = 'system_uptime::seconds' and v.host_id = ${sql.ref(`${alias}.id`)} and v.value ~ '^[0-9]{1,15}$')`,
  },
  interfaces: nestedList('Its interfaces, the primary one first.', (own) => ({
    keys: INTERFACE,
    from: sql`interfaces i where i.host_id = ${own('id')}`,
    order: sql`i."primary" desc, i.id`,
  })),
}

/** Selects the name in the certificate of a host. */
export function selectCertificateName(alias: string): Sql {
  return sql`coalesce(${sql.ref(`${alias}.certname`)}, ${sql.ref(`${alias}.name`)})`
}

/**
 * Selects the mask if there is a root password: the host's, its nearest group's, or that of the settings (core-api
 * §1.5).
 */
export function selectRootPassword(alias: string): Sql {
  return sql`case when ${sql.ref(`${alias}.root_pass`)} is not null
    or exists (select from hostgroups g where g.id = ${sql.ref(`${alias}.hostgroup_id`)} and ${selectEffectiveColumn('g', 'root_pass')} is not null)
    or exists (select from settings where name = 'root_pass' and value #>> '{}' <> '')
    then ${sql.lit(PASSWORD)} end`
}

function buildText(description: string, value: (alias: string) => Sql, nullable = true): ReadableKey {
  return { schema: () => (nullable ? z.string().nullable() : z.string()).meta({ description }), sql: value }
}

function selectInterface(column: string): Sql {
  return sql.ref(`i.${column}`)
}

function selectName(table: string, id: Sql): Sql {
  return sql`(select x.name from ${sql.table(table)} x where x.id = ${id})`
}

function textOf(row: SharedRow, column: string, description: string): ReadableKey {
  return { schema: () => z.string().nullable().meta({ description }), ...columnOf(row, column) }
}

function idOf(row: SharedRow, column: string, description: string): ReadableKey {
  return { schema: () => z.int().nullable().meta({ description }), ...columnOf(row, column) }
}

/** The keys of an interface `i` within its host. */
const INTERFACE: NestedKeys = {
  subnet_id: buildNestedKey('Id of the subnet of its IPv4 address.', selectInterface('subnet_id'), z.int().nullable()),
  subnet_name: buildNestedKey('Subnet of its IPv4 address.', selectName('subnets', selectInterface('subnet_id'))),
  subnet6_id: buildNestedKey(
    'Id of the subnet of its IPv6 address.',
    selectInterface('subnet6_id'),
    z.int().nullable(),
  ),
  subnet6_name: buildNestedKey('Subnet of its IPv6 address.', selectName('subnets', selectInterface('subnet6_id'))),
  domain_id: buildNestedKey('Id of its domain.', selectInterface('domain_id'), z.int().nullable()),
  domain_name: buildNestedKey('Its domain.', selectName('domains', selectInterface('domain_id'))),
  created_at: buildNestedKey('Time of creation.', selectMoment(selectInterface('created_at')), z.string()),
  updated_at: buildNestedKey('Time of the last change.', selectMoment(selectInterface('updated_at')), z.string()),
  managed: buildNestedKey('Part of what is configured.', selectInterface('managed'), z.boolean()),
  identifier: buildNestedKey('Name of the interface in the system.', selectInterface('identifier')),
  id: buildNestedKey('Its id.', selectInterface('id'), z.int()),
  name: buildNestedKey('Its DNS name.', selectInterface('name')),
  ip: buildNestedKey('Its IPv4 address.', sql`host(${selectInterface('ip')})`),
  ip6: buildNestedKey('Its IPv6 address.', sql`host(${selectInterface('ip6')})`),
  mac: buildNestedKey('Its MAC address.', selectInterface('mac')),
  mtu: buildNestedKey('MTU: its own, or that of its subnet.', selectMtu('i'), z.int().nullable()),
  fqdn: buildNestedKey('Its full name.', selectInterfaceName('i')),
  primary: buildNestedKey('Carries the name of the host.', selectInterface('primary'), z.boolean()),
  provision: buildNestedKey('The host is installed through it.', selectInterface('provision'), z.boolean()),
  type: buildNestedKey('interface, bmc, bond or bridge.', selectInterface('type'), z.string()),
  virtual: buildNestedKey('An alias or a VLAN device.', selectInterface('virtual'), z.boolean()),
  tag: buildNestedKey('VLAN tag.', selectInterface('tag')),
  attached_to: buildNestedKey('Interface that a virtual one is attached to.', selectInterface('attached_to')),
  mode: buildNestedKey('Mode of a bond.', selectInterface('mode')),
  attached_devices: buildNestedKey(
    'Interfaces that a bond or a bridge consists of.',
    sql`array_to_string(${selectInterface('attached_devices')}, ',')`,
    z.string(),
  ),
  bond_options: buildNestedKey('Options of a bond.', selectInterface('bond_options')),
  provider: buildNestedKey('Protocol of a service processor.', selectInterface('provider')),
  username: buildNestedKey('Account of a service processor.', selectInterface('username')),
}

function buildNestedKey(description: string, value: Sql, schema: z.ZodType = z.string().nullable()): NestedKey {
  return [schema.meta({ description }), value]
}

/** Selects the mask of the password of the boot loader: the root password, where that is a hash of crypt(3). */
function selectBootPassword(alias: string): Sql {
  const password = sql.ref(`${alias}.root_pass`)
  return sql`case when ${password} like '$%' or (${password} is not null and not exists (
      select from operatingsystems s where s.id = ${sql.ref(`${alias}.operatingsystem_id`)} and s.password_hash like 'Base64%'))
    then ${sql.lit(PASSWORD)} else '' end`
}
