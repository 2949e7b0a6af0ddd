import { type Db, row, rows } from '../database/sql.ts'
import { ORDERED, selectInOrder } from '../database/stored-order.ts'
import { type Encryption, purposeOf } from '../encryption/encryption.ts'
import { type Hideable, sealText } from '../encryption/hidden-values.ts'
import { sql } from '../sql.ts'

/** How many values one transaction encrypts. */
const STEP = 500

/** Processes of the version before cannot read encrypted values: they have this time to be replaced one by one. */
const isUpgradeOver = sql`exists (
  select from schema_migrations where number = 57 and applied_at < now() - interval '1 day')`

/**
 * Encrypts the hidden values and the hashes of root passwords that versions before have stored as they are, in transactions of some
 * hundred rows, and yields their number: none within a day of the upgrade. Their `updated_at` stays.
 */
export async function sealOlder(
  { db, encryption }: { readonly db: Db; readonly encryption: Encryption },
  signal: AbortSignal,
): Promise<number> {
  if (!(await row(db, sql`select where ${isUpgradeOver}`))) return 0
  const steps = [
    ...(['parameters', 'smart_class_parameters', 'override_values'] as const).map(
      (table) => (tx: Db) => sealValues(tx, encryption, table),
    ),
    ...(['hosts', 'hostgroups'] as const).map((table) => (tx: Db) => sealPasswords(tx, encryption, table)),
  ]
  let count = 0
  for (const step of steps)
    for (let sealed = STEP; sealed === STEP && !signal.aborted; count += sealed) sealed = await db.transaction(step)
  return count
}

const HIDDEN_BY = {
  parameters: sql`t.hidden_value`,
  smart_class_parameters: sql`t.hidden_value`,
  override_values: sql`(select p.hidden_value from smart_class_parameters p where p.id = t.smart_class_parameter_id)`,
} as const

async function sealValues(tx: Db, encryption: Encryption, table: Hideable): Promise<number> {
  const column = sql.ref(`t.${ORDERED[table]}`)
  const found = await rows<{ id: number; value: string }>(
    tx,
    sql`select t.id, ${selectInOrder(table, 't')}::text as value from ${sql.table(table)} t
      where ${HIDDEN_BY[table]} and ${column} is not null and ${column} not in ('""'::jsonb, '"*****"'::jsonb, 'null'::jsonb)
      order by t.id limit ${STEP} for no key update of t skip locked`,
  )
  const anew = found.map(({ id, value }) => ({ id, sealed: sealText(encryption, table, value) }))
  await sql`update ${sql.table(table)} t set ${sql.ref(ORDERED[table])} = null, sealed = anew.sealed
    from jsonb_to_recordset(${JSON.stringify(anew)}::jsonb) as anew (id bigint, sealed text) where t.id = anew.id`.execute(
    tx,
  )
  await sql`delete from ${sql.table(`${table}_order`)} where id = any (${found.map(({ id }) => id)}::bigint[])`.execute(
    tx,
  )
  return found.length
}

async function sealPasswords(tx: Db, encryption: Encryption, table: 'hosts' | 'hostgroups'): Promise<number> {
  const found = await rows<{ id: number; hash: string }>(
    tx,
    sql`select t.id, t.root_pass as hash from ${sql.table(table)} t where t.root_pass !~ '^[0-9a-f]{8}[.][\\w-]+[.]2$'
      order by t.id limit ${STEP} for no key update of t skip locked`,
  )
  const purpose = purposeOf({ table, column: 'root_pass' })
  const anew = found.map(({ id, hash }) => ({ id, sealed: encryption.encrypt(hash, purpose) }))
  await sql`update ${sql.table(table)} t set root_pass = anew.sealed
    from jsonb_to_recordset(${JSON.stringify(anew)}::jsonb) as anew (id bigint, sealed text) where t.id = anew.id`.execute(
    tx,
  )
  return found.length
}
