import { assembleResources, listEncryptedColumns } from '../areas/index.ts'
import { databaseConfigOf, type Settings } from '../config/config.ts'
import { type Db, rows } from '../database/sql.ts'
import {
  addKey,
  createKey,
  type EncryptedColumn,
  type Encryption,
  forgetOldKeys,
  keyFileOf,
  purposeOf,
} from '../encryption/encryption.ts'
import { openEncrypted, selectEncrypted, storeEncrypted } from '../encryption/hidden-values.ts'
import { announceKey, changeKey, openEncryption } from '../encryption/keys.ts'
import { createLogger } from '../log.ts'
import { connect } from '../postgresql/connect.ts'
import { sql } from '../sql.ts'
import { formatFailure } from './failures.ts'

/**
 * Puts a new key in front of the key file and encrypts every stored secret with it. Running processes pick up the change.
 */
export async function rotateKeys({ config }: Settings): Promise<number> {
  try {
    await using database = await connect(databaseConfigOf(config), createLogger(config))
    const file = keyFileOf(config)
    const columns = listEncryptedColumns(assembleResources())
    const encryption = await openEncryption(database.db, config, columns)
    const next = createKey()
    await announceKey(database.db, next.mark.fingerprint)
    addKey(file, next)
    const count = await encryptAnew(database.db, encryption, columns)
    forgetOldKeys(file)
    process.stdout.write(`There is a new key in ${file}; ${count} stored secrets are encrypted with it.\n`)
    return 0
  } catch (error) {
    process.stderr.write(`millwright: ${formatFailure(error, config)}\n`)
    return 1
  }
}

async function encryptAnew(db: Db, encryption: Encryption, columns: readonly EncryptedColumn[]): Promise<number> {
  return db.transaction(async (tx) => {
    let count = 0
    await changeKey(tx, encryption)
    for (const column of columns) count += await encryptColumn(tx, encryption, column)
    return count
  })
}

/** Encrypts the values of a column with the current key, and those that versions before have stored for their purpose. */
async function encryptColumn(tx: Db, encryption: Encryption, at: EncryptedColumn): Promise<number> {
  const { table, column, row = [] } = at
  const text = selectEncrypted(at, 't')
  // Not every table has ids, but no two secrets are encrypted to the same text.
  const named = sql.join(row.map((name) => sql`${sql.ref(name)}::text`))
  const stored = await rows<{ before: string; row: readonly string[] }>(
    tx,
    sql`select ${text} as before, array[${named}]::text[] as row from ${sql.table(table)} t where ${text} is not null order by 1 for update`,
  )
  const anew = stored.map(({ before, row: own }) => {
    const purpose = purposeOf(at, ...own)
    return { before, secret: encryption.encrypt(openEncrypted(encryption, at, before, purpose), purpose) }
  })
  await sql`update ${sql.table(table)} as t set ${sql.ref(column)} = ${storeEncrypted(at, sql`anew.secret`)}
    from jsonb_to_recordset(${JSON.stringify(anew)}::jsonb) as anew (before text, secret text)
    where ${text} = anew.before`.execute(tx)
  return anew.length
}
