import { assembleResources } from '../../../src/areas/index.ts'
import type { Database } from '../../../src/database/database.ts'
import { rows, type Sql } from '../../../src/database/sql.ts'
import { typeOf } from '../../../src/kernel/resources.ts'
import { joinAll, joinAny, sql } from '../../../src/sql.ts'

/** The distance between the ids of originals and copies, known before the copies exist. */
export const AWAY = 900_000

/** The greatest id of each table at one time. */
export type Moment = ReadonlyMap<string, number>

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  /** Whether a unique index contains the column, without another column that refers to a row. */
  readonly unique: boolean
  /** The table whose ids the column holds. */
  readonly points: string | null
}

/** Yields every table with its columns, each table after those that it refers to. */
export async function tablesOf({ db }: Database): Promise<Map<string, Column[]>> {
  const columns = await rows<Omit<Column, 'points'>>(
    db,
    sql`select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
          exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any (i.indkey::smallint[])
            and not exists (select from pg_constraint f where f.contype = 'f' and f.conrelid = c.oid and f.conkey && i.indkey::smallint[])) as unique
        from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by c.relname, a.attnum`,
  )
  const links = await rows<{ table: string; name: string; to: string; column: string }>(
    db,
    sql`select f.conrelid::regclass::text as table, a.attname as name, f.confrelid::regclass::text as to, b.attname as column
        from pg_constraint f cross join unnest(f.conkey, f.confkey) as k (own, other)
          join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.own
          join pg_attribute b on b.attrelid = f.confrelid and b.attnum = k.other
        where f.contype = 'f'`,
  )
  // The rows that link audits to organizations and locations have no foreign key to audits (docs/decisions/0039-batches.md).
  for (const table of ['audit_organizations', 'audit_locations'])
    links.push({ table, name: 'audit_id', to: 'audits', column: 'id' })
  // A column may refer to a column that refers to an id itself.
  const pointed = (table: string, name: string): string | null => {
    for (const link of links.filter((one) => one.table === table && one.name === name)) {
      const found = link.column === 'id' ? link.to : pointed(link.to, link.column)
      if (found) return found
    }
    return null
  }
  const known = columns.map((column): Column => ({ ...column, points: pointed(column.table, column.name) }))
  const tables = Map.groupBy(known, ({ table }) => table)
  const sorted = new Map<string, Column[]>()
  const visit = (table: string, path: readonly string[]) => {
    if (sorted.has(table) || path.includes(table)) return
    for (const link of links) if (link.table === table) visit(link.to, [...path, table])
    sorted.set(table, tables.get(table) ?? [])
  }
  for (const table of tables.keys()) visit(table, [])
  return sorted
}

/** Tells whether a column identifies rows by number. */
export function isId({ name, type }: Column): boolean {
  return name === 'id' && type === 'bigint'
}

/** Yields the present values of all sequences of ids. */
export async function momentOf(database: Database): Promise<Moment> {
  const moment = new Map<string, number>()
  for (const [table, columns] of await tablesOf(database)) {
    if (!columns.some(isId)) continue
    const [found] = await rows<{ id: number }>(
      database.db,
      sql`select coalesce(max(id), 0) as id from ${sql.table(table)}`,
    )
    moment.set(table, found?.id ?? 0)
  }
  return moment
}

/**
 * Copies all rows that were inserted between two moments, with rows that refer to them: ids grow by `AWAY`, and one word of
 * texts is replaced. Yields the number of copied rows for each table.
 */
