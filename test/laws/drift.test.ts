import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assembleResources } from '../../src/areas/index.ts'
import type { Context } from '../../src/context.ts'
import type { Database } from '../../src/database/database.ts'
import { rows } from '../../src/database/sql.ts'
import { limitToVisible } from '../../src/kernel/authorize.ts'
import { joinConditions } from '../../src/kernel/condition.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import { linkTableOf, TAXONOMIES } from '../../src/kernel/scope.ts'
import { compileOrder, compileSearch } from '../../src/search/index.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'
import { targetOf } from '../support/given.ts'
import { quiet } from '../support/settings.ts'
import { textFacts } from './values.ts'

interface LiveColumn {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly nullable: boolean
}

interface LiveConstraint {
  readonly table: string
  readonly kind: 'f' | 'u' | 'c' | 'p'
  readonly columns: readonly string[]
  readonly target: string | null
  readonly onDelete: string
  readonly definition: string
}

let database: Database
let columns: readonly LiveColumn[] = []
let constraints: readonly LiveConstraint[] = []
/** The columns or expressions of every index; unique ones are marked. */
let indexes: readonly {
  readonly table: string
  readonly unique: boolean
  readonly first: string
  readonly parts: readonly string[]
}[] = []
let tracked: ReadonlySet<string> = new Set()

