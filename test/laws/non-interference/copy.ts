import { sql } from 'kysely'
import { assembleResources } from '../../../src/areas/index.ts'
import type { Database } from '../../../src/database/database.ts'
import { rows, type Sql } from '../../../src/database/sql.ts'
import { typeOf } from '../../../src/kernel/definition.ts'
import { all, any } from '../../../src/search/sql.ts'

/** What ids of copies are beyond those of their originals: known before there is a copy. */
export const AWAY = 900_000

/** The greatest id of each table at one moment. */
export type Moment = ReadonlyMap<string, number>

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  /** Whether an index knows no value of it twice, and has no column beside it that points at another row. */
  readonly unique: boolean
  /** The table whose ids it holds. */
  readonly points: string | null
}

/** Every table with its columns, in an order in which each comes after those that it points at. */
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
  // The places of audits have no foreign key to them (docs/decisions/0039-batches.md).
  for (const table of ['audit_organizations', 'audit_locations'])
    links.push({ table, name: 'audit_id', to: 'audits', column: 'id' })
  // A column may point at one that points at an id itself.
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

/** The number that a row is known by. */
export function isId({ name, type }: Column): boolean {
  return name === 'id' && type === 'bigint'
}

/** Where all sequences of ids are now. */
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
 * Copies all rows that came between two moments, with what points at them: ids grow by `AWAY`, one word of texts becomes
 * another. Yields how many rows of each table were copied.
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
    // What came later, the callers themselves, belongs to nobody else.
    const before = columns.flatMap(({ name, points }) =>
      points ? [sql`coalesce(${sql.ref(`t.${name}`)} <= ${to.get(points) ?? 0}, true)`] : [],
    )
    // What holds the ids of other rows holds those of their copies.
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
      select ${sql.join(columns.map(value))} from ${sql.table(table)} t where ${all([any(owned), ...before, ...about])} ${order}`.execute(
      database.db,
    )
    await switchTriggers(database, table, 'enable')
    copied.set(table, Number(result.numAffectedRows ?? 0))
  }
  return copied
}

/** Copies are whole: only the triggers that tell of changes have work to do. */
async function switchTriggers({ db }: Database, table: string, to: 'disable' | 'enable'): Promise<void> {
  const found = await rows<{ name: string }>(
    db,
    sql`select tgname as name from pg_trigger where tgrelid = ${table}::regclass and not tgisinternal and tgname !~ '^(record|announce)_'`,
  )
  for (const { name } of found)
    await sql`alter table ${sql.table(table)} ${sql.raw(to)} trigger ${sql.id(name)}`.execute(db)
}

/** What is of the service, not of a tenant. */
export const KEPT = new Set([
  'schema_migrations',
  'table_changes',
  'sessions',
  'login_failures',
  'permissions',
  'settings',
  'avatars',
])

/** Columns whose ids are of the type that another one names. */
const POLYMORPHIC: Readonly<Record<string, string>> = {
  'audits.auditable_id': 'auditable_type',
  'audits.associated_id': 'associated_type',
}

/** An operating system has one template of each kind by default: the second tenant's is of the next one. */
const nextKind = (column: Sql) => sql`(select min(k.id) from template_kinds k where k.id > ${column})`

/** What has to differ without a word in it. */
const SHIFTED: Readonly<Record<string, (column: Sql) => Sql>> = {
  'templates.template_kind_id': nextKind,
  'os_default_templates.template_kind_id': nextKind,
  'subnets.network': (column) => sql`${column} + 65536`,
}

/** What depends on the type that a column names. */
function ofType(column: string, then: (table: string) => Sql, otherwise: Sql): Sql {
  const cases = typed().map(([type, table]) => sql`when ${type} then ${then(table)}`)
  return sql`(case ${sql.ref(`t.${column}`)} ${sql.join(cases, sql` `)} else ${otherwise} end)`
}

function typed(): [string, string][] {
  return [...assembleResources().values()].map((resource) => [typeOf(resource), resource.table])
}
