import { finishFragment, row, rows, type Sql } from '../../../database/sql.ts'
import { openKept, selectKept } from '../../../encryption/hidden-values.ts'
import { type Condition, joinConditions } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { openRootPassword } from '../../inventory/index.ts'
import { selectEffectiveRows } from '../../parameters/index.ts'
import { HOST_COLUMNS, HOST_TABLES, type HostData } from '../../provisioning/index.ts'
import { selectClassesOfHost } from '../configclass/effective.ts'
import { CATALOG_VERSION, type NodeContext } from './catalog.ts'
import { selectConfigAuthority, selectConfigServer } from './config-server.ts'

/**
 * Everything that the classification of one host can depend on, as text, so that unchanged parts need not be parsed.
 */
export interface NodeInputs {
  readonly id: number
  readonly environment_id: number | null
  /** The version of the catalogue, in the snapshot of this read. */
  readonly version: number
  /** Ids of all classes of the host in its environment. */
  readonly classes: readonly number[]
  /** JSON of {@link NodeHost}. */
  readonly host: string
  /** JSON of a list of {@link NodeParameter}. */
  readonly parameters: string
  /** JSON of values by name: all facts, or the requested ones. */
  readonly facts: string
  readonly last_report: string | null
}

/** The facts to load: all facts of a host, or those with these names. */
export type RequestedFacts = 'all' | readonly string[]

/** The host and the records that it links to. */
export interface NodeHost extends Omit<HostData, 'facts' | 'parameters' | 'last_report'> {
  readonly comment: string | null
  readonly own_certname: string | null
  /** Name of the server that configures the host. */
  readonly config_server: string | null
  /** URL of the proxy that signs the certificate of the host. */
  readonly config_ca: string | null
  /** Certificate of the authority of this service; null until it has one. */
  readonly server_ca: string | null
  readonly users: readonly NodeUser[]
  readonly config_groups: readonly string[]
  readonly subnets: readonly NodeSubnet[]
  readonly service_processors: readonly ServiceProcessor[]
  readonly attrs: readonly { readonly id: number; readonly attrs: unknown }[]
}

/** The owner of the host, or a member of the group that owns it. */
export interface NodeUser {
  readonly login: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly mail: string | null
  readonly description: string | null
  /** Public keys as in `authorized_keys`: type, key and maybe a comment. */
  readonly ssh_keys: readonly { readonly name: string; readonly key: string }[]
}

/** A subnet of an interface, with the keys of node documents. */
export type NodeSubnet = Readonly<Record<string, string | number | null>> & { readonly id: number }

interface ServiceProcessor {
  readonly id: number
  readonly provider: string | null
  readonly username: string | null
  /** Encrypted. */
  readonly password: string | null
}

/** An effective parameter of the host; the value is JSON. */
export interface NodeParameter {
  readonly id: number
  readonly name: string
  readonly global: boolean
  readonly hidden: boolean
  readonly value: string | null
}

/** Loads hosts to be classified by id, in one statement. */
export async function loadNodeInputs(
  { db, encryption }: NodeContext,
  ids: readonly number[],
  facts: RequestedFacts,
): Promise<NodeInputs[]> {
  const found = await rows<NodeInputs>(
    db,
    sql`${selectInputs(facts)} where h.id = any (${ids}::bigint[]) order by h.id`,
  )
  return found.map((one) => openInputs(encryption, one))
}

/** Loads the host with this certificate name, name or id, if the conditions leave it, in one statement. */
export async function loadNodeInputsByName(
  { db, encryption }: NodeContext,
  name: string,
  facts: RequestedFacts,
  conditions: readonly Condition[],
): Promise<NodeInputs | undefined> {
  if (name.includes('\0')) return undefined
  const left =
    conditions.length === 0 ? sql`` : sql`and h.id in (select t.id from hosts t where ${joinConditions(conditions)})`
  const found = await row<NodeInputs>(db, sql`${selectInputs(facts)} where h.id = ${selectId(name)} ${left}`)
  return found && openInputs(encryption, found)
}

/** Decrypts the root password and hidden values. Most hosts have none. */
function openInputs(encryption: NodeContext['encryption'], inputs: NodeInputs): NodeInputs {
  // No text within JSON has this: its quotation marks are behind backslashes.
  const host = inputs.host.replace(
    /"root_pass":"([^"\\]+)"/,
    (_, stored: string) => `"root_pass":${JSON.stringify(openRootPassword(encryption, stored))}`,
  )
  return { ...inputs, host, parameters: openParameters(encryption, inputs) }
}

function openParameters(encryption: NodeContext['encryption'], inputs: NodeInputs): string {
  if (!inputs.parameters.includes('"hidden" : true')) return inputs.parameters
  const all: readonly NodeParameter[] = JSON.parse(inputs.parameters) // the statement selects this JSON
  const opened = all.map((one) => ({ ...one, value: openKept(encryption, 'parameters', one.value) }))
  return JSON.stringify(opened)
}

