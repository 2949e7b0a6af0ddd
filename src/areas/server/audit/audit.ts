import { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import {
  type Condition,
  type Definition,
  defineResource,
  integer,
  link,
  type ReadableKey,
  ROOT,
  TAXONOMIES,
  type Taxonomy,
  text,
  typeOf,
} from '../../../kernel/index.ts'
import { limitToAuditsOfSeen } from '../../../records/audited-records.ts'
import { json } from '../../../records/json.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { ignoreBadSearch, parseSearch, type SearchField } from '../../../search/index.ts'
import { sql } from '../../../sql.ts'
import { limitToVisibleOverrideAudits } from '../../configuration/index.ts'
import { buildSearchGuard } from './guarded-search.ts'
import { listAudits } from './list.ts'
import { limitToAuditedParts } from './parts.ts'
import { withoutUnseen } from './unseen.ts'

const { locations, organizations } = buildTaxonomyFields('audit')

const KEYS = [
  'user_id',
  'user_type',
  'user_name',
  'user_login',
  'version',
  'comment',
  'associated_id',
  'associated_type',
  'remote_address',
  'associated_name',
  'created_at',
  'updated_at',
  'request_uuid',
  'id',
  'auditable_id',
  'auditable_name',
  'auditable_type',
  'action',
  'audited_changes',
  'locations',
  'organizations',
]

/** Audits: one for each write, never changed (core-api §10). The audited resources are needed for searches by type. */
export const audits = (audited: readonly Definition[]) =>
  defineResource({
    name: 'audit',
    permissions: { word: 'audit_logs' },
    summary: 'An audit: a change of a record, with its author, time and origin.',
    fields: {
      user: link('user', { readOnly: true, onDelete: 'around', doc: 'User who made the change.' }),
      action: text({
        readOnly: true,
        required: true,
        search: 'explicit',
        doc: 'create, update, destroy, or reveal: somebody saw hidden values.',
      }),
      auditable_type: text({ readOnly: true, required: true, doc: 'Type of the record.' }),
      auditable_id: integer({ readOnly: true, doc: 'Id of the record; null if the caller may not see it.' }),
      auditable_name: text({ readOnly: true, doc: 'Label of the record at that time.' }),
      associated_type: text({ readOnly: true, doc: 'Type of the record it was part of.' }),
      associated_id: integer({ readOnly: true, doc: 'Id of the record it was part of.' }),
      associated_name: text({ readOnly: true, doc: 'Name of the record it was part of.' }),
      audited_changes: json({
        readOnly: true,
        nullable: false,
        ordered: 'audits',
        doc: 'Values by attribute, old and new ones after an update; none of records that the caller may not see.',
      }),
      version: integer({ readOnly: true, required: true, doc: 'Counts the changes of one record from 1.' }),
      comment: text({ readOnly: true, doc: 'Comment on the change, or reason to see hidden values.' }),
      request_uuid: text({ readOnly: true, search: 'explicit', doc: 'Id of the request, as in the log.' }),
      locations,
      organizations,
    },
    operations: ['list', 'show'],
    wire: { handlers: { list: listAudits } },
    views: { list: KEYS, show: KEYS, order: 'time desc', transform: withoutUnseen },
    readable: {
      user_type: constant('User', 'Type of the author.'),
      user_name: column('user_name', z.string().nullable().meta({ description: 'Login of the user at that time.' })),
      user_login: {
        schema: () =>
          z.string().nullable().meta({
            description: 'Their login at that time; in older audits, their current login.',
          }),
        sql: (alias) =>
          sql`coalesce(${sql.ref(`${alias}.user_login`)}, (select u.login from users u where u.id = ${sql.ref(`${alias}.user_id`)}))`,
      },
      remote_address: {
        schema: () => z.string().nullable().meta({ description: 'Address that the request came from.' }),
        sql: (alias) => sql`host(${sql.ref(`${alias}.remote_address`)})`,
      },
      updated_at: {
        schema: () => z.string().meta({ description: 'The same as created_at: audits never change.' }),
        sql: (alias) => sql.ref(`${alias}.created_at`),
        time: true,
      },
    },
    search: [
      { name: 'comment', type: 'text', column: 'comment', nullable: true, guarded: true },
      { name: 'time', aliases: ['created_at'], type: 'datetime', column: 'created_at' },
      {
        name: 'username',
        aliases: ['user'],
        type: 'text',
        column: 'user_name',
        nullable: true,
        words: ['current_user'],
      },
      {
        name: 'user_login',
        aliases: ['authored_by_user'],
        type: 'text',
        column: 'user_login',
        nullable: true,
        explicit: true,
      },
      { name: 'authored_by_user.id', type: 'integer', column: 'user_id', nullable: true, explicit: true },
      { name: 'type', type: 'choice', values: mapTypes(audited), column: 'auditable_type', explicit: true },
      { name: 'auditable_id', type: 'integer', column: 'auditable_id', explicit: true, guarded: true },
      {
        name: 'auditable',
        aliases: ['auditable_name'],
        type: 'text',
        column: 'auditable_name',
        nullable: true,
        explicit: true,
        guarded: true,
      },
      ...NAMED.map(buildTypeSearch),
      ...['ip', 'mac'].map(buildInterfaceSearch),
      {
        name: 'remote_address',
        type: 'text',
        column: 'remote_address',
        expression: (alias) => sql`host(${sql.ref(`${alias}.remote_address`)})`,
        nullable: true,
      },
      {
        name: 'changes',
        type: 'text',
        column: 'audited_changes',
        guarded: true,
        expression: (alias) => sql`${sql.ref(`${alias}.audited_changes`)}::text`,
      },
    ],
    records: {
      limits: (ctx, resource) => [
        ...limitToSeenFrom(ctx),
        ...limitToVisibleOverrideAudits(ctx, resource),
        ...limitToAuditedParts(ctx, resource),
      ],
      guard: (ctx, { registry }) =>
        buildSearchGuard(ctx, (search) => limitToAuditsOfSeen(ctx, registry, readTypes(search, mapTypes(audited)))),
    },
    audited: false,
  })

/** Resources whose audits are found by the record's name, each with aliases of that search field. */
const NAMED: readonly (readonly [word: string, ...aliases: string[]])[] = [
  ['host'],
  ['hostgroup', 'hostgroup_title'],
  ['operatingsystem', 'os', 'os_title'],
  ['parameter'],
  ['configclass'],
  ['provisioning_template'],
  ['ptable', 'partition_table'],
  ['setting'],
  ['interface', 'interface_fqdn'],
]

function buildTypeSearch([word, ...aliases]: (typeof NAMED)[number]): SearchField {
  return {
    name: word,
    aliases,
    type: 'text',
    column: 'auditable_name',
    nullable: true,
    explicit: true,
    guarded: true,
    expression: (row) => sql`case when ${isOf(row, word)} then ${sql.ref(`${row}.auditable_name`)} end`,
  }
}

/** Searches audits of interfaces by an address: the one that was set, or else the one that was removed. */
function buildInterfaceSearch(key: string): SearchField {
  return {
    name: `interface_${key}`,
    type: 'text',
    column: 'audited_changes',
    nullable: true,
    explicit: true,
    guarded: true,
    noCompletion: true,
    expression: (row) => {
      const changed = sql`${sql.ref(`${row}.audited_changes`)} -> ${sql.lit(key)}`
      return sql`case when ${isOf(row, 'interface')} then case jsonb_typeof(${changed})
        when 'array' then coalesce(${changed} ->> 1, ${changed} ->> 0) else ${changed} #>> '{}' end end`
    },
  }
}

function isOf(row: string, word: string): Sql {
  return sql`${sql.ref(`${row}.auditable_type`)} = ${sql.lit(typeOf({ name: word }))}`
}

function mapTypes(resources: readonly Definition[]): Record<string, string> {
  return Object.fromEntries(resources.map((resource) => [resource.name, typeOf(resource)]))
}

/** Reads the type to which a search limits itself by `type = host`, maybe with further conditions; undefined: to none. */
function readTypes(search: string, types: Readonly<Record<string, string>>): string[] | undefined {
  const query = ignoreBadSearch(() => parseSearch(search))
  const conditions = query?.kind === 'and' ? query.operands : query ? [query] : []
  const named = conditions.flatMap((one) =>
    one.kind === 'compare' && one.field === 'type' && one.operator === 'eq' ? (types[one.value] ?? []) : [],
  )
  return named.length > 0 ? named.slice(0, 1) : undefined
}

/** Leaves audits in the places where their record was visible; audits without places are visible from everywhere. */
function limitToSeenFrom({ scope, user }: Context): Condition[] {
  return TAXONOMIES.flatMap((taxonomy) => {
    const current = scope[taxonomy.kind]
    if (current === null && user.admin) return []
    return [limitToPlaces(taxonomy, current === null ? user[taxonomy.plural] : [current])]
  })
}

/**
 * No `exists`: PostgreSQL would read the places of all audits to look up those of a page. The places that count are computed
 * once.
 */
function limitToPlaces({ kind, plural }: Taxonomy, ids: readonly number[]): Condition {
  const family = sql`select x.id from ${sql.table(plural)} x where x.id = any (${ids}::bigint[]) or x.ancestor_ids && ${ids}::bigint[] or x.id in (select unnest(y.ancestor_ids) from ${sql.table(plural)} y where y.id = any (${ids}::bigint[]))`
  const isThere = sql`coalesce((select bool_or(${sql.ref(`l.${kind}_id`)} = any (array(${family}))) from ${sql.table(`audit_${plural}`)} l where l.audit_id = ${sql.ref(`${ROOT}.id`)}), true)`
  return { sql: isThere, tables: [`audit_${plural}`, plural] }
}

function column(name: string, schema: z.ZodType): ReadableKey {
  return { schema: () => schema, sql: (alias) => sql.ref(`${alias}.${name}`) }
}

function constant(value: string, description: string): ReadableKey {
  return { schema: () => z.literal(value).meta({ description }), sql: () => sql.lit(value) }
}
