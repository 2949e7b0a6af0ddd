import { formatOwner } from '../areas/access/index.ts'
import { assembleResources, listEncryptedColumns } from '../areas/index.ts'
import { type Config, databaseConfigOf, type Settings } from '../config/config.ts'
import { insertAudits } from '../database/audits.ts'
import { type Db, row, rows, type Sql } from '../database/sql.ts'
import { type EncryptedColumn, keyFileOf, removeKeys } from '../encryption/encryption.ts'
import { selectEncrypted } from '../encryption/hidden-values.ts'
import { changeKey, openWithoutKey } from '../encryption/keys.ts'
import { Failure } from '../errors.ts'
import type { Registry, Resource } from '../kernel/index.ts'
import { createLogger } from '../log.ts'
import { connect } from '../postgresql/connect.ts'
import { sql } from '../sql.ts'
import { formatFailure } from './failures.ts'

/** What was dropped: the column, and what its records are called. */
interface Dropped {
  readonly what: string
  readonly records: readonly string[]
}

/**
 * Gives up a key that is lost: makes a new file of keys, and drops what only the lost key could open, so that the service can
 * start again. Nothing is dropped while the key may still be found.
 */
export async function giveUpKey({ config }: Settings, name: string): Promise<number> {
  try {
    await using database = await connect(databaseConfigOf(config), createLogger(config))
    if (config.databaseUrl !== null) await refuseWhileServed(database.db)
    const dropped = await dropAndChange(database.db, config, name)
    process.stdout.write(describe(keyFileOf(config), dropped))
    return 0
  } catch (error) {
    process.stderr.write(`millwright: ${formatFailure(error, config)}\n`)
    return 1
  }
}

/** Refuses while other processes use the database: they have the key. That of a data directory has no others. */
async function refuseWhileServed(db: Db): Promise<void> {
  const others = await row<{ count: number }>(
    db,
    sql`select count(*) as count from pg_stat_activity
      where application_name = 'millwright' and datname = current_database() and pid <> pg_backend_pid()`,
  )
  if (others?.count)
    throw new Failure('unavailable', 'The service runs on this database: where it does, the key is not lost')
}

async function dropAndChange(db: Db, config: Config, name: string): Promise<Dropped[]> {
  const registry = assembleResources()
  const encryption = await openWithoutKey(db, config, name)
  try {
    return await db.transaction(async (tx) => {
      await changeKey(tx, encryption)
      return await dropUnreadable(
        tx,
        registry,
        encryption.marks().map((mark) => mark.name),
      )
    })
  } catch (error) {
    if (encryption.isNew && encryption.file !== null) removeKeys(encryption.file)
    throw error
  }
}

async function dropUnreadable(tx: Db, registry: Registry, names: readonly string[]): Promise<Dropped[]> {
  const isUnreadable = (text: Sql) =>
    sql`(${text} is not null and split_part(${text}, '.', 1) <> all (${names}::text[]))`
  const dropped: Dropped[] = []
  for (const column of listEncryptedColumns(registry)) dropped.push(await dropFrom(tx, registry, column, isUnreadable))
  return dropped.filter(({ records }) => records.length > 0)
}

/** Empties the column where it cannot be read; where it must not be empty, deletes the row. */
async function dropFrom(
  tx: Db,
  registry: Registry,
  at: EncryptedColumn,
  isUnreadable: (text: Sql) => Sql,
): Promise<Dropped> {
  const { table, column } = at
  const required = await row<{ is: boolean }>(
    tx,
    sql`select attnotnull as is from pg_attribute where attrelid = ${table}::regclass and attname = ${column}`,
  )
  const condition = isUnreadable(selectEncrypted(at, 't'))
  const change = required?.is
    ? sql`delete from ${sql.table(table)} t where ${condition}`
    : sql`update ${sql.table(table)} t set ${sql.ref(column)} = null where ${condition}`
  const changed = await rows<{ row: Readonly<Record<string, unknown>> }>(
    tx,
    sql`${change} returning to_jsonb(t) as row`,
  )
  const resource = [...registry.values()].find(
    (one) => one.table === table && one.placed.some((each) => isEncrypted(each) && each.column?.name === column),
  )
  const nameOf = (one: Readonly<Record<string, unknown>>) =>
    String(one[resource?.label ?? 'name'] ?? one.id ?? one.host_id ?? one.task_id)
  if (resource?.audited && !required?.is)
    await insertAudits(
      tx,
      { userId: null, userName: formatOwner(), address: null, requestId: null },
      changed.map(({ row: one }) => ({
        action: 'update' as const,
        type: resource.type,
        id: Number(one.id),
        name: nameOf(one),
        changes: { [column]: ['[redacted]', null] },
        comment: 'The key that it was encrypted with is lost.',
      })),
    )
  return { what: `${resource?.plural ?? table}.${column}`, records: changed.map(({ row: one }) => nameOf(one)) }
}

function isEncrypted({ field }: Resource['placed'][number]): boolean {
  return field.secret?.encrypted === true || field.maskedBy !== undefined
}

function describe(file: string, dropped: readonly Dropped[]): string {
  const lines = dropped.map(({ what, records }) => `  ${what}: ${records.join(', ')}\n`)
  const gone =
    lines.length === 0 ? 'Nothing was encrypted with the lost one.\n' : `Gone with the lost one:\n${lines.join('')}`
  return `There is a new key in ${file}. ${gone}`
}
