import { selectRootPassword } from '../areas/inventory/index.ts'
import type { Config } from '../config/config.ts'
import { type Db, rows } from '../database/sql.ts'
import { Failure } from '../errors.ts'
import { type Sql, sql } from '../sql.ts'
import { findServer } from './journal.ts'
import type { MissingSecret } from './report.ts'

/** Lists the secrets and authorities that the records of the last import still lack. {@throws Failure} not_found */
export async function listMissing(db: Db, config: Config): Promise<readonly MissingSecret[]> {
  const server = await findServer(db)
  if (server === null) throw new Failure('not_found', 'nothing has been imported')
  const parts = [...LACKING, UNVERIFIED, ...(hasAuthority(config) ? [] : [UNTRUSTED])]
  return rows<MissingSecret>(
    db,
    sql`with taken as (select kind, our_id, name, created from imported_records where server = ${server})
      ${sql.join(parts, sql` union all `)} order by kind, record, key`,
  )
}

/** Whether this service, or a web server in front of it, verifies certificates of another authority. */
function hasAuthority({ tlsClientCa, trustedProxies }: Config): boolean {
  return tlsClientCa !== null || trustedProxies.length > 0
}

/** Whether a hidden value is missing: the old server shows a mask instead, and the import stores nothing for it. */
function limitToMissing(value: Sql): Sql {
  return sql`(${value} is null or ${value} in ('""'::jsonb, '"*****"'::jsonb))`
}

/** Columns of parameters that name their owner, each called by its kind. */
const OWNERS = ['organization', 'location', 'domain', 'subnet', 'operatingsystem', 'hostgroup', 'host'] as const

/** One statement for each sort of secret. Users of directories need no password here. */
const LACKING: readonly Sql[] = [
  sql`select kind, t.name as record, 'account_password' as key from taken t join auth_sources s on s.id = t.our_id
    where kind = 'auth_source_ldap' and s.account <> '' and s.account_password is null`,
  sql`select kind, t.name, 'password' from taken t join http_proxies p on p.id = t.our_id
    where kind = 'http_proxy' and p.username <> '' and p.password is null`,
  // The import has given them a random one; a password that somebody entered is in the audits.
  sql`select kind, t.name, 'password' from taken t join users u on u.id = t.our_id join auth_sources s on s.id = u.auth_source_id
    where kind = 'user' and t.created and s.type = 'AuthSourceInternal' and u.last_login_on is null
      and not exists (select from audits a where a.auditable_type = 'User' and a.auditable_id = u.id and a.action = 'update'
        and a.audited_changes ? 'password')`,
  sql`select kind, t.name, 'value' from taken t join parameters p on p.id = t.our_id
    where kind = 'common_parameter' and p.hidden_value and ${limitToMissing(sql`p.value`)}`,
  ...OWNERS.map(
    (
      owner,
    ) => sql`select kind, t.name, 'parameter ' || p.name from taken t join parameters p on p.${sql.ref(`${owner}_id`)} = t.our_id
      where kind = ${owner} and p.hidden_value and ${limitToMissing(sql`p.value`)}`,
  ),
  sql`select kind, c.name || '::' || p.parameter, 'default_value' from taken t
    join smart_class_parameters p on p.id = t.our_id join configclasses c on c.id = p.configclass_id
    where kind = 'smart_class_parameter' and p.hidden_value and p.override and p.omit is not true and ${limitToMissing(sql`p.default_value`)}`,
  sql`select kind, c.name || '::' || p.parameter || ' for ' || v.match, 'value' from taken t
    join override_values v on v.id = t.our_id join smart_class_parameters p on p.id = v.smart_class_parameter_id
    join configclasses c on c.id = p.configclass_id
    where kind = 'override_value' and p.hidden_value and not v.omit and ${limitToMissing(sql`v.value`)}`,
  // Hosts of one group lack the same; only hosts that are installed from here need one.
  sql`select distinct case when g.id is null then 'host' else 'hostgroup' end, coalesce(g.title, t.name), 'root_pass'
    from taken t join hosts h on h.id = t.our_id left join hostgroups g on g.id = h.hostgroup_id
    where kind = 'host' and h.managed and ${selectRootPassword('h')} is null`,
]

/** Hosts identify themselves by certificates of the authority of the server that they were registered with. */
const UNVERIFIED = sql`select 'host'::text, count(*) || ' registered hosts', 'authority' from taken t
  join host_wishes w on w.host_id = t.our_id where kind = 'host' and w.former_uuid is not null
    and not exists (select from certificate_authorities where purpose like 'former %') having count(*) > 0`

/** Smart proxies identify themselves by certificates of an authority of their own. */
const UNTRUSTED = sql`select kind, t.name, 'tls-client-ca' from taken t join smart_proxies p on p.id = t.our_id
  where kind = 'smart_proxy' and p.url like 'https:%'`