function selectId(name: string): Sql {
  const id = /^\d{1,18}$/.test(name) ? name : null
  return selectNamedId(sql`${name}::text`, sql`${id}::bigint`)
}

/** Selects the id of the host with this certificate name, else this name, else this id. */
export function selectNamedId(name: Sql, id: Sql): Sql {
  return sql`coalesce(
    (select x.id from hosts x where coalesce(x.certname, x.name) = ${name} order by x.certname is null, x.id limit 1),
    (select x.id from hosts x where x.name = ${name}), ${id})`
}

/** Selects the columns of {@link NodeInputs} from hosts `h`. */
export function selectInputs(facts: RequestedFacts): Sql {
  const wanted = facts === 'all' ? sql`` : sql`and n.name = any (${facts}::text[])`
  if (facts !== 'all' && facts.length === 0) return sql`${BEFORE_FACTS} '{}' as facts ${AFTER_FACTS}`
  return sql`${BEFORE_FACTS} coalesce((select json_object_agg(n.name, v.value order by n.name)::text
    from fact_values v join fact_names n on n.id = v.fact_name_id where v.host_id = h.id ${wanted}), '{}') as facts ${AFTER_FACTS}`
}

/** Selects the ids of the users who own the host `h`: one user, or the members of a group and of all groups in it. */
export const OWNERS = sql`select u.id from users u where u.id = h.owner_user_id
  union all select u.user_id from usergroup_users u where u.usergroup_id in (
    with recursive inside (id) as (
      select h.owner_usergroup_id union select m.member_id from usergroup_usergroups m join inside on inside.id = m.usergroup_id)
    select id from inside)`

const SUBNETS = sql`select x.id, x.name, host(x.network) as network, host(x.mask) as mask, host(x.gateway) as gateway,
    host(x.dns_primary) as dns_primary, host(x.dns_secondary) as dns_secondary, host(x."from") as "from", host(x."to") as "to",
    x.boot_mode, x.ipam, x.vlanid, x.mtu, x.nic_delay, x.network_type, x.description
  from subnets x where x.id in (select n.subnet_id from interfaces n where n.host_id = h.id
    union select n.subnet6_id from interfaces n where n.host_id = h.id)`

const MORE = sql`
  h.comment, h.certname as own_certname,
  (select a.certificate from certificate_authorities a where a.purpose = 'identity') as server_ca,
  ${selectConfigServer('h')} as config_server, ${selectConfigAuthority('h')} as config_ca,
  ${list(
    sql`select x.login, x.firstname, x.lastname, x.mail, x.description,
        ${list(sql`select k.id, k.name, k.key from ssh_keys k where k.user_id = x.id`, sql`y.id`)} as ssh_keys
      from users x where x.id in (${OWNERS})`,
    sql`y.login`,
  )} as users,
  array(select g.name from config_groups g join config_group_hosts l on l.config_group_id = g.id where l.host_id = h.id order by g.name)
    || array(select g.name from hostgroups x join config_group_hostgroups l on l.hostgroup_id = any (x.ancestor_ids || x.id)
      join config_groups g on g.id = l.config_group_id where x.id = h.hostgroup_id group by g.name order by g.name) as config_groups,
  ${list(SUBNETS, sql`y.name`)} as subnets,
  ${list(sql`select n.id, n.provider, n.username, n.password from interfaces n where n.host_id = h.id and n.type = 'bmc'`, sql`y.id`)} as service_processors,
  ${list(sql`select n.id, n.attrs from interfaces n where n.host_id = h.id and n.attrs <> '{}'`, sql`y.id`)} as attrs`

const NODE_PARAMETERS = sql`coalesce((
  select json_agg(json_build_object('id', e.id, 'name', e.name, 'value', ${selectKept('parameters', 'e')}, 'hidden', e.hidden_value, 'global', num_nonnulls(
    e.organization_id, e.location_id, e.domain_id, e.subnet_id, e.operatingsystem_id, e.hostgroup_id, e.host_id) = 0) order by e.name)
  from (${selectEffectiveRows('h')}) e), '[]')::text`

const BEFORE_FACTS = finishFragment(sql`
  select h.id, h.environment_id, ${CATALOG_VERSION} as version,
    array(select c.configclass_id from (${selectClassesOfHost('h')}) c order by 1) as classes,
    (select row_to_json(y)::text from (select ${HOST_COLUMNS}, ${MORE}) y) as host,
    ${NODE_PARAMETERS} as parameters, h.last_report::text as last_report,`)

const AFTER_FACTS = finishFragment(sql`from ${HOST_TABLES}`)

function list(query: Sql, order: Sql): Sql {
  return sql`coalesce((select json_agg(row_to_json(y) order by ${order}) from (${query}) y), '[]')`
}
