import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import type { Definition, ReadableKey } from '../../../kernel/index.ts'
import { permissionsKey, presentPermissions } from '../../../records/permissions.ts'
import { compileColumnCondition, type SearchField } from '../../../search/index.ts'
import type { FieldTest } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'
import { HIDDEN_QUERY } from '../../access/index.ts'
import { allParameters, paramSearch, presentParameters } from '../../parameters/index.ts'
import { hostFacts } from '../fact/fact-value.ts'
import { reportedSearch } from '../fact/reported-search.ts'
import { factSearch } from '../fact/search.ts'
import { uploadFacts } from '../fact/upload.ts'
import { deleteFound } from './delete-found.ts'
import { hostFields } from './fields.ts'
import { userLabelSql } from './owner.ts'
import { RAW_KEYS } from './raw.ts'
import { hostReadable } from './readable.ts'
import { hostSearch } from './search.ts'
import { hostWrites } from './writes.ts'

/** The permissions on hosts. */
const HOST_PERMISSIONS = [
  'view_hosts',
  'create_hosts',
  'edit_hosts',
  'destroy_hosts',
  'build_hosts',
  'power_hosts',
  'console_hosts',
  'ipmi_boot_hosts',
  'forget_status_hosts',
  'configrun_hosts',
]

/** The keys of answers for the actions that the caller may perform on a host, each with its permission. */
const HOST_RECORD_PERMISSIONS = Object.fromEntries(HOST_PERMISSIONS.map((name) => [name, name]))

/** Readable keys about the user who created a host, taken from its first audit. */
const creator: Readonly<Record<string, ReadableKey>> = {
  creator_id: {
    schema: () => z.int().nullable().meta({ description: 'Id of the user who created it; null without one.' }),
    sql: (alias) => sql`(select u.id ${selectFirstAuthor(alias)})`,
  },
  creator: {
    schema: () => z.string().nullable().meta({ description: 'Name of that user.' }),
    sql: (alias) => sql`(select ${userLabelSql} ${selectFirstAuthor(alias)})`,
  },
}

function selectFirstAuthor(alias: string) {
  return sql`from audits a join users u on u.id = a.user_id
    where a.auditable_type = 'Host' and a.auditable_id = ${sql.ref(`${alias}.id`)} and a.version = 1 and a.action = 'create'`
}

const NAME: SearchField = { name: 'smart_proxy', type: 'text', column: 'name' }

/**
 * The search field for hosts by a proxy that serves them: by configuration, realm, or the networks of the primary
 * interface.
 */
const proxySearch: SearchField = {
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

const namesOf = (name: string) => [`${name}_id`, `${name}_name`]

/** The keys of hosts in lists, in order. */
export const HOST_KEYS = [
  'ip',
  'ip6',
  ...namesOf('environment'),
  'last_report',
  'mac',
  ...namesOf('realm'),
  'sp_mac',
  'sp_ip',
  'sp_name',
  ...['domain', 'architecture', 'operatingsystem', 'subnet', 'subnet6'].flatMap(namesOf),
  'sp_subnet_id',
  ...['ptable', 'medium'].flatMap(namesOf),
  'pxe_loader',
  'build',
  'comment',
  'disk',
  'initiated_at',
  'installed_at',
  'model_id',
  'hostgroup_id',
  'owner_id',
  'owner_name',
  'owner_type',
  'enabled',
  'managed',
  'use_image',
  'image_file',
  'uuid',
  ...['compute_resource', 'compute_profile'].flatMap(namesOf),
  'capabilities',
  'provision_method',
  'certname',
  ...namesOf('image'),
  'created_at',
  'updated_at',
  'last_compile',
  'global_status',
  'global_status_label',
  'uptime_seconds',
  'bmc_available',
  ...['organization', 'location'].flatMap(namesOf),
  'model_name',
  'build_status',
  'build_status_label',
  'name',
  'id',
  ...['config_proxy', 'config_ca_proxy'].flatMap(namesOf),
  'config_proxy',
  'config_ca_proxy',
  'hostgroup_name',
  'hostgroup_title',
]

/** Keys about who created a host: single hosts show them, and lists do so on request. */
export const CREATOR_KEYS = Object.keys(creator)

/**
 * The declaration of hosts, without the contributions of other areas, which `areas/index.ts` adds (spec 2.4, core-api
 * §1.5, §11).
 */
export const host = {
  name: 'host',
  summary: 'A machine that you provision, configure and manage.',
  fields: hostFields,
  label: 'name',
  routes: {
    namedBy: 'label',
    parents: {
      hostgroup: 'hostgroup',
      environment: 'environment',
      smart_proxy: 'config_proxy',
      architecture: 'architecture',
      realm: 'realm',
      domain: 'interfaces',
    },
  },
  visibility: { taxable: 'own' },
  views: {
    query: HIDDEN_QUERY,
    list: HOST_KEYS,
    show: [...HOST_KEYS, 'parameters', 'all_parameters', ...CREATOR_KEYS, 'interfaces', 'permissions'],
    deleted: RAW_KEYS,
    asked: [
      { parameter: 'thin', words: ['true', '1'], keys: ['id', 'name'], alone: true },
      { parameter: 'include', words: ['parameters'], keys: ['parameters'] },
      { parameter: 'include', words: ['all_parameters'], keys: ['all_parameters'] },
      { parameter: 'include', words: ['creator'], keys: CREATOR_KEYS },
    ],
    transform: async (ctx, resource, rows, query) =>
      presentPermissions(HOST_RECORD_PERMISSIONS)(
        ctx,
        resource,
        await presentParameters(ctx, resource, rows, query),
        query,
      ),
  },
  readable: {
    ...hostReadable,
    ...creator,
    permissions: permissionsKey(HOST_RECORD_PERMISSIONS),
    all_parameters: allParameters,
  },
  search: [...hostSearch, proxySearch, factSearch, ...reportedSearch, paramSearch],
  permissions: { further: [...HOST_PERMISSIONS, 'reveal_hosts'] },
  // Answers have a key with the bare name of the group beside its title; clients that send the title mean the group.
  wire: {
    aliases: { hostgroup_title: 'hostgroup_name' },
    paths: { architecture: ['list'], realm: ['list'], domain: ['list'] },
  },
  wrapWrite: hostWrites,
  actions: [uploadFacts, hostFacts, deleteFound],
} as const satisfies Definition
