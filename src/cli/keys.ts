import { sql } from 'kysely'
import { databaseConfig, type Settings } from '../config.ts'
import { connect } from '../database/connect.ts'
import { type Db, rows } from '../database/sql.ts'
import { addKey, type Encryption, encryptionOf, forgetOldKeys, keyFileOf } from '../encryption.ts'
import { createLogger } from '../log.ts'
import { AUTHORITY_KEY } from '../registration/authority.ts'
import { resources } from '../resources/index.ts'
import { failureSentence } from './failures.ts'

/** Puts a new key in front of the key file and encrypts every stored secret anew with it. Running processes follow. */
export async function rotateKeys({ config }: Settings): Promise<number> {
  try {
    await using database = await connect(databaseConfig(config), createLogger(config))
    const file = keyFileOf(config)
    addKey(file)
    const count = await encryptAnew(database.db, encryptionOf(config))
    forgetOldKeys(file)
    process.stdout.write(`There is a new key in ${file}; ${count} stored secrets are encrypted with it.\n`)
    return 0
  } catch (error) {
    process.stderr.write(`millwright: ${failureSentence(error, config)}\n`)
    return 1
  }
}

async function encryptAnew(db: Db, encryption: Encryption): Promise<number> {
  return db.transaction().execute(async (tx) => {
    let count = 0
    for (const column of encryptedColumns()) count += await encryptColumn(tx, encryption, column)
    return count
  })
}

interface EncryptedColumn {
  readonly table: string
  readonly column: string
}

/** What the declarations say is encrypted, and the key of the authority; resources that share a table share its columns. */
function encryptedColumns(): readonly EncryptedColumn[] {
  const found = [...resources().values()].flatMap(({ table, placed }) =>
    placed.flatMap(({ field, column }) => (field.encrypted && column ? [{ table, column: column.name }] : [])),
  )
  return [...new Map([...found, AUTHORITY_KEY].map((one) => [`${one.table}.${one.column}`, one])).values()]
}

async function encryptColumn(tx: Db, encryption: Encryption, { table, column }: EncryptedColumn): Promise<number> {
  const stored = await rows<{ id: number; secret: string }>(
    tx,
    sql`select id, ${sql.ref(column)} as secret from ${sql.table(table)} where ${sql.ref(column)} is not null order by id for update`,
  )
  const anew = stored.map(({ id, secret }) => ({ id, secret: encryption.encrypt(encryption.decrypt(secret)) }))
  await sql`update ${sql.table(table)} as t set ${sql.ref(column)} = anew.secret
    from jsonb_to_recordset(${JSON.stringify(anew)}::jsonb) as anew (id bigint, secret text) where t.id = anew.id`.execute(
    tx,
  )
  return stored.length
}
