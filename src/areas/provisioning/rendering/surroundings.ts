import type { Context } from '../../../context.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { decryptIfPossible, purposeOf } from '../../../encryption/encryption.ts'
import { openKept, selectKept } from '../../../encryption/hidden-values.ts'
import { notFound } from '../../../errors.ts'
import { sql } from '../../../sql.ts'
import { CONFIG_SERVER_SETTING } from '../../../words/protocols.ts'
import { INTERFACE_PASSWORD } from '../../inventory/index.ts'
import type { EffectiveParameter } from '../../parameters/index.ts'
import type { HostPart } from './host-data.ts'

/** A smart proxy of a subnet or host: name, URL and the settings of its features. */
export interface ProxyPart {
  readonly name: string
  readonly url: string
  readonly settings: Readonly<Record<string, unknown>> | null
}

/** A subnet of an interface, with its proxies and parameters. */
export interface SubnetPart {
  readonly id: number
  readonly columns: NonNullable<HostPart>
  readonly proxies: Readonly<Record<SubnetProxy, ProxyPart | null>>
  readonly parameters: readonly EffectiveParameter[]
}

/** The uses of smart proxies that a subnet names. */
export type SubnetProxy = 'dhcp' | 'tftp' | 'dns' | 'template' | 'bmc' | 'httpboot'

/** A user who owns the host. */
export interface OwnerPart {
  readonly login: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly mail: string | null
  readonly ssh_keys: readonly { readonly name: string; readonly key: string }[]
}

/** The surroundings of a host that only provisioning templates read; classification does not need them. */
export interface ProvisioningData {
  readonly comment: string | null
  readonly otp: string | null
  readonly use_image: boolean | null
  readonly image_file: string | null
  readonly created_at: string | null
  readonly installed_at: string | null
  readonly owner_type: string | null
  /** The URL that the host's configuration proxy advertises. */
  readonly config_server: string | null
  readonly config_proxy: ProxyPart | null
  readonly config_ca_proxy: ProxyPart | null
  /** Any proxy that signs certificates, for hosts without a CA proxy of their own. */
  readonly any_config_ca: ProxyPart | null
  readonly compute_resource: HostPart
  /** Name of the first content view of the host. */
  readonly content_view: string | null
  readonly lifecycle_environment: string | null
  /** Label of the organization, by which subscription clients know it. */
  readonly organization_label: string | null
  readonly owners: readonly OwnerPart[]
  readonly subnets: readonly SubnetPart[]
  readonly domains: readonly NonNullable<HostPart>[]
  /** The accounts of its service processors. */
  readonly processors: readonly Processor[]
}

/** The account of a service processor, with the id of its interface. */
export interface Processor {
  readonly id: number
  readonly provider: string | null
  readonly username: string | null
  readonly password: string | null
}

/** Loads the surroundings in one statement. {@throws Failure} not_found */
export async function loadSurroundings(ctx: Context, host: number): Promise<ProvisioningData> {
  const found = await row<ProvisioningData>(ctx.db, sql`${SURROUNDINGS} where h.id = ${host}`)
  if (!found) throw notFound('host', host)
  const processors = found.processors.map((each) => ({
    ...each,
    password: decryptIfPossible(ctx.encryption, each.password, INTERFACE_PASSWORD),
  }))
  const subnets = found.subnets.map((subnet) => ({
    ...subnet,
    parameters: subnet.parameters.map((one) => ({ ...one, value: openKept(ctx.encryption, 'parameters', one.value) })),
  }))
  return { ...found, otp: decryptIfPossible(ctx.encryption, found.otp, OTP), processors, subnets }
}

const OTP = purposeOf({ table: 'hosts', column: 'otp' })

const PROXIES: readonly SubnetProxy[] = ['dhcp', 'tftp', 'dns', 'template', 'bmc', 'httpboot']

// Selected by column name, because some columns do not exist in every version of the schema.
const SUBNET_PROXIES = sql`json_build_object(${sql.join(
  PROXIES.flatMap((name) => [
    sql.lit(name),
    selectProxy(sql`(to_jsonb(x) ->> ${sql.lit(`${name}_id`)})::bigint`, name),
  ]),
)})`