export async function copyBetween(
  database: Database,
  [from, to]: readonly [Moment, Moment],
  [word, other]: readonly [string, string],
): Promise<Map<string, number>> {
  const copied = new Map<string, number>()
  const isCopied = (table: string, column: Sql) =>
    sql`(${column} > ${from.get(table) ?? 0} and ${column} <= ${to.get(table) ?? 0})`
  const moved = (table: string, column: Sql) =>
    sql`(case when ${isCopied(table, column)} then ${column} + ${AWAY}::bigint else ${column} end)`
  for (const [table, columns] of await tablesOf(database)) {
    if (KEPT.has(table)) continue
    const owned = columns.some(isId)
      ? [isCopied(table, sql`t.id`)]
      : columns.flatMap(({ name, points }) => (points ? [isCopied(points, sql.ref(`t.${name}`))] : []))
    if (owned.length === 0) continue
    const about = columns.flatMap(({ name }) => {
      const type = POLYMORPHIC[`${table}.${name}`]
      return type && name === 'auditable_id'
        ? [ofType(type, (of) => isCopied(of, sql.ref(`t.${name}`)), sql`false`)]
        : []
    })
    // Rows inserted later, such as the callers, are not copied.
    const before = columns.flatMap(({ name, points }) =>
      points ? [sql`coalesce(${sql.ref(`t.${name}`)} <= ${to.get(points) ?? 0}, true)`] : [],
    )
    // Ids of copied rows are replaced by those of their copies.
    const value = (column: Column): Sql => {
      const at = sql.ref(`t.${column.name}`)
      if (isId(column)) return sql`t.id + ${AWAY}::bigint`
      const particular = SHIFTED[`${table}.${column.name}`]
      if (particular) return particular(at)
      if (column.points) return moved(column.points, at)
      const polymorphic = POLYMORPHIC[`${table}.${column.name}`]
      if (polymorphic) return ofType(polymorphic, (of) => moved(of, at), at)
      if (column.name === 'ancestor_ids' || column.name === 'path_ids')
        return sql`array(select ${moved(table, sql`x`)} from unnest(${at}) x)`
      if (column.type === 'text')
        return column.unique
          ? sql`case when position(${word} in ${at}) > 0 then replace(${at}, ${word}, ${other}) else ${at} || ${other} end`
          : sql`replace(${at}, ${word}, ${other})`
      if (column.type === 'jsonb') return sql`replace(${at}::text, ${word}, ${other})::jsonb`
      if (column.type === 'text[]') return sql`replace(${at}::text, ${word}, ${other})::text[]`
      if (column.unique && column.type === 'uuid') return sql`md5(${at}::text || ${other})::uuid`
      if (column.unique && column.type === 'bytea') return sql`${at} || ${other}::bytea`
      return at
    }
    const names = sql.join(columns.map(({ name }) => sql.id(name)))
    const order = columns.some(isId) ? sql`order by t.id` : sql``
    await switchTriggers(database, table, 'disable')
    const result = await sql`insert into ${sql.table(table)} (${names})
      select ${sql.join(columns.map(value))} from ${sql.table(table)} t where ${joinAll([joinAny(owned), ...before, ...about])} ${order}`.execute(
      database.db,
    )
    await switchTriggers(database, table, 'enable')
    copied.set(table, result.rowCount ?? 0)
  }
  return copied
}

/** Switches all triggers but those that track changes, because copies are complete. */
async function switchTriggers({ db }: Database, table: string, to: 'disable' | 'enable'): Promise<void> {
  const found = await rows<{ name: string }>(
    db,
    sql`select tgname as name from pg_trigger where tgrelid = ${table}::regclass and not tgisinternal and tgname !~ '^(record|announce)_'`,
  )
  for (const { name } of found)
    await sql`alter table ${sql.table(table)} ${sql.raw(to)} trigger ${sql.id(name)}`.execute(db)
}

/** Tables of the service itself, not of a tenant. */
export const KEPT = new Set([
  'schema_migrations',
  'table_changes',
  'sessions',
  'session_identities',
  'spent_values',
  'passkey_challenges',
  'session_factors',
  'login_failures',
  'login_requests',
  'permissions',
  'settings',
  'avatars',
])

/** Columns with ids whose table another column names. */
const POLYMORPHIC: Readonly<Record<string, string>> = {
  'audits.auditable_id': 'auditable_type',
  'audits.associated_id': 'associated_type',
}

/** An operating system has one default template of each kind, so that the copy gets the next kind. */
const nextKind = (column: Sql) => sql`(select min(k.id) from template_kinds k where k.id > ${column})`

/** Columns whose copies have to differ although they do not contain the word. */
const SHIFTED: Readonly<Record<string, (column: Sql) => Sql>> = {
  'templates.template_kind_id': nextKind,
  'os_default_templates.template_kind_id': nextKind,
  'subnets.network': (column) => sql`${column} + 65536`,
}

/** Builds an expression that depends on the type which a column names. */
function ofType(column: string, then: (table: string) => Sql, otherwise: Sql): Sql {
  const cases = typed().map(([type, table]) => sql`when ${type} then ${then(table)}`)
  return sql`(case ${sql.ref(`t.${column}`)} ${sql.join(cases, sql` `)} else ${otherwise} end)`
}

function typed(): [string, string][] {
  return [...assembleResources().values()].map((resource) => [typeOf(resource), resource.table])
}