beforeAll(async () => {
  database = await openTestDatabase()
  columns = await rows(
    database.db,
    sql`select c.relname::text as "table", a.attname::text as name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
  )
  constraints = await rows(
    database.db,
    sql`select c.conrelid::regclass::text as "table", c.contype::text as kind, nullif(c.confrelid, 0)::regclass::text as target,
        c.confdeltype::text as "onDelete", pg_get_constraintdef(c.oid) as definition,
        array(select a.attname::text from unnest(c.conkey) with ordinality k (attnum, place) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum order by place) as columns
      from pg_constraint c where c.connamespace = 'public'::regnamespace and c.contype in ('f', 'u', 'c', 'p')`,
  )
  indexes = await rows(
    database.db,
    sql`select i.indrelid::regclass::text as "table", i.indisunique as "unique", pg_get_indexdef(i.indexrelid, 1, true) as first,
        array(select pg_get_indexdef(i.indexrelid, n, true) from generate_series(1, i.indnkeyatts) n) as parts
      from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace`,
  )
  const triggers = await rows<{ table: string }>(
    database.db,
    sql`select tgrelid::regclass::text as "table" from pg_trigger
      where tgname in ('record_insert', 'record_update', 'record_delete', 'record_truncate') and tgenabled = 'O'
      group by 1 having count(*) = 4`,
  )
  tracked = new Set(triggers.map(({ table }) => table))
})
afterAll(() => database?.[Symbol.asyncDispose]())

/** The names of the declarations' types in the catalogue. */
const TYPES: Readonly<Record<string, string>> = {
  timestamptz: 'timestamp with time zone',
  'bigint[]': 'bigint[]',
  'text[]': 'text[]',
}

/** Columns without a field, and their purpose, besides id and timestamps. */
const NO_FIELD: Readonly<Record<string, string>> = {
  'fact_values.fact_name_id': 'answers show the name',
  'organizations.ancestor_ids': 'the tree, kept by records/tree.ts',
  'locations.ancestor_ids': 'the tree, kept by records/tree.ts',
  'hostgroups.ancestor_ids': 'the tree, kept by records/tree.ts',
  'hostgroups.grub_pass': 'the root password of an earlier version',
  'interfaces.attrs': 'shown to classification only',
  'interfaces.of_managed': 'what its host is, kept by the key that refers to it',
  'config_runs.traceparent': 'of the request that asked for it, for traces',
  'hosts.grub_pass': 'the root password of an earlier version',
  'audits.user_login': 'shown and searched for beside the user, who may be gone',
  'auth_sources.onthefly_trusted': 'whether somebody with the right to escalate roles switched registration on',
  'audits.user_name': 'shown and searched for beside the user, who may be gone',
  'external_usergroups.refreshed_at': 'when its members were last read, for the service itself',
  'second_factors.last_step': 'the period of the last code, so that none counts twice',
  'second_factors.sign_count': 'how often a passkey was used, so that no copy of it counts',
  'second_factors.credential': 'how browsers call a passkey; asked for and answered in logins only',
  'second_factors.public_key': 'what answers of a passkey are checked with',
  'users.avatar_hash': 'which photo it has, not a value of its own',
  'config_runs.output_size': 'larger than an integer field holds',
  'config_runs.output_left_out': 'larger than an integer field holds',
  'config_reports.log_levels': 'its log, shown as lines',
  'config_reports.log_sources': 'its log, shown as lines',
  'config_reports.log_messages': 'its log, shown as lines',
  'audits.remote_address': 'shown and searched for as the text of an address',
  'repositories.content_id': 'what overrides call it by, shown as text',
  'subscriptions.consumed': 'counted by the database; shown and searched for',
  'content_views.next_version': 'shown in a form of its own',
  'webhook_deliveries.payload': 'of a ping, shown as the body of its request',
  'webhook_deliveries.worker': 'internal',
  'webhook_deliveries.lease_expires_at': 'internal',
  ...Object.fromEntries(
    ['progress', 'input', 'output', 'errors', 'username'].map((name) => [
      `tasks.${name}`,
      'shown by the shape of tasks',
    ]),
  ),
  ...Object.fromEntries(
    ['steps', 'worker', 'lease_expires_at', 'attempt', 'cancel_requested'].map((name) => [`tasks.${name}`, 'internal']),
  ),
}
const OF_EVERY_RESOURCE = ['id', 'created_at', 'updated_at']

/** Integers that refer to records whose type another column names. */
const NO_FOREIGN_KEY: Readonly<Record<string, string>> = { 'audits.user_id': 'an audit outlives whoever made it' }

/** The labels by which programs know records of content. */
const LABELS = ['organizations', 'products', 'repositories', 'content_views', 'lifecycle_environments'].map(
  (table) => `${table}.label`,
)

/** Columns that are never null although the declaration allows it. */
const NEVER_NULL = new Set([
  'personal_access_tokens.token',
  'webhooks.secret',
  'second_factors.secret',
  'audits.auditable_id', // Answers have null where the caller may not see the record.
  ...LABELS, // A trigger makes them where none are sent.
])

/** Computed columns that are never null although the database does not declare it. */
const COMPUTED = new Set(['content_view_versions.version'])

/** Columns of a shared table that only one of its resources always fills. */
const OTHERS_HAVE_NONE = new Set([
  ...['host', 'server_type', 'issuer', 'client_id', 'scopes', 'algorithms'].map((name) => `auth_sources.${name}`),
])

/** Columns whose type in the database is wider than declared. */
const WIDER: Readonly<Record<string, string>> = {
  'audits.auditable_id': 'bigint',
  'audits.associated_id': 'bigint',
  'webhook_deliveries.event_number': 'bigint',
}

describe.each([...assembleResources().values()].map((resource) => [resource.name, resource] as const))(
  '%s',
  (_name, resource) => {
    const { table } = resource
    const live = () => columns.filter((column) => column.table === table)
    const constraintsOn = (column: string) =>
      constraints.filter((one) => one.table === table && one.columns.length === 1 && one.columns[0] === column)

    test('its columns are those of the table, of the same type, and null where that is declared', () => {
      const declared = resource.columns.map(({ name, type, nullable }) => ({
        name,
        type: WIDER[`${table}.${name}`] ?? TYPES[type] ?? type,
        nullable:
          (nullable && !NEVER_NULL.has(`${table}.${name}`)) ||
          OTHERS_HAVE_NONE.has(`${table}.${name}`) ||
          COMPUTED.has(`${table}.${name}`),
      }))
      const found = live()
        .filter(({ name }) => declared.some((column) => column.name === name))
        .map(({ name, type, nullable }) => ({ name, type, nullable }))
      expect(sorted(found)).toEqual(sorted(declared))
    })

    test('every column of the table is a field of a resource', () => {
      const declared = new Set(
        [...assembleResources().values()]
          .filter((other) => other.table === table)
          .flatMap((other) => other.columns.map(({ name }) => name)),
      )
      const unknown = live().filter(
        ({ name }) => !declared.has(name) && !OF_EVERY_RESOURCE.includes(name) && !(`${table}.${name}` in NO_FIELD),
      )
      expect(unknown).toEqual([])
    })

    test('texts are checked for their length, and required ones for being there', () => {
      for (const placed of resource.placed.filter(({ field, column }) => field.kind === 'text' && column)) {
        const { max, oneOf } = textFacts(placed)
        if (!max || max > 1000 || oneOf || `${table}.${placed.name}` in SHAPED) continue
        const checks = constraintsOn(placed.name)
          .filter(({ kind }) => kind === 'c')
          .map(({ definition }) => definition.replaceAll('"', '')) // around words of SQL
        const limit = placed.field.required ? `>= 1) AND (char_length(${placed.name}) <= ${max})` : `<= ${max}`
        expect({ field: placed.name, checks }).toEqual({
          field: placed.name,
          checks: [expect.stringContaining(`char_length(${placed.name}) ${limit}`)],
        })
      }
    })

    test('links are foreign keys that do on delete what is declared', () => {
      for (const { name, field, column, at } of resource.placed.filter(({ field }) => field.refersTo?.onDelete)) {
        if (!column || `${table}.${column.name}` in NO_FOREIGN_KEY) continue
        const target = at.target(field.refersTo?.resource ?? '').table
        const action = { cascade: 'c', clear: 'n', restrict: 'a', around: 'a' }[field.refersTo?.onDelete ?? 'restrict']
        const keys = constraintsOn(column.name).filter(({ kind }) => kind === 'f')
        expect({ name, keys: keys.map((key) => [key.target, key.onDelete]) }).toEqual({
          name,
          keys: [[target, action]],
        })
      }
    })

    test('link tables point at both sides, cascade, and hold each pair once', () => {
      for (const placed of resource.placed) {
        const [through] = placed.field.kind === 'links' ? (placed.elsewhere?.tables(placed.at) ?? []) : []
        if (!through) continue
        const keys = constraints.filter(({ table: owner, kind }) => owner === through && kind === 'f')
        const target = placed.at.target(targetOf(placed)).table
        const ends = BY_TRIGGER.includes(resource.table) ? [target] : [resource.table, target]
        expect({ through, ends: keys.map(({ target }) => target).sort() }).toEqual({ through, ends: ends.sort() })
        expect({ through, cascade: keys.every(({ onDelete }) => onDelete === 'c') }).toEqual({ through, cascade: true })
        const primary = constraints.filter(({ table: owner, kind }) => owner === through && kind === 'p')
        expect(primary.map((key) => key.columns.length)).toEqual([2])
      }
    })

    test('names are unique: the label that finds a record by its path finds one', () => {
      const { label } = resource
      if (!label || resource.nestedOnly || resource.name in OFTEN_THE_SAME) return
      // Names of parts, and of records within an organization, are only unique there: paths take ids.
      if (resource.taxable === 'organization' || resource.partOf) return
      expect(
        indexes
          .filter((index) => index.table === table && index.unique && index.parts.length === 1)
          .map(({ first }) => first),
      ).toContainEqual(expect.stringMatching(new RegExp(`^(fold\\()?${label}\\)?$`)))
    })

    test('every table that a condition can read counts its changes, and is one that the condition names', () => {
      for (const { sql: condition, tables } of everyCondition(resource)) {
        const read = tablesIn(condition.compile().text)
        expect({
          condition: condition.compile().text,
          unnamed: read.filter((name) => !tables.includes(name)),
        }).toMatchObject({ unnamed: [] })
        const counted = tables.map((name) => VIEWS[name] ?? name)
        expect(counted.filter((name) => !tracked.has(name) || !tables.includes(name))).toEqual([])
      }
    })
  },
)

/** Labels that several rows may have. */
const OFTEN_THE_SAME: Readonly<Record<string, string>> = {
  smart_class_parameter: 'unique within a class, which the path may name',
  common_parameter: 'unique among those of no owner: parameters_name_key is over all owners, and takes null for equal',
}

/** Views, each with the table whose changes count for it. */
const VIEWS: Readonly<Record<string, string>> = { primary_interfaces: 'interfaces' }

/** Texts whose pattern limits more than their length does. */
const SHAPED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LABELS.map((label) => [label, 'letters, digits, - and _'])),
  'hosts.name': 'a host name',
  'content_view_filter_rules.start_date': 'a day',
  'content_view_filter_rules.end_date': 'a day',
  'users.timezone': 'a name of a time zone',
  'users.locale': 'two letters, or five',
}

test('every exception exists', () => {
  const known = new Set(columns.map(({ table, name }) => `${table}.${name}`))
  const excepted = [NO_FIELD, NO_FOREIGN_KEY, WIDER, SHAPED].flatMap((exceptions) => Object.keys(exceptions))
  expect([...excepted, ...NEVER_NULL, ...OTHERS_HAVE_NONE, ...COMPUTED].filter((column) => !known.has(column))).toEqual(
    [],
  )
})

test('every foreign key has an index that begins with its column', () => {
  const missing = constraints
    .filter(({ kind }) => kind === 'f')
    .filter(({ table, columns: [column] }) => !indexes.some((index) => index.table === table && index.first === column))
    .map(({ table, columns: keys }) => `${table}.${keys.join(', ')}`)
  expect(missing).toEqual([])
})

// The places of audits are deleted by a trigger, and inserted by one statement (decision 0039).
const BY_TRIGGER: readonly string[] = ['audits']

test('the places of audits go with them, of many at once', async () => {
  await sql`insert into audits (id, action, auditable_type, auditable_id, audited_changes, version)
    select n, 'create', 'Test', n, '{}', 1 from generate_series(1000001, 1000009) n`.execute(database.db)
  await sql`insert into organizations (id, name, title) values (1000001, 'Places', 'Places')`.execute(database.db)
  await sql`insert into audit_organizations select n, 1000001 from generate_series(1000001, 1000009) n`.execute(
    database.db,
  )
  await sql`delete from audits where id between 1000001 and 1000008`.execute(database.db)
  const left = await rows<{ id: number }>(
    database.db,
    sql`select audit_id as id from audit_organizations where organization_id = 1000001`,
  )
  expect(left).toEqual([{ id: 1000009 }])
})

test('every table belongs to a resource, links two, or is known to be the business of another part', () => {
  const declared = new Set([...assembleResources().values()].flatMap((resource) => tablesOf(resource)))
  const others = [...new Set(columns.map(({ table }) => table))].filter((table) => !declared.has(table)).sort()
  expect(others).toEqual([
    'activation_key_hosts',
    'audits_order',
    'avatars',
    'build_tokens',
    'certificate_authorities',
    'compute_attributes_order',
    'config_run_output',
    'configuration_statuses',
    'content_view_environments',
    'content_view_version_components',
    'content_view_version_repositories',
    'deferred_parts',
    'deferred_requests',
    'encryption_keys',
    'environment_sources',
    'event_notes',
    'event_order',
    'event_positions',
    'event_queue',
    'fact_names',
    'features',
    'gone_registrations',
    'host_content_overrides',
    'host_entitlements',
    'host_environments',
    'host_wishes',
    'imported_records',
    'leftover_classes',
    'login_failures',
    'login_requests',
    'old_tokens',
    'override_values_order',
    'parameters_order',
    'passkey_challenges',
    'product_contents',
    'recovery_codes',
    'registration_overrides',
    'registration_tokens',
    'registrations',
    'replaced_tokens',
    'report_jobs',
    'report_texts',
    'schema_migrations',
    'second_factor_dues',
    'second_factor_failures',
    'session_factors',
    'session_identities',
    'sessions',
    'smart_class_parameters_order',
    'smart_proxy_features',
    'spent_values',
    'table_changes',
    'timed_jobs',
    'token_limits',
    'user_code_failures',
  ])
})

function tablesOf(resource: Resource): string[] {
  const links = resource.placed.flatMap(({ elsewhere, at }) => elsewhere?.tables(at) ?? [])
  const taxonomies =
    resource.taxable && resource.taxable !== 'own' && resource.taxable !== 'organization'
      ? TAXONOMIES.map((taxonomy) => linkTableOf(resource, taxonomy).table)
      : []
  return [resource.table, ...links, ...taxonomies]
}

/**
 * Builds everything that the kernel may put behind `where` for a resource: scope, permissions, parents, and every search
 * field.
 */
function everyCondition(resource: Resource) {
  const { searchSchema: schema } = resource
  const searches = schema.fields.flatMap(({ name: called, type, values, key, column, expression }) => {
    const name = key ? `${called}.x` : called
    const value =
      {
        integer: '1',
        decimal: '1',
        boolean: 'true',
        datetime: '2026-03-31',
        uuid: UUID,
        choice: Object.keys(values ?? {})[0] ?? '',
      }[type as string] ?? 'x'
    const options = { now: new Date(), zone: 'UTC', root: 't', words: { current_user: 'x' } }
    const compares = key !== undefined || column !== null || expression !== undefined
    const texts = [`${name} = "${value}"`, ...(compares ? [`has ${name}`, `null? ${name}`] : [])]
    const found = texts.map((text) => compileSearch(schema, text, options))
    const orders = compares && !key ? [compileOrder(schema, name, options)] : []
    return [
      ...found.flatMap(({ condition, tables }) =>
        condition ? [{ sql: condition, tables: [...tables, schema.table] }] : [],
      ),
      ...orders.map(({ order, tables }) => ({ sql: order, tables })),
    ]
  })
  const view = `view_${resource.permission}`
  const contexts = [
    actor({ admin: true }),
    actor({ admin: true }, 1),
    actor({ grants: new Map() }, 1),
    actor({ grants: new Map([[view, [{ search: 'id > 1', organizations: [1], locations: [1] }]]]) }),
  ]
  const sights = contexts.flatMap((ctx) => [false, true].map((own) => limitToVisible(ctx, resource, view, own)))
  const together = sights.map((conditions) => ({
    sql: joinConditions(conditions),
    tables: [resource.table, ...conditions.flatMap(({ tables }) => tables)],
  }))
  const parents = Object.values(resource.parents).flatMap((name) => {
    const placed = resource.placed.find((one) => one.name === name)
    const within = placed?.field.within?.(placed.at, 't', 1)
    return placed && within
      ? [
          {
            ...within,
            tables: [resource.table, ...(placed.elsewhere?.tables(placed.at) ?? []), ...within.tables],
          },
        ]
      : []
  })
  return [...searches, ...together, ...parents]
}

const UUID = '00000000-0000-4000-8000-000000000000'

/** Builds a caller with what conditions depend on. */
function actor(user: Partial<Context['user']>, organization: number | null = null): Context {
  const nobody = {
    id: 1,
    login: 'x',
    name: 'x',
    admin: false,
    disabled: false,
    timezone: null,
    organizations: [1],
    locations: [1],
    grants: new Map(),
  }
  const tree = new Map([[1, { above: [], below: [2], takesIn: ['User'] }]])
  const settings = { default_timezone: '' } as Context['settings'] // conditions read nothing else
  const context: Pick<Context, 'user' | 'scope' | 'now' | 'log' | 'db' | 'trees' | 'settings'> = {
    db: database.db,
    user: { ...nobody, ...user },
    scope: { organization, location: organization, named: organization !== null },
    trees: { organizations: tree, locations: tree },
    settings,
    now: () => new Date(),
    log: quiet,
  }
  return context as Context // conditions are made from these alone
}

/** Lists the tables in a piece of SQL. */
function tablesIn(text: string): string[] {
  const known = new Set(columns.map(({ table }) => table))
  return [
    ...new Set(
      [...text.matchAll(/\b(?:from|join)\s+"?([a-z_]+)"?/g)]
        .map(([, name = '']) => name)
        .concat([...text.matchAll(/,\s*"([a-z_]+)"\s+(?:as\s+)?"?[a-z]/g)].map(([, name = '']) => name)),
    ),
  ].filter((name) => known.has(name))
}

function sorted<Named extends { readonly name: string }>(named: readonly Named[]): Named[] {
  return named.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
