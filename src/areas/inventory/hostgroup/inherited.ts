import { z } from 'zod'
import type { ReadableKey } from '../../../kernel/index.ts'
import { nestedOne } from '../../../records/nested.ts'
import { type Sql, sql } from '../../../sql.ts'

/** The links that groups and hosts inherit from a host group, with table and label column of the target. */
export const INHERITED_LINKS = {
  compute_profile: { table: 'compute_profiles', label: 'name' },
  environment: { table: 'environments', label: 'name' },
  domain: { table: 'domains', label: 'name' },
  config_proxy: { table: 'smart_proxies', label: 'name' },
  config_ca_proxy: { table: 'smart_proxies', label: 'name' },
  compute_resource: { table: 'compute_resources', label: 'name' },
  operatingsystem: { table: 'operatingsystems', label: 'title' },
  architecture: { table: 'architectures', label: 'name' },
  medium: { table: 'media', label: 'name' },
  ptable: { table: 'ptables', label: 'name' },
  subnet: { table: 'subnets', label: 'name' },
  subnet6: { table: 'subnets', label: 'name' },
  realm: { table: 'realms', label: 'name' },
} as const

/** The inherited columns, in the order of the `inherited_*` keys. */
export const INHERITED_COLUMNS = [...Object.keys(INHERITED_LINKS).map((name) => `${name}_id`), 'pxe_loader'] as const

/** Selects the value that a group inherits from its nearest ancestor with one; null if no ancestor has one. */
function selectInherited(alias: string, column: string): Sql {
  return sql`(select ${sql.ref(`above.${column}`)} from hostgroups above
    where above.id = any (${sql.ref(`${alias}.ancestor_ids`)}) and ${sql.ref(`above.${column}`)} is not null
    order by cardinality(above.ancestor_ids) desc limit 1)`
}

/** Selects the effective value of a group: its own, or else that of its nearest ancestor with one. */
export function selectEffectiveColumn(alias: string, column: string): Sql {
  return sql`coalesce(${sql.ref(`${alias}.${column}`)}, ${selectInherited(alias, column)})`
}

/** The keys of a group that need more than its row: effective names, inherited values, proxies. */
export function buildInheritedKeys(): Record<string, ReadableKey> {
  const keys: Record<string, ReadableKey> = {}
  for (const [name, { table, label }] of Object.entries(INHERITED_LINKS)) {
    keys[`${name}_name`] = {
      schema: () =>
        z.string().nullable().meta({ description: 'Name of the effective record: its own or an inherited one.' }),
      sql: (alias) =>
        sql`(select ${sql.ref(`x.${label}`)} from ${sql.table(table)} x where x.id = ${selectEffectiveColumn(alias, `${name}_id`)})`,
    }
    keys[`inherited_${name}_id`] = {
      schema: () => z.int().nullable().meta({ description: 'Value inherited from the nearest ancestor that has one.' }),
      sql: (alias) => selectInherited(alias, `${name}_id`),
    }
  }
  for (const name of ['config_proxy', 'config_ca_proxy']) keys[name] = buildProxyInForce(name)
  keys.inherited_pxe_loader = {
    schema: () =>
      z.string().nullable().meta({ description: 'Value inherited from the nearest ancestor that has one.' }),
    sql: (alias) => selectInherited(alias, 'pxe_loader'),
  }
  return keys
}

function buildProxyInForce(name: string): ReadableKey {
  return nestedOne(
    'Id of the effective record: its own or an inherited one.',
    (_own, alias) => ({
      keys: {
        name: [z.string().meta({ description: 'Its name.' }), sql`x.name`],
        id: [z.int().meta({ description: 'Its id.' }), sql`x.id`],
        url: [z.string().meta({ description: 'URL of the smart proxy.' }), sql`x.url`],
      },
      from: sql`smart_proxies x where x.id = ${selectEffectiveColumn(alias, `${name}_id`)}`,
    }),
    { nullable: true },
  )
}