const SUBNET_COLUMNS = sql`json_build_object('id', x.id, 'name', x.name, 'description', x.description,
  'network', host(x.network), 'mask', host(x.mask), 'gateway', host(x.gateway), 'dns_primary', host(x.dns_primary),
  'dns_secondary', host(x.dns_secondary), 'from', host(x."from"), 'to', host(x."to"), 'vlanid', x.vlanid, 'mtu', x.mtu,
  'nic_delay', x.nic_delay, 'boot_mode', x.boot_mode, 'ipam', x.ipam, 'type', x.network_type,
  'cidr', bit_count(substring(inet_send(x.mask) from 5))::integer)`

const OWNERS = sql`select u.id from users u where u.id = h.owner_user_id
  union select u.user_id from usergroup_users u where u.usergroup_id in (
    with recursive inside (id) as (
      select h.owner_usergroup_id union select m.member_id from usergroup_usergroups m join inside on inside.id = m.usergroup_id)
    select id from inside)`

const SURROUNDINGS = sql`select h.comment, h.otp, h.use_image, h.image_file, h.created_at::text as created_at,
  h.installed_at::text as installed_at,
  case when h.owner_user_id is not null then 'User' when h.owner_usergroup_id is not null then 'Usergroup' end as owner_type,
  (select l.settings ->> ${sql.lit(CONFIG_SERVER_SETTING)} from smart_proxy_features l join features f on f.id = l.feature_id
    where l.smart_proxy_id = h.config_proxy_id and f.name = 'Config') as config_server,
  ${selectFirst(sql`v.name from host_environments x join content_views v on v.id = x.content_view_id`)} as content_view,
  ${selectFirst(sql`e.name from host_environments x join lifecycle_environments e on e.id = x.environment_id`)} as lifecycle_environment,
  (select x.label from organizations x where x.id = h.organization_id) as organization_label,
  ${selectProxy(sql`h.config_proxy_id`)} as config_proxy,
  ${selectProxy(sql`h.config_ca_proxy_id`)} as config_ca_proxy,
  ${selectProxy(sql`(select l.smart_proxy_id from smart_proxy_features l join features f on f.id = l.feature_id
    where f.name = 'Config CA' order by 1 limit 1)`)} as any_config_ca,
  (select row_to_json(y) from (select x.id, x.name from compute_resources x where x.id = h.compute_resource_id) y) as compute_resource,
  ${list(
    sql`select x.login, x.firstname, x.lastname, x.mail,
      ${list(sql`select k.id, k.name, k.key from ssh_keys k where k.user_id = x.id`, sql`y.id`)} as ssh_keys
    from users x where x.id in (${OWNERS})`,
    sql`y.login`,
  )} as owners,
  ${list(
    sql`select x.id, ${SUBNET_COLUMNS} as columns, ${SUBNET_PROXIES} as proxies,
      ${list(sql`select p.id, p.name, ${selectKept('parameters', 'p')} as value, p.hidden_value from parameters p where p.subnet_id = x.id`, sql`y.name`)} as parameters
    from subnets x where x.id in (select n.subnet_id from interfaces n where n.host_id = h.id
      union select n.subnet6_id from interfaces n where n.host_id = h.id)`,
    sql`y.id`,
  )} as subnets,
  ${list(
    sql`select x.id, x.name, x.fullname from domains x where x.id in (select n.domain_id from interfaces n where n.host_id = h.id)`,
    sql`y.id`,
  )} as domains,
  ${list(
    sql`select x.id, x.provider, x.username, x.password from interfaces x where x.host_id = h.id and x.type = 'bmc'`,
    sql`y.id`,
  )} as processors
  from hosts h`

/** Selects a smart proxy as JSON, with the settings of a feature. */
function selectProxy(id: Sql, feature: string | null = null): Sql {
  const settings =
    feature === null
      ? sql`null::jsonb`
      : sql`(select l.settings from smart_proxy_features l join features f on f.id = l.feature_id
          where l.smart_proxy_id = p.id and lower(f.name) = ${sql.lit(feature)})`
  return sql`(select json_build_object('name', p.name, 'url', p.url, 'settings', ${settings}) from smart_proxies p where p.id = ${id})`
}

/** Selects from the first entry `x` of the ordered list of content view environments of the host. */
function selectFirst(selected: Sql): Sql {
  return sql`(select ${selected} where x.host_id = h.id order by x.position limit 1)`
}

function list(query: Sql, order: Sql): Sql {
  return sql`coalesce((select json_agg(row_to_json(y) order by ${order}) from (${query}) y), '[]')`
}
