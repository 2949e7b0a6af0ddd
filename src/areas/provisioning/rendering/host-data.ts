import type { Context } from '../../../context.ts'
import { row, rows, type Sql } from '../../../database/sql.ts'
import { notFound } from '../../../errors.ts'
import { sql } from '../../../sql.ts'
import { openRootPassword, selectEffectiveColumn, selectMtu } from '../../inventory/index.ts'
import { type EffectiveParameter, loadEffectiveParameters } from '../../parameters/index.ts'

/** Columns of a record that belongs to the host, as the database put them into JSON; null without a record. */
export type HostPart = Readonly<Record<string, string | number | boolean | null>> | null

/** Everything stored that templates may read of a host. */
export interface HostData {
  readonly id: number
  readonly name: string
  readonly certname: string
  readonly build: boolean
  readonly enabled: boolean
  readonly managed: boolean
  readonly provision_method: string
  readonly pxe_loader: string | null
  readonly uuid: string | null
  readonly root_pass: string | null
  readonly grub_pass: string | null
  readonly last_report: string | null
  readonly organization_id: number | null
  readonly location_id: number | null
  readonly domain: HostPart
  readonly subnet: HostPart
  readonly subnet6: HostPart
  readonly hostgroup: HostPart
  readonly organization: HostPart
  readonly location: HostPart
  readonly environment: HostPart
  readonly operatingsystem: HostPart
  readonly architecture: HostPart
  readonly model: HostPart
  readonly realm: HostPart
  readonly owner: HostPart
  readonly medium: HostPart
  readonly ptable: HostPart
  /** A partition script of the host itself, in place of its partition table. */
  readonly disk: string | null
  readonly interfaces: readonly NonNullable<HostPart>[]
  readonly facts: Readonly<Record<string, string | null>>
  readonly parameters: readonly EffectiveParameter[]
}

/**
 * Loads what templates may read of a host, in three statements, whatever the caller may see. {@throws Failure}
 * not_found
 */
export async function findHostData(ctx: Context, id: number): Promise<HostData> {
  const host = await row<Omit<HostData, 'facts' | 'parameters' | 'grub_pass'>>(ctx.db, buildStatement(id))
  if (!host) throw notFound('host', id)
  const facts = await rows<{ name: string; value: string | null }>(
    ctx.db,
    sql`select n.name, v.value from fact_values v join fact_names n on n.id = v.fact_name_id where v.host_id = ${id} order by n.name`,
  )
  const parameters = (await loadEffectiveParameters(ctx, [id])).get(id) ?? []
  const own = withPasswords(ctx.encryption, host)
  const root_pass = own.root_pass ?? (ctx.settings.root_pass || null)
  return { ...own, root_pass, facts: Object.fromEntries(facts.map(({ name, value }) => [name, value])), parameters }
}

/** Decrypts the root password; a hash of crypt(3) is also the password of the boot loader. */
export function withPasswords<Host extends Pick<HostData, 'root_pass'>>(
  encryption: Context['encryption'],
  host: Host,
): Host & Pick<HostData, 'grub_pass'> {
  const root_pass = openRootPassword(encryption, host.root_pass)
  return { ...host, root_pass, grub_pass: root_pass?.startsWith('$') ? root_pass : null }
}

/** Builds the statement for a host and everything that it or its primary interface links to. */
function buildStatement(id: number) {
  return sql`select ${HOST_COLUMNS}, h.last_report::text as last_report from ${HOST_TABLES} where h.id = ${id}`
}

/**
 * The columns of {@link HostData} over {@link HOST_TABLES}, without facts, parameters and the time of the last report.
 */
export const HOST_COLUMNS = selectHostColumns()

/** Hosts as `h`, their primary interfaces as `i`. */
export const HOST_TABLES = sql`hosts h left join interfaces i on i.host_id = h.id and i."primary"`

function selectHostColumns(): Sql {
  return sql`h.id, h.name, coalesce(h.certname, h.name) as certname, h.build, h.enabled, h.managed, h.provision_method, h.uuid,
      coalesce(h.pxe_loader, (select ${selectEffectiveColumn('g', 'pxe_loader')} from hostgroups g where g.id = h.hostgroup_id)) as pxe_loader,
      coalesce(h.root_pass, (select ${selectEffectiveColumn('g', 'root_pass')} from hostgroups g where g.id = h.hostgroup_id)) as root_pass,
      h.organization_id, h.location_id,
      ${selectOne(sql`x.id, x.name, x.fullname from domains x where x.id = i.domain_id`)} as domain,
      ${selectOne(sql`${selectSubnetColumns()} from subnets x where x.id = i.subnet_id`)} as subnet,
      ${selectOne(sql`${selectSubnetColumns()} from subnets x where x.id = i.subnet6_id`)} as subnet6,
      ${selectOne(sql`x.id, x.name, x.title, x.description from hostgroups x where x.id = h.hostgroup_id`)} as hostgroup,
      ${selectOne(sql`x.id, x.name, x.title, x.description from organizations x where x.id = h.organization_id`)} as organization,
      ${selectOne(sql`x.id, x.name, x.title, x.description from locations x where x.id = h.location_id`)} as location,
      ${selectOne(sql`x.id, x.name from environments x where x.id = h.environment_id`)} as environment,
      ${selectOne(sql`x.id, x.name, x.major, x.minor, x.family, x.title, x.description, x.release_name, x.password_hash from operatingsystems x where x.id = h.operatingsystem_id`)} as operatingsystem,
      ${selectOne(sql`x.id, x.name from architectures x where x.id = h.architecture_id`)} as architecture,
      ${selectOne(sql`x.id, x.name, x.vendor_class, x.hardware_model from models x where x.id = h.model_id`)} as model,
      ${selectOne(sql`x.id, x.name, x.realm_type from realms x where x.id = h.realm_id`)} as realm,
      coalesce(
        ${selectOne(sql`x.id, x.login as name, x.login, x.firstname, x.lastname, x.mail from users x where x.id = h.owner_user_id`)},
        ${selectOne(sql`x.id, x.name from usergroups x where x.id = h.owner_usergroup_id`)}) as owner,
      ${selectOne(sql`x.id, x.name, x.path, x.os_family from media x where x.id = h.medium_id`)} as medium,
      ${selectOne(sql`x.id, x.name, x.layout, x.os_family from ptables x where x.id = h.ptable_id`)} as ptable,
      nullif(h.disk, '') as disk,
      coalesce((select json_agg(row_to_json(y) order by y.identifier, y.id) from (
        select x.id, x.type, x.identifier, x.name, x.mac::text as mac, host(x.ip) as ip, host(x.ip6) as ip6, x."primary", x.provision,
          x.managed, x.virtual, x.tag, x.attached_to, ${selectMtu('x')} as mtu, x.mode, x.bond_options, array_to_string(x.attached_devices, ',') as attached_devices,
          x.domain_id, x.subnet_id, x.subnet6_id
        from interfaces x where x.host_id = h.id) y), '[]') as interfaces`
}

function selectSubnetColumns(): Sql {
  return sql`x.id, x.name, host(x.network) as network, host(x.mask) as mask, host(x.gateway) as gateway,
  host(x.dns_primary) as dns_primary, host(x.dns_secondary) as dns_secondary, host(x."from") as "from", host(x."to") as "to",
  x.vlanid, x.mtu, x.nic_delay, x.boot_mode, x.network_type as type, bit_count(substring(inet_send(x.mask) from 5))::integer as cidr`
}

function selectOne(selected: Sql): Sql {
  return sql`(select row_to_json(y) from (select ${selected}) y)`
}
