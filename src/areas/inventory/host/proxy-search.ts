import type { Sql } from '../../../database/sql.ts'
import { compileColumnCondition, type SearchField } from '../../../search/index.ts'
import type { FieldTest } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'

const NAME: SearchField = { name: 'smart_proxy', type: 'text', column: 'name' }

/**
 * The search field for hosts by a proxy that serves them: by configuration, realm, or the networks of the primary
 * interface.
 */
export const proxySearch: SearchField = {
  ...NAME,
  column: null,
  explicit: true,
  viewedWith: { permission: 'view_smart_proxies', resource: 'smart_proxy', column: 'id' },
  tables: ['smart_proxies', 'realms', 'interfaces', 'domains', 'subnets'],
  noCompletion: true,
  cost: 200,
  virtual: ({ operator, value, ...about }, options) =>
    selectServed(about, compileColumnCondition(NAME, sql`p.name`, operator, value, options)),
  present: (about) => selectServed(about, sql`true`),
}

type About = Pick<FieldTest, 'root' | 'counting'>

function selectServed({ root, counting }: About, condition: Sql): Sql {
  const proxies = sql`(select p.id from smart_proxies p where ${condition}${counting ? sql` and ${counting('p')}` : sql``})`
  const selectNamed = (table: string, columns: readonly string[]) =>
    sql`(select x.id from ${sql.table(table)} x where ${selectAnyIn('x', columns, proxies)})`
  const subnets = selectNamed('subnets', SUBNET_PROXIES)
  return sql`(${selectAnyIn(root, ['config_proxy_id', 'config_ca_proxy_id'], proxies)}
    or ${selectAnyIn(root, ['realm_id'], selectNamed('realms', ['realm_proxy_id']))}
    or ${sql.ref(`${root}.id`)} in (select i.host_id from interfaces i where i."primary"
      and (${selectAnyIn('i', ['domain_id'], selectNamed('domains', ['dns_id']))} or ${selectAnyIn('i', ['subnet_id', 'subnet6_id'], subnets)}))) is true`
}

const SUBNET_PROXIES = ['dhcp_id', 'tftp_id', 'dns_id', 'template_id', 'bmc_id', 'httpboot_id']

function selectAnyIn(alias: string, columns: readonly string[], ids: Sql): Sql {
  return sql`(${sql.join(
    columns.map((column) => sql`${sql.ref(`${alias}.${column}`)} in ${ids}`),
    sql` or `,
  )})`
}
