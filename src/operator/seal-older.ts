import { type Db, rows } from '../database/sql.ts'
import { ORDERED, selectInOrder } from '../database/stored-order.ts'
import { type EncryptedColumn, type Encryption, purposeOf } from '../encryption/encryption.ts'
import {
  ENCRYPTED,
  HIDEABLE,
  type Hideable,
  sealText,
  selectHidden,
  selectSealed,
  storeEncrypted,
} from '../encryption/hidden-values.ts'
import { sql } from '../sql.ts'

/** How many values one transaction encrypts. */
const STEP = 500

/**
 * Encrypts the hidden values and the hashes of root passwords that versions before have stored as they are, in transactions of some
 * hundred rows, and yields their number: none within a day of the upgrade. Their `updated_at` stays.
 */
export async function sealOlder(
  { db, encryption }: { readonly db: Db; readonly encryption: Encryption },
  signal: AbortSignal,
): Promise<number> {
  if (!encryption.isSealing()) return 0
  const steps = [
    ...HIDEABLE.map((table) => (tx: Db) => sealValues(tx, encryption, table)),
    ...(['hosts', 'hostgroups'] as const).map((table) => (tx: Db) => sealPasswords(tx, encryption, table)),
  ]
  let count = 0
  for (const step of steps)
    for (let sealed = STEP; sealed === STEP && !signal.aborted; count += sealed) sealed = await db.transaction(step)
  return count
}

async function sealValues(tx: Db, encryption: Encryption, table: Hideable): Promise<number> {
  const at = { table, column: ORDERED[table] }
  const value = sql.ref(`t.${at.column}`)
  const found = await rows<{ id: number; value: string }>(
    tx,
    sql`select t.id, ${selectInOrder(table, 't')}::text as value from ${sql.table(table)} t
      where ${selectHidden(table, 't')} and ${value} not in ('""'::jsonb, '"*****"'::jsonb, 'null'::jsonb)
        and ${selectSealed(table, 't')} is null
      order by t.id limit ${STEP} for no key update of t skip locked`,
  )
  await store(
    tx,
    at,
    found.map(({ id, value: text }) => ({ id, sealed: sealText(encryption, table, text) })),
  )
  await sql`delete from ${sql.table(`${table}_order`)} where id = any (${found.map(({ id }) => id)}::bigint[])`.execute(
    tx,
  )
  return found.length
}

async function sealPasswords(tx: Db, encryption: Encryption, table: 'hosts' | 'hostgroups'): Promise<number> {
  const at = { table, column: 'root_pass' }
  const found = await rows<{ id: number; hash: string }>(
    tx,
    sql`select t.id, t.root_pass as hash from ${sql.table(table)} t where t.root_pass !~ ${`^${ENCRYPTED}$`}
      order by t.id limit ${STEP} for no key update of t skip locked`,
  )
  await store(
    tx,
    at,
    found.map(({ id, hash }) => ({ id, sealed: encryption.encrypt(hash, purposeOf(at)) })),
  )
  return found.length
}

async function store(tx: Db, at: EncryptedColumn, anew: readonly { readonly id: number; readonly sealed: string }[]) {
  await sql`update ${sql.table(at.table)} t set ${sql.ref(at.column)} = ${storeEncrypted(at, sql`anew.sealed`)}
    from jsonb_to_recordset(${JSON.stringify(anew)}::jsonb) as anew (id bigint, sealed text) where t.id = anew.id`.execute(
    tx,
  )
}
